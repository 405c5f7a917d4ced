"""Draw nbs/images/tree.png, the picture of README.md: python nbs/_tools/picture.py"""
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from nbdev.config import get_config
from sklearn.tree import DecisionTreeClassifier

rng = np.random.default_rng(3)
X = rng.uniform(0, 1, (400, 2))
y = np.where(X[:, 0] < 0.3, 0, 1 + (X[:, 1] > 1.35 * X[:, 0] - 0.35))
grid = np.stack(np.meshgrid(np.linspace(0, 1, 500), np.linspace(0, 1, 500)), -1)


def axis_only(points):
    return DecisionTreeClassifier(random_state=0).fit(X, y).predict(points)


def both_kinds(points):
    return np.where(points[:, 0] < 0.3, 0, 1 + (points[:, 1] > 1.35 * points[:, 0] - 0.35))


fig, axes = plt.subplots(1, 2, figsize=(7.2, 3.5), sharey=True)
colours = matplotlib.colors.ListedColormap(["#4c72b0", "#dd8452", "#55a868"])
for ax, title, predict in zip(axes, ["one kind of split: a staircase", "each node chooses: two cuts"], [axis_only, both_kinds]):
    ax.imshow(predict(grid.reshape(-1, 2)).reshape(500, 500), origin="lower", extent=(0, 1, 0, 1), cmap=colours, alpha=0.35)
    ax.scatter(*X.T, c=y, cmap=colours, s=8)
    ax.set(title=title, xticks=[], yticks=[])
fig.tight_layout()
fig.savefig(get_config().nbs_path / "images/tree.png", dpi=110)
