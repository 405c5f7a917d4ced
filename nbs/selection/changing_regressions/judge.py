"""The default regressor with and without thresholds at which regressions change, on a folder of tables.

    python judge.py FOLDER OUT.csv

Each CSV file has the target in its column `__y`; missing values are empty fields. Five folds of at most 1,500 rows.
"""
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.model_selection import KFold

from omnivar import OmnivariateTreeRegressor
from omnivar.selection import leaf_choice


def judged(table, y):
    "R², leaves and seconds of all folds, without and with changes."
    asked = leaf_choice.lost_by_changes
    for changes in (False, True):
        leaf_choice.lost_by_changes = asked if changes else lambda *_: None
        for fold, (rest, new) in enumerate(KFold(5, shuffle=True, random_state=0).split(table)):
            start = time.process_time()
            model = OmnivariateTreeRegressor(random_state=0).fit(table.iloc[rest], y[rest])
            seconds = time.process_time() - start
            r2 = 1 - ((model.predict(table.iloc[new]) - y[new])**2).mean() / y.var()
            yield dict(fold=fold, changes=changes, r2=r2, leaves=model.get_n_leaves(), seconds=seconds)


if __name__ == "__main__":
    folder, out = sys.argv[1:]
    rows = []
    warnings.simplefilter("ignore")
    for path in sorted(Path(folder).glob("*.csv")):
        table = pd.read_csv(path, keep_default_na=False, na_values=[""])
        table = table.iloc[np.random.default_rng(0).permutation(len(table))[:1500]].reset_index(drop=True)
        y = table.pop("__y").to_numpy(float)
        rows += [dict(table=path.stem, **row) for row in judged(table, y)]
        pd.DataFrame(rows).to_csv(out, index=False)
