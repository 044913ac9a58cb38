"""What the tests share."""

from __future__ import annotations

import json

import numpy as np

from cwplugin import Model


def black_box(n: int, m: int, seed: int = 0, labels: list | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities of a black box that over-predicts the first class, and true labels."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(m, size=n)
    logits = rng.normal(size=(n, m)) + 1.5 * np.eye(m)[truth]
    logits[:, 0] += 0.8
    P = np.exp(logits)
    P /= P.sum(axis=1, keepdims=True)
    return P, truth if labels is None else np.array(labels)[truth]


def without_options(model: Model) -> dict:
    """A model without the options of its fit: the grid of statistics is not an option."""
    document = json.loads(model.to_json())
    document["fit"].pop("options", None)
    document["fit"].pop("fingerprint", None)
    return document


def without_fingerprint(document: str) -> list[str]:
    """The lines of a model without the fingerprint of its rows: rows on executors have none."""
    return [line for line in document.splitlines() if not line.startswith('    "fingerprint":')]
