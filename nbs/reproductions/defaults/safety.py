"""The default beside axis splits of cross-validated size and beside itself with more time, at every limit on the depth:
the runs that are missing in safety.csv beside this file.

`python safety.py` runs what is missing, small tables first; it may be stopped and called again. Needs the folder of data
sets that OMNIVAR_DATA names.
"""
import time
from pathlib import Path

import numpy as np
import pandas as pd
from omnivar import OmnivariateTreeClassifier
from omnivar.datasets.local import local_names, local_set, manifest
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.model_selection import StratifiedKFold
from tqdm import tqdm

TABLE = Path(__file__).parent / "safety.csv"
DEPTHS = 2, 3, 4, 6, 8, 0 # 0: no limit
ROWS = 12_000 # of larger sets, drawn
LONGER = 700 # rows; of larger sets only some depths: fits with more time take seconds to minutes
METHODS = {"default": {}, "axis, cross-validated": dict(splitters=["axis", "category"], pruning="cost_complexity_cv"),
           "thorough": dict(effort="thorough", leaf_model=None)} # its runs are older than the choice of an equation
SKLEARN = dict(digits=load_digits, breast_cancer=load_breast_cancer)
LEFT_OUT = {"mnist", "monks1", "monks2", "monks3"} # its own page; training rows among their test rows


def names():
    numbers = [n for n in manifest().index if np.isnan(manifest().loc[n, "classes"])]
    return sorted({*local_names(), *SKLEARN} - LEFT_OUT) + [f"{n} {k} parts" for n in sorted(numbers) for k in (2, 5)]


def rows_of(name):
    "X and y of a set; a numeric target is cut into equal parts."
    name, parts = (name.split()[0], int(name.split()[1])) if " " in name else (name, None)
    data = SKLEARN[name](as_frame=True) if name in SKLEARN else local_set(name)
    X, y = data.data, np.asarray(data.target)
    if parts: y = pd.qcut(pd.Series(y.astype(float)).rank(method="first"), parts, labels=False).to_numpy()
    few = np.sort(np.random.default_rng(0).permutation(len(y))[:ROWS])
    return X.iloc[few], y[few]


def run(name, method, depth):
    "Five folds."
    X, y = rows_of(name)
    for fold, (a, b) in enumerate(StratifiedKFold(5, shuffle=True, random_state=2).split(X, y), 1):
        tree, start = OmnivariateTreeClassifier(max_depth=depth or None, random_state=0, **METHODS[method]), time.process_time()
        tree.fit(X.iloc[a], y[a])
        used = time.process_time() - start
        yield dict(dataset=name, rows=len(y), method=method, depth=depth, fold=fold, leaves=tree.get_n_leaves(),
                   accuracy=round(tree.score(X.iloc[b], y[b]), 5), fit_cpu=round(used, 4))


def main():
    known = pd.read_csv(TABLE) if TABLE.exists() else pd.DataFrame(columns=["dataset", "method", "depth"])
    known = set(zip(known["dataset"], known["method"], known["depth"]))
    sizes = {name: rows_of(name)[0].shape for name in names()}
    by_size = sorted(sizes, key=lambda n: np.prod(sizes[n]))
    asked = [(name, method, depth) for method in METHODS if method != "thorough" for name in by_size for depth in DEPTHS]
    classes = [name for name in by_size if " " not in name]
    asked += [(name, "thorough", depth) for depth in (4, 2, 8, 0, 3, 6) for name in classes if sizes[name][0] <= LONGER]
    asked += [(name, "thorough", depth) for depth in (4, 2, 8) for name in classes if sizes[name][0] > LONGER]
    for missing in tqdm([a for a in asked if a not in known]):
        found = pd.DataFrame(list(run(*missing))) # whole cells only
        found.to_csv(TABLE, mode="a", header=not TABLE.exists(), index=False)


if __name__ == "__main__": main()
