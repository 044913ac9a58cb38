"""Prediction files: the split, the columns, and the checks at the end of every script."""

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

TEST_SHARE = 0.2


class Mismatch(RuntimeError):
    """Something is not as experiments/README.md describes it."""


@dataclass(frozen=True)
class Expected:
    """What the description says of a file: rows and test rows of each class, accuracy of arg max on the test rows."""

    rows: Mapping[str, int]
    test_rows: Mapping[str, int]
    accuracy: float


def split(n: int) -> np.ndarray:
    """`test` for the first fifth of a seeded permutation, `pool` for the rest; not stratified."""
    names = np.full(n, "pool", dtype=object)
    names[np.random.default_rng(0).permutation(n)[: round(TEST_SHARE * n)]] = "test"
    return names


def table(
    classes: Sequence[str],
    labels: Sequence[str],
    probabilities: np.ndarray,
    extra: Mapping[str, Sequence[str]] | None = None,
) -> pa.Table:
    """The columns of a prediction file, checked."""
    p = np.asarray(probabilities, dtype=np.float32)
    if p.shape != (len(labels), len(classes)):
        raise Mismatch(f"probabilities of shape {p.shape} for {len(labels)} rows of {len(classes)} classes")
    if unknown := set(labels) - set(classes):
        raise Mismatch(f"labels that are no class: {', '.join(sorted(unknown))}")
    worst = np.abs(p.sum(axis=1, dtype=np.float64) - 1).max()
    if not (np.isfinite(p).all() and (p >= 0).all() and worst <= 1e-6):
        raise Mismatch(f"rows that are no probabilities; a sum is off 1 by {worst:.1e}")
    columns = {"label": list(labels), "split": list(split(len(labels))), **(extra or {})}
    columns |= {f"p_{name}": p[:, k] for k, name in enumerate(classes)}
    return pa.table(columns)


def write(made: pa.Table, path: Path, expected: Expected) -> None:
    """Write the file; then say whether it is the one that is described."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(made, path, compression="zstd")
    labels, splits = np.array(made["label"].to_pylist()), np.array(made["split"].to_pylist())
    found = accuracy(made)
    print(f"{path.name}: {made.num_rows:,} rows, clean accuracy {found:.4f} ({expected.accuracy:.4f} described)")
    expect(f"{path.name}, rows by class", Counter(labels.tolist()), expected.rows)
    expect(f"{path.name}, test rows by class", Counter(labels[splits == "test"].tolist()), expected.test_rows)
    if abs(found - expected.accuracy) > 0.005:
        raise Mismatch(
            f"{path.name}: clean accuracy {found:.4f}, {expected.accuracy:.4f} expected; was another model run?"
        )


def accuracy(made: pa.Table) -> float:
    """Of arg max of the probabilities on the test rows."""
    classes = [name.removeprefix("p_") for name in made.column_names if name.startswith("p_")]
    p = np.stack([made[f"p_{name}"].to_numpy() for name in classes], axis=1)
    truth = np.array([classes.index(label) for label in made["label"].to_pylist()])
    test = np.array(made["split"].to_pylist()) == "test"
    return float((p.argmax(axis=1) == truth)[test].mean())


def expect(what: str, found: object, expected: object) -> None:
    """Refuse a difference, with both sides in the message."""
    found, expected = (dict(side) if isinstance(side, Mapping) else side for side in (found, expected))
    if found != expected:
        raise Mismatch(f"{what}: {found}, {expected} expected; has the source changed, or is it read another way?")


def options(what: str) -> argparse.Namespace:
    """Where to write and where to keep downloads."""
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--output", type=Path, default=Path("data"), help="folder of the files made (default: data)")
    parser.add_argument(
        "--cache", type=Path, default=Path("downloads"), help="folder of the files downloaded (default: downloads)"
    )
    return parser.parse_args()
