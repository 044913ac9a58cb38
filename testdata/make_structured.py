"""Make structured.json: structured vector and matrix scaling by probmetrics, and by SciPy from the formula.

probmetrics computes in single precision and stops BFGS at a gradient of 1e-5, so its probabilities are exact to two to
five digits only. The formula that it minimises is therefore also minimised by SciPy in double precision. The script
stops if the two differ by more than the limits below: in a probability, or in the value of what is minimised, where the
optimum must not be above probmetrics' point. Nothing here is shared with the library's code.

Run from the root of the repository, in an environment with testdata/requirements.txt:

    python testdata/make_structured.py
"""

import json
import platform
from importlib.metadata import version
from pathlib import Path

import numpy as np
from probmetrics.calibrators import get_calibrator
from scipy.optimize import brentq, minimize
from scipy.special import log_softmax

SEED = 20260311
OUTPUT = Path(__file__).parent / "structured.json"
FLOOR = np.finfo(np.float32).tiny
BOUND = 16.0  # of the logarithm of the temperature step's slope
NEW_ROWS = 6
# Largest difference between a probability of probmetrics and of SciPy, by method, and of the minimised value.
LIMITS = {"svs": 5e-4, "sms": 5e-3}
VALUE_LIMIT = 1e-5
# Name, rows, classes, what is special.
CASES = [
    ("two", 50, 2, ""),
    ("two-right", 60, 2, "right"),
    ("three", 50, 3, ""),
    ("three-zeros", 120, 3, "zeros"),
    ("three-absent", 80, 3, "absent"),
    ("three-wrong", 60, 3, "wrong"),
    ("ten", 300, 10, ""),
    ("ten-zeros", 60, 10, "zeros"),
    ("thirty", 100, 30, ""),
]


