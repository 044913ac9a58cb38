"""A fit whose rows stay on the executors."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from numpy.typing import NDArray
from pyspark.sql import DataFrame

from cwplugin import _core, _labels, _metrics, _request
from cwplugin._errors import InputError
from cwplugin._model import Model
from cwplugin.spark import _columns, _iterative
from cwplugin.spark._frame import Rows, warn_of_bad_rows

#: Algorithm 1, with the default number of points of α.
_BINS = {"cwplugin": 1000, "cwplugin:published": 100}
#: Methods with several passes over the rows.
_ITERATIVE = {"ascent": _iterative.ascent, "expected": _iterative.expected}

#: Most counters on an executor at a time: 256 MiB.
_MOST_COUNTERS = 1 << 25


def fit(
    df: DataFrame,
    *,
    label: str = "label",
    classes: Sequence[Any] | NDArray[Any] | None = None,
    metric: Any = "macro-f1",
    method: str = "cwplugin",
    bins: int | None = None,
    reference: Any = None,
    weight: str | None = None,
    probabilities: str | None = None,
    ties: str | None = None,
    absent: str | None = None,
    binary: bool = False,
    force: bool = False,
    scores: str = "probabilities",
    normalize: bool = False,
    on_bad_rows: str = "fail",
    score: bool = True,
    random_state: Any = None,
) -> Model:
    """Fit a model on the rows of a frame; the executors send counters, not rows.

    Algorithm 1 reads the frame twice, or once if ``score=False``; ``ascent`` and ``expected`` about ten times. Cache a
    frame that is expensive to compute. A frame that is random at each reading cannot be fitted.

    Parameters
    ----------
    df : DataFrame
        Labelled rows with the probabilities of the black box.
    label : str, default="label"
        The column of true labels; null for unlabelled rows.
    classes : sequence of shape (n_classes,), default=None
        Labels. Their columns are found by name, optionally with the prefix ``p_``, ``prob_`` or ``proba_``; if None,
        all columns with such a prefix are classes.
    metric : str, Cost, callable or scorer, default="macro-f1"
        Metric to maximise, as for :class:`cwplugin.ClassWeightPlugin`.
    method : {"cwplugin", "cwplugin:published", "ascent", "expected"}, default="cwplugin"
        Algorithm 1 on a grid; coordinate ascent on the whole metric; or coordinate ascent after a calibration map that
        one executor fits on a random sample of some thousand rows.
    bins : int, default=None
        Points of α; 1000 if None, or 100 for ``"cwplugin:published"``. The fit is that of ``search="grid:0.001"``.
    reference : label, "largest", "last" or "best", default=None
        The class whose weight stays fixed; the method's default if None.
    weight : str, default=None
        A column of row weights.
    probabilities : str, default=None
        A column with all probabilities of a row: arrays, in the order of ``classes``, or vectors of Spark ML.
    ties, absent, force
        As for :class:`cwplugin.ClassWeightPlugin`.
    binary : bool, default=False
        Whether to evaluate few points of the grid, by binary search; for metrics with one peak.
    scores, normalize
        As for :class:`cwplugin.ClassWeightPlugin`.
    on_bad_rows : {"fail", "count"}, default="fail"
        Whether a bad row raises an error, or is skipped and counted in a :class:`cwplugin.FitWarning`.
    score : bool, default=True
        Whether to compute the metric before and after, which takes another pass.
    random_state : int, generator or None, default=None
        Seed of the random samples of ``expected``.

    Returns
    -------
    Model
        For Algorithm 1, the same bytes as of ``cwplugin fit --method cwplugin --search grid:0.001`` on the same rows.
        The weights of ``ascent`` do not depend on the partitions; they differ from the program's by the width of the
        counters' bins.

    Raises
    ------
    InputError
        If a row is wrong; it has the partition, and the row within it.
    """
    settings = {"reference": reference, "ties": ties, "absent": absent, "force": force}
    _check(method)
    found = _columns.find(
        df, label=label, weight=weight, classes=classes, probabilities=probabilities, scores=scores, normalize=normalize
    )
    request = requested(found.classes, metric, method, settings, bins=bins, binary=binary)
    request.seed = _request.seed(random_state)
    return fit_columns(df, found, request, bins=bins, on_bad_rows=on_bad_rows, score=score)


def requested(
    classes: NDArray[Any],
    metric: Any,
    method: str,
    settings: Mapping[str, Any],
    *,
    bins: int | None = None,
    binary: bool = False,
) -> _request.FitRequest:
    """The request; raises an error for methods and options that are not supported."""
    _check(method)
    if method in _ITERATIVE and (bins is not None or binary):
        name = "binary" if binary else "bins"
        raise InputError(
            f'{name} is not supported by method="{method}"\n  hint: leave it out, or use method="cwplugin"'
        )
    search = None
    # The published method has a grid of its own; the other one would search all cuts.
    if method == "cwplugin" or (method in _BINS and (bins is not None or binary)):
        search = _request.grid(bins or _BINS[method], binary=binary)
    options = _request.options({**settings, "search": search}, classes)
    _core.check_options(method, options)
    return _request.FitRequest(_metrics.spec(metric, classes), method, options)


def fit_columns(
    df: DataFrame,
    found: _columns.Found,
    request: _request.FitRequest,
    *,
    bins: int | None,
    on_bad_rows: str,
    score: bool,
) -> Model:
    """Fit a model on these columns."""
    rows = Rows(df, found, skips_bad=_columns.skips_bad(on_bad_rows))
    if request.method in _ITERATIVE:
        model = _ITERATIVE[request.method](rows, request, is_scored=score)
    else:
        model = _algorithm_1(rows, request, int(bins or _BINS[request.method]), is_scored=score)
    warn_of_bad_rows(rows.n_bad, rows.reason, stacklevel=4)
    return Model._of(model, found.classes)


def _check(method: str) -> None:
    """Refuse methods that need the rows themselves."""
    known = [*_BINS, *_ITERATIVE]
    if method not in known:
        raise InputError(
            f'method "{method}" is not supported on Spark\n  hint: the methods are {_labels.quoted(known)}; for '
            "others, collect a few hundred labelled rows and use cwplugin.ClassWeightPlugin"
        )


def _algorithm_1(rows: Rows, request: _request.FitRequest, points: int, *, is_scored: bool) -> _core.Model:
    """Algorithm 1: one pass counts the cuts of all pairs."""
    reference = request.options.get("reference") or _request.methods()[request.method]["reference"]
    statistics = _statistics(rows, reference, points)
    if not is_scored and len(statistics) == 1:
        return statistics[0].fit(request)
    outcomes = rows.outcomes([one.fit(request) for one in statistics])
    return _core.fit_counted(statistics, outcomes, request)


def _start_statistics(names: list[str], references: Sequence[str], bins: int) -> list[_core.Statistics]:
    return [_core.Statistics(names, f"class:{reference}", bins) for reference in references]


def _statistics(rows: Rows, reference: str, bins: int) -> list[_core.Statistics]:
    """Statistics against every class that may be the reference, in the order in which they are tried."""
    names = rows.names
    depends_on_rows = reference in ("largest", "best")
    # Spark counts labels much faster than cuts can be counted, but its sums of weights depend on the order: a guess.
    guessed = rows.by_size() if depends_on_rows else []
    missing = guessed if reference == "best" else guessed[:1]
    if not missing:
        word = "last" if depends_on_rows else reference
        missing = [_core.Statistics(names, "last", bins).references(word)[0]]
    counted: dict[str, _core.Statistics] = {}
    while missing:
        for some in _groups(missing, len(names) * 2 * (bins + 1)):
            start = functools.partial(_start_statistics, names, some, bins)
            counted.update(zip(some, rows.count(start), strict=True))
        any_one = next(iter(counted.values()))
        tried = any_one.references(reference)
        missing = [name for name in tried if name not in counted]
    return [counted[name] for name in tried] or [any_one]


def _groups(references: Sequence[str], counters: int) -> Iterator[Sequence[str]]:
    """Groups of references whose counters fit into the memory of an executor."""
    several = max(_MOST_COUNTERS // counters, 1)
    for first in range(0, len(references), several):
        yield references[first : first + several]
