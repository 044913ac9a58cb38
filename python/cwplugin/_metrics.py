"""Metrics: a name, costs, a ratio, a function of the confusion matrix, or a scorer of scikit-learn."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cwplugin import _core
from cwplugin._errors import InputError
from cwplugin._labels import Classes, refuse_masked


class Cost:
    """The cost of predictions as a metric: minus the mean cost.

    Parameters
    ----------
    costs : array-like of shape (n_classes, n_classes)
        ``costs[truth][predicted]``, in the order of the classes. Negative costs are gains.
    name : str, default="cost"
        Name in reports.

    Examples
    --------
    >>> from cwplugin import ClassWeightPlugin, Cost
    >>> P, y = [[0.9, 0.1], [0.8, 0.2], [0.6, 0.4]] * 10, [0, 1, 0] * 10
    >>> miss_is_worse = Cost([[0, 1], [9, 0]])
    >>> ClassWeightPlugin(metric=miss_is_worse, method="ascent").fit(P, y).scores_.fitted > -1
    True
    """

    def __init__(self, costs: ArrayLike, name: str = "cost") -> None:
        self.name = name
        refuse_masked(costs, "costs")
        self.costs: NDArray[np.float64] = np.array(costs, dtype=np.float64)
        if self.costs.ndim != 2 or self.costs.shape[0] != self.costs.shape[1]:
            raise InputError("costs must be a square matrix: one row and one column per class")

    def __repr__(self) -> str:
        return f"Cost({self.costs.tolist()})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cost) and self.name == other.name and np.array_equal(self.costs, other.costs)

    def __hash__(self) -> int:
        return hash((self.name, self.costs.tobytes()))


@dataclass(frozen=True, slots=True)
class LinearFractional:
    """A ratio of two linear functions of the correct predictions as a metric: ``(a·x + b) / (c·x + d)``.

    ``x[k]`` is the share of rows that belong to class ``k`` and are predicted as ``k``.

    Parameters
    ----------
    a, c : sequence of float of shape (n_classes,)
        Coefficients of numerator and denominator.
    b, d : float
        Constants of numerator and denominator.
    name : str, default="linear-fractional"
        Name in reports.

    Examples
    --------
    >>> from cwplugin import ClassWeightPlugin, LinearFractional
    >>> jaccard = LinearFractional(a=[1, 1], b=0, c=[-1, -1], d=2)
    >>> P, y = [[0.9, 0.1], [0.8, 0.2], [0.6, 0.4]] * 10, [0, 1, 1] * 10
    >>> ClassWeightPlugin(metric=jaccard, method="cwplugin").fit(P, y).scores_
    Record(clean=0.2, fitted=1.0)
    """

    a: Sequence[float]
    b: float
    c: Sequence[float]
    d: float
    name: str = "linear-fractional"


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the confusion matrix with a name, as the Rust side takes it."""

    name: str
    function: Callable[[NDArray[np.float64]], float]


def metric_names() -> list[str]:
    """Every metric by name, with parameters in capitals.

    Returns
    -------
    list of str
        Values of ``metric=``.

    Examples
    --------
    >>> import cwplugin
    >>> "macro-f1" in cwplugin.metric_names()
    True
    """
    return _core.metric_names()


def method_names() -> list[str]:
    """Every method by name, the default first.

    Returns
    -------
    list of str
        Values of ``method=``.

    Examples
    --------
    >>> import cwplugin
    >>> cwplugin.method_names()[:2]
    ['auto', 'cwplugin']
    """
    return [name for name, _summary, _options in _core.methods()]


def spec(metric: Any, classes: Classes) -> str | Cost | LinearFractional | Function:
    """The metric as the Rust side takes it; ``classes`` are the labels that a scorer gets."""
    if isinstance(metric, Cost | LinearFractional | Function):
        return metric
    if isinstance(metric, str):
        return spec(scorer_by_name(metric), classes) if _is_scorer_name(metric) else metric
    if is_scorer(metric):
        return equivalent(metric) or Function(
            f"scorer:{scorer_name(metric)}", ScorerOfCounts(metric, np.asarray(classes))
        )
    if callable(metric):
        return Function(f"python:{getattr(metric, '__name__', type(metric).__name__)}", metric)
    raise TypeError(
        f"metric must be a name, a Cost, a LinearFractional, a function of the confusion matrix or a scorer, "
        f"got {type(metric).__name__}"
    )


def specs(metrics: Any, classes: Classes) -> list[Any]:
    """One or several metrics in the form that Rust expects; ``"all"`` means those without parameters."""
    if isinstance(metrics, str | Cost | LinearFractional) or callable(metrics):
        metrics = [metrics]
    found: list[Any] = []
    for metric in metrics:
        if isinstance(metric, str) and metric == "all":
            found += [name for name in metric_names() if ":" not in name]
        else:
            found.append(spec(metric, classes))
    found = list(dict.fromkeys(found))
    names = [name_of(one) for one in found]
    twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if twice is not None:
        raise InputError(
            f"two metrics are named {twice}\n  hint: name functions with def, and costs with Cost(…, name=…)"
        )
    return found


