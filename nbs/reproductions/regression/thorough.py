"""Trees of numbers with more time beside fast ones: the runs that are missing in thorough.csv beside this file.

OMNIVAR_DATA=FOLDER python nbs/reproductions/regression/thorough.py     takes an hour; it may be stopped and called again

The trees of `LIMITS` are those of before folds chose the root's penalty: an hour's runs were not repeated for that.
The development sets are those of default.py, at most 2,500 rows each; the confirmation sets are the ten tables, at most
4,000 rows each. Writes half, set, rows, limit, effort, fold, R², leaves, whether splits were refined, processor seconds.
"""
import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"
import time

import numpy as np
import pandas as pd
from default import confirmation, development
from sklearn.metrics import r2_score
from sklearn.model_selection import KFold
from ten_sets import here
from tqdm import tqdm

from omnivar import LeafChoice, OmnivariateTreeRegressor
from omnivar.selection.leaf_models import AutoLeaf

TABLE = here / "thorough.csv"
AS_BEFORE = dict(pruning=LeafChoice(AutoLeaf(root_penalty="gcv")))
LIMITS = {"no limit": AS_BEFORE, "depth 3": dict(max_depth=3, **AS_BEFORE),
          "depth 4, constants": dict(max_depth=4, leaf_model=None)}
HALVES = dict(development=(development, 2500, 3), confirmation=(confirmation, 4000, 7)) # sets, most rows, seed of the folds
FOLDS = 3 # of five
COLUMNS = "half", "dataset", "rows", "limit", "effort", "fold", "r2", "leaves", "refined", "fit_cpu"


def some(X, y, most):
    rows = np.sort(np.random.default_rng(0).permutation(len(y))[:most])
    return X.iloc[rows], y[rows]


def run(half, name, X, y, limit, effort, fold):
    train, test = list(KFold(5, shuffle=True, random_state=HALVES[half][2]).split(X))[fold]
    model, start = OmnivariateTreeRegressor(effort=effort, random_state=0, **LIMITS[limit]), time.process_time()
    model.fit(X.iloc[train], y[train])
    used = time.process_time() - start
    return (half, name, len(y), limit, effort, fold, round(r2_score(y[test], model.predict(X.iloc[test])), 6),
            model.get_n_leaves(), "joint" in model.tree_.families, round(used, 3))


def sets(half):
    make, most, _ = HALVES[half]
    found = [(name, *some(X, y, most)) for name, X, y in make()]
    return {name: (X, y) for name, X, y in sorted(found, key=lambda one: one[1].size)}


def main():
    known = pd.read_csv(TABLE) if TABLE.exists() else pd.DataFrame(columns=COLUMNS)
    known = set(known[["half", "dataset", "limit", "effort", "fold"]].itertuples(index=False, name=None))
    tables = {half: sets(half) for half in HALVES}
    asked = [(half, name, limit, effort, fold) for limit in LIMITS for half in reversed(HALVES) for name in tables[half]
             for fold in range(FOLDS) for effort in ("fast", "thorough")]
    for half, name, *how in tqdm([one for one in asked if one not in known]):
        found = pd.DataFrame([run(half, name, *tables[half][name], *how)], columns=COLUMNS)
        found.to_csv(TABLE, mode="a", header=not TABLE.exists(), index=False)


if __name__ == "__main__": main()
