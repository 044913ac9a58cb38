"""Confusion matrices before and after."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cwplugin import _core, _labels, _request, _rows
from cwplugin._errors import InputError
from cwplugin.plot import _canvas
from cwplugin.plot._matrices import counts, draw, score


class ConfusionChangeDisplay:
    """Confusion matrices before and after, and the difference, side by side.

    Every cell shows its count and its share of the row (the true class); colour is the share. Before and after have one
    scale. In the difference, blue cells gained rows and red ones lost rows. Numbers that would not be readable are left
    out.

    Parameters
    ----------
    before, after : ndarray of shape (n_classes, n_classes)
        Counts, or sums of row weights; truth by row.
    display_labels : array-like of shape (n_classes,), default=None
        Names of the classes; their indices if None.
    metric : str, default=None
        Name of the metric in the title.
    scores : tuple of float, default=None
        The metric before and after.
    n_rows : int, default=None
        Number of labelled rows.
    n_changed : int, default=None
        Number of predictions that differ.

    Attributes
    ----------
    difference : ndarray of shape (n_classes, n_classes)
        ``after - before``.
    figure_ : Figure
        The figure.
    axes_ : ndarray of Axes of shape (3,)
        Before, after and difference; shape (2,) without the difference.
    im_ : list of AxesImage
        The matrices.
    text_ : list of (ndarray of Text or None)
        The numbers of each matrix; None if they do not fit.

    Examples
    --------
    >>> from cwplugin.plot import ConfusionChangeDisplay
    >>> y, before, after = ["a", "b", "b", "b"], ["a", "a", "a", "b"], ["a", "a", "b", "b"]
    >>> display = ConfusionChangeDisplay.from_predictions(y, before, after)
    >>> display.difference
    array([[ 0.,  0.],
           [-1.,  1.]])
    """

    def __init__(
        self,
        before: NDArray[np.float64],
        after: NDArray[np.float64],
        *,
        display_labels: ArrayLike | None = None,
        metric: str | None = None,
        scores: tuple[float, float] | None = None,
        n_rows: int | None = None,
        n_changed: int | None = None,
    ) -> None:
        self.before = before
        self.after = after
        self.display_labels = display_labels
        self.metric = metric
        self.scores = scores
        self.n_rows = n_rows
        self.n_changed = n_changed

    @property
    def difference(self) -> NDArray[np.float64]:
        """``after - before``."""
        return self.after - self.before

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        sample_weight: ArrayLike | None = None,
        features: ArrayLike | None = None,
        display_labels: ArrayLike | None = None,
        ax: Any = None,
        **plot: Any,
    ) -> ConfusionChangeDisplay:
        """Count the predictions of the unadjusted black box and of the fitted rule.

        Parameters
        ----------
        estimator : fitted ClassWeightPlugin or PluginClassifierCV
            The fitted rule.
        X : array-like or table of shape (n_rows, n_classes) or (n_rows, n_features)
            Input of the estimator: probabilities, or features for the classifier. Better rows that were not fitted.
        y : array-like of shape (n_rows,)
            True labels; unlabelled rows are ignored.
        sample_weight : array-like of shape (n_rows,), default=None
            Row weights.
        features : array-like of shape (n_rows, n_features), default=None
            Features, for method ``"logistic"``.
        display_labels : array-like of shape (n_classes,), default=None
            Names of the classes; their labels if None.
        ax, **plot
            As for :meth:`plot`.

        Returns
        -------
        ConfusionChangeDisplay
            The plot.
        """
        _canvas.pyplot()
        plugin, probabilities = _canvas.parts(estimator, X)
        rows = plugin._rows(probabilities, features)
        equal = _core.Model(rows.classes, [1.0] * len(rows.classes))
        before = np.take(plugin.classes_, equal.predict(rows, _request.jobs(plugin.n_jobs)))
        after = plugin.predict(probabilities, features)
        return cls.from_predictions(
            y,
            before,
            after,
            labels=plugin.classes_,
            sample_weight=sample_weight,
            metric=plugin.metric,
            display_labels=display_labels,
            ax=ax,
            **plot,
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        before: Any,
        after: Any,
        *,
        labels: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        metric: Any = "macro-f1",
        display_labels: ArrayLike | None = None,
        ax: Any = None,
        **plot: Any,
    ) -> ConfusionChangeDisplay:
        """Count two arrays of predictions.

        Parameters
        ----------
        y_true : array-like of shape (n_rows,)
            True labels; unlabelled rows are ignored.
        before, after : array-like of shape (n_rows,)
            Predictions.
        labels : array-like of shape (n_classes,), default=None
            All classes, in the order of the matrices; if None, those that occur, in increasing order.
        sample_weight : array-like of shape (n_rows,), default=None
            Row weights.
        metric : str, Cost, callable or scorer, default="macro-f1"
            The metric in the title, as for :class:`cwplugin.ClassWeightPlugin`.
        display_labels : array-like of shape (n_classes,), default=None
            Names of the classes; their labels if None.
        ax, **plot
            As for :meth:`plot`.

        Returns
        -------
        ConfusionChangeDisplay
            The plot.
        """
        _canvas.pyplot()
        columns = {"y_true": y_true, "before": before, "after": after}
        arrays = {name: _labels.as_array(column) for name, column in columns.items()}
        if labels is None:
            known = [label for array in arrays.values() for label in _labels.unique(array).tolist()]
            classes = _labels.unique(_labels.as_array(known))
        else:
            classes = np.asarray(labels)
        truth, old, new = (_labels.encode(array, classes, name).array() for name, array in arrays.items())
        weights = _rows.row_weights(sample_weight)
        for name, codes in (("before", old), ("after", new)):
            if len(codes) != len(truth):
                raise InputError(f"{name}: {len(codes)} predictions for {len(truth)} rows")
            if (codes == _labels.UNLABELLED).any():
                raise InputError(f"{name}: a prediction is missing")
        if weights is not None and len(weights) != len(truth):
            raise InputError(f"sample_weight: {len(weights)} weights for {len(truth)} rows")
        keep = truth != _labels.UNLABELLED
        weights = None if weights is None else weights[keep]
        matrices = [counts(truth[keep], predicted[keep], weights, len(classes)) for predicted in (old, new)]
        clean, fitted = (score(matrix, metric, classes) for matrix in matrices)
        display = cls(
            *matrices,
            display_labels=classes if display_labels is None else display_labels,
            metric=_canvas.metric_name(metric, classes),
            scores=(clean, fitted),
            n_rows=int(np.count_nonzero(keep)),
            n_changed=int(np.count_nonzero(old[keep] != new[keep])),
        )
        return display.plot(ax=ax, **plot)

    def plot(
        self, ax: Any = None, *, difference: bool = True, include_values: bool = True, colorbar: bool = True
    ) -> ConfusionChangeDisplay:
        """Draw the matrices.

        Parameters
        ----------
        ax : Axes or array of Axes, default=None
            Axes to replace, or one axes per matrix; a new figure if None. A figure without a layout engine gets a
            constrained layout.
        difference : bool, default=True
            Whether to draw the difference too.
        include_values : bool, default=True
            Whether to write the numbers into the cells, if they fit.
        colorbar : bool, default=True
            Whether to draw colour bars.

        Returns
        -------
        ConfusionChangeDisplay
            The plot.
        """
        self.figure_, self.axes_, self.im_, self.text_ = draw(self, ax, difference, include_values, colorbar)
        return self

    @property
    def _title(self) -> str:
        lines = []
        if self.scores is not None:
            rows = "" if self.n_rows is None else f" on {_canvas.counted(self.n_rows, 'row')}"
            name = _canvas.text(self.metric or "score", 60)
            lines.append(f"{name}: {self.scores[0]:.3f} → {self.scores[1]:.3f}{rows}")
        if self.n_changed is not None:
            lines.append(f"{_canvas.counted(self.n_changed, 'prediction')} changed")
        return ", ".join(lines)
