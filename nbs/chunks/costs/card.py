"""Fits by a graphics card beside fits by one thread of the processor, and whether their trees are the same.

python nbs/chunks/costs/card.py      (needs a card and the extra `cuda`; writes card.csv beside this file)
"""
import time
from pathlib import Path

import numpy as np
import pandas as pd

from omnivar import OmnivariateTreeClassifier, OmnivariateTreeRegressor

COLUMNS, ROWS = 20, (20_000, 100_000, 1_000_000, 4_000_000)
KINDS = [(["axis"], 2, 8), (["axis"], 10, 8), (["axis", "linear"], 2, 6), (["axis"], 0, 8)]  # 0 classes: numbers


def table(n, n_classes):
    random = np.random.default_rng(0)
    X = random.normal(size=(n, COLUMNS)).astype(np.float32)
    score = X[:, 0] + X[:, 1] * X[:, 2] + 0.5 * X[:, 3] + random.normal(size=n) * 0.3
    return X, np.digitize(score, np.quantile(score, np.arange(1, n_classes) / n_classes)) if n_classes else score


def fitted(device, splitters, depth, X, y, is_class):
    "The tree, and the seconds of the faster of two fits: the first may compile."
    model = (OmnivariateTreeClassifier if is_class else OmnivariateTreeRegressor)(
        splitters, max_depth=depth, max_bins=255, device=device)
    seconds = []
    for _ in range(2):
        start = time.perf_counter()
        model.fit(X, y)
        seconds.append(time.perf_counter() - start)
    return model.tree_, min(seconds)


def line(n, splitters, n_classes, depth):
    X, y = table(n, n_classes)
    (one, processor), (other, card) = (fitted(d, splitters, depth, X, y, n_classes > 0) for d in ("cpu", "cuda"))
    same = np.array_equal(one.weights, other.weights) and all(map(np.array_equal, one.nodes, other.nodes))
    return dict(rows=n, columns=COLUMNS, splitters=" and ".join(splitters),
                target=f"{n_classes} classes" if n_classes else "numbers", leaves=one.n_leaves,
                processor_s=round(processor, 2), card_s=round(card, 2), tree="same" if same else "different")


if __name__ == "__main__":
    lines = []
    for n in ROWS:
        for kind in KINDS:
            lines.append(line(n, *kind))
            print(lines[-1], flush=True)
            pd.DataFrame(lines).to_csv(Path(__file__).parent / "card.csv", index=False)
