"""The black boxes that are ours; every setting that is not named is scikit-learn's default."""

from collections.abc import Sequence

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier


def logistic(x: np.ndarray, labels: Sequence[str], targets: np.ndarray, classes: Sequence[str]) -> np.ndarray:
    """Logistic regression, trained on the source rows, asked for the target rows."""
    return ask(LogisticRegression(C=1, max_iter=1000), x, labels, targets, classes)


def network(x: np.ndarray, labels: Sequence[str], targets: np.ndarray, classes: Sequence[str]) -> np.ndarray:
    """One hidden layer of 256, stopped early on a tenth of the source rows."""
    model = MLPClassifier(
        hidden_layer_sizes=(256,), early_stopping=True, validation_fraction=0.1, max_iter=200, random_state=0
    )
    return ask(model, x, labels, targets, classes)


def ask(
    model: LogisticRegression | MLPClassifier,
    x: np.ndarray,
    labels: Sequence[str],
    targets: np.ndarray,
    classes: Sequence[str],
) -> np.ndarray:
    """Fit, and give the probabilities with the columns in the order of `classes`."""
    model.fit(x, list(labels))
    p = model.predict_proba(targets)[:, [list(model.classes_).index(name) for name in classes]]
    return (p / p.sum(axis=1, keepdims=True)).astype(np.float32)


def pair_features(u: np.ndarray, v: np.ndarray) -> np.ndarray:
    """[u, v, |u − v|, u·v] of a premise u and a hypothesis v."""
    return np.concatenate([u, v, np.abs(u - v), u * v], axis=1)
