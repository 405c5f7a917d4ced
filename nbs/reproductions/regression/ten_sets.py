"""Cross-validate trees with models in their leaves on the ten tables of the page, and write ten_sets.csv.

OMNIVAR_DATA=FOLDER python nbs/reproductions/regression/ten_sets.py      takes minutes; FOLDER holds the tables
"""
import os
import time
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import r2_score
from sklearn.model_selection import KFold
from tqdm import tqdm

from omnivar import OmnivariateTreeRegressor

TREES = {"constant leaves": dict(leaf_model=None), "default": {},
         "model_gain, auto leaves, 30": dict(splitters="model_gain", leaf_model="auto", pruning="gcv",
                                             max_leaf_nodes=30),
         "axis, auto leaves, 30": dict(splitters="axis", leaf_model="auto", pruning="gcv", max_leaf_nodes=30),
         "model_gain, linear leaves, 30": dict(splitters="model_gain", leaf_model="linear", pruning="gcv",
                                               max_leaf_nodes=30)}
here, folder = Path(__file__).parent, Path(os.environ["OMNIVAR_DATA"])


def table(name, rows):
    "Columns and target of a table; categories as texts; a sample where `rows` is a number."
    frame = pd.read_csv(folder / f"{name}.csv.gz", keep_default_na=False, na_values=[""])
    kinds = pd.read_csv(folder / "COLUMNS.csv")
    for column in kinds.column[(kinds.dataset == name) & (kinds.kind == "categorical")]:
        frame[column] = frame[column].astype(str)
    if not np.isnan(rows): frame = frame.sample(int(rows), random_state=0)
    return frame.drop(columns="target"), frame["target"].to_numpy(float)


def measured(X, y, parameters):
    "Mean R² of five folds, median number of leaves, processor seconds of a fit."
    scores, leaves, seconds = [], [], 0.0
    for train, test in KFold(5, shuffle=True, random_state=0).split(X):
        model, start = OmnivariateTreeRegressor(**parameters, random_state=0), time.process_time()
        model.fit(X.iloc[train], y[train])
        seconds += time.process_time() - start
        scores.append(r2_score(y[test], model.predict(X.iloc[test])))
        leaves.append(model.get_n_leaves())
    return np.mean(scores), np.median(leaves), round(seconds / 5, 4)


if __name__ == "__main__":
    found = []
    for name, rows in tqdm(pd.read_csv(here / "peers.csv")[["dataset", "rows"]].values.tolist()):
        X, y = table(name, rows)
        found += [(name, tree, *measured(X, y, parameters)) for tree, parameters in TREES.items()]
    columns = "dataset", "tree", "r2", "leaves", "fit_cpu"
    pd.DataFrame(found, columns=columns).to_csv(here / "ten_sets.csv", index=False, float_format="%.6g")
