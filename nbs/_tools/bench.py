"""Speed and memory beside scikit-learn's DecisionTreeClassifier, on the same data in the same process.

python nbs/_tools/bench.py                  everything (some 15 minutes)
python nbs/_tools/bench.py --quick          the small data sets only
python nbs/_tools/bench.py --only iris mnist --out results.csv

All ways to fit a data set run in turn (A B A B ...) and the medians are compared, each ratio being scikit-learn's time
over ours: above 1 we are faster. Every fit starts from the raw arrays, validation included. Axis trees (Gini) and
Max-Cut trees on node-means principal axes both stand beside scikit-learn's axis tree. Where that one takes minutes, its
processor time is measured once and kept in bench_sklearn.json with machine and date (`--remeasure` renews it). Data
sets with files need OMNIVAR_DATA, a folder.

The omnivariate trees of Yildiz and Alpaydin are slower than an axis tree by design; for them `times_sklearn` is our
time over scikit-learn's.

`bound share` is the least time the work could take (bench_bound.py says how it is reckoned) divided by the time it took
on one
thread: 1 would be perfect.
"""
import argparse
import ctypes
import datetime
import gc
import importlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from statistics import geometric_mean, median

os.environ["OMNIVAR_PATIENCE"] = "0"  # compiled kernels are measured, not the interpreter

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from bench_bound import bound
from bench_data import FROM_FOLDER, MIXED, SETS, SMALL, Data, folder

STORE = Path(__file__).with_name("bench_sklearn.json")
SKLEARN, AXIS, MEANS = "scikit-learn", "axis, Gini", "node means, Max-Cut"
OURS = [(algorithm, threads) for algorithm in (AXIS, MEANS) for threads in (1, 2)]
SLOW = {"images_10", "images_100"}  # scikit-learn's tree takes minutes
PREDICT_ROWS, SECONDS_A_SET, MOST_REPEATS = 100_000, 40, 101
POLE_GOALS = {1000: None, 2000: 18, 4000: 12}  # billions of comparisons a second and core, with AVX-512
PREDICT_GOALS, MEMORY_GOAL, FIRST_FIT_GOALS = (4, 8), 2.3, {"warm cache": 1.2, "cold cache": 15}
FIT_GOALS = {  # ratio on one thread and on two
    (AXIS, "iris"): (1, 1), (AXIS, "wine_quality_red"): (4, 4), (AXIS, "pendigits"): (5, 5),
    (AXIS, "100k_x_20_2"): (20, 35), (AXIS, "100k_x_20_10"): (12, 20),
    (AXIS, "200k_x_50_2"): (20, 40), (AXIS, "200k_x_50_10"): (12, 24),
    (AXIS, "mnist"): (10, 18), (AXIS, "images_10"): (20, 35), (AXIS, "images_100"): (20, 35),
    (MEANS, "mnist"): (40, 70), (MEANS, "images_10"): (100, 170)}
MIXED_GOAL = 1  # ratio to scikit-learn's tree alone, its encoding not counted
OMNIVARIATE_SETS = {"pendigits", "segment"}
OMNIVARIATE_GOALS = {"aic": 10, "bic": 10, "cv": 60}  # times scikit-learn's fit, one thread


# timing -----------------------------------------------------------------------------------------
def estimator(algorithm, threads=1):
    "An unfitted tree of one of the three kinds."
    if algorithm == SKLEARN: return DecisionTreeClassifier(random_state=0)
    from omnivar import OmnivariateTreeClassifier
    from omnivar.estimators.presets import max_cut_tree
    return OmnivariateTreeClassifier("axis", n_jobs=threads) if algorithm == AXIS else max_cut_tree(n_jobs=threads)


def warm_up(data):
    """X and y of a first, untimed fit that compiles all that a timed one needs: all rows, or the first of very large
    sets."""
    n = None if data.X.size < 2e7 else 9000
    return data.X[:n], data.y[:n]


