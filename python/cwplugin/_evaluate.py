"""Metrics before and after on labelled rows, with intervals: the numbers of ``cwplugin eval``."""

from __future__ import annotations

import html
import json
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cwplugin import _core, _metrics, _request, _rows
from cwplugin._errors import FitWarning
from cwplugin._model import Model
from cwplugin.report import ConstraintStatus, Record, interval_text, page, table

if TYPE_CHECKING:
    import pandas as pd


@dataclass(slots=True)
class EvaluationRequest:
    """An evaluation, as the Rust side takes it."""

    metrics: list[Any]
    resamples: int
    seed: int
    jobs: int | None = None
    verbose: bool = False


@dataclass(frozen=True)
class Interval:
    """A number with its 95% bootstrap confidence interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class MetricChange:
    """One metric before and after, and the difference on the same resamples; without a model only ``clean``."""

    clean: Interval
    fitted: Interval | None = None
    gain: Interval | None = None


class Evaluation(Record):
    """Metrics before and after, on labelled rows: the document of ``cwplugin eval --json``.

    Attributes
    ----------
    rows, unlabelled, changed : int
        Labelled rows, unlabelled rows, and predictions that the model changes.
    classes : ndarray of shape (n_classes,)
        Labels.
    metrics : dict of str to MetricChange
        By name.
    confusion : dict of str to ndarray of shape (n_classes, n_classes)
        ``"clean"`` and, with a model, ``"fitted"``: counts, truth by row.
    constraints : tuple of ConstraintStatus
        The constraints of the model, on these rows.
    overlap : float or None
        The share of the rows that the model was fitted on, if that is known and not negligible.
    """

    _optional: ClassVar[Mapping[str, Any]] = {"overlap": None, "warnings": ()}

    rows: int
    unlabelled: int
    changed: int

    def __init__(self, fields: Mapping[str, Any], classes: NDArray[Any]) -> None:
        super().__init__(fields)
        self.classes = classes
        self.metrics = {name: _change(entry) for name, entry in fields["metrics"].items()}
        self.confusion: dict[str, NDArray[np.float64]] = {
            side: np.array(counts) for side, counts in fields["confusion"].items()
        }
        self.constraints = tuple(ConstraintStatus(one) for one in fields.get("constraints", ()))

    def to_frame(self) -> pd.DataFrame:
        """The metrics as a pandas DataFrame.

        Returns
        -------
        DataFrame
            One row per metric; columns ``metric``, ``clean``, ``clean_low``, ``clean_high`` and, with a model, the
            same for ``fitted`` and ``gain``.
        """
        import pandas as pd

        lines = []
        for name, change in self.metrics.items():
            line: dict[str, Any] = {"metric": name}
            for side in ("clean", "fitted", "gain"):
                interval: Interval | None = getattr(change, side)
                if interval is not None:
                    line |= {side: interval.value, f"{side}_low": interval.low, f"{side}_high": interval.high}
            lines.append(line)
        return pd.DataFrame(lines)

    def per_class(self) -> pd.DataFrame:
        """Precision, recall and F1 of every class as a pandas DataFrame.

        Returns
        -------
        DataFrame
            One row per class and side; columns ``class``, ``side``, ``support``, ``precision``, ``recall``, ``f1``.
        """
        import pandas as pd

        lines = [
            {"class": label, "side": side, "support": entry["support"], **entry[side]}
            for label, entry in zip(self.classes.tolist(), self._fields["per_class"], strict=True)
            for side in self.confusion
        ]
        return pd.DataFrame(lines)

    @property
    def _headline(self) -> str:
        return f"{self.rows} labelled rows, {self.changed} predictions changed"

    def __repr__(self) -> str:
        return f"Evaluation({self._headline!r}, metrics={list(self.metrics)})"

    def __str__(self) -> str:
        width = max(map(len, self.metrics), default=0)
        lines = [f"{name:<{width}}  {'  '.join(_cells(change))}" for name, change in self.metrics.items()]
        return "\n".join([self._headline, *lines, *map(str, self.constraints)])

    def _repr_html_(self) -> str:
        """The evaluation as a notebook shows it."""
        columns = ["metric", "unadjusted", "fitted", "gain"] if "fitted" in self.confusion else ["metric", "unadjusted"]
        rows = [(name, *_cells(change)) for name, change in self.metrics.items()]
        caption = "before and after, with 95% confidence intervals"
        return page([f"<p>{html.escape(self._headline)}</p>", table(caption, columns, rows)])


def _change(entry: Mapping[str, Any]) -> MetricChange:
    clean = Interval(entry["clean"], *entry["clean_interval"])
    if entry["fitted"] is None:
        return MetricChange(clean)
    fitted = Interval(entry["fitted"], entry["low"], entry["high"])
    return MetricChange(clean, fitted, Interval(entry["gain"], *entry["gain_interval"]))


def _cells(change: MetricChange) -> list[str]:
    sides = [side for side in (change.clean, change.fitted) if side is not None]
    cells = [f"{side.value:.4f} ({interval_text(side.low, side.high)})" for side in sides]
    if change.gain is not None:
        cells.append(f"{change.gain.value:+.4f} ({change.gain.low:+.4f} to {change.gain.high:+.4f})")
    return cells


def evaluate(
    X: Any,
    y: Any,
    model: Any = None,
    *,
    metrics: Any = "all",
    classes: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    features: ArrayLike | None = None,
    resamples: int = 1000,
    random_state: Any = None,
    n_jobs: int | None = None,
    scores: str | None = None,
    normalize: bool | None = None,
    verbose: int = 0,
) -> Evaluation:
    """Metrics before and after, on labelled rows, with 95% bootstrap confidence intervals.

    Parameters
    ----------
    X : array-like or table of shape (n_rows, n_classes)
        Probabilities of the black box.
    y : array-like of shape (n_rows,)
        True labels; None and NaN for unlabelled rows, which are ignored.
    model : Model or fitted ClassWeightPlugin, default=None
        The rule to compare with the unadjusted black box; if None, the black box alone.
    metrics : str, metric or sequence of them, default="all"
        Metrics, as for :class:`ClassWeightPlugin`; ``"all"`` stands for those without parameters.
    classes : array-like of shape (n_classes,), default=None
        The labels of the columns; with a model, they are those of the model.
    sample_weight : array-like of shape (n_rows,), default=None
        Row weights.
    features : array-like of shape (n_rows, n_features), default=None
        Features, for a model of method ``"logistic"``.
    resamples : int, default=1000
        Bootstrap resamples for the intervals.
    scores, normalize
        As for :meth:`Model.apply`.
    random_state, n_jobs, verbose
        As for :class:`ClassWeightPlugin`.

    Returns
    -------
    Evaluation
        The numbers of ``cwplugin eval --json``.

    Examples
    --------
    >>> from cwplugin import Model, evaluate
    >>> P = [[0.9, 0.1], [0.7, 0.3], [0.6, 0.4], [0.2, 0.8]] * 25
    >>> y = ["ham", "spam", "spam", "spam"] * 25
    >>> found = evaluate(P, y, Model(["ham", "spam"], [1, 3]), metrics=["macro-f1", "accuracy"])
    >>> round(found.metrics["accuracy"].clean.value, 3), found.metrics["accuracy"].fitted.value
    (0.5, 1.0)
    """
    model = getattr(model, "model_", model)
    if isinstance(model, Model):
        known, core = model.classes, model._core
        rows = model._rows(X, features, scores, normalize).labelled(y, known, sample_weight)
    elif model is None:
        core = None
        rows, known = _rows.read(
            X,
            y,
            classes=classes,
            sample_weight=sample_weight,
            scores=scores or "probabilities",
            normalize=bool(normalize),
        )
    else:
        raise TypeError(f"model must be a Model or a fitted ClassWeightPlugin, got {type(model).__name__}")
    request = EvaluationRequest(
        metrics=_metrics.specs(metrics, known),
        resamples=int(resamples),
        seed=_request.seed(random_state),
        jobs=_request.jobs(n_jobs),
        verbose=bool(verbose),
    )
    outcomes = _core.Outcomes(rows.classes, core)
    outcomes.add(rows, request.jobs)
    return evaluation(outcomes, request, rows.label, known, model)


def evaluation(
    outcomes: _core.Outcomes, request: EvaluationRequest, label: str, classes: NDArray[Any], model: Model | None
) -> Evaluation:
    """Evaluate what was counted; warn if the model was fitted on the rows, or a constraint cannot be evaluated."""
    core = None if model is None else model._core
    found = Evaluation(json.loads(outcomes.evaluate(core, request, label)), classes)
    for message in found.warnings:
        warnings.warn(message, FitWarning, stacklevel=3)
    evaluated = {one.constraint for one in found.constraints}
    report = None if model is None else model.report
    for one in report.constraints if report is not None else ():
        if one.constraint not in evaluated:
            message = f"the model's constraint {one.constraint} is not evaluated: its metric cannot be found by name"
            warnings.warn(message, FitWarning, stacklevel=3)
    return found
