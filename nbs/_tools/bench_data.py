"""The data sets that bench.py times: small tables, made-up clusters, digits, bytes made to look like pictures, and a
table of numbers and words."""
import os
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from sklearn.datasets import load_iris, make_classification


class Data(NamedTuple):
    "Rows to fit and, where a set has them, rows to test."
    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray = None
    y_test: np.ndarray = None


def folder():
    "The data folder, or None."
    named = Path(os.environ.get("OMNIVAR_DATA") or "no such folder")
    return named if named.is_dir() else None


def table(name):
    "A numeric table of the data folder, the target in its last column."
    frame = pd.read_csv(folder() / f"{name}.csv.gz")
    return Data(np.ascontiguousarray(frame.iloc[:, :-1], dtype=np.float64), frame.iloc[:, -1].to_numpy())


def made(n_rows, n_features, n_classes):
    "scikit-learn's made-up clusters, float32."
    X, y = make_classification(n_rows, n_features, n_informative=10, n_classes=n_classes, random_state=0)
    return Data(X.astype(np.float32), y)


def mnist():
    "Digits, 80 % to fit and 20 % to test."
    with np.load(folder() / "mnist.npz") as file: X, y = file["X"], file["y"]
    order = np.random.default_rng(0).permutation(70_000)
    fit, test = order[:56_000], order[56_000:]
    return Data(X[fit], y[fit], X[test], y[test])


def smooth_fields(n_frequencies=12, side=32):
    "Cosine waves over a square, weaker the finer they are: (waves, pixels), and the frequency of each."
    step = np.arange(n_frequencies)
    frequency = np.hypot.outer(step, step).ravel()
    wave = np.cos(np.pi * np.outer(step, np.arange(side) + 0.5) / side)
    fields = np.einsum("ux,vy->uvxy", wave, wave).reshape(len(frequency), -1)
    fields *= (np.where(frequency > 0, 1 + frequency, np.inf) ** -1.5)[:, None]
    return (fields / fields.std() / n_frequencies).astype(np.float32), frequency


def images(n_classes, n_prototypes, n_rows=60_000, n_fit=48_000):
    """Colour pictures, 32 x 32 x 3 bytes: a coarse prototype of the class under smooth noise; light, contrast and grain
    vary."""
    rng = np.random.default_rng(0)
    fields, frequency = smooth_fields()
    colours = np.linalg.cholesky(0.2 * np.eye(3) + 0.8).astype(np.float32)
    prototypes = rng.standard_normal((n_classes, n_prototypes, 3, len(fields)),
                                     np.float32) * np.float32(0.9) * (frequency < 2.5)
    y, X = rng.integers(0, n_classes, n_rows), np.empty((n_rows, 3 * fields.shape[1]), np.uint8)
    for rows in np.array_split(np.arange(n_rows), 20):
        parts = prototypes[y[rows], rng.integers(0, n_prototypes, len(rows))]
        parts = parts + rng.standard_normal(parts.shape, np.float32)
        picture = np.einsum("cd,ndf->ncf", colours, parts) @ fields
        picture *= rng.uniform(20, 60, (len(rows), 1, 1))
        picture += rng.normal(120, 35, (len(rows), 1, 1)) + 6 * rng.standard_normal(picture.shape, np.float32)
        X[rows] = np.clip(picture, 0, 255).reshape(len(rows), -1)
    return Data(X[:n_fit], y[:n_fit], X[n_fit:], y[n_fit:])


WORDS = dict(workclass=(8, 2), education=(16, 1), marital_status=(7, 1), occupation=(14, 0.3), relationship=(6, 1),
             race=(5, 3), sex=(2, 1), native_country=(41, 2))
BLANKS = dict(workclass=0.057, occupation=0.058, native_country=0.018)  # shares that are missing


def adult_like(n_fit=48_842, n_test=12_000):
    """Made-up census records of the shape of the set adult: six columns of numbers, eight of words, three of them with
    blanks; a quarter earns much."""
    rng, n_rows = np.random.default_rng(0), n_fit + n_test
    age, hours = rng.gamma(4, 5.5, n_rows).clip(0, 73).round() + 17, rng.normal(40, 12, n_rows).round().clip(1, 99)
    school = rng.binomial(15, 0.6, n_rows) + 1
    gain, loss = (np.where(rng.random(n_rows) < share, rng.integers(1, most, n_rows) * step, 0) for share, most,
                  step in ((0.08, 123, 800), (0.05, 99, 40)))
    columns = dict(age=age, weight=rng.integers(12_000, 1_500_000, n_rows), school_years=school, capital_gain=gain,
                   capital_loss=loss, hours=hours)
    score = 0.04 * age + 0.25 * school + 0.03 * hours + 3 * (gain > 5000) + (loss > 1800)
    for name, (n_words, steepness) in WORDS.items():  # the first words are the frequent ones
        shares = np.arange(1, n_words + 1.0) ** -steepness
        codes = 16 - school if name == "education" else rng.choice(n_words, n_rows, p=shares / shares.sum())
        score += rng.normal(0, 0.5, n_words)[codes]
        word = np.array([f"{name} {k}" for k in range(n_words)], object)[codes]
        columns[name] = np.where(rng.random(n_rows) < BLANKS.get(name, 0), None, word)
    frame, y = pd.DataFrame(columns), (score + rng.logistic(0, 0.5, n_rows) > np.quantile(score, 0.76)).astype(int)
    return Data(frame[:n_fit], y[:n_fit], frame[n_fit:], y[n_fit:])


NUMBERS = ["kin8nm", "cal_housing", "fried"]  # their targets are numbers
SETS = {"iris": lambda: Data(*load_iris(return_X_y=True)),
        "wine_quality_red": partial(table, "wine_quality_red"), "pendigits": partial(table, "pendigits"),
        "segment": partial(table, "segment"),
        **{f"{n // 1000}k_x_{d}_{k}": partial(made, n, d, k) for n,
           d in ((100_000, 20), (200_000, 50)) for k in (2, 10)},
        "mnist": mnist, "images_10": partial(images, 10, 6), "images_100": partial(images, 100, 2),
        "adult_like": adult_like, **{name: partial(table, name) for name in NUMBERS}}
SMALL = list(SETS)[:4] + NUMBERS[:1]
LONG = {"200k_x_50_10", "images_100"}  # minutes each: with --all or --only
MIXED = {"adult_like"}  # numbers and words
FROM_FOLDER = {"wine_quality_red", "pendigits", "segment", "mnist", *NUMBERS}
