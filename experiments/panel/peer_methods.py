"""The peers: other people's methods for probabilities of a black box and a few labels.

Each is a function of a `Draw` and a metric that predicts the test rows. A peer may look at the labelled rows, at the
unlabelled rows, and at the probabilities of the test rows; only xcolumns does the last, as it has no other way.
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt
import torch
from optimal_cutoffs import get_optimal_threshold
from plug_in import weights
from probmetrics.calibrators import get_calibrator
from scipy.optimize import minimize
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import TunedThresholdClassifierCV
from xcolumns.block_coordinate import predict_using_bc_with_0approx
from xcolumns.metrics import binary_f1_score_on_conf_matrix

Matrix = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]

FLOOR = 1e-4  # of probabilities before the logarithm, as in the table of the panel's tasks

torch.set_num_threads(1)
warnings.filterwarnings("ignore")  # absent classes, convergence: the scores tell


@dataclass
class Draw:
    """What a method gets."""

    labelled: Matrix
    labels: Labels
    unlabelled: Matrix
    test: Matrix
    calibrators: dict[str, object] = field(default_factory=dict)

    @property
    def m(self) -> int:
        """Number of classes."""
        return self.labelled.shape[1]

    @cached_property
    def rows(self) -> Matrix:
        """All rows but the test rows."""
        return np.vstack([self.labelled, self.unlabelled])

    def calibrated(self, name: str, rows: Matrix) -> Matrix:
        """The probabilities of a calibrator of probmetrics, fitted once."""
        if name not in self.calibrators:
            self.calibrators[name] = get_calibrator(name).fit(normal(self.labelled), self.labels)
        return np.asarray(self.calibrators[name].predict_proba(normal(rows)), dtype=np.float64)


Peer = Callable[[Draw, str], Labels]


def normal(rows: Matrix) -> Matrix:
    """Rows that sum to 1 to the last digits, as probmetrics asks for."""
    return rows / rows.sum(axis=1, keepdims=True)


def plug_in(of_rows: Callable[[Matrix], Matrix], draw: Draw, metric: str) -> Labels:
    """Predict with the weights that maximise the expected metric over the labelled and unlabelled rows."""
    return np.argmax(of_rows(draw.test) * weights(metric, of_rows(draw.rows)), axis=1)


def raw(draw: Draw, metric: str) -> Labels:
    """Take the probabilities at their word."""
    return plug_in(lambda rows: rows, draw, metric)


def sms(draw: Draw, metric: str) -> Labels:
    """Structured matrix scaling of probmetrics, then the plug-in maximiser."""
    return plug_in(lambda rows: draw.calibrated("sms", rows), draw, metric)


def svs(draw: Draw, metric: str) -> Labels:
    """Structured vector scaling of probmetrics, then the plug-in maximiser."""
    return plug_in(lambda rows: draw.calibrated("svs", rows), draw, metric)


def stacking(draw: Draw, metric: str) -> Labels:
    """Multinomial logistic regression on the log-probabilities, scikit-learn's default penalty, then the maximiser."""
    present = np.unique(draw.labels)
    if len(present) == 1:
        return np.full(len(draw.test), present[0])
    model = LogisticRegression(max_iter=2000).fit(np.log(draw.labelled.clip(FLOOR)), draw.labels)

    def of_rows(rows: Matrix) -> Matrix:
        q = np.zeros((len(rows), draw.m))
        q[:, present] = model.predict_proba(np.log(rows.clip(FLOOR)))
        return q

    return plug_in(of_rows, draw, metric)


def score(metric: str, m: int, labels: Labels, predicted: Labels) -> float:
    """Accuracy, or macro-F1 over the classes that occur."""
    if metric == "accuracy":
        return float((labels == predicted).mean())
    confusion = np.bincount(labels * m + predicted, minlength=m * m).reshape(m, m)
    both = confusion.sum(axis=0) + confusion.sum(axis=1)
    return float((2 * np.diagonal(confusion)[both > 0] / both[both > 0]).mean())