def alternate(tasks, repeats=None, bar=None):
    "Run the callables {(name, threads): f} in turn; the median seconds and the last result of each."
    seconds, results, start, done = {key: [] for key in tasks}, {}, time.perf_counter(), 0
    while done < (repeats or 1):
        for (name, threads), task in tasks.items():
            if bar is not None: bar.set_postfix_str(f"{name}, {threads} thread(s), round {done + 1}")
            with threadpool_limits(threads):
                begin = time.perf_counter()
                results[name, threads] = task()
                seconds[name, threads].append(time.perf_counter() - begin)
        done += 1
        repeats = repeats or int(np.clip(SECONDS_A_SET / (time.perf_counter() - start), 1, MOST_REPEATS))
    return {key: median(values) for key, values in seconds.items()}, results


class Probe:
    "Older measurement code, run from a copy of its folder; its number of threads is a global of each module."
    def __init__(self, source):
        self.home = tempfile.TemporaryDirectory()
        shutil.copytree(source, self.home.name, dirs_exist_ok=True, copy_function=shutil.copyfile)
        sys.path.insert(0, self.home.name)
        self.modules = {name: importlib.import_module(name)
                        for name in ("engB", "engK", "engL", "engM", "engH", "mpca2")}
        self.modules["engB"].POOL = ThreadPoolExecutor(2)

    def fit(self, algorithm, threads, X, y, n_classes):
        "Fit with its engine for this algorithm and this kind of data (engH knows at most 16 classes)."
        for module in self.modules.values(): module.NT = threads
        if algorithm == MEANS: return self.modules["mpca2"].growB(X, y, n_classes)
        for_bytes = "engH" if X.shape[1] > 1000 and n_classes <= 16 else "engM"
        return self.modules[for_bytes if X.dtype == np.uint8 else "engL"].fit(X, y, n_classes)

    def tasks(self, data):
        "{(name, threads): f}, compiled by a first call each."
        classes, y = np.unique(data.y, return_inverse=True)
        data = Data(data.X if data.X.dtype == np.uint8 else data.X.astype(np.float32), y)
        fits = {(f"probe: {algorithm}", threads): partial(self.fit, algorithm, threads) for algorithm, threads in OURS}
        for fit in fits.values(): fit(*warm_up(data), len(classes))
        return {key: partial(fit, data.X, data.y, len(classes)) for key, fit in fits.items()}


# fit and predict --------------------------------------------------------------------------------
def fit_tasks(data, with_sklearn):
    "{(algorithm, threads): f} of whole fits, ours warmed up so that nothing compiles later."
    for way in OURS: estimator(*way).fit(*warm_up(data))
    ways = [(SKLEARN, 1)] * with_sklearn + OURS
    return {way: lambda way=way: estimator(*way).fit(data.X, data.y) for way in ways}


def accuracy(model, data):
    "On the test rows; None without any."
    return None if data.X_test is None else model.score(data.X_test, data.y_test)


def fit_rows(name, data, seconds, models, reference):
    "One record a way to fit."
    for algorithm, threads in OURS:
        model, spent = models[algorithm, threads], seconds[algorithm, threads]
        row = dict(section="fit", data=name, algorithm=algorithm, threads=threads, sklearn_s=reference["fit"],
                   ours_s=spent,
                   ratio=reference["fit"] / spent, goal=FIT_GOALS.get((algorithm, name), (None, None))[threads - 1])
        if (older := seconds.get((f"probe: {algorithm}", threads))):
            row |= {"probe_s": older, "probe / ours": older / spent}
        if threads == 1: row["bound share"] = bound(model.tree_, data.X, algorithm == MEANS) / spent
        yield row | dict(leaves=model.get_n_leaves(), sklearn_leaves=reference["leaves"], test=accuracy(model, data),
                         sklearn_test=reference["accuracy"], sklearn_timed=reference.get("date", "now"))


def predict_rows(name, data, models, reference):
    "One record a fitted tree: the time to predict 100,000 rows."
    X = np.resize(data.X, (PREDICT_ROWS, data.X.shape[1]))
    keys = [key for key in [(SKLEARN, 1)] + OURS if key in models]
    seconds, _ = alternate({key: partial(models[key].predict, X) for key in keys}, 3 if data.X.size > 1e7 else 9)
    there = seconds.get((SKLEARN, 1), reference.get("predict"))
    for algorithm, threads in OURS:
        spent = seconds[algorithm, threads]
        yield dict(section="predict", data=name, algorithm=algorithm, threads=threads, sklearn_s=there, ours_s=spent,
                   ratio=there / spent, sklearn_timed=reference.get("date", "now"))


