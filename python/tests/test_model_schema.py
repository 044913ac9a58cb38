"""`docs/model.schema.json` describes the models that the program writes, and rejects broken ones."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from program import SCHEMA as VALIDATOR
from program import run

from cwplugin import InputError, Model

DOCS = Path(__file__).parents[2] / "docs"
SCHEMA = json.loads((DOCS / "model.schema.json").read_text())
PAGE = (DOCS / "model-format.md").read_text()

# Class c has no labelled rows, d no probability, a and b are few and overlap; two rows are unlabelled.
TABLE = """\
label,weight,p_a,p_b,p_c,p_d
a,1,0.7,0.2,0.1,0
a,2,0.5,0.4,0.1,0
a,1,0.3,0.4,0.3,0
b,0.5,0.6,0.3,0.1,0
b,1,0.2,0.7,0.1,0
b,0,0.9,0.1,0,0
d,1,0.6,0.3,0.1,0
,1,0.1,0.2,0.7,0
,1,0.4,0.3,0.3,0
"""
ONE_CLASS = "label,p_a,p_b\na,0.6,0.4\na,0.3,0.7\n"
TWO_ROWS = "label,p_a,p_b\na,0.6,0.4\nb,0.3,0.7\n"

AFFINE = {"input": "log", "diagonal": [1, 1], "bias": [0, 0]}

CALIBRATED = [
    *(("table", "--method", m) for m in ("temperature", "bcts", "vector", "vector:probability", "dirichlet-diag")),
    ("table", "--method", "dirichlet-full"),
    ("table", "--method", "svs"),
    ("sample", "--method", "sms"),
    ("table", "--method", "probing"),
    ("sample", "--method", "dirichlet-full", "--select", "cv", "--seed", "7"),
    ("table", "--method", "probing", "--metric", "mcc", "--weight", "weight"),
    ("sample", "--method", "expected"),
    ("table", "--method", "logistic", "--features", "weight"),
]
FITS = [
    *CALIBRATED,
    ("sample",),
    ("sample", "--method", "expected", "--mixing", "0.5", "--learning-curve"),
    ("sample", "--learning-curve", "--seed", "3"),
    ("one_class",),
    ("two_rows",),
    ("sample", "--search", "grid:0.01", "--ties", "nearest-half", "--seed", "18446744073709551615"),
    ("sample", "--search", "binary:0.000001", "--metric", "accuracy", "--reference", "best"),
    ("sample", "--method", "cwplugin:published", "--metric", "mcc"),
    ("sample", "--metric", "f1:eight", "--reference", "last"),
    ("sample", "--metric", "precision:one", "--reference", "three"),
    ("table",),
    ("table", "--method", "cwplugin"),
    ("table", "--absent", "drop", "--ties", "first"),
    ("table", "--weight", "weight", "--metric", "recall:a", "--reference", "b"),
    ("table", "--absent", "drop", "--reference", "c"),
    ("table", "--unscored"),
    ("table", "--method", "clean"),
    ("table", "--method", "ascent"),
    ("table", "--method", "bagged", "--weight", "weight"),
    ("sample", "--method", "bagged", "--n-bootstrap", "20"),
]


@pytest.fixture(scope="module")
def fit(tmp_path_factory):
    """The model that `cwplugin fit` writes for a table and flags; fitted once."""
    folder = tmp_path_factory.mktemp("models")
    for name, text in (("table", TABLE), ("one_class", ONE_CLASS), ("two_rows", TWO_ROWS)):
        (folder / f"{name}.csv").write_text(text)
    run("demo", "--save", ".", cwd=folder)
    models: dict[tuple[str, ...], dict] = {}

    def model(table: str, *flags: str) -> dict:
        key = (table, *flags)
        if key not in models:
            run("fit", f"{table}.csv", *flags, "--quiet", "-o", "model.json", cwd=folder)
            models[key] = json.loads((folder / "model.json").read_text())
        return copy.deepcopy(models[key])

    return model


def at(document, place: str):
    """The part of a document at a path such as fit/pairs/0."""
    for key in filter(None, place.split("/")):
        document = document[int(key) if isinstance(document, list) else key]
    return document


def test_the_schema_is_a_schema():
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("flags", FITS, ids=" ".join)
def test_models_are_valid_and_every_field_is_described(fit, flags):
    model = fit(*flags)
    VALIDATOR.validate(model)
    check_described(model, SCHEMA, "model")


def check_described(value, part: dict, place: str) -> None:
    """Every key of `value` is a property of `part`, described there and on the page."""
    part = resolved(part)
    if isinstance(value, dict) and not isinstance(part.get("additionalProperties"), dict):
        for key, inner in value.items():
            assert key in part.get("properties", {}), f"{place}.{key} is not in the schema"
            described = part["properties"][key]
            text = described.get("description") or resolved(described).get("description")
            assert text, f"{place}.{key} has no description"
            on_page = (f"`{key}`", f".{key}`", f"`{key}.")
            assert any(name in PAGE for name in on_page), f"{place}.{key} is not on the page"
            check_described(inner, described, f"{place}.{key}")
    elif isinstance(value, list):
        for item in value:
            check_described(item, part.get("items", {}), f"{place}[]")


def resolved(part: dict) -> dict:
    """The part that a reference, or the only reference among alternatives, leads to."""
    for candidate in (*part.get("anyOf", ()), part):
        if "$ref" in candidate:
            return at(SCHEMA, candidate["$ref"].removeprefix("#"))
    return part


def test_the_models_cover_every_kind_of_warning(fit):
    kinds = {warning["kind"] for flags in FITS for warning in fit(*flags)["fit"]["warnings"]}
    assert sorted(kinds) == [
        "absent-class",
        "at-border",
        "below-clean",
        "few-rows",
        "flat-curve",
        "never-probable",
        "one-class",
        "too-few-rows",
        "unknown-class",
    ]
    described = SCHEMA["$defs"]["warning"]["properties"]["kind"]["description"]
    for kind in (*kinds, "not-converged"):  # no table is known that causes the last one
        assert kind in described, kind
        assert f"| `{kind}` |" in PAGE, kind


def test_the_models_cover_every_kind_of_calibration(fit):
    kinds = {fit(*flags)["calibration"]["kind"] for flags in CALIBRATED}
    assert kinds == set(SCHEMA["$defs"]["calibration"]["properties"]["kind"]["enum"])
    for kind in kinds:
        assert f"| `{kind}` |" in PAGE, kind


def test_the_examples_of_the_page_are_valid():
    whole, part = (json.loads(text) for text in re.findall(r"```json\n(.*?)\n```", PAGE, re.DOTALL))
    VALIDATOR.validate(whole)
    VALIDATOR.validate(whole | part)


def test_further_fields_are_allowed_at_every_level(fit):
    model = fit("table", "--method", "cwplugin")
    for place in ("", "fit", "fit/score", "fit/pairs/0", "fit/warnings/0"):
        at(model, place)["new"] = {"x": [1]}
    VALIDATOR.validate(model)
    model = fit("table", "--method", "probing")
    for place in ("calibration", "calibration/steps/0"):
        at(model, place)["new"] = {"x": [1]}
    VALIDATOR.validate(model)


def test_a_field_is_required_that_changes_predictions(fit):
    model = fit("table")
    for field in ("calibration", "weights", "classes"):
        less = {key: value for key, value in model.items() if key != field}
        assert not VALIDATOR.is_valid(less)
        with pytest.raises(InputError, match=field):
            Model.from_json(json.dumps(less))


def test_what_is_not_needed_to_predict_may_be_missing(fit):
    model = fit("table")
    for report in ({"method": "later", "folds": 5}, None):
        VALIDATOR.validate(model | {"fit": report})
    VALIDATOR.validate({key: value for key, value in model.items() if key != "fit"})


BY_PAIRS = ("sample", "--method", "cwplugin", "--metric", "f1:eight")


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("format", "other-model"),
        ("version", 2),
        ("version", "1"),
        ("classes", ["one"]),
        ("classes/1", "one"),  # twice
        ("classes/1", 3),
        ("calibration", {}),
        ("weights/0", -0.1),
        ("weights/0", None),
        ("weights", [0, 0, 0, 0, 0, 0]),
        ("fit", "by hand"),
        ("fit/search", "grid"),
        ("fit/search", "grid:2"),
        ("fit/ties", "last"),
        ("fit/absent", True),
        ("fit/rows", 0),
        ("fit/rows", 1.5),
        ("fit/unlabelled", -1),
        ("fit/score/fitted", None),
        ("fit/pairs/0/alpha", 1.0),
        ("fit/pairs/0/alpha", -0.1),
        ("fit/pairs/0/plateau", [0.1]),
        ("fit/pairs/0/plateau/1", 1.1),
        ("fit/pairs/0/evaluations", 0),
        ("fit/warnings", None),
        ("fit/warnings/0/kind", 7),
        ("fit/warnings/0/class", 0),
    ],
)
def test_broken_models_are_not_valid(fit, place, value):
    model = fit(*BY_PAIRS)
    VALIDATOR.validate(model)
    above, _, key = place.rpartition("/")
    parent = at(model, above)
    parent[int(key) if isinstance(parent, list) else key] = value
    assert not VALIDATOR.is_valid(model)


@pytest.mark.parametrize(
    ("place", "fields"),
    [
        ("", "format version cwplugin classes weights"),
        ("fit", "method metric reference search ties absent rows unlabelled seed pairs warnings"),
        ("fit/score", "clean fitted"),
        ("fit/pairs/0", "class alpha score plateau evaluations"),
        ("fit/warnings/0", "kind message"),
    ],
)
def test_every_field_that_a_model_needs_is_missed(fit, place, fields):
    for field in fields.split():
        model = fit(*BY_PAIRS)
        del at(model, place)[field]
        assert not VALIDATOR.is_valid(model), field


def with_calibration(fit, calibration) -> tuple[bool, bool]:
    """Whether a model with this calibration is valid, and whether it is read."""
    model = fit("two_rows") | {"calibration": calibration}
    try:
        Model.from_json(json.dumps(model))
    except ValueError:
        return VALIDATOR.is_valid(model), False
    return VALIDATOR.is_valid(model), True


@pytest.mark.parametrize(
    "calibration",
    [
        None,
        {"kind": "vector", "input": "probability", "diagonal": [1, 2], "bias": [0, 0]},
        {"kind": "dirichlet", "input": "log", "matrix": [[1, 0], [0, 1]], "bias": [0, 0]},
        {"kind": "logistic", "input": "features", "matrix": [[1, 0, 3], [0, 1, 2]], "bias": [0, 0]},
        {"kind": "structured", **AFFINE, "tempering": {"slope": 2, "uniform": 0.1}},
        {"kind": "structured", "input": "log", "matrix": [[1, 0], [0, 1]], "bias": [0, 0]},
        {"kind": "probing", "steps": [{"share": 1, "factors": [-1, 2]}]},
    ],
)
def test_calibrations_are_valid_and_read(fit, calibration):
    assert with_calibration(fit, calibration) == (True, True)


@pytest.mark.parametrize(
    "calibration",
    [
        {},
        "vector",
        {"kind": "later", "input": "log", "diagonal": [1, 1], "bias": [0, 0]},
        {"kind": "vector", "diagonal": [1, 1], "bias": [0, 0]},
        {"kind": "vector", "input": "log", "bias": [0, 0]},
        {"kind": "vector", "input": "log", "diagonal": [1, 1]},
        {"kind": "vector", "input": "logit", "diagonal": [1, 1], "bias": [0, 0]},
        {"kind": "vector", "input": "features", "diagonal": [1, 1], "bias": [0, 0]},
        {"kind": "vector", "input": "log", "diagonal": [1, "1"], "bias": [0, 0]},
        {"kind": "vector", "input": "log", "diagonal": [1], "bias": [0]},
        {"kind": "dirichlet", "input": "log", "matrix": [1, 0, 0, 1], "bias": [0, 0]},
        {"kind": "dirichlet", "input": "log", "diagonal": [1, 1], "matrix": [[1, 0], [0, 1]], "bias": [0, 0]},
        {"kind": "logistic", "input": "features", "diagonal": [1, 1], "bias": [0, 0]},
        {"kind": "logistic", "input": "features", "matrix": [[], []], "bias": [0, 0]},
        {"kind": "vector", **AFFINE, "tempering": {"slope": 2, "uniform": 0.1}},
        {"kind": "structured", **AFFINE, "tempering": {"slope": 0, "uniform": 0.1}},
        {"kind": "structured", **AFFINE, "tempering": {"slope": 2, "uniform": 1}},
        {"kind": "structured", **AFFINE, "tempering": {"slope": 2}},
        {"kind": "probing"},
        {"kind": "probing", "steps": []},
        {"kind": "probing", "steps": [{"share": 0, "factors": [1, 1]}]},
        {"kind": "probing", "steps": [{"share": 1}]},
        {"kind": "probing", "steps": [{"share": 1, "factors": [1]}]},
    ],
)
def test_broken_calibrations_are_neither_valid_nor_read(fit, calibration):
    assert with_calibration(fit, calibration) == (False, False)
