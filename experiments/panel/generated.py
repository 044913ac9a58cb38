"""Tasks on generated rows: exact posteriors, spoiled in a known way, and models trained on drifting clusters."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from boxes import ask, boosting, forest
from sklearn.base import ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.tree import DecisionTreeClassifier
from task import Task, makes

TARGET_ROWS = 16_000
PARTS = 3  # clusters of a class, where clusters drift


def softmax(scores: np.ndarray) -> np.ndarray:
    """Probabilities in proportion to exp(score)."""
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def uniform(m: int) -> np.ndarray:
    """Every class the same share."""
    return np.full(m, 1 / m)


def zipf(m: int, exponent: float) -> np.ndarray:
    """Shares that fall with the rank."""
    p = 1 / np.arange(1, m + 1) ** exponent
    return p / p.sum()


def dirichlet(m: int, concentration: float, seed: int, least: float = 0.01) -> np.ndarray:
    """Drawn shares, none much below `least`."""
    p = np.maximum(np.random.default_rng(seed).dirichlet(np.full(m, concentration)), least)
    return p / p.sum()


@dataclass(frozen=True)
class Clusters:
    """One Gaussian for each class; the exact posterior belongs to the source's shares, the rows to the target's."""

    rng: np.random.Generator
    rows: np.ndarray
    labels: np.ndarray
    log_posterior: np.ndarray  # up to a constant per row

    @property
    def log_probabilities(self) -> np.ndarray:
        """The posterior's logarithm, finite where it underflows."""
        return np.log(softmax(self.log_posterior) + 1e-300)

    def task(self, name: str, scores: np.ndarray, seed: int) -> Task:
        """A black box that gives the softmax of these scores."""
        return named(name, softmax(scores), self.labels, seed)


def clusters(seed: int, dimensions: int, spread: float, source: np.ndarray, target: np.ndarray) -> Clusters:
    """Draw centres, then labels, then rows."""
    rng = np.random.default_rng(seed)
    m = len(source)
    centres = rng.normal(size=(m, dimensions)) * spread / np.sqrt(dimensions)
    labels = rng.choice(m, TARGET_ROWS, p=target)
    rows = centres[labels] + rng.normal(size=(TARGET_ROWS, dimensions))
    log_likelihood = -((rows[:, None, :] - centres[None]) ** 2).sum(axis=2) / 2
    return Clusters(rng, rows, labels, log_likelihood + np.log(source))


def named(name: str, probabilities: np.ndarray, labels: np.ndarray, seed: int) -> Task:
    """A task whose classes have only numbers."""
    return Task(name, [str(k) for k in range(probabilities.shape[1])], probabilities, labels, seed)


def posterior(
    name: str,
    seed: int,
    dimensions: int,
    spread: float,
    source: np.ndarray,
    target: np.ndarray | None = None,
    slope: float = 1,
) -> None:
    """Enter a task whose box gives the posterior under the source's shares, its logarithm times `slope`."""

    @makes(name)
    def maker() -> Iterator[Task]:
        drawn = clusters(seed, dimensions, spread, source, source if target is None else target)
        yield drawn.task(name, slope * drawn.log_posterior, seed)


