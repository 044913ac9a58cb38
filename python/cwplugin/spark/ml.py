"""The plugin as a stage of a pipeline of Spark ML.

>>> from cwplugin.spark.ml import ClassWeightPlugin  # doctest: +SKIP
>>> Pipeline(stages=[LogisticRegression(), ClassWeightPlugin(metric="macro-f1")]).fit(df)  # doctest: +SKIP
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyspark.ml import Estimator, Model
from pyspark.ml.param import Param, Params, TypeConverters
from pyspark.ml.param.shared import HasLabelCol, HasPredictionCol, HasProbabilityCol, HasWeightCol
from pyspark.ml.util import (
    DefaultParamsReadable,
    DefaultParamsReader,
    DefaultParamsWritable,
    DefaultParamsWriter,
    MLReadable,
    MLReader,
    MLWritable,
    MLWriter,
)
from pyspark.sql import DataFrame

import cwplugin
from cwplugin.spark import _apply, _columns, _fit

#: Parameters that are method options; those that are not set are left to the method.
_OPTIONS = ("reference", "ties", "absent")


class _Settings(HasLabelCol, HasWeightCol, HasPredictionCol, HasProbabilityCol):
    """The parameters of the estimator and of its model."""

    metric: Param[str] = Param(Params._dummy(), "metric", "metric to maximise, by name", TypeConverters.toString)
    method: Param[str] = Param(
        Params._dummy(), "method", "cwplugin, cwplugin:published, ascent or expected", TypeConverters.toString
    )
    bins: Param[int] = Param(Params._dummy(), "bins", "points of alpha", TypeConverters.toInt)
    reference: Param[str] = Param(
        Params._dummy(),
        "reference",
        "the class whose weight is fixed: largest, last, best or a class",
        TypeConverters.toString,
    )
    ties: Param[str] = Param(Params._dummy(), "ties", "which of equally good alpha to take", TypeConverters.toString)
    absent: Param[str] = Param(
        Params._dummy(),
        "absent",
        "weight of a class without labelled rows: keep (1) or drop (0)",
        TypeConverters.toString,
    )
    classes: Param[list[str]] = Param(
        Params._dummy(),
        "classes",
        "names of the classes, in the order of the probabilities",
        TypeConverters.toListString,
    )
    scores: Param[str] = Param(
        Params._dummy(), "scores", "what the numbers are: probabilities, logits or logprobs", TypeConverters.toString
    )
    normalize: Param[bool] = Param(
        Params._dummy(), "normalize", "whether to divide every row by its sum", TypeConverters.toBoolean
    )
    onBadRows: Param[str] = Param(
        Params._dummy(),
        "onBadRows",
        "whether bad rows raise an error (fail) or are skipped (count)",
        TypeConverters.toString,
    )

    def __init__(self) -> None:
        super().__init__()
        self._setDefault(
            metric="macro-f1",
            method="cwplugin",
            scores="probabilities",
            normalize=False,
            onBadRows="fail",
        )

    def _value(self, param: Param[Any]) -> Any:
        return self.getOrDefault(param) if self.isDefined(param) else None

    def _found(self, frame: DataFrame, **columns: Any) -> _columns.Found:
        """The columns of a frame: one of vectors, or else one per class."""
        listed = self.getProbabilityCol()
        return _columns.find(
            frame,
            probabilities=listed if listed in frame.columns else None,
            scores=self._value(self.scores),
            normalize=self._value(self.normalize),
            **columns,
        )


class ClassWeightPlugin(
    _Settings, Estimator["ClassWeightPluginModel"], DefaultParamsReadable["ClassWeightPlugin"], DefaultParamsWritable
):
    """Fit one weight per class to the probabilities of a previous stage.

    Parameters
    ----------
    labelCol, weightCol, predictionCol, probabilityCol : str
        As for the classifiers of Spark. ``probabilityCol`` contains vectors or arrays; without such a column there is
        one column per class, as for :func:`cwplugin.spark.fit`.
    metric, method, bins, reference, ties, absent, scores, normalize
        As for :func:`cwplugin.spark.fit`; the metric is a name.
    classes : list of str
        Names of the classes, in the order of the probabilities; by default those of the StringIndexer of the labels, or
        "0", "1", ….
    onBadRows : {"fail", "count"}
        As ``on_bad_rows`` of :func:`cwplugin.spark.fit`.
    """

    def __init__(
        self,
        *,
        labelCol: str = "label",
        predictionCol: str = "prediction",
        probabilityCol: str = "probability",
        weightCol: str | None = None,
        metric: str = "macro-f1",
        method: str = "cwplugin",
        bins: int | None = None,
        reference: str | None = None,
        ties: str | None = None,
        absent: str | None = None,
        classes: list[str] | None = None,
        scores: str = "probabilities",
        normalize: bool = False,
        onBadRows: str = "fail",
    ) -> None:
        super().__init__()
        self._set(
            labelCol=labelCol,
            predictionCol=predictionCol,
            probabilityCol=probabilityCol,
            metric=metric,
            method=method,
            scores=scores,
            normalize=normalize,
            onBadRows=onBadRows,
        )
        # Spark would save a None.
        optional: dict[str, Any] = {"weightCol": weightCol, "classes": classes, "bins": bins}
        optional |= {"reference": reference, "ties": ties, "absent": absent}
        self._set(**{name: value for name, value in optional.items() if value is not None})

    def setParams(self, **settings: Any) -> ClassWeightPlugin:
        """Set parameters by name.

        Parameters
        ----------
        **settings
            As for the constructor.

        Returns
        -------
        ClassWeightPlugin
            This estimator.
        """
        self._set(**settings)
        return self

    def _fit(self, dataset: DataFrame) -> ClassWeightPluginModel:
        label, weight = self.getLabelCol(), self._value(self.weightCol)
        found = self._found(dataset, label=label, weight=weight or None, classes=self._value(self.classes))
        options = {name: self._value(self.getParam(name)) for name in _OPTIONS}
        bins, on_bad_rows = self._value(self.bins), self._value(self.onBadRows)
        metric, method = self._value(self.metric), self._value(self.method)
        request = _fit.requested(found.classes, metric, method, options, bins=bins)
        fitted = _fit.fit_columns(dataset, found, request, bins=bins, on_bad_rows=on_bad_rows, score=True)
        labels = found.reading.labels
        numbers = [float(one) for one in labels] if all(isinstance(one, int | float) for one in labels) else None
        model = ClassWeightPluginModel(fitted, numbers)
        copied: ClassWeightPluginModel = self._copyValues(model)
        return copied


class ClassWeightPluginModel(_Settings, Model, MLReadable["ClassWeightPluginModel"], MLWritable):
    """Predict with one weight per class; the prediction of a previous stage is replaced.

    Parameters
    ----------
    model : cwplugin.Model
        The decision rule.
    numbers : list of float, default=None
        The label of each class in the label column, if they are numbers: predictions are then numbers too, as Spark's
        evaluators need them. If None, predictions are the labels of the model.
    """

    def __init__(self, model: cwplugin.Model, numbers: list[float] | None = None) -> None:
        super().__init__()
        self.model = model
        self.numbers = numbers

    def _transform(self, dataset: DataFrame) -> DataFrame:
        model = _apply.as_model(self.model)
        found = self._found(dataset, known=model.classes)
        labels: NDArray[Any] = model.classes if self.numbers is None else np.array(self.numbers)
        skips_bad = _columns.skips_bad(self._value(self.onBadRows))
        predicted = _apply.predicted(found, model._core, labels, skips_bad=skips_bad)
        return dataset.withColumn(self.getPredictionCol(), predicted)

    def write(self) -> MLWriter:
        """The writer of this model.

        Returns
        -------
        MLWriter
            Its ``save`` writes a directory; the file in ``model`` is a model file.
        """
        return _Writer(self)

    @classmethod
    def read(cls) -> _Reader:
        """The reader of such models.

        Returns
        -------
        MLReader
            Its ``load`` reads such a directory.
        """
        return _Reader()


class _Writer(MLWriter):
    def __init__(self, instance: ClassWeightPluginModel) -> None:
        super().__init__()
        self._instance = instance

    def saveImpl(self, path: str) -> None:
        """Write through Spark, to any of its file systems."""
        session, instance = self.sparkSession, self._instance
        DefaultParamsWriter.saveMetadata(instance, path, session, extraMetadata={"numbers": instance.numbers})
        text = instance.model.to_json().removesuffix("\n")  # Spark ends every line
        session.createDataFrame([(text,)], "value string").coalesce(1).write.text(f"{path}/model")


class _Reader(MLReader[ClassWeightPluginModel]):
    def load(self, path: str) -> ClassWeightPluginModel:
        """Read a directory of :class:`_Writer`."""
        metadata = DefaultParamsReader.loadMetadata(path, self.sparkSession)
        lines = self.sparkSession.read.text(f"{path}/model", wholetext=True).collect()
        instance = ClassWeightPluginModel(cwplugin.Model.from_json(lines[0][0]), metadata["numbers"])
        instance._resetUid(metadata["uid"])
        DefaultParamsReader.getAndSetParams(instance, metadata)
        return instance
