"""What more labels would bring."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from cwplugin._errors import InputError
from cwplugin.plot import _canvas
from cwplugin.plot._growth import draw
from cwplugin.plugin import ClassWeightPlugin
from cwplugin.report import Report


class LearningCurveDisplay:
    """The metric before and after against the labelled rows fitted, the gain, and where it goes.

    Subsets of the labelled rows were fitted, and scored on the labelled rows left out. The gain of n rows is taken to
    be ``limit - slope / n``: the dashed line.

    Parameters
    ----------
    train_sizes : ndarray of shape (n_points,)
        Labelled rows fitted.
    clean, fitted : ndarray of shape (n_points,)
        The metric on the rows left out, with the black box as it is and with the rule.
    gain, gain_sd : ndarray of shape (n_points,)
        The difference, and how far it goes from subset to subset.
    limit, slope : float, default=None
        The gain that no number of labels exceeds, and how fast it is approached.
    n_rows : int, default=None
        Labelled rows that there are.
    rows_needed : int, default=None
        From how many on the gain is larger than its uncertainty; None if twenty times as many are not enough.
    metric : str, default="score"
        Name of the metric.

    Attributes
    ----------
    figure_ : Figure
        The figure.
    axes_ : ndarray of Axes of shape (2,)
        The metric, and the gain.
    lines_ : list of Line2D
        Clean, fitted, gain and, if there is one, its law.
    band_ : FillBetweenPolyCollection
        The gain, one standard deviation up and down.

    Examples
    --------
    >>> from cwplugin.plot import LearningCurveDisplay
    >>> P, y = [[0.9, 0.1], [0.7, 0.3], [0.6, 0.4], [0.2, 0.8]] * 20, ["ham", "spam", "spam", "spam"] * 20
    >>> display = LearningCurveDisplay.from_predictions(y, P, method="cwplugin")
    >>> display.train_sizes, display.n_rows
    (array([20, 40, 60]), 80)
    """

    def __init__(
        self,
        train_sizes: NDArray[np.int64],
        clean: NDArray[np.float64],
        fitted: NDArray[np.float64],
        gain: NDArray[np.float64],
        gain_sd: NDArray[np.float64],
        *,
        limit: float | None = None,
        slope: float | None = None,
        n_rows: int | None = None,
        rows_needed: int | None = None,
        metric: str = "score",
    ) -> None:
        self.train_sizes = train_sizes
        self.clean = clean
        self.fitted = fitted
        self.gain = gain
        self.gain_sd = gain_sd
        self.limit = limit
        self.slope = slope
        self.n_rows = n_rows
        self.rows_needed = rows_needed
        self.metric = metric

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any = None,
        y: Any = None,
        *,
        sample_weight: ArrayLike | None = None,
        features: ArrayLike | None = None,
        ax: Any = None,
        **plot: Any,
    ) -> LearningCurveDisplay:
        """Draw the curve in the estimator's report, or make it.

        Parameters
        ----------
        estimator : fitted ClassWeightPlugin or PluginClassifierCV
            With ``learning_curve=True`` its report has a curve already, and ``X`` and ``y`` are not looked at.
        X : array-like or table of shape (n_rows, n_classes) or (n_rows, n_features), default=None
            What the estimator takes: probabilities, or rows for the classifier. A copy of it is refitted.
        y : array-like of shape (n_rows,), default=None
            True labels.
        sample_weight : array-like of shape (n_rows,), default=None
            Row weights.
        features : array-like of shape (n_rows, n_features), default=None
            What else is known of the rows, for method ``"logistic"``.
        ax, **plot
            As for :meth:`plot`.

        Returns
        -------
        LearningCurveDisplay
            Drawn.

        Raises
        ------
        InputError
            If there is no curve, or there are too few labelled rows for one.
        """
        _canvas.pyplot()
        plugin, probabilities = _canvas.parts(estimator, X)
        if plugin.report_.record.get("learning_curve") is None:
            if X is None or y is None:
                raise InputError(
                    "the report has no learning curve\nhint: give X and y too, or fit with learning_curve=True"
                )
            plugin = clone(plugin).set_params(learning_curve=True).fit(probabilities, y, sample_weight, features)
        return cls._of(plugin.report_).plot(ax=ax, **plot)

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_proba: Any,
        *,
        metric: Any = "macro-f1",
        method: str = "auto",
        classes: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        ax: Any = None,
        **plot: Any,
    ) -> LearningCurveDisplay:
        """Fit a method on subsets of the rows.

        Parameters
        ----------
        y_true : array-like of shape (n_rows,)
            True labels.
        y_proba : array-like or table of shape (n_rows, n_classes)
            Probabilities of the black box.
        metric, method, classes, random_state, n_jobs
            As for :class:`cwplugin.ClassWeightPlugin`.
        sample_weight : array-like of shape (n_rows,), default=None
            Row weights.
        ax, **plot
            As for :meth:`plot`.

        Returns
        -------
        LearningCurveDisplay
            Drawn.
        """
        _canvas.pyplot()
        plugin = ClassWeightPlugin(
            metric, method=method, classes=classes, random_state=random_state, n_jobs=n_jobs, learning_curve=True
        )
        return cls._of(plugin.fit(y_proba, y_true, sample_weight).report_).plot(ax=ax, **plot)

    @classmethod
    def _of(cls, report: Report) -> LearningCurveDisplay:
        points = report.learning_curve
        if not points:
            raise InputError(f"{_canvas.counted(report.rows, 'labelled row')} are too few for a learning curve")
        record = report.record["learning_curve"]
        columns = ([getattr(point, name) for point in points] for name in ("clean", "fitted", "gain", "gain_sd"))
        return cls(
            np.array([point.rows for point in points]),
            *(np.array(column) for column in columns),
            limit=record.get("limit"),
            slope=record.get("slope"),
            n_rows=report.rows,
            rows_needed=record.get("rows_needed"),
            metric=report.metric or "score",
        )

    def plot(self, ax: Any = None) -> LearningCurveDisplay:
        """Draw the metric, and the gain below it.

        Parameters
        ----------
        ax : Axes or array of Axes, default=None
            An axes that gives up its place, or one for the metric and one for the gain; a new figure if None. A figure
            without a layout engine gets a constrained layout, so that panels have room.

        Returns
        -------
        LearningCurveDisplay
            Itself.
        """
        self.figure_, self.axes_, self.lines_, self.band_ = draw(self, ax)
        return self
