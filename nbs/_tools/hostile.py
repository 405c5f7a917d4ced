"""Hostile input by the thousand: `make hostile`.

python nbs/_tools/hostile.py                    all kinds of cases, some minutes
python nbs/_tools/hostile.py files=100000 tables=10000 --jobs 2 --seed 1     so many cases of these kinds

--record keeps the counts in nbs/guide/reliability/hostile.csv, which a page of the site shows.

Every case has its own seed, so that it can be made again: `python nbs/_tools/hostile.py files@17` runs the case 17
alone. A case ends as an answer or as a clear error. Anything else is a defect: another exception, a traceback of a
command, two forms of a tree that disagree, more than LIMIT_SECONDS of the processor or LIMIT_BYTES, SILENT_SECONDS
without the end of a case, a crash of the process. Workers run the cases, so that a crash costs one case.
"""
import contextlib
import json
import os
import re
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from pathlib import Path

os.environ.setdefault("OMNIVAR_PATIENCE", "0")  # compiled kernels are what is to be tested
import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402

LIMIT_SECONDS, LIMIT_BYTES, SILENT_SECONDS = 20, 6 * 2**30, 300
USUAL = dict(files=5000, tables=500, parquet=300, frames=300, arguments=300, toml=300, stores=150)


class Defect(Exception):
    "What should never happen."


class Hang(BaseException):
    "A case that takes too long."


# ---- model files


def table_of_trees(n, seed):
    "Numbers, texts, categories, booleans, missing values; and three kinds."
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(dict(
        height=rng.normal(12, 4, n).round(1), bark=rng.choice(["rough", "it's smooth", "weiß"], n),
        girth=rng.choice(["S", "M", "L"], n), evergreen=rng.choice([True, False], n), age=rng.integers(3, 90, n) * 1.0))
    kind = (frame.height > 12).to_numpy() * 1 + (frame.bark == "rough").to_numpy() * (frame.age > 40).to_numpy()
    return frame.astype(object).mask(rng.random(frame.shape) < 0.1).astype(dict(height=float, age=float)), kind


def discriminant_model():
    "A tree with all six kinds of split, written by hand into a classifier."
    from omnivar import OmnivariateTreeClassifier
    from omnivar.engine.splits import AxisSplit, LinearSplit
    from omnivar.engine.more_splits import CategorySplit, DiscriminantSplit, NetworkSplit, QuadraticSplit
    from omnivar.engine.tree import tree_from_splits
    rng = np.random.default_rng(5)
    model = OmnivariateTreeClassifier("axis", max_depth=1).fit(rng.normal(size=(30, 3)), np.arange(30) % 3)
    records = [CategorySplit(0, [2, 0, 1, -1], 1), DiscriminantSplit(rng.normal(size=(3, 3)), rng.normal(size=3)),
               LinearSplit(rng.normal(size=3), 0.3, [0.5, 0, 1]),
               QuadraticSplit([1.0, 0, -1], np.triu(np.ones((3, 3))), 2.0),
               NetworkSplit(rng.normal(size=(2, 3)), [0.0, 1], [1.0, -1], 0.1, fill=[0.0, 0, 1]), None,
               AxisSplit(1, 0.25, 1), DiscriminantSplit(rng.normal(size=(2, 3)), [0.0, 1], [1.0, 2, 3])]
    model.tree_ = tree_from_splits(records + [None] * 9, rng.integers(1, 9, (17, 3)) * 1.0, 3)
    model._column_spread = np.ones(3)
    return model


def sound_models():
    "Models of every kind of tree, label and column, as plain data."
    from sklearn.datasets import load_iris
    from omnivar import OmnivariateTreeClassifier, to_json
    X, y = load_iris(return_X_y=True)
    X, y = X[::4], y[::4]
    walk, kind = table_of_trees(80, 0)
    names = np.array(["a", "it's", 'b "c"'])
    systems = [
        (dict(), X, names[y]), (dict(splitters="axis"), X.astype(np.float32), y),
        (dict(splitters="axis", leaf_probability="laplace", cost_matrix=[[0, 1, 5], [2, 0, 1], [1, 1, 0]]),
         np.where(X > 6, np.nan, X), y - 1),
        (dict(splitters=["axis", "quadratic"], selection="aic", class_weight={0: 1.0, 2: 2.0, 4: 1.0}), X, y * 2.0),
        (dict(splitters="quadratic", selection="bic"), X.astype(np.float32), y > 0),
        (dict(splitters=["fourier", "cubic"], selection="best"), X, y),
        (dict(splitters="node_means_pca", criterion="max_cut", standardize=True), (X * 10).astype(np.uint8), y),
        (dict(splitters="poles"), pd.DataFrame(X, columns=["a", "b", 'c"', "größe"]), names[y].astype(object)),
        (dict(splitters="linear_search"), X[:, :2], y), (dict(splitters=["univariate_lda", "linear"]), np.where(
            np.random.default_rng(1).random(X.shape) < 0.1, np.nan, X).astype(np.float32), y.astype(np.int8)),
        (dict(splitters=["axis", "category"]), walk, kind),
        (dict(splitters=["category_each", "axis"]), walk, names[kind]),
        (dict(), walk, kind), (dict(splitters=["linear", "axis"]), walk, kind == 1),
        (dict(splitters="axis"), X, np.zeros(len(X), int))]
    models = [OmnivariateTreeClassifier(max_depth=3, **system).fit(rows, labels) for system, rows, labels in systems]
    models += [discriminant_model(), *models_of_numbers(X, walk), *models_with_models(X, y, walk, kind)]
    texts = [to_json(model) for model in models]
    texts.append(to_json(models[0], columns=dict(target="t", attributes=[dict(name=n) for n in "wxyz"])))
    return [json.loads(text) for text in texts]


def models_of_numbers(X, walk):
    "Regressors of every criterion, with one and several outputs, and classifiers that keep an order."
    from omnivar import OmnivariateTreeClassifier, OmnivariateTreeRegressor
    rng = np.random.default_rng(2)
    y = X[:, 2] * np.where(X[:, 0] > 5.5, 3, -1) + X[:, 1]
    three, frame = np.column_stack([y, -y * 1e-3, X[:, 3]]), pd.DataFrame(X, columns=["a", 'c"', "größe", "d"])
    height = np.nan_to_num(walk.height) + 5 * (walk.bark == "rough")
    systems = [
        (dict(), X, y), (dict(splitters="axis"), X.astype(np.float32), three),
        (dict(criterion="absolute_error"), np.where(X > 6, np.nan, X), y),
        (dict(criterion="absolute_error"), frame, three[:, :2]), (dict(criterion="poisson"), X, np.abs(y).round()),
        (dict(splitters="linear", criterion="max_cut", standardize=True), X, y),
        (dict(splitters=["axis", "poles"], criterion="linear_error"), (X * 10).astype(np.uint8), y * 1e6),
        (dict(splitters=["quadratic", "axis"], selection="bic", pruning="aic"), X, y - 1e9),
        (dict(splitters="node_means_pca"), np.where(rng.random(X.shape) < 0.1, np.nan, X).astype(np.float32), y),
        (dict(splitters=["axis", "category"]), walk, height), (dict(splitters=["category_each", "linear"]), walk,
                                                               np.column_stack([height, kind_of(walk)])),
        (dict(monotonic_cst=[1, 0, -1, 0]), X, y), (dict(splitters="axis"), X, np.ones(len(X)))]
    models = [OmnivariateTreeRegressor(max_depth=3, **dict(pruning=None) | system).fit(rows, numbers)
              for system, rows, numbers in systems]
    monotonic = OmnivariateTreeClassifier("axis", max_depth=3, monotonic_cst=[1, 0, 0, -1]).fit(X, y > 2)
    return [*models, monotonic]


