"""Make probing.json: the probing classifier, written as plainly as possible, on random samples.

The reading: P is n x m, Y the one-hot labels, each row times its weight over the sum of weights, pi the class shares.
H starts as the one-hot predictions argmax g0_k * p_k, and is always kept as a full n x m array; C = Y.T @ H. Round
i = 0, 1, ... probes every class j: C_j is (1 - eps) * C with eps * pi added to column j. It solves
(eps * (diag(pi) - 1 diag(C).T) - 1e-8 * I) g = f(C_j) - f(C), and mixes: H = (1 - s) * H + s * onehot(argmax g_k * p_k)
with s = 2 / (i + 2). The H with the largest f(C) is kept, the first of equal ones. Each eps has 5 rounds, and the best,
the first of equal ones, has 60. A score counts as larger if it is so by more than 1e-12. The predicted class is the
first with the largest H, rounded to 9 digits because sums of steps that are equal on paper are not so in float64.

Nothing here is shared with the Rust code. Run from the root of the repository, in an environment with
testdata/requirements.txt (a few seconds):

    python testdata/make_probing.py
"""

import json
import platform
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

SEED = 20240711
OUTPUT = Path(__file__).parent / "probing.json"
EPSILONS = (0.1, 0.05, 0.01, 0.005, 0.001)
EQUAL = 1e-12  # scores closer than this are equal
CLOSE = 1e-9  # two scores nearer than this, yet not equal: rounding would decide
CLOSE_PRODUCTS = 1e-6  # the same for the two largest products g_k * p_k of a row, relative to the larger
N_TEST = 25

# (kind, classes, labelled rows)
KINDS = (
    ("plain", 2, 40),
    ("plain", 3, 60),
    ("plain", 5, 80),
    ("plain", 8, 100),
    ("weighted", 2, 30),
    ("weighted", 3, 50),
    ("weighted", 5, 70),
    ("absent", 3, 40),
    ("absent", 5, 60),
    ("one class", 3, 20),
    ("single precision", 3, 40),
    ("shifted", 2, 60),
    ("shifted", 3, 90),
    ("shifted", 5, 120),
    ("shifted", 8, 120),
    ("shifted", 5, 150),
)

Array = np.ndarray


def accuracy(c: Array) -> float:
    """Share of the rows on the diagonal."""
    return np.trace(c) / c.sum()


def macro_f1(c: Array) -> float:
    """Mean F1 of the classes with true or predicted rows."""
    present = c.sum(axis=0) + c.sum(axis=1)
    return np.mean([2 * c[k, k] / present[k] for k in range(len(c)) if present[k] > 0])


def macro_g_mean(c: Array) -> float:
    """Root of mean sensitivity times mean specificity, of the classes with true or predicted rows."""
    total, sensitivity, specificity = c.sum(), [], []
    for k in range(len(c)):
        truth, predicted = c[k].sum(), c[:, k].sum()
        if truth + predicted > 0:
            sensitivity.append(c[k, k] / truth if truth > 0 else 0.0)
            others = np.delete(np.delete(c, k, axis=0), k, axis=1).sum()
            specificity.append(others / (total - truth) if total - truth > 1e-12 else 0.0)
    return np.sqrt(np.mean(sensitivity) * np.mean(specificity))


def mcc(c: Array) -> float:
    """Multiclass (Gorodkin): the covariance of truth and prediction over the root of both variances."""
    truth, predicted = c.sum(axis=1), c.sum(axis=0)
    variances = (1 - truth @ truth) * (1 - predicted @ predicted)
    return (np.trace(c) - truth @ predicted) / np.sqrt(variances) if variances > 1e-12 else 0.0


METRICS: dict[str, Callable[[Array], float]] = {
    "accuracy": accuracy,
    "macro-f1": macro_f1,
    "macro-g-mean": macro_g_mean,
    "mcc": mcc,
}


class RoundingDecides(Exception):
    """The result would depend on the order of floating-point operations."""


@dataclass
class Sample:
    """Rows of probabilities with labels and weights, rows to predict, and the start."""

    name: str
    kind: str
    probabilities: Array
    labels: Array
    weights: Array
    test: Array
    start: Array


@dataclass
class Kept:
    """The best mixture of a run: its score, and what it is made of."""

    score: float
    rounds: int
    shares: list[float]
    factors: list[Array]


def one_hot(p: Array, g: Array) -> Array:
    """The prediction of each row as a row of zeros and a one."""
    products = p * g
    top = np.sort(products, axis=1)[:, -2:]
    if (top[:, 1] - top[:, 0] <= CLOSE_PRODUCTS * np.abs(top[:, 1])).any():
        raise RoundingDecides("prediction")
    return np.eye(p.shape[1])[products.argmax(axis=1)]


def is_better(score: float, best: float) -> bool:
    """Whether a score is larger by more than rounding."""
    if EQUAL / 10 < abs(score - best) < CLOSE:
        raise RoundingDecides("score")
    return score > best + EQUAL


