"""Speed and memory beside scikit-learn's trees and forests, on the same data in the same process: `make bench`.

python nbs/_tools/bench.py                  some five minutes on two quiet cores
python nbs/_tools/bench.py --quick          the small data sets only
python nbs/_tools/bench.py --all            the sets on which scikit-learn takes minutes too
python nbs/_tools/bench.py --only iris mnist --out results.csv
python nbs/_tools/bench.py --against v1.0   beside an older commit of this package instead (bench_against.py)

All ways to fit a data set run in turn (A B A B ...) and the medians are compared, each ratio being scikit-learn's time
over ours: above 1 we are faster. Every fit starts from the raw arrays, validation included. Axis trees (Gini) and
Max-Cut trees on node-means principal axes both stand beside scikit-learn's axis tree; trees of numbers with thresholds
beside its regressor, and so does our default, which prunes by cross-validation and tries models in the leaves; forests
beside its forests of as many trees. Where scikit-learn takes minutes, its processor time is measured once and kept in
bench_sklearn.json with machine and date (`--remeasure` renews it). Data sets with files need OMNIVAR_DATA, a folder.

The omnivariate trees of Yildiz and Alpaydin are slower than an axis tree by design; for them `times_sklearn` is our
time over scikit-learn's.

`bound share` is the least time the work could take (bench_bound.py says how it is reckoned) divided by the time it took
on one thread: 1 would be perfect.
"""
import argparse
import os
import time
from functools import partial
from pathlib import Path
from statistics import geometric_mean

os.environ["OMNIVAR_PATIENCE"] = "0"  # compiled kernels are measured, not the interpreter

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.preprocessing import OneHotEncoder
from tqdm import tqdm

from bench_against import compare_commits
from bench_bound import bound
from bench_children import first_fit_rows, machine, memory_rows, remeasure, stored
from bench_data import FROM_FOLDER, LONG, MIXED, NUMBERS, SETS, SMALL, folder
from bench_ways import (AXIS, AXIS_NUMBERS, DEFAULT, FOREST, MEANS, N_TREES, PREDICT_ROWS, SKLEARN, accuracy, alternate,
                        estimator, fit_tasks)

OURS = [(algorithm, threads) for algorithm in (AXIS, MEANS) for threads in (1, 2)]
OUR_NUMBERS = [(algorithm, threads) for algorithm in (AXIS_NUMBERS, DEFAULT) for threads in (1, 2)]
FORESTS = [(f"{SKLEARN}, {FOREST}", 1), (f"{SKLEARN}, {FOREST}", 2), (FOREST, 1), (FOREST, 2)]
SLOW = {"images_10", "images_100"}  # scikit-learn's tree takes minutes
SECONDS_A_SET = 5
POLE_GOALS = {1000: None, 2000: 18, 4000: 12}  # billions of comparisons a second and core, with AVX-512
PREDICT_GOALS = (4, 8)
FIT_GOALS = {  # ratio on one thread and on two
    (AXIS, "iris"): (1, 1), (AXIS, "wine_quality_red"): (4, 4), (AXIS, "pendigits"): (5, 5),
    (AXIS, "100k_x_20_2"): (20, 35), (AXIS, "100k_x_20_10"): (12, 20),
    (AXIS, "200k_x_50_2"): (20, 40), (AXIS, "200k_x_50_10"): (12, 24),
    (AXIS, "mnist"): (10, 18), (AXIS, "images_10"): (20, 35), (AXIS, "images_100"): (20, 35),
    (MEANS, "mnist"): (40, 70), (MEANS, "images_10"): (100, 170)}
MIXED_GOAL = 1  # ratio to scikit-learn's tree alone, its encoding not counted
OMNIVARIATE_SETS, FOREST_SETS, MEMORY_SETS = {"pendigits", "segment"}, {"pendigits", "cal_housing"}, {
    "100k_x_20_2", "mnist", "images_10", "images_100"}
OMNIVARIATE_GOALS = {"aic": 10, "bic": 10, "cv": 60}  # times scikit-learn's fit, one thread


