"""Make algorithm1.json: Algorithm 1 of the paper, written as plainly as possible, on random samples.

The reading: the reference r is the last class; for each other class k the rows labelled k or r are predicted k where
`alpha * b_k > (1 - alpha) * b_r` (in float64, as written; a tie goes to r), for alpha = i / steps, i = 0..steps-1; the
first alpha with the largest metric wins; w_k = alpha / (1 - alpha); w_r = 1; a class without rows gets weight 0; the
weights are divided by their sum. The metric is scikit-learn's or imbalanced-learn's, on label vectors.

Nothing here is shared with the Rust code. The one shortcut: a metric is not computed twice for the same predictions.

Run from the root of the repository, in an environment with testdata/requirements.txt (about two minutes):

    python testdata/make_algorithm1.py
"""

import json
import platform
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import imblearn
import numpy as np
import sklearn
from imblearn.metrics import geometric_mean_score
from sklearn import metrics as sk

SEED = 20240602
OUTPUT = Path(__file__).parent / "algorithm1.json"
STEPS = (20, 100)
CLOSE = 1e-9  # two best scores nearer than this, yet not equal: rounding would decide
CLOSE_PRODUCTS = 1e-12  # the same for two products w_k * b_k of a row, relative to the larger
KINDS = ("calibrated", "shifted", "over-confident", "under-confident", "zeros", "equal", "rounded", "absent")


def macro_fowlkes_mallows(truth: list[int], predicted: list[int]) -> float:
    """Mean over the classes that occur of sqrt(precision * recall)."""
    precision = sk.precision_score(truth, predicted, average=None, zero_division=0)
    recall = sk.recall_score(truth, predicted, average=None, zero_division=0)
    return np.mean(np.sqrt(precision * recall))


METRICS: dict[str, Callable[[list[int], list[int]], float]] = {
    "accuracy": sk.accuracy_score,
    "balanced-accuracy": sk.balanced_accuracy_score,
    "macro-f1": lambda t, p: sk.f1_score(t, p, average="macro", zero_division=0),
    "weighted-f1": lambda t, p: sk.f1_score(t, p, average="weighted", zero_division=0),
    "macro-g-mean": lambda t, p: geometric_mean_score(t, p, average="macro"),
    "g-mean": geometric_mean_score,
    "mcc": sk.matthews_corrcoef,
    "cohen-kappa": sk.cohen_kappa_score,
    "macro-jaccard": lambda t, p: sk.jaccard_score(t, p, average="macro", zero_division=0),
    "macro-fowlkes-mallows": macro_fowlkes_mallows,
}


@dataclass
class Sample:
    """Rows of probabilities with their labels, and what was done to them."""

    name: str
    kind: str
    probabilities: list[list[float]]
    labels: list[int]
    cache: dict[tuple[str, tuple[int, ...], tuple[int, ...]], float] = field(default_factory=dict)

    def score(self, metric: str, truth: list[int], predicted: list[int]) -> float:
        """The library's score, computed once per metric and pair of label vectors."""
        key = (metric, tuple(truth), tuple(predicted))
        if key not in self.cache:
            self.cache[key] = float(METRICS[metric](truth, predicted))
        return self.cache[key]


class RoundingDecides(Exception):
    """The result would depend on the order of floating-point operations."""


def best_alpha(sample: Sample, metric: str, k: int, r: int, steps: int) -> tuple[float, float, bool]:
    """Lines 4-5 of Algorithm 1: the first best alpha, its score, and whether different predictions tie with it."""
    rows = [i for i, label in enumerate(sample.labels) if label in (k, r)]
    truth = [sample.labels[i] for i in rows]
    best, best_score = None, None
    seen: dict[tuple[int, int], float] = {}
    for i in range(steps):
        alpha = i / steps
        predicted = []
        for row in rows:
            b = sample.probabilities[row]
            predicted.append(k if alpha * b[k] > (1 - alpha) * b[r] else r)
        score = sample.score(metric, truth, predicted)
        hits_k = sum(t == k and p == k for t, p in zip(truth, predicted, strict=True))
        hits_r = sum(t == r and p == r for t, p in zip(truth, predicted, strict=True))
        seen[hits_k, hits_r] = score
        if best_score is None or score > best_score:
            best, best_score = alpha, score
    if any(score != best_score and best_score - score < CLOSE for score in seen.values()):
        raise RoundingDecides("pair")
    return best, best_score, sum(score == best_score for score in seen.values()) > 1


def predict(sample: Sample, weights: list[float]) -> list[int]:
    """The first class with the largest `w_k * b_k`, row by row."""
    predicted = []
    for b in sample.probabilities:
        products = [w * p for w, p in zip(weights, b, strict=True)]
        best = products.index(max(products))
        for k, product in enumerate(products):
            same = (weights[k], b[k]) == (weights[best], b[best])
            if not same and 0 < products[best] and products[best] - product <= CLOSE_PRODUCTS * products[best]:
                raise RoundingDecides("prediction")
        predicted.append(best)
    return predicted


