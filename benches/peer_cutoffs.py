"""The package optimal-classification-cutoffs, which tunes thresholds per class; numba compiles its kernels."""

from optimal_cutoffs import get_optimal_threshold

from data import Labels, Probabilities
from peer_numpy import Fitted


def default(probabilities: Probabilities, labels: Labels, steps: int) -> Fitted:
    """One against the rest, class by class: sort and scan all cuts. `steps` is not used; there is no grid."""
    found = get_optimal_threshold(labels, probabilities, metric="f1", average="macro")
    return Fitted(None, found.predict)


def coordinate_ascent(probabilities: Probabilities, labels: Labels, steps: int) -> Fitted:
    """All thresholds together, for macro-F1, at most 30 rounds. `steps` is not used; there is no grid."""
    found = get_optimal_threshold(labels, probabilities, metric="f1", average="macro", method="coord_ascent")
    return Fitted(None, found.predict)