@dataclass(frozen=True)
class Drift:
    """Classes of several clusters, whose shares and centres differ between source and target."""

    dimensions: int
    spread: float
    source: np.ndarray  # shares of the classes
    target: np.ndarray
    move: float  # of the centres
    training_rows: int
    correlation: float = 0
    wrong_labels: float = 0  # share of training labels that are drawn at random

    def train_and_ask(self, model: ClassifierMixin, seed: int) -> tuple[np.ndarray, np.ndarray]:
        """Probabilities and labels of the target rows. The order of the draws is part of the task."""
        rng = np.random.default_rng(seed)
        m, d = len(self.source), self.dimensions
        centres = rng.normal(size=(m, PARTS, d)) * self.spread / np.sqrt(d)
        parts_source = rng.dirichlet(np.ones(PARTS), m)
        parts_target = rng.dirichlet(np.ones(PARTS), m)
        mixing = np.eye(d) + self.correlation * rng.normal(size=(d, d)) / np.sqrt(d)

        def rows(n: int, shares: np.ndarray, parts: np.ndarray, moved: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            labels = rng.choice(m, n, p=shares)
            part = np.array([rng.choice(PARTS, p=parts[label]) for label in labels])
            return (centres[labels, part] + moved[labels] + rng.normal(size=(n, d))) @ mixing, labels

        features, labels = rows(self.training_rows, self.source, parts_source, np.zeros((m, d)))
        moved = rng.normal(size=(m, d)) * self.move / np.sqrt(d)
        asked, truth = rows(TARGET_ROWS, self.target, parts_target, moved)
        wrong = rng.random(self.training_rows) < self.wrong_labels
        labels = np.where(wrong, rng.integers(0, m, self.training_rows), labels)
        return ask(model.fit(features, labels), asked, m), truth


def trained(name: str, seed: int, drift: Drift, model: ClassifierMixin) -> None:
    """Enter a task whose box was trained on the source."""

    @makes(name)
    def maker() -> Iterator[Task]:
        yield named(name, *drift.train_and_ask(model, seed), seed)


def enter_posteriors() -> None:
    """Boxes that know the clusters: exact, under the wrong shares, or with the wrong slope."""
    shares = np.array
    posterior("gen-exact-10", 1, 8, 3.2, dirichlet(10, 2, 1))
    posterior("gen-exact-3", 14, 4, 1.3, shares([0.9, 0.08, 0.02]))
    posterior("gen-labelshift-2", 60, 3, 1.4, shares([0.97, 0.03]), shares([0.8, 0.2]))
    posterior("gen-labelshift-20", 2, 10, 2.7, uniform(20), zipf(20, 1))
    posterior("gen-labelshift-50", 3, 12, 3.2, zipf(50, 0.9), uniform(50))
    posterior("gen-overconf-2", 4, 3, 2.2, shares([0.5, 0.5]), shares([0.92, 0.08]), slope=3)
    posterior("gen-overconf-30", 62, 10, 3, dirichlet(30, 1.5, 62, 0.008), slope=2.5)
    posterior("gen-underconf-5", 5, 5, 2.6, shares([0.5, 0.25, 0.15, 0.08, 0.02]), slope=0.4)


@makes("gen-classdistort-7")
def distorted_by_class_7() -> Iterator[Task]:
    """Slope and bias of every class are drawn."""
    drawn = clusters(6, 6, 2.8, uniform(7), dirichlet(7, 1.5, 6, 0.02))
    slopes = np.exp(drawn.rng.normal(0, 0.4, 7))
    yield drawn.task("gen-classdistort-7", drawn.log_probabilities * slopes + drawn.rng.normal(0, 1, 7), 6)


@makes("gen-classdistort-3")
def distorted_by_class_3() -> Iterator[Task]:
    """Slope and bias of every class are given."""
    drawn = clusters(61, 4, 1.8, uniform(3), np.array([0.7, 0.2, 0.1]))
    yield drawn.task("gen-classdistort-3", drawn.log_probabilities * [2.5, 1, 0.6] + [-1, 0.5, 0.5], 61)


@makes("gen-noisylogit-10")
def noisy_in_one_half() -> Iterator[Task]:
    """The noise is four times as large on one side of the origin: no rule on probabilities can see where."""
    drawn = clusters(7, 8, 3.4, uniform(10), dirichlet(10, 1, 7, 0.015))
    noise = drawn.rng.normal(size=drawn.log_posterior.shape) * (0.5 + 1.5 * (drawn.rows[:, :1] > 0))
    yield drawn.task("gen-noisylogit-10", drawn.log_posterior + noise, 7)


@makes("gen-confused-5")
def two_classes_leak() -> Iterator[Task]:
    """An over-confident posterior times a matrix in which classes 1 and 4 leak into their neighbours."""
    drawn = clusters(8, 5, 3.2, uniform(5), np.array([0.3, 0.3, 0.2, 0.15, 0.05]))
    leak = np.eye(5)
    leak[1] = [0.45, 0.5, 0.05, 0, 0]
    leak[4] = [0, 0, 0.1, 0.5, 0.4]
    yield named("gen-confused-5", softmax(1.5 * drawn.log_posterior) @ leak, drawn.labels, 8)


@makes("gen-rounded-6")
def rounded() -> Iterator[Task]:
    """The exact posterior to two decimals: zeros and ties."""
    drawn = clusters(64, 5, 2.6, uniform(6), uniform(6))
    p = np.round(softmax(drawn.log_posterior), 2)
    p[p.sum(axis=1) == 0] = 1
    yield named("gen-rounded-6", p, drawn.labels, 64)


def enter_trained() -> None:
    """Boxes that were trained on the source."""
    skewed_3, skewed_5 = np.array([0.6, 0.3, 0.1]), np.array([0.45, 0.3, 0.15, 0.08, 0.02])
    falling, rising = zipf(10, 0.7), zipf(10, 0.7)[::-1]
    trained("gen-drift-lr-3", 9, Drift(6, 3, uniform(3), skewed_3, 1.2, 1000), LogisticRegression(max_iter=2000))
    trained("gen-drift-nb-10", 10, Drift(20, 4.5, falling, rising, 1.5, 2000, correlation=1), GaussianNB())
    trained("gen-drift-knn-5", 11, Drift(8, 4, uniform(5), skewed_5, 1, 800), KNeighborsClassifier(7))
    few = Drift(16, 5.5, uniform(20), dirichlet(20, 1.2, 12, 0.008), 0.5, 600, wrong_labels=0.1)
    trained("gen-fewrows-mlp-20", 12, few, MLPClassifier((32,), max_iter=300, random_state=0))
    two = Drift(5, 2.5, np.array([0.7, 0.3]), np.array([0.35, 0.65]), 0.6, 3000)
    trained("gen-tree-2", 13, two, DecisionTreeClassifier(max_leaf_nodes=24, random_state=0))
    seven = Drift(8, 3.6, dirichlet(7, 1.5, 15, 0.03), dirichlet(7, 1.5, 16, 0.03), 1.3, 1500, wrong_labels=0.15)
    trained("gen-drift-hgb-7", 15, seven, boosting(80))
    trained("gen-drift-rf-12", 63, Drift(10, 4.2, uniform(12), zipf(12, 0.9), 1, 1500, correlation=0.5), forest(80))


enter_posteriors()
enter_trained()