def algorithm1(sample: Sample, metric: str, steps: int) -> dict[str, object]:
    """The whole of Algorithm 1, with what a test wants to compare."""
    m = len(sample.probabilities[0])
    r = m - 1
    alphas: list[float | None] = []
    scores: list[float | None] = []
    tied = []
    weights = []
    for k in range(m):
        if k == r:
            alphas.append(None)
            scores.append(None)
            weights.append(1.0)
        elif k not in sample.labels:
            alphas.append(0.0)
            scores.append(None)
            weights.append(0.0)
        else:
            alpha, score, is_tied = best_alpha(sample, metric, k, r, steps)
            alphas.append(alpha)
            scores.append(score)
            weights.append(alpha / (1 - alpha))
            if is_tied:
                tied.append(k)
    total = 0.0
    for w in weights:
        total += w
    weights = [w / total for w in weights]
    clean = [b.index(max(b)) for b in sample.probabilities]
    return {
        "sample": sample.name,
        "metric": metric,
        "steps": steps,
        "alphas": alphas,
        "scores": scores,
        "tied": tied,
        "weights": weights,
        "clean": sample.score(metric, sample.labels, clean),
        "fitted": sample.score(metric, sample.labels, predict(sample, weights)),
    }


def softmax(logits: np.ndarray) -> np.ndarray:
    """Rows that sum to one."""
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def random_sample(rng: np.random.Generator, number: int) -> Sample:
    """Noisy logits of a black box whose classes occur more or less often than it believes."""
    kind = KINDS[number % len(KINDS)]
    m = 3 + number // 2 % 4 if kind == "absent" else 2 + number // 3 % 5
    n = int(rng.integers(max(15, 4 * m), 151))
    labels = rng.choice(m, n, p=0.5 / m + 0.5 * rng.dirichlet(np.ones(m)))
    missing = int(rng.integers(m - 1)) if kind == "absent" else None
    labels[labels == missing] = m - 1
    labels[:m] = [m - 1 if k == missing else k for k in range(m)]
    rng.shuffle(labels)
    logits = rng.normal(0, 1, (n, m)) + 1.5 * np.eye(m)[labels]
    if kind != "calibrated":
        logits += rng.normal(0, 1, m)
    logits *= {"over-confident": 4, "under-confident": 0.3}.get(kind, 1)
    p = softmax(logits)
    if kind == "zeros":
        p[rng.random((n, m)) < 0.25] = 0
        p[p.sum(axis=1) == 0, 0] = 1
        p /= p.sum(axis=1, keepdims=True)
    elif kind == "equal":
        for row in np.flatnonzero(rng.random(n) < 0.4):
            pair = rng.permutation(m)[:2]
            p[row, pair] = p[row, pair].mean()
        p[rng.integers(n)] = 1 / m
    elif kind == "rounded":
        p = np.round(p, 2)
        p[np.arange(n), p.argmax(axis=1)] += 1 - p.sum(axis=1)
        p = np.round(p, 2)
    assert np.abs(p.sum(axis=1) - 1).max() < 1e-9 and p.min() >= 0
    return Sample(f"{number:02}-{kind}", kind, p.tolist(), labels.tolist())


def main() -> None:
    """Write algorithm1.json, one sample or result per line."""
    warnings.simplefilter("ignore")
    rng = np.random.default_rng(SEED)
    samples = [random_sample(rng, number) for number in range(60)]
    results: list[dict[str, object]] = []
    dropped: list[dict[str, object]] = []
    for sample in samples:
        for metric in METRICS:
            try:
                results += [algorithm1(sample, metric, steps) for steps in STEPS]
            except RoundingDecides as why:
                dropped.append({"sample": sample.name, "metric": metric, "why": str(why)})
        sample.cache.clear()

    def lines(items: list[dict[str, object]]) -> str:
        return ",\n".join("    " + json.dumps(item, allow_nan=False, separators=(",", ":")) for item in items)

    versions = {
        "python": ".".join(platform.python_version_tuple()[:2]),
        "numpy": np.__version__,
        "scikit-learn": sklearn.__version__,
        "imbalanced-learn": imblearn.__version__,
    }
    stored = [
        {
            "name": s.name,
            "kind": s.kind,
            "classes": [f"c{k}" for k in range(len(s.probabilities[0]))],
            "labels": s.labels,
            "probabilities": s.probabilities,
        }
        for s in samples
    ]
    body = (
        '{\n  "generated_by": "testdata/make_algorithm1.py",\n'
        f'  "versions": {json.dumps(versions)},\n'
        f'  "samples": [\n{lines(stored)}\n  ],\n'
        f'  "dropped": [\n{lines(dropped)}\n  ],\n'
        f'  "results": [\n{lines(results)}\n  ]\n}}\n'
    )
    OUTPUT.write_text(body, encoding="utf-8")
    tied = sum(bool(result["tied"]) for result in results)
    print(f"{OUTPUT.name}: {len(samples)} samples, {len(results)} results, {len(body)} bytes")
    print(f"dropped {len(dropped)} of {len(samples) * len(METRICS)}; {tied} results with tied matrices")


if __name__ == "__main__":
    main()