def speed_rows(name, data, probe, repeats, bar):
    "The records of one data set: fits, then predictions."
    reference = stored().get(name)
    tasks = fit_tasks(data, reference is None) | (probe.tasks(data) if probe else {})
    seconds, models = alternate(tasks, repeats, bar)
    if reference is None:
        model = models[SKLEARN, 1]
        reference = dict(fit=seconds[SKLEARN, 1], accuracy=accuracy(model, data), leaves=model.get_n_leaves())
    yield from fit_rows(name, data, seconds, models, reference)
    yield from predict_rows(name, data, models, reference)


def omnivariate_rows(name, data, repeats):
    "One record a rule of selection: trees of three discriminants, not pruned."
    from omnivar.estimators.presets import omnivariate_lda_tree
    models = {SKLEARN: estimator(SKLEARN)} | {rule: omnivariate_lda_tree(rule, pruning=None)
                                              for rule in OMNIVARIATE_GOALS}
    for model in models.values(): model.fit(data.X, data.y)
    seconds, _ = alternate({(key, 1): partial(model.fit, data.X, data.y) for key, model in models.items()}, repeats)
    there = seconds.pop((SKLEARN, 1))
    for (rule, _), spent in seconds.items():
        yield dict(section="omnivariate", data=name, algorithm=f"discriminants, {rule.upper()}", threads=1,
                   sklearn_s=there, ours_s=spent,
                   times_sklearn=spent / there, goal=OMNIVARIATE_GOALS[rule], leaves=models[rule].get_n_leaves())


def mixed_rows(name, data, repeats, bar):
    """A table of numbers, words and blanks as it is, beside scikit-learn's tree on a finished dense one-hot encoding of
    it."""
    from omnivar import OmnivariateTreeClassifier
    words = data.X.select_dtypes(exclude="number").columns
    encoder = make_column_transformer((OneHotEncoder(sparse_output=False, handle_unknown="ignore"), words),
                                      remainder="passthrough", sparse_threshold=0)
    # the second does not see the words
    Z, candidate_lists = encoder.fit_transform(data.X), {"axis, category": ["axis", "category"],
                                                         "axis, numbers alone": "axis"}
    models = {SKLEARN: estimator(SKLEARN)} | {name: OmnivariateTreeClassifier(splitters) for name,
                                              splitters in candidate_lists.items()}
    tasks = {(key, 1): partial(model.fit, Z if key == SKLEARN else data.X, data.y) for key, model in models.items()}
    for task in tasks.values(): task()
    seconds, _ = alternate(tasks | {("encoding", 1): partial(encoder.fit_transform, data.X)}, repeats, bar)
    for algorithm in candidate_lists:
        spent, there = seconds[algorithm, 1], seconds[SKLEARN, 1]
        yield dict(section="mixed", data=name, algorithm=algorithm,
                   threads=1, encoding_s=seconds["encoding", 1], sklearn_s=there, ours_s=spent, ratio=there / spent,
                   goal=MIXED_GOAL if "category" in algorithm else None, leaves=models[algorithm].get_n_leaves(),
                   sklearn_leaves=models[SKLEARN].get_n_leaves(), test=accuracy(models[algorithm], data),
                   sklearn_test=models[SKLEARN].score(encoder.transform(data.X_test), data.y_test))


# memory, first fits and slow references, each in a process of its own ---------------------------
def in_child(f, *args):
    "f(*args) in a fresh process."
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool: return pool.submit(f, *args).result()


def status(field):
    "A field of /proc/self/status, in bytes."
    return 1024 * int(Path("/proc/self/status").read_text().split(field + ":")[1].split()[0])


def measured_fit(data, algorithm, threads):
    "A fit in this process: the model, its seconds of processor time, its peak memory beyond what was there before."
    estimator(algorithm, threads).fit(*((data.X[:1000], data.y[:1000]) if algorithm == SKLEARN else warm_up(data)))
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)  # what the first fit freed goes back to the system
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts again from here
    before, begin = status("VmRSS"), time.process_time()
    model = estimator(algorithm, threads).fit(data.X, data.y)
    return model, dict(fit=time.process_time() - begin, peak=status("VmHWM") - before)


