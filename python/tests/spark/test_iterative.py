"""Methods that go over the rows several times."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pytest
from support import black_box, without_fingerprint

import cwplugin
from cwplugin import ClassWeightPlugin, InputError
from cwplugin import spark as on_spark
from cwplugin.spark import _iterative

NAMES = ["a", "b", "c", "d"]


def rows(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities and labels, some of which are missing."""
    P, y = black_box(n, 4, seed=3, labels=NAMES)
    return P, np.array([None if row % 7 == 0 else label for row, label in enumerate(y)], dtype=object)


def frame(spark, P: np.ndarray, y: np.ndarray, partitions: int = 3):
    columns = {f"p_{name}": P[:, k] for k, name in enumerate(NAMES)}
    table = pa.table({**columns, "label": pa.array(list(y)), "w": np.arange(len(y)) % 4 + 0.1})
    return spark.createDataFrame(table).repartition(partitions).cache()


def score(model: cwplugin.Model, P: np.ndarray, y: np.ndarray, weights=None) -> float:
    """Macro-F1 of a model, as the package says."""
    found = cwplugin.evaluate(P, y, model, metrics="macro-f1", sample_weight=weights, resamples=1)
    return found.metrics["macro-f1"].fitted.value


@pytest.fixture(scope="module")
def many(spark):
    P, y = rows(3000)
    return P, y, frame(spark, P, y)


@pytest.mark.parametrize("weight", [None, "w"])
def test_ascent_scores_as_on_one_machine(many, weight):
    P, y, df = many
    weights = None if weight is None else np.arange(len(y)) % 4 + 0.1
    model = on_spark.fit(df, method="ascent", weight=weight)
    alone = ClassWeightPlugin(metric="macro-f1", method="ascent", classes=NAMES).fit(P, y, sample_weight=weights)
    record = json.loads(model.to_json())["fit"]
    assert (record["method"], record["rows"], record["unlabelled"]) == ("ascent", 2571, 429)
    assert record["score"]["fitted"] == pytest.approx(score(model, P, y, weights), abs=1e-12)
    assert record["score"]["fitted"] > alone.scores_.fitted - 0.002
    assert record["score"]["fitted"] > record["score"]["clean"] + 0.02
    assert record["cycles"] <= 15


def test_the_weights_of_ascent_do_not_depend_on_the_partitions(many):
    _, _, df = many
    one, other = (on_spark.fit(df.repartition(n), method="ascent", metric="mcc", score=False) for n in (1, 5))
    assert one.to_json() == other.to_json()
    assert json.loads(one.to_json())["fit"].get("score") is None


def test_expected_on_few_labels_is_that_of_one_machine(spark):
    P, y = rows(400)
    found = on_spark.fit(frame(spark, P, y), method="expected", random_state=5)
    order = np.lexsort(P.T[::-1])  # the executor sorts the rows, so that partitions do not matter
    alone = ClassWeightPlugin(metric="macro-f1", method="expected", classes=NAMES, random_state=5)
    model = alone.fit(P[order], y[order]).model_
    assert without_fingerprint(found.to_json()) == without_fingerprint(model.to_json())
    assert "expected macro-f1 on new rows" in found.report.verdict


@pytest.mark.parametrize("most", [8_000, 2_100])
def test_expected_on_many_labels_counts_them_all(many, monkeypatch, most):
    monkeypatch.setattr(_iterative, "MOST_LABELLED", most)
    P, y, df = many
    model = on_spark.fit(df, method="expected")
    alone = ClassWeightPlugin(metric="macro-f1", method="expected", classes=NAMES).fit(P, y)
    record = json.loads(model.to_json())["fit"]
    assert (record["method"], record["rows"], record["unlabelled"]) == ("expected", 2571, 429)
    assert record["score"]["fitted"] == pytest.approx(score(model, P, y), abs=1e-12)
    assert record["score"]["fitted"] > alone.scores_.fitted - 0.005
    assert record["forecast"]["fitted"] == pytest.approx(alone.report_.forecast.fitted, abs=0.02)


def test_a_function_of_the_matrix_is_maximised_too(many):
    _, _, df = many

    def right(counts: np.ndarray) -> float:
        return float(np.trace(counts) / counts.sum())

    model = on_spark.fit(df, method="ascent", metric=right, score=False)
    named = on_spark.fit(df, method="ascent", metric="accuracy", score=False)
    np.testing.assert_allclose(model.weights, named.weights, rtol=0.02)


def test_unsupported_settings_and_methods_raise_an_error(many):
    _, _, df = many
    with pytest.raises(InputError, match='reference is not supported by method="ascent"'):
        on_spark.fit(df, method="ascent", reference="last")
    with pytest.raises(InputError, match='bins is not supported by method="expected"'):
        on_spark.fit(df, method="expected", bins=100)
    with pytest.raises(InputError, match='method "auto" is not supported on Spark'):
        on_spark.fit(df, method="auto")
    with pytest.raises(InputError, match="no row has a label"):
        on_spark.fit(df.where("label is null"), method="ascent")