# fit and predict --------------------------------------------------------------------------------
def fit_rows(name, data, ways, seconds, models, reference):
    "One record a way to fit."
    for algorithm, threads in ways:
        model, spent = models[algorithm, threads], seconds[algorithm, threads]
        row = dict(section="numbers" if name in NUMBERS else "fit", data=name, algorithm=algorithm, threads=threads,
                   sklearn_s=reference["fit"], ours_s=spent, ratio=reference["fit"] / spent,
                   goal=FIT_GOALS.get((algorithm, name), (None, None))[threads - 1])
        if threads == 1 and name not in NUMBERS:
            row["bound share"] = bound(model.tree_, data.X, algorithm == MEANS) / spent
        yield row | dict(leaves=model.get_n_leaves(), sklearn_leaves=reference["leaves"], test=accuracy(model, data),
                         sklearn_test=reference["accuracy"], sklearn_timed=reference.get("date", "now"))


def predict_rows(name, data, ways, models, reference):
    "One record a fitted model: the time to predict 100,000 rows."
    X = np.resize(data.X, (PREDICT_ROWS, data.X.shape[1]))
    keys = [key for key in models if SKLEARN in key[0] or key in ways]
    seconds, _ = alternate({key: partial(models[key].predict, X) for key in keys}, SECONDS_A_SET,
                           3 if data.X.size > 1e7 else 9)
    there = seconds.get((SKLEARN, 1), reference.get("predict"))
    for algorithm, threads in ways:
        spent = seconds[algorithm, threads]
        there = seconds.get((f"{SKLEARN}, {algorithm}", threads), there)
        yield dict(section="predict", data=name, algorithm=algorithm, threads=threads, sklearn_s=there, ours_s=spent,
                   ratio=there / spent, sklearn_timed=reference.get("date", "now"))


def speed_rows(name, data, repeats, bar):
    "The records of one data set: fits, then predictions."
    reference, ways = stored().get(name), OUR_NUMBERS if name in NUMBERS else OURS
    tasks = fit_tasks(data, [(SKLEARN, 1)] * (reference is None) + ways, kind_of(name))
    seconds, models = alternate(tasks, SECONDS_A_SET, repeats, bar)
    if reference is None:
        model = models[SKLEARN, 1]
        reference = dict(fit=seconds[SKLEARN, 1], accuracy=accuracy(model, data), leaves=model.get_n_leaves())
    yield from fit_rows(name, data, ways, seconds, models, reference)
    yield from predict_rows(name, data, ways, models, reference)


def kind_of(name):
    "What a set's target is."
    return "numbers" if name in NUMBERS else "classes"


def forest_rows(name, data, repeats, bar):
    "One record a number of threads: random forests of a few trees, and their predictions."
    seconds, models = alternate(fit_tasks(data, FORESTS, kind_of(name)), SECONDS_A_SET, repeats, bar)
    for threads in (1, 2):
        there, spent = seconds[f"{SKLEARN}, {FOREST}", threads], seconds[FOREST, threads]
        yield dict(section="forest", data=name, algorithm=f"{FOREST}, {N_TREES} trees", threads=threads,
                   sklearn_s=there, ours_s=spent, ratio=there / spent)
    yield from predict_rows(name, data, [(FOREST, 1), (FOREST, 2)], models, {})


def omnivariate_rows(name, data, repeats):
    "One record a rule of selection: trees of three discriminants, not pruned."
    from omnivar.estimators.presets import omnivariate_lda_tree
    models = {SKLEARN: estimator(SKLEARN)} | {rule: omnivariate_lda_tree(rule, pruning=None)
                                              for rule in OMNIVARIATE_GOALS}
    for model in models.values(): model.fit(data.X, data.y)
    seconds, _ = alternate({(key, 1): partial(model.fit, data.X, data.y) for key, model in models.items()},
                           SECONDS_A_SET, repeats)
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
    seconds, _ = alternate(tasks | {("encoding", 1): partial(encoder.fit_transform, data.X)}, SECONDS_A_SET, repeats,
                           bar)
    for algorithm in candidate_lists:
        spent, there = seconds[algorithm, 1], seconds[SKLEARN, 1]
        yield dict(section="mixed", data=name, algorithm=algorithm,
                   threads=1, encoding_s=seconds["encoding", 1], sklearn_s=there, ours_s=spent, ratio=there / spent,
                   goal=MIXED_GOAL if "category" in algorithm else None, leaves=models[algorithm].get_n_leaves(),
                   sklearn_leaves=models[SKLEARN].get_n_leaves(), test=accuracy(models[algorithm], data),
                   sklearn_test=models[SKLEARN].score(encoder.transform(data.X_test), data.y_test))


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
def save(records, out):
    "Write all records so far."
    if out and out.suffix == ".csv": pd.DataFrame(records).to_csv(out, index=False)
    elif out: pd.DataFrame(records).to_json(out, orient="records", indent=1)


