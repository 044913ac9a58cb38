"""The page about a fit: what ``cwplugin report`` writes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cwplugin import _core, _metrics, _rows, _wish
from cwplugin._errors import InputError

if TYPE_CHECKING:
    from cwplugin._model import Model

#: Rows of more probabilities are not kept for a page that may never be asked for.
MOST_KEPT = 1_000_000


@dataclass(slots=True)
class PageWish:
    """What is asked for, as the Rust side takes it."""

    metrics: list[Any]
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
class Origin:
    """Where a report comes from."""

    model: Model
    #: The rows of the fit, if they were few enough to be kept.
    rows: _rows.Rows | None = None
    #: What was maximised, as the user gave it; the name in the model file if None.
    metric: Any = None
    #: Writes what fits again, as code.
    code: Callable[[], str] | None = None
    scores: str = "probabilities"
    normalize: bool = False

    def labelled(self, X: Any, y: Any, sample_weight: Any, features: Any) -> _rows.Rows:
        """Rows of the user's, with their labels."""
        if y is None:
            raise InputError("rows for a page need labels\n  hint: pass y= beside X=, and y_test= beside X_test=")
        from cwplugin import _evaluate

        return _evaluate.labelled(self.model, X, y, sample_weight, features, self.scores, self.normalize)

    def own_metric(self) -> Any:
        """The metric of the fit, if it can be had."""
        if self.metric is not None:
            return _metrics.wish(self.metric, self.model.classes)
        record = self.model._document()["fit"] or {}
        name: str = record.get("metric") or ""
        head = name.split(":")[0]
        needs_file = head in ("cost", "linear-fractional", "command", "command-once")
        is_known = any(entry.split(":")[0] == head for entry in _metrics.metric_names())
        return name if is_known and not needs_file else None

    def commands(self) -> list[str]:
        """How to get the same again."""
        if self.code is None:
            load = 'model = Model.load("model.json")'
            return ["from cwplugin import Model", load, 'model.report.to_html("report.html", X=X, y=y)']
        fit = f"plugin = {self.code()}.fit(X, y)"
        return ["from cwplugin import ClassWeightPlugin", fit, 'plugin.report_.to_html("report.html")']


@dataclass(frozen=True, slots=True)
class Effort:
    """How much work a page is worth."""

    resamples: int
    refits: int | None
    random_state: Any
    n_jobs: int | None
    verbose: int


def is_small(rows: _rows.Rows) -> bool:
    """Whether rows may be kept."""
    n, m = _rows.shape(rows.probabilities)
    return n is not None and m is not None and n * m <= MOST_KEPT


def page(
    origin: Origin, rows: _rows.Rows, test: _rows.Rows | None, metrics: Any, names: tuple[str, str], effort: Effort
) -> str:
    """The page as a text."""
    from cwplugin import _evaluate

    data, test_name = names
    wish = PageWish(
        metrics=_evaluate.chosen(metrics, origin.model.classes),
        metric=origin.own_metric(),
        resamples=int(effort.resamples),
        refits=None if effort.refits is None else int(effort.refits),
        seed=_wish.seed(effort.random_state),
        jobs=_wish.jobs(effort.n_jobs),
        verbose=bool(effort.verbose),
        data=data,
        test=None if test is None else test_name,
        commands=origin.commands(),
    )
    return _core.report_page(origin.model._core, rows, test, wish)
