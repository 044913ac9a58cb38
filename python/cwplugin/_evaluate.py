"""Before and after on labelled rows, with intervals: what ``cwplugin eval`` prints."""

from __future__ import annotations

import html
import json
import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cwplugin import _core, _labels, _metrics, _rows, _wish
from cwplugin._errors import FitWarning, InputError
from cwplugin._model import Model
from cwplugin.report import Limit, page, table

if TYPE_CHECKING:
    import pandas as pd


@dataclass(slots=True)
class Asked:
    """What is asked for, as the Rust side takes it."""

    metrics: list[Any]
    resamples: int
    seed: int
    jobs: int | None
    verbose: bool


@dataclass(frozen=True)
class Interval:
    """A number with its 95 % bootstrap interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class MetricChange:
    """One metric before and after, and the difference on the same resamples; without a model there is no after."""

    clean: Interval
    fitted: Interval | None
    gain: Interval | None


@dataclass(frozen=True)
class Evaluation:
    """Every metric before and after, on labelled rows.

    Attributes
    ----------
    rows, unlabelled, changed : int
        Labelled rows, rows without a label, and predictions that the model changes.
    classes : ndarray of shape (n_classes,)
        Labels.
    metrics : dict of str to MetricChange
        By name.
    confusion : dict of str to ndarray of shape (n_classes, n_classes)
        ``"clean"`` and, with a model, ``"fitted"``: counts, truth by row.
    record : dict
        The document of ``cwplugin eval --json``.
    constraints : tuple of Limit
        What the model was to keep to, on these rows.
    """

    rows: int
    unlabelled: int
    changed: int
    classes: NDArray[Any]
    metrics: dict[str, MetricChange]
    confusion: dict[str, NDArray[np.float64]]
    record: dict[str, Any] = field(repr=False)
    constraints: tuple[Limit, ...] = ()

    def to_frame(self) -> pd.DataFrame:
        """The metrics as a table of pandas.

        Returns
        -------
        DataFrame
            One row per metric; columns ``metric``, ``clean``, ``clean_low``, ``clean_high`` and, with a model, the
            same of ``fitted`` and ``gain``.
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
        """Precision, recall and F1 of every class as a table of pandas.

        Returns
        -------
        DataFrame
            One row per class and side; columns ``class``, ``side``, ``support``, ``precision``, ``recall``, ``f1``.
        """
        import pandas as pd

        lines = [
            {"class": label, "side": side, "support": entry["support"], **entry[side]}
            for label, entry in zip(self.classes.tolist(), self.record["per_class"], strict=True)
            for side in self.confusion
        ]
        return pd.DataFrame(lines)

    def __str__(self) -> str:
        lines = [f"{self.rows} labelled rows, {self.changed} predictions changed"]
        for name, change in self.metrics.items():
            lines.append("  " + "  ".join((f"{name:<22}", *_cells(change))))
        lines += [f"  {limit.constraint}: {limit.value:.4f} on these rows" for limit in self.constraints]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """The evaluation as a notebook shows it."""
        columns = ["metric", "clean", "fitted", "gain"] if "fitted" in self.confusion else ["metric", "clean"]
        rows = [(name, *_cells(change)) for name, change in self.metrics.items()]
        head = html.escape(f"{self.rows} labelled rows, {self.changed} predictions changed")
        return page([f"<p>{head}</p>", table("before and after, with 95 % intervals", columns, rows)])


