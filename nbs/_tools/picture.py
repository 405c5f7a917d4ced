"""Draw nbs/images/tree.png, the picture of README.md, from fitted trees: python nbs/_tools/picture.py"""
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from nbdev.config import get_config
from sklearn.tree import DecisionTreeClassifier

from omnivar import OmnivariateTreeClassifier, plot_boundary, plot_tree

SPLITTERS = ["axis", "node_pca", "node_means_pca"]


def draw(n, rng):
    "Rows of three classes: an upright band and two slanted ones."
    y = rng.integers(0, 3, n)
    along, across = rng.uniform(-4, 4, n), rng.normal(0, 0.35, n) + np.where(y == 1, 1, -1)
    x0 = np.where(y == 0, rng.normal(-5.2, 0.7, n), (along + across) / np.sqrt(2) + 0.5)
    return np.column_stack([x0, np.where(y == 0, along, (along - across) / np.sqrt(2))]), y


rng = np.random.default_rng(0)
(X, y), (new_X, new_y) = draw(400, rng), draw(20_000, rng)
trees = {"scikit-learn": DecisionTreeClassifier(random_state=0).fit(X, y),
         "omnivar": OmnivariateTreeClassifier(SPLITTERS).fit(X, y)}
names = dict(feature_names=["width", "height"], class_names=["orange", "blue", "green"])

figure, axes = plt.subplots(1, 3, figsize=(11.5, 3.7), width_ratios=[1, 1, 1.15], layout="constrained")
for ax, (name, tree) in zip(axes, trees.items()):
    plot_boundary(tree, X, y, ax=ax, legend=False, resolution=500, s=9, **names)
    ax.set(xticks=[], yticks=[], title=f"{name}: {tree.get_n_leaves()} leaves, {tree.score(new_X, new_y):.1%} right")
plot_tree(trees["omnivar"], ax=axes[2], impurity=False, precision=1, label="root", **names)
axes[2].set_title("the whole tree")
figure.savefig(get_config().nbs_path / "images/tree.png", dpi=110)
