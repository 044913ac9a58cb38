"""A fit whose rows stay on the executors."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import Any

from numpy.typing import NDArray
from pyspark.sql import DataFrame

from cwplugin import _core, _labels, _metrics, _wish
from cwplugin._errors import InputError
from cwplugin._model import Model
from cwplugin.spark import _climb, _columns
from cwplugin.spark._frame import Rows, warn_of_bad_rows

#: Algorithm 1: which class stays fixed, and the points of α, if nobody says.
_PLUGINS = {"cwplugin": ("largest", 1000), "cwplugin:published": ("last", 100)}
#: Methods that go over the rows several times.
_CLIMBS = {"ascent": _climb.ascent, "expected": _climb.expected}

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
    random_state: Any = None,
) -> Model:
    """Learn one weight per class from the rows of a frame, which stay where they are.

    Algorithm 1 goes through the frame twice, or once if ``score=False``; ``ascent`` and ``expected`` about ten times. A
    frame that is dear to make is better cached, and one that is made anew by chance each time cannot be fitted.

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
    method : {"cwplugin", "cwplugin:published", "ascent", "expected"}, default="cwplugin"
        Algorithm 1 on a grid; coordinate ascent on the whole metric; or the latter behind a map of the probabilities,
        which one executor learns from some thousand rows drawn at random.
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
    random_state : int, generator or None, default=None
        Seed of the draws of ``expected``.

    Returns
    -------
    Model
        Of Algorithm 1, the same bytes as those of ``cwplugin fit --method cwplugin --search grid:0.001`` on the same
        rows. The weights of ``ascent`` do not depend on the partitions either, and score as well as the program's, but
        for what lies between two neighbouring boundaries of its counters.

    Raises
    ------
    InputError
        If a row is refused; it knows the partition, and the row within it.
    """
    _refuse(method, bins, reference=reference, ties=ties, absent=absent, force=force, search="binary" * binary)
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
        seed=_wish.seed(random_state),
    )
    return learn(df, found, wish, bins=bins, on_bad_rows=on_bad_rows, score=score)


def learn(df: DataFrame, found: _columns.Found, wish: _wish.Wish, *, bins: int, on_bad_rows: str, score: bool) -> Model:
    """Learn from the columns that were found what is wished for."""
    _refuse(wish.method, bins)
    rows = Rows(df, found, leaves_out=_columns.leaves_out(on_bad_rows))
    if wish.method in _CLIMBS:
        model = _CLIMBS[wish.method](rows, wish, is_scored=score)
    else:
        model = _plugin(rows, wish, _points(wish.method, bins), is_scored=score)
    warn_of_bad_rows(rows.n_bad, rows.reason, stacklevel=4)
    return Model._of(model, found.classes)


def _refuse(method: str, bins: int, **settings: Any) -> None:
    """Refuse methods that counters are not enough for, and settings that mean nothing to the method."""
    known = [*_PLUGINS, *_CLIMBS]
    if method not in known:
        raise InputError(
            f'method "{method}" is not for frames of Spark\n  hint: the methods are {_labels.quoted(known)}; others '
            "learn from a few hundred rows, which fit into memory: ClassWeightPlugin of cwplugin itself"
        )
    _wish.refuse_idle(method, {name: value for name, value in settings.items() if value != ""})
    if method in _CLIMBS and bins != 1000:
        raise InputError(f"bins means nothing to method={method!r}\n  hint: leave it out, or use method='cwplugin'")


def _points(method: str, bins: int) -> int:
    return _PLUGINS[method][1] if bins == 1000 else int(bins)


def _plugin(rows: Rows, wish: _wish.Wish, points: int, *, is_scored: bool) -> _core.Model:
    """Algorithm 1: counters of the cuts of all pairs in one pass."""
    statistics = _statistics(rows, wish.reference or _PLUGINS[wish.method][0], points)
    if not is_scored and len(statistics) == 1:
        return statistics[0].fit(wish)
    outcomes = rows.outcomes([one.fit(wish) for one in statistics])
    return _core.fit_counted(statistics, outcomes, wish)


def _start_statistics(names: list[str], references: Sequence[str], bins: int) -> list[_core.Statistics]:
    return [_core.Statistics(names, f"class:{reference}", bins) for reference in references]


def _statistics(rows: Rows, reference: str, bins: int) -> list[_core.Statistics]:
    """Statistics against every class that may stay fixed, in the order in which they are tried."""
    names = rows.names
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
