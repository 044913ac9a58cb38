"""The general-purpose answer: hand macro-F1 to an optimiser that needs no gradient."""

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from data import Labels, Probabilities
from peer_numpy import Fitted, macro_f1


def nelder_mead(probabilities: Probabilities, labels: Labels, steps: int) -> Fitted:
    """Nelder-Mead over m - 1 log-weights, with scipy's own limit: 200 evaluations per log-weight, unless it converges.

    The first simplex is 0 and one log unit along each axis. scipy's own (0.00025 along each) is so small that the
    metric is flat on it, and the search ends where it began. `steps` is not used; there is no grid.
    """
    m = probabilities.shape[1]
    rows = labels * m

    def weights(logs: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return np.exp(np.append(logs, 0.0))

    def loss(logs: npt.NDArray[np.float64]) -> float:
        predicted = np.argmax(probabilities * weights(logs), axis=1)
        return -macro_f1(np.bincount(rows + predicted, minlength=m * m).reshape(m, m))

    start = np.zeros(m - 1)
    simplex = np.vstack([start, np.eye(m - 1)])
    best = weights(minimize(loss, start, method="Nelder-Mead", options={"initial_simplex": simplex}).x)
    return Fitted(None, lambda given: np.argmax(given * best, axis=1))