def kind_of(walk): return np.nan_to_num(walk.age) > 40


def models_with_models(X, y, walk, kind):
    "Trees whose leaves hold models, one of each sort."
    from omnivar import OmnivariateTreeClassifier, OmnivariateTreeRegressor
    z, many = X[:, 2] * np.where(X[:, 0] > 5.5, 3, -1) + X[:, 1], np.tile(X, (3, 1))
    z = np.tile(z, 3) + np.random.default_rng(4).normal(size=len(many)) * 0.1
    holes = np.where(np.random.default_rng(3).random(many.shape) < 0.1, np.nan, many)
    models = [OmnivariateTreeRegressor(max_depth=2, pruning=None, **system).fit(rows, numbers)
              for system, rows, numbers in [
                  (dict(leaf_model="linear"), many, z), (dict(leaf_model="quadratic"), holes, z * 1e3),
                  (dict(leaf_model="auto", splitters="linear"), many.astype(np.float32), np.column_stack([z, -z])),
                  (dict(leaf_model="constant"), many, z), (dict(leaf_model="linear"), walk, np.nan_to_num(walk.age)),
                  (dict(leaf_model="linear", splitters="model_gain", criterion="linear_error"), many, z)]]
    models += [OmnivariateTreeClassifier("axis", max_depth=2, pruning=None, leaf_model="linear").fit(rows, labels)
               for rows, labels in [(many, np.tile(y, 3)), (holes, np.tile(y > 0, 3)), (walk, kind)]]
    return models


STRANGE = [None, True, -1, 0, 1, 2, 10**9, 2**53 + 1, 2**63, 10**400, 0.5, -0.0, 1e-320, 1e19, 1e38, 3.5e38, 1e100,
           1e250,
           1.7976931348623157e308, 1e400, "", "0", " a", "a", "A", "axis", "linear", "\ud800", "a\0b", "two\nlines",
           "'; --",
           '"', "x" * 300, [], [[]], {}, {"object": "splitter", "name": "axis", "parameters": {}}, [0] * 1000,
           {"pairs": [[0, 0]]}]


def change_value(data, rng, others):
    "One value, somewhere inside, replaced, left out, repeated, made larger, or taken from another file."
    at, key = data, rng.choice(list(data))
    if rng.random() < 0.6 and isinstance(data.get("tree"), dict):
        parts = ["nodes", "weights", "fill", "precision", "n_features", "target", "monotonic"]
        at, key = data["tree"], rng.choice(parts, p=[0.5, 0.2, 0.05, 0.05, 0.05, 0.1, 0.05])
    if rng.random() < 0.4 and data.get("leaf_models") and isinstance(data["leaf_models"], dict):
        at, key = data["leaf_models"], rng.choice(list(data["leaf_models"]))
    if key not in at: return
    while isinstance(at[key], (dict, list)) and at[key] and rng.random() < 0.93:
        at = at[key]
        key = str(rng.choice(list(at))) if isinstance(at, dict) else int(rng.integers(len(at)))
    number = type(at[key]) in (int, float) and abs(at[key]) < 1e300
    what = int(rng.choice([2, 3, 4, 5, 6])) if number and rng.random() < 0.6 else int(rng.integers(8))
    if what == 0: del at[key]
    elif what == 1 and isinstance(at, list): at.insert(key, at[key])
    elif what in (2, 3) and number: at[key] += int(rng.integers(-2, 3))
    elif what in (4, 5) and number:
        at[key] = float(at[key] * 10.0 ** int(rng.integers(-308, 309)) * rng.choice([-1, 1]))
    elif what == 6 and isinstance(at, list):
        other = int(rng.integers(len(at)))
        at[key], at[other] = at[other], at[key]
    elif what == 7 and at is data.get("tree"): at[key] = others[int(rng.integers(len(others)))]["tree"].get(key)
    elif what == 7 and at is data: at[key] = others[int(rng.integers(len(others)))].get(key)
    else: at[key] = STRANGE[int(rng.integers(len(STRANGE)))]


def change_text(text, rng):
    "One segment cut out or repeated, one character replaced, or the end missing."
    a, b = sorted(rng.integers(0, len(text) + 1, 2))
    b = min(b, a + 30)
    return [text[:a] + text[b:], text[:b] + text[a:],
            text[:a] + rng.choice(list('0123456789-+.eE"[]{},: \\n\0')) + text[a + 1:], text[:a]][rng.integers(4)]


def rows_for(model, rng, n=24):
    "Rows of the user's table, as a list of lists and as the estimator takes them."
    tree, encoder = model.tree_, model._encoder
    dtype, kinds = tree.weights.dtype, [None] * tree.n_features if encoder is None else encoder.categories
    asked = tree.threshold[(tree.kind == 0) & (np.abs(tree.threshold) < 1e30)]
    columns = []
    for categories in kinds:
        if categories is None:
            values = np.concatenate([rng.normal(3, 3, n), rng.normal(12, 9, 4), [0, -1, 1, 2, 1e9, -1e9, 1e-30],
                                     asked[:3], np.full(4, np.nan)])
        else: values = [*categories[:20], "unseen" if any(type(c) is str for c in categories) else 77, None]
        columns.append([values[k] for k in rng.integers(len(values), size=n)])
    columns = [list(np.array(c, float).astype(dtype).astype(float)) if k is None else c for c, k in zip(columns, kinds)]
    rows = [[None if v is None or v != v else v for v in row] for row in zip(*columns)]
    names = getattr(model, "feature_names_in_", None)
    if encoder is None:
        table = np.array(columns, float).T.astype(dtype)
        return rows, table if names is None else pd.DataFrame(table, columns=names)
    table = pd.DataFrame({k: pd.Series(c, dtype=dtype if kind is None else object)
                          for k, (c, kind) in enumerate(zip(columns, kinds))})
    return (rows, table.set_axis(range(len(kinds)) if names is None else names, axis=1) if names is not None
            else np.array(rows, object))


