"""Before and after on rows that stay on the executors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray
from pyspark.sql import DataFrame

from cwplugin import _core, _wish
from cwplugin._evaluate import Asked, Evaluation, chosen, evaluation
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
    scores: str = "probabilities",
    normalize: bool = False,
    on_bad_rows: str = "fail",
) -> Evaluation:
    """Every metric before and after on the labelled rows of a frame, with 95 % bootstrap intervals.

    Parameters
    ----------
    df : DataFrame
        Labelled rows with the probabilities of the black box; it is gone through once.
    model : Model or fitted ClassWeightPlugin, default=None
        What is compared with the black box; without it, the black box alone.
    label, classes, weight, probabilities, scores, normalize, on_bad_rows
        As for :func:`fit`; with a model the classes are its own.
    metrics, resamples, random_state
        As for :func:`cwplugin.evaluate`.

    Returns
    -------
    Evaluation
        The numbers of ``cwplugin eval --json`` on the same rows. Where the row weights are so various that there are
        more than 100,000 different outcomes, rows of nearly the same weight are resampled with their mean weight.

    Raises
    ------
    InputError
        If a row is refused; it knows the partition, and the row within it.
    """
    model = None if model is None else _apply.as_model(model)
    found = _columns.find(
        df,
        label=label,
        weight=weight,
        classes=classes,
        known=None if model is None else model.classes,
        probabilities=probabilities,
        scores=scores,
        normalize=normalize,
    )
    core = None if model is None else model._core
    names, reading = found.reading.names, found.reading
    asked = Asked(chosen(metrics, found.classes), int(resamples), _wish.seed(random_state), None, False)

    def start() -> list[_core.Outcomes]:
        return [_core.Outcomes(names, core)]

    leaves_out = _columns.leaves_out(on_bad_rows)
    counted = _passes.count(df, found.projected(df), reading, start, leaves_out=leaves_out)
    warn_of_bad_rows(counted.n_bad, counted.reason, stacklevel=3)
    outcomes: _core.Outcomes = counted.counters[0]
    return evaluation(outcomes.evaluate(core, asked, label), found.classes, model)
