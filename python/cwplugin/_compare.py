"""Methods side by side, on samples of several sizes: what ``cwplugin compare`` prints."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cwplugin import _core, _labels, _metrics, _rows, _wish
from cwplugin._errors import InputError
from cwplugin._evaluate import chosen

if TYPE_CHECKING:
    import pandas as pd

#: The metrics of the paper.
METRICS = ("accuracy", "macro-f1", "macro-g-mean", "mcc", "macro-fowlkes-mallows")


@dataclass(slots=True)
class Protocol:
    """What is compared, and how, as the Rust side takes it."""

    methods: list[str]
    metrics: list[Any]
    sizes: list[int] = field(default_factory=list)
    repeats: int = 5
    test_share: float = 0.2
    unlabelled: int = 500
    noise: list[tuple[int, float]] = field(default_factory=list)
    select: str = "in-sample"
    source_priors: list[float] | None = None
    seed: int = 0
    jobs: int | None = None
    verbose: bool = False


def compare(
    X: Any,
    y: Any,
    *,
    methods: Sequence[str] | None = None,
    metrics: Any = METRICS,
    sizes: Sequence[int] = (),
    repeats: int = 5,
    test: tuple[Any, Any] | None = None,
    test_share: float = 0.2,
    unlabelled: int = 500,
    noise: Mapping[Any, float] | None = None,
    classes: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    features: ArrayLike | None = None,
    source_priors: Any = None,
    select: str = "in-sample",
    random_state: Any = None,
    n_jobs: int | None = None,
    scores: str = "probabilities",
    normalize: bool = False,
    verbose: int = 0,
) -> pd.DataFrame:
    """Fit methods on samples of several sizes, and score them on rows held out.

    Parameters
    ----------
    X : array-like or table of shape (n_rows, n_classes)
        Probabilities of the black box.
    y : array-like of shape (n_rows,)
        True labels; rows without one are for methods that use such rows.
    methods : sequence of str, default=None
        Names; all that need no features if None.
    metrics : metric or sequence of metrics, default=the five of the paper
        What the methods are fitted for and scored with.
    sizes : sequence of int, default=()
        Rows of each sample; 50, 100, 160, 250 and 400 if empty, as far as there are rows.
    repeats : int, default=5
        Samples of each size.
    test : (X, y), default=None
        Rows to score on; a share of the rows if None.
    test_share : float, default=0.2
        That share.
    unlabelled : int, default=500
        Other rows beside each sample, without their labels, for methods that use such rows.
    noise : mapping of label to float, default=None
        The share of the labels of a class that is spoiled in the samples.
    classes, sample_weight, features, source_priors, select, random_state, n_jobs, scores, normalize, verbose
        As for :class:`ClassWeightPlugin`.

    Returns
    -------
    DataFrame
        One row per method, metric and size: ``method``, ``metric``, ``size``, ``mean``, ``sd`` (between samples),
        ``test_error`` (of the difference to ``clean``, as far as it comes from the test rows), ``runs``, ``failed`` and
        ``scores``.

    Examples
    --------
    >>> from cwplugin import compare
    >>> P = [[0.9, 0.1], [0.7, 0.3], [0.6, 0.4], [0.2, 0.8]] * 50
    >>> y = ["ham", "spam", "spam", "spam"] * 50
    >>> found = compare(P, y, methods=["clean", "cwplugin"], metrics="accuracy", sizes=[50])
    >>> found[["method", "size", "runs"]].values.tolist()
    [['clean', 50, 5], ['cwplugin', 50, 5]]
    """
    try:
        import pandas as pd
    except ImportError:
        raise ImportError("compare returns a table of pandas: pip install pandas") from None

    labels = _labels.factors(_labels.as_array(y))
    columns = _rows.column_names(X)
    table = _rows.matrix(X)
    known = _rows.classes_of(X, _rows.shape(table)[1], labels, columns) if classes is None else np.asarray(classes)
    if methods is None:
        methods = [name for name in _metrics.method_names() if name != "logistic" or features is not None]
    if "logistic" in methods and features is None:
        raise InputError("method logistic learns from features\n  hint: pass features=…, or leave the method out")
    names_of_classes = [_labels.name_of(_labels.item(label)) for label in known]
    _rows.refuse_other_order(columns, names_of_classes)
    places = {_labels.item(label): place for place, label in enumerate(known)}
    spoiled = [(_place(places, label), float(share)) for label, share in (noise or {}).items()]
    protocol = Protocol(
        methods=list(methods),
        metrics=chosen(metrics, known),
        sizes=[int(size) for size in sizes],
        repeats=int(repeats),
        test_share=float(test_share),
        unlabelled=int(unlabelled),
        noise=spoiled,
        select=select,
        source_priors=_wish.priors(source_priors, known),
        seed=_wish.seed(random_state),
        jobs=_wish.jobs(n_jobs),
        verbose=bool(verbose),
    )

    def rows(table: Any, labels: NDArray[Any] | _labels.Factors, weights: Any, features: Any) -> _rows.Rows:
        return _rows.Rows(
            table,
            names_of_classes,
            labels=_labels.number(labels, known),
            weights=_rows.row_weights(weights),
            features=None if features is None else _rows.matrix(features, "features").astype(np.float64),
            columns=columns or [],
            scores=scores,
            normalize=normalize,
        )

    held_out = None
    if test is not None:
        chosen_columns, _ = _rows.in_order(test[0], names_of_classes, is_named=False)
        held_out = rows(_rows.matrix(chosen_columns), _labels.as_array(test[1]), None, None)
    text = _core.compare(rows(table, labels, sample_weight, features), held_out, protocol)
    cells = json.loads(text)
    names = ["method", "metric", "size", "mean", "sd", "test_error", "runs", "failed", "scores"]
    return pd.DataFrame([{name: cell[name] for name in names} for cell in cells], columns=names)


def _place(places: dict[Any, int], label: Any) -> int:
    if _labels.item(label) not in places:
        raise InputError(f'noise: "{label}" is no class\n  hint: the classes are {_labels.quoted(list(places))}')
    return places[_labels.item(label)]
