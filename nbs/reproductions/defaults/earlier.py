"""The default tree of classes as it was before it could hold an equation in each leaf: no such tree, one equation only where
it is better by two standard errors and never for the order of rows alone, and below 700 rows all splitters at one price,
whatever rows held out say. Studies of that time, and the one that judged the step from there, are run under these patches.
"""
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

from omnivar.selection import held_out_price, tree_or_model
from omnivar.selection.tree_or_model import is_clear


def twice_as_clear(gain, weights, _): return is_clear(gain, weights, 2)


def no_choice(configuration, prices, *_): return prices[0], configuration, ()


def never(*_): return False


NO_EQUATIONS = [(held_out_price, name, never) for name in ("equations_are_better", "ranks_rows")]
EARLIER = [*NO_EQUATIONS, (tree_or_model, "is_clear", twice_as_clear), (held_out_price, "best_of_thirds", no_choice)]


@contextmanager
def patched(patches=EARLIER):
    "Module, name, and what stands there for the time being."
    with ExitStack() as stack:
        for target, name, value in patches: stack.enter_context(patch.object(target, name, value))
        yield
