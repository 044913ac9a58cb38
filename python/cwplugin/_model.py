"""The model: classes, decision rule and the report of its fit."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cwplugin import _core, _labels, _request, _rows
from cwplugin._document import Document
from cwplugin._errors import InputError, warn
from cwplugin._export import Exports
from cwplugin._page import PageSource
from cwplugin.report import Report


class Model(Document, Exports):
    """A decision rule: predict ``argmax_k w_k · cal(b)_k``.

    Its file is the one that ``cwplugin fit -o model.json`` writes, byte for byte.

    Parameters
    ----------
    classes : sequence of shape (n_classes,)
        Class labels, in the order of the columns.
    weights : array-like of shape (n_classes,)
        One weight per class; they are divided by their sum.

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
    #: The model file, once it was needed.
    _parsed: dict[str, Any] | None = None

    def __init__(self, classes: _labels.Classes, weights: ArrayLike) -> None:
        self._labels = np.asarray(classes)
        self._core = _core.Model(_labels.names(self._labels), np.asarray(weights, dtype=np.float64).tolist())

    @property
    def weights(self) -> NDArray[np.float64]:
        """One weight per class, applied after the calibration if there is one; array of shape (n_classes,)."""
        return self._core.weights

    @property
    def calibration(self) -> dict[str, Any] | None:
        """The calibration map as in the model file; None if there is none."""
        calibration: dict[str, Any] | None = self._document()["calibration"]
        return calibration

    @property
    def report(self) -> Report | None:
        """The report of the fit; None if the model was not fitted."""
        return None if self._document()["fit"] is None else Report(PageSource(self))

    @property
    def input(self) -> dict[str, Any]:
        """How raw input became the probabilities of the fit, as in the model file; empty for plain probabilities.

        :meth:`apply`, :meth:`scores` and :func:`evaluate` use ``scores`` and ``normalize`` without being told, and read
        an array as votes if the model was fitted on votes. A fit on :class:`Replies` stores the options of
        :func:`read_replies`.
        """
        found: dict[str, Any] = json.loads(self._core.input)
        return found

    def _document(self) -> dict[str, Any]:
        if self._parsed is None:
            self._parsed = json.loads(self.to_json())
        return self._parsed

    def _reading(self, scores: str | None, normalize: bool | None) -> dict[str, Any]:
        """How rows are read: as the caller says, who must not contradict the model, or else as the model says."""
        stored = self.input
        kind = "votes" if stored.get("from") == "votes" else stored.get("scores")
        if (kind, scores) != ("votes", "probabilities"):  # votes may have become probabilities already
            scores = _agreed("scores", scores, kind)
        return {
            "scores": scores or "probabilities",
            "normalize": bool(_agreed("normalize", normalize, stored.get("normalize"))),
        }

    def _checked(self, rows: _rows.Rows) -> _rows.Rows:
        """These rows, if they were read as those of the fit; warns about far fewer votes."""
        if rows.input is None and rows.scores != "votes":
            return rows
        found, fitted = json.loads(rows.input or "{}"), self.input
        if "from" in found and "from" in fitted:
            _check_replies(found, fitted)
        if (message := self._core.few_votes(rows)) is not None:
            warn(message)
        return rows

    def _rows(self, X: Any, features: Any, scores: str | None, normalize: bool | None) -> _rows.Rows:
        reading = self._reading(scores, normalize)
        if scores is None and hasattr(X, "_facts"):
            reading["scores"] = "probabilities"  # replies are read already
        if features is None and self._core.n_features is not None:
            raise InputError("the model uses features\n  hint: pass features=…, one row for each row of X")
        rows = _rows.read_by_name(X, self._core.classes, must_match=True, **reading)
        return self._checked(rows.with_features(features))

    def apply(
        self,
        X: Any,
        *,
        features: ArrayLike | None = None,
        scores: str | None = None,
        normalize: bool | None = None,
        n_jobs: int | None = None,
    ) -> NDArray[Any]:
        """Predict the class of every row.

        Parameters
        ----------
        X : array-like or table of shape (n_rows, n_classes)
            Probabilities of the black box. The columns of a table are found by their names, which may begin with
            ``p_``; those of an array are in the order of :attr:`classes`.
        features : array-like of shape (n_rows, n_features), default=None
            Features, for a model of method ``"logistic"``.
        scores : {"probabilities", "logits", "logprobs", "percentages", "votes"}, default=None
            What the numbers in ``X`` are; if None, what :attr:`input` says, or else probabilities.
        normalize : bool, default=None
            Whether to divide every row by its sum, instead of refusing rows that do not sum to 1; if None, what
            :attr:`input` says.
        n_jobs : int, default=None
            Threads; one per processor if None.

        Returns
        -------
        ndarray of shape (n_rows,)
            Labels, of the type of :attr:`classes`.
        """
        codes = self._core.predict(self._rows(X, features, scores, normalize), _request.jobs(n_jobs))
        return np.take(self._labels, codes)

    def scores(
        self,
        X: Any,
        *,
        features: ArrayLike | None = None,
        scores: str | None = None,
        normalize: bool | None = None,
    ) -> NDArray[np.float64]:
        """The score of every class in every row. Scores are not calibrated probabilities.

        Parameters
        ----------
        X, features, scores, normalize
            As for :meth:`apply`.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            ``w_k · cal(b)_k``, every row divided by its sum; ``1 / n_classes`` if the products are all zero.
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


#: Options of replies that decide about their probabilities, with their defaults; where a reply is does not.
_DECISIVE: dict[str, Any] = {"spellings": {}, "answer_at": None, "missing": "spread"}


def _check_replies(found: dict[str, Any], fitted: dict[str, Any]) -> None:
    """Refuse replies of another source than those of the fit, or that were read with other options."""
    one, other = found["from"], fitted["from"]
    if one != other:
        raise InputError(
            f'the replies are of "{one}", but the model was fitted on replies of "{other}"\n'
            f'  hint: pass replies of "{other}", or fit a model on those of "{one}"'
        )
    for option, default in _DECISIVE.items():
        if one == "votes" and option == "answer_at":
            continue  # the name of a field, as of labels and ids
        given, stored = (_sorted(options.get(option, default)) for options in (found, fitted))
        if given != stored:
            raise InputError(
                f"the replies were read with {option}={given!r}, but the model was fitted with {option}={stored!r}\n"
                f"  hint: read them with {option}={stored!r}, or fit a model on replies with {option}={given!r}"
            )


def _sorted(option: Any) -> Any:
    """An option; the order of spellings does not matter."""
    return {name: sorted(texts) for name, texts in option.items()} if isinstance(option, dict) else option


def _agreed(parameter: str, given: Any, stored: Any) -> Any:
    """What the caller or the model says; an error if they say different things."""
    if given is not None and stored is not None and given != stored:
        raise InputError(
            f"{parameter}={given!r}, but the model was fitted with {parameter}={stored!r}\n"
            f"  hint: leave out {parameter}, or fit a model with {parameter}={given!r}"
        )
    return stored if given is None else given