def close_calls(tree, M):
    "Which rows lie so near to a question that rounding decides."
    from omnivar.export.program_parts import settled_split
    close, eps = np.zeros(len(M), bool), 64 * float(np.finfo(tree.weights.dtype).eps)
    tiny = 1e-37 if tree.weights.dtype == np.float32 else 1e-300
    for q in tree.sums:
        record, _ = settled_split(tree, q)
        X = record.complete(M)[0].astype(np.longdouble)
        w, sizes = record.weights.astype(np.longdouble), np.abs(X)
        if record.kind == 5: # a bent sum is off by as much as its steepest slope makes of the rounding of the sum
            bend, slope = dict(tanh=(np.tanh, np.ones_like), cos=(np.cos, np.ones_like),
                               cube=(lambda a: a**3, lambda a: 3 * a**2))[record.function]
            sums, outputs = X @ w.T + record.offsets, np.abs(record.outputs).astype(np.longdouble)
            size = sizes @ np.abs(w).T + np.abs(record.offsets)
            off = eps * ((slope(size) * size + np.abs(bend(size)) + 1) @ outputs + abs(record.threshold)) + tiny
            close |= ~(np.abs(bend(sums) @ record.outputs.astype(np.longdouble) - record.threshold) > off)
            continue
        if record.kind == 4:
            s = np.sort(X @ w.T + record.intercepts, axis=1)
            size = (sizes @ np.abs(w).T + np.abs(record.intercepts)).max(1)
            close |= s[:, -1] - s[:, -2] <= eps * size + tiny
            continue
        s, size = X @ w, sizes @ np.abs(w)
        if record.kind == 2:
            m = record.matrix.astype(np.longdouble)
            s, size = s + ((X @ m) * X).sum(1), size + ((sizes @ np.abs(m)) * sizes).sum(1)
        close |= np.abs(s - record.threshold) <= eps * (size + abs(record.threshold)) + tiny
    return close


def leaves_by_records(tree, M):
    "Where the split records send the rows."
    from omnivar.export.program_parts import settled_split
    leaf = np.zeros(len(M), np.int64)
    for q in np.flatnonzero(~tree.is_leaf):
        rows = np.flatnonzero(leaf == q)
        if len(rows):
            record, heaviest = settled_split(tree, q)
            leaf[rows] = tree.first_child[q] + record.branch_of(M[rows], heaviest)
    return leaf


def answers_of_sql(model, rows):
    "What SQLite says about the rows, a tuple each, or None where SQL or SQLite cannot hold the names or the leaves."
    from omnivar import export_sql
    from omnivar.export.program_parts import plain_columns
    names = plain_columns(model, model.tree_)[0]
    try: text = export_sql(model)
    except ValueError as error:
        ways = "rename the column", "use texts instead", "of other names"
        if not any(way in str(error) for way in (*ways, *["models in its leaves"] * has_models(model))): raise
        return None
    if len({name.lower() for name in names}) < len(names): return None
    with contextlib.closing(sqlite3.connect(":memory:")) as base:
        base.execute("CREATE TABLE t (" + ", ".join('"' + n.replace('"', '""') + '"' for n in names) + ")")
        base.executemany(f"INSERT INTO t VALUES ({', '.join('?' * len(names))})", rows)
        return base.execute(f"SELECT {text} FROM t").fetchall()


def has_models(model): return model.tree_.leaf_models is not None


def answers_of_onnx(model, M, outputs):
    "Outputs of ONNX runtime, or None where ONNX has no such labels or leaves, or this Python no runtime."
    from omnivar import to_onnx
    try: import onnxruntime
    except ModuleNotFoundError: return None  # see settings.ini
    try: graph = to_onnx(model)
    except ValueError as error:
        if "cannot be written as ONNX" in str(error) or has_models(model) and "models in its leaves" in str(error):
            return None
        raise
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(graph.SerializeToString(), options, providers=["CPUExecutionProvider"])
    n = len(session.get_inputs()) and session.get_inputs()[0].shape[1]
    return session.run(outputs, {"X": np.ascontiguousarray(M[:, :n], model.tree_.weights.dtype)})


def agree(what, ours, theirs, decided=None):
    "Raise a `Defect` where two answers differ."
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    same = ours == theirs if ours.ndim < 2 else (ours == theirs).all(1)
    if decided is not None: same = same | ~decided
    if ours.shape != theirs.shape or not np.all(same):
        at = int(np.argmin(same)) if ours.shape == theirs.shape else -1
        raise Defect(f"{what} disagrees in row {at}: {ours[at]!r} and {theirs[at]!r}")


def check_forms(model, rng):
    "All forms of a model answer alike, and everything that can be asked of it has an answer."
    from sklearn.base import is_regressor
    from omnivar import export_graphviz, export_text, from_json
    from omnivar.estimators.validation import checked_arrays
    tree, (rows, table) = model.tree_, rows_for(model, rng)
    found = model.feature_importances_
    if not np.isfinite(found).all() or found.any() and abs(found.sum() - 1) > 1e-6: raise Defect("importances")
    M, leaf = checked_arrays(model, table), model.apply(table)
    sure = ~close_calls(tree, M)
    agree("the split record", leaf, leaves_by_records(tree, M), sure)
    for part in (slice(0, 1), slice(3, 20)): agree("a part of the rows", leaf[part], model.apply(table[part]))
    (check_numbers if is_regressor(model) else check_classes)(model, rows, table, M, leaf, sure)
    text = model.to_json()
    if from_json(text).to_json() != text: raise Defect("the file does not come back")
    export_text(model), export_graphviz(model), model._repr_html_(), model.n_parameters_, model.node_kinds_by_depth()


def same(what, ours, theirs):
    "Raise a `Defect` where two answers differ by more than the rounding of sums."
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    if ours.shape == theirs.shape:
        size = 1 + np.abs(ours).max(axis=0, initial=0)
        with np.errstate(all="ignore"): theirs = np.where(np.abs(ours - theirs) <= 1e-6 * size, ours, theirs)
    agree(what, ours, theirs)


def exported_python(model):
    "The functions of the exported module, or None for leaves that it says it cannot write."
    from omnivar import export_python
    program = {}
    try: exec(export_python(model), program)
    except ValueError as error:
        if model.tree_.leaf_models is None or "models in its leaves" not in str(error): raise
        return None
    return program


def check_classes(model, rows, table, M, leaf, sure):
    "Labels and probabilities of all forms of a classifier."
    labels, proba, simple = model.predict(table), model.predict_proba(table), model.tree_.leaf_models is None
    if not np.isfinite(proba).all() or (abs(proba.sum(1) - 1) > 1e-9).any():
        raise Defect("probabilities do not sum to one")
    if simple: agree("the leaf's probabilities", proba, model.tree_.values()[leaf])
    for part in (slice(0, 1), slice(3, 20)): same("a part of the rows", proba[part], model.predict_proba(table[part]))
    program, plain = exported_python(model), [v if type(v) in (bool, int, float, str) else v.item()
                                              for v in labels.tolist()]
    if program is None: return
    agree("exported Python", leaf, [program["leaf"](row) for row in rows])
    (agree if simple else same)("its probabilities", proba, [program["predict_proba"](row) for row in rows])
    sure = sure if simple else sure & clear_winner(proba)
    if any(program["predict"](row) != label for row, label, s in zip(rows, plain, sure) if s or simple):
        raise Defect("the labels of exported Python")
    by_sql = answers_of_sql(model, rows)
    if by_sql is not None and any(a != b[0] for a, b, s in zip(plain, by_sql, sure) if s): raise Defect("SQL disagrees")
    by_onnx = answers_of_onnx(model, M, ["leaf", "label", "probabilities"])
    if by_onnx is not None:
        agree("ONNX", leaf, by_onnx[0], sure)
        agree("the labels of ONNX", np.array(plain)[sure], np.array(by_onnx[1].tolist())[sure])
        (agree if simple else same)("the probabilities of ONNX", proba[sure], by_onnx[2][sure])


