"""A metric that only production can tell: which weights to try next, and what the answers say."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cwplugin import _core, _labels, _rows
from cwplugin._document import Document
from cwplugin._errors import InputError
from cwplugin._model import Model


@dataclass(frozen=True)
class Query:
    """Weights to deploy, and what they turned out to be worth.

    Attributes
    ----------
    id : int
        Its number: 1 is the first.
    weights : ndarray of shape (n_classes,)
        The weights to deploy.
    model : Model
        The same as a model, to apply.
    repeat : int
        How often they were asked about before.
    value, se : float or None
        The answer and its standard error, once they are told.
    """

    id: int
    weights: NDArray[np.float64]
    model: Model
    repeat: int
    value: float | None = None
    se: float | None = None


@dataclass(slots=True)
class Recipe:
    """How weights are asked for, as the Rust side takes it."""

    classes: list[str]
    mode: str
    budget: int
    reference: int | None
    quasi_concave: bool
    repeats: int
    precision: float | None
    rows: _rows.Rows | None


class Session(Document):
    """Questions and answers about a metric that can only be measured.

    Nothing is random, and nothing is lost: what to ask next is worked out from the answers alone, and files are those
    of ``cwplugin elicit``.

    Parameters
    ----------
    classes : sequence of shape (n_classes,)
        Labels, in the order of the columns.
    budget : int
        How many questions there may be.
    mode : {"safe", "restricted"}, default="safe"
        ``"safe"`` keeps all classes in play, and stays near the best weights so far; ``"restricted"`` asks as the paper
        does, one class against the reference, for an oracle that harms nobody.
    reference : label, default=None
        The class whose weight stays fixed; the last if None.
    quasi_concave : bool, default=False
        Whether the metric rises to one peak and falls along every line: fewer questions do.
    repeats : int, default=1
        How often each place is measured, for answers that come without a standard error.
    precision : float, default=None
        How far off a place may be in the end.
    X : array-like or table of shape (n_rows, n_classes), default=None
        What the black box says of some rows: steps are then measured by the rows that they move.

    Examples
    --------
    >>> from cwplugin.elicit import Session
    >>> session = Session(["ham", "spam"], budget=40, mode="restricted", quasi_concave=True)
    >>> while queries := session.ask():
    ...     for query in queries:
    ...         session.tell(query.id, 1 - abs(query.weights[1] - 0.8))
    >>> session.model().weights.round(2)
    array([0.2, 0.8])
    """

    _what = "a session"
    _writers = "`Session.save` and `cwplugin elicit start -o FILE` write one"
    _type = _core.Session

    _core: _core.Session

    def __init__(
        self,
        classes: _labels.Classes,
        *,
        budget: int,
        mode: str = "safe",
        reference: Any = None,
        quasi_concave: bool = False,
        repeats: int = 1,
        precision: float | None = None,
        X: Any = None,
    ) -> None:
        self._labels = np.asarray(classes)
        labels = [_labels.item(label) for label in self._labels]
        if reference is not None and _labels.item(reference) not in labels:
            raise InputError(
                f'there is no class "{reference}" to keep fixed\n  hint: the classes are {_labels.quoted(labels)}'
            )
        names = [_labels.name_of(label) for label in labels]
        rows = None
        if X is not None:
            chosen, columns = _rows.in_order(X, names, is_named=False)
            rows = _rows.Rows(_rows.matrix(chosen), names, columns=columns or [])
        place = None if reference is None else labels.index(_labels.item(reference))
        recipe = Recipe(names, mode, int(budget), place, bool(quasi_concave), int(repeats), precision, rows)
        self._core = _core.Session(recipe)

    @property
    def budget(self) -> int:
        """How many questions there may be."""
        return self._core.budget

    @property
    def queries(self) -> list[Query]:
        """Every question so far, with its answer."""
        return [self._query(asked) for asked in self._core.queries()]

    def _query(self, asked: tuple[int, list[float], int, tuple[float, float | None] | None]) -> Query:
        number, weights, repeat, answer = asked
        value, se = (None, None) if answer is None else answer
        return Query(number, np.array(weights), Model(self._labels, weights), repeat, value, se)

    def ask(self, batch: int = 1) -> list[Query]:
        """What to deploy next; what was asked before and is not answered yet comes first.

        Parameters
        ----------
        batch : int, default=1
            At most so many at once.

        Returns
        -------
        list of Query
            Nothing if nothing is left to ask, or the budget is used up.
        """
        return [self._query(asked) for asked in self._core.ask(int(batch))]

    def tell(self, id: int, value: float, se: float | None = None) -> None:
        """Take an answer; the same one told twice counts once.

        Parameters
        ----------
        id : int
            The number of the question.
        value : float
            What the weights are worth; larger is better.
        se : float, default=None
            Its standard error.
        """
        self._core.tell(int(id), float(value), None if se is None else float(se))

    def run(
        self, oracle: Callable[[Query], float | tuple[float, float]], path: str | os.PathLike[str] | None = None
    ) -> Model:
        """Ask a function until nothing is left to ask.

        Parameters
        ----------
        oracle : callable
            Takes a :class:`Query`, and gives what its weights are worth, or that and its standard error.
        path : str or path-like, default=None
            Where the session is saved after every answer, so that none is lost.

        Returns
        -------
        Model
            The best weights.
        """
        while queries := self.ask():
            for query in queries:
                answer = oracle(query)
                value, se = answer if isinstance(answer, tuple) else (answer, None)
                self.tell(query.id, value, se)
                if path is not None:
                    self.save(path)
        return self.model()

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to ask; else answers are missing, or the budget is used up."""
        return self._core.is_done()

    def model(self) -> Model:
        """The best weights so far, with a record of how they came about.

        Returns
        -------
        Model
            To apply and to save.
        """
        return Model._of(self._core.model(), self._labels)

    def __repr__(self) -> str:
        told = sum(query.value is not None for query in self.queries)
        return f"Session({len(self._labels)} classes, {told} of at most {self.budget} answers)"
