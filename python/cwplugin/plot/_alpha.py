"""The metric against α, for each class against the one that stays fixed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cwplugin import _core, _labels, _metrics, _rows, _wish
from cwplugin._errors import InputError
from cwplugin.plot import _canvas
from cwplugin.plot._curves import AlphaCurve, draw
from cwplugin.plugin import ClassWeightPlugin


class AlphaCurveDisplay:
    """The metric against α, one panel for each class against the reference.

    Algorithm 1 takes the best α of each panel alone. Where the curve is flat around it, other labels would hardly have
    changed the result; where it is a spike, they would.

    Parameters
    ----------
    curves : sequence of AlphaCurve
        One per class that has labelled rows, without the reference.
    reference : label
        The class that stays fixed.
    metric : str, default="score"
        Name of the metric.
    n_rows : int, default=None
        How many labelled rows there are.
    note : str, default=None
        What else the title says.

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
        The stretches of α that are as good as the best.

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
        """Draw the curves of the estimator's metric, reference and ties; mark the α of its weights.

        Methods other than Algorithm 1 have no reference: their weights are compared with that of the largest class. A
        rule that calibrates first has no α on these axes, and none is marked.

        Parameters
        ----------
        estimator : fitted ClassWeightPlugin or PluginClassifierCV
            Whose rule is shown.
        X : array-like or table of shape (n_rows, n_classes) or (n_rows, n_features)
            What the estimator takes: probabilities, or rows for the classifier.
        y : array-like of shape (n_rows,)
            True labels.
        sample_weight : array-like of shape (n_rows,), default=None
            Row weights.
        ax, **plot
            As for :meth:`plot`.

        Returns
        -------
        AlphaCurveDisplay
            Drawn.
        """
        _canvas.pyplot()
        plugin, probabilities = _canvas.parts(estimator, X)
        rows, classes = plugin._labelled(probabilities, y, sample_weight)
        record = plugin.report_.record
        note = None
        if "reference" in record:
            reference, ties = f"class:{record['reference']}", record["ties"]
        else:
            reference, ties = "largest", plugin.ties
            note = f"method {plugin.method} has no reference: the largest class is taken"
        weights: NDArray[np.float64] | None = plugin.weights_
        if plugin.calibration_ is not None:
            weights = None
            calibrates = "the rule calibrates first, so it has no α: the best is shown"
            note = calibrates if note is None else f"{note}; {calibrates}"
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
        """Draw the curves of probabilities, and mark the α that Algorithm 1 takes.

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
            Drawn.
        """
        _canvas.pyplot()
        plugin = ClassWeightPlugin(metric, method="cwplugin", reference=reference, ties=ties, classes=classes)
        if isinstance(reference, str) and reference == "best":
            # Which one is best, a fit tells.
            plugin.fit(y_proba, y_true, sample_weight)
            return cls.from_estimator(plugin, y_proba, y_true, sample_weight=sample_weight, ax=ax, **plot)
        rows, known = plugin._labelled(y_proba, y_true, sample_weight, reset=True)
        named = _wish.reference(reference) or "largest"
        return cls._of(rows, known, metric, named, ties, None, None, is_best=True).plot(ax=ax, **plot)

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
        fixed, found = _core.pair_curves(rows, _metrics.wish(metric, classes), reference, ties)
        curves = []
        for k, cuts, scores, best, plateau, best_score in found:
            chosen = best if is_best else None
            if weights is not None and weights[k] + weights[fixed] > 0:
                chosen = float(weights[k] / (weights[k] + weights[fixed]))
            curves.append(AlphaCurve(_labels.item(classes[k]), cuts, scores, best, best_score, plateau, chosen))
        if not curves:
            raise InputError(f'only class "{classes[fixed]}" has labelled rows: there is no pair to draw')
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
            An axes that gives up its place, or one per panel; a new figure if None. A figure without a
            layout engine gets a constrained layout, so that panels have room.
        labels : sequence of labels, default=None
            The classes to draw, in this order; all if None.
        scale : {"linear", "logit"}, default="linear"
            How α goes from 0 to 1. A black box that is sure of itself has all of its cuts near the ends: ``"logit"``
            spreads them.

        Returns
        -------
        AlphaCurveDisplay
            Itself.
        """
        self.figure_, self.axes_, self.lines_, self.marks_, self.plateaus_ = draw(self, ax, labels, scale)
        return self
