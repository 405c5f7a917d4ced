"""Processor seconds of forests, ours and scikit-learn's, into speed.csv beside this file.

`python speed.py [trees]` takes an hour with 100 trees. MNIST needs the folder of data sets that OMNIVAR_DATA names.
Both forests use two threads and take turns in one process; kernels are compiled before anything is measured.
"""
import os
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
from omnivar import OmnivariateForestClassifier, OmnivariateForestRegressor
from sklearn.datasets import make_classification, make_regression
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

TABLE = Path(__file__).parent / "speed.csv"
CLASSES, NUMBERS = ((OmnivariateForestClassifier, RandomForestClassifier),
                    (OmnivariateForestRegressor, RandomForestRegressor))


def mnist():
    with np.load(Path(os.environ["OMNIVAR_DATA"]) / "mnist.npz") as file:
        return file["X"][:60_000], file["y"][:60_000].astype(int)


TABLES = {"classes": (lambda: make_classification(100_000, 20, random_state=0), CLASSES, "sqrt"),
          "classes, 10 informative": (lambda: make_classification(100_000, 20, n_informative=10, random_state=0), CLASSES, "sqrt"),
          "MNIST": (mnist, CLASSES, "sqrt"),
          "numbers": (lambda: make_regression(100_000, 20, n_informative=10, noise=10, random_state=0), NUMBERS, 1.0),
          "numbers, a third": (lambda: make_regression(100_000, 20, n_informative=10, noise=10, random_state=0), NUMBERS, 1 / 3)}


def seconds(model, X, y):
    start = time.process_time()
    model.fit(X, y)
    return time.process_time() - start


def main():
    trees = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    known = set(pd.read_csv(TABLE)["table"]) if TABLE.exists() else set()
    for name, (make, kinds, most) in TABLES.items():
        if name in known: continue
        X, y = make()
        kinds[0](2, max_features=most, n_jobs=2).fit(X, y)
        rows = []
        for repeat in range(2):
            ours, theirs = (seconds(kind(trees, max_features=most, n_jobs=2, random_state=repeat), X, y) for kind in kinds)
            rows.append(dict(table=name, rows=len(y), columns=X.shape[1], max_features=most, trees=trees, repeat=repeat,
                             ours=round(ours, 2), scikit_learn=round(theirs, 2)))
            print(rows[-1], round(theirs / ours, 2), flush=True)
        pd.DataFrame(rows).to_csv(TABLE, mode="a", header=not TABLE.exists(), index=False)


if __name__ == "__main__": main()
