"""Make label_shift.json: the weights of label shift, found twice and as plainly as possible, on random samples.

The reading. Rows are weighted so that their mean weight is 1; N rows, n_k of them labelled k, source priors pi:

* with source priors, maximise over w > 0

      sum over unlabelled rows of u * log(sum_k w_k b_k) + sum_k (n_k + 1/2) log w_k - sum_k (N pi_k + 1/2) w_k

  once by EM, w_k <- (n_k + sum over unlabelled rows of u * w_k b_k / sum_j w_j b_j + 1/2) / (N pi_k + 1/2), until no
  weight moves by more than 1e-14 of itself, and once by SciPy (trust-exact on log w, with the exact Hessian);
* without, maximise over w the sum over labelled rows of u * log(w_y b_y / sum_j w_j b_j): once by the fixed point
  w_k <- n_k / sum of u * b_k / sum_j w_j b_j, and once by SciPy. Rows with b_y = 0 take no part; a class without rows
  has the geometric mean of the other weights.

The script stops if the two disagree by more than 1e-8 in any log-weight. `saerens` are the target priors of the EM
algorithm as published (Saerens, Latinne, Decaestecker 2002), without the halves, where it applies: no labels.

Nothing here is shared with the Rust code. Run from the root of the repository, in an environment with
testdata/requirements.txt (a few seconds):

    python testdata/make_label_shift.py
"""

import json
import platform
from pathlib import Path

import numpy as np
import scipy
from scipy.optimize import minimize

SEED = 20020101
OUTPUT = Path(__file__).parent / "label_shift.json"
HALF = 0.5
AGREE = 1e-8
ROUNDS = 2_000_000

# (kind, classes, unlabelled rows, labelled rows, whether the source priors are known)
KINDS = (
    ("unlabelled", 2, 200, 0, True),
    ("unlabelled", 3, 300, 0, True),
    ("unlabelled", 6, 400, 0, True),
    ("unlabelled", 3, 1, 0, True),
    ("border", 3, 250, 0, True),
    ("border", 5, 300, 0, True),
    ("overlapping", 3, 200, 0, True),
    ("weighted", 3, 150, 0, True),
    ("zeros", 4, 120, 0, True),
    ("single precision", 3, 120, 0, True),
    ("labelled", 3, 0, 60, True),
    ("absent", 4, 0, 40, True),
    ("both", 3, 150, 30, True),
    ("both", 5, 200, 40, True),
    ("weighted", 4, 120, 40, True),
    ("absent", 4, 120, 30, True),
    ("no priors", 2, 0, 50, False),
    ("no priors", 3, 0, 80, False),
    ("no priors", 6, 0, 120, False),
    ("weighted", 3, 20, 60, False),
    ("zeros", 4, 0, 90, False),
    ("absent", 5, 0, 60, False),
    ("single precision", 3, 0, 50, False),
)

Array = np.ndarray


def draw(rng: np.random.Generator, kind: str, m: int, n: int) -> tuple[Array, Array, Array]:
    """Source priors, probabilities and true labels of rows in which the shares of the classes have shifted."""
    spread = 0.3 if kind == "overlapping" else 1.5
    centres = rng.normal(size=(m, 2)) * spread
    source = np.round(rng.dirichlet(np.full(m, 5.0)) * 0.9 + 0.1 / m, 4)
    source[-1] = np.round(1 - source[:-1].sum(), 4)
    target = rng.dirichlet(np.full(m, 2.0))
    if kind == "border":
        target[0] = 0  # the likelihood is highest where a class is gone
        target[1] = 1e-4
    if kind == "absent":
        target[-1] = 0
    target /= target.sum()
    labels = rng.choice(m, size=n, p=target)
    x = centres[labels] + rng.normal(size=(n, 2))
    density = np.exp(-((x[:, None, :] - centres) ** 2).sum(axis=2) / 2)
    b = density * source
    b /= b.sum(axis=1, keepdims=True)
    if kind == "zeros":
        b[b < 0.02] = 0
        b /= b.sum(axis=1, keepdims=True)
    b = b.astype(np.float32).astype(float) if kind == "single precision" else np.round(b, 5)
    return source, b, labels


def explained(b: Array, u: Array, pull: Array, toll: Array) -> Array:
    """Log-weights that explain unlabelled rows and labels best, given what is expected; by EM and by SciPy."""
    w = np.ones(len(pull))
    for _ in range(ROUNDS):
        p = w * b / (b @ w)[:, None]
        new = (u @ p + pull) / toll
        done = np.abs(new / w - 1).max() <= 1e-14
        w = new
        if done:
            break
    else:
        raise SystemExit("EM goes on for ever")

    def value(theta: Array) -> float:
        w = np.exp(theta)
        return -(u @ np.log(b @ w) + pull @ theta - toll @ w)

    def slope(theta: Array) -> Array:
        w = np.exp(theta)
        return -(u @ (w * b / (b @ w)[:, None]) + pull - toll * w)

    def bend(theta: Array) -> Array:
        w = np.exp(theta)
        p = w * b / (b @ w)[:, None]
        return np.diag(toll * w - u @ p) + p.T @ (p * u[:, None])

    return agreed(np.log(w), polished(value, slope, bend, np.zeros(len(pull))))


