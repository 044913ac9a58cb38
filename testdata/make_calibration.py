"""Make calibration.json: samples with the calibrators that SciPy, scikit-learn and netcal fit on them.

Each calibrator is written as its formula says: one dense tensor of the logits' derivatives, minimised by SciPy's
trust-region Newton. Nothing here is shared with the library's code. Logistic regression is scikit-learn's; so is
Dirichlet calibration without a penalty, which is the same model on log-probabilities. Temperature and vector
scaling are checked against netcal's on the way.

Run from the root of the repository, in an environment with testdata/requirements.txt:

    python testdata/make_calibration.py
"""

import json
import platform
from dataclasses import dataclass
from pathlib import Path

import netcal
import numpy as np
import scipy
import sklearn
from netcal.scaling import LogisticCalibration, TemperatureScaling
from scipy.optimize import minimize
from scipy.special import log_softmax
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

SEED = 20240603
OUTPUT = Path(__file__).parent / "calibration.json"
CLIP = np.finfo(np.float64).eps
TINY = 1e-9
SHOWN = 5  # calibrated rows that are written; the loss is that of all
NEVER = -1e3
# Probabilities agree so far; its vector scaling is called a logistic calibration.
NETCAL = {"temperature": (TemperatureScaling, 1e-5), "vector": (LogisticCalibration, 1e-3)}
ODIR = [(1e-1, 1e-1), (1e-2, 1e-4), (1e-5, 1e-3), (1e-5, 1e-5)]


@dataclass
class Sample:
    """Probabilities, labels, row weights and some features."""

    name: str
    probabilities: np.ndarray
    labels: np.ndarray
    weights: np.ndarray
    features: np.ndarray


def draw(rng: np.random.Generator, name: str, n: int, m: int, sharpness: float, absent: bool, weighted: bool) -> Sample:
    """Overconfident probabilities of a black box that prefers some classes; labels come from something milder."""
    logits = rng.normal(size=(n, m)) * 2.0
    bias = rng.normal(size=m) * 0.8
    truth = sharpness * (0.5 * logits + bias + rng.normal(size=(m, m)) @ np.ones(m) * 0.1) + rng.gumbel(size=(n, m))
    labels = truth[:, : m - 1].argmax(axis=1) if absent else truth.argmax(axis=1)
    labels[: m - absent] = np.arange(m - absent)  # every other class is present
    probabilities = np.exp(log_softmax(logits, axis=1)).round(6)
    probabilities[:, -1] = (1.0 - probabilities[:, :-1].sum(axis=1)).round(6).clip(0.0)
    weights = rng.integers(1, 12, n) / 4 if weighted else np.ones(n)
    features = (rng.normal(size=(n, 4)) * [1, 5, 0.1, 2] + labels[:, None] * [0.4, 1, 0, 0.5] + [0, 3, 1, 0]).round(4)
    features[:, 2] = 1.5  # a constant column
    return Sample(name, probabilities, labels, weights, features)


def derivatives(x: np.ndarray, present: np.ndarray, slopes: str, biases: bool) -> np.ndarray:
    """The logits' derivatives, by row, class and parameter."""
    n, k = len(x), len(present)
    own = np.zeros((n, k, k))
    own[:, np.arange(k), np.arange(k)] = x[:, present]
    parts = {
        "shared": own.sum(axis=2, keepdims=True),
        "per-class": own,
        "matrix": np.einsum("jl,nq->njlq", np.eye(k), x).reshape(n, k, -1),
    }
    constant = np.broadcast_to(np.eye(k), (n, k, k))
    return np.concatenate([parts[slopes], constant], axis=2) if biases else parts[slopes]


