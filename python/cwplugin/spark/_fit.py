"""A fit whose rows stay on the executors."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

from numpy.typing import NDArray
from pyspark.sql import DataFrame, functions

from cwplugin import _core, _labels, _metrics, _wish
from cwplugin._errors import FitWarning, InputError
from cwplugin._model import Model
from cwplugin.spark import _columns, _passes

#: The methods that counters are enough for: which class stays fixed, and the points of α, if nobody says.
_METHODS = {"cwplugin": ("largest", 1000), "cwplugin:published": ("last", 100)}

#: An executor holds no more counters at a time: 256 MiB.
_MOST_COUNTERS = 1 << 25


def fit(
    df: DataFrame,
    *,
    label: str = "label",
    classes: Sequence[Any] | NDArray[Any] | None = None,
    metric: Any = "macro-f1",
    method: str = "cwplugin",
    bins: int = 1000,
    reference: Any = "largest",
    weight: str | None = None,
    probabilities: str | None = None,
    ties: str = "middle",
    absent: str = "keep",
    binary: bool = False,
    force: bool = False,
    scores: str = "probabilities",
    normalize: bool = False,
    on_bad_rows: str = "fail",
    score: bool = True,
) -> Model:
    """Learn one weight per class from the rows of a frame, which stay where they are.

    The frame is gone through twice, or once if ``score=False``; a frame that is dear to make is better cached, and one
    that is made anew by chance each time cannot be fitted.

    Parameters
    ----------
    df : DataFrame
        Labelled rows with the probabilities of the black box.
    label : str, default="label"
        The column of true labels; rows without one are counted as such.
    classes : sequence of shape (n_classes,), default=None
        Labels. Their columns are found by name, which may begin with ``p_``, ``prob_`` or ``proba_``; if None, all
        columns with such a beginning are classes.
    metric : str, Cost, callable or scorer, default="macro-f1"
        What is maximised, as for :class:`cwplugin.ClassWeightPlugin`.
    method : {"cwplugin", "cwplugin:published"}, default="cwplugin"
        Whose reference, bins, ties and absent classes are the default.
    bins : int, default=1000
        Points of α: the fit is that of ``search="grid:0.001"``.
    reference : label, "largest", "last" or "best", default="largest"
        The class that stays fixed.
    weight : str, default=None
        A column of row weights.
    probabilities : str, default=None
        The one column that holds all probabilities of a row, if it is one: arrays, in the order of ``classes``, or
        vectors of Spark's own library.
    ties, absent, force
        As for :class:`cwplugin.ClassWeightPlugin`.
    binary : bool, default=False
        Whether to look at few points of the grid, by binary search, for a metric with one peak.
    scores, normalize
        As for :class:`cwplugin.ClassWeightPlugin`.
    on_bad_rows : {"fail", "count"}, default="fail"
        Whether a bad row is refused, or left out and counted in a :class:`cwplugin.FitWarning`.
    score : bool, default=True
        Whether the metric before and after is found too, which takes another pass.

    Returns
    -------
    Model
        The same bytes as those of ``cwplugin fit --method cwplugin --search grid:0.001`` on the same rows.

    Raises
    ------
    InputError
        If a row is refused; it knows the partition, and the row within it.
    """
    found = _columns.find(
        df, label=label, weight=weight, classes=classes, probabilities=probabilities, scores=scores, normalize=normalize
    )
    wish = _wish.Wish(
        metric=_metrics.wish(metric, found.classes),
        method=method,
        reference=_wish.reference(reference),
        search=f"binary:{1 / _points(method, bins)}" if binary else None,
        ties=_wish.given(ties, "middle"),
        absent=_wish.given(absent, "keep"),
        force=force,
    )
    return learn(df, found, wish, bins=bins, on_bad_rows=on_bad_rows, score=score)


def learn(df: DataFrame, found: _columns.Found, wish: _wish.Wish, *, bins: int, on_bad_rows: str, score: bool) -> Model:
    """Learn from the columns that were found what is wished for."""
    points = _points(wish.method, bins)
    rows = _Rows(df, found, leaves_out=_columns.leaves_out(on_bad_rows))
    statistics = _statistics(rows, wish.reference or _METHODS[wish.method][0], points)
    warn_of_bad_rows(rows.n_bad, rows.reason, stacklevel=4)
    if not score and len(statistics) == 1:
        return Model._of(statistics[0].fit(wish), found.classes)
    models = [one.fit(wish) for one in statistics]
    outcomes = rows.count(functools.partial(_start_outcomes, found.reading.names, models))
    return Model._of(_core.fit_counted(statistics, outcomes, wish), found.classes)


def _points(method: str, bins: int) -> int:
    """Points of α; refuses methods that counters are not enough for."""
    if method not in _METHODS:
        raise InputError(
            f'method "{method}" is not for frames of Spark\n  hint: the methods are {_labels.quoted(list(_METHODS))}'
        )
    return _METHODS[method][1] if bins == 1000 else int(bins)


class _Rows:
    """The rows of a frame, which may be gone through several times."""

    def __init__(self, frame: DataFrame, found: _columns.Found, *, leaves_out: bool) -> None:
        self.frame = frame
        self.found = found
        self.projected = found.projected(frame)
        self.leaves_out = leaves_out
        self.n_bad = 0
        self.reason: str | None = None

    def count(self, start: _passes.Start) -> list[Any]:
        """One pass."""
        counted = _passes.count(self.frame, self.projected, self.found.reading, start, leaves_out=self.leaves_out)
        self.n_bad, self.reason = counted.n_bad, counted.reason
        return counted.counters

    def by_size(self) -> list[str]:
        """The classes that have labelled rows, the largest first, as far as Spark itself can tell."""
        reading = self.found.reading
        size = functions.count("*") if reading.weight is None else functions.sum("weight")
        labelled = self.projected.where(functions.col("label").isin(reading.labels))
        lines = labelled.groupBy("label").agg(size.alias("size")).collect()
        sizes = {line["label"]: line["size"] or 0 for line in lines}
        present = [
            (name, sizes[label]) for name, label in zip(reading.names, reading.labels, strict=True) if label in sizes
        ]
        return [name for name, _ in sorted(present, key=lambda one: -one[1])]


def warn_of_bad_rows(n_bad: int, reason: str | None, *, stacklevel: int) -> None:
    """Say how many rows were left out, and what is wrong with the first."""
    if n_bad > 0:
        message = f"{n_bad} bad row{'s were' if n_bad > 1 else ' was'} left out, the first because of this: {reason}"
        warnings.warn(message, FitWarning, stacklevel=stacklevel)


def _start_statistics(names: list[str], references: Sequence[str], bins: int) -> list[_core.Statistics]:
    return [_core.Statistics(names, f"class:{reference}", bins) for reference in references]


def _start_outcomes(names: list[str], models: Sequence[_core.Model]) -> list[_core.Outcomes]:
    return [_core.Outcomes(names, model) for model in models]


def _statistics(rows: _Rows, reference: str, bins: int) -> list[_core.Statistics]:
    """Statistics against every class that may stay fixed, in the order in which they are tried."""
    names = rows.found.reading.names
    # Spark counts the labels much faster than we do the cuts, but its sums of weights depend on the order.
    guessed = rows.by_size() if reference in ("largest", "best") else []
    first = guessed if reference == "best" else guessed[:1]
    if not first:
        first = [_core.Statistics(names, "last", bins).references(_or_last(reference))[0]]
    counted: dict[str, _core.Statistics] = {}
    missing = first
    while missing:
        for some in _groups(missing, len(names) * 2 * (bins + 1)):
            start = functools.partial(_start_statistics, names, some, bins)
            counted.update(zip(some, rows.count(start), strict=True))
        any_one = next(iter(counted.values()))
        tried = any_one.references(reference)
        missing = [name for name in tried if name not in counted]
    return [counted[name] for name in tried] or [any_one]


def _or_last(reference: str) -> str:
    return "last" if reference in ("largest", "best") else reference


def _groups(references: Sequence[str], counters: int) -> Iterator[Sequence[str]]:
    """So many references at a time that their counters fit into an executor."""
    several = max(_MOST_COUNTERS // counters, 1)
    for first in range(0, len(references), several):
        yield references[first : first + several]
