"""Count the kinds of arguments that kernels are compiled for, or loaded from the disk for.

OMNIVAR_KINDS=FILE python -m pytest tests   every process of the tests, and of `make.py nbtest`, adds to FILE what it
used python nbs/_tools/count_kinds.py FILE       kernels by their number of kinds; fails when there are more than LIMIT
in all

Each kind costs its seconds on every new machine. A kernel that Python calls and one that kernels call count apart. The
parts of long kernels are listed, but not counted: LLVM puts them into their callers.
"""
import os
import re
import sys
from collections import Counter
from pathlib import Path

LIMIT = 1000  # kinds that the whole suite may use
PART = "part "  # before the names of parts


def read(path): return {line for line in Path(path).read_text(encoding="utf-8").splitlines() if line}


def note(function, kinds):
    "Write one kind to the file, at once: a process may end without notice."
    if not function.__module__.startswith("omnivar."): return
    name = PART * is_part(function) + function.__qualname__
    with open(os.environ["OMNIVAR_KINDS"], "a", encoding="utf-8") as f:
        f.write(f"{name}\t{', '.join(map(str, kinds))}\n")


def is_part(function):
    "Whether this is one of a kernel's forms, and the kernel a part of longer ones."
    from omnivar.engine.jit import KERNELS
    own = function.__module__, re.sub("_(in_kernels|entrance)$", "", function.__qualname__)
    return any(k.inlined and (k.__module__, k.__qualname__) == own for k in list(KERNELS))


def begin():
    "From now on, note what is compiled or loaded."
    from numba.core import event
    from omnivar.engine.kernel_cache import DiskCache

    class Kinds(event.Listener):
        def on_start(self, event): note(event.data["dispatcher"].py_func, event.data["args"])
        def on_end(self, event): pass

    load = DiskCache.load_overload

    def noted(self, signature, context):
        if (found := load(self, signature, context)) is not None: note(self.function, signature)
        return found

    event.register("numba:compile", Kinds())
    DiskCache.load_overload = noted


if __name__ == "__main__":
    kinds = read(sys.argv[1])
    for name, n in Counter(line.split("\t")[0] for line in kinds).most_common(): print(n, name)
    counted = [line for line in kinds if not line.startswith(PART)]
    print(f"{len(counted)} kinds, at most {LIMIT}, and {len(kinds) - len(counted)} of parts")
    sys.exit(len(counted) > LIMIT)
elif os.environ.get("OMNIVAR_KINDS") and os.environ.get("NUMBA_DISABLE_JIT", "0") == "0": begin()
