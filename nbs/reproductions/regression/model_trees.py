"""Model trees on ten tables, ours and other programs, each in an environment of its own.

python model_trees.py prepare FOLDER        with omnivar: the tables as NAME.npz, one-hot, missing numbers as means
python model_trees.py run FOLDER OUT.csv METHOD...   where the method can be imported; resumes what is there

Tables and samples as in regression_measured: cal_housing, elevators and fried are sampled down to 12,000 rows; five
shuffled folds. All programs get the same numbers and the same folds.
"""
import csv
import sys
import time
import warnings
from pathlib import Path

import numpy as np

SETS = "abalone auto_mpg boston bank8FM cal_housing cpu_small elevators kin8nm stock fried".split()
MOST_ROWS = 12_000


def prepare(folder):
    import pandas as pd

    from omnivar.datasets.by_name import load
    folder.mkdir(exist_ok=True)
    for name in SETS:
        data = load(name)
        X = pd.get_dummies(data.data, columns=data.categorical).astype(float)
        X, y = X.fillna(X.mean()).to_numpy(), data.target.to_numpy(float)
        rows = np.arange(len(y))
        if len(y) > MOST_ROWS: rows = np.random.default_rng(0).choice(len(y), MOST_ROWS, replace=False)
        np.savez(folder / f"{name}.npz", X=X[rows], y=y[rows])


def ours(name, **parameters):
    def make():
        import omnivar
        return omnivar.preset(name, random_state=0, **parameters)
    return make


def best():
    from omnivar import OmnivariateTreeRegressor
    return OmnivariateTreeRegressor("model_gain", leaf_model="auto", pruning="gcv", max_leaf_nodes=30, random_state=0)


class Pilot:
    def fit(self, X, y):
        from pilot import PILOT
        self.tree = PILOT().train(X, y)
        table = self.tree.tree_summary()
        self.n_leaves = 1 + int(table.node_type.isin(["blin", "pcon", "plin", "pconc"]).sum())
        return self

    def predict(self, X): return np.ravel(self.tree.predict(X))


def cubist():
    from cubist import Cubist
    return Cubist(n_committees=1)


def linear_tree():
    from lineartree import LinearTreeRegressor
    from sklearn.linear_model import LinearRegression
    return LinearTreeRegressor(LinearRegression())


def m5py():
    from m5py import M5Prime
    return M5Prime()


METHODS = {"M5": ours("M5", truncate=False), "M5, truncated": ours("M5"), "GUIDE": ours("GUIDE"),
           "GUIDE, constant": ours("GUIDE", model="constant"), "PILOT": ours("PILOT"),
           "model_gain, auto leaves, 30": best, "fast-model-trees (PILOT)": Pilot,
           "cubist, 1 committee": cubist, "linear-tree": linear_tree, "m5py": m5py}


def n_leaves(model):
    for name in ("n_leaves", "get_n_leaves"):
        found = getattr(model, name, None)
        if found is not None: return found() if callable(found) else found
    if hasattr(model, "_leaves"): return len(model._leaves)
    rules = getattr(model, "model_", None)
    return "" if rules is None else len(getattr(rules, "rules_", [])) or ""


def version(method):
    from importlib.metadata import version as of
    package = {"fast-model-trees (PILOT)": "fast-model-trees", "cubist, 1 committee": "cubist",
               "linear-tree": "linear-tree", "m5py": "m5py"}.get(method)
    return f"{package} {of(package)}" if package else "omnivar"


def run(folder, path, methods):
    from sklearn.model_selection import KFold
    if not path.exists(): path.write_text("dataset,method,fold,r2,leaves,fit_cpu,version,date\n")
    done = {tuple(row[:3]) for row in csv.reader(path.open())}
    warnings.simplefilter("ignore")
    for method in methods:
        for name in SETS:
            data = np.load(folder / f"{name}.npz")
            X, y = data["X"], data["y"]
            for f, (train, test) in enumerate(KFold(5, shuffle=True, random_state=0).split(X)):
                if (name, method, str(f)) in done: continue
                start = time.process_time()
                model = METHODS[method]().fit(X[train], y[train])
                seconds = time.process_time() - start
                off = y[test] - np.ravel(model.predict(X[test]))
                r2 = 1 - (off**2).sum() / ((y[test] - y[test].mean())**2).sum()
                with path.open("a") as file:
                    csv.writer(file, lineterminator="\n").writerow(
                        [name, method, f, round(float(r2), 5), n_leaves(model), round(seconds, 2), version(method),
                         time.strftime("%Y-%m-%d")])


if __name__ == "__main__":
    if sys.argv[1] == "prepare": prepare(Path(sys.argv[2]))
    else: run(Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4:])
