"""What scikit-learn offers: its metric inside the literal Algorithm 1, and its tuner of one threshold."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.frozen import FrozenEstimator
from sklearn.metrics import f1_score
from sklearn.model_selection import TunedThresholdClassifierCV

from data import Labels, Probabilities
from peer_numpy import Fitted, from_alphas


def algorithm1(probabilities: Probabilities, labels: Labels, steps: int) -> Fitted:
    """Algorithm 1 as one would write it from the paper: the metric of label vectors at every alpha."""
    r = probabilities.shape[1] - 1
    alphas = []
    for k in range(r):
        rows = (labels == k) | (labels == r)
        b_k, b_r, truth = probabilities[rows, k], probabilities[rows, r], labels[rows]
        scores = []
        for i in range(steps):
            alpha = i / steps
            predicted = np.where(alpha * b_k > (1 - alpha) * b_r, k, r)
            scores.append(f1_score(truth, predicted, average="macro", zero_division=0))
        alphas.append(int(np.argmax(scores)) / steps)
    return from_alphas(alphas)


class GivenProbabilities(ClassifierMixin, BaseEstimator):
    """A fitted classifier whose features are the probabilities themselves: the way a black box enters scikit-learn."""

    def __init__(self) -> None:
        """Know the two classes, so that scikit-learn takes the estimator for fitted."""
        self.classes_ = np.array([0, 1])

    def fit(self, features: Probabilities, labels: Labels) -> "GivenProbabilities":
        """Learn nothing; scikit-learn asks for the method."""
        return self

    def predict_proba(self, features: Probabilities) -> Probabilities:
        """Give the columns back."""
        return features

    def predict(self, features: Probabilities) -> Labels:
        """Take the larger column."""
        return np.argmax(features, axis=1)


def tuned_threshold(probabilities: Probabilities, labels: Labels, steps: int) -> Fitted:
    """Tune the threshold between two classes on `steps` candidates, on all rows and without refitting."""
    tuner = TunedThresholdClassifierCV(
        FrozenEstimator(GivenProbabilities()),
        scoring="f1_macro",
        response_method="predict_proba",
        thresholds=steps,
        cv="prefit",
        refit=False,
    )
    tuner.fit(probabilities, labels)
    return Fitted(None, tuner.predict)
