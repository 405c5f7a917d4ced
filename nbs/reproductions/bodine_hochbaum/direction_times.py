"""Processor seconds of Max Cut Node Means along one direction and along two, and of the baseline, on synthetic sets.

`python direction_times.py` writes directions-times.csv beside this file: medians of seven fits each, taken in turn, on
one thread. It takes some minutes.
"""
from pathlib import Path
from time import process_time

import numpy as np
import pandas as pd
from omnivar.datasets.synthetic import Synthetic
from omnivar.estimators.presets import preset
from tqdm import tqdm

TREES = {"baseline": ("Gini Features", {}), "one": ("Max Cut Node Means PCA", {}),
         "two": ("Max Cut Node Means PCA", {"keep_null_direction": True})}
SETTINGS = [(k, n, d) for k in (2, 10) for n in (1000, 10_000) for d in (5, 20, 50)]
FITS = 7


def seconds(model, X, y):
    start = process_time()
    model.fit(X, y)
    return process_time() - start


def medians(n_classes, n_train, n_informative):
    "Of each tree on the first draw of a setting; the first round compiles and does not count."
    data = Synthetic(n_train, 1000, n_informative, n_classes=n_classes, seed=0).load()
    X, y = data.X[data.train], data.y[data.train]
    models = {name: preset(title, n_jobs=1, **parameters) for name, (title, parameters) in TREES.items()}
    rounds = [{name: seconds(model, X, y) for name, model in models.items()} for _ in range(FITS + 1)]
    return {name: np.median([one[name] for one in rounds[1:]]) for name in TREES}


if __name__ == "__main__":
    rows = [dict(zip(("classes", "rows", "dimensions"), setting)) | medians(*setting) for setting in tqdm(SETTINGS)]
    pd.DataFrame(rows).round(6).to_csv(Path(__file__).parent / "directions-times.csv", index=False)
