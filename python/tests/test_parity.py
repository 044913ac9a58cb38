"""The package and the program give the same bytes."""

from __future__ import annotations

import json
import pickle
import re
import shlex

import numpy as np
import pandas as pd
import pytest
from program import run, run_json, write_csv
from support import black_box

from cwplugin import (
    ClassWeightPlugin,
    Cost,
    InputError,
    LinearFractional,
    Model,
    Statistics,
    compare,
    evaluate,
    method_names,
    metric_names,
)
from cwplugin.elicit import Session

NAMES = ["anger", "joy", "sad ness"]
P, y = black_box(150, 3, seed=3, labels=NAMES)
WEIGHTS = np.linspace(0.5, 2.5, 150)

FORMULA = "expr:mean(recall) - 0.1*fp[joy]/n"


def plugin(**settings):
    return {"method": "cwplugin", **settings}


#: Flags of the program, and the same in Python.
FITS = [
    *[(f"--method {name}", {"method": name}) for name in method_names() if name != "logistic"],
    ("", {}),
    *[(f"--method cwplugin --metric {name}", plugin(metric=name)) for name in metric_names() if ":" not in name],
    ("--metric f1:joy", {"metric": "f1:joy"}),
    (f"--metric '{FORMULA}' --method ascent", {"metric": FORMULA, "method": "ascent"}),
    ("--reference joy --search grid:0.01 --ties first", plugin(reference="joy", search="grid:0.01", ties="first")),
    ("--reference best --ties nearest-half", plugin(reference="best", ties="nearest-half")),
    ("--search binary:0.001 --metric accuracy", plugin(search="binary:0.001", metric="accuracy")),
    ("--search binary:0.01 --force --absent drop", plugin(search="binary:0.01", force=True, absent="drop")),
    ("--method bagged --n-bootstrap 20 --seed 7", {"method": "bagged", "n_bootstrap": 20, "random_state": 7}),
    ("--method expected --mixing 0.5", {"method": "expected", "mixing": 0.5}),
    ("--method dirichlet-full --select cv --seed 3", {"method": "dirichlet-full", "select": "cv", "random_state": 3}),
    ("--method label-shift --source-priors 0.5,0.3,0.2", {"method": "label-shift", "source_priors": [0.5, 0.3, 0.2]}),
    ("--subject-to 'precision:joy>=0.7'", {"subject_to": ["precision:joy>=0.7"]}),
    (
        "--method ascent --subject-to 'recall:joy>=0.6' --subject-to 'accuracy>=0.5' --learning-curve",
        {"method": "ascent", "subject_to": ["recall:joy>=0.6", ("accuracy", ">=", 0.5)], "learning_curve": True},
    ),
    ("--method cwplugin --learning-curve", plugin(learning_curve=True)),
    ("--learning-curve", {"learning_curve": True}),
]


@pytest.mark.filterwarnings("ignore::cwplugin.FitWarning")
@pytest.mark.parametrize(("flags", "settings"), FITS, ids=[flags for flags, _ in FITS])
@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
def test_models_are_the_same_bytes(tmp_path, flags, settings, weighted):
    columns = {"w": WEIGHTS} if weighted else {}
    write_csv(tmp_path / "rows.csv", P, NAMES, y, **columns)
    run(
        "fit",
        "rows.csv",
        *shlex.split(flags),
        *(["--weight", "w"] if weighted else []),
        "-o",
        "model.json",
        cwd=tmp_path,
    )
    plugin = ClassWeightPlugin(classes=NAMES, **settings)
    plugin.fit(P, y, sample_weight=WEIGHTS if weighted else None)
    assert plugin.model_.to_json() == (tmp_path / "model.json").read_text()
    loaded = Model.load(tmp_path / "model.json")
    assert loaded == plugin.model_
    loaded.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "model.json").read_bytes()
    assert loaded.report == plugin.report_
    run("apply", "model.json", "rows.csv", "-o", "out.csv", cwd=tmp_path)
    predicted = [line.rsplit(",", 1)[-1] for line in (tmp_path / "out.csv").read_text().splitlines()[1:]]
    assert plugin.predict(P).tolist() == predicted


def test_unlabelled_rows_and_features(tmp_path):
    some = [None if row % 2 else label for row, label in enumerate(y)]
    write_csv(tmp_path / "rows.csv", P, NAMES, some)
    run("fit", "rows.csv", "-o", "model.json", cwd=tmp_path)
    assert ClassWeightPlugin(classes=NAMES).fit(P, some).model_.to_json() == (tmp_path / "model.json").read_text()
    X = np.random.default_rng(0).normal(size=(150, 2))
    write_csv(tmp_path / "rows.csv", P, NAMES, y, age=X[:, 0], size=X[:, 1])
    run("fit", "rows.csv", "--method", "logistic", "--features", "age,size", "-o", "model.json", cwd=tmp_path)
    table = pd.DataFrame(X, columns=["age", "size"])
    plugin = ClassWeightPlugin(method="logistic", classes=NAMES).fit(P, y, features=table)
    assert plugin.model_.to_json() == (tmp_path / "model.json").read_text()
    assert (
        plugin.predict(P, features=table).tolist() == Model.load(tmp_path / "model.json").apply(P, features=X).tolist()
    )


