"""How many rows a category needs to vote for itself: the runs in rare_categories.csv beside this file.

`python rare_categories.py [TABLE ...]` runs the sets with categories of the folder that OMNIVAR_DATA names, and further
tables: files of CSV or Parquet. Their target is the last column of few texts, else of few numbers, else of numbers.
"""
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from omnivar import (CategorySplitter, OmnivariateForestClassifier, OmnivariateForestRegressor,
                     OmnivariateTreeClassifier, OmnivariateTreeRegressor)
from omnivar.datasets.local import local_names, local_set
from pandas.api.types import is_datetime64_any_dtype, is_numeric_dtype
from sklearn.base import clone
from sklearn.metrics import r2_score
from sklearn.model_selection import KFold, StratifiedKFold

TABLE = Path(__file__).parent / "rare_categories.csv"
LEAST = 1, 2, 3, 5, 10
ROWS = 2000 # of larger tables, drawn
LEFT_OUT = {"mnist", "monks1", "monks2", "monks3"} # no categories; training rows among their test rows


def categories(X): return [c for c in X if not is_numeric_dtype(X[c]) and not is_datetime64_any_dtype(X[c])]


def target_of(table):
    "Number of the column to predict, and whether it holds classes; None: there is none."
    classes, numbers, n = [], [], len(table)
    for k in range(table.shape[1]):
        column = table.iloc[:, k]
        different, of_numbers = column.nunique(), is_numeric_dtype(column) and column.dtype != bool
        if different < 2: continue
        if not of_numbers or different <= 6 and n >= 5 * different:
            shares = column.value_counts(normalize=True)
            if not is_datetime64_any_dtype(column) and different <= min(30, n / 3) and shares.iloc[1] >= 0.03:
                classes.append((not of_numbers, k))
        elif different > max(8, min(20, n / 2)) and not (column.is_unique and (np.diff(column) == 1).all()):
            numbers.append(k)
    if classes: return max(classes)[1], True
    return (max(numbers), False) if numbers else None


def tables(files):
    "Names, where they are from, X, y and whether these are classes."
    for name in sorted(set(local_names()) - LEFT_OUT):
        data = local_set(name)
        if categories(data.data): yield name, "public sets", data.data, data.target, not is_numeric_dtype(data.target)
    for file in map(Path, files):
        table = pd.read_parquet(file) if file.suffix == ".parquet" else pd.read_csv(file)
        table = table.sample(ROWS, random_state=0).reset_index(drop=True) if len(table) > ROWS else table
        if len(table) < 100 or not (found := target_of(table)): continue
        column, X = table.iloc[:, found[0]], table.drop(columns=table.columns[found[0]])
        known = column.notna()
        if categories(X): yield file.stem, "packages", X[known], column[known], found[1]


def score(model, X, y, classes):
    "Accuracy or R2, at least -1, of five folds."
    folds, found = (StratifiedKFold if classes else KFold)(5, shuffle=True, random_state=0), np.empty(len(y), object)
    for train, new in folds.split(X, y if classes else None):
        found[new] = clone(model).fit(X.iloc[train], y[train]).predict(X.iloc[new])
    return (found == y).mean() if classes else max(-1.0, r2_score(y, found.astype(float)))


def models(classes, least):
    "A tree of default parameters and a small forest; `least` rows for a category."
    CategorySplitter.__init__.__defaults__ = "groups", 8, 256, least # what "auto" uses, too
    kinds = ((OmnivariateTreeClassifier, OmnivariateForestClassifier) if classes
             else (OmnivariateTreeRegressor, OmnivariateForestRegressor))
    return dict(tree=kinds[0](random_state=0), forest=kinds[1](20, random_state=0))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for name, source, X, y, classes in tables(sys.argv[1:]):
        if len(X) > ROWS: X = X.sample(ROWS, random_state=0)
        y = y.loc[X.index]
        y = y.astype(object).astype(str).to_numpy(object) if classes else y.to_numpy(float)
        most = max(X[c].nunique() for c in categories(X))
        for least in LEAST:
            for kind, model in models(classes, least).items():
                row = pd.DataFrame([dict(table=name, source=source, rows=len(y), most_categories=most, classes=classes,
                                         kind=kind, min_frequency=least, score=score(model, X, y, classes))])
                row.to_csv(TABLE, mode="a", header=not TABLE.exists(), index=False, float_format="%.4f")
