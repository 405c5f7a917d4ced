"""Everything CI checks, in order, with the seconds that each step took and those of its processors: `make test`; what
of it takes seconds: `make check`; what CI leaves out since it is slow: `make slow`.

Closes with "N passed, N failed", counted over notebooks, tests and checks of the site. With OMNIVAR_NO_SKIPS=1
in the environment nothing may be skipped: a skipped test or a missing browser then counts as a failure.
"""
import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from nbdev.config import get_config

root, tools = get_config().config_path, Path(__file__).parent
# a process of tests or notebooks for each core: more threads of linear algebra only wait for each other
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
PYTHON, MAKE = [sys.executable, "-W", "ignore"], [sys.executable, "-W", "ignore", str(tools / "make.py")]
PYTEST = [sys.executable, "-m", "pytest", "-q", "-n", str(min(os.cpu_count() or 1, 8)), "--durations=5",
          "--durations-min=2", "--dist", "loadfile",  # a file in one process: its kernels are compiled once
          "--no-loadscope-reorder"]  # conftest.py orders them
# the parts whose tests compare kernels with plain Python (`make slow` runs all tests without the JIT)
WITH_KERNELS = [str(f) for part in ("engine", "splitters")
                for f in sorted((root / "tests").glob(f"test_{part}_*.py"))]
KINDS = str(Path(tempfile.mkdtemp()) / "kinds")  # what kernels are compiled for: see count_kinds.py
STALE = 12  # notebooks whose stored outputs may differ from fresh ones: processors round differently
GENERATED = ["omnivar", "tests", "README.md", "nbs"]
COMPARE = ("compare with git", [*PYTHON, __file__, "compare"], {})
QUICK = [  # what it is called, command, additions to the environment
    ("export the notebooks", ["nbdev_export"], {}),
    ("clean the notebooks", ["nbdev_clean"], {}),
    ("write the tests", [*MAKE, "tests"], {}),
]
READING = [  # these only read
    ("check the imports", [*PYTHON, str(tools / "parts.py")], {}),
    ("check the length of cells", [*PYTHON, str(tools / "cells.py")], {}),
    ("check that code is introduced and run", [*PYTHON, str(tools / "prose.py")], {}),
    ("compare what is said of the package", [*PYTHON, str(tools / "same_everywhere.py")], {}),
]
STEPS = [
    *QUICK,
    ("run the tests", [*PYTEST, "tests"], {"OMNIVAR_KINDS": KINDS}),
    ("run the notebooks that need the JIT", [*MAKE, "nbtest", "--compiled", f"--stale={STALE}"],
     {"OMNIVAR_KINDS": KINDS}),
    ("count the kinds of kernels", [*PYTHON, str(tools / "count_kinds.py"), KINDS], {}),
    ("run the tests of kernels without the JIT", [*PYTEST, *WITH_KERNELS], {"NUMBA_DISABLE_JIT": "1"}),
    ("run the notebooks", [*MAKE, "nbtest", "--plain", f"--stale={STALE}"], {"NUMBA_DISABLE_JIT": "1"}),
]
# with OMNIVAR_IN_TIME=1, for CI, which has to end: seconds after which a step is not begun, as on a slow machine
BEGUN_BY = {"run the notebooks that need the JIT": 500, "run the tests of kernels without the JIT": 570,
            "run the notebooks": 550, "build the site": 14, "open the site in Chromium": 14}
SLOW = [
    ("run the notebooks with the JIT, with their slow cells", [*MAKE, "nbtest", "--slow"], {"PYTHONUNBUFFERED": "1"}),
    ("run the slow tests", [*PYTHON, "-m", "pytest", "-v", "--slow", "-m", "slow", "--durations=5", "tests"], {}),
    ("run all tests without the JIT", [*PYTEST, "tests"], {"NUMBA_DISABLE_JIT": "1"}),
    ("build the site", [*MAKE, "docs", "--stored"], {}),
    ("open every page of the site", [*PYTHON, str(tools / "check_site.py"), "--all"], {}),
]
BESIDE = {  # steps that keep one core busy: they run beside the others, once the step that they are named after is done
    "clean the notebooks": READING,
    "write the tests": [("build the site", [*MAKE, "docs", "--stored"], {}),
                        ("open the site in Chromium", [*PYTHON, str(tools / "check_site.py")], {})],
    "run the tests": [("write README.md", [*MAKE, "readme"], {}),  # the kernels it runs are compiled by now
                      COMPARE],
}


def git(*args):
    return subprocess.run(["git", *args], cwd=root, capture_output=True, text=True)


def compare():
    "Exit with an error if the notebooks generate something else than what git has (or has staged)."
    if git("ls-files", "--error-unmatch", "settings.ini").returncode:
        return print("SKIPPED: this is not a git checkout, so there is nothing to compare the generated files with")
    changed = git("diff", "--name-only", "--",
                  *GENERATED).stdout + git("ls-files", "-o", "--exclude-standard", "--", *GENERATED).stdout
    if changed: sys.exit(f"These files are not what git has. Look at them, then `git add` them:\n{changed}"
                         + git("diff", "--stat", "--", *GENERATED).stdout)


def run(name, command, extra, show):
    "Run a step, handing what it prints to `show`: how many passed and failed."
    env = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", **extra}
    show(f"\n== {name}\n")
    start, counts = time.perf_counter(), ""
    process = subprocess.Popen(command, cwd=root, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    for line in process.stdout:
        show(line)
        if re.search(r"\d+ (passed|failed|error)", line): counts = line
    passed, failed = (sum(map(int, re.findall(rf"(\d+) (?:{word})", counts))) for word in ("passed", "failed|error"))
    _, ended, used = os.wait4(process.pid, 0)  # `used` counts all processes that this one has started
    status = process.returncode = os.waitstatus_to_exitcode(ended)
    show(f"== {name}: {'FAILED' if status else 'ok'}, {time.perf_counter() - start:.1f} s, "
         f"of processors {used.ru_utime + used.ru_stime:.1f} s\n")
    return passed, max(failed, 1) if status else 0


def quietly(steps):
    "Run `steps` one after the other: their counts, and what they printed."
    said = []
    return [run(*step, said.append) for step in steps], said


def in_time(steps, seconds, left_out):
    "Those of `steps` that may still begin after so many seconds; the names of the others go to `left_out`."
    late = [s for s in steps if os.environ.get("OMNIVAR_IN_TIME") == "1" and seconds > BEGUN_BY.get(s[0], float("inf"))]
    left_out += [s[0] for s in late]
    return [s for s in steps if s not in late]


def main(steps, started_by):
    "Run `steps`, and beside them those that one of them starts."
    show, counts, beside, left_out = partial(print, end="", flush=True), [], [], []
    begun = time.perf_counter()
    with ThreadPoolExecutor(1) as pool:
        for step in steps:
            if not in_time([step], time.perf_counter() - begun, left_out): continue
            counts.append(run(*step, show))
            more = in_time(started_by.get(step[0], []), time.perf_counter() - begun, left_out)
            if more: beside.append(pool.submit(quietly, more))
    for more, said in [b.result() for b in beside]:
        counts += more
        show("".join(said))
    passed, failed = map(sum, zip(*counts))
    if left_out: print(f"\nLeft out, as this machine is slow (`make slow` runs it): {'; '.join(left_out)}")
    print(f"\n{passed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    if sys.argv[1:] == ["compare"]: compare()
    elif sys.argv[1:] == ["quick"]: main([*QUICK, COMPARE], {"clean the notebooks": READING})
    elif sys.argv[1:] == ["slow"]: main(SLOW, {})
    else: main(STEPS, BESIDE)
