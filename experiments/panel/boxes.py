"""Imperfect black boxes, and the rows that they are trained on."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler


def forest(trees: int, **settings: Any) -> RandomForestClassifier:  # noqa: ANN401 (scikit-learn's)
    """A random forest with a fixed seed."""
    return RandomForestClassifier(trees, random_state=0, n_jobs=1, **settings)


def boosting(rounds: int = 60, **settings: Any) -> HistGradientBoostingClassifier:  # noqa: ANN401 (scikit-learn's)
    """Gradient boosting with a fixed seed."""
    return HistGradientBoostingClassifier(max_iter=rounds, random_state=0, **settings)


def standardised(model: ClassifierMixin) -> Pipeline:
    """The model on features of mean 0 and variance 1."""
    return make_pipeline(StandardScaler(), model)


def ask(model: ClassifierMixin, features: np.ndarray, n_classes: int) -> np.ndarray:
    """Probabilities of all classes; one that the model was not trained on gets 0."""
    p = np.zeros((len(features), n_classes))
    p[:, np.asarray(model.classes_, int)] = model.predict_proba(features)
    return p


def train_and_ask(
    model: ClassifierMixin, features: np.ndarray, labels: np.ndarray, source: np.ndarray, target: np.ndarray
) -> np.ndarray:
    """Trained on the source rows, asked on the target rows; `labels` are 0, 1, … and the largest one occurs."""
    return ask(model.fit(features[source], labels[source]), features[target], int(labels.max()) + 1)


def cross_fitted(
    model: ClassifierMixin, features: np.ndarray, labels: np.ndarray, folds: int, seed: int, most: int | None = None
) -> np.ndarray:
    """Every row answered by a model that was trained on the other folds, on at most `most` rows of them."""
    p = np.zeros((len(labels), int(labels.max()) + 1))
    rng = np.random.default_rng(seed)
    for source, target in StratifiedKFold(folds, shuffle=True, random_state=seed).split(features, labels):
        drawn = source if most is None else rng.permutation(source)[:most]
        p[target] = train_and_ask(model, features, labels, drawn, target)
    return p


def draw(rng: np.random.Generator, n_rows: int, n: int) -> np.ndarray:
    """Row numbers: `n` of `n_rows` at random."""
    return rng.permutation(n_rows)[:n]


def draw_by_class(rng: np.random.Generator, labels: np.ndarray, n: int, shares: Sequence[float]) -> np.ndarray:
    """Row numbers: `n` with these shares of the classes, or as many as there are without drawing a row twice."""
    wanted = np.asarray(shares) / np.sum(shares)
    there = np.bincount(labels, minlength=len(wanted))
    n = min(n, int((there / wanted).min()))
    drawn = [rng.permutation(np.flatnonzero(labels == k))[: round(float(n * share))] for k, share in enumerate(wanted)]
    return rng.permutation(np.concatenate(drawn))


def others(n_rows: int, drawn: np.ndarray) -> np.ndarray:
    """The row numbers that were not drawn."""
    return np.setdiff1d(np.arange(n_rows), drawn)
