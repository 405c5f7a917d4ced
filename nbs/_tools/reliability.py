"""Make the tables of the page nbs/guide/reliability.ipynb again: `make reliability` (hours).

python nbs/_tools/reliability.py interruptions [WORD...] the tests that interrupt, kill, fill and share (some minutes)
python nbs/_tools/reliability.py invariances      what stays of a tree when the same facts come otherwise (minutes)
python nbs/_tools/reliability.py bounds [STEM...] all tests with numba's checks of bounds, which compile everything anew

Each writes nbs/guide/reliability/NAME.csv, with the date. The other two tables are made by `python
nbs/_tools/hostile.py --record files=100000 ...` and `make versions`.
"""
import datetime
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd

root = Path(__file__).parents[2]
OUT = root / "nbs/guide/reliability"
TODAY = str(datetime.date.today())
INTERRUPTIONS = [  # what happens, what must stay, tests by their names: `at` finds their files
    ("an error in fit, for every parameter and kind of table", "the old fit, whole",
     ["a_fit_that_fails_changes_nothing", "a_fit_that_fails_changes_nothing_of_a_density_tree"]),
    ("Ctrl-C at every line of a fit", "the old fit or the new one, whole",
     ["interruptions_leave_the_old_fit_or_the_new_one"]),
    ("Ctrl-C while threads fit or predict", "the threads work, the next answer is the same",
     ["an_interrupted_prediction_leaves_threads_that_work"]),
    ("a fork after threads were used", "the child computes the same", ["a_forked_child_has_threads_of_its_own"]),
    ("many threads fit and predict at once", "the same bits as one after the other",
     ["many_threads_fit_and_predict_at_once"]),
    ("SIGKILL at 20 random moments of an experiment with two jobs", "the table of an undisturbed run",
     ["a_run_killed_at_twenty_points_ends_with_the_same_table"]),
    ("a job that dies with its data set", "all other results",
     ["only_the_task_that_kills_is_lost", "a_run_that_kills_every_worker_is_the_only_one_lost"]),
    ("a Dask worker is lost", "the same bits", ["a_cluster_that_loses_a_worker_gives_the_same_bits"]),
    ("two processes on one store", "nothing lost, nothing twice",
     ["two_processes_share_a_file", "two_writers_share_a_file"]),
    ("a full disk", "an error in words; what was finished",
     ["a_full_disk_stops_the_run_and_loses_nothing", "a_full_disk_leaves_no_partial_rows"]),
    ("a store that may not be written to", "it is read; an error in words where it should change",
     ["a_store_that_may_not_be_written_to_is_read"]),
    ("a damaged store", "an error in words",
     ["damaged_files_are_refused", "damaged_values_are_said_to_be_damaged"])]


def at(test):
    "Where pytest finds a test, whichever page it stands on today."
    files = [file for file in (root / "tests").glob("test_*.py") if f"def test_{test}(" in file.read_text()]
    if len(files) != 1: sys.exit(f"{len(files)} tests have the name {test}")
    return f"{files[0].relative_to(root)}::test_{test}"


def pytest(names, **environment):
    "Counts and seconds of some tests, and the end of what was printed."
    start = time.monotonic()
    words = [sys.executable, "-W", "ignore", "-m", "pytest", "-q", *names]
    done = subprocess.run(words, cwd=root, capture_output=True, text=True, env={**os.environ, **environment})
    found = {what.removesuffix("s"): int(n)
             for n, what in re.findall(r"(\d+) (passed|failed|errors?)", done.stdout[-200:])}
    return dict(passed=found.get("passed", 0), failed=found.get("failed", 0) + found.get("error", 0),
                seconds=round(time.monotonic() - start)), done.stdout[-3000:]


def interruptions(*words):
    "All, or those that have one of some words in what happens; the others keep the rows they have."
    made = OUT / "interruptions.csv"
    rows = {row["what"]: row for row in pd.read_csv(made).to_dict("records")} if made.exists() else {}
    chosen = [one for one in INTERRUPTIONS if not words or any(word in one[0] for word in words)]
    for what, must, tests in [(what, must, [at(test) for test in tests]) for what, must, tests in chosen]:
        counts, said = pytest(["--slow", *tests])
        counts["failed"] = len(tests) - counts["passed"]  # one that did not run has not passed
        if counts["failed"]: print(said)
        rows[what] = dict(what=what, must_stay=must) | counts | dict(date=TODAY)
        print(rows[what], flush=True)
        write("interruptions", pd.DataFrame([rows[what] for what, *_ in INTERRUPTIONS if what in rows]))
    ended([rows[what] for what, *_ in chosen])


def ended(rows):
    "Say how it ended; the exit status tells it, too."
    passed, failed = (sum(row[what] for row in rows) for what in ("passed", "failed"))
    print(f"{passed} passed, {failed} failed")
    if failed or not passed: sys.exit(1)


def invariances():
    sys.path.insert(0, str(root / "tests"))
    import warnings
    import test_estimators_invariances as page
    warnings.simplefilter("ignore")
    parts = [page.invariances(page.SYSTEMS, page.CHANGES, list(page.tables(50, range(10)))),
             page.invariances(page.NUMBER_SYSTEMS, page.NUMBER_CHANGES, list(page.number_tables(50, range(10))))]
    parts = [part.rename_axis("system").reset_index().assign(target=target) for part, target in
             zip(parts, ("classes", "numbers"))]
    table = pd.concat(parts).set_index(["target", "system"]).fillna("").reset_index()
    return table.assign(tables=[11 if target == "classes" else 10 for target in table["target"]], date=TODAY)


PLANTED = """
import numpy as np
from omnivar.engine.jit import kernel
@kernel
def beyond(a, i): return a[i]
try: beyond(np.arange(3.0), 7)
except IndexError: print("seen")
"""


def bounds(*stems):
    made, checked = OUT / "bounds.csv", dict(NUMBA_BOUNDSCHECK="1", NUMBA_OPT="1")
    done = subprocess.run([sys.executable, "-c", PLANTED], env=os.environ | checked, capture_output=True, text=True)
    if done.stdout != "seen\n": sys.exit(f"a planted read beyond the end of an array is not seen: {done}")
    rows = {row["module"]: row for row in pd.read_csv(made).to_dict("records")} if made.exists() else {}
    stems = stems or [file.stem.removeprefix("test_") for file in sorted((root / "tests").glob("test_*.py"))]
    for stem in stems:
        counts, said = pytest([f"tests/test_{stem}.py"], **checked)
        if counts["failed"]: print(said)
        rows[stem] = dict(module=stem) | counts | dict(date=TODAY)
        print(rows[stem], flush=True)
        write("bounds", pd.DataFrame(sorted(rows.values(), key=lambda row: row["module"])))
    ended([rows[stem] for stem in stems])


def write(name, table):
    OUT.mkdir(exist_ok=True)
    table.to_csv(OUT / f"{name}.csv", index=False, lineterminator="\n")


def main(words):
    asked = dict(interruptions=interruptions, invariances=invariances, bounds=bounds)
    if not words or words[0] not in asked: sys.exit(__doc__)
    table = asked[words[0]](*words[1:])
    if table is not None: write(words[0], table)


if __name__ == "__main__": main(sys.argv[1:])