def _cells(change: MetricChange) -> list[str]:
    cells = [f"{change.clean.value:.4f} ({change.clean.low:.4f} … {change.clean.high:.4f})"]
    if change.fitted is not None and change.gain is not None:
        cells.append(f"{change.fitted.value:.4f} ({change.fitted.low:.4f} … {change.fitted.high:.4f})")
        cells.append(f"{change.gain.value:+.4f} ({change.gain.low:+.4f} … {change.gain.high:+.4f})")
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
    scores: str = "probabilities",
    normalize: bool = False,
    verbose: int = 0,
) -> Evaluation:
    """Every metric before and after, on labelled rows, with 95 % bootstrap intervals.

    Parameters
    ----------
    X : array-like or table of shape (n_rows, n_classes)
        Probabilities of the black box.
    y : array-like of shape (n_rows,)
        True labels; None and NaN for rows without one, which are not counted.
    model : Model or fitted ClassWeightPlugin, default=None
        What is compared with the black box; without it, the black box alone.
    metrics : str, metric or sequence of them, default="all"
        Names, functions or scorers, as for :class:`ClassWeightPlugin`; ``"all"`` are those without parameters.
    classes : array-like of shape (n_classes,), default=None
        The labels that the columns stand for; those of the model if there is one.
    sample_weight : array-like of shape (n_rows,), default=None
        Row weights.
    features : array-like of shape (n_rows, n_features), default=None
        What a model of method ``"logistic"`` looks at.
    resamples : int, default=1000
        How often the rows are drawn anew for the intervals.
    random_state, n_jobs, scores, normalize, verbose
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
        rows = labelled(model, X, y, sample_weight, features, scores, normalize)
    elif model is None:
        core = None
        labels = _labels.factors(_labels.as_array(y))
        columns = _rows.column_names(X)
        table_ = _rows.matrix(X)
        known = _rows.classes_of(X, _rows.shape(table_)[1], labels, columns) if classes is None else np.asarray(classes)
        names = [_labels.name_of(_labels.item(label)) for label in known]
        _rows.refuse_other_order(columns, names)
        rows = _rows.Rows(table_, names, columns=columns or [], scores=scores, normalize=normalize)
        _label(rows, y, known, sample_weight)
    else:
        raise TypeError(f"model is a Model or a fitted ClassWeightPlugin, not {type(model).__name__}")
    asked = Asked(chosen(metrics, known), int(resamples), _wish.seed(random_state), _wish.jobs(n_jobs), bool(verbose))
    return evaluation(_core.evaluate(rows, core, asked), known, model)


def labelled(
    model: Model, X: Any, y: Any, sample_weight: Any, features: Any, scores: str, normalize: bool
) -> _rows.Rows:
    """Rows as a model takes them, with labels."""
    rows = model._rows(X, features, scores, normalize)
    _label(rows, y, model.classes, sample_weight)
    return rows


def _label(rows: _rows.Rows, y: Any, classes: _labels.Classes, sample_weight: Any) -> None:
    column = str(getattr(y, "name", None) or "label")
    rows.labels = _labels.number(_labels.factors(_labels.as_array(y)), classes, column)
    rows.label = column
    rows.weights = _rows.row_weights(sample_weight)


def chosen(metrics: Any, classes: _labels.Classes) -> list[Any]:
    """The metrics that are meant: ``all``, one, or several."""
    if isinstance(metrics, str) or callable(metrics) or isinstance(metrics, _metrics.Cost | _metrics.LinearFractional):
        metrics = [metrics]
    wished: list[Any] = []
    for metric in metrics:
        if isinstance(metric, str) and metric == "all":
            wished += [name for name in _metrics.metric_names() if ":" not in name]
        else:
            wished.append(_metrics.wish(metric, classes))
    distinct = list(dict.fromkeys(wished))
    names = [one if isinstance(one, str) else getattr(one, "name", "cost") for one in distinct]
    twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if twice is not None:
        raise InputError(
            f"two metrics are called {twice}\n"
            "  hint: give functions names of their own, with def, and costs too: Cost(…, name=…)"
        )
    return distinct


def evaluation(text: str, classes: NDArray[Any], model: Model | None) -> Evaluation:
    """What the document of an evaluation says; warns of limits of the model that nobody has looked at."""
    found = _read(json.loads(text), classes)
    looked_at = {limit.constraint for limit in found.constraints}
    report = None if model is None else model.report
    for limit in report.constraints if report is not None else ():
        if limit.constraint not in looked_at:
            message = f"the model's constraint {limit.constraint} is not looked at: its metric has no name here"
            warnings.warn(message, FitWarning, stacklevel=3)
    return found


def _read(record: dict[str, Any], classes: NDArray[Any]) -> Evaluation:
    changes = {}
    for name, entry in record["metrics"].items():
        clean = Interval(entry["clean"], *entry["clean_interval"])
        fitted = gain = None
        if entry["fitted"] is not None:
            fitted = Interval(entry["fitted"], entry["low"], entry["high"])
            gain = Interval(entry["gain"], *entry["gain_interval"])
        changes[name] = MetricChange(clean, fitted, gain)
    return Evaluation(
        rows=record["rows"],
        unlabelled=record["unlabelled"],
        changed=record["changed"],
        classes=classes,
        metrics=changes,
        confusion={side: np.array(counts) for side, counts in record["confusion"].items()},
        record=record,
        constraints=tuple(
            Limit(limit["constraint"], limit["value"], limit["margin"], limit["probability"])
            for limit in record.get("constraints") or ()
        ),
    )
