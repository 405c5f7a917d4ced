"""Cross-validate candidates for the default tree of numbers beside constant leaves.

OMNIVAR_DATA=FOLDER python nbs/reproductions/regression/default.py development|confirmation      takes minutes

Writes set, tree, fold, R², leaves, whether leaves got models, and processor seconds of the fit and of scikit-learn's CART
to default_development.csv or default_confirmation.csv.
"""
import os

os.environ["OPENBLAS_NUM_THREADS"] = "1" # processor seconds of waiting threads would count
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_diabetes, make_friedman1, make_friedman2, make_friedman3
from sklearn.metrics import r2_score
from sklearn.model_selection import KFold
from sklearn.tree import DecisionTreeRegressor
from ten_sets import folder, here, table
from tqdm import tqdm

from omnivar import OmnivariateTreeRegressor

TREES = {"constant leaves": dict(leaf_model=None), "default": {}}
MOST_ROWS = 6000 # of a development set


def smooth(seed, n=3000, d=6):
    "A random smooth function: a sum of waves in random directions, with noise."
    rng = np.random.default_rng(seed)
    X, waves = rng.uniform(-1, 1, (n, d)), rng.normal(size=(20, d)) * 1.5
    y = np.sin(X @ waves.T + rng.uniform(0, 6, 20)) @ rng.normal(size=20)
    return pd.DataFrame(X).rename(columns=str), y + rng.normal(0, 0.3 * y.std(), n)


def development():
    "Names, columns and targets of the development sets."
    for name in ("bodyfat", "cpu", "servo", "machine_cpu", "triazines", "wine_quality_red", "wine_quality_white",
                 "ailerons", "mv"):
        X, y = table(name, float("nan"))
        yield name, X.drop(columns=[c for c in X if "ensity" in c]) if name == "bodyfat" else X, y
    for name, at in (("pendigits", 0), ("pendigits", 7), ("magic", 0), ("magic", 3), ("avila", 0), ("avila", 4)):
        X = pd.read_csv(folder / f"{name}.csv.gz").drop(columns="target")
        column = X.columns[at]
        yield f"{name}, {column}", X.drop(columns=column), X[column].to_numpy(float)
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    yield "diabetes", X, y.to_numpy()
    for k, make in enumerate((make_friedman1, make_friedman2, make_friedman3)):
        X, y = make(1000, noise=(1, 50, 0.1)[k], random_state=0)
        yield f"friedman {k + 1}", pd.DataFrame(X).rename(columns=str), y
    for seed in (0, 1): yield f"smooth {seed}", *smooth(seed)


def confirmation():
    for name, rows in pd.read_csv(here / "peers.csv")[["dataset", "rows"]].values.tolist(): yield name, *table(name, rows)


def timed(model, X, y):
    start = time.process_time()
    model.fit(X, y)
    return time.process_time() - start


def measured(name, X, y, trees, seed, most_folds=5):
    "A row for each tree and fold; the trees take turns within a fold."
    for k, (train, test) in enumerate(KFold(5, shuffle=True, random_state=seed).split(X)):
        if k >= most_folds: break
        cart = timed(DecisionTreeRegressor(random_state=0), pd.get_dummies(X.iloc[train]), y[train])
        for tree, parameters in trees.items():
            model = OmnivariateTreeRegressor(**parameters, random_state=0)
            seconds = timed(model, X.iloc[train], y[train])
            yield (name, tree, k, r2_score(y[test], model.predict(X.iloc[test])), model.get_n_leaves(),
                   model.tree_.leaf_models is not None, seconds, cart)


if __name__ == "__main__":
    half, found = sys.argv[1], []
    for name, X, y in tqdm(list({"development": development, "confirmation": confirmation}[half]())):
        if half == "development" and len(y) > MOST_ROWS:
            rows = np.random.default_rng(0).permutation(len(y))[:MOST_ROWS]
            X, y = X.iloc[rows], y[rows]
        seed, most = (3, 5 if len(y) <= 2000 else 3) if half == "development" else (7, 5)
        found += measured(name, X, y, TREES, seed, most)
    columns = "dataset", "tree", "fold", "r2", "leaves", "models", "fit_cpu", "cart_cpu"
    pd.DataFrame(found, columns=columns).to_csv(here / f"default_{half}.csv", index=False, float_format="%.6g")
