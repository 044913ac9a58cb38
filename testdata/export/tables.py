"""Black boxes on real rows, and rows that are hard to be right about."""

import numpy as np
from program import Rows
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

ODD_NAMES = ["it's", 'say "hi"', "back\\slash", "naïve ☃ 日本", "a`b", "x; --", "100 %", "k\n--", "order", "NULL"]


def tables() -> list[tuple[str, Rows, Rows]]:
    """Name, rows to fit on, and rows to predict: a classifier that has seen too few rows of every data set."""
    made = []
    for name, data, names in [
        ("wine", load_wine(), ["red", "white", "rosé"]),
        ("cancer", load_breast_cancer(), ["0", "1"]),
        ("digits", load_digits(), ODD_NAMES),
    ]:
        x = StandardScaler().fit_transform(data.data)
        few, rest, y, rest_y = train_test_split(x, data.target, train_size=40, random_state=0, stratify=data.target)
        p = LogisticRegression(C=0.01).fit(few[:, :4], y).predict_proba(rest[:, :4])
        p[::17] = np.eye(p.shape[1])[rest_y[::17]]  # a zero has no logarithm
        half = len(p) // 2
        labels = [names[k] for k in rest_y]
        sample = Rows(names, p[:half], labels[:half], rest[:half, :5])
        made.append((name, sample, Rows(names, np.vstack([p[half:], hard(p.shape[1])]), None, None)))
        rows = len(made[-1][2].probabilities)
        made[-1][2].features = np.random.default_rng(1).choice(rest[:, :5].ravel(), (rows, 5))
    return made


def hard(m: int) -> np.ndarray:
    """Ties, zeros, tiny numbers, minus zero, and rows that only just sum to 1."""
    rng = np.random.default_rng(7)
    rows = [np.full(m, 1 / m), *np.eye(m), *np.where(np.eye(m) > 0, 1.0, -0.0)]
    for _ in range(400):
        row = rng.integers(0, 4, m).astype(float)  # many equal numbers
        rows.append(row / row.sum() if row.any() else np.full(m, 1 / m))
        row = rng.dirichlet(np.full(m, 0.3)) ** 8  # down to 1e-100
        rows.append(row / row.sum())
    return np.vstack(rows)
