"""The rows that every program is timed on: one seeded generator, so that all of them see the same numbers."""

from pathlib import Path

import numpy as np
import numpy.typing as npt

Probabilities = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]

SEED = 0
KNOWN, OTHER = 2.0, 0.6  # gamma shapes of the true class and of the others
BIAS = 0.7  # the black box favours the first class by e^0.7 and slights the last by as much


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


def write_npz(path: Path, rows: int, classes: int) -> None:
    """Write one sample the way `cwplugin` reads NPZ: a matrix, and labels that are positions of its columns."""
    probabilities, labels = draw(np.random.default_rng(SEED), rows, classes)
    np.savez(path, probabilities=probabilities, label=labels)


def read_npz(path: Path) -> tuple[Probabilities, Labels]:
    """Read a sample back."""
    with np.load(path) as archive:
        return archive["probabilities"], archive["label"]
