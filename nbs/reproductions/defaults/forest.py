"""A forest whose leaves are counted, for forest.toml; forest.csv holds its results on the folds of confirmation.csv.

PYTHONPATH=nbs/reproductions/defaults omnivar experiment nbs/reproductions/defaults/forest.toml      takes minutes
"""
from sklearn.ensemble import RandomForestClassifier


class Forest(RandomForestClassifier):
    "Scikit-learn's random forest of 100 trees, in one process."
    def __init__(self, random_state=None):
        super().__init__(random_state=random_state, n_jobs=1)

    def get_n_leaves(self): return sum(tree.get_n_leaves() for tree in self.estimators_)
    def get_depth(self): return max(tree.get_depth() for tree in self.estimators_)
