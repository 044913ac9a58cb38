"""The file that is kept: class names, one weight each, and a record of how they came about."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cwplugin import _core, _labels, _rows, _wish
from cwplugin._document import Document
from cwplugin._errors import InputError
from cwplugin._export import Exports
from cwplugin._page import Origin
from cwplugin.report import Report


class Model(Document, Exports):
    """A fitted rule: predict ``argmax_k w_k · cal(b)_k``.

    What ``cwplugin fit -o model.json`` writes is read here, and the other way round, byte for byte.

    Parameters
    ----------
    classes : sequence of shape (n_classes,)
        Class labels, in the order of the columns.
    weights : array-like of shape (n_classes,)
        One weight per class, of any scale; they are divided by their sum.

    Examples
    --------
    >>> from cwplugin import Model
    >>> model = Model(["ham", "spam"], [1, 3])
    >>> model.apply([[0.7, 0.3], [0.8, 0.2]])
    array(['spam', 'ham'], dtype='<U4')
    """

    _what = "a model"
    _writers = "`Model.save` and `cwplugin fit -o FILE` write a model"
    _type = _core.Model

    _core: _core.Model
    #: What the model file says, once somebody has asked.
    _parsed: dict[str, Any] | None = None
    _told: Report | None = None

    def __init__(self, classes: _labels.Classes, weights: ArrayLike) -> None:
        labels = np.asarray(classes)
        names = [_labels.name_of(_labels.item(label)) for label in labels]
        self._labels = labels
        self._core = _core.Model(names, np.asarray(weights, dtype=np.float64).tolist())

    @property
    def weights(self) -> NDArray[np.float64]:
        """One weight per class, behind the calibration if there is one; array of shape (n_classes,)."""
        return self._core.weights

    @property
    def calibration(self) -> dict[str, Any] | None:
        """What is made of a row before the weights, as it stands in the file; None for nothing."""
        calibration: dict[str, Any] | None = self._document()["calibration"]
        return calibration

    @property
    def report(self) -> Report | None:
        """How the rule came about, if the file says so."""
        return None if self._document()["fit"] is None else self._report()

    def _report(self) -> Report:
        if self._told is None:
            told = Report.of(self._document()["fit"], self._core.classes, self.weights, self._core.verdict)
            self._told = dataclasses.replace(told, _origin=Origin(self))
        return self._told

    def _document(self) -> dict[str, Any]:
        if self._parsed is None:
            self._parsed = json.loads(self.to_json())
        return self._parsed

    def _rows(self, X: Any, features: Any, scores: str, normalize: bool) -> _rows.Rows:
        names = self._core.classes
        chosen, columns = _rows.in_order(X, names, is_named=True)
        table = _rows.matrix(chosen)
        if columns is None and features is None and self._core.n_features is not None:
            raise InputError("the model looks at features\n  hint: pass features=…, one row of them per row")
        array = None if features is None else _rows.matrix(features, "features").astype(np.float64)
        return _rows.Rows(table, names, features=array, columns=columns or names, scores=scores, normalize=normalize)

    def apply(
        self,
        X: Any,
        *,
        features: ArrayLike | None = None,
        scores: str = "probabilities",
        normalize: bool = False,
        n_jobs: int | None = None,
    ) -> NDArray[Any]:
        """Predict the class of every row.

        Parameters
        ----------
        X : array-like or table of shape (n_rows, n_classes)
            Probabilities of the black box. The columns of a table are found by their names, which may begin with
            ``p_``; those of an array are in the order of :attr:`classes`.
        features : array-like of shape (n_rows, n_features), default=None
            What a model of method ``logistic`` looks at.
        scores : {"probabilities", "logits", "logprobs"}, default="probabilities"
            What the numbers are.
        normalize : bool, default=False
            Whether to divide every row by its sum, rather than to refuse one that does not sum to 1.
        n_jobs : int, default=None
            Threads; one per processor if None.

        Returns
        -------
        ndarray of shape (n_rows,)
            Labels, of the kind that :attr:`classes` is of.
        """
        codes = self._core.predict(self._rows(X, features, scores, normalize), _wish.jobs(n_jobs))
        return np.take(self._labels, codes)

    def scores(
        self, X: Any, *, features: ArrayLike | None = None, scores: str = "probabilities", normalize: bool = False
    ) -> NDArray[np.float64]:
        """What the largest is taken of, divided by its sum; not calibrated probabilities.

        Parameters
        ----------
        X, features, scores, normalize
            As for :meth:`apply`.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            ``w_k · cal(b)_k``, every row divided by its sum.
        """
        return self._core.scores(self._rows(X, features, scores, normalize))

    def __hash__(self) -> int:
        return hash(self.to_json())

    def __repr__(self) -> str:
        weights = ", ".join(
            f"{name}: {weight:.4f}" for name, weight in zip(self._core.classes[:8], self.weights, strict=False)
        )
        more = ", …" if len(self._core.classes) > 8 else ""
        return f"Model({{{weights}{more}}})"
