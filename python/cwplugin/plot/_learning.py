"""The gain against the number of labels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from cwplugin._errors import InputError
from cwplugin.plot import _canvas
from cwplugin.plugin import ClassWeightPlugin
from cwplugin.report import Report


class LearningCurveDisplay:
    """The metric before and after and the gain, against the number of labelled rows.

    Subsets of the labelled rows are fitted and scored on the labelled rows left out. The dashed line extrapolates the
    gain with n rows as ``limit - slope / n``.

    Parameters
    ----------
    train_sizes : ndarray of shape (n_points,)
        Labelled rows fitted.
    clean, fitted : ndarray of shape (n_points,)
        The metric on the rows left out, of the unadjusted black box and of the rule.
    gain, gain_sd : ndarray of shape (n_points,)
        The difference, and its standard deviation between subsets.
    limit, slope : float, default=None
        Parameters of the extrapolation.
    n_rows : int, default=None
        Number of labelled rows.
    rows_needed : int, default=None
        Rows at which the gain outweighs the risk of a loss; None if twenty times as many are not enough.
    metric : str, default="score"
        Name of the metric.

    Attributes
    ----------
    figure_ : Figure
        The figure.
    axes_ : ndarray of Axes of shape (2,)
        The metric, and the gain.
    lines_ : list of Line2D
        Unadjusted, fitted, gain and, if there is one, its extrapolation.
    band_ : FillBetweenPolyCollection
        The gain plus and minus one standard deviation.

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
        """Draw the curve of the estimator's report, or compute one.

        Parameters
        ----------
        estimator : fitted ClassWeightPlugin or PluginClassifierCV
            With ``learning_curve=True`` its report has a curve, and ``X`` and ``y`` are ignored.
        X : array-like or table of shape (n_rows, n_classes) or (n_rows, n_features), default=None
            Input of the estimator: probabilities, or features for the classifier. A clone is fitted on it.
        y : array-like of shape (n_rows,), default=None
            True labels.
        sample_weight : array-like of shape (n_rows,), default=None
            Row weights.
        features : array-like of shape (n_rows, n_features), default=None
            Features, for method ``"logistic"``.
        ax, **plot
            As for :meth:`plot`.

        Returns
        -------
        LearningCurveDisplay
            The plot.

        Raises
        ------
        InputError
            If there is no curve, or there are too few labelled rows for one.
        """
        _canvas.pyplot()
        plugin, probabilities = _canvas.parts(estimator, X)
        if plugin.report_.learning_curve is None:
            if X is None or y is None:
                raise InputError(
                    "the report has no learning curve\n  hint: pass X and y too, or fit with learning_curve=True"
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
            The plot.
        """
        _canvas.pyplot()
        plugin = ClassWeightPlugin(
            metric, method=method, classes=classes, random_state=random_state, n_jobs=n_jobs, learning_curve=True
        )
        return cls._of(plugin.fit(y_proba, y_true, sample_weight).report_).plot(ax=ax, **plot)

    @classmethod
    def _of(cls, report: Report) -> LearningCurveDisplay:
        curve = report.learning_curve
        if not curve.points:
            raise InputError(f"{_canvas.counted(report.rows, 'labelled row')} are too few for a learning curve")
        names = ("rows", "clean", "fitted", "gain", "gain_sd")
        return cls(
            *(np.array([getattr(point, name) for point in curve.points]) for name in names),
            limit=curve.limit,
            slope=curve.slope,
            n_rows=report.rows,
            rows_needed=curve.rows_needed,
            metric=report.metric or "score",
        )

    def plot(self, ax: Any = None) -> LearningCurveDisplay:
        """Draw the metric, and the gain below it.

        Parameters
        ----------
        ax : Axes or array of Axes, default=None
            Axes to replace, or one for the metric and one for the gain; a new figure if None. A figure without a
            layout engine gets a constrained layout.

        Returns
        -------
        LearningCurveDisplay
            The plot.
        """
        self.figure_, self.axes_, self.lines_, self.band_ = _draw(self, ax)
        return self


def _draw(display: LearningCurveDisplay, ax: Any) -> tuple[Any, NDArray[Any], list[Any], Any]:
    """The figure, the axes, the lines and the band."""
    _canvas.pyplot()
    figure, part, axes = _canvas.panels(ax, 2, 1, (6.4, 5.6), sharex=True)
    upper, lower = axes
    sizes, gain, sd = display.train_sizes, display.gain, display.gain_sd
    style: dict[str, Any] = {"marker": "o", "markersize": 4.5, "linewidth": 1.6}
    (clean,) = upper.plot(sizes, display.clean, color=_canvas.GREY, label="unadjusted", **style)
    (fitted,) = upper.plot(sizes, display.fitted, color=_canvas.BLUE, label="with the fitted rule", **style)
    upper.set_ylabel(_canvas.text(display.metric, 30), fontsize=10)

    lower.axhline(0.0, color="#444444", linewidth=0.8, zorder=1)
    band = lower.fill_between(sizes, gain - sd, gain + sd, color=_canvas.BLUE, alpha=0.2, linewidth=0.0)
    (line,) = lower.plot(sizes, gain, color=_canvas.BLUE, label="gain ± 1 sd over subsets", **style)
    lines = [clean, fitted, line]
    last = _last(display)
    if display.limit is not None and display.slope is not None:
        n = np.geomspace(sizes[0], last, 200)
        extrapolated = display.limit - display.slope / n
        words = f"{display.limit:.3f} − {display.slope:.3g} / rows" if display.slope > 0 else f"{display.limit:.3f}"
        dashed: dict[str, Any] = {"linestyle": "--", "linewidth": 1.2, "zorder": 1}
        (extended,) = lower.plot(
            n, extrapolated, color=_canvas.VERMILLION, label=f"fit: {words}".replace("-", "−"), **dashed
        )
        lines.append(extended)
        # The unadjusted score does not depend on the labels: the mean is the best estimate.
        level = float(np.mean(display.clean))
        upper.plot(n, np.full_like(n, level), color=_canvas.GREY, **dashed)
        upper.plot(n, level + extrapolated, color=_canvas.VERMILLION, label="fit: mean unadjusted + gain", **dashed)
        needed = display.rows_needed
        if needed is not None and (display.n_rows or 0) < needed <= last:
            height = display.limit - display.slope / needed
            label = f"reliable from {needed:,} rows on"
            lower.plot([needed], [height], color=_canvas.VERMILLION, marker="D", linestyle="", label=label)
    lower.set_ylabel("gain", fontsize=10)
    lower.set_xlabel("labelled rows fitted (scored on the rest)", fontsize=10)
    for panel in axes:
        panel.legend(frameon=False, fontsize=9)
        _canvas.plain(panel)
        panel.set_xlim(0, last * 1.02)
        if display.n_rows is not None:
            panel.axvline(display.n_rows, color=_canvas.GREY, linewidth=0.9, linestyle=":", zorder=0)
    if display.n_rows is not None:
        words = f" {display.n_rows:,} rows now"
        upper.annotate(
            words,
            (display.n_rows, 1.0),
            (3, -2),
            xycoords=upper.get_xaxis_transform(),
            textcoords="offset points",
            va="top",
            fontsize=9,
            color="#555555",
        )
    if part is not None:
        _canvas.headed(part, _title(display))
    return figure, axes, lines, band


def _last(display: LearningCurveDisplay) -> float:
    """The end of the axis: twice the present rows, or the rows needed if they are at most four times as many."""
    now = float(display.n_rows or display.train_sizes[-1])
    needed = float(display.rows_needed or 0)
    return max(2.0 * now, 1.15 * needed if needed <= 4.0 * now else 0.0)


def _title(display: LearningCurveDisplay) -> str:
    metric, signed = _canvas.text(display.metric, 40), _canvas.signed
    if display.limit is None or display.slope is None or display.n_rows is None:
        return f"{metric}: {signed(display.gain[-1])} with {_canvas.counted(int(display.train_sizes[-1]), 'row')}"
    now = display.limit - display.slope / display.n_rows
    title = f"{metric}: {signed(now)} with {_canvas.counted(display.n_rows, 'row')}, {signed(display.limit)} at most"
    if display.rows_needed is None:
        return f"{title}\nno reliable gain with up to 20 times as many labels"
    if display.rows_needed <= display.n_rows:
        return f"{title}\nthe gain is reliable"
    return f"{title}\nabout {display.rows_needed:,} rows would make the gain reliable"
