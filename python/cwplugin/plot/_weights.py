"""One weight per class, with its range over refits."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from cwplugin import _core
from cwplugin.plot import _canvas
from cwplugin.plugin import ClassWeightPlugin


class WeightsDisplay:
    """One weight per class on a logarithmic scale, with its 95% range over refits on bootstrap samples.

    Weights sum to the number of classes, so that equal weights are 1. In a bootstrap sample, every class keeps its
    number of labelled rows. A weight whose range excludes 1 is blue (larger) or red (smaller), the others are grey. A
    weight of 0 is a triangle at the left border.

    Parameters
    ----------
    weights : ndarray of shape (n_classes,)
        Weights; equal weights are 1.
    resamples : ndarray of shape (n_bootstrap, n_classes)
        The weights of the refits, on the same scale.
    classes : array-like of shape (n_classes,)
        Labels.
    support : ndarray of shape (n_classes,), default=None
        Labelled rows of each class.
    method : str, default=None
        Name of the method in the title.

    Attributes
    ----------
    low, high : ndarray of shape (n_classes,)
        The 95% range of the refits; the weights themselves if there are no refits.
    figure_ : Figure
        The figure.
    ax_ : Axes
        The axes.
    points_ : PathCollection
        The weights that are not 0.
    ranges_ : LineCollection
        Their ranges.

    Examples
    --------
    >>> from cwplugin.plot import WeightsDisplay
    >>> P, y = [[0.9, 0.1], [0.7, 0.3], [0.6, 0.4], [0.2, 0.8]] * 10, ["ham", "spam", "spam", "spam"] * 10
    >>> display = WeightsDisplay.from_predictions(y, P, n_bootstrap=20)
    >>> display.weights.round(2), display.resamples.shape
    (array([0.36, 1.64]), (20, 2))
    """

    def __init__(
        self,
        weights: NDArray[np.float64],
        resamples: NDArray[np.float64],
        classes: ArrayLike,
        *,
        support: NDArray[np.int64] | None = None,
        method: str | None = None,
    ) -> None:
        self.weights = weights
        self.resamples = resamples
        self.classes = classes
        self.support = support
        self.method = method

    @property
    def low(self) -> NDArray[np.float64]:
        """Lower ends of the ranges."""
        return self._quantile(0.025)

    @property
    def high(self) -> NDArray[np.float64]:
        """Upper ends of the ranges."""
        return self._quantile(0.975)

    def _quantile(self, share: float) -> NDArray[np.float64]:
        return np.quantile(self.resamples, share, axis=0) if len(self.resamples) else self.weights

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        n_bootstrap: int = 50,
        sample_weight: ArrayLike | None = None,
        features: ArrayLike | None = None,
        random_state: Any = None,
        ax: Any = None,
        **plot: Any,
    ) -> WeightsDisplay:
        """Refit the estimator's method on bootstrap samples.

        Refits take as long as ``n_bootstrap`` fits: seconds with ``"cwplugin"``, minutes with ``"auto"`` or
        ``"ascent"`` and many classes.

        Parameters
        ----------
        estimator : fitted ClassWeightPlugin or PluginClassifierCV
            The fitted weights.
        X : array-like or table of shape (n_rows, n_classes) or (n_rows, n_features)
            Input of the estimator: the probabilities of the fit, or features for the classifier, better of rows that it
            was not fitted on.
        y : array-like of shape (n_rows,)
            True labels.
        n_bootstrap : int, default=50
            Number of refits; 0 for none.
        sample_weight : array-like of shape (n_rows,), default=None
            Row weights.
        features : array-like of shape (n_rows, n_features), default=None
            Features, for method ``"logistic"``.
        random_state : int, Generator, RandomState or None, default=None
            Seed of the bootstrap samples and the refits; the estimator's own if None.
        ax, **plot
            As for :meth:`plot`.

        Returns
        -------
        WeightsDisplay
            The plot.
        """
        _canvas.pyplot()
        plugin, probabilities = _canvas.parts(estimator, X)
        rows, classes = plugin._labelled(probabilities, y, sample_weight, features)
        m = len(classes)
        resamples = np.empty((0, m))
        if n_bootstrap > 0:
            seeded = plugin if random_state is None else clone(plugin).set_params(random_state=random_state)
            resamples = _core.bootstrap(rows, seeded._request(classes), int(n_bootstrap)) * m
        display = cls(
            plugin.weights_ * m, resamples, classes, support=_canvas.support(rows), method=plugin.report_.method
        )
        return display.plot(ax=ax, **plot)

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_proba: Any,
        *,
        metric: Any = "macro-f1",
        method: str = "cwplugin",
        classes: ArrayLike | None = None,
        n_bootstrap: int = 50,
        sample_weight: ArrayLike | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        ax: Any = None,
        **plot: Any,
    ) -> WeightsDisplay:
        """Fit a method, and refit it on bootstrap samples.

        Parameters
        ----------
        y_true : array-like of shape (n_rows,)
            True labels.
        y_proba : array-like or table of shape (n_rows, n_classes)
            Probabilities of the black box.
        metric, method, classes, random_state, n_jobs
            As for :class:`cwplugin.ClassWeightPlugin`.
        n_bootstrap : int, default=50
            Number of refits; 0 for none.
        sample_weight : array-like of shape (n_rows,), default=None
            Row weights.
        ax, **plot
            As for :meth:`plot`.

        Returns
        -------
        WeightsDisplay
            The plot.
        """
        _canvas.pyplot()
        plugin = ClassWeightPlugin(metric, method=method, classes=classes, random_state=random_state, n_jobs=n_jobs)
        plugin.fit(y_proba, y_true, sample_weight)
        return cls.from_estimator(
            plugin, y_proba, y_true, n_bootstrap=n_bootstrap, sample_weight=sample_weight, ax=ax, **plot
        )

    def plot(self, ax: Any = None, *, sort: bool = False) -> WeightsDisplay:
        """Draw the weights.

        Parameters
        ----------
        ax : Axes, default=None
            Axes to draw in; a new figure if None.
        sort : bool, default=False
            Whether to sort the classes by decreasing weight.

        Returns
        -------
        WeightsDisplay
            The plot.
        """
        self.figure_, self.ax_, self.points_, self.ranges_ = _draw(self, ax, sort)
        return self


def _draw(display: WeightsDisplay, ax: Any, sort: bool) -> tuple[Any, Any, Any, Any]:
    """The figure, the axes, the points and the ranges."""
    weights, low, high = (np.asarray(side, dtype=np.float64) for side in (display.weights, display.low, display.high))
    m = len(weights)
    figure, ax = _canvas.one_axes(ax, (6.4, float(np.clip(0.19 * m + 1.7, 2.6, 40.0))))
    order = np.argsort(-weights, kind="stable") if sort else np.arange(m)
    weights, low, high = weights[order], low[order], high[order]
    left, right = _limits(weights, low, high)
    places = np.arange(m)
    colours = np.where(low > 1.0, _canvas.BLUE, np.where(high < 1.0, _canvas.VERMILLION, _canvas.GREY))
    ax.axvline(1.0, color="#444444", linewidth=0.9, zorder=1)
    ranges = ax.hlines(places, np.maximum(low, left), np.maximum(high, left), color=colours, linewidth=2.2, zorder=2)
    some = weights > 0
    points = ax.scatter(weights[some], places[some], s=34, color=colours[some], edgecolor="white", zorder=3)
    if not some.all():
        ax.tick_params(axis="y", pad=9)
        where = np.full(np.count_nonzero(~some), left)
        ax.scatter(where, places[~some], s=40, marker="<", color=colours[~some], zorder=3, clip_on=False)
        for place in places[~some]:
            ax.annotate("0", (left, place), (8, 0), textcoords="offset points", va="center", fontsize=9)
    ax.set_xscale("log")
    ax.set_xlim(left, right)
    ax.set_ylim(m - 0.4, -0.6)
    _axes(ax, display, order, right / left)
    ax.set_title(_title(display, low, high), fontsize=11)
    return figure, ax, points, ranges


def _limits(weights: NDArray[np.float64], low: NDArray[np.float64], high: NDArray[np.float64]) -> tuple[float, float]:
    """Ends of the axis: all positive values, and at least from 0.5 to 2."""
    ends = np.concatenate([weights, low, high, [0.5, 2.0]])
    positive = ends[ends > 0]
    room = 1.15 if (ends > 0).all() else 2.0
    return float(positive.min()) / room, float(positive.max()) * 1.15


def _axes(ax: Any, display: WeightsDisplay, order: NDArray[np.intp], span: float) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator

    names = [_canvas.text(label) for label in np.asarray(display.classes)]
    if display.support is not None:
        names = [f"{name} (no rows)" if n == 0 else name for name, n in zip(names, display.support, strict=True)]
    _canvas.plain(ax)
    ax.set_yticks(range(len(names)), [names[k] for k in order])
    height = _canvas.inches(ax)[1] * 72 / len(names)
    ax.tick_params(axis="y", length=0, labelsize=float(np.clip(0.8 * height, 4.0, 9.0)))
    ax.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if span < 300 else (1.0,), numticks=12))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    ax.xaxis.set_minor_formatter(NullFormatter())
    n_bootstrap = len(display.resamples)
    what = f"; bars: 95% of {_canvas.counted(n_bootstrap, 'refit')}" if n_bootstrap else ""
    ax.set_xlabel(f"weight (equal weights: 1){what}", fontsize=10)
    ax.grid(axis="x", color="#DDDDDD", linewidth=0.6, zorder=0)
    ax.set_axisbelow(True)


def _title(display: WeightsDisplay, low: NDArray[np.float64], high: NDArray[np.float64]) -> str:
    m = len(low)
    method = "" if display.method is None else f"{_canvas.text(display.method)}: "
    if len(display.resamples) == 0:
        return f"{method}weights of {m} classes"
    apart = int(np.count_nonzero((low > 1.0) | (high < 1.0)))
    return f"{method}{apart} of {m} weights differ from 1 in 95% of the refits"
