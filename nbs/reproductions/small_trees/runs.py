"""Trees of height four, and large ones, beside published accuracies: runs that are missing in the tables beside this file.

`python runs.py small 100` for a hundred random splits of ten sets, `python runs.py small 100 fast` for those of one effort
alone, `python runs.py large` for sets with published parts. Needs the folder of data sets that OMNIVAR_DATA names.
"""
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
from omnivar import OmnivariateTreeClassifier
from omnivar.datasets.local import local_set

HERE = Path(__file__).parent
SMALL = ["sonar", "climate_crashes", "balance_scale", "breast_w", "transfusion", "car", "wine_quality_red", "avila",
         "wine_quality_white", "dry_bean"]
LARGE = dict(segment=8, pendigits=8, mnist=8) # heights
EFFORTS = "fast", "thorough"


def parts(n, split):
    "Row numbers for training, a half, and for testing, a quarter; the last quarter is not used."
    order = np.random.default_rng(split).permutation(n)
    return order[:n // 2], order[n // 2:n // 2 + n // 4]


def run(name, split, effort, height=4, **options):
    "One tree; `split` None: the published parts."
    data = local_set(name)
    train, test = (data.train, data.test) if split is None else parts(len(data.target), split)
    X = data.data.to_numpy(np.uint8) if name == "mnist" else data.data
    rows = (lambda at: X[at]) if name == "mnist" else (lambda at: X.iloc[at])
    y, start, wall = np.asarray(data.target), time.process_time(), time.time()
    tree = OmnivariateTreeClassifier(max_depth=height, effort=effort, leaf_model=None, random_state=0, **options)
    tree.fit(rows(train), y[train])
    used = time.process_time() - start, time.time() - wall
    return dict(dataset=name, split=-1 if split is None else split, effort=effort, height=height,
                accuracy=tree.score(rows(test), y[test]), leaves=tree.get_n_leaves(), cpu_seconds=round(used[0], 1),
                wall_seconds=round(used[1], 1), options=" ".join(f"{k}={v}" for k, v in options.items()))


def missing_runs(path, asked):
    "Make the runs that the table lacks, and append each at once."
    known = pd.read_csv(path) if path.exists() else pd.DataFrame(columns=["dataset", "split", "effort"])
    known = set(zip(known["dataset"], known["split"], known["effort"]))
    for name, split, effort, options in asked:
        if (name, -1 if split is None else split, effort) in known: continue
        found = pd.DataFrame([run(name, split, effort, **options)])
        found.to_csv(path, mode="a", header=not path.exists(), index=False)
        print(found.to_string(header=False, index=False), flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "small":
        missing_runs(HERE / "table1.csv", [(name, split, effort, {}) for split in range(int(sys.argv[2])) for name in SMALL
                                           for effort in sys.argv[3:] or EFFORTS])
    elif sys.argv[1] == "large":
        few = dict(splitters="axis", pruning=None, n_jobs=2)
        missing_runs(HERE / "table2.csv", [(name, split, effort, dict(height=LARGE[name]) | (few if name == "mnist" else {}))
                                           for name, splits in (("mnist", [None]), ("pendigits", [None]), ("segment", range(3)))
                                           for split in splits for effort in EFFORTS])
