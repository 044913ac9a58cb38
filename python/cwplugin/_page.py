"""What a report page is made of: the model, the rows of its fit, and the code that reproduces it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cwplugin import _rows
from cwplugin._errors import InputError

if TYPE_CHECKING:
    from cwplugin._model import Model

#: Rows with more probabilities are not kept after a fit.
MOST_KEPT = 1_000_000


@dataclass(slots=True)
class PageRequest:
    """A page, as the Rust side takes it."""

    metrics: list[Any]
    #: The metric of the fit; the one that the model names if None.
    metric: Any
    resamples: int
    refits: int | None
    seed: int
    jobs: int | None
    verbose: bool
    data: str
    test: str | None
    commands: list[str]


@dataclass(frozen=True, slots=True)
class PageSource:
    """The model of a report, and what is known about its fit."""

    model: Model
    #: The rows of the fit, if they were few enough to keep.
    rows: _rows.Rows | None = None
    #: The metric as the user gave it.
    metric: Any = None
    #: Gives the code of the estimator.
    code: Callable[[], str] | None = None
    #: As for the model, which may say it itself.
    scores: str | None = None
    normalize: bool | None = None

    def labelled(self, X: Any, y: Any, sample_weight: Any, features: Any) -> _rows.Rows:
        """Labelled rows for the page."""
        if y is None:
            raise InputError("rows for a page need labels\n  hint: pass y= with X=, and y_test= with X_test=")
        rows = self.model._rows(X, features, self.scores, self.normalize)
        return rows.labelled(y, self.model.classes, sample_weight)

    def commands(self) -> list[str]:
        """The code that reproduces the page."""
        if self.code is None:
            load = 'model = Model.load("model.json")'
            return ["from cwplugin import Model", load, 'model.report.to_html("report.html", X=X, y=y)']
        fit = f"plugin = {self.code()}.fit(X, y)"
        return ["from cwplugin import ClassWeightPlugin", fit, 'plugin.report_.to_html("report.html")']


def is_small(rows: _rows.Rows) -> bool:
    """Whether rows may be kept after a fit."""
    n, m = _rows.shape(rows.probabilities)
    return n is not None and m is not None and n * m <= MOST_KEPT
