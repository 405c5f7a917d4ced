"""Is our PILOT the PILOT of its authors? Twelve random tables, fitted by both.

python pilot_check.py theirs FILE.npz     where fast-model-trees is installed
python pilot_check.py ours FILE.npz OUT.csv   with omnivar

The authors' program cuts predictions off at the least and the largest target while it fits, which lines that are added
up cannot follow; so two rows with extreme targets are put in the middle of each table, and nothing is cut off.
"""
import csv
import sys
import time

import numpy as np


def tables():
    for seed in range(12):
        rng, n = np.random.default_rng(seed), (200, 500, 1500, 4000)[seed % 4]
        X, noise = rng.normal(size=(n, 4)).round((9, 1)[seed % 2]), rng.normal(0, 0.4, n) # every other one with ties
        if seed // 4 % 2 == 0: y = np.where(X[:, 0] > 0, 4 + X[:, 1], np.abs(X[:, 2])) + noise
        else: y = X[:, 1] + 2 * np.abs(X[:, 0]) + np.sin(3 * X[:, 3]) + noise
        y[:2], X[:2] = (-14, 14), 0
        yield X, y


def theirs(path):
    from importlib.metadata import version

    from pilot import PILOT
    found = {str(k): np.ravel(PILOT(max_depth=12).train(X, y).predict(X)) for k, (X, y) in enumerate(tables())}
    np.savez(path, version=version("fast-model-trees"), **found)


def ours(path, out):
    from omnivar import pilot
    found = np.load(path)
    with open(out, "w") as file:
        write = csv.writer(file, lineterminator="\n")
        write.writerow("table rows ties leaves rows_that_differ largest_difference version date".split())
        for k, (X, y) in enumerate(tables()):
            tree = pilot(max_depth=12).fit(X, y)
            off = np.abs(tree.predict(X) - found[str(k)])
            write.writerow([k, len(y), bool(k % 2), tree.get_n_leaves(), int((off > 1e-6).sum()),
                            round(float(off.max()), 4), f"fast-model-trees {found['version']}",
                            time.strftime("%Y-%m-%d")])


if __name__ == "__main__": {"theirs": theirs, "ours": ours}[sys.argv[1]](*sys.argv[2:])
