"""What the tests share."""

from __future__ import annotations

import numpy as np


def black_box(n: int, m: int, seed: int = 0, labels: list | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities of a black box that over-predicts the first class, and true labels."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(m, size=n)
    logits = rng.normal(size=(n, m)) + 1.5 * np.eye(m)[truth]
    logits[:, 0] += 0.8
    P = np.exp(logits)
    P /= P.sum(axis=1, keepdims=True)
    return P, truth if labels is None else np.array(labels)[truth]