def name_of(metric: str | Cost | LinearFractional | Function) -> str:
    """The name of a metric in reports."""
    return metric if isinstance(metric, str) else metric.name


@functools.cache
def _heads() -> frozenset[str]:
    return frozenset(name.split(":")[0] for name in metric_names())


def _is_scorer_name(name: str) -> bool:
    """Whether a name is one of scikit-learn's, e.g. f1_macro, and not one of the library's."""
    if name.split(":")[0] in _heads():
        return False
    if not name.replace("_", "").isalnum():
        return False
    from sklearn.metrics import get_scorer_names

    return name in get_scorer_names()


def scorer_by_name(name: str) -> Any:
    """scikit-learn's scorer of that name."""
    from sklearn.metrics import get_scorer

    return get_scorer(name)


#: The library's metrics for functions of scikit-learn: the same numbers, many times faster.
_EQUIVALENTS = {
    ("accuracy_score", None): "accuracy",
    ("balanced_accuracy_score", None): "balanced-accuracy",
    ("matthews_corrcoef", None): "mcc",
    ("cohen_kappa_score", None): "cohen-kappa",
    ("f1_score", "macro"): "macro-f1",
    ("f1_score", "weighted"): "weighted-f1",
    ("precision_score", "macro"): "macro-precision",
    ("recall_score", "macro"): "macro-recall",
    ("jaccard_score", "macro"): "macro-jaccard",
}


def equivalent(scorer: Any) -> str | None:
    """The library's metric that equals a scorer of scikit-learn, if there is one."""
    function, parameters = scorer._score_func, dict(scorer._kwargs)
    average = parameters.pop("average", None)
    parameters.pop("pos_label", None)  # without effect on a mean over classes
    is_theirs = getattr(function, "__module__", "").startswith("sklearn.metrics") and scorer._sign == 1
    return _EQUIVALENTS.get((function.__name__, average)) if is_theirs and not parameters else None


def is_scorer(metric: Any) -> bool:
    """Whether this is a result of ``make_scorer``."""
    return hasattr(metric, "_score_func") and hasattr(metric, "_sign")


def scorer_name(scorer: Any) -> str:
    """The name of a scorer's function, with its parameters."""
    parameters = ", ".join(f"{name}={value}" for name, value in sorted(scorer._kwargs.items()))
    return f"{scorer._score_func.__name__}({parameters})" if parameters else scorer._score_func.__name__


class _Echo:
    """A classifier whose predictions are its input."""

    _estimator_type = "classifier"

    def __init__(self, classes: NDArray[Any]) -> None:
        self.classes_ = classes

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, InputTags, Tags, TargetTags

        tags = Tags(estimator_type="classifier", target_tags=TargetTags(required=True), input_tags=InputTags())
        tags.classifier_tags = ClassifierTags()
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def fit(self, X: Any, y: Any) -> _Echo:
        return self

    def predict(self, X: NDArray[Any]) -> NDArray[Any]:
        return np.asarray(X)[:, 0]


class ScorerOfCounts:
    """A scorer of scikit-learn as a function of the confusion matrix: one row per cell, weighted by its count."""

    def __init__(self, scorer: Any, classes: NDArray[Any]) -> None:
        self.scorer = scorer
        self.classes = classes
        self.echo = _Echo(classes)
        self.takes_weights = True

    def __call__(self, confusion: NDArray[np.float64]) -> float:
        """The score of a matrix."""
        truth, predicted = np.nonzero(confusion)
        counts = confusion[truth, predicted]
        y, X = self.classes[truth], self.classes[predicted][:, None]
        if self.takes_weights:
            try:
                return float(self.scorer(self.echo, X, y, sample_weight=counts))
            except TypeError as error:
                if "sample_weight" not in str(error):
                    raise
                self.takes_weights = False
            except AttributeError:
                raise self._needs_more() from None
        whole = np.rint(counts).astype(np.int64)
        if np.abs(whole - counts).max(initial=0.0) > 1e-9:
            raise InputError(
                f"scorer {scorer_name(self.scorer)} does not support sample_weight, but the rows have weights\n"
                '  hint: use method="ascent" or "cwplugin" without row weights, or a scorer that supports sample_weight'
            )
        try:
            return float(self.scorer(self.echo, np.repeat(X, whole, axis=0), np.repeat(y, whole)))
        except AttributeError:
            raise self._needs_more() from None

    def _needs_more(self) -> InputError:
        return InputError(
            f"scorer {scorer_name(self.scorer)} needs more than predictions\n"
            "  hint: weights change only predictions; use a scorer with response_method='predict'"
        )
