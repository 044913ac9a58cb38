"""Metrics that can only be measured in production: which weights to try next."""

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
    """Weights to deploy, and the metric that was measured with them.

    Attributes
    ----------
    id : int
        Its number: 1 is the first.
    weights : ndarray of shape (n_classes,)
        The weights to deploy.
    model : Model
        The weights as a model, to apply.
    repeat : int
        How often these weights were queried before.
    value, se : float or None
        The answer and its standard error, once they are known.
    """

    id: int
    weights: NDArray[np.float64]
    model: Model
    repeat: int
    value: float | None = None
    se: float | None = None


@dataclass(slots=True)
class SessionRequest:
    """A new session, as the Rust side takes it."""

    classes: list[str]
    mode: str
    budget: int
    reference: int | None
    quasi_concave: bool
    repeats: int
    precision: float | None
    rows: _rows.Rows | None


class Session(Document):
    """A search for the weights that maximise a metric which can only be measured.

    Nothing is random: the next query follows from the answers so far. Files are those of ``cwplugin elicit``.

    Parameters
    ----------
    classes : sequence of shape (n_classes,)
        Labels, in the order of the columns.
    budget : int
        Largest number of queries.
    mode : {"safe", "restricted"}, default="safe"
        ``"safe"`` queries weights near the best ones so far, with all classes; ``"restricted"`` queries one class
        against the reference, as in the paper, for offline oracles.
    reference : label, default=None
        The class whose weight stays fixed; the last if None.
    quasi_concave : bool, default=False
        Whether the metric has one peak along every line, so that fewer queries are needed.
    repeats : int, default=1
        Measurements of each point, for answers without a standard error.
    precision : float, default=None
        Precision of the result: of α in restricted mode, of a log-weight in safe mode.
    X : array-like or table of shape (n_rows, n_classes), default=None
        Probabilities of a sample of the population: step sizes are then measured by the predictions that change.

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
                f'reference: unknown class "{reference}"\n  hint: the classes are {_labels.quoted(labels)}'
            )
        names = _labels.names(labels)
        request = SessionRequest(
            classes=names,
            mode=mode,
            budget=int(budget),
            reference=None if reference is None else labels.index(_labels.item(reference)),
            quasi_concave=bool(quasi_concave),
            repeats=int(repeats),
            precision=precision,
            rows=None if X is None else _rows.read_by_name(X, names),
        )
        self._core = _core.Session(request)

    @property
    def budget(self) -> int:
        """Largest number of queries."""
        return self._core.budget

    @property
    def queries(self) -> list[Query]:
        """Every query so far, with its answer."""
        return [self._query(facts) for facts in self._core.queries()]

    def _query(self, facts: tuple[int, list[float], int, tuple[float, float | None] | None]) -> Query:
        number, weights, repeat, answer = facts
        value, se = (None, None) if answer is None else answer
        return Query(number, np.array(weights), Model(self._labels, weights), repeat, value, se)

    def ask(self, batch: int = 1) -> list[Query]:
        """The next weights to deploy; queries without an answer come first.

        Parameters
        ----------
        batch : int, default=1
            Largest number of open queries.

        Returns
        -------
        list of Query
            Empty if the search is done, or the budget is used up.
        """
        return [self._query(facts) for facts in self._core.ask(int(batch))]

    def tell(self, id: int, value: float, se: float | None = None) -> None:
        """Record an answer; repeating it has no effect.

        Parameters
        ----------
        id : int
            The number of the query.
        value : float
            The metric with these weights; larger is better.
        se : float, default=None
            Its standard error.
        """
        self._core.tell(int(id), float(value), None if se is None else float(se))

    def run(
        self, oracle: Callable[[Query], float | tuple[float, float]], path: str | os.PathLike[str] | None = None
    ) -> Model:
        """Query a function until the search is done.

        Parameters
        ----------
        oracle : callable
            Takes a :class:`Query`, and returns the metric, or the metric and its standard error.
        path : str or path-like, default=None
            File to save the session to after every answer.

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
        """Whether the search is done; if not, answers are missing, or the budget is used up."""
        return self._core.is_done()

    def model(self) -> Model:
        """The best weights so far, with a report of the search.

        Returns
        -------
        Model
            The weights as a model.
        """
        return Model._of(self._core.model(), self._labels)

    def __repr__(self) -> str:
        answers = sum(query.value is not None for query in self.queries)
        return f"Session({len(self._labels)} classes, {answers} of at most {self.budget} answers)"
