"""Draw nbs/images/accuracy_leaves.svg, accuracy against leaves, from stored results: python nbs/_tools/chart.py"""
from io import StringIO

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import pandas as pd
from nbdev.config import get_config

from figures import NOTHING, STYLE, compact

folder = get_config().nbs_path / "reproductions"
BLUE, ORANGE, GREEN, GREY = "#0072b2", "#d55e00", "#009e73", "0.35"  # Okabe and Ito's, told apart by all eyes
matplotlib.rc_file(STYLE)


def draw(ax, trees, lines, title, measure, side, limits):
    """Trees as points, {name: (leaves, accuracy, colour)}, between limits of leaves; other models as lines,
    {name: accuracy}, named at one side, or at the other where a point is near."""
    ax.set(xscale="log", xlim=limits)
    for name, (leaves, mean, color) in trees.items():
        ax.plot(leaves, mean, "o", color=color, markersize=8)
        assert ax.get_xlim()[0] < leaves < ax.get_xlim()[1], f"{name} is outside of the chart: {leaves:.1f} leaves"
        near = any(0 < line - mean < 0.005 for line in lines.values()) # a dashed line would cross the name: below it
        ax.annotate(name, (leaves, mean), xytext=(7, -10 if near else -4), textcoords="offset points", color=color)
    for name, mean in lines.items():
        near = [leaves for leaves, there, _ in trees.values() if abs(there - mean) < 0.01]
        right = max(near) < (limits[0] * limits[1]) ** 0.5 if near else side == "right"
        ax.axhline(mean, color=GREY, lw=1, ls="--")
        ax.annotate(name, (right, mean), xycoords=("axes fraction", "data"), color=GREY, ha="right" if right else "left",
                    xytext=(-4 if right else 4, 3), textcoords="offset points")
    ax.set(title=title, xlabel="leaves, mean over the sets", ylabel=measure)
    ax.spines[["top", "right"]].set_visible(False)


runs = pd.concat([pd.read_csv(folder / f"defaults/{name}.csv")
                  for name in ("confirmation", "forest", "boosting")])
runs = pd.concat([runs[runs["method"] != "default"], # the first study's
                  pd.read_csv(folder / "defaults/confirmation_today.csv").query("method == 'default'")])
means = runs.groupby(["method", "dataset"])[["accuracy", "leaves"]].mean().groupby("method").mean()
numbers = pd.read_csv(folder / "regression/ten_sets.csv").groupby("tree")[["leaves", "r2"]].mean()
peers = pd.read_csv(folder / "regression/peers.csv").mean(numeric_only=True)

n_sets = pd.read_csv(folder / "regression/ten_sets.csv")["dataset"].nunique()
figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 3.5), layout="constrained")
names = {"default": ("omnivar, default", BLUE), "CART": ("CART, not pruned", ORANGE),
         "CART, pruned": ("CART, pruned", ORANGE), "STree": ("STree", GREEN),
         "random forest": ("random forest,\n100 trees", GREY), "histogram gradient boosting": ("boosting", GREY)}
draw(left, {label: (*means.loc[name, ["leaves", "accuracy"]], color) for name, (label, color) in names.items()},
     {"logistic regression": means.loc["Logistic regression", "accuracy"]},
     f"Classes: {runs['dataset'].nunique()} data sets", "accuracy, mean", "right", (1, 200_000))
names = {"default": "omnivar, default", "constant leaves": "omnivar, constants"}
draw(right, {label: (*numbers.loc[name], BLUE) for name, label in names.items()},
     {"random forest": peers["random_forest_100"], "CART, pruned": peers["cart_ccp_cv"],
      "boosting": peers["hist_gradient_boosting"]}, f"Numbers: {n_sets} data sets",
     "R², mean", "left", (5, 1000))
for ax, margin in ((left, 0.003), (right, 0.012)):
    low, high = ax.get_ylim()
    ax.set(ylim=(low - margin, high + margin))
figure.savefig(drawn := StringIO(), format="svg", metadata=NOTHING)
(get_config().nbs_path / "images/accuracy_leaves.svg").write_text(compact(drawn.getvalue()), encoding="utf-8")
