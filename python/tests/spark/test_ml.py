"""The plugin as a stage of a pipeline."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from program import run
from pyspark.ml import Pipeline, PipelineModel
from pyspark.ml.classification import LogisticRegression
from pyspark.ml.evaluation import MulticlassClassificationEvaluator
from pyspark.ml.feature import StringIndexer, VectorAssembler
from pyspark.ml.tuning import CrossValidator, ParamGridBuilder
from tables import NAMES, P, Y

from cwplugin import Model
from cwplugin import spark as on_spark
from cwplugin.spark.ml import ClassWeightPlugin, ClassWeightPluginModel


@pytest.fixture(scope="module")
def data(spark):
    labelled = [row for row, label in enumerate(Y) if label is not None]
    logits = np.log(P[labelled])
    table = pa.table({"a": logits[:, 0], "b": logits[:, 1], "mood": [Y[row] for row in labelled]})
    return spark.createDataFrame(table).coalesce(2).cache()


@pytest.fixture(scope="module")
def pipeline(data):
    stages = [
        StringIndexer(inputCol="mood", outputCol="label"),
        VectorAssembler(inputCols=["a", "b"], outputCol="features"),
        LogisticRegression(maxIter=3),
        ClassWeightPlugin(metric="macro-f1"),
    ]
    return Pipeline(stages=stages).fit(data)


def test_a_pipeline_predicts_numbers_saved_and_loaded(data, pipeline, tmp_path):
    predicted = pipeline.transform(data)
    assert dict(predicted.dtypes)["prediction"] == "double"
    lines = predicted.select("label", "probability", "prediction").collect()
    plugin = pipeline.stages[-1]
    indexed = pipeline.stages[0].labels
    assert plugin.model.classes.tolist() == indexed
    rows = np.array([line["probability"].toArray() for line in lines])
    expected = [float(indexed.index(label)) for label in plugin.model.apply(rows)]
    assert [line["prediction"] for line in lines] == expected
    score = MulticlassClassificationEvaluator(metricName="accuracy").evaluate(predicted)
    assert score == pytest.approx(np.mean([line["label"] == line["prediction"] for line in lines]))

    (tmp_path / "pipeline").mkdir()
    pipeline.write().overwrite().save(str(tmp_path / "pipeline"))
    loaded = PipelineModel.load(str(tmp_path / "pipeline"))
    assert isinstance(loaded.stages[-1], ClassWeightPluginModel)
    assert loaded.stages[-1].uid == plugin.uid
    again = loaded.transform(data).select("prediction").collect()
    assert [line["prediction"] for line in again] == expected
    (stage,) = (tmp_path / "pipeline" / "stages").glob("3_*")
    (file,) = (stage / "model").glob("part-*.txt")
    assert file.read_text() == plugin.model.to_json()
    run("export", file, "--to", "python", cwd=tmp_path)


def test_the_fit_is_that_of_the_function(data, pipeline):
    scored = PipelineModel(stages=pipeline.stages[:-1]).transform(data)
    expected = on_spark.fit(scored, probabilities="probability")
    assert isinstance(expected, Model)
    assert pipeline.stages[-1].model.to_json() == expected.to_json()


def test_an_estimator_is_tuned_saved_and_loaded(data, pipeline, tmp_path):
    scored = PipelineModel(stages=pipeline.stages[:-1]).transform(data).cache()
    plugin = ClassWeightPlugin(classes=NAMES, metric="accuracy", bins=50)
    plugin.write().overwrite().save(str(tmp_path / "plugin"))
    loaded = ClassWeightPlugin.load(str(tmp_path / "plugin"))
    assert (loaded.uid, loaded.getOrDefault("bins"), loaded.getOrDefault("classes")) == (plugin.uid, 50, NAMES)
    plugin = ClassWeightPlugin(bins=50)
    grid = ParamGridBuilder().addGrid(plugin.metric, ["accuracy", "macro-recall"]).build()
    evaluator = MulticlassClassificationEvaluator(metricName="accuracy")
    tuned = CrossValidator(estimator=plugin, estimatorParamMaps=grid, evaluator=evaluator, numFolds=2, seed=1).fit(
        scored
    )
    assert len(tuned.avgMetrics) == 2
    chosen = tuned.bestModel.model.report.metric
    assert chosen == ["accuracy", "macro-recall"][int(np.argmax(tuned.avgMetrics))]


def test_labels_that_are_texts_are_predicted_as_texts(spark, data):
    table = pa.table({"p_ham": [0.9, 0.7, 0.6, 0.2], "p_spam": [0.1, 0.3, 0.4, 0.8], "label": ["ham"] + ["spam"] * 3})
    frame = spark.createDataFrame(table)
    predicted = ClassWeightPlugin().fit(frame).transform(frame)
    assert [line["prediction"] for line in predicted.collect()] == table["label"].to_pylist()
