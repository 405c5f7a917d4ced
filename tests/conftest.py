"""Settings of the test run; the tests beside this file are generated from the notebooks.

Marks: `slow` tests run only with --slow, `jit` tests only while numba compiles (not under NUMBA_DISABLE_JIT=1): they need
compiled kernels, or have nothing to do with kernels and take their time.
With OMNIVAR_NO_SKIPS=1 in the environment a skipped test makes the run fail.
"""
import gc
import os
import sys
from collections import Counter
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "nbs/_tools"))  # `hostile` makes the hostile input

NOT_EVERYWHERE = ["onnxruntime"]  # packages without wheels for the newest Python, see settings.ini
gc.set_threshold(100_000, 50, 100)  # most of what modules and compiled kernels hold stays until the end
os.environ["OMNIVAR_PATIENCE"] = "0"  # compile everything, so that kernels are tested; set before omnivar is imported
if os.environ.get("OMNIVAR_KINDS"): import count_kinds  # notes which kinds of arguments kernels are compiled for


def pytest_addoption(parser):
    parser.addoption("--slow", action="store_true", help="run the slow tests as well")


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: takes long; runs only with --slow")
    config.addinivalue_line("markers", "jit: needs compiled kernels, or none at all; left out under NUMBA_DISABLE_JIT=1")


def turns(items):
    """The key that orders tests by file, the parts of the package in turn: files that run at the same time then need
    different kernels, which would else be compiled by both processes."""
    sizes = Counter(i.path.name for i in items)
    part = lambda name: name.split("_")[1]
    place = {name: k for p in {part(name) for name in sizes}
             for k, name in enumerate(sorted((n for n in sizes if part(n) == p), key=lambda n: (-sizes[n], n)))}
    return lambda item: (place[item.path.name], item.path.name)


def pytest_collection_modifyitems(config, items):
    out = ["slow"] * (not config.getoption("slow")) + ["jit"] * (os.environ.get("NUMBA_DISABLE_JIT", "0") != "0")
    dropped = [i for i in items if any(i.get_closest_marker(mark) for mark in out)]
    kept = [i for i in items if i not in dropped]
    items[:] = sorted(kept, key=turns(kept))
    if dropped: config.hook.pytest_deselected(items=dropped)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    error = call.excinfo and call.excinfo.value
    if isinstance(error, ModuleNotFoundError) and error.name in NOT_EVERYWHERE:
        report.outcome, report.longrepr = "skipped", (str(item.path), item.location[1], f"Skipped: {error}")
    if report.skipped and not hasattr(report, "wasxfail") and os.environ.get("OMNIVAR_NO_SKIPS"):
        report.outcome, report.longrepr = "failed", f"skipped, but nothing may be skipped here: {report.longrepr}"
    return report
