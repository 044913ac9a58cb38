"""Tasks on the files of the paper's experiments: their embeddings and census tables, but other questions and boxes."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from boxes import ask, boosting, draw, draw_by_class, forest, others, train_and_ask
from sklearn.ensemble import AdaBoostClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from tables import numbered, predictions
from task import Task, makes

# Where the Census Bureau's major groups of occupations begin.
OCCUPATIONS = (
    *(500, 1000, 1600, 2000, 2200, 2600, 3000, 3700, 4000),
    *(4200, 4300, 4700, 5000, 6000, 6200, 7000, 7700, 9000),
)
SCHOOLING = {"below-12th": 0, "high-school": 16, "college": 18, "bachelor": 21, "more": 22}  # lowest code of each


def embeddings(file: str) -> np.ndarray:
    """As stored, in float32."""
    return np.load(predictions(file)).astype(np.float32)


def true_classes(task: str) -> tuple[np.ndarray, list[str]]:
    """The labels of a prediction file; its probabilities are not used."""
    rows = pd.read_parquet(predictions(f"{task}.parquet"))
    classes = [name.removeprefix("p_") for name in rows.columns if name.startswith("p_")]
    return rows["label"].astype(str).map(classes.index).to_numpy(), classes


@makes("tweets-mlp", "tweets-lr-shift")
def tweets() -> Iterator[Task]:
    """Sentiment: few training rows; then a shift of the shares."""
    x = embeddings("lmtweets.emb.npy")
    y, classes = true_classes("lmtweets")
    rng = np.random.default_rng(50)
    source = draw(rng, len(y), 400)
    target = others(len(y), source)
    box = MLPClassifier((32,), max_iter=200, random_state=0)
    yield Task("tweets-mlp", classes, train_and_ask(box, x, y, source, target), y[target], 50)
    source = draw_by_class(rng, y, 1500, [0.6, 0.3, 0.1])
    target = others(len(y), source)
    box = LogisticRegression(max_iter=500)
    yield Task("tweets-lr-shift", classes, train_and_ask(box, x, y, source, target), y[target], 51)


@makes("emotions-lr-balanced", "emotions-knn-noise")
def emotions() -> Iterator[Task]:
    """A box that was trained as if all classes had the same share; one on spoiled labels."""
    x = embeddings("lmemotions.emb.npy")
    y, classes = true_classes("lmemotions")
    rng = np.random.default_rng(52)
    source = draw(rng, len(y), 800)
    target = others(len(y), source)
    box = LogisticRegression(C=3, max_iter=500, class_weight="balanced")
    yield Task("emotions-lr-balanced", classes, train_and_ask(box, x, y, source, target), y[target], 52)
    source = draw(rng, len(y), 2000)
    target = others(len(y), source)
    spoiled = y.copy()
    wrong = source[rng.random(len(source)) < 0.4]
    spoiled[wrong] = rng.integers(0, len(classes), len(wrong))
    p = train_and_ask(KNeighborsClassifier(10), x, spoiled, source, target)
    yield Task("emotions-knn-noise", classes, p, y[target], 53)


def pair_features(task: str) -> np.ndarray:
    """|u − v| and u·v of the two sentences."""
    u, v = (embeddings(f"{task}.emb_{side}.npy") for side in "uv")
    return np.hstack([np.abs(u - v), u * v])


@makes("snli-lr")
def inference() -> Iterator[Task]:
    """Trained on equal shares of one file, asked on unequal shares of another."""
    y, classes = true_classes("snli-test")
    asked, _ = true_classes("snli-extra")
    rng = np.random.default_rng(54)
    order = np.random.default_rng(54).permutation(len(asked))
    target = order[draw_by_class(rng, asked[order], 14_000, [0.5, 0.3, 0.2])]
    source = draw(rng, len(y), 1500)
    box = LogisticRegression(max_iter=300).fit(pair_features("snli-test")[source], y[source])
    yield Task("snli-lr", classes, ask(box, pair_features("snli-extra")[target], 3), asked[target], 54)


@makes("acs-school-rf", "acs-occ-nb", "acs-insured-ada")
def census() -> Iterator[Task]:
    """Schooling, occupation and insurance, from California to Texas."""
    rows = pd.read_parquet(predictions("acs-income-8feat.parquet"))
    state, age = rows["state"].astype(str), rows["AGEP"].to_numpy()
    rng = np.random.default_rng(55)
    california = np.flatnonzero(state == "CA")
    texas = rng.permutation(np.flatnonzero(state == "TX"))[:16_000]

    y = np.digitize(rows["SCHL"], list(SCHOOLING.values())[1:])
    used = "AGEP COW MAR OCCP POBP SEX RAC1P JWMNP JWTR CIT ENG MIL HINS1 HINS2".split()
    source = rng.permutation(california)[:6000]
    p = train_and_ask(forest(60, max_features=4), rows[used].to_numpy(float), y, source, texas)
    yield Task("acs-school-rf", list(SCHOOLING), p, y[texas], 55)

    group, _ = numbered(np.digitize(rows["OCCP"], OCCUPATIONS))
    kept = np.flatnonzero(np.bincount(group) >= 450)
    source, target = (part[np.isin(group[part], kept)] for part in (california, texas))
    y = np.searchsorted(kept, np.where(np.isin(group, kept), group, kept[0]))
    used = "AGEP COW SCHL MAR SEX RAC1P JWMNP JWTR ENG MIL HINS1".split()
    x = np.column_stack([rows[used].to_numpy(float), np.log(rows["PINCP"])])
    p = train_and_ask(GaussianNB(), x, y, source, target)
    yield Task("acs-occ-nb", [f"group{k}" for k in kept], p, y[target], 56)

    y = rows["HINS1"].to_numpy().astype(int)
    source = rng.permutation(california[age[california] < 35])[:5000]
    target = texas[age[texas] >= 45]
    used = "AGEP COW SCHL MAR OCCP SEX RAC1P JWMNP".split()
    box = AdaBoostClassifier(n_estimators=60, random_state=0)
    p = train_and_ask(box, rows[used].to_numpy(float), y, source, target)
    yield Task("acs-insured-ada", ["0", "1"], p, y[target], 57)


@makes("acs-income5-hgb")
def income() -> Iterator[Task]:
    """Income in five groups of unequal size, from California to Texas."""
    rows = pd.read_parquet(predictions("acs-income-linked.parquet"))
    state = rows["state"].astype(str).to_numpy()
    earned = rows["PINCP"].to_numpy(float)
    y = np.digitize(earned, np.quantile(earned[state == "CA"], [0.5, 0.75, 0.9, 0.97]))
    x = rows["AGEP COW SCHL MAR OCCP POBP RELP WKHP SEX RAC1P".split()].to_numpy(float)
    source, target = np.flatnonzero(state == "CA"), np.flatnonzero(state == "TX")
    classes = ["lower-half", "above-50", "above-75", "above-90", "above-97"]
    yield Task("acs-income5-hgb", classes, train_and_ask(boosting(), x, y, source, target), y[target], 58)