def optimum(j: np.ndarray, y: np.ndarray, w: np.ndarray, strength: np.ndarray, centre: np.ndarray) -> np.ndarray:
    """The parameters that minimise mean log loss + sum of strength * (theta - centre) ** 2."""
    rows = np.arange(len(y))

    def value(theta: np.ndarray) -> float:
        loss = -log_softmax(j @ theta, axis=1)[rows, y]
        return w @ loss + strength @ (theta - centre) ** 2

    def gradient(theta: np.ndarray) -> np.ndarray:
        residual = np.exp(log_softmax(j @ theta, axis=1))
        residual[rows, y] -= 1.0
        return np.einsum("n,nj,njp->p", w, residual, j) + 2 * strength * (theta - centre)

    def hessian(theta: np.ndarray) -> np.ndarray:
        p = np.exp(log_softmax(j @ theta, axis=1))
        mean = np.einsum("nj,njp->np", p, j)
        return np.einsum("n,nj,njp,njq->pq", w, p, j, j, optimize=True) - (mean.T * w) @ mean + 2 * np.diag(strength)

    theta = minimize(value, centre, jac=gradient, hess=hessian, method="trust-exact", options={"gtol": 1e-9}).x
    for _ in range(3):  # the region's test of progress stops at rounding; plain Newton steps polish
        theta = theta - np.linalg.solve(hessian(theta), gradient(theta))
    assert np.abs(gradient(theta)).max() < 1e-11
    return theta


def outcome(sample: Sample, logits: np.ndarray) -> dict[str, object]:
    """Loss of all rows and the first calibrated rows."""
    log_p = log_softmax(logits, axis=1)
    share = sample.weights / sample.weights.sum()
    loss = -share @ log_p[np.arange(len(log_p)), sample.labels]
    return {"log_loss": loss, "calibrated": np.exp(log_p[:SHOWN]).tolist()}


def calibrate(sample: Sample, family: str, lam: float, mu: float) -> dict[str, object]:
    """One family on one sample."""
    p = sample.probabilities
    x = p if family == "vector:probability" else np.log(p.clip(CLIP))
    slopes = {"temperature": "shared", "bcts": "shared", "dirichlet-full": "matrix"}.get(family, "per-class")
    biases = family != "temperature"
    present = np.unique(sample.labels)
    k, m = len(present), p.shape[1]
    j = derivatives(x, present, slopes, biases)
    own = np.ones(j.shape[2] - k * biases)
    if slopes == "matrix":
        own = (np.arange(m) == present[:, None]).ravel().astype(float)
    centre = np.concatenate([own, np.zeros(k * biases)])
    strength = np.concatenate([np.where(own > 0, TINY, max(lam, TINY)), np.full(k * biases, max(mu, TINY))])
    share = sample.weights / sample.weights.sum()
    theta = optimum(j, np.searchsorted(present, sample.labels), share, strength, centre)
    if biases:
        theta[-k:] -= theta[-k:].mean()
    # A class without rows moves with the average of the others: their mean slope, and the bias that keeps it, in the
    # mean of the rows, as far from them as the black box has it.
    own_slopes = theta[:k] if slopes == "per-class" else theta[:1]
    if slopes == "matrix":
        own_slopes = theta[: k * m].reshape(k, m)[np.arange(k), present]
    slope = own_slopes.mean()
    ahead = (share @ (j @ theta - slope * x[:, present])).mean()
    logits = slope * x + ahead
    logits[:, present] = j @ theta
    if family in NETCAL and (sample.weights == 1).all() and k == m > 2 and "separable" not in sample.name:
        check_netcal(sample, family, logits)
    return {"family": family, "lambda": lam, "mu": mu, **outcome(sample, logits)}


def check_netcal(sample: Sample, family: str, logits: np.ndarray) -> None:
    """netcal stops at some distance from the optimum, but gives nearly the same probabilities."""
    model, tolerance = NETCAL[family]
    theirs = model().fit(sample.probabilities, sample.labels).transform(sample.probabilities)
    worst = np.abs(theirs - np.exp(log_softmax(logits, axis=1))).max()
    print(f"{sample.name}: netcal's {family} gives probabilities within {worst:.1e}")
    assert worst < tolerance


def unpenalised(sample: Sample) -> dict[str, object]:
    """Dirichlet calibration without a penalty: scikit-learn's multinomial regression on log-probabilities."""
    x = np.log(sample.probabilities.clip(CLIP))
    model = LogisticRegression(C=np.inf, solver="newton-cg", tol=1e-11, max_iter=100_000)
    model.fit(x, sample.labels, sample_weight=sample.weights)
    logits = x @ model.coef_.T + model.intercept_
    return {"family": "dirichlet-full", "lambda": 0.0, "mu": 0.0, **outcome(sample, logits)}


