"""Algorithm 1 in numpy, twice: a loop over alpha, and the fastest vectorised form known to us.

Both follow the paper: the last class is fixed; alpha is i / steps, i = 0 .. steps - 1; the first best alpha wins.
numpy is all that is imported here, so that a fresh process of these peers starts as fast as it can.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from data import Labels, Probabilities

Counts = int | npt.NDArray[np.int64]
Scores = float | npt.NDArray[np.float64]

CHUNK = 32_768  # rows at a time: few calls, and temporaries that stay in the cache and are allocated once


class Fitted(NamedTuple):
    """What a peer found: its alphas if it runs Algorithm 1, and how it predicts."""

    alphas: list[float] | None
    predict: Callable[[Probabilities], npt.NDArray[np.integer]]


def from_alphas(alphas: list[float]) -> Fitted:
    """Lines 6 to 8 of Algorithm 1: alphas to weights to predictions."""
    weights = np.array([alpha / (1 - alpha) for alpha in alphas] + [1.0])
    return Fitted(alphas, lambda probabilities: np.argmax(probabilities * weights, axis=1))


def loop_over_alphas(probabilities: Probabilities, labels: Labels, steps: int) -> Fitted:
    """Count with numpy at every alpha, in place of a metric on label vectors."""
    r = probabilities.shape[1] - 1
    alphas = []
    for k in range(r):
        rows = (labels == k) | (labels == r)
        b_k, b_r = probabilities[rows, k], probabilities[rows, r]
        is_k = labels[rows] == k
        n_k = np.count_nonzero(is_k)
        n_r = is_k.size - n_k
        scores = []
        for i in range(steps):
            alpha = i / steps
            to_k = alpha * b_k > (1 - alpha) * b_r
            hits_k = np.count_nonzero(to_k & is_k)
            misses_r = np.count_nonzero(to_k) - hits_k
            scores.append(pair_macro_f1(hits_k, misses_r, n_k, n_r))
        alphas.append(int(np.argmax(scores)) / steps)
    return from_alphas(alphas)


def bins(probabilities: Probabilities, labels: Labels, steps: int) -> Fitted:
    """Bin the cut of every row once, then score all alphas of all pairs in one expression.

    A row is predicted k from the first alpha above its cut b_r / (b_k + b_r). A row labelled k takes part in one pair
    and a row labelled r in all, so that is n + (m - 1) * n_r cuts. Rows with b_k = b_r = 0 are not provided for.
    """
    n, m = probabilities.shape
    r = m - 1
    width = steps + 1  # the last bin holds cuts of 1, where b_k is 0
    offsets = np.arange(r)[:, np.newaxis] * width
    starts = np.arange(0, min(CHUNK, n) * m, m)
    own = np.zeros(m * width, dtype=np.int64)  # rows labelled k, by their cut against r
    reference = np.zeros(r * width, dtype=np.int64)  # rows labelled r, by their cut against each k
    for start in range(0, n, CHUNK):
        block, truth = probabilities[start : start + CHUNK], labels[start : start + CHUNK]
        b_r = block[:, r].copy()
        cuts = block.ravel().take(starts[: truth.size] + truth)
        cuts += b_r
        np.divide(b_r, cuts, out=cuts)
        cuts *= steps
        own += count(cuts, truth * width, own.size)

        rows = np.flatnonzero(truth == r)
        b_r = b_r[rows]
        cuts = np.ascontiguousarray(block.take(rows, axis=0)[:, :r].T)  # one long line per class for what follows
        cuts += b_r
        np.divide(b_r * steps, cuts, out=cuts)
        reference += count(cuts, offsets, reference.size)
    own_counts, reference_counts = own.reshape(m, width), reference.reshape(r, width)
    sizes = own_counts.sum(axis=1)
    hits_k, misses_r = before(own_counts[:r]), before(reference_counts)
    scores = pair_macro_f1(hits_k, misses_r, sizes[:r, np.newaxis], sizes[r])
    return from_alphas((np.argmax(scores, axis=1) / steps).tolist())


def count(cuts: npt.NDArray[np.float64], offsets: npt.NDArray[np.int64], size: int) -> npt.NDArray[np.int64]:
    """Histogram of scaled cuts, each in the part of its class."""
    index = cuts.astype(np.int64)
    index += offsets
    return np.bincount(index.ravel(), minlength=size)


def before(counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Rows with a cut below alpha, for each alpha: the sum of the bins before it."""
    sums = np.zeros((counts.shape[0], counts.shape[1] - 1), dtype=np.int64)
    np.cumsum(counts[:, :-2], axis=1, out=sums[:, 1:])
    return sums


def pair_macro_f1(hits_k: Counts, misses_r: Counts, n_k: Counts, n_r: int) -> Scores:
    """Mean of the F1 of k and of r on one pair, from the rows of each that are predicted k."""
    hits_r = n_r - misses_r
    f1_k = 2 * hits_k / (n_k + hits_k + misses_r)
    f1_r = 2 * hits_r / (n_r + hits_r + n_k - hits_k)
    return (f1_k + f1_r) / 2


def macro_f1(confusion: npt.NDArray[np.int64]) -> float:
    """Mean F1 of the classes that have true or predicted rows, from counts `[truth, predicted]`."""
    sizes = confusion.sum(axis=0) + confusion.sum(axis=1)
    present = sizes > 0
    return float(np.mean(2 * np.diag(confusion)[present] / sizes[present]))
