"""The metric against α, for each class against the reference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cwplugin import _core, _labels, _metrics, _request, _rows
from cwplugin._errors import InputError
from cwplugin.plot import _canvas
from cwplugin.plot._curves import AlphaCurve, draw
from cwplugin.plugin import ClassWeightPlugin


class AlphaCurveDisplay:
    """The metric against α, one panel for each class against the reference.

    Algorithm 1 takes the best α of each panel by itself. A wide plateau means that the weight hardly depends on single
    labels; a narrow peak means that it does.

    Parameters
    ----------
    curves : sequence of AlphaCurve
        One per class that has labelled rows, without the reference.
    reference : label
        The class whose weight is fixed.
    metric : str, default="score"
        Name of the metric.
    n_rows : int, default=None
        Number of labelled rows.
    note : str, default=None
        More text for the title.

    Attributes
    ----------
    figure_ : Figure
        The figure.
    axes_ : ndarray of Axes of shape (n_panels,)
        The panels.
    lines_ : list of StepPatch
        The curves.
    marks_ : list of (PathCollection or None)
        The chosen α.
    plateaus_ : list of Patch
        The ranges of α that are as good as the best.

    Examples
    --------
    >>> from cwplugin.plot import AlphaCurveDisplay
    >>> P, y = [[0.9, 0.1], [0.7, 0.3], [0.6, 0.4], [0.2, 0.8]], ["ham", "spam", "spam", "spam"]
    >>> display = AlphaCurveDisplay.from_predictions(y, P)
    >>> curve = display.curves[0]
    >>> display.reference, curve.label, round(curve.best, 3), curve.best_score
    ('spam', 'ham', 0.179, 1.0)
    """

    def __init__(
        self,
        curves: Sequence[AlphaCurve],
        *,
        reference: Any,
        metric: str = "score",
        n_rows: int | None = None,
        note: str | None = None,
    ) -> None:
        self.curves = curves
        self.reference = reference
        self.metric = metric
        self.n_rows = n_rows
        self.note = note

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, sample_weight: ArrayLike | None = None, ax: Any = None, **plot: Any
    ) -> AlphaCurveDisplay:
        """Draw the curves for the estimator's metric, reference and ties; mark the α of its weights.

        Methods other than Algorithm 1 have no reference: their weights are relative to that of the largest class. A
        rule with a calibration map has no α on these axes, and none is marked.

        Parameters
        ----------
        estimator : fitted ClassWeightPlugin or PluginClassifierCV
            The fitted rule.
        X : array-like or table of shape (n_rows, n_classes) or (n_rows, n_features)
            Input of the estimator: probabilities, or features for the classifier.
        y : array-like of shape (n_rows,)
            True labels.
        sample_weight : array-like of shape (n_rows,), default=None
            Row weights.
        ax, **plot
            As for :meth:`plot`.

        Returns
        -------
        AlphaCurveDisplay
            The plot.
        """
        _canvas.pyplot()
        plugin, probabilities = _canvas.parts(estimator, X)
        rows, classes = plugin._labelled(probabilities, y, sample_weight)
        report = plugin.report_
        note = None
        if report.reference is not None:
            reference, ties = f"class:{report.reference}", report.ties
        else:
            reference, ties = "largest", "middle"
            note = f"method {plugin.method} has no reference: the largest class is used"
        weights: NDArray[np.float64] | None = plugin.weights_
        if plugin.calibration_ is not None:
            weights = None
            calibrated = "the rule is calibrated, so it has no α: the best is shown"
            note = calibrated if note is None else f"{note}; {calibrated}"
        return cls._of(rows, classes, plugin.metric, reference, ties, weights, note).plot(ax=ax, **plot)

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_proba: Any,
        *,
        metric: Any = "macro-f1",
        reference: Any = "largest",
        ties: str = "middle",
        classes: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        ax: Any = None,
        **plot: Any,
    ) -> AlphaCurveDisplay:
        """Draw the curves of probabilities, and mark the α that Algorithm 1 chooses.

        Parameters
        ----------
        y_true : array-like of shape (n_rows,)
            True labels.
        y_proba : array-like or table of shape (n_rows, n_classes)
            Probabilities of the black box.
        metric, reference, ties, classes
            As for :class:`cwplugin.ClassWeightPlugin`.
        sample_weight : array-like of shape (n_rows,), default=None
            Row weights.
        ax, **plot
            As for :meth:`plot`.

        Returns
        -------
        AlphaCurveDisplay
            The plot.
        """
        _canvas.pyplot()
        plugin = ClassWeightPlugin(metric, method="cwplugin", reference=reference, ties=ties, classes=classes)
        if isinstance(reference, str) and reference == "best":
            plugin.fit(y_proba, y_true, sample_weight)
            return cls.from_estimator(plugin, y_proba, y_true, sample_weight=sample_weight, ax=ax, **plot)
        rows, known = plugin._labelled(y_proba, y_true, sample_weight, reset=True)
        name = _request.reference(reference) or "largest"
        return cls._of(rows, known, metric, name, ties, None, None, is_best=True).plot(ax=ax, **plot)

    @classmethod
    def _of(
        cls,
        rows: _rows.Rows,
        classes: NDArray[Any],
        metric: Any,
        reference: str,
        ties: str,
        weights: NDArray[np.float64] | None,
        note: str | None,
        *,
        is_best: bool = False,
    ) -> AlphaCurveDisplay:
        fixed, found = _core.pair_curves(rows, _metrics.spec(metric, classes), reference, ties)
        curves = []
        for k, cuts, scores, best, plateau, best_score in found:
            chosen = best if is_best else None
            if weights is not None and weights[k] + weights[fixed] > 0:
                chosen = float(weights[k] / (weights[k] + weights[fixed]))
            curves.append(AlphaCurve(_labels.item(classes[k]), cuts, scores, best, best_score, plateau, chosen))
        if not curves:
            raise InputError(f'only class "{classes[fixed]}" has labelled rows: there is no pair to plot')
        absent = len(classes) - 1 - len(curves)
        if absent:
            without = f"{absent} class{'' if absent == 1 else 'es'} without labelled rows left out"
            note = without if note is None else f"{note}; {without}"
        return cls(
            curves,
            reference=_labels.item(classes[fixed]),
            metric=_canvas.metric_name(metric, classes),
            n_rows=_canvas.n_labelled(rows),
            note=note,
        )

    def plot(self, ax: Any = None, *, labels: Sequence[Any] | None = None, scale: str = "linear") -> AlphaCurveDisplay:
        """Draw the curves.

        Parameters
        ----------
        ax : Axes or array of Axes, default=None
            Axes to replace, or one axes per panel; a new figure if None. A figure without a layout engine gets a
            constrained layout.
        labels : sequence of labels, default=None
            The classes to draw, in this order; all if None.
        scale : {"linear", "logit"}, default="linear"
            Scale of α. ``"logit"`` spreads the cuts of an overconfident black box, which are all near 0 and 1.

        Returns
        -------
        AlphaCurveDisplay
            The plot.
        """
        self.figure_, self.axes_, self.lines_, self.marks_, self.plateaus_ = draw(self, ax, labels, scale)
        return self