def run(sample: Sample, f: Callable[[Array], float], eps: float, rounds: int) -> Kept:
    """Probe and mix; return the best mixture on the way."""
    p, m = sample.probabilities, sample.probabilities.shape[1]
    y = np.eye(m)[sample.labels] * (sample.weights / sample.weights.sum())[:, None]
    pi = y.sum(axis=0)
    h = one_hot(p, sample.start)
    c = y.T @ h
    shares, factors = [1.0], [sample.start]
    kept = Kept(f(c), 0, list(shares), list(factors))
    for i in range(rounds):
        changes = np.zeros(m)
        for j in range(m):
            probe = (1 - eps) * c
            probe[:, j] += eps * pi
            changes[j] = f(probe) - f(c)
        system = eps * (np.diag(pi) - np.outer(np.ones(m), np.diag(c)))
        try:
            g = np.linalg.solve(system - 1e-8 * np.eye(m), changes)
        except np.linalg.LinAlgError:
            break
        if not np.isfinite(g).all():
            break
        step = 2 / (i + 2)
        h = (1 - step) * h + step * one_hot(p, g)
        c = y.T @ h
        shares = [(1 - step) * share for share in shares] + [step]
        factors.append(g)
        if is_better(f(c), kept.score):
            kept = Kept(f(c), i + 1, list(shares), list(factors))
    return kept


def probing(sample: Sample, metric: str) -> dict[str, object]:
    """The whole classifier, with what a test wants to compare."""
    f = METRICS[metric]
    best, best_eps = None, None
    for eps in EPSILONS:
        kept = run(sample, f, eps, 5)
        if best is None or is_better(kept.score, best):
            best, best_eps = kept.score, eps
    kept = run(sample, f, best_eps, 60)
    h = np.zeros_like(sample.test)
    for share, g in zip(kept.shares, kept.factors, strict=True):
        if share > 0:
            h += share * one_hot(sample.test, g)
    used = [(share, g) for share, g in zip(kept.shares, kept.factors, strict=True) if share > 0]
    return {
        "sample": sample.name,
        "metric": metric,
        "epsilon": best_eps,
        "rounds": kept.rounds,
        "score": kept.score,
        "shares": [share for share, _ in used],
        "factors": [[float(f"{factor:.10g}") for factor in g] for _, g in used],
        "predictions": np.round(h, 9).argmax(axis=1).tolist(),
    }


def random_sample(rng: np.random.Generator, number: int) -> Sample:
    """A black box that is too sure of itself and fond of the wrong classes."""
    kind, m, n = KINDS[number]
    labels = rng.choice(m, size=n + N_TEST, p=rng.dirichlet(np.full(m, 3.0)))
    labels[:m] = np.arange(m)
    if kind == "absent":
        labels[labels == 1] = 0
    if kind == "one class":
        labels[:] = 1
    logits = rng.normal(size=(n + N_TEST, m)) + rng.normal(size=m)
    logits[np.arange(n + N_TEST), labels] += 1.5
    if kind == "shifted":
        logits += 2 * rng.normal(size=m)
    p = np.exp(1.3 * logits)
    p = np.round(p / p.sum(axis=1, keepdims=True), 5)
    weights = np.ones(n)
    if kind == "weighted":
        # A row of weight 0 takes no part.
        weights = np.round(rng.gamma(2.0, size=n), 3) * (rng.random(n) > 0.1)
    if kind == "single precision":
        p = p.astype(np.float32).astype(np.float64)
    start = rng.random(m)
    while len(set((p[:n][weights > 0] * start).argmax(axis=1))) == 1:
        start = rng.random(m)
    return Sample(f"{number:02}-{kind}", kind, p[:n], labels[:n], weights, p[n:], start)


def main() -> None:
    """Write probing.json, one sample or result per line."""
    rng = np.random.default_rng(SEED)
    samples = [random_sample(rng, number) for number in range(len(KINDS))]
    results: list[dict[str, object]] = []
    dropped: list[dict[str, object]] = []
    for sample in samples:
        for metric in METRICS:
            try:
                results.append(probing(sample, metric))
            except RoundingDecides as why:
                dropped.append({"sample": sample.name, "metric": metric, "why": str(why)})

    def lines(items: list[dict[str, object]]) -> str:
        return ",\n".join("    " + json.dumps(item, allow_nan=False, separators=(",", ":")) for item in items)

    versions = {"python": ".".join(platform.python_version_tuple()[:2]), "numpy": np.__version__}
    stored = [
        {
            "name": s.name,
            "kind": s.kind,
            "classes": [f"c{k}" for k in range(s.probabilities.shape[1])],
            "start": s.start.tolist(),
            "labels": s.labels.tolist(),
            "weights": None if (s.weights == 1).all() else s.weights.tolist(),
            "probabilities": s.probabilities.tolist(),
            "test": s.test.tolist(),
        }
        for s in samples
    ]
    body = (
        '{\n  "generated_by": "testdata/make_probing.py",\n'
        f'  "versions": {json.dumps(versions)},\n'
        f'  "samples": [\n{lines(stored)}\n  ],\n'
        f'  "dropped": [\n{lines(dropped)}\n  ],\n'
        f'  "results": [\n{lines(results)}\n  ]\n}}\n'
    )
    OUTPUT.write_text(body, encoding="utf-8")
    print(f"{OUTPUT.name}: {len(samples)} samples, {len(results)} results, {len(body)} bytes")
    print(f"dropped {len(dropped)} of {len(samples) * len(METRICS)}")


if __name__ == "__main__":
    main()