def clear_winner(proba):
    "Which rows have one class that is clearly the most probable."
    top = np.sort(proba, axis=1)
    return np.ones(len(proba), bool) if proba.shape[1] < 2 else top[:, -1] - top[:, -2] > 1e-6


def check_numbers(model, rows, table, M, leaf, sure):
    "Numbers and their spread in all forms of a regressor."
    (found, spread), tree, one = model.predict(table, return_std=True), model.tree_, model.n_outputs_ == 1
    if not (np.isfinite(found).all() and np.isfinite(spread).all() and (spread >= 0).all()):
        raise Defect("a prediction or a spread is no finite number")
    agree("predict without spread", found, model.predict(table))
    simple = tree.leaf_models is None
    if simple: agree("the leaf's value", found, tree.values()[leaf][:, 0] if one else tree.values()[leaf])
    for part in (slice(0, 1), slice(3, 20)): same("a part of the rows", found[part], model.predict(table[part]))
    program = exported_python(model)
    if program is None: return
    agree("exported Python", leaf, [program["leaf"](row) for row in rows])
    (agree if simple else same)("its values", found, [program["predict"](row) for row in rows])
    agree("its spread", spread, [program["spread"](row) for row in rows])
    by_sql = answers_of_sql(model, rows)
    if by_sql is not None:
        by_sql = np.array(by_sql, float)
        same("SQL", found[sure], (by_sql[:, 0] if one else by_sql)[sure])
    by_onnx = answers_of_onnx(model, M, ["leaf", "value", "spread"])
    if by_onnx is not None:
        agree("ONNX", leaf, by_onnx[0], sure)
        (agree if simple else same)("the values of ONNX", found[sure], by_onnx[1][sure])
        agree("the spread of ONNX", spread[sure], by_onnx[2][sure])


def files_case(rng, sound):
    from omnivar import ModelFileError, from_json
    data = json.loads(json.dumps(sound[int(rng.integers(len(sound)))]))
    if rng.random() < 0.15: text = change_text(json.dumps(data), rng)
    else:
        for _ in range(int(rng.choice([1, 1, 1, 2, 3]))): change_value(data, rng, sound)
        text = json.dumps(data)
    try: model = from_json(text)
    except ModelFileError as error:
        if "\n" in str(error) or len(str(error)) > 700: raise Defect(f"no short line: {error}") from None
        return "refused"
    check_forms(model, rng)
    return "agrees"


# ---- tables for the commands


def sound_tables():
    "Texts of CSV files."
    walk, kind = table_of_trees(30, 1)
    walk["kind"] = np.array(["oak", "ash", "fir"])[kind]
    days = pd.date_range("2024-01-01", periods=30).strftime("%Y-%m-%d")
    frames = [walk, walk.assign(day=days)[["day", "height", "kind"]], pd.DataFrame(dict(
        a=np.arange(30) / 7, b=np.arange(30) % 5, target=np.arange(30) % 3)), walk[["bark", "girth", "kind"]]]
    return [frame.to_csv(index=False, sep=sep) for frame in frames for sep in ",;\t"]


HOSTILE_TEXTS = ["", " ", "?", "NA", "nan", "inf", "-inf", "1e400", "1e308", "0x10", "1,5", "1.000,5", "1_000", "٣",
                 "½", "\ufeff",
                 "\0", '"', '""', '"a', "a\nb", "\r", "\r\n", "\t", ";", ",", "|", "true", "False", "2024-02-30",
                 "2024-01-01",
                 "1/2/2024", "12:30", "2024-01-01T10:00:00Z", "é", "\ud7ff", "\u2028", "𝔘", "'", "=1+1", "-", "--drop",
                 "x" * 5000,
                 "1" * 400, "kind", "height", "bark=rough", "target", "class"]


def change_table(text, rng):
    "A file of bytes: fields, lines, columns or bytes of a sound one changed."
    lines = text.split("\n")
    if not text: return b"a,b"
    what = int(rng.integers(12))
    k = int(rng.integers(len(lines)))
    sep = max(",;\t", key=lines[0].count)
    fields = lines[k].split(sep)
    f = int(rng.integers(len(fields)))
    strange = HOSTILE_TEXTS[int(rng.integers(len(HOSTILE_TEXTS)))]
    if what <= 2:
        fields[f] = strange
        lines[k] = sep.join(fields)
    elif what == 3: lines[k] = sep.join(fields[:f] + fields[f + 1:])
    elif what == 4: lines.insert(k, lines[int(rng.integers(len(lines)))])
    elif what == 5: lines = lines[:k]
    elif what == 6:  # a whole column
        lines = [sep.join([*p[:f], strange if i or rng.random() < 0.3 else p[f], *p[f + 1:]])
                 if len(p := line.split(sep)) > f
                 else line for i, line in enumerate(lines)]
    elif what == 7: lines[0] = sep.join([fields[0] if k == 0 else strange, *lines[0].split(sep)[1:]])
    elif what == 8: return change_text(text, rng).encode("utf-8", "surrogatepass")
    elif what == 9:
        raw = bytearray(text.encode())
        for _ in range(int(rng.integers(1, 5))): raw[int(rng.integers(len(raw)))] = int(rng.integers(256))
        return bytes(raw)
    elif what == 10: return text.encode(str(rng.choice(["utf-16", "latin-1", "utf-8-sig", "cp037"])), "replace")
    else: lines = [line.replace(sep, str(rng.choice(list(",;|\t ")))) for line in lines]
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def command(*words, codes=(0, 2)):
    "Run a command in this process; its exit code."
    from typer.testing import CliRunner
    from omnivar.cli.main import app
    result = CliRunner().invoke(app, list(map(str, words)))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise Defect(f"a traceback of {words[0]}: {result.exception!r}"[:400]) from result.exception
    if result.exit_code not in codes: raise Defect(f"exit code {result.exit_code}: {result.output[-300:]}")
    said = [line for line in result.stderr.splitlines() if not line.startswith("Note: ")]
    if (result.exit_code == 2
        and not (len(said) == 1 and said[0].startswith("omnivar: ") or said[0].startswith("Usage"))):
        raise Defect(f"no one-line error: {result.stderr[-300:]!r}")
    return result.exit_code