def side_by_side(part):
    "Records on one and on two threads as one row: times in milliseconds, ratios beside them."
    part = part.assign(sklearn_ms=part.sklearn_s * 1e3, ms=part.ours_s * 1e3).drop(columns=["sklearn_s", "ours_s"])
    both = part.pivot_table(index=["data", "algorithm"], columns="threads", sort=False,
                            values=[c for c in ("sklearn_ms", "ms", "ratio", "goal") if c in part])
    if both["sklearn_ms"].T.drop_duplicates().shape[0] == 1: both = both.drop(columns=("sklearn_ms", 2))
    both.columns = [f"{what}, {n}" for what, n in both.columns]
    facts = part[part.threads == 1].drop(columns=["threads", "sklearn_ms", "ms", "ratio", "goal"], errors="ignore")
    return both.reset_index().merge(facts, how="left", on=["data", "algorithm"])


def show(records):
    "A table a section, and the predictions' geometric means."
    print("\nms: milliseconds; ratio: scikit-learn's time over ours; after the comma the number of threads")
    for section, part in pd.DataFrame(records).groupby("section", sort=False):
        part = part.drop(columns="section").dropna(axis=1, how="all")
        table = side_by_side(part) if section in ("fit", "numbers", "forest", "predict") else part
        print(f"\n{section}\n" + table.to_string(index=False, float_format="{:.3g}".format, na_rep=""))
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
    parser.add_argument("--all", action="store_true", help=f"also {' and '.join(sorted(LONG))}")
    parser.add_argument("--repeats", type=int,
                        help=f"rounds of each set (default: as many as fit in {SECONDS_A_SET} seconds, at least one)")
    parser.add_argument("--against", metavar="COMMIT", help="time this checkout beside an older commit")
    parser.add_argument("--remeasure", action="store_true", help="renew the stored times of scikit-learn, then stop")
    parser.add_argument("--out", type=Path, help="write the records to this .csv or .json file as they come")
    return parser.parse_args()


def rows_of_set(name, repeats, bar):
    "All records of one data set."
    data = SETS[name]()
    if name in MIXED: return (yield from mixed_rows(name, data, repeats, bar))
    yield from speed_rows(name, data, repeats, bar)
    if name in FOREST_SETS: yield from forest_rows(name, data, repeats, bar)
    if name in OMNIVARIATE_SETS: yield from omnivariate_rows(name, data, repeats)
    if name in MEMORY_SETS: yield from memory_rows(name, data, bar)


def chosen(given):
    "The data sets that the command line asks for and that are there."
    names = given.only or (SMALL if given.quick else [name for name in SETS if given.all or name not in LONG])
    left_out = [name for name in names if name in FROM_FOLDER and not folder()]
    if left_out:
        print("OMNIVAR_DATA names no folder of data sets, so these are left out: " + ", ".join(left_out) + " (what "
              "belongs in it: nbs/datasets/04_local.ipynb)")
    return [name for name in names if name not in left_out]


def main():
    "Measure what the command line asks for."
    given, records = options(), []
    names = chosen(given)
    if given.remeasure: return remeasure([name for name in names if name in SLOW])
    if given.against: return compare_commits(given.against, names, partial(save, out=given.out))
    print(f"{machine()}; load {os.getloadavg()[0]:.1f} (what else runs here spoils two threads and the ratios to "
          f"stored times)")
    for name in stored().keys() & set(names):
        print(f"scikit-learn on {name}: {{date}}, {{machine}}".format(**stored()[name]))
    for name in (bar := tqdm([*names, "pole pairs", "first fits"])):
        bar.set_description(name)
        others = {"pole pairs": pole_rows, "first fits": first_fit_rows}
        for row in others[name]() if name in others else rows_of_set(name, given.repeats, bar):
            save(records := records + [row], given.out)
    show(records)


if __name__ == "__main__":
    main()
