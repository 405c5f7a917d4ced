"""Forests of 100 trees on all tables with classes, and on ten with numbers: the runs that are missing in sets.csv.

`python sets.py` runs what is missing, small tables first; it may be stopped and called again. Needs the folder of data
sets that OMNIVAR_DATA names.

The halves were fixed before any result: those of the second study of the default tree (names in order, every second one
for development); tables with missing values, which that study left out, are for confirmation. Left out are the monks,
whose training rows are among their test rows, and MNIST, which has the page's own measurement of time.
"""
import os

os.environ["OPENBLAS_NUM_THREADS"] = "1" # processor seconds of waiting threads would count
import time
from pathlib import Path

import numpy as np
import pandas as pd
from omnivar import (canonical_correlation_forest, max_cut_forest, random_forest, rotation_forest,
                     sparse_oblique_forest)
from omnivar.datasets.local import local_names, local_set, manifest
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.model_selection import KFold, StratifiedKFold

TABLE = Path(__file__).parent / "sets.csv"
TRAINING_ROWS = 2000 # of larger sets the first ones of each shuffled fold
CANONICAL_ROWS = 1250 # of a set: on larger ones a canonical forest, which is grown node by node, takes minutes a fold
SKLEARN = dict(digits=load_digits, breast_cancer=load_breast_cancer)
LEFT_OUT = {"mnist", "monks1", "monks2", "monks3"}
DEVELOPMENT = {"avila", "breast_cancer", "bupa", "climate_crashes", "dry_bean", "flare1_c", "glass", "haberman", "iris",
               "new_thyroid", "pima", "segment", "steel_fault", "transfusion", "vowel", "waveform_40",
               "wine_quality_red", "yeast"}
NUMBERS = ("abalone", "auto_mpg", "boston", "bank8FM", "cal_housing", "cpu_small", "elevators", "kin8nm", "stock",
           "fried")
COMMON = dict(n_estimators=100, random_state=0, n_jobs=1)
CLASSES = {"scikit-learn": RandomForestClassifier(**COMMON), "random forest": random_forest(**COMMON),
           "sparse oblique": sparse_oblique_forest(**COMMON),
           "sparse oblique, 3 columns": sparse_oblique_forest(projection_density=3, **COMMON),
           "rotation": rotation_forest(**COMMON), "canonical": canonical_correlation_forest(**COMMON),
           "Max-Cut": max_cut_forest(**COMMON)}
OF_NUMBERS = {"scikit-learn": RandomForestRegressor(**COMMON), "random forest": random_forest("numbers", **COMMON),
              "sparse oblique": sparse_oblique_forest("numbers", **COMMON),
              "rotation": rotation_forest("numbers", **COMMON),
              "canonical": canonical_correlation_forest("numbers", **COMMON)}


def rows_of(name):
    "Numbers and target of a table; a column of 0 and 1 for each category."
    data = SKLEARN[name](as_frame=True) if name in SKLEARN else local_set(name)
    X = pd.get_dummies(data.data).to_numpy(float)
    y = np.asarray(data.target)
    return X, y.astype(float) if name in NUMBERS else np.unique(y.astype(str), return_inverse=True)[1]


def folds_of(name):
    "Training and test parts of five shuffled folds; the mean of the training rows stands for missing values."
    X, y = rows_of(name)
    folds = (KFold if name in NUMBERS else StratifiedKFold)(5, shuffle=True, random_state=0)
    for k, (a, b) in enumerate(folds.split(X, y), 1):
        a = np.random.default_rng(k).permutation(a)[:TRAINING_ROWS]
        means = np.nan_to_num(np.nanmean(X[a], axis=0))
        yield k, *(np.where(np.isnan(X[rows]), means, X[rows]) for rows in (a, b)), y[a], y[b]


def run(name, model, missing):
    "The folds that are missing."
    made = (OF_NUMBERS if name in NUMBERS else CLASSES)[model]
    half = "numbers" if name in NUMBERS else "development" if name in DEVELOPMENT else "confirmation"
    for k, X, of_test, y, y_test in folds_of(name):
        if k not in missing: continue
        start = time.process_time()
        made.fit(X, y)
        used = time.process_time() - start
        yield dict(half=half, dataset=name, rows=len(y) + len(y_test), training_rows=len(y), model=model, fold=k,
                   score=round(made.score(of_test, y_test), 5), fit_cpu=round(used, 4))


def main():
    known = pd.read_csv(TABLE) if TABLE.exists() else pd.DataFrame(columns=["dataset", "model", "fold"])
    known = set(zip(known["dataset"], known["model"], known["fold"]))
    with_classes = {n for n in local_names() if not np.isnan(manifest().loc[n, "classes"])} | set(SKLEARN)
    names = sorted(with_classes - LEFT_OUT) + list(NUMBERS)
    cells = {name: np.prod(rows_of(name)[0].shape) for name in names}
    for name in sorted(names, key=cells.get):
        for model in OF_NUMBERS if name in NUMBERS else CLASSES:
            missing = {k for k in range(1, 6) if (name, model, k) not in known}
            if not missing or model == "canonical" and len(rows_of(name)[1]) > CANONICAL_ROWS: continue
            found = pd.DataFrame(list(run(name, model, missing)))
            found.to_csv(TABLE, mode="a", header=not TABLE.exists(), index=False)
            print(name, model, found["score"].mean().round(4), found["fit_cpu"].mean().round(2), flush=True)


if __name__ == "__main__": main()
