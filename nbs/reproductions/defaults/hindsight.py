"""The default tree beside the best of five other models, chosen for each set with hindsight: the sets that are missing in
hindsight.csv beside this file.

`python hindsight.py` may be stopped and called again. The sets are those of safety.py with classes; the folds five,
stratified and shuffled with a seed that no study used. Needs the folder of data sets that OMNIVAR_DATA names, and
`pip install stree`. Times are processor time of a fit, those of CART without the preparation of its table.
"""
import os

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1" # waiting threads would count
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from candidates import PrunedCART, STree
from omnivar import OmnivariateTreeClassifier
from probabilities import prepared
from safety import names, rows_of
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

TABLE = Path(__file__).parent / "hindsight.csv"
OURS = {"default": {}, "constant leaves": dict(leaf_model=None)}
OTHERS = {"CART": lambda: DecisionTreeClassifier(random_state=0), "CART, pruned": lambda: PrunedCART(random_state=0),
          "LDA": LinearDiscriminantAnalysis, "logistic regression": lambda: LogisticRegression(max_iter=300),
          "STree": lambda: STree(random_state=0)}


def fitted(method, X, y):
    "A fitted model and the processor time of its fit."
    if method in OURS: model = OmnivariateTreeClassifier(random_state=0, **OURS[method])
    else:
        table = prepared().fit(X)
        model, X = make_pipeline(table, OTHERS[method]()), table.transform(X)
    start = time.process_time()
    (model if method in OURS else model[-1]).fit(X, y)
    return model, time.process_time() - start


def runs(name, methods=(*OURS, *OTHERS)):
    "Five folds of each method."
    X, y = rows_of(name)
    y = np.unique(y, return_inverse=True)[1]
    for fold, (a, b) in enumerate(StratifiedKFold(5, shuffle=True, random_state=4).split(X, y), 1):
        for method in methods:
            model, used = fitted(method, X.iloc[a], y[a])
            last = model if method in OURS else model[-1]
            yield dict(dataset=name, rows=len(y), columns=X.shape[1], classes=y.max() + 1, fold=fold, method=method,
                       accuracy=round(model.score(X.iloc[b], y[b]), 5),
                       leaves=last.get_n_leaves() if hasattr(last, "get_n_leaves") else np.nan, fit_cpu=round(used, 5))


def main():
    known = set(pd.read_csv(TABLE)["dataset"]) if TABLE.exists() else set()
    for name in names():
        if " " in name or name in known: continue # with parts: a target of numbers
        pd.DataFrame(list(runs(name))).to_csv(TABLE, mode="a", header=not TABLE.exists(), index=False)
        print(name, flush=True)


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    main()
