"""The plugin as a stage of a pipeline of Spark's own library.

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
from cwplugin import _metrics, _wish
from cwplugin.spark import _apply, _columns, _fit


class _Settings(HasLabelCol, HasWeightCol, HasPredictionCol, HasProbabilityCol):
    """What both the plugin and what it has learned know."""

    metric: Param[str] = Param(Params._dummy(), "metric", "what is maximised, by name", TypeConverters.toString)
    method: Param[str] = Param(
        Params._dummy(), "method", "cwplugin, cwplugin:published, ascent or expected", TypeConverters.toString
    )
    bins: Param[int] = Param(Params._dummy(), "bins", "points of alpha", TypeConverters.toInt)
    reference: Param[str] = Param(
        Params._dummy(),
        "reference",
        "the class that stays fixed: largest, last, best or a class",
        TypeConverters.toString,
    )
    ties: Param[str] = Param(Params._dummy(), "ties", "which of equally good alpha is taken", TypeConverters.toString)
    absent: Param[str] = Param(
        Params._dummy(),
        "absent",
        "what becomes of a class without labelled rows: keep or drop",
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
        Params._dummy(), "onBadRows", "whether bad rows fail, or count and are left out", TypeConverters.toString
    )

    def __init__(self) -> None:
        super().__init__()
        self._setDefault(
            metric="macro-f1",
            method="cwplugin",
            bins=1000,
            reference="largest",
            ties="middle",
            absent="keep",
            scores="probabilities",
            normalize=False,
            onBadRows="fail",
        )

    def _value(self, param: Param[Any]) -> Any:
        return self.getOrDefault(param) if self.isDefined(param) else None

    def _found(self, frame: DataFrame, **columns: Any) -> _columns.Found:
        """The columns of a frame; without a column of vectors there is one column per class."""
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
    """Learn one weight per class from the probabilities of a stage before.

    Parameters
    ----------
    labelCol, weightCol, predictionCol, probabilityCol : str
        As for the classifiers of Spark. ``probabilityCol`` holds vectors or arrays; without such a column there is one
        column per class, as for :func:`cwplugin.spark.fit`.
    metric, method, bins, reference, ties, absent, scores, normalize
        As for :func:`cwplugin.spark.fit`; the metric is one that has a name.
    classes : list of str
        Names of the classes, in the order of the probabilities. Without them they are those that a StringIndexer has
        noted down for the labels, or "0", "1", ….
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
        bins: int = 1000,
        reference: str = "largest",
        ties: str = "middle",
        absent: str = "keep",
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
            bins=bins,
            reference=reference,
            ties=ties,
            absent=absent,
            scores=scores,
            normalize=normalize,
            onBadRows=onBadRows,
        )
        # What nobody names is not set at all: Spark would keep, and save, a None.
        if weightCol is not None:
            self._set(weightCol=weightCol)
        if classes is not None:
            self._set(classes=classes)

    def setParams(self, **settings: Any) -> ClassWeightPlugin:
        """Change settings by name.

        Parameters
        ----------
        **settings
            As for the constructor.

        Returns
        -------
        ClassWeightPlugin
            Itself.
        """
        self._set(**settings)
        return self

    def _fit(self, dataset: DataFrame) -> ClassWeightPluginModel:
        label, weight = self.getLabelCol(), self._value(self.weightCol)
        found = self._found(dataset, label=label, weight=weight or None, classes=self._value(self.classes))
        wish = _wish.Wish(
            metric=_metrics.wish(self._value(self.metric), found.classes),
            method=self._value(self.method),
            reference=_wish.reference(self._value(self.reference)),
            ties=_wish.given(self._value(self.ties), "middle"),
            absent=_wish.given(self._value(self.absent), "keep"),
        )
        bins, on_bad_rows = self._value(self.bins), self._value(self.onBadRows)
        learned = _fit.learn(dataset, found, wish, bins=bins, on_bad_rows=on_bad_rows, score=True)
        labels = found.reading.labels
        numbers = [float(one) for one in labels] if all(isinstance(one, int | float) for one in labels) else None
        model = ClassWeightPluginModel(learned, numbers)
        copied: ClassWeightPluginModel = self._copyValues(model)
        return copied


class ClassWeightPluginModel(_Settings, Model, MLReadable["ClassWeightPluginModel"], MLWritable):
    """Predict with one weight per class; the prediction of a stage before is replaced.

    Parameters
    ----------
    model : cwplugin.Model
        What predicts.
    numbers : list of float, default=None
        What the column of labels says for each class, if it holds numbers: so are the predictions, as the evaluators of
        Spark want them. Without them predictions are the labels of the model.
    """

    def __init__(self, model: cwplugin.Model, numbers: list[float] | None = None) -> None:
        super().__init__()
        self.model = model
        self.numbers = numbers

    def _transform(self, dataset: DataFrame) -> DataFrame:
        model = _apply.as_model(self.model)
        found = self._found(dataset, known=model.classes)
        labels: NDArray[Any] = model.classes if self.numbers is None else np.array(self.numbers)
        leaves_out = _columns.leaves_out(self._value(self.onBadRows))
        predicted = _apply.predicted(found, model._core, labels, leaves_out=leaves_out)
        return dataset.withColumn(self.getPredictionCol(), predicted)

    def write(self) -> MLWriter:
        """What saves it.

        Returns
        -------
        MLWriter
            Its ``save`` writes a folder; the file in ``model`` is one that the program reads.
        """
        return _Writer(self)

    @classmethod
    def read(cls) -> _Reader:
        """What loads it.

        Returns
        -------
        MLReader
            Its ``load`` reads such a folder.
        """
        return _Reader()


class _Writer(MLWriter):
    def __init__(self, instance: ClassWeightPluginModel) -> None:
        super().__init__()
        self._instance = instance

    def saveImpl(self, path: str) -> None:
        """Write through Spark, so that any file system will do."""
        session, instance = self.sparkSession, self._instance
        DefaultParamsWriter.saveMetadata(instance, path, session, extraMetadata={"numbers": instance.numbers})
        text = instance.model.to_json().removesuffix("\n")  # Spark ends every line
        session.createDataFrame([(text,)], "value string").coalesce(1).write.text(f"{path}/model")


class _Reader(MLReader[ClassWeightPluginModel]):
    def load(self, path: str) -> ClassWeightPluginModel:
        """Read what :class:`_Writer` wrote."""
        metadata = DefaultParamsReader.loadMetadata(path, self.sparkSession)
        lines = self.sparkSession.read.text(f"{path}/model", wholetext=True).collect()
        instance = ClassWeightPluginModel(cwplugin.Model.from_json(lines[0][0]), metadata["numbers"])
        instance._resetUid(metadata["uid"])
        DefaultParamsReader.getAndSetParams(instance, metadata)
        return instance
