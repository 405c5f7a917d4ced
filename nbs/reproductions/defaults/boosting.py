"""Boosted trees whose leaves are counted, for boosting.toml; boosting.csv holds their results on the folds of
confirmation.csv.

PYTHONPATH=nbs/reproductions/defaults omnivar experiment nbs/reproductions/defaults/boosting.toml    takes minutes
PYTHONPATH=nbs/reproductions/defaults omnivar experiment nbs/reproductions/defaults/boosting_large.toml
omnivar results FILE.sqlite --cells boosting.csv      (of which six columns were kept)
"""
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier


class Histograms(HistGradientBoostingClassifier):
    "Scikit-learn's boosting by histograms, as it comes."
    def __init__(self, random_state=None): super().__init__(random_state=random_state)
    def get_n_leaves(self): return sum(tree.get_n_leaf_nodes() for step in self._predictors for tree in step)
    def get_depth(self): return max(tree.get_max_depth() for step in self._predictors for tree in step)


class Exact(GradientBoostingClassifier):
    "Scikit-learn's boosting without bins, as it comes: 100 steps, depth 3."
    def __init__(self, random_state=None): super().__init__(random_state=random_state)
    def get_n_leaves(self): return sum(tree.get_n_leaves() for tree in self.estimators_.flat)
    def get_depth(self): return max(tree.get_depth() for tree in self.estimators_.flat)
