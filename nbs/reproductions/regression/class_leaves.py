"""Classes with models in the leaves, on every classification set: python class_leaves.py class_leaves.csv

Five shuffled stratified folds. A set is sampled down to 12,000 rows, and to 2 million values (of one classification
set, MNIST, that leaves 2,551 rows). Of the monks' problems the 432 rows of the test file are used: its rows repeat
those of the training file. Logistic leaves pruned by cross-validation (the default: five folds; or ten) are run on
tables of at most 100,000 values.
Each line of the result is one fold of one method; lines that are there are not computed again.
"""
import csv
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import sklearn
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import omnivar
from omnivar import OmnivariateTreeClassifier
from omnivar.datasets.by_name import load
from omnivar.datasets.local import manifest

MOST_ROWS, MOST_VALUES, SKLEARN_SETS = 12_000, 2_000_000, ("breast_cancer", "digits")
VERSIONS = f"omnivar {omnivar.__version__}, scikit-learn {sklearn.__version__}"
MOST_FOR_SLOW = 100_000 # values of a table that those which cross-validate are run on
SLOW = "logistic leaves", "logistic leaves, cost_complexity_cv"


def standardised(model):
    "A model of scikit-learn on standardised columns; categories are 0/1 columns, missing numbers are means."
    categories = make_column_selector(dtype_include="category")
    numbers = make_column_selector(dtype_exclude="category")
    table = make_column_transformer((OneHotEncoder(handle_unknown="ignore", sparse_output=False), categories),
                                    (SimpleImputer(), numbers))
    return make_pipeline(table, StandardScaler(), model)


METHODS = {
    "constant leaves (default)": lambda: OmnivariateTreeClassifier(leaf_model=None, random_state=0),
    "constant leaves, cost_complexity_cv": lambda: OmnivariateTreeClassifier(pruning="cost_complexity_cv",
                                                                             random_state=0),
    SLOW[0]: lambda: OmnivariateTreeClassifier(leaf_model="linear", random_state=0),
    SLOW[1]: lambda: OmnivariateTreeClassifier(leaf_model="linear", pruning="cost_complexity_cv", random_state=0),
    "logistic leaves, bic": lambda: OmnivariateTreeClassifier(leaf_model="linear", pruning="bic", random_state=0),
    "logistic leaves, axis, bic": lambda: OmnivariateTreeClassifier("axis", leaf_model="linear", pruning="bic",
                                                                    random_state=0),
    "logistic regression (scikit-learn)": lambda: standardised(LogisticRegression(max_iter=2000)),
    "LDA (scikit-learn)": lambda: standardised(LinearDiscriminantAnalysis()),
}


def names():
    "All classification sets of the folder, and two of scikit-learn's; small ones first."
    table = manifest()
    sets = table.index[table["classes"].notna() & (table["classes"].astype(str) != "")]
    size = table["n"].astype(int) * (table["k_numeric"].astype(int) + table["k_categorical"].astype(int))
    return [*size[sets].sort_values(kind="stable").index, *SKLEARN_SETS]


def rows_of(name):
    "A table and its classes as codes."
    data = load(name)
    X, y = data.data, data.target.cat.codes.to_numpy()
    rows = np.arange(len(y)) if not name.startswith("monks") else np.asarray(data.test)
    most = min(MOST_ROWS, MOST_VALUES // X.shape[1])
    if len(rows) > most: rows = np.random.default_rng(0).choice(rows, most, replace=False)
    return X.iloc[rows].reset_index(drop=True), y[rows]


def measured(make, X, y, train, test):
    start, model = time.process_time(), make()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X.iloc[train], y[train])
        seconds = time.process_time() - start
        right = float((model.predict(X.iloc[test]) == y[test]).mean())
    return right, getattr(model, "get_n_leaves", lambda: 0)(), seconds


def run(path, only=None):
    done = set()
    if path.exists(): done = {tuple(row[:3]) for row in csv.reader(path.open())}
    else: path.write_text("dataset,method,fold,accuracy,leaves,fit_cpu,versions,date\n")
    for name in only or names():
        if all((name, m, str(f)) in done for m in METHODS if m not in SLOW for f in range(5)): continue
        X, y = rows_of(name)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            folds = list(StratifiedKFold(5, shuffle=True, random_state=0).split(X, y))
        for method, make in METHODS.items():
            if method in SLOW and X.size > MOST_FOR_SLOW: continue
            for f, (train, test) in enumerate(folds):
                if (name, method, str(f)) in done: continue
                right, leaves, seconds = measured(make, X, y, train, test)
                with path.open("a") as file:
                    csv.writer(file, lineterminator="\n").writerow(
                        [name, method, f, round(right, 6), leaves or "", round(seconds, 2), VERSIONS,
                         time.strftime("%Y-%m-%d")])


if __name__ == "__main__": run(Path(sys.argv[1]), sys.argv[2:])
