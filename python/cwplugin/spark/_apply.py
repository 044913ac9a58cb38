"""Predictions as a column of a frame."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyspark.sql import Column, DataFrame, functions
from pyspark.sql.pandas.functions import arrow_udf

from cwplugin import _core
from cwplugin._errors import InputError
from cwplugin._model import Model
from cwplugin._rows import Rows
from cwplugin.spark import _columns
from cwplugin.spark._reading import Partition, Reading

#: Spark's types for NumPy's kinds of labels; all others become strings.
_KINDS = {"i": "long", "u": "long", "f": "double", "b": "boolean"}


def apply(
    df: DataFrame,
    model: Any,
    *,
    prediction: str = "prediction",
    probabilities: str | None = None,
    scores: str | None = None,
    normalize: bool | None = None,
    on_bad_rows: str = "fail",
) -> DataFrame:
    """Add the predicted class of every row as a column.

    The column is computed lazily; only the class columns pass through Python.

    Parameters
    ----------
    df : DataFrame
        Rows with the probabilities of the black box; the columns are named after the model's classes, optionally with
        the prefix ``p_``, ``prob_`` or ``proba_``.
    model : Model or fitted ClassWeightPlugin
        The decision rule.
    prediction : str, default="prediction"
        The column to add; one of that name is replaced.
    probabilities : str, default=None
        A column with all probabilities of a row: arrays or vectors, in the order of the model's classes.
    scores, normalize
        As for :meth:`cwplugin.Model.apply`.
    on_bad_rows : {"fail", "count"}, default="fail"
        Whether a bad row raises an error, when the frame is used, or gets no prediction.

    Returns
    -------
    DataFrame
        The frame with the column, of the type of the model's classes.
    """
    model = as_model(model)
    reading = model._reading(scores, normalize)
    found = _columns.find(df, known=model.classes, probabilities=probabilities, **reading)
    skips_bad = _columns.skips_bad(on_bad_rows)
    return df.withColumn(prediction, predicted(found, model._core, model.classes, skips_bad=skips_bad))


def as_model(model: Any) -> Model:
    """A model that can be applied to frames."""
    model = getattr(model, "model_", model)
    if not isinstance(model, Model):
        raise TypeError(f"model must be a Model or a fitted ClassWeightPlugin, got {type(model).__name__}")
    if model._core.n_features is not None:
        raise InputError(
            "the model uses features, which are not supported on Spark\n"
            "  hint: use a model of a method other than logistic"
        )
    return model


def predicted(found: _columns.Found, core: _core.Model, labels: NDArray[Any], *, skips_bad: bool) -> Column:
    """The label of the predicted class of every row, as a column."""
    reading = found.reading
    kind = _KINDS.get(labels.dtype.kind, "string")
    values = labels.tolist() if kind != "string" else [str(label) for label in labels.tolist()]

    def predict(columns: Iterator[pa.Array]) -> Iterator[pa.Array]:
        return _predict(columns, reading, core, values, skips_bad)

    make_udf: Any = arrow_udf  # its types lack functions with type hints
    udf = make_udf(predict, kind)
    column: Column
    if reading.listed is None:
        places = [column.alias(f"p{place}") for place, column in enumerate(found.probabilities)]
        column = udf(functions.struct(*places))
    else:
        column = udf(*found.probabilities)
    return column


def _predict(
    columns: Iterator[pa.Array], reading: Reading, core: _core.Model, values: list[Any], skips_bad: bool
) -> Iterator[pa.Array]:
    partition = Partition(reading, skips_bad=skips_bad)
    labels = pa.array(values)

    def classes_of(rows: Rows) -> pa.Array:
        return pa.array(core.predict(rows, 1).astype(np.int64))

    for column in columns:
        if reading.listed is None:
            batch = pa.RecordBatch.from_struct_array(column)
        else:
            batch = pa.record_batch([column], names=[reading.listed])
        pieces = partition.take(batch, classes_of)
        codes = pa.concat_arrays([pa.nulls(1, pa.int64()) if piece is None else piece for piece in pieces])
        yield labels.take(codes)
