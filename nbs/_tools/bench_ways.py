"""The ways to fit that bench.py times, under names that mean the same at every commit, and how they run in turn."""
import time
from functools import partial
from statistics import median

import numpy as np
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from threadpoolctl import threadpool_limits

SKLEARN, AXIS, MEANS = "scikit-learn", "axis, Gini", "node means, Max-Cut"
AXIS_NUMBERS, DEFAULT = "axis, squared error", "default"
FOREST, N_TREES = "random forest", 20
PREDICT_ROWS, MOST_REPEATS = 100_000, 101


def ours(algorithm, threads=1):
    "An unfitted tree or forest of this package; raises where the package has none such yet."
    import omnivar
    if algorithm == AXIS: return omnivar.OmnivariateTreeClassifier("axis", n_jobs=threads)
    if algorithm == MEANS: return omnivar.max_cut_tree(n_jobs=threads)
    if algorithm == AXIS_NUMBERS: return omnivar.OmnivariateTreeRegressor("axis", n_jobs=threads)
    if algorithm == DEFAULT: return omnivar.OmnivariateTreeRegressor(random_state=0, n_jobs=threads)
    target = algorithm.partition(", ")[2]
    return omnivar.random_forest(target, n_estimators=N_TREES, random_state=0, n_jobs=threads)


def estimator(algorithm, threads=1, kind="classes"):
    "An unfitted tree or forest, this package's or scikit-learn's of a kind of target."
    if algorithm == SKLEARN:
        return (DecisionTreeClassifier if kind == "classes" else DecisionTreeRegressor)(random_state=0)
    if algorithm == f"{SKLEARN}, {FOREST}":
        forest = RandomForestClassifier if kind == "classes" else RandomForestRegressor
        return forest(N_TREES, random_state=0, n_jobs=threads)
    return ours(f"{algorithm}, {kind}" if algorithm == FOREST else algorithm, threads)


def warm_up(data):
    """X and y of a first, untimed fit that compiles all that a timed one needs: all rows, or the first of very large
    sets."""
    n = None if data.X.size < 2e7 else 9000
    return data.X[:n], data.y[:n]


def alternate(tasks, seconds_in_all, repeats=None, bar=None):
    """Run the callables {(name, threads): f} in turn, `repeats` times or for about `seconds_in_all`; the median seconds
    and the last result of each."""
    seconds, results, start, done = {key: [] for key in tasks}, {}, time.perf_counter(), 0
    while done < (repeats or 1):
        for (name, threads), task in tasks.items():
            if bar is not None: bar.set_postfix_str(f"{name}, {threads} thread(s), round {done + 1}")
            with threadpool_limits(threads):
                begin = time.perf_counter()
                results[name, threads] = task()
                seconds[name, threads].append(time.perf_counter() - begin)
        done += 1
        repeats = repeats or int(np.clip(seconds_in_all / (time.perf_counter() - start), 1, MOST_REPEATS))
    return {key: median(values) for key, values in seconds.items()}, results


def fit_tasks(data, ways, kind="classes"):
    "{(algorithm, threads): f} of whole fits, ours warmed up so that nothing compiles later."
    for way in ways:
        if SKLEARN not in way[0]: estimator(*way, kind).fit(*warm_up(data))
    return {way: partial(fitted, way, kind, data) for way in ways}


def fitted(way, kind, data):
    "A fit from the raw arrays."
    return estimator(*way, kind).fit(data.X, data.y)


def accuracy(model, data):
    "Accuracy, or R^2 of numbers, on the test rows; None without any."
    return None if data.X_test is None else model.score(data.X_test, data.y_test)
