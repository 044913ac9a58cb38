"""A plug-in maximiser of the expected macro-F1: one weight per class, by coordinate ascent over all cuts."""

import numba
import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float64]
Vector = npt.NDArray[np.float64]

ROUNDS = 30
GAIN = 1e-12  # less is rounding


@numba.njit(cache=True)
def _sweep(q: Matrix, w: Vector, k: int, truths: Vector) -> tuple[float, float]:
    """The best weight of class k with the others fixed, and the expected macro-F1 there."""
    n, m = q.shape
    cuts, other = np.empty(n), np.empty(n, np.int64)
    hits, given = np.zeros(m), np.zeros(m)
    for i in range(n):
        best, top = -1, -1.0
        for j in range(m):
            if j != k and q[i, j] * w[j] > top:
                best, top = j, q[i, j] * w[j]
        other[i] = best
        hits[best] += q[i, best]
        given[best] += 1.0
        cuts[i] = top / q[i, k] if q[i, k] > 0.0 else np.inf
    order = np.argsort(cuts)
    scores = np.empty(m)
    total = 0.0
    for j in range(m):
        scores[j] = 2.0 * hits[j] / (given[j] + truths[j])
        total += scores[j]
    found, at = total, cuts[order[0]] / 2.0
    for position in range(n):
        i = order[position]
        if not np.isfinite(cuts[i]):
            break
        j = other[i]  # the row moves from j to k
        for c, sign in ((j, -1.0), (k, 1.0)):
            hits[c] += sign * q[i, c]
            given[c] += sign
            total -= scores[c]
            scores[c] = 2.0 * hits[c] / (given[c] + truths[c])
            total += scores[c]
        after = cuts[order[position + 1]] if position + 1 < n else np.inf
        if after > cuts[i] and total > found + GAIN:
            found = total
            at = np.sqrt(cuts[i] * after) if np.isfinite(after) and cuts[i] > 0.0 else 2.0 * cuts[i] + 1e-9
    return at, found / m


@numba.njit(cache=True)
def _ascend(q: Matrix) -> Vector:
    m = q.shape[1]
    w = np.ones(m)
    truths = q.sum(axis=0) + 1e-300
    best = -1.0
    for _ in range(ROUNDS):
        before = best
        for k in range(m):
            at, score = _sweep(q, w, k, truths)
            if score > best + GAIN:
                w[k], best = at, score
        if best <= before + GAIN:
            break
    return w


def weights(metric: str, q: Matrix) -> Vector:
    """The weights that maximise the expected metric if the rows of q are the probabilities of the classes."""
    if metric == "accuracy":  # the largest probability is the best prediction
        return np.ones(q.shape[1])
    assert metric == "macro-f1", metric
    return _ascend(np.ascontiguousarray(q, dtype=np.float64))
