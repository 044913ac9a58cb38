"""Make the tables that `cwplugin demo` carries: crates/cwplugin-cli/src/demo/sample.csv and test.csv.

The story: a vendor's reader of handwritten digits was trained where eights and nines are common; its user mostly sees
ones and threes. The digits are real (scikit-learn's `load_digits`), and so are the predictions: a regularised logistic
regression that sees 4 x 4 thumbnails, trained on 260 images that appear in neither table. The user has 160 labelled
predictions (sample.csv); test.csv holds 520 more, to judge by.

After writing, the script prints what the weights gain on seed 0, with a small numpy prototype of Algorithm 1 (largest
class as reference, every cut, middle of the widest best plateau), and on twenty other seeds of the draw.

Run from the root of the repository, in an environment with testdata/requirements.txt:

    python testdata/make_demo.py
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

FOLDER = Path(__file__).parent.parent / "crates" / "cwplugin-cli" / "src" / "demo"
SEED = 0
OTHER_SEEDS = range(101, 121)
SAMPLE_ROWS = 160
# digit: (class name, images the vendor trained on, images the user has)
CLASSES = {
    1: ("one", 12, 165),
    3: ("three", 20, 155),
    5: ("five", 36, 130),
    7: ("seven", 48, 110),
    8: ("eight", 64, 70),
    9: ("nine", 80, 50),
}
NAMES = [name for name, _, _ in CLASSES.values()]


class Predictions(NamedTuple):
    """The black box's probabilities, as printed in the file, and the true classes."""

    probabilities: np.ndarray
    labels: np.ndarray


def draw(seed: int) -> tuple[Predictions, Predictions]:
    """Split the images by seed, train the black box on its share, and predict the user's: sample and test."""
    digits = load_digits()
    rng = np.random.default_rng(seed)
    vendor, user = [], []
    for digit, (_, trained, seen) in CLASSES.items():
        images = rng.permutation(np.flatnonzero(digits.target == digit))
        vendor.extend(images[:trained])
        user.extend(images[trained : trained + seen])
    user = rng.permutation(user)
    assert not set(vendor) & set(user) and len(np.unique(digits.data[[*vendor, *user]], axis=0)) == 940

    thumbnails = digits.images.reshape(-1, 4, 2, 4, 2).mean(axis=(2, 4)).reshape(-1, 16)
    labels = np.searchsorted(list(CLASSES), digits.target)
    black_box = make_pipeline(StandardScaler(), LogisticRegression(C=0.1, max_iter=1000))
    black_box.fit(thumbnails[vendor], labels[vendor])
    printed = np.round(black_box.predict_proba(thumbnails[user]), 4)
    assert np.abs(printed.sum(axis=1) - 1).max() < 1e-3
    here, there = slice(None, SAMPLE_ROWS), slice(SAMPLE_ROWS, None)
    return Predictions(printed[here], labels[user[here]]), Predictions(printed[there], labels[user[there]])


def macro_f1(data: Predictions, weights: np.ndarray) -> float:
    """The metric after weighting."""
    predicted = (data.probabilities * weights).argmax(axis=1)
    return f1_score(data.labels, predicted, average="macro", zero_division=0)


def pair_weight(data: Predictions, k: int, r: int) -> float:
    """The weight of class k against r: the middle, in log-odds, of the widest stretch of best cuts."""
    rows = (data.labels == k) | (data.labels == r)
    truth, b = data.labels[rows], data.probabilities[rows]
    with np.errstate(divide="ignore"):
        cuts = np.log(b[:, r]) - np.log(b[:, k])  # the log-odds of t = b_r / (b_k + b_r)
    cuts[(b[:, k] == 0) & (b[:, r] == 0)] = np.inf  # such a row never moves to k
    steps = np.unique(cuts[np.isfinite(cuts)])
    if not steps.size:
        return 1.0
    edges = np.concatenate([[steps[0] - 1], steps, [steps[-1] + 1]])
    middles = (edges[:-1] + edges[1:]) / 2
    scores = [f1_score(truth, np.where(cuts < x, k, r), average="macro", zero_division=0) for x in middles]
    plateaus: list[tuple[float, float]] = []
    joined = False
    for i, score in enumerate(scores):
        best = score >= max(scores) - 1e-12
        if best and joined:
            plateaus[-1] = (plateaus[-1][0], edges[i + 1])
        elif best:
            plateaus.append((edges[i], edges[i + 1]))
        joined = best
    low, high = max(plateaus, key=lambda plateau: plateau[1] - plateau[0])
    return float(np.exp((low + high) / 2))


def fit(data: Predictions) -> np.ndarray:
    """Algorithm 1 with the largest class as the reference."""
    counts = np.bincount(data.labels, minlength=len(NAMES))
    assert counts.all()
    r = int(counts.argmax())
    return np.array([1.0 if k == r else pair_weight(data, k, r) for k in range(len(NAMES))])


def write(name: str, data: Predictions) -> None:
    """One row per prediction, four decimals."""
    lines = [",".join(["label", *(f"p_{name}" for name in NAMES)])]
    for row, label in zip(data.probabilities, data.labels, strict=True):
        lines.append(",".join([NAMES[label], *(f"{p:.4f}" for p in row)]))
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{name}: {len(lines) - 1} rows, classes {np.bincount(data.labels).tolist()}")


def main() -> None:
    """Write both tables and print the figures that README.md quotes."""
    sample, test = draw(SEED)
    write("sample.csv", sample)
    write("test.csv", test)
    clean, weights = np.ones(len(NAMES)), fit(sample)
    print("weights", dict(zip(NAMES, (weights / weights.sum()).round(3).tolist(), strict=True)))
    print(f"sample macro-F1 {macro_f1(sample, clean):.3f} -> {macro_f1(sample, weights):.3f}")
    print(f"test macro-F1 {macro_f1(test, clean):.3f} -> {macro_f1(test, weights):.3f}")
    before, after = [], []
    for seed in OTHER_SEEDS:
        sample, test = draw(seed)
        before.append(macro_f1(test, clean))
        after.append(macro_f1(test, fit(sample)))
    gains = np.subtract(after, before)
    print(f"{len(gains)} other seeds: {np.mean(before):.3f} -> {np.mean(after):.3f}, {sum(gains > 0)} gains above 0")
    print(f"gain: mean {gains.mean():.3f}, median {np.median(gains):.3f}, {gains.min():.3f} to {gains.max():.3f}")


if __name__ == "__main__":
    main()