def tables_case(rng, state):
    sound, folder, models = state
    file, saved = folder / f"{os.getpid()}.csv", folder / f"{os.getpid()}.json"
    content = sound[int(rng.integers(len(sound)))]
    changed = change_table(content, rng)
    for _ in range(int(rng.integers(0, 2))):
        with contextlib.suppress(UnicodeDecodeError): changed = change_table(changed.decode(), rng)
    if rng.random() < 0.05:
        import gzip
        file, changed = file.with_suffix(".csv.gz"), gzip.compress(changed)[:int(rng.integers(10, 3000))]
    file.write_bytes(changed)
    if rng.random() < 0.3: return f"predict {command('predict', models[int(rng.integers(len(models)))], file)}"
    options = [[], ["--splitters", "axis,category"], ["--criterion", "max_cut"], ["--target", "kind"],
               ["--drop", "height"],
               ["--preset", "C4.5"], ["--dates", "day"]][int(rng.integers(7))]
    if command("fit", file, "--save", saved, "--force", "--max-depth", 2, *options): return "fit 2"
    if command("predict", saved, file): raise Defect("a table that fit takes and predict does not")
    for form in ("python", "sql", "text"): command("export", saved, "--to", form)
    return "fit 0"


# ---- Parquet files


def sound_parquet(rng):
    "The bytes of a Parquet file: a table of a usual or of a strange kind, written in one of many ways."
    import io
    import pyarrow
    from pyarrow import parquet
    if rng.random() < 0.8: frame = pd.read_csv(io.StringIO(sound_tables()[int(rng.choice([0, 3, 6, 9]))]))
    else: frame = strange_table(rng, names_of_frame=True)
    if "day" in frame and rng.random() < 0.5: frame["day"] = pd.to_datetime(frame["day"])
    simple = pyarrow.table(dict(a=range(30), kind=["u", "v"] * 15))
    try: table = pyarrow.Table.from_pandas(frame, preserve_index=bool(rng.integers(2)))
    except Exception: table = simple  # Arrow has no such column
    if rng.random() < 0.3:
        names = [name if rng.random() < 0.7 else HOSTILE_TEXTS[int(rng.integers(len(HOSTILE_TEXTS)))]
                 for name in table.column_names]
        with contextlib.suppress(UnicodeEncodeError): table = table.rename_columns(names)
    file, pick = io.BytesIO(), lambda *values: values[int(rng.integers(len(values)))]
    try: parquet.write_table(table, io.BytesIO())
    except Exception: table = simple  # nor has Parquet
    parquet.write_table(table, file, compression=pick("snappy", "gzip", "zstd", "lz4", "brotli", "none"),
                        use_dictionary=pick(True, False), row_group_size=pick(None, 1, 7),
                        data_page_version=pick("1.0", "2.0"), write_statistics=pick(True, False),
                        write_page_checksum=pick(True, False), store_schema=pick(True, False),
                        data_page_size=pick(None, 64), version=pick("1.0", "2.4", "2.6"))
    return file.getvalue()


def change_bytes(raw, rng):
    "Bytes replaced, cut out, repeated or missing; half of the time in the description at the end of the file."
    raw = bytearray(raw)
    low = max(0, len(raw) - 8 - int.from_bytes(raw[-8:-4], "little")) if rng.random() < 0.5 else 0
    what = int(rng.integers(6))
    for _ in range(int(rng.choice([1, 1, 2, 5, 20])) if what < 4 else 0):
        raw[int(rng.integers(low, len(raw)))] = int(rng.choice([0, 1, 127, 128, 255, int(rng.integers(256))]))
    a, b = sorted(rng.integers(low, len(raw) + 1, 2))
    if what == 4: return bytes(raw[:a] + raw[min(b, a + 30):]) if rng.random() < 0.8 else bytes(raw[:a])
    if what == 5: return bytes(raw[:b] + raw[a:b] + raw[b:])
    return bytes(raw)


def parquet_case(rng, state):
    _, folder, models = state
    file, saved = folder / f"{os.getpid()}.parquet", folder / f"{os.getpid()}.json"
    raw = sound_parquet(rng)
    if rng.random() < 0.8: raw = change_bytes(raw, rng)
    file.write_bytes(raw)
    if rng.random() < 0.3: return f"predict {command('predict', models[int(rng.integers(len(models)))], file)}"
    options = [[], ["--splitters", "axis,category"], ["--criterion", "max_cut"], ["--target", "kind"],
               ["--drop", "height"], ["--dates", "day"], ["--task", "regression"]][int(rng.integers(7))]
    if command("fit", file, "--save", saved, "--force", "--max-depth", 2, *options): return "fit 2"
    if command("predict", saved, file): raise Defect("a table that fit takes and predict does not")
    return "fit 0"


# ---- data frames and arrays


def strange_column(rng, n):
    "A column of some kind."
    kinds = [
        lambda: rng.normal(size=n), lambda: rng.integers(0, 5, n), lambda: rng.normal(size=n).astype(np.float32),
        lambda: rng.integers(0, 255, n).astype(np.uint8),
        lambda: np.where(rng.random(n) < 0.3, np.nan, rng.normal(size=n)),
        lambda: np.full(n, np.nan), lambda: np.where(rng.random(n) < 0.1, np.inf, 1.0),
        lambda: rng.choice(["u", "v"], n),
        lambda: rng.choice(["u", "v", None, np.nan, pd.NA], n), lambda: np.full(n, None),
        lambda: rng.choice([True, False], n),
        lambda: pd.Categorical(rng.choice(["S", "M"], n), ["L", "M", "S"]),
        lambda: pd.Categorical(rng.choice([1.5, 2], n)),
        lambda: pd.array(rng.choice([1, 2, None], n), "Int64"),
        lambda: pd.array(rng.choice([True, None], n), "boolean"),
        lambda: pd.array(rng.choice(["a", None], n), "string"), lambda: pd.date_range("2020-01-01", periods=n),
        lambda: pd.to_timedelta(np.arange(n), "h"), lambda: pd.period_range("2020-01", periods=n, freq="M"),
        lambda: np.full(n, 1 + 2j), lambda: rng.choice([1, "1", 1.0, True, "x"], n), lambda: [[1]] * n,
        lambda: [{}] * n,
        lambda: [b"bytes"] * n, lambda: np.full(n, 10**40, object), lambda: np.full(n, 2**63, np.uint64),
        lambda: np.full(n, "2024-01-01"), lambda: rng.normal(size=n).astype(np.float16), lambda: np.full(n, 1e308),
        lambda: pd.interval_range(0, n), lambda: pd.array(rng.normal(size=n), "Float32"),
        lambda: list(np.arange(n).astype(str)),
        lambda: pd.arrays.SparseArray(rng.integers(0, 2, n)), lambda: pd.date_range("2020", periods=n, tz="Asia/Tokyo"),
        lambda: np.where(rng.random(n) < 0.2, np.datetime64("NaT"), np.datetime64("2020-01-01T12:00")),
        lambda: [()] * n,
        lambda: np.full(n, np.float64(1e-320)), lambda: rng.choice(["\ud800", "a\0b", ""], n),
        lambda: np.arange(n) * 1e300]
    return kinds[int(rng.integers(len(kinds)))]()


def as_series(values):
    "A column of a frame; texts of pandas that are kept by Arrow cannot hold half a character."
    try: return pd.Series(values)
    except UnicodeEncodeError: return pd.Series(values, dtype=object)