def draw(rng: np.random.Generator, n: int, m: int, kind: str) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities of a black box that is too sure and prefers some classes, and labels."""
    logits = rng.normal(size=(n, m)) * 2.0
    truth = 0.5 * logits + rng.normal(size=m) * 0.8 + rng.gumbel(size=(n, m))
    if kind == "absent":
        truth[:, -1] = -np.inf
    p = np.exp(log_softmax(logits, axis=1))
    if kind == "zeros":
        p[p < 0.03] = 0.0
        p /= p.sum(axis=1, keepdims=True)
    p = p.round(5)
    p[np.arange(n), p.argmax(axis=1)] += 1.0 - p.sum(axis=1)  # rows sum to 1
    labels = truth.argmax(axis=1)
    if kind == "right":
        labels = p.argmax(axis=1)
    if kind == "wrong":
        labels = p.argmin(axis=1)
    return p.round(5), labels


def best_slope(x: np.ndarray, y: np.ndarray) -> float:
    """The slope of least log loss, between e^-16 and e^16."""

    def gradient(u: float) -> float:
        p = np.exp(log_softmax(np.exp(u) * x, axis=1))
        return ((p * x).sum(axis=1) - x[np.arange(len(y)), y]).mean()

    if gradient(BOUND) <= 0.0:
        return np.exp(BOUND)
    if gradient(-BOUND) > 0.0:
        return np.exp(-BOUND)
    return np.exp(brentq(gradient, -BOUND, BOUND, xtol=1e-14, rtol=1e-14))


class Formula:
    """The two steps as they are written down, in double precision."""

    def __init__(self, p: np.ndarray, y: np.ndarray, method: str) -> None:
        """Fit both steps."""
        n, m = p.shape
        self.slope = best_slope(np.log(p.clip(FLOOR)), y)
        self.uniform = 1.0 / (n + 1)
        x = self.tempered(p)
        free = np.eye(m) if method == "svs" else np.ones((m, m))
        strength = np.where(np.eye(m) > 0, m / n, m * (m - 1) / n)

        def value(theta: np.ndarray) -> tuple[float, np.ndarray]:
            a, c = theta[: m * m].reshape(m, m), theta[m * m :]
            log_p = log_softmax(x @ (np.eye(m) + a * free).T + c, axis=1)
            residual = np.exp(log_p)
            residual[np.arange(n), y] -= 1.0
            loss = -log_p[np.arange(n), y].mean() + (strength * free * a**2).sum() + m / n * (c**2).sum()
            of_a = free * (residual.T @ x / n + 2 * strength * a)
            return loss, np.concatenate([of_a.ravel(), residual.mean(axis=0) + 2 * m / n * c])

        options = {"maxiter": 100_000, "maxfun": 1_000_000, "ftol": 0.0, "gtol": 1e-12, "maxcor": 50}
        theta = minimize(value, np.zeros(m * m + m), jac=True, method="L-BFGS-B", options=options).x
        assert np.abs(value(theta)[1]).max() < 1e-7, np.abs(value(theta)[1]).max()
        self.a, self.c = np.eye(m) + theta[: m * m].reshape(m, m) * free, theta[m * m :]
        self.value = lambda a, c: value(np.concatenate([(a - np.eye(m)).ravel(), c]))[0]

    def tempered(self, p: np.ndarray) -> np.ndarray:
        """The logarithms after the temperature step."""
        q = np.exp(log_softmax(self.slope * np.log(p.clip(FLOOR)), axis=1))
        return np.log((1.0 - self.uniform) * q + self.uniform / p.shape[1])

    def predict_proba(self, p: np.ndarray) -> np.ndarray:
        """The calibrated probabilities."""
        return np.exp(log_softmax(self.tempered(p) @ self.a.T + self.c, axis=1))


def fits(p: np.ndarray, y: np.ndarray, rows: np.ndarray, name: str) -> list[dict[str, object]]:
    """Both methods on one sample, and their probabilities of other rows."""
    found = []
    for method, limit in LIMITS.items():
        formula = Formula(p, y, method)
        theirs = get_calibrator(method).fit(p, y)
        off = max(np.abs(theirs.predict_proba(r) - formula.predict_proba(r)).max() for r in (p, rows))
        a, c = (np.diag(theirs.v_), theirs.b_) if method == "svs" else (theirs.W_[:, :-1], theirs.W_[:, -1])
        gap = formula.value(a.astype(float), c.astype(float)) - formula.value(formula.a, formula.c)
        print(f"{name:14} {method}: probability {off:.1e}, value {gap:.1e}, slope {formula.slope:.4g}")
        assert off < limit and -1e-12 < gap < VALUE_LIMIT
        log_p = np.log(formula.predict_proba(p))
        found.append(
            {
                "method": method,
                "slope": formula.slope,
                "log_loss": -log_p[np.arange(len(y)), y].mean(),
                "formula": formula.predict_proba(rows).tolist(),
                "probmetrics": theirs.predict_proba(rows).astype(float).round(7).tolist(),
            }
        )
    return found


def main() -> None:
    """Write the file."""
    rng = np.random.default_rng(SEED)
    cases = []
    for name, n, m, kind in CASES:
        p, y = draw(rng, n, m, kind)
        rows = np.vstack([draw(rng, NEW_ROWS, m, "zeros")[0], np.eye(m)[:1], np.full((1, m), 1 / m)])
        case = {"name": name, "probabilities": p.tolist(), "labels": y.tolist(), "rows": rows.tolist()}
        cases.append(case | {"fits": fits(p, y, rows, name)})
    packages = ("numpy", "scipy", "probmetrics", "pytorch-minimize", "torch")
    versions = {package: version(package).split("+")[0] for package in packages}
    head = {
        "generated_by": "testdata/make_structured.py",
        "versions": {"python": ".".join(platform.python_version_tuple()[:2])} | versions,
    }
    lines = ",\n".join("    " + json.dumps(c, allow_nan=False) for c in cases)
    body = json.dumps(head, indent=2)[:-2] + ',\n  "cases": [\n' + lines + "\n  ]\n}\n"
    OUTPUT.write_text(body, encoding="utf-8")
    print(f"{OUTPUT.name}: {len(cases)} cases, {len(body)} bytes")


if __name__ == "__main__":
    main()