def child_peak(path, algorithm, threads):
    "Peak memory of a fit to stored arrays."
    return measured_fit(Data(np.load(f"{path}/X.npy"), np.load(f"{path}/y.npy")), algorithm, threads)[1]["peak"]


def memory_rows(name, data, bar):
    "One record an algorithm: the peak beyond the input, as a multiple of the data's bytes."
    with tempfile.TemporaryDirectory() as path:
        np.save(f"{path}/X.npy", data.X)
        np.save(f"{path}/y.npy", data.y)
        there = stored().get(name, {}).get("peak") or in_child(child_peak, path, SKLEARN, 1)
        for algorithm in (AXIS, MEANS):
            bar.set_postfix_str(f"memory, {algorithm}")
            peak = in_child(child_peak, path, algorithm, 2)
            yield dict(section="memory", data=name, algorithm=algorithm, threads=2, data_MB=data.X.nbytes / 1e6,
                       peak_MB=peak / 1e6, times_data=peak / data.X.nbytes, goal=MEMORY_GOAL
                       if data.X.dtype == np.float32 else None, sklearn_times_data=there / data.X.nbytes)


def child_reference(name):
    "What is stored of scikit-learn's tree."
    data = SETS[name]()
    model, found = measured_fit(data, SKLEARN, 1)
    X, begin = np.resize(data.X, (PREDICT_ROWS, data.X.shape[1])), time.process_time()
    model.predict(X)
    return found | dict(predict=time.process_time() - begin, accuracy=accuracy(model, data),
                        leaves=int(model.get_n_leaves()),
                        depth=int(model.get_depth()), date=str(datetime.date.today()), machine=machine())


def run_process(code, **env):
    "Seconds and output of a whole Python process."
    begin = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", code], env=os.environ | env, check=True, capture_output=True,
                          text=True)
    return time.perf_counter() - begin, (done.stdout + done.stderr).strip()


def first_fit_rows():
    "A process that imports the library and fits iris; the kernels' cache warm, then empty."
    code = "from sklearn.datasets import load_iris; from {} as Tree; Tree({}).fit(*load_iris(return_X_y=True))"
    ours = code.format("omnivar import OmnivariateTreeClassifier", "'axis'")
    theirs = code.format("sklearn.tree import DecisionTreeClassifier", "")
    run_process(ours)  # fills the cache
    there, warm = [], []
    for _ in range(5):
        there.append(run_process(theirs)[0])
        warm.append(run_process(ours))
    with tempfile.TemporaryDirectory() as empty: cold = run_process(ours, NUMBA_CACHE_DIR=empty)
    for what, (spent, says) in {"warm cache": sorted(warm)[2], "cold cache": cold}.items():
        yield dict(section="first fit", data=f"iris, {what}", algorithm=AXIS, threads=1, sklearn_s=median(there),
                   ours_s=spent, goal=FIRST_FIT_GOALS[what], says=says)


# pole pairs -------------------------------------------------------------------------------------
def pole_rows(repeats=5):
    """One record a size: comparisons a second (one row against one pair of different classes) of the search by ranks,
    one thread; the slope of its time."""
    from omnivar.splitters.pole_ranks import PoleRules, best_pole_pair, n_pairs, pole_ranks
    seconds = {}
    for n in (200, *POLE_GOALS):  # the first compiles
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(n, 20)), np.sort(rng.integers(0, 3, n))
        counts = np.bincount(y)
        start, rules = np.append(0, np.cumsum(counts)), PoleRules(0, n, float(n), counts.astype(float), np.zeros(1), 1,
                                                                  0.0)
        ranks, begin, spent = [], time.process_time(), []
        for _ in range(repeats):
            R = pole_ranks(X, X)
            ranks.append(time.process_time() - begin)
            best_pole_pair(R, None, start, start, rules)
            spent.append(time.process_time() - begin - ranks[-1])
            begin = time.process_time()
        seconds[n] = min(spent)
        if n in POLE_GOALS:
            yield dict(section="pole pairs", rows=n, rank_s=min(ranks), search_s=seconds[n],
                       giga_comparisons_a_second=n * n_pairs(counts, False) / seconds[n] / 1e9, goal=POLE_GOALS[n],
                       slope=np.polyfit(np.log([m for m in seconds if m in POLE_GOALS]), np.log(
                           [seconds[m] for m in seconds if m in POLE_GOALS]), 1)[0] if n > 1000 else None)