def test_costs_are_those_of_a_file(tmp_path):
    (tmp_path / "costs.csv").write_text("0,1,2\n5,0,1\n1,1,0\n")
    write_csv(tmp_path / "rows.csv", P, NAMES, y)
    run("fit", "rows.csv", "--method", "ascent", "--metric", "cost:costs.csv", "-o", "model.json", cwd=tmp_path)
    plugin = ClassWeightPlugin(Cost([[0, 1, 2], [5, 0, 1], [1, 1, 0]]), method="ascent", classes=NAMES).fit(P, y)
    assert plugin.model_.to_json() == (tmp_path / "model.json").read_text().replace("cost:costs.csv", "cost")


def test_ratios_are_those_of_a_file(tmp_path):
    ratio = {"a": [1, 2, 1], "b": 0.5, "c": [-1, -1, 0.5], "d": 2}
    (tmp_path / "ratio.json").write_text(json.dumps(ratio))
    write_csv(tmp_path / "rows.csv", P, NAMES, y)
    flags = ["--method", "cwplugin", "--metric", "linear-fractional:ratio.json", "--search", "binary:0.01", "--force"]
    run("fit", "rows.csv", *flags, "-o", "model.json", cwd=tmp_path)
    metric = LinearFractional(**ratio, name="linear-fractional:ratio.json")
    found = ClassWeightPlugin(metric, **plugin(search="binary:0.01", force=True), classes=NAMES).fit(P, y)
    assert found.model_.to_json() == (tmp_path / "model.json").read_text()
    with pytest.raises(InputError, match="one number per class"):
        ClassWeightPlugin(LinearFractional([1], 0, [1, 2], 1), classes=NAMES).fit(P, y)


def test_a_function_finds_what_the_formula_finds():
    ours = ClassWeightPlugin("accuracy", method="cwplugin", classes=NAMES).fit(P, y)
    theirs = ClassWeightPlugin(lambda C: np.trace(C) / C.sum(), method="cwplugin", classes=NAMES).fit(P, y)
    assert (ours.weights_ == theirs.weights_).all()
    assert ours.scores_ == theirs.scores_


@pytest.mark.filterwarnings("ignore:the model was fitted on:cwplugin.FitWarning")
@pytest.mark.parametrize("has_model", [True, False])
def test_evaluations_are_the_same_numbers(tmp_path, has_model):
    write_csv(tmp_path / "rows.csv", P, NAMES, y, w=WEIGHTS)
    plugin = ClassWeightPlugin(method="ascent", classes=NAMES, subject_to=["recall:joy>=0.6"]).fit(P, y)
    plugin.model_.save(tmp_path / "model.json")
    model = ["model.json"] if has_model else []
    theirs = run_json("eval", *model, "rows.csv", "--weight", "w", "--seed", 5, "--resamples", 200, cwd=tmp_path)
    ours = evaluate(
        P, y, plugin if has_model else None, classes=NAMES, sample_weight=WEIGHTS, random_state=5, resamples=200
    )
    assert ours.to_dict() == theirs
    assert ours.confusion["clean"].tolist() == theirs["confusion"]["clean"]
    frame = ours.to_frame()
    assert frame["clean"].tolist() == [theirs["metrics"][name]["clean"] for name in frame["metric"]]
    assert len(ours.per_class()) == 3 * len(ours.confusion)


@pytest.mark.parametrize("noise_in", ["sample", "everywhere"])
def test_comparisons_are_the_same_numbers(tmp_path, noise_in):
    write_csv(tmp_path / "rows.csv", P, NAMES, y)
    methods = ["clean", "cwplugin", "auto"]
    flags = [
        "--methods",
        ",".join(methods),
        "--metrics",
        "macro-f1,mcc",
        "--sizes",
        "30,60",
        "--repeats",
        3,
        "--seed",
        2,
    ]
    theirs = run_json("compare", "rows.csv", *flags, "--noise", "joy:0.2", "--noise-in", noise_in, cwd=tmp_path)[
        "cells"
    ]
    ours = compare(
        P,
        y,
        methods=methods,
        metrics=["macro-f1", "mcc"],
        sizes=[60, 30],
        repeats=3,
        random_state=2,
        noise={"joy": 0.2},
        noise_in=noise_in,
    )
    assert ours[["method", "metric", "size"]].to_dict("records") == [
        {name: cell[name] for name in ("method", "metric", "size")} for cell in theirs
    ]
    assert ours["scores"].tolist() == [cell["scores"] for cell in theirs]
    assert ours["mean"].tolist() == [cell["mean"] for cell in theirs]
    assert ours["test_error"].tolist() == [cell["test_error"] for cell in theirs]