def strange_table(rng, n=30, names_of_frame=False):
    "A data frame, an array, or a list; always a data frame on demand."
    d = int(rng.integers(1, 5))
    names = [str(rng.choice(["a", "b", "", "two\nlines", "a b", "x", "y", "z"])) for _ in range(d)]
    if rng.random() < 0.6: names = list("abcd")[:d]
    if rng.random() < 0.1: names = [("m", k) for k in range(d)] if rng.random() < 0.5 else list(range(d))
    frame = pd.concat([as_series(strange_column(rng, n)) for _ in range(d)], axis=1)
    frame.columns = pd.MultiIndex.from_tuples(names) if isinstance(names[0], tuple) else names
    if names_of_frame: return frame
    what = int(rng.integers(9))
    if what == 0: return frame.to_numpy()
    if what == 1: return frame.to_numpy(object).tolist()
    if what == 2:
        import polars
        try: return polars.DataFrame({f"c{k}": list(frame.iloc[:, k]) for k in range(d)}, strict=False)
        except BaseException: return frame  # polars has no such column
    if what == 3: return frame.set_axis(rng.integers(0, 3, n), axis=0)
    if what == 4: return frame.iloc[:int(rng.integers(0, 3))]
    return frame


EXPECTED = ValueError, TypeError, MemoryError  # said in words


def answer(work):
    "What comes of some work: an answer, or the kind of a clear error."
    try: return work(), "answer"
    except EXPECTED as error:
        if not str(error).strip(): raise Defect(f"{type(error).__name__} without words") from error
        return None, type(error).__name__


def state_of(model):
    "All that a fit sets."
    return {name: id(value) for name, value in vars(model).items()}


def differing(one, other): return sorted(name for name in {*one, *other} if one.get(name) != other.get(name))


def estimator(rng, olds, **parameters):
    "An estimator of one of the three kinds with these parameters, those that it has, and with the state of a fit."
    old = olds[int(rng.choice([0, 0, 0, 1, 1, 2]))]
    model = type(old)(**{name: value for name, value in parameters.items() if name in old.get_params(deep=False)})
    vars(model).update({name: value for name, value in vars(old).items() if name.endswith("_") or name[0] == "_"})
    return model


def ways_to_ask(model):
    "Everything that takes rows."
    names = "predict predict_proba apply decision_path score_samples"
    return [getattr(model, name) for name in names.split() if hasattr(model, name)]


def check_answers(model, rows):
    "Refuse answers that are no numbers."
    for name in ("predict_proba", "predict", "score_samples"):
        if not hasattr(model, name): continue
        found, _ = answer(lambda: np.asarray(getattr(model, name)(rows)))
        if found is not None and found.dtype.kind == "f" and (np.isnan(found).any() or np.isposinf(found).any()):
            raise Defect(f"{name}: an answer is no finite number")  # the density outside of the support is zero


def frames_case(rng, olds):
    table, other = strange_table(rng), strange_table(rng)
    y = [np.arange(30) % 3, np.array(["oak", "ash", "fir"] * 10), strange_column(rng, 30), np.arange(30) / 7,
         pd.concat([as_series(strange_column(rng, 30)) for _ in range(2)], axis=1)][int(rng.integers(5))]
    from omnivar.estimators.saved_models import ESTIMATORS
    splitters = ["auto", "axis", ["axis", "category"], "linear", "node_means_pca", ["category_each", "linear"]]
    model = estimator(rng, olds, splitters=splitters[int(rng.integers(6))], max_depth=3,
                      leaf_model="linear" if rng.random() < 0.2 else None)
    before = state_of(model)
    fitted, outcome = answer(lambda: model.fit(table, y))
    if fitted is None and (changed := differing(state_of(model), before)):
        raise Defect(f"a fit that failed has changed {', '.join(changed)}")
    rows = other if fitted is None or rng.random() < 0.5 else table
    for ask in ways_to_ask(model): more = answer(lambda: ask(rows))[1]
    check_answers(model, rows)
    if fitted is not None and type(model) in ESTIMATORS: answer(lambda: model.to_json())
    return f"fit {outcome}, predict {more}"


# ---- arguments


ARGUMENTS = dict(splitters=["auto", "axis", "linear", ["axis", "linear"], ["axis", "quadratic"], "node_pca", "poles",
                            "category", [], None, 3,
                            "axes", [None], ("axis", "axis"), "linear_search", "univariate_lda", {"axis"}, object()],
                 criterion=["gini", "entropy", "log_loss", "gain_ratio", "max_cut", "mse", None, 1, [], "squared_error",
                            "absolute_error", "poisson", "linear_error", "log_likelihood"],
                 selection=["auto", "best", "first", "aic", "bic", "mdl", "cv", "worst", None, 0, object()],
                 pruning=["auto", None, "cost_complexity", "cost_complexity_cv", "leaf_price", "aic", "bic", "mdl",
                          "reduced_error", "cv",
                          "chi_square", "pessimistic", "all", 0, object()],
                 standardize=[True, False, None, 1, "yes", np.True_],
                 class_weight=[None, "balanced", {0: 1, 1: 5, 2: 0}, {0: -1}, {9: 1},
                                                                     {0: np.nan}, {0: 1e300}, "heavy", [1, 2]],
                 categorical_features=["from_dtype",
                                       None, [0], [True, False, False], ["a"], [7], "a", [0.5], [], np.array([1])],
                 cost_matrix=[None, np.ones((3, 3)), 1 - np.eye(3), np.eye(2), "x", [[np.nan]], -np.ones((3, 3)),
                              np.full((3, 3), 1e200)], leaf_probability=[None, "laplace", "m_estimate", "none", 3],
                 ccp_alpha=[0.0, 0.01, 1e9, -1, np.nan, "0", np.inf, True],
                 max_depth=[None, 1, 3, 0, -1, 2.5, 10**30, "3", True, np.int64(2)],
                 min_samples_split=[2, 5, 0.5, 1, 0, 1.0, 10**30, np.nan, "2", True, None],
                 min_samples_leaf=[1, 3, 0.2, 0, 1.0, 0.999999, 10**30, -1, None, "1"],
                 min_weight_fraction_leaf=[0.0, 0.3, 0.5, 0.6, -0.1, np.nan, None, "0"],
                 max_features=[None, 1, 2, 0.5, "sqrt", "log2", 0, -1, 1.5, 10**9, "all", np.nan, True],
                 max_leaf_nodes=[None, 2, 5, 1, 0, 2.5,
                                                                                                         10**30],
                 min_impurity_decrease=[0.0, 0.01, 1e308, -1, np.nan, None],
                 monotonic_cst=[None, [0, 0, 0], [1, 0, -1], {"a": 1}, [2, 0, 0], [1, 0], "a", {"z": 1}, [np.nan] * 3],
                 leaf_model=[None, "linear", "quadratic", "auto", "constant", "lines", 3, object()],
                 n_folds=[10, 2, 1, 0, 30, 31, 10**30, None, 2.5, "10"],
                 support=[None, (0.0, 1.0), [[-9] * 3, [9] * 3], [[0, 9]] * 3, (1, 0), "all", np.nan,
                          (-np.inf, np.inf)],
                 random_state=[None, 0, 7, np.random.RandomState(0), "seed", -1, 2**40, 1.5, np.nan],
                 n_jobs=[None, 1, 2, -1, 0, 10**6, 1.5, "2"])