def nelder_mead(draw: Draw, metric: str) -> Labels:
    """SciPy's Nelder-Mead over log-weights on the labelled rows; the first simplex is one log unit wide."""

    def scaled(logs: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return np.exp(np.append(logs - logs.max(initial=0.0), -logs.max(initial=0.0)))

    def loss(logs: npt.NDArray[np.float64]) -> float:
        return -score(metric, draw.m, draw.labels, np.argmax(draw.labelled * scaled(logs), axis=1))

    start = np.zeros(draw.m - 1)
    options = {"initial_simplex": np.vstack([start, np.eye(draw.m - 1)])}
    best = scaled(minimize(loss, start, method="Nelder-Mead", options=options).x)
    return np.argmax(draw.test * best, axis=1)


def block_coordinate(probabilities: Matrix, metric: str) -> Labels:
    """Label all given rows together so that their expected macro-F1 is highest."""
    if metric == "accuracy":
        return np.argmax(probabilities, axis=1)
    chosen = predict_using_bc_with_0approx(
        np.ascontiguousarray(probabilities), binary_f1_score_on_conf_matrix, k=1, init_y_pred="top", seed=0
    )
    return np.argmax(np.asarray(chosen), axis=1)


def xcolumns(draw: Draw, metric: str) -> Labels:
    """Block coordinate ascent of xcolumns on the probabilities of the test rows; the labelled rows are not used."""
    return block_coordinate(draw.test, metric)


def sms_xcolumns(draw: Draw, metric: str) -> Labels:
    """The same on the probabilities of structured matrix scaling."""
    return block_coordinate(draw.calibrated("sms", draw.test), metric)


class GivenProbabilities(ClassifierMixin, BaseEstimator):
    """A fitted classifier whose features are the probabilities: the way a black box enters scikit-learn."""

    def __init__(self) -> None:
        """Know the two classes, so that scikit-learn takes the estimator for fitted."""
        self.classes_ = np.array([0, 1])

    def fit(self, features: Matrix, labels: Labels) -> "GivenProbabilities":
        """Learn nothing."""
        return self

    def predict_proba(self, features: Matrix) -> Matrix:
        """Give the columns back."""
        return features

    def predict(self, features: Matrix) -> Labels:
        """Take the larger column."""
        return np.argmax(features, axis=1)


def tuned_threshold(draw: Draw, metric: str) -> Labels:
    """scikit-learn's tuner of one threshold, on all labelled rows without refitting; two classes only."""
    scoring = {"accuracy": "accuracy", "macro-f1": "f1_macro"}[metric]
    black_box = FrozenEstimator(GivenProbabilities())
    tuner = TunedThresholdClassifierCV(
        black_box, scoring=scoring, response_method="predict_proba", cv="prefit", refit=False
    )
    return tuner.fit(draw.labelled, draw.labels).predict(draw.test)


def cutoffs(draw: Draw, metric: str) -> Labels:
    """optimal-classification-cutoffs with its default: every class against the rest."""
    name = {"accuracy": "accuracy", "macro-f1": "f1"}[metric]
    found = get_optimal_threshold(draw.labels, draw.labelled, metric=name, average="macro")
    return np.asarray(found.predict(draw.test))


def cutoffs_ascent(draw: Draw, metric: str) -> Labels:
    """Its coordinate ascent over the thresholds of all classes together; it has macro-F1 only."""
    found = get_optimal_threshold(draw.labels, draw.labelled, metric="f1", average="macro", method="coord_ascent")
    return np.asarray(found.predict(draw.test))


#: The peers by the names in the results.
PEERS: dict[str, Peer] = {
    "raw + plug-in": raw,
    "probmetrics SMS + plug-in": sms,
    "probmetrics SVS + plug-in": svs,
    "stacking + plug-in": stacking,
    "xcolumns": xcolumns,
    "probmetrics SMS + xcolumns": sms_xcolumns,
    "Nelder-Mead": nelder_mead,
    "TunedThresholdClassifierCV": tuned_threshold,
    "optimal-classification-cutoffs": cutoffs,
    "optimal-classification-cutoffs, ascent": cutoffs_ascent,
}
TWO_CLASSES_ONLY = {"TunedThresholdClassifierCV"}
MACRO_F1_ONLY = {"optimal-classification-cutoffs, ascent"}
#: Peers whose predictions do not depend on the labelled rows.
SAME_FOR_ALL_DRAWS = {"xcolumns"}
