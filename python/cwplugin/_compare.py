"""Methods side by side, on samples of several sizes: the numbers of ``cwplugin compare``."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from cwplugin import _core, _labels, _metrics, _request, _rows
from cwplugin._errors import InputError

if TYPE_CHECKING:
    import pandas as pd

#: The metrics of the paper.
METRICS = ("accuracy", "macro-f1", "macro-g-mean", "mcc", "macro-fowlkes-mallows")


@dataclass(slots=True)
class ComparisonRequest:
    """A comparison, as the Rust side takes it."""

    methods: list[str]
    metrics: list[Any]
    sizes: list[int]
    repeats: int
    test_share: float
    unlabelled: int
    noise: list[tuple[int, float]]
    noise_in: str
    options: dict[str, str]
    seed: int
    jobs: int | None
    verbose: bool


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
    noise_in: str = "sample",
    classes: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    features: ArrayLike | None = None,
    source_priors: Any = None,
    select: str | None = None,
    random_state: Any = None,
    n_jobs: int | None = None,
    scores: str = "probabilities",
    normalize: bool = False,
    verbose: int = 0,
) -> pd.DataFrame:
    """Fit methods on samples of several sizes, and score them on held-out rows.

    Parameters
    ----------
    X : array-like or table of shape (n_rows, n_classes)
        Probabilities of the black box.
    y : array-like of shape (n_rows,)
        True labels; None and NaN for unlabelled rows, which some methods use.
    methods : sequence of str, default=None
        Names; all that need no features if None.
    metrics : metric or sequence of metrics, default=the five of the paper
        Metrics to maximise and to score.
    sizes : sequence of int, default=()
        Rows of each sample; if empty, 50, 100, 160, 250 and 400 as far as there are rows.
    repeats : int, default=5
        Samples of each size.
    test : (X, y), default=None
        Rows to score on; if None, a random share of the rows is held out.
    test_share : float, default=0.2
        That share.
    unlabelled : int, default=500
        Other rows to add to each sample without their labels, for methods that use unlabelled rows.
    noise : mapping of label to float, default=None
        The share of the labels of a class that is replaced by wrong ones.
    noise_in : {"sample", "everywhere"}, default="sample"
        Where ``noise`` replaces labels: in every sample, or everywhere, once in all rows including the test rows.
    classes, sample_weight, features, source_priors, select, random_state, n_jobs, scores, normalize, verbose
        As for :class:`ClassWeightPlugin`.

    Returns
    -------
    DataFrame
        One row per method, metric and size: ``method``, ``metric``, ``size``, ``mean``, ``sd`` (between samples),
        ``test_error`` (standard error of the difference to ``clean`` due to the test rows), ``runs``, ``failed`` and
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

    rows, known = _rows.read(X, y, classes=classes, sample_weight=sample_weight, scores=scores, normalize=normalize)
    if methods is None:
        methods = [name for name in _metrics.method_names() if name != "logistic" or features is not None]
    if "logistic" in methods and features is None:
        raise InputError("method logistic needs features\n  hint: pass features=…, or leave the method out")
    request = ComparisonRequest(
        methods=list(methods),
        metrics=_metrics.specs(metrics, known),
        sizes=[int(size) for size in sizes],
        repeats=int(repeats),
        test_share=float(test_share),
        unlabelled=int(unlabelled),
        noise=[(_index(label, known), float(share)) for label, share in (noise or {}).items()],
        noise_in=noise_in,
        options=_request.options({"select": select, "source_priors": source_priors}, known),
        seed=_request.seed(random_state),
        jobs=_request.jobs(n_jobs),
        verbose=bool(verbose),
    )
    held_out = None
    if test is not None:
        held_out = _rows.read_by_name(test[0], rows.classes, scores=scores, normalize=normalize)
        held_out.labelled(test[1], known)
    cells = json.loads(_core.compare(rows.with_features(features), held_out, request))
    names = ["method", "metric", "size", "mean", "sd", "test_error", "runs", "failed", "scores"]
    return pd.DataFrame([{name: cell[name] for name in names} for cell in cells], columns=names)


def _index(label: Any, classes: _labels.Classes) -> int:
    known = [_labels.item(one) for one in classes]
    if _labels.item(label) not in known:
        raise InputError(f'noise: unknown class "{label}"\n  hint: the classes are {_labels.quoted(known)}')
    return known.index(_labels.item(label))