def divided(b: Array, u: Array, labels: Array) -> tuple[Array, int]:
    """Log-weights that make the labels most likely, by a fixed point and by SciPy; and the rows that took part."""
    m = b.shape[1]
    possible = b[np.arange(len(b)), labels] > 0
    b, u, labels = b[possible], u[possible], labels[possible]
    u = u / u.mean()
    present = np.unique(labels)
    b = b[:, present]
    rows = np.array([u[labels == k].sum() for k in present])
    w = np.ones(len(present))
    for _ in range(ROUNDS):
        new = rows / (u @ (b / (b @ w)[:, None]))
        new /= np.exp(np.log(new).mean())
        done = np.abs(new / w - 1).max() <= 1e-14
        w = new
        if done:
            break
    else:
        raise SystemExit("the fixed point goes on for ever")

    def value(theta: Array) -> float:
        return -(rows @ theta - u @ np.log(b @ np.exp(theta)))

    def slope(theta: Array) -> Array:
        w = np.exp(theta)
        return -(rows - u @ (w * b / (b @ w)[:, None]))

    def bend(theta: Array) -> Array:
        w = np.exp(theta)
        p = w * b / (b @ w)[:, None]
        return np.diag(u @ p) - p.T @ (p * u[:, None]) + np.ones((len(w), len(w)))  # the mean is free: hold it

    theta = polished(value, slope, bend, np.zeros(len(present)))
    found = np.zeros(m)
    found[present] = agreed(np.log(w), theta - theta.mean())
    return found, int(possible.sum())


def polished(value: object, slope: object, bend: object, start: Array) -> Array:
    """The minimum by SciPy, and a few plain Newton steps for the last digits."""
    theta = minimize(value, start, jac=slope, hess=bend, method="trust-exact", options={"gtol": 1e-9}).x
    for _ in range(5):
        theta = theta - np.linalg.solve(bend(theta), slope(theta))
    return theta


def agreed(one: Array, other: Array) -> Array:
    """Both, if they are the same."""
    gap = np.abs(one - other).max()
    if not gap <= AGREE:
        raise SystemExit(f"the two ways differ by {gap}")
    return other


def saerens(b: Array, u: Array, source: Array) -> Array:
    """Target priors by the EM algorithm as published."""
    target = source.copy()
    for _ in range(ROUNDS):
        p = b * (target / source)
        p /= p.sum(axis=1, keepdims=True)
        new = u @ p / u.sum()
        done = np.abs(new - target).max() <= 1e-15
        target = new
        if done:
            break
    return target


def case(rng: np.random.Generator, kind: str, m: int, n_unlabelled: int, n_labelled: int, known: bool) -> dict:
    """A sample, and its weights."""
    n = n_unlabelled + n_labelled
    source, b, truth = draw(rng, kind, m, n)
    labels = [int(k) if i < n_labelled else None for i, k in enumerate(truth)]
    raw = np.round(rng.gamma(2.0, 3.0, size=n), 3) if kind == "weighted" else np.ones(n)
    if kind == "weighted":
        raw[[3, n - 2]] = 0
    entry = {"kind": kind, "n_classes": m, "probabilities": b.tolist(), "labels": labels}
    entry |= {"weights": raw.tolist() if kind == "weighted" else None, "source": source.tolist() if known else None}
    speaks = raw > 0
    labelled = np.arange(n) < n_labelled
    if known:
        u = raw / raw[speaks].mean()
        size = speaks.sum()
        rows = np.array([u[labelled & (truth == k)].sum() for k in range(m)])
        prior = source / source.sum()
        open_rows = speaks & ~labelled
        theta = explained(b[open_rows], u[open_rows], rows + HALF, size * prior + HALF)
        target = np.exp(theta) * prior
        entry["target"] = (target / target.sum()).tolist()
        if n_labelled == 0:
            entry["saerens"] = saerens(b[open_rows], u[open_rows], prior).tolist()
        entry["left_out"] = 0
    else:
        used = speaks & labelled
        theta, count = divided(b[used], raw[used], truth[used])
        rows = np.array([raw[used & (truth == k)].sum() for k in range(m)])
        entry["target"] = (rows / rows.sum()).tolist()
        entry["left_out"] = int(used.sum()) - count
    entry["log_weights"] = (theta - theta.mean()).tolist()
    return entry


def main() -> None:
    """Write the file."""
    rng = np.random.default_rng(SEED)
    cases = [case(rng, *kind) for kind in KINDS]
    versions = {"python": ".".join(platform.python_version_tuple()[:2])}
    versions |= {"numpy": np.__version__, "scipy": scipy.__version__}
    lines = ",\n".join("    " + json.dumps(entry, allow_nan=False, separators=(",", ":")) for entry in cases)
    body = (
        '{\n  "generated_by": "testdata/make_label_shift.py",\n'
        f'  "versions": {json.dumps(versions)},\n'
        f'  "cases": [\n{lines}\n  ]\n}}\n'
    )
    OUTPUT.write_text(body, encoding="utf-8")
    print(f"{OUTPUT.name}: {len(cases)} cases, {len(body)} bytes")


if __name__ == "__main__":
    main()
