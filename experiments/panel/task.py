"""A task of the panel: what a black box says on labelled target rows, split into pool and test, in one Parquet file."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

MOST_ROWS = 8_000  # of the pool, and of the test rows
EVEN_BELOW = 6_500  # fewer target rows are halved: a fifth would be too few to test on


class BadTask(ValueError):
    """Rows that are no class probabilities, or labels that are no class."""


@dataclass(frozen=True)
class Task:
    """Target rows, before the split. A row of `probabilities` need not sum to 1; `labels` number the classes from 0."""

    name: str
    classes: Sequence[str]
    probabilities: np.ndarray
    labels: np.ndarray
    seed: int  # of the split


Maker = Callable[[], Iterable[Task]]
MAKERS: dict[tuple[str, ...], Maker] = {}


def makes(*names: str) -> Callable[[Maker], Maker]:
    """Enter a function among the makers, under the names of its tasks.

    Tasks that draw from one generator, one after the other, stay in one function: the order of the draws matters.
    """

    def enter(maker: Maker) -> Maker:
        MAKERS[names] = maker
        return maker

    return enter


def split(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Row numbers of pool and test, at random: 80 to 20, or halves of few rows; what the pool cannot take is test."""
    order = np.random.default_rng(seed).permutation(n)
    pool = min(MOST_ROWS, n // 2 if n < EVEN_BELOW else round(0.8 * n))
    return order[:pool], order[pool : pool + MOST_ROWS]


def normalised(task: Task) -> np.ndarray:
    """Each row divided by its sum, checked."""
    p = np.asarray(task.probabilities, dtype=np.float64)
    if p.shape != (len(task.labels), len(task.classes)):
        raise BadTask(f"{task.name}: probabilities of shape {p.shape} for {len(task.labels)} × {len(task.classes)}")
    if not (np.isfinite(p).all() and (p >= 0).all() and (p.sum(axis=1) > 0).all()):
        raise BadTask(f"{task.name}: a row that is no probabilities")
    return p / p.sum(axis=1, keepdims=True)


def table(task: Task) -> pa.Table:
    """The columns of the file; the pool first, both parts in the order of the draw."""
    p = normalised(task)
    if len(set(task.classes)) != len(task.classes):
        raise BadTask(f"{task.name}: two classes of one name")
    if task.labels.min() < 0 or task.labels.max() >= len(task.classes):
        raise BadTask(f"{task.name}: a label that is no class")
    pool, test = split(len(task.labels), task.seed)
    rows = np.concatenate([pool, test])
    columns = {
        "label": pa.array([task.classes[k] for k in task.labels[rows]], pa.string()),
        "split": pa.array(["pool"] * len(pool) + ["test"] * len(test), pa.string()),
    }
    # In the order of the classes: the literal Algorithm 1 fixes the last one.
    columns |= {f"p_{name}": pa.array(p[rows, k]) for k, name in enumerate(task.classes)}
    return pa.table(columns)


def write(task: Task, folder: Path) -> float:
    """Write NAME.parquet; returns the accuracy of arg max on the test rows."""
    pq.write_table(table(task), folder / f"{task.name}.parquet", compression="zstd")
    _, test = split(len(task.labels), task.seed)
    return float((normalised(task)[test].argmax(axis=1) == task.labels[test]).mean())
