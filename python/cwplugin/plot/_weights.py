"""One weight per class, and how far other labels would have moved it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from cwplugin import _core
from cwplugin.plot import _canvas
from cwplugin.plot._dots import draw
from cwplugin.plugin import ClassWeightPlugin


class WeightsDisplay:
    """One weight per class on a logarithmic scale, with its 95 % range over refits.

    A weight of 1 is that of the black box as it is; all of them sum to the number of classes. Refits are on bootstrap
    samples in which every class keeps its number of labelled rows. A weight whose range leaves 1 out is blue (more) or
    red (less), the others are grey. A weight of 0 stands at the left border, as a triangle.

    Parameters
    ----------
    weights : ndarray of shape (n_classes,)
        Weights; equal ones are all 1.
    resamples : ndarray of shape (n_bags, n_classes)
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
        The 95 % range of the refits; the weights themselves if there are no refits.
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
    >>> display = WeightsDisplay.from_predictions(y, P, bags=20)
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
        bags: int = 50,
        sample_weight: ArrayLike | None = None,
        features: ArrayLike | None = None,
        random_state: Any = None,
        ax: Any = None,
        **plot: Any,
    ) -> WeightsDisplay:
        """Refit the estimator's own method on bootstrap samples.

        Refits take as long as ``bags`` fits: seconds with ``"cwplugin"``, minutes with ``"auto"`` or ``"ascent"`` and
        many classes.

        Parameters
        ----------
        estimator : fitted ClassWeightPlugin or PluginClassifierCV
            Whose weights are shown.
        X : array-like or table of shape (n_rows, n_classes) or (n_rows, n_features)
            The rows that were fitted, as the estimator takes them: probabilities, or rows for the classifier; for the
            latter, better rows that it was not fitted on.
        y : array-like of shape (n_rows,)
            True labels.
        bags : int, default=50
            How many refits; 0 for none.
        sample_weight : array-like of shape (n_rows,), default=None
            Row weights.
        features : array-like of shape (n_rows, n_features), default=None
            What else is known of the rows, for method ``"logistic"``.
        random_state : int, Generator, RandomState or None, default=None
            Seed of the bootstrap samples and the refits; the estimator's own if None.
        ax, **plot
            As for :meth:`plot`.

        Returns
        -------
        WeightsDisplay
            Drawn.
        """
        _canvas.pyplot()
        plugin, probabilities = _canvas.parts(estimator, X)
        rows, classes = plugin._labelled(probabilities, y, sample_weight, features)
        m = len(classes)
        resamples = np.empty((0, m))
        if bags > 0:
            recipe = plugin if random_state is None else clone(plugin).set_params(random_state=random_state)
            resamples = _core.bootstrap(rows, recipe._wish(classes), int(bags)) * m
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
        bags: int = 50,
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
        bags : int, default=50
            How many refits; 0 for none.
        sample_weight : array-like of shape (n_rows,), default=None
            Row weights.
        ax, **plot
            As for :meth:`plot`.

        Returns
        -------
        WeightsDisplay
            Drawn.
        """
        _canvas.pyplot()
        plugin = ClassWeightPlugin(metric, method=method, classes=classes, random_state=random_state, n_jobs=n_jobs)
        plugin.fit(y_proba, y_true, sample_weight)
        return cls.from_estimator(plugin, y_proba, y_true, bags=bags, sample_weight=sample_weight, ax=ax, **plot)

    def plot(self, ax: Any = None, *, sort: bool = False) -> WeightsDisplay:
        """Draw the weights.

        Parameters
        ----------
        ax : Axes, default=None
            Where to; a new figure if None.
        sort : bool, default=False
            Whether the largest weight comes first, rather than the first class.

        Returns
        -------
        WeightsDisplay
            Itself.
        """
        self.figure_, self.ax_, self.points_, self.ranges_ = draw(self, ax, sort)
        return self
