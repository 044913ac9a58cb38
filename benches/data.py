"""The rows that every program is timed on: one seeded generator, so that all of them see the same numbers."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

Probabilities = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]
BlackBox = Callable[[np.random.Generator, int, int], tuple[Probabilities, Labels]]

SEED = 0
KNOWN, OTHER = 2.0, 0.6  # gamma shapes of the true class and of the others
BIAS = 0.7  # the black box favours the first class by e^0.7 and slights the last by as much
SHARPNESS = 1.5  # of a black box that is too sure: its log-probabilities are too far apart by this factor


def draw(rng: np.random.Generator, rows: int, classes: int) -> tuple[Probabilities, Labels]:
    """Draw Dirichlet rows of a black box that knows something but is biased against the common classes.

    The last class is the most common one. So "the last" and "the largest" name the same fixed class, and a program
    that prefers one of them has neither less nor more to do.
    """
    prior = np.linspace(1.0, 3.0, classes)
    labels = rng.choice(classes, size=rows, p=prior / prior.sum())
    shape = np.full((rows, classes), OTHER)
    shape[np.arange(rows), labels] = KNOWN
    probabilities = rng.standard_gamma(shape)
    probabilities *= np.exp(np.linspace(BIAS, -BIAS, classes))
    probabilities /= probabilities.sum(axis=1, keepdims=True)
    return probabilities, labels.astype(np.int64)


def draw_shifted(rng: np.random.Generator, rows: int, classes: int) -> tuple[Probabilities, Labels]:
    """Draw the rows of a black box that learned from equally common classes and is used where some are rare.

    Every class has a normal score; that of the true class is shifted so far that seven in ten rows are right for any
    number of classes. The probabilities are those of equally common classes, but too sure.
    """
    prior = 1.0 / np.arange(1, classes + 1)
    labels = rng.choice(classes, size=rows, p=prior / prior.sum())
    shift = np.sqrt(2.0 * np.log(classes))  # the expected largest of so many normal scores is just below it
    scores = rng.standard_normal((rows, classes))
    scores[np.arange(rows), labels] += shift
    scores *= SHARPNESS * shift
    scores -= scores.max(axis=1, keepdims=True)
    probabilities = np.exp(scores, out=scores)
    probabilities /= probabilities.sum(axis=1, keepdims=True)
    return probabilities, labels.astype(np.int64)


def write_npz(path: Path, rows: int, classes: int, box: BlackBox = draw, seed: int = SEED) -> None:
    """Write one sample the way `cwplugin` reads NPZ: a matrix, and labels that are positions of its columns."""
    probabilities, labels = box(np.random.default_rng(seed), rows, classes)
    np.savez(path, probabilities=probabilities, label=labels)


def read_npz(path: Path) -> tuple[Probabilities, Labels]:
    """Read a sample back."""
    with np.load(path) as archive:
        return archive["probabilities"], archive["label"]