WEIGHTS = [None, np.ones(30), np.zeros(30), -np.ones(30), np.full(30, np.nan), np.full(30, 1e300), np.full(30, 1e-300),
           2.0, "w",
           np.ones(29), np.ones((30, 1)), np.arange(30) * 0.1, [1] * 30, np.full(30, True), np.eye(30)]


def strange_numbers(rng):
    "What a regressor may be asked to learn."
    y = rng.normal(size=30).round(1)
    return [y, y, y, np.abs(y), rng.integers(0, 5, 30), np.column_stack([y, -y]), y * 1e300, y * 1e-300, y + 1e15,
            np.full(30, 3.0), y[:29], y[:, None], y.astype(str), np.where(y > 1, np.nan, y), np.where(y > 1, np.inf, y),
            list(y), y > 0, pd.Series(y), y.astype(np.float32), np.empty((30, 0)), np.full(30, 1.7e308) * np.sign(y),
            y.astype(object), np.full(30, "2024-01-01", "datetime64[D]")][int(rng.integers(23))]


def arguments_case(rng, olds):
    from omnivar.estimators.saved_models import ESTIMATORS
    names = rng.choice(list(ARGUMENTS), int(rng.choice([1, 1, 1, 2, 3])), replace=False)
    parameters = {name: ARGUMENTS[name][int(rng.integers(len(ARGUMENTS[name])))] for name in names}
    X, y = rng.normal(size=(30, 3)).round(1), rng.integers(0, 3, 30)
    table = [X, X, X.astype(np.float32), pd.DataFrame(X, columns=list("abc")),
             pd.DataFrame(X, columns=list("abc")).assign(c=np.where(X[:, 2] > 0, "u", "v"))][int(rng.integers(5))]
    weights = WEIGHTS[int(rng.integers(len(WEIGHTS)))] if rng.random() < 0.3 else None
    model = estimator(rng, olds, **{"max_depth": 4} | parameters)
    if not hasattr(model, "classes_"): y = strange_numbers(rng)
    before = state_of(model)
    fitted, outcome = answer(lambda: model.fit(table, y, weights))
    if fitted is None and (changed := differing(state_of(model), before)):
        raise Defect(f"a fit that failed has changed {', '.join(changed)}")
    for rows in (table, X[:, :1], np.zeros((2, 3_000)), X[:0], X[0], [[1, 2, 3]], strange_table(rng)):
        for ask in ways_to_ask(model): answer(lambda: ask(rows))
    if fitted is not None: check_answers(model, table)
    if fitted is not None and type(model) in ESTIMATORS and answer(model.to_json)[0] is not None:
        again, outcome_of_second = answer(lambda: model.fit(table, y, weights))
        if again is None: raise Defect(f"the same fit once more: {outcome_of_second}")
    return f"fit {outcome}"


# ---- experiment files and stores


TOML = """name = "small"
datasets = ["iris", {file = "FILE", target = "kind", name = "walk"}]
seeds = [0, 1]
methods = ["Omnivar", "C4.5", {preset = "CART", label = "short", parameters = {max_depth = 2}}]

[protocol]
kind = "kfold"
folds = 5
stratify = true

[report]
measures = ["accuracy", "leaves"]
baseline = "Omnivar"
tests = ["corrected-t"]
alpha = 0.05
wins = true
"""


def toml_case(rng, folder):
    from omnivar.experiments.experiment_file import read_experiment
    from omnivar.messages import DataError
    text = TOML.replace("FILE", str(folder / "walk.csv"))
    for _ in range(int(rng.integers(1, 3))):
        found = list(re.finditer(r'"[^"]*"|[0-9.]+|true|[a-z_]+(?= =)', text))
        if rng.random() < 0.3 or not found: text = change_text(text, rng)
        else:
            token, other = found[int(rng.integers(len(found)))], found[int(rng.integers(len(found)))]
            strange = ['""', "[]", "{}", "-1", "1e999", "nan", "true", "99999999999999999999", '"\\u0000"', "[[]]", "0",
                       "2", "x"]
            new = other[0] if rng.random() < 0.4 else strange[int(rng.integers(len(strange)))]
            text = text[:token.start()] + new + text[token.end():]
    path = folder / f"{os.getpid()}.toml"
    path.write_text(text, errors="surrogatepass")
    try: read_experiment(path)
    except DataError as error:
        if not str(error).strip(): raise Defect("an error without words") from None
        return "refused"
    return "read"


def store_bytes(folder):
    "A small file of results."
    from omnivar.experiments.store import Store
    path = folder / "sound.sqlite"
    rng = np.random.default_rng(0)
    with Store(path) as store:
        cells = [dict(experiment="e", dataset=d, method=m, split=f"{s}", seed=0, key=f"{d}{m}{s}")
                 for d in "ab" for m in "xy" for s in range(5)]
        store.plan(cells)
        store.add([dict(key=c["key"], n_train=90, n_test=30, accuracy=0.9, leaves=3, version="1", finished="now",
                        predictions=rng.integers(0, 3, 30), correct=rng.random(30) < 0.9) for c in cells])
        store.connection.execute("PRAGMA journal_mode = DELETE")
    return path.read_bytes()


def stores_case(rng, state):
    from omnivar.experiments.store import Store
    from omnivar.messages import DataError
    sound, folder = state
    raw = bytearray(sound)
    for _ in range(int(rng.choice([1, 1, 2, 20]))):
        at = int(rng.integers(len(raw))) if rng.random() < 0.5 else int(rng.integers(min(len(raw), 8192)))
        raw[at] = int(rng.integers(256))
    if rng.random() < 0.2: raw = raw[:int(rng.integers(len(raw)))]
    path = folder / f"{os.getpid()}.sqlite"
    for old in folder.glob(f"{os.getpid()}.sqlite*"): old.unlink()
    path.write_bytes(raw)
    outcomes = set()
    def ask(work):
        try: work(); outcomes.add("answer")
        except DataError: outcomes.add("refused")
    def use():
        with Store(path, create=False) as store:
            ask(store.frame), ask(lambda: store.predictions("ax0")), ask(lambda: store.right("by3"))
            ask(lambda: store.done(["ax0", "none"])), ask(lambda: store.forget(["bx1"]))
            ask(lambda: store.add([dict(key="ax0", accuracy=0.5)]))
    ask(use)
    command("results", path, codes=(0, 1, 2))
    return " and ".join(sorted(outcomes))


# ---- running


def prepared(kind, folder):
    "What the cases of one kind start from."
    from omnivar import OmnivariateDensityTree, OmnivariateTreeClassifier, OmnivariateTreeRegressor
    if kind == "files": return sound_models()
    if kind == "toml":
        from omnivar.experiments.experiment_file import read_experiment
        (folder / "walk.csv").write_text(sound_tables()[0])
        (folder / "sound.toml").write_text(TOML.replace("FILE", str(folder / "walk.csv")))
        read_experiment(folder / "sound.toml")  # imports what is needed, without the limit of time
        return folder
    if kind == "stores": return store_bytes(folder), folder
    if kind in ("tables", "parquet"):
        models = []
        for k, text in enumerate(sound_tables()[::3]):
            (folder / f"{k}.csv").write_text(text)
            models.append(folder / f"{k}.json")
            command("fit", folder / f"{k}.csv", "--save", models[-1], "--max-depth", 3, "--force")
        return sound_tables(), folder, [m for m in models if m.exists()]
    X, y = np.arange(60.0).reshape(20, 3), np.arange(20) % 3
    return (OmnivariateTreeClassifier("axis").fit(X, y), OmnivariateTreeRegressor("axis").fit(X, y),
            OmnivariateDensityTree(min_samples_leaf=2, n_folds=2).fit(X))