# storing and showing ----------------------------------------------------------------------------
def machine():
    "Processor model and versions."
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    cpu = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.processor())
    packages = ", ".join(f"{name} {version(name)}" for name in ("numpy", "numba", "scikit-learn"))
    return f"{cpu}, {os.cpu_count()} cores, Python {platform.python_version()}, {packages}"


def stored():
    "What is kept of scikit-learn's slow fits."
    return json.loads(STORE.read_text()) if STORE.exists() else {}


def remeasure(names):
    "Measure scikit-learn on the slow data sets and keep it."
    for name in names:
        print(f"scikit-learn on {name}: this takes minutes", flush=True)
        STORE.write_text(json.dumps(stored() | {name: in_child(child_reference, name)}, indent=1) + "\n")


def save(records, out):
    "Write all records so far."
    if out and out.suffix == ".csv": pd.DataFrame(records).to_csv(out, index=False)
    elif out: pd.DataFrame(records).to_json(out, orient="records", indent=1)


def show(records):
    "A table a section, and the predictions' geometric means."
    for section, part in pd.DataFrame(records).groupby("section", sort=False):
        part = part.drop(columns="section").dropna(axis=1, how="all")
        print(f"\n{section}\n" + part.to_string(index=False, float_format="{:.4g}".format, na_rep=""))
        for threads, goal in zip((1, 2), PREDICT_GOALS) if section == "predict" else ():
            ratio = part[part.threads == threads].set_index("algorithm").ratio
            means = ", ".join(f"{name} {geometric_mean(of):.2f}" for name, of in ratio.groupby(level=0))
            print(f"geometric mean of the ratios, {threads} thread(s): {geometric_mean(ratio):.2f} (goal {goal}); "
                  f"{means}")


def options():
    "The command line."
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=list(SETS), metavar="NAME", help=f"data sets: {', '.join(SETS)}")
    parser.add_argument("--quick", action="store_true", help="small data sets only")
    parser.add_argument("--repeats", type=int,
                        help=f"rounds of each set (default: as many as fit in {SECONDS_A_SET} seconds)")
    parser.add_argument("--probe", type=Path, help="folder with the older measurement code, timed beside ours")
    parser.add_argument("--remeasure", action="store_true", help="renew the stored times of scikit-learn, then stop")
    parser.add_argument("--out", type=Path, help="write the records to this .csv or .json file as they come")
    return parser.parse_args()


def main():
    "Measure what the command line asks for."
    given, records = options(), []
    names = given.only or (SMALL if given.quick else list(SETS))
    if given.remeasure: return remeasure([name for name in names if name in SLOW])
    print(f"{machine()}; load {os.getloadavg()[0]:.1f} (what else runs here spoils two threads and the ratios to "
          f"stored times)")
    for name in stored().keys() & set(names):
        print(f"scikit-learn on {name}: {{date}}, {{machine}}".format(**stored()[name]))
    if not folder(): print("no OMNIVAR_DATA, left out:", ", ".join(name for name in names if name in FROM_FOLDER))
    probe = Probe(given.probe) if given.probe else None
    for name in (bar := tqdm([name for name in names if folder() or name not in FROM_FOLDER])):
        bar.set_description(name)
        data = SETS[name]()
        if name in MIXED:
            for row in mixed_rows(name, data, given.repeats, bar): save(records := records + [row], given.out)
            continue
        for row in speed_rows(name, data, probe, given.repeats, bar): save(records := records + [row], given.out)
        for row in omnivariate_rows(name, data, given.repeats) if name in OMNIVARIATE_SETS else ():
            save(records := records + [row], given.out)
        for row in memory_rows(name, data, bar) if data.X.size > 1e6 else ():
            save(records := records + [row], given.out)
    for row in pole_rows(): save(records := records + [row], given.out)
    for row in first_fit_rows(): save(records := records + [row], given.out)
    show(records)


if __name__ == "__main__":
    main()