def logistic(sample: Sample, lam: float, copies: int) -> dict[str, object]:
    """scikit-learn's regression on standardised features; of `copies` noisy ones there are more than rows."""
    features = sample.features
    if copies > 1:
        # No random numbers: the test makes the same columns.
        columns = np.arange(copies)
        rows = np.arange(len(features))[:, None]
        features = ((rows * 37 + columns * 101 + rows * columns * 13) % 97) / 97.0
    m = sample.probabilities.shape[1]
    present = np.unique(sample.labels)
    z = StandardScaler().fit(features, sample_weight=sample.weights).transform(features)
    # Two classes: one list of slopes instead of two of half the size, so half the penalty.
    strength = lam * sample.weights.sum() * (0.5 if len(present) == 2 else 1.0)
    model = LogisticRegression(C=1 / strength, solver="newton-cg", tol=1e-12, max_iter=100_000)
    model.fit(z, sample.labels, sample_weight=sample.weights)
    logits = np.full((len(z), m), NEVER)
    scores = model.decision_function(z)
    logits[:, present] = np.column_stack([-scores / 2, scores / 2]) if len(present) == 2 else scores
    logits[:, present] -= logits[:, present].mean(axis=1, keepdims=True)
    return {"copies": copies, "lambda": lam, **outcome(sample, logits)}


def case(sample: Sample) -> dict[str, object]:
    """A sample with all its fits."""
    plain = ["temperature", "bcts", "vector", "vector:probability"]
    fits = [calibrate(sample, family, 0.0, 0.0) for family in plain]
    fits += [calibrate(sample, "dirichlet-diag", 0.0, mu) for mu in (1e-1, 1e-3, 1e-5)]
    fits += [calibrate(sample, "dirichlet-full", lam, mu) for lam, mu in ODIR]
    m = sample.probabilities.shape[1]
    # A plane can separate so few rows; without a penalty there is no optimum then.
    if len(sample.labels) >= 60 and len(np.unique(sample.labels)) == m > 2:
        fits.append(unpenalised(sample))
    return {
        "name": sample.name,
        "probabilities": sample.probabilities.tolist(),
        "labels": sample.labels.tolist(),
        "weights": sample.weights.tolist(),
        "features": sample.features.tolist(),
        "fits": fits,
        "logistic": [logistic(sample, lam, copies) for lam in (1.0, 1e-2) for copies in (1, 150)],
    }


def main() -> None:
    """Write calibration.json, one case per line."""
    rng = np.random.default_rng(SEED)
    cases = [
        case(draw(rng, name, n, m, sharpness, absent, weighted))
        for name, n, m, sharpness, absent, weighted in [
            ("two-classes", 60, 2, 1.0, False, False),
            ("three-classes", 90, 3, 1.0, False, False),
            ("three-classes-weighted", 80, 3, 1.0, False, True),
            ("three-classes-separable", 40, 3, 30.0, False, False),
            ("three-classes-one-absent", 70, 3, 1.0, True, False),
            ("five-classes", 140, 5, 1.0, False, False),
            ("five-classes-one-absent-weighted", 120, 5, 1.0, True, True),
            ("five-classes-few-rows", 24, 5, 1.0, False, False),
        ]
    ]
    head = {
        "generated_by": "testdata/make_calibration.py",
        "versions": {
            "python": ".".join(platform.python_version_tuple()[:2]),
            "numpy": np.__version__,
            "scipy": scipy.__version__,
            "scikit-learn": sklearn.__version__,
            "netcal": netcal.__version__,
        },
    }
    lines = ",\n".join("    " + json.dumps(c, allow_nan=False) for c in cases)
    body = json.dumps(head, indent=2)[:-2] + ',\n  "cases": [\n' + lines + "\n  ]\n}\n"
    OUTPUT.write_text(body, encoding="utf-8")
    print(f"{OUTPUT.name}: {len(cases)} cases, {len(body)} bytes")


if __name__ == "__main__":
    main()