def test_the_place_of_noise_is_checked():
    with pytest.raises(ValueError, match='invalid value "test" for noise_in\n  hint: write one of "sample"'):
        compare(P, y, methods=["clean"], sizes=[30], noise={"joy": 0.2}, noise_in="test")


def test_statistics_are_the_same_bytes(tmp_path):
    write_csv(tmp_path / "rows.csv", P, NAMES, y, w=WEIGHTS)
    flags = ["--reference", "joy", "--bins", 200, "--weight", "w"]
    run("stats", "rows.csv", *flags, "-o", "stats.json", cwd=tmp_path)
    ours, rest = (Statistics(NAMES, reference="joy", bins=200) for _ in range(2))
    for part in np.array_split(np.arange(150), 4):
        (ours if part[0] % 2 else rest).add(P[part], y[part], sample_weight=WEIGHTS[part])
    ours.merge(pickle.loads(pickle.dumps(rest)))
    assert ours.to_json() == (tmp_path / "stats.json").read_text()
    assert Statistics.load(tmp_path / "stats.json") == ours
    run("fit", "--stats", "stats.json", "--metric", "g-mean", "-o", "model.json", cwd=tmp_path)
    assert ours.fit("g-mean").to_json() == (tmp_path / "model.json").read_text()
    grid = ClassWeightPlugin("g-mean", method="cwplugin", search="grid:0.005", reference="joy", classes=NAMES)
    assert (grid.fit(P, y, sample_weight=WEIGHTS).weights_ == ours.fit("g-mean").weights).all()
    other = Statistics(NAMES, reference="last", bins=200)
    with pytest.raises(InputError, match="differ in their reference"):
        ours.merge(other)
    with pytest.raises(InputError, match="depends on the rows"):
        Statistics(NAMES, reference="largest")


def test_sessions_go_on_in_the_program(tmp_path):
    def worth(weights):
        return 1 - float(np.abs(np.asarray(weights) - [0.2, 0.5, 0.3]).sum())

    ours = Session(NAMES, budget=80, mode="restricted", quasi_concave=True)
    for _ in range(5):
        (query,) = ours.ask()
        ours.tell(query.id, worth(query.weights))
    ours.save(tmp_path / "session.json")
    while True:
        asked = run_json("elicit", "ask", "session.json", cwd=tmp_path)["queries"]
        if not asked:
            break
        run("elicit", "tell", "session.json", asked[0]["id"], repr(worth(asked[0]["weights"])), cwd=tmp_path)
    theirs = Session.load(tmp_path / "session.json")
    by_hand = Session(NAMES, budget=80, mode="restricted", quasi_concave=True)
    model = by_hand.run(lambda query: worth(query.weights), path=tmp_path / "ours.json")
    assert by_hand.to_json() == theirs.to_json() == (tmp_path / "ours.json").read_text()
    assert theirs.model() == model
    assert theirs.is_done
    assert pickle.loads(pickle.dumps(theirs)) == theirs


WRONG = [
    ("negative", lambda p: p.__setitem__((4, 1), -0.25)),
    ("not finite", lambda p: p.__setitem__((0, 2), np.inf)),
    ("sum", lambda p: p.__setitem__((9, 0), 0.9)),
    ("zero", lambda p: p.__setitem__(3, 0.0)),
]


@pytest.mark.parametrize(("name", "spoil"), WRONG, ids=[name for name, _ in WRONG])
def test_wrong_numbers_have_the_same_message(tmp_path, name, spoil):
    wrong = P[:20].copy()
    spoil(wrong)
    write_csv(tmp_path / "rows.csv", wrong, NAMES, y[:20])
    theirs = run("fit", "rows.csv", cwd=tmp_path, expect=1).splitlines()[0]
    table = pd.DataFrame(wrong, columns=[f"p_{name}" for name in NAMES])
    with pytest.raises(InputError) as error:
        ClassWeightPlugin().fit(table, y[:20])
    assert theirs == f"cwplugin: error: rows.csv: {str(error.value).splitlines()[0]}"
    row = int(re.search(r"row (\d+)", theirs)[1])
    assert error.value.row == row - 1
    assert str(error.value).splitlines()[1].startswith("  hint: ")


