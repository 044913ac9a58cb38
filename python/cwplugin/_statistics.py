"""Counters of cuts that merge across files and machines: the files of ``cwplugin stats``."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from cwplugin import _core, _labels, _metrics, _request, _rows
from cwplugin._document import Document
from cwplugin._model import Model


class Statistics(Document):
    """Sufficient statistics for Algorithm 1 on a grid, in memory that does not grow with the rows.

    Rows can be added and statistics merged in any order: a fit from them is the grid fit of all rows, to the last bit.
    One set of statistics serves every metric.

    Parameters
    ----------
    classes : sequence of shape (n_classes,)
        Labels, in the order of the columns.
    reference : label or "last", default="last"
        The class whose weight stays fixed.
    bins : int, default=1000
        Points of α: a fit is that of ``search="grid:0.001"``.

    Examples
    --------
    >>> from cwplugin import Statistics
    >>> morning, evening = Statistics(["ham", "spam"]), Statistics(["ham", "spam"])
    >>> _ = morning.add([[0.9, 0.1], [0.7, 0.3]], ["ham", "spam"])
    >>> _ = evening.add([[0.6, 0.4], [0.2, 0.8]], ["spam", "spam"])
    >>> model = morning.merge(evening).fit("macro-f1")
    >>> model.apply([[0.65, 0.35]])
    array(['spam'], dtype='<U4')
    """

    _what = "statistics"
    _writers = "`Statistics.save` and `cwplugin stats -o FILE` write them"
    _type = _core.Statistics

    _core: _core.Statistics

    def __init__(self, classes: _labels.Classes, reference: Any = "last", bins: int = 1000) -> None:
        self._labels = np.asarray(classes)
        names = _labels.names(self._labels)
        self._core = _core.Statistics(names, _request.reference(reference) or "last", int(bins))

    @property
    def reference(self) -> str:
        """The name of the reference class."""
        return self._core.reference

    @property
    def bins(self) -> int:
        """Points of α."""
        return self._core.bins

    @property
    def n_labelled(self) -> int:
        """Labelled rows with a weight above 0."""
        return self._core.n_labelled

    def add(
        self,
        X: Any,
        y: Any,
        sample_weight: ArrayLike | None = None,
        *,
        scores: str = "probabilities",
        normalize: bool = False,
    ) -> Statistics:
        """Count rows.

        Parameters
        ----------
        X : array-like or table of shape (n_rows, n_classes)
            Probabilities of the black box. The columns of a table are found by their names, which may begin with
            ``p_``; those of an array are in the order of :attr:`classes`.
        y : array-like of shape (n_rows,)
            True labels; None and NaN for unlabelled rows.
        sample_weight : array-like of shape (n_rows,), default=None
            Row weights.
        scores, normalize
            As for :class:`ClassWeightPlugin`.

        Returns
        -------
        Statistics
            Itself.
        """
        rows = _rows.read_by_name(X, self._core.classes, scores=scores, normalize=normalize)
        self._core.add(rows.labelled(y, self._labels, sample_weight))
        return self

    def merge(self, other: Statistics) -> Statistics:
        """Add what was counted on other rows.

        Parameters
        ----------
        other : Statistics
            Of the same classes, reference and bins.

        Returns
        -------
        Statistics
            Itself.
        """
        self._core.merge(other._core)
        return self

    def fit(
        self,
        metric: Any = "macro-f1",
        *,
        method: str = "cwplugin",
        ties: str | None = None,
        absent: str | None = None,
        binary: bool = False,
        force: bool = False,
        n_jobs: int | None = None,
    ) -> Model:
        """Fit a model from what was counted.

        Parameters
        ----------
        metric : str, Cost, callable or scorer, default="macro-f1"
            Metric to maximise, as for :class:`ClassWeightPlugin`.
        method : {"cwplugin", "cwplugin:published"}, default="cwplugin"
            Algorithm 1, with defaults for ``ties`` and ``absent``.
        ties, absent, force, n_jobs
            As for :class:`ClassWeightPlugin`.
        binary : bool, default=False
            Whether to evaluate few points of the grid, by binary search; for metrics with one peak.

        Returns
        -------
        Model
            The model of ``ClassWeightPlugin(method="cwplugin", search="grid:…", reference=…)`` on all rows.
        """
        search = _request.grid(self.bins, binary=True) if binary else None
        settings = {"search": search, "ties": ties, "absent": absent, "force": force}
        request = _request.FitRequest(
            metric=_metrics.spec(metric, self._labels),
            method=method,
            options=_request.options(settings, self._labels),
            jobs=_request.jobs(n_jobs),
        )
        return Model._of(self._core.fit(request), self._labels)

    def __copy__(self) -> Statistics:
        return Statistics._of(self._core.clone(), self._labels)

    def __repr__(self) -> str:
        names = ", ".join(self._core.classes[:8]) + (", …" if len(self._core.classes) > 8 else "")
        return f"Statistics([{names}], reference={self.reference!r}, bins={self.bins}, n_labelled={self.n_labelled})"