CASES = dict(files=files_case, tables=tables_case, frames=frames_case, arguments=arguments_case, toml=toml_case,
             stores=stores_case, parquet=parquet_case)


def one_case(kind, number, seed, state):
    "The outcome of a case; anything unexpected is a `Defect`."
    rng = np.random.default_rng([seed, list(CASES).index(kind), number])
    def late(*_): raise Hang(f"more than {LIMIT_SECONDS} s")
    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, LIMIT_SECONDS)  # of the processor, whatever else the machine does
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return CASES[kind](rng, state)
    except Defect: raise
    except Hang as error: raise Defect(str(error)) from error
    except Exception as error: raise Defect(f"{type(error).__name__}: {str(error)[:300]}") from error
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def run_cases(kind, numbers, seed=0, say=None):
    "Run cases in this process: outcomes with their counts, and defects by number."
    outcomes, defects = Counter(), {}
    with tempfile.TemporaryDirectory() as folder:
        state = prepared(kind, Path(folder))
        for number in numbers:
            if say: say(number)
            try: outcomes[one_case(kind, number, seed, state)] += 1
            except Defect as defect: defects[number] = str(defect)
    return outcomes, defects


def work(kind, first, last, step, seed, out):
    "A worker: cases first, first + step, ... below last; the file `out` has the number under way, then the result."
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT_BYTES, LIMIT_BYTES))
    with open(out, "w") as file:
        def say(number):
            file.seek(0)
            file.write(f"{number}\n")
            file.flush()
        outcomes, defects = run_cases(kind, range(first, last, step), seed, say)
        file.write(json.dumps([dict(outcomes), defects]))


def survive(kind, first, last, step, seed, out):
    "Run a share of the cases, again from behind a case that ended its process."
    outcomes, defects = Counter(), {}
    while first < last:
        words = [sys.executable, __file__, "--worker", kind, *map(str, (first, last, step, seed)), out]
        process, seen, since = subprocess.Popen(words, stderr=subprocess.PIPE, text=True), None, time.monotonic()
        while process.poll() is None:
            time.sleep(0.2)
            now = Path(out).read_text()[:12] if Path(out).exists() else None
            if now != seen: seen, since = now, time.monotonic()
            if time.monotonic() - since > SILENT_SECONDS: process.kill()
        text = Path(out).read_text() if Path(out).exists() else ""
        if process.returncode == 0:
            more, found = json.loads(text.split("\n", 1)[1])
            return outcomes + Counter(more), defects | found
        number = int(text.split("\n")[0] or first)
        defects[number] = f"the process ended with {process.returncode}: {process.stderr.read()[-300:]}"
        if not text: return outcomes, defects  # it never began
        first = number + step
    return outcomes, defects


RECORD = Path(__file__).parents[1] / "guide/reliability/hostile.csv"


def record(kind, cases, outcomes, n_defects, seed, seconds):
    "Put the counts of a kind into the table that the site shows, instead of its old ones."
    import datetime
    import platform
    good = r"agrees|read|(fit|predict) (0|answer)|answer"
    answered = sum(n for outcome, n in outcomes.items() if re.match(good, outcome))
    row = dict(kind=kind, cases=cases, answered=answered, refused=sum(outcomes.values()) - answered, defects=n_defects,
               seed=seed, seconds=round(seconds), date=datetime.date.today(), Python=platform.python_version(),
               numpy=np.__version__, pandas=pd.__version__)
    rows = pd.read_csv(RECORD) if RECORD.exists() else pd.DataFrame(columns=list(row))
    rows = pd.concat([rows[rows["kind"] != kind].astype(object), pd.DataFrame([row], dtype=object)])
    rows = rows.set_index("kind").reindex([k for k in CASES if k in set(rows["kind"])])
    RECORD.parent.mkdir(exist_ok=True)
    rows.to_csv(RECORD, lineterminator="\n")


def all_cases(wanted, seed, jobs, recorded=False):
    "Run so many cases of each kind; print counts and defects, and at the end their sums."
    from concurrent.futures import ThreadPoolExecutor
    total = 0
    for k, (kind, count) in enumerate(wanted.items(), 1):
        print(f"== {k} of {len(wanted)}, {kind}: {count:,} cases", flush=True)
        start = time.monotonic()
        with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
            parts = list(pool.map(lambda j: survive(kind, j, count, jobs, seed, f"{folder}/{j}"), range(jobs)))
        outcomes, defects = sum((part[0] for part in parts),
                                Counter()), {k: v for part in parts for k, v in part[1].items()}
        counts = ", ".join(f"{n:,} {outcome}" for outcome, n in outcomes.most_common())
        print(f"{kind}: {count:,} cases in {time.monotonic() - start:.0f} s: {counts}; {len(defects)} defects",
              flush=True)
        for number, defect in sorted(defects.items(), key=lambda pair: int(pair[0]))[:40]:
            print(f"  {kind}@{number} (--seed {seed}): {defect}", flush=True)
        total += len(defects)
        if recorded: record(kind, count, outcomes, len(defects), seed, time.monotonic() - start)
    print(f"{sum(wanted.values()) - total:,} passed, {total} failed")
    return total


def case_of(word):
    "Kind and number of files@17 and of files=17."
    kind, _, number = word.replace("@", "=").partition("=")
    if kind not in CASES or not number.isdecimal():
        sys.exit(f"{word!r} is neither a case, like files@17, nor a number of cases, like files=17; "
                 f"kinds are {', '.join(CASES)}")
    return kind, int(number)


def main(words):
    if words[:1] == ["--worker"]: return work(words[1], *map(int, words[2:6]), words[6])
    recorded, words = "--record" in words, [word for word in words if word != "--record"]
    options = {name: int(words[words.index(name) + 1]) for name in ("--seed", "--jobs") if name in words}
    words = [w for k, w in enumerate(words) if not w.startswith("--") and not (k and words[k - 1].startswith("--"))]
    seed = options.get("--seed", 0)
    asked = [(*case_of(word), word) for word in words]
    for kind, number, word in [one for one in asked if "@" in one[2]]:  # one case, with its traceback
        with tempfile.TemporaryDirectory() as folder:
            print(word, one_case(kind, number, seed, prepared(kind, Path(folder))))
    wanted = {kind: count for kind, count, word in asked if "=" in word}
    if words and not wanted: return
    jobs = options.get("--jobs", max(1, (os.cpu_count() or 1) // 2))
    sys.exit(all_cases(wanted or USUAL, seed, jobs, recorded) > 0)


if __name__ == "__main__": main(sys.argv[1:])
