"""The data sets that bench.py times: small tables, made-up clusters, digits, and bytes made to look like pictures."""
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
    return Path(os.environ["OMNIVAR_DATA"]) if os.environ.get("OMNIVAR_DATA") else None


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
    "Colour pictures, 32 x 32 x 3 bytes: a coarse prototype of the class under smooth noise; light, contrast and grain vary."
    rng = np.random.default_rng(0)
    fields, frequency = smooth_fields()
    colours = np.linalg.cholesky(0.2 * np.eye(3) + 0.8).astype(np.float32)
    prototypes = rng.standard_normal((n_classes, n_prototypes, 3, len(fields)), np.float32) * np.float32(0.9) * (frequency < 2.5)
    y, X = rng.integers(0, n_classes, n_rows), np.empty((n_rows, 3 * fields.shape[1]), np.uint8)
    for rows in np.array_split(np.arange(n_rows), 20):
        parts = prototypes[y[rows], rng.integers(0, n_prototypes, len(rows))]
        parts = parts + rng.standard_normal(parts.shape, np.float32)
        picture = np.einsum("cd,ndf->ncf", colours, parts) @ fields
        picture *= rng.uniform(20, 60, (len(rows), 1, 1))
        picture += rng.normal(120, 35, (len(rows), 1, 1)) + 6 * rng.standard_normal(picture.shape, np.float32)
        X[rows] = np.clip(picture, 0, 255).reshape(len(rows), -1)
    return Data(X[:n_fit], y[:n_fit], X[n_fit:], y[n_fit:])


SETS = {"iris": lambda: Data(*load_iris(return_X_y=True)),
        "wine_quality_red": partial(table, "wine_quality_red"), "pendigits": partial(table, "pendigits"), "segment": partial(table, "segment"),
        **{f"{n // 1000}k_x_{d}_{k}": partial(made, n, d, k) for n, d in ((100_000, 20), (200_000, 50)) for k in (2, 10)},
        "mnist": mnist, "images_10": partial(images, 10, 6), "images_100": partial(images, 100, 2)}
SMALL = list(SETS)[:4]
FROM_FOLDER = {"wine_quality_red", "pendigits", "segment", "mnist"}