def test_wrong_labels_weights_and_metrics_have_the_same_message(tmp_path):
    labels = y[:20].astype(object)
    labels[7] = "fear"
    write_csv(tmp_path / "rows.csv", P[:20], NAMES, labels)
    theirs = (
        run("fit", "rows.csv", cwd=tmp_path, expect=1).replace("; --label-map FILE maps other labels", "").splitlines()
    )
    with pytest.raises(InputError) as error:
        ClassWeightPlugin(classes=NAMES).fit(P[:20], labels)
    assert theirs == [
        f"cwplugin: error: rows.csv: {line}" if i == 0 else line for i, line in enumerate(str(error.value).splitlines())
    ]
    assert (error.value.row, error.value.column) == (7, "label")

    weights = np.ones(20)
    weights[2] = -1
    write_csv(tmp_path / "rows.csv", P[:20], NAMES, y[:20], sample_weight=weights)
    theirs = run("fit", "rows.csv", "--weight", "sample_weight", cwd=tmp_path, expect=1).splitlines()
    with pytest.raises(InputError) as error:
        ClassWeightPlugin(classes=NAMES).fit(P[:20], y[:20], sample_weight=weights)
    assert theirs == [
        f"cwplugin: error: rows.csv: {line}" if i == 0 else line for i, line in enumerate(str(error.value).splitlines())
    ]
    assert (error.value.row, error.value.column) == (2, "sample_weight")

    write_csv(tmp_path / "rows.csv", P[:20], NAMES, [None] * 20)
    theirs = run("fit", "rows.csv", "--method", "ascent", cwd=tmp_path, expect=1).splitlines()[0]
    with pytest.raises(InputError) as error:
        ClassWeightPlugin(method="ascent", classes=NAMES).fit(P[:20], [None] * 20)
    assert theirs == f"cwplugin: error: rows.csv: {str(error.value).splitlines()[0]}"

    write_csv(tmp_path / "rows.csv", P[:20], NAMES, y[:20])
    for flag, setting in [
        ("macrof1", {"metric": "macrof1"}),
        ("f1:fear", {"metric": "f1:fear"}),
        ("expr:tp[joy", {"metric": "expr:tp[joy"}),
        ("f-beta:2", {"metric": "f-beta:2"}),
    ]:
        theirs = run("fit", "rows.csv", "--metric", flag, cwd=tmp_path, expect=2).splitlines()[0]
        with pytest.raises(InputError) as error:
            ClassWeightPlugin(classes=NAMES, **setting).fit(P[:20], y[:20])
        assert theirs == f"cwplugin: error: {str(error.value).splitlines()[0]}"


@pytest.mark.parametrize(
    ("settings", "match"),
    [
        ({"method": "autto"}, "unknown method"),
        (
            {"reference": "last"},
            'reference is not supported by method="auto"\n  hint: leave it out, or use method="cwplugin"',
        ),
        ({"method": "cwplugin", "n_bootstrap": 5}, "n_bootstrap is not supported"),
        ({"method": "temperature", "subject_to": ["accuracy>=0.5"]}, "subject_to is not supported"),
        ({"subject_to": ["accuracy>0.5"]}, "invalid constraint"),
        ({"method": "cwplugin", "reference": "fear"}, '"fear"'),
        ({"method": "cwplugin", "search": "grid"}, "grid"),
        ({"method": "cwplugin", "search": "binary:0.01"}, "several peaks"),
        ({"method": "cwplugin", "ties": "last"}, 'invalid value "last" for ties'),
        ({"scores": "odds"}, 'invalid value "odds" for scores'),
        ({"method": "dirichlet-full", "select": "loo"}, 'invalid value "loo" for select'),
        ({"method": "logistic"}, "features"),
        ({"n_jobs": 0}, "n_jobs 0"),
        ({"random_state": -1}, "negative"),
        ({"method": "bagged", "n_bootstrap": 1}, "at least 2 refits"),
        ({"method": "label-shift", "source_priors": {"joy": 1.0}}, "one share for each"),
        ({"metric": Cost([[0, 1], [1, 0]])}, "one row and one column per class"),
    ],
)
def test_wrong_settings_raise_an_error(settings, match):
    with pytest.raises(ValueError, match=match):
        ClassWeightPlugin(classes=NAMES, **settings).fit(P, y)


def test_files_that_are_not_models_raise_an_error(tmp_path):
    with pytest.raises(FileNotFoundError, match="no such file"):
        Model.load(tmp_path / "none.json")
    for text, match in [("", "is empty"), ("{", "not a model"), ("{}", "format"), ('{"format": 1}', "format")]:
        (tmp_path / "model.json").write_text(text)
        with pytest.raises(InputError, match=match):
            Model.load(tmp_path / "model.json")
    (tmp_path / "model.json").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not text"):
        Model.load(tmp_path / "model.json")
    with pytest.raises(InputError, match="folder"):
        Model.load(tmp_path)
