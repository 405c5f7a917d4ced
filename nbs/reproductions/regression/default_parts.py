"""Measure the parts of the default tree of numbers alone, on the development sets, and write default_parts.csv.

OMNIVAR_DATA=FOLDER python nbs/reproductions/regression/default_parts.py      takes minutes
"""
import numpy as np
import pandas as pd
from default import MOST_ROWS, development
from sklearn.model_selection import KFold
from ten_sets import here
from tqdm import tqdm

import omnivar.selection.leaf_choice as choice
from omnivar import CostComplexityCV, LeafChoice, OmnivariateTreeRegressor
from omnivar.selection.cost_complexity import cost_complexity
from omnivar.selection.model_leaves import with_large_leaves


def parts(configuration):
    "The trees of each part, from the same rows."
    groups = choice.distinct_rows(configuration.data)
    models = with_large_leaves(configuration._replace(data=choice.distinct_data(configuration.data, groups)[0]),
                               LeafChoice().leaf_model)
    yield "constants, ten folds", CostComplexityCV().fit(configuration)
    for most in (60, 10**6):
        choice.MOST_LEAVES = most
        yield f"models, {'60 leaves' if most == 60 else 'any number'}", choice.tree_with_models(models)
    choice.MOST_LEAVES = 60
    fold = choice.fold_numbers(groups, configuration.data.y, 3, np.random.default_rng(0))
    paths = [choice.constant_losses(configuration, fold == k) for k in range(3)]
    for name, some in (("constants, one fold of three", paths[:1]), ("constants, three folds", paths)):
        yield name, cost_complexity(configuration.grow(), choice.best_alpha(some)[0] * 2 / 3)


class Parts(LeafChoice):
    def fit(self, configuration):
        Parts.found = dict(parts(configuration))
        return Parts.found["constants, ten folds"]


if __name__ == "__main__":
    found = []
    for name, X, y in tqdm(list(development())):
        if len(y) > MOST_ROWS:
            rows = np.random.default_rng(0).permutation(len(y))[:MOST_ROWS]
            X, y = X.iloc[rows], y[rows]
        for k, (train, test) in enumerate(KFold(5, shuffle=True, random_state=3).split(X)):
            if k > 2 and len(y) > 2000: break
            model = OmnivariateTreeRegressor(pruning=Parts(), random_state=0).fit(X.iloc[train], y[train])
            for part, model.tree_ in Parts.found.items():
                found.append((name, part, k, model.score(X.iloc[test], y[test]), model.get_n_leaves()))
    columns = "dataset", "part", "fold", "r2", "leaves"
    pd.DataFrame(found, columns=columns).to_csv(here / "default_parts.csv", index=False, float_format="%.6g")
