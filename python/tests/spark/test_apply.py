"""Predictions on executors are those of a model here."""

from __future__ import annotations

import numpy as np
import pytest
from tables import NAMES, P, Y, arrow

from cwplugin import ClassWeightPlugin, InputError, Model, method_names
from cwplugin import spark as on_spark

METHODS = [name for name in method_names() if name not in ("logistic", "label-shift")]


@pytest.fixture(scope="module")
def vectors(spark):
    from pyspark.ml.functions import array_to_vector
    from pyspark.sql import functions

    frame = spark.createDataFrame(arrow()).repartition(3, "id")
    array = functions.array("p_anger", "p_joy", "p_sad ness")
    return frame.withColumn("several", array).withColumn("vector", array_to_vector(array))


@pytest.mark.filterwarnings("ignore::cwplugin.FitWarning")
def test_every_model_predicts_the_same(vectors):
    def predicted(frame, names):
        # One job a model: Spark takes longer to plan them all at once.
        return sorted(frame.select("id", *names).collect())

    for method in METHODS:
        model = ClassWeightPlugin(method=method, random_state=1, classes=NAMES).fit(P, Y).model_
        lines = predicted(on_spark.apply(vectors, model), ["prediction"])
        assert [line.prediction for line in lines] == model.apply(P).tolist(), method
    numbered = Model([3, 1, 2], [1.0, 2.0, 0.5])
    frame = on_spark.apply(vectors, numbered, prediction="w", probabilities="several")
    assert frame.columns.count("w") == 1
    assert dict(frame.dtypes)["w"] == "bigint"
    for column in ("several", "vector"):
        frame = on_spark.apply(frame, model, prediction=f"of_{column}", probabilities=column)
    for line, own, other in zip(
        predicted(frame, ["w", "of_several", "of_vector"]), numbered.apply(P), model.apply(P), strict=True
    ):
        assert (line.w, line.of_several, line.of_vector) == (own, other, other)


def test_bad_rows_have_no_prediction_or_fail(vectors):
    model = Model(NAMES, [1.0, 2.0, 0.5])
    bad = vectors.coalesce(1).selectExpr(
        "id",
        "if(id = 20, null, p_anger) as p_anger",
        "if(id = 30, double('nan'), p_joy) as p_joy",
        "`p_sad ness`",
        "if(id = 40, array(1.0D), if(id = 50, null, several)) as several",
        "if(id = 60, null, vector) as vector",
    )
    left_out = on_spark.apply(bad, model, prediction="a", on_bad_rows="count")
    left_out = on_spark.apply(left_out, model, prediction="b", probabilities="several", on_bad_rows="count")
    left_out = on_spark.apply(left_out, model, prediction="c", probabilities="vector", on_bad_rows="count")
    lines = sorted(left_out.select("id", "a", "b", "c").collect())
    expected = model.apply(P)
    for name, rows in {"a": [20, 30], "b": [40, 50], "c": [60]}.items():
        predicted = np.array([line[name] for line in lines], dtype=object)
        assert np.flatnonzero(predicted == None).tolist() == rows  # noqa: E711
        good = np.setdiff1d(np.arange(len(P)), rows)
        assert predicted[good].tolist() == expected[good].tolist()
    with pytest.raises(Exception, match=r'partition 0, row \d+, column "p_(anger|joy)": ') as refused:
        on_spark.apply(bad, model).select("prediction").collect()
    assert "hint: " in str(refused.value)


def test_columns_that_do_not_fit_the_model_are_refused(vectors):
    with pytest.raises(InputError, match='no column for class "fear" of the model'):
        on_spark.apply(vectors, Model(["anger", "fear"], [1, 1]))
    with pytest.raises(InputError, match='class column "p_sad ness" is not in the model, whose classes are'):
        on_spark.apply(vectors, Model(["anger", "joy"], [1, 1]))
    with pytest.raises(TypeError, match="model must be a Model or a fitted ClassWeightPlugin, got int"):
        on_spark.apply(vectors, 3)
    features = np.random.default_rng(0).normal(size=(len(P), 2))
    logistic = ClassWeightPlugin(method="logistic", classes=NAMES).fit(P, Y, features=features)
    with pytest.raises(InputError, match="the model uses features"):
        on_spark.apply(vectors, logistic)
