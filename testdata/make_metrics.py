"""Make metrics.json: confusion matrices with the scores that scikit-learn and imbalanced-learn give them.

Each case is an asymmetric matrix `counts[truth][predicted]`. It is turned into label vectors (or, for fractional
counts, into label vectors with `sample_weight`) and handed to the libraries; no formula is written here where a
library has one. A score that a library calls undefined (nan) is stored as null.

Run from the root of the repository, in an environment with testdata/requirements.txt:

    python testdata/make_metrics.py
"""

import json
import math
import platform
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import imblearn
import numpy as np
import sklearn
from imblearn.metrics import geometric_mean_score
from sklearn import metrics as sk

SEED = 20240601
OUTPUT = Path(__file__).parent / "metrics.json"


def rows_of(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """One (truth, predicted) row per unit of an integer matrix."""
    m = len(counts)
    cells = np.arange(m * m).repeat(counts.ravel())
    return cells // m, cells % m


def cells_of(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """One (truth, predicted, weight) row per non-empty cell; empty cells make no row, so they add no label."""
    truth, predicted = np.nonzero(counts)
    return truth, predicted, counts[truth, predicted]


def macro_g_mean(truth: np.ndarray, predicted: np.ndarray) -> float:
    """imbalanced-learn's value, on unweighted rows only.

    With `sample_weight` its true negatives are `number of rows - weighted counts`, which mixes units; so fractional
    matrices are scaled to integers first (the score does not depend on the scale). The check below recomputes the
    score from scikit-learn's recalls of "is class k" and "is not class k".
    """
    value = geometric_mean_score(truth, predicted, average="macro")
    labels = np.union1d(truth, predicted)
    sensitivity = sk.recall_score(truth, predicted, average="macro", zero_division=0)
    specificity = np.mean(
        [sk.recall_score(truth != k, predicted != k, pos_label=True, zero_division=0) for k in labels]
    )
    assert math.isclose(value, math.sqrt(sensitivity * specificity), abs_tol=1e-12)
    return value


def scores(
    counts: np.ndarray, scale: int, cost: np.ndarray, beta: np.ndarray, pair: tuple[int, int]
) -> dict[str, float | None]:
    """Every metric of one matrix. `scale` is 1, or what makes a fractional matrix whole."""
    whole = np.rint(counts * scale).astype(np.int64)
    assert np.allclose(whole / scale, counts, atol=1e-12)
    unit_truth, unit_predicted = rows_of(whole)
    if scale == 1:
        truth, predicted, weight = unit_truth, unit_predicted, None
    else:
        truth, predicted, weight = cells_of(counts)

    def call(metric: Callable[..., float], **options: object) -> float:
        return metric(truth, predicted, sample_weight=weight, **options)

    macro = {"average": "macro", "zero_division": 0}
    per_class = {"average": None, "zero_division": 0}
    precision = call(sk.precision_score, **per_class)
    recall = call(sk.recall_score, **per_class)
    with_rows = np.isin(np.union1d(truth, predicted), truth)
    total = counts.sum()

    expected = {
        "accuracy": call(sk.accuracy_score),
        "balanced-accuracy": call(sk.balanced_accuracy_score),
        "macro-f1": call(sk.f1_score, **macro),
        "weighted-f1": call(sk.f1_score, average="weighted", zero_division=0),
        "macro-f-beta:2": call(sk.fbeta_score, beta=2, **macro),
        "macro-f-beta:0.5": call(sk.fbeta_score, beta=0.5, **macro),
        "macro-precision": call(sk.precision_score, **macro),
        "macro-recall": call(sk.recall_score, **macro),
        "macro-g-mean": macro_g_mean(unit_truth, unit_predicted),
        "g-mean": call(geometric_mean_score),
        "mcc": call(sk.matthews_corrcoef),
        "cohen-kappa": call(sk.cohen_kappa_score),
        "macro-jaccard": call(sk.jaccard_score, **macro),
        "macro-fowlkes-mallows": np.mean(np.sqrt(precision * recall)),
        "min-recall": recall[with_rows].min(),
    }
    if scale == 1:
        expected["pair-fowlkes-mallows"] = sk.fowlkes_mallows_score(truth, predicted)
    for k in pair:
        one = {"labels": [k], "average": None, "zero_division": 0}
        expected[f"f1:c{k}"] = call(sk.f1_score, **one)[0]
        expected[f"precision:c{k}"] = call(sk.precision_score, **one)[0]
        expected[f"recall:c{k}"] = call(sk.recall_score, **one)[0]
        expected[f"f-beta:2:c{k}"] = call(sk.fbeta_score, beta=2, **one)[0]
    name = "linear-diagonal:" + ",".join(repr(float(b)) for b in beta)
    expected[name] = np.sum(beta * counts.diagonal()) / total
    expected["cost"] = -np.sum(counts * cost) / total + 0.0  # no minus zero
    return {key: None if np.isnan(value) else float(value) for key, value in expected.items()}


def dense(rng: np.random.Generator, m: int) -> np.ndarray:
    """Every cell filled, more on the diagonal, no symmetry."""
    counts = rng.integers(1, 15, (m, m))
    counts[np.arange(m), np.arange(m)] += rng.integers(0, 30, m)
    return counts


def sparse(rng: np.random.Generator, m: int) -> np.ndarray:
    """About a third of the cells filled, at least one."""
    counts = rng.integers(1, 8, (m, m)) * (rng.random((m, m)) < 0.35)
    counts[rng.integers(m), rng.integers(m)] += 1
    return counts


def integer_cases(rng: np.random.Generator) -> Iterator[tuple[str, np.ndarray]]:
    """Name and matrix of each case with integer counts."""
    for m in range(2, 7):
        for i in range(4):
            yield f"dense-{m}-{i}", dense(rng, m)
            yield f"sparse-{m}-{i}", sparse(rng, m)
        yield f"skewed-{m}", (dense(rng, m) * 10.0 ** rng.uniform(-1.2, 1.8, (m, 1))).astype(np.int64) + 1
        for i in range(2):
            counts = dense(rng, m)
            counts[rng.integers(m)] = 0
            yield f"no-true-rows-{m}-{i}", counts
            counts = dense(rng, m)
            counts[:, rng.integers(m)] = 0
            yield f"never-predicted-{m}-{i}", counts
        yield f"all-correct-{m}", np.diag(rng.integers(1, 20, m))
        counts = dense(rng, m)
        np.fill_diagonal(counts, 0)
        yield f"all-wrong-{m}", counts
        counts = np.zeros((m, m), dtype=np.int64)
        counts[rng.integers(m)] = rng.integers(1, 12, m)
        yield f"one-true-class-{m}", counts
        counts = np.zeros((m, m), dtype=np.int64)
        counts[:, rng.integers(m)] = rng.integers(1, 12, m)
        yield f"constant-prediction-{m}", counts
    for m in range(3, 7):
        for i in range(2):
            counts = dense(rng, m)
            k = rng.integers(m)
            counts[k], counts[:, k] = 0, 0
            yield f"neither-{m}-{i}", counts
    for m in (4, 5, 6):
        counts = dense(rng, m)
        a, b, c = rng.permutation(m)[:3]
        counts[a], counts[:, b], counts[c], counts[:, c] = 0, 0, 0, 0
        yield f"all-kinds-of-absence-{m}", counts
    for m in (2, 3, 5):
        truth, predicted = rng.permutation(m)[:2]
        for name, column, count in (
            ("single-row-right", truth, 1),
            ("single-row-wrong", predicted, 1),
            ("one-class-all-correct", truth, 9),
            ("one-class-for-another", predicted, 9),
        ):
            counts = np.zeros((m, m), dtype=np.int64)
            counts[truth, column] = count
            yield f"{name}-{m}", counts
    for m in (3, 5):
        yield f"relabelled-{m}", np.roll(np.diag(rng.integers(2, 20, m)), 1, axis=1)
    yield "dense-12", dense(rng, 12)
    yield "sparse-12", sparse(rng, 12)


def fractional_cases(rng: np.random.Generator) -> Iterator[tuple[str, np.ndarray, int]]:
    """Name, matrix and scale of each case whose counts are sums of row weights.

    Sixteenths are exact in binary; twentieths are not, and stay away from degenerate matrices, where a rounding
    error would decide whether a denominator is zero.
    """
    for m in range(2, 7):
        yield f"weighted-dense-{m}", rng.integers(1, 80, (m, m)) / 16, 16
        yield f"weighted-decimal-{m}", rng.integers(1, 80, (m, m)) / 20, 20
    for m in (3, 4):
        yield f"weighted-sparse-{m}", sparse(rng, m) / 16, 16
    counts = rng.integers(1, 80, (4, 4))
    counts[1], counts[:, 2] = 0, 0
    yield "weighted-absences-4", counts / 16, 16
    counts = np.zeros((3, 3))
    counts[1] = rng.integers(1, 80, 3)
    yield "weighted-one-true-class-3", counts / 16, 16
    counts = np.zeros((3, 3))
    counts[:, 2] = rng.integers(1, 80, 3)
    yield "weighted-constant-prediction-3", counts / 16, 16
    counts = np.zeros((3, 3))
    counts[0, 0] = 11
    yield "weighted-one-class-all-correct-3", counts / 16, 16


def case(rng: np.random.Generator, name: str, counts: np.ndarray, scale: int) -> dict[str, object]:
    """One case with a random cost matrix, random diagonal coefficients and two random classes."""
    m = len(counts)
    cost = rng.integers(0, 100, (m, m)) / 10
    if rng.random() < 0.5:
        np.fill_diagonal(cost, 0)
    thousandths = rng.multinomial(1000, rng.dirichlet(np.ones(m)))
    beta = thousandths / 1000
    pair = tuple(sorted(int(k) for k in rng.permutation(m)[:2]))
    return {
        "name": name,
        "classes": [f"c{k}" for k in range(m)],
        "counts": counts.tolist(),
        "cost": cost.tolist(),
        "expected": scores(counts, scale, cost, beta, pair),
    }


def main() -> None:
    """Write metrics.json, one case per line."""
    warnings.simplefilter("ignore")  # the libraries warn about the very degeneracies that are recorded here
    rng = np.random.default_rng(SEED)
    cases = [case(rng, name, counts, 1) for name, counts in integer_cases(rng)]
    cases += [case(rng, *fractional) for fractional in fractional_cases(rng)]
    head = {
        "generated_by": "testdata/make_metrics.py",
        "versions": {
            "python": ".".join(platform.python_version_tuple()[:2]),
            "numpy": np.__version__,
            "scikit-learn": sklearn.__version__,
            "imbalanced-learn": imblearn.__version__,
        },
    }
    lines = ",\n".join("    " + json.dumps(c, allow_nan=False) for c in cases)
    body = json.dumps(head, indent=2)[:-2] + ',\n  "cases": [\n' + lines + "\n  ]\n}\n"
    OUTPUT.write_text(body, encoding="utf-8")
    print(f"{OUTPUT.name}: {len(cases)} cases, {len(body)} bytes")


if __name__ == "__main__":
    main()
