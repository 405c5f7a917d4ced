"""Methods of the study of the defaults, for its experiment files: PYTHONPATH=nbs/reproductions/defaults omnivar
experiment nbs/reproductions/defaults/confirmation.toml"""
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from omnivar import OmnivariateTreeClassifier
from omnivar.selection.cost_complexity_cv import CostComplexityCV
from omnivar.splitters.discriminant import LinearSplitter
from omnivar.splitters.quadratic import QuadraticSplitter


def tree(palette="axis linear", shrinkage=None, threshold="lda", grouping="exchange", folds=None, **parameters):
    """An omnivariate tree; the options are those of the discriminants in its palette; with `folds`, its size is chosen
    by cross-validation."""
    if folds: parameters["pruning"] = CostComplexityCV(folds)
    options = dict(shrinkage=shrinkage, threshold=threshold, grouping=grouping)
    made = dict(linear=LinearSplitter(**options), quadratic=QuadraticSplitter(**options), means="node_means_pca")
    return OmnivariateTreeClassifier([made.get(name, name) for name in palette.split()], **parameters)


class PrunedCART(ClassifierMixin, BaseEstimator):
    "Scikit-learn's tree; `ccp_alpha` is the best of at most 20 along its pruning path, by 5-fold cross-validation."
    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y):
        tree = DecisionTreeClassifier(random_state=self.random_state)
        alphas = np.unique(np.maximum(tree.cost_complexity_pruning_path(X, y).ccp_alphas, 0))
        # of equal ones the smallest tree
        alphas = alphas[np.unique(np.linspace(0, len(alphas) - 1, 20).round().astype(int))][::-1]
        folds = StratifiedKFold(5, shuffle=True, random_state=self.random_state)
        self.best_ = GridSearchCV(tree, dict(ccp_alpha=alphas), cv=folds).fit(X, y).best_estimator_
        self.classes_ = self.best_.classes_
        return self

    def predict(self, X): return self.best_.predict(X)
    def predict_proba(self, X): return self.best_.predict_proba(X)
    def get_n_leaves(self): return self.best_.get_n_leaves()
    def get_depth(self): return self.best_.get_depth()


class STree(ClassifierMixin, BaseEstimator):
    """STree (Montanana et al. 2021), the oblique tree of support vector machines, with the names that scikit-learn's
    trees have for their size."""
    def __init__(self, random_state=None):
        self.random_state = random_state

    def fit(self, X, y):
        from stree import Stree
        self.best_ = Stree(random_state=self.random_state).fit(X, y)
        self.classes_ = self.best_.classes_
        return self

    def predict(self, X): return self.best_.predict(X)
    def get_n_leaves(self): return self.best_.nodes_leaves()[1]
    def get_depth(self): return self.best_.depth_
