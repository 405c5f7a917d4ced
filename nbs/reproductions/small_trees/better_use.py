"""What is the best use of time on the large trees of the page? Candidates are compared on rows of the training part alone;
the one that a set prefers is then fitted to the whole training part and asked for the test rows, once.

`python better_use.py` makes the runs that are missing in better_use.csv beside this file. Needs the folder that OMNIVAR_DATA names.
"""
import sys
import time
from pathlib import Path
from unittest import mock

import numpy as np
import pandas as pd
from omnivar import OmnivariateTreeClassifier
from omnivar.datasets.local import local_set
from omnivar.selection import joint_refinement
from runs import parts

TABLE = Path(__file__).parent / "better_use.csv"
LONG = dict(LARGE=0) # one climb from drawn planes, in small steps
CANDIDATES = { # options of the tree, constants of the refinement
    "as it comes": ({}, {}), "not pruned": (dict(pruning=None), {}),
    "not pruned, 2400 steps": (dict(pruning=None), dict(STEPS=2400)),
    "not pruned, one long climb": (dict(pruning=None), LONG),
    "not pruned, one longer climb": (dict(pruning=None), LONG | dict(PASSES=180)),
    "not pruned, longer, less restraint": (dict(pruning=None), LONG | dict(
        PASSES=180, LARGE_RESTRAINTS=(joint_refinement.Restraint(1e-5), joint_refinement.Restraint(0.0, 0.05))))}
SETS = [("pendigits", -1), ("segment", 0), ("segment", 1), ("segment", 2)]


def fitted(name, X, y):
    options, constants = CANDIDATES[name]
    with mock.patch.multiple(joint_refinement, **constants) if constants else mock.patch.object(sys, "path", sys.path):
        tree = OmnivariateTreeClassifier(max_depth=8, effort="thorough", leaf_model=None, random_state=0, **options)
        return tree.fit(X, y)


def run(name, split, candidate, judged):
    data = local_set(name)
    y, (train, test) = np.asarray(data.target), (data.train, data.test) if split < 0 else parts(len(data.target), split)
    train, test = np.asarray(train), np.asarray(test)
    if judged == "validation":
        order = np.random.default_rng(split + 100).permutation(len(train))
        train, test = train[order[len(train) // 4:]], train[order[:len(train) // 4]]
    start = time.process_time()
    tree = fitted(candidate, data.data.iloc[train], y[train])
    return dict(dataset=name, split=split, candidate=candidate, judged=judged, leaves=tree.get_n_leaves(),
                accuracy=round(tree.score(data.data.iloc[test], y[test]), 5), cpu_seconds=round(time.process_time() - start, 1))


def main():
    for name, split in SETS:
        for candidate in [*CANDIDATES, None]:
            known = pd.read_csv(TABLE) if TABLE.exists() else pd.DataFrame(columns=["dataset", "split", "candidate", "judged"])
            mine = known[(known["dataset"] == name) & (known["split"] == split)]
            judged, seen = "validation", mine[mine["judged"] == "validation"]
            if candidate is None: # the first of the best
                judged, order = "test", seen.set_index("candidate")["accuracy"].reindex(list(CANDIDATES))
                candidate, seen = order.idxmax(), mine[mine["judged"] == "test"]
                if len(seen): continue
            if candidate in set(seen["candidate"]): continue
            found = pd.DataFrame([run(name, split, candidate, judged)])
            found.to_csv(TABLE, mode="a", header=not TABLE.exists(), index=False)
            print(found.to_string(header=False, index=False), flush=True)


if __name__ == "__main__": main()
