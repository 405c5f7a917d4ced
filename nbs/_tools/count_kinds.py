"""Count the kinds of arguments that the kernels are compiled for.

OMNIVAR_KINDS=FILE NUMBA_CACHE_DIR=EMPTY_FOLDER python -m pytest -p count_kinds tests   every process adds to FILE what
it compiled python nbs/_tools/count_kinds.py FILE     kernels by their number of kinds; fails when there are more than
LIMIT in all

A program that is no test imports this module first. With a cache that is not empty, what it holds is not counted.
"""
import os
import sys
from collections import Counter
from pathlib import Path

LIMIT = 600  # kinds that the whole suite may compile


def read(path): return {line for line in Path(path).read_text().splitlines() if line}


if "OMNIVAR_KINDS" in os.environ and __name__ != "__main__":
    from numba.core import event

    class Kinds(event.Listener):
        "Writes one line for each kind, at once: a process of pytest-xdist may end without notice."
        def on_start(self, event):
            function = event.data["dispatcher"].py_func
            if not function.__module__.startswith("omnivar"): return
            with open(os.environ["OMNIVAR_KINDS"], "a") as f:
                f.write(f"{function.__qualname__}\t{', '.join(map(str, event.data['args']))}\n")
        def on_end(self, event): pass

    event.register("numba:compile", Kinds())

if __name__ == "__main__":
    kinds = read(sys.argv[1])
    for name, n in Counter(line.split("\t")[0] for line in kinds).most_common(): print(n, name)
    print(f"{len(kinds)} kinds, at most {LIMIT}")
    sys.exit(len(kinds) > LIMIT)
