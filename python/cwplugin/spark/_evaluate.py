"""Metrics before and after, counted on the executors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray
from pyspark.sql import DataFrame

from cwplugin import _core, _metrics, _request
from cwplugin._evaluate import Evaluation, EvaluationRequest, evaluation
from cwplugin.spark import _apply, _columns, _passes
from cwplugin.spark._frame import warn_of_bad_rows


def evaluate(
    df: DataFrame,
    model: Any = None,
    *,
    label: str = "label",
    classes: Sequence[Any] | NDArray[Any] | None = None,
    metrics: Any = "all",
    weight: str | None = None,
    probabilities: str | None = None,
    resamples: int = 1000,
    random_state: Any = None,
    scores: str | None = None,
    normalize: bool | None = None,
    on_bad_rows: str = "fail",
) -> Evaluation:
    """Metrics before and after on the labelled rows of a frame, with 95% bootstrap confidence intervals.

    Parameters
    ----------
    df : DataFrame
        Labelled rows with the probabilities of the black box; it is read once.
    model : Model or fitted ClassWeightPlugin, default=None
        The rule to compare with the unadjusted black box; if None, the black box alone.
    label, classes, weight, probabilities, on_bad_rows
        As for :func:`fit`; with a model the classes are those of the model.
    metrics, resamples, random_state, scores, normalize
        As for :func:`cwplugin.evaluate`.

    Returns
    -------
    Evaluation
        The numbers of ``cwplugin eval --json`` on the same rows. If row weights make more than 100,000 distinct
        outcomes, rows of nearly the same weight are resampled with their mean weight.

    Raises
    ------
    InputError
        If a row is wrong; it has the partition, and the row within it.
    """
    model = None if model is None else _apply.as_model(model)
    plain = {"scores": scores or "probabilities", "normalize": bool(normalize)}
    reading = plain if model is None else model._reading(scores, normalize)
    found = _columns.find(
        df,
        label=label,
        weight=weight,
        classes=classes,
        known=None if model is None else model.classes,
        probabilities=probabilities,
        **reading,
    )
    core = None if model is None else model._core
    names, reading = found.reading.names, found.reading
    request = EvaluationRequest(_metrics.specs(metrics, found.classes), int(resamples), _request.seed(random_state))

    def start() -> list[_core.Outcomes]:
        return [_core.Outcomes(names, core)]

    skips_bad = _columns.skips_bad(on_bad_rows)
    counted = _passes.count(df, found.projected(df), reading, start, skips_bad=skips_bad)
    warn_of_bad_rows(counted.n_bad, counted.reason, stacklevel=3)
    return evaluation(counted.counters[0], request, label, found.classes, model)
