"""How many leaves of the default tree hold an equation, in the fits of confirmation_today.csv: equations.csv, beside
this file. A leaf whose equation has no coefficient but its constants does not count.

python nbs/reproductions/defaults/equations.py      takes a minute
"""
import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import tomllib
import warnings
from pathlib import Path

import pandas as pd

from omnivar import OmnivariateTreeClassifier
from omnivar.datasets.by_name import load_data
from omnivar.datasets.columns import take_rows
from omnivar.experiments.protocols import Protocol

FOLDER = Path(__file__).parent


def equations(model) -> int:
    "Leaves with an equation in which some column counts."
    tree = model.tree_
    if tree.leaf_models is None: return 0
    leaves = [node for node in range(tree.n_nodes) if tree.is_leaf[node]]
    return sum(bool(tree.leaf_models.equations(tree.target, node)[0][:, 1:].any()) for node in leaves)


def fits(experiment):
    "A row for each fit of the default."
    protocol = Protocol(**experiment["protocol"])
    for dataset in experiment["datasets"]:
        table = load_data(dataset)
        for split, train, test in protocol.splits(table, experiment["seeds"][0]):
            model = OmnivariateTreeClassifier(random_state=0).fit(take_rows(table.X, train), table.y[train])
            right = model.predict(take_rows(table.X, test)) == table.y[test]
            yield dict(dataset=dataset.rpartition("/")[2], split=split, leaves=model.get_n_leaves(),
                       equations=equations(model), accuracy=round(right.mean(), 5))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    files = [tomllib.loads((FOLDER / name).read_text()) for name in ("today.toml", "today_large.toml")]
    pd.DataFrame([row for one in files for row in fits(one)]).to_csv(FOLDER / "equations.csv", index=False)
