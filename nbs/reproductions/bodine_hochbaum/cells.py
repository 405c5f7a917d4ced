"""One draw of every cell of the synthetic grid that synthetic.csv beside this file lacks: the eight trees on each.

`python cells.py` runs what is missing, cheap cells first; it may be stopped and called again. The last cells have 300,000
rows and take a minute each.
"""
from functools import lru_cache
from pathlib import Path

import pandas as pd
from omnivar.datasets.by_name import load_data
from omnivar.datasets.synthetic import SIZES, max_cut_sets
from omnivar.experiments.measurements import execute_run
from omnivar.experiments.protocols import Protocol
from omnivar.experiments.tasks import Experiment, tasks
from omnivar.papers.bodine_hochbaum import eight_trees
from tqdm import tqdm

TABLE = Path(__file__).parent / "synthetic.csv"
COLUMNS = ["dataset", "method", "accuracy", "leaves", "fit_wall", "fit_cpu", "error"]


def cell_of(name): return name.rpartition("-s")[0]  # without the number of the draw


def missing_sets():
    "The first draw of each cell without any, noise first, then by rows and dimensions."
    known = {cell_of(name) for name in pd.read_csv(TABLE, usecols=["dataset"])["dataset"]}
    sets = {cell_of(s.name): s for kind in ("noise", "size") for k in SIZES for s in max_cut_sets(kind, k, 1)}
    return sorted((s for cell, s in sets.items() if cell not in known),
                  key=lambda s: (s.n_noise == 0, s.n_train, s.n_informative))


def runs(one):
    "A line for each tree; the set is made once."
    load = lru_cache(1)(load_data)
    for task in tasks(Experiment("cells", (one,), eight_trees(False), Protocol("given"))):
        row = execute_run(task, load)
        yield {"dataset": one.name, "method": task.method.label} | {name: row.get(name, "") for name in COLUMNS[2:]}


if __name__ == "__main__":
    for one in tqdm(missing_sets()):
        found = pd.DataFrame(list(runs(one)), columns=COLUMNS).astype({"leaves": float}).round(6)
        found.to_csv(TABLE, mode="a", header=False, index=False)
