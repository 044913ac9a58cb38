"""How a fit came about, in words and numbers."""

from __future__ import annotations

import html
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cwplugin._errors import InputError

if TYPE_CHECKING:
    from cwplugin._page import Origin


class Scores(NamedTuple):
    """A metric on the labelled rows that were fitted, before and after."""

    #: With the black box as it is.
    clean: float
    #: With the fitted rule.
    fitted: float


@dataclass(frozen=True)
class Outlook:
    """What the metric is expected to be on new rows.

    Attributes
    ----------
    clean, fitted : float
        With the black box as it is, and with the rule.
    low, high : float or None
        The 95 % interval of ``fitted``, if anything is known of it.
    gain, gain_sd : float
        ``fitted - clean``, and how far off that may be; None if nothing is known of that.
    """

    clean: float
    fitted: float
    gain: float
    gain_sd: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Trial:
    """How a method did on rows that it was not fitted on."""

    method: str
    score: float
    low: float
    high: float
    gain: float
    gain_sd: float


@dataclass(frozen=True)
class Pair:
    """What Algorithm 1 found for one class against the fixed one."""

    class_: str
    alpha: float
    score: float
    plateau: tuple[float, float]
    evaluations: int


@dataclass(frozen=True)
class Limit:
    """A constraint, and how far the rule keeps to it."""

    constraint: str
    value: float
    margin: float
    probability: float


@dataclass(frozen=True)
class Doubt:
    """A doubt about the fit."""

    kind: str
    message: str
    class_: str | None = None


@dataclass(frozen=True)
class CurvePoint:
    """What that many labelled rows bring, on the others."""

    rows: int
    clean: float
    fitted: float
    gain: float
    gain_sd: float


@dataclass(frozen=True)
class Report:
    """How a fit came about: what was tried, found and doubted.

    Attributes
    ----------
    method, metric : str
        Their names; the metric is None where none was looked at.
    rows, unlabelled : int
        Labelled rows that were learned from, and rows without a label.
    verdict : str or None
        What to expect on new rows, in a sentence; only of methods that make a forecast.
    score : Scores or None
        The metric on the labelled rows, before and after.
    outlook : Outlook or None
        What to expect on new rows, in numbers.
    chosen, reason : str or None
        What ``auto`` took, and why.
    tried : tuple of Trial
        What ``auto`` tried, on rows held out.
    pairs : tuple of Pair
        What Algorithm 1 found, class by class.
    constraints : tuple of Limit
        What ``subject_to`` asked for, and how far the rule keeps to it.
    learning_curve : tuple of CurvePoint
        How the gain grows with the labels, if that was asked for.
    warnings : tuple of Doubt
        Every doubt.
    weights : dict of str to float
        One weight per class.
    spread : dict of str to (low, high), or None
        The 95 % range of the weights over the refits of ``bagged``.
    record : dict
        All that the model file holds.
    """

    method: str
    metric: str | None
    rows: int
    unlabelled: int
    weights: dict[str, float]
    verdict: str | None = None
    score: Scores | None = None
    outlook: Outlook | None = None
    chosen: str | None = None
    reason: str | None = None
    tried: tuple[Trial, ...] = ()
    pairs: tuple[Pair, ...] = ()
    constraints: tuple[Limit, ...] = ()
    learning_curve: tuple[CurvePoint, ...] = ()
    warnings: tuple[Doubt, ...] = ()
    spread: dict[str, tuple[float, float]] | None = None
    record: Mapping[str, Any] = field(default_factory=dict, repr=False)
    _origin: Origin | None = field(default=None, repr=False, compare=False)

    @classmethod
    def of(
        cls,
        record: Mapping[str, Any],
        classes: Sequence[str],
        weights: NDArray[np.float64],
        verdict: str | None = None,
    ) -> Report:
        """The report of a model's record of its fit."""

        def only(kind: type, entry: Mapping[str, Any]) -> Any:
            fields = kind.__dataclass_fields__  # type: ignore[attr-defined]
            values = {name: entry.get("class" if name == "class_" else name) for name in fields}
            return kind(**{name: value for name, value in values.items() if value is not None or name == "class_"})

        score, outlook = record.get("score"), record.get("outlook")
        spread = record.get("spread")
        curve = (record.get("learning_curve") or {}).get("points", ())
        pairs = (only(Pair, pair) for pair in record.get("pairs", ()))
        return cls(
            method=record["method"],
            metric=record.get("metric"),
            rows=record.get("rows") or 0,
            unlabelled=record.get("unlabelled") or 0,
            weights=dict(zip(classes, weights.tolist(), strict=True)),
            verdict=verdict,
            score=None if score is None else Scores(score["clean"], score["fitted"]),
            outlook=None if outlook is None else only(Outlook, outlook),
            chosen=record.get("chosen"),
            reason=record.get("reason"),
            tried=tuple(only(Trial, trial) for trial in record.get("tried", ())),
            pairs=tuple(Pair(p.class_, p.alpha, p.score, tuple(p.plateau), p.evaluations) for p in pairs),
            constraints=tuple(only(Limit, limit) for limit in record.get("constraints", ())),
            learning_curve=tuple(only(CurvePoint, point) for point in curve),
            warnings=tuple(only(Doubt, doubt) for doubt in record.get("warnings", ())),
            spread=None
            if spread is None
            else {name: (entry["low"], entry["high"]) for name, entry in zip(classes, spread, strict=True)},
            record=record,
        )

    @property
    def headline(self) -> str:
        """The fit in a sentence: the verdict, or else the scores on the rows that were fitted."""
        if self.verdict is not None:
            return self.verdict
        labelled = f"{self.rows} labelled row{'' if self.rows == 1 else 's'}"
        if self.score is None:
            return f"{self.method} on {labelled}"
        clean, fitted = self.score
        return f"{self.metric} on the {labelled} that were fitted: {clean:.4f} → {fitted:.4f} ({fitted - clean:+.4f})"

    def to_html(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        X: Any = None,
        y: Any = None,
        sample_weight: ArrayLike | None = None,
        features: ArrayLike | None = None,
        X_test: Any = None,
        y_test: Any = None,
        sample_weight_test: ArrayLike | None = None,
        features_test: ArrayLike | None = None,
        metrics: Any = "all",
        resamples: int = 1000,
        refits: int | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
        data: str = "the labelled rows",
        test: str = "the test rows",
    ) -> str:
        """A page about the fit, to look at before it is deployed: what ``cwplugin report`` writes.

        One file without network, with sliders to try other weights. Refits take as long as ``refits`` fits and thirty
        smaller ones.

        Parameters
        ----------
        path : str or path-like, default=None
            Where to write it.
        X, y, sample_weight, features
            The rows of the fit. An estimator that was fitted here, on at most a million probabilities, knows them.
        X_test, y_test, sample_weight_test, features_test
            Labelled rows that were not fitted, for everything that is to be judged.
        metrics : str, metric or sequence of them, default="all"
            What is shown, as for :func:`evaluate`; the metric of the fit always is.
        resamples : int, default=1000
            How often the rows are drawn anew for the intervals.
        refits : int, default=None
            Fits of bootstrap samples, to see how far the weights go with other labels; 0 for none, and no learning
            curve. 40 if None, fewer on many rows.
        random_state, n_jobs, verbose
            As for :class:`ClassWeightPlugin`.
        data, test : str
            What the rows are called on the page.

        Returns
        -------
        str
            The page.
        """
        from cwplugin import _files, _page

        origin = self._origin
        if origin is None:
            raise InputError("this report has no model\n  hint: ask the report of a Model or of a fitted estimator")
        rows = origin.rows if X is None else origin.labelled(X, y, sample_weight, features)
        if rows is None:
            raise InputError("the rows of the fit are not known here any more\n  hint: pass them: to_html(X=…, y=…)")
        of_test = None if X_test is None else origin.labelled(X_test, y_test, sample_weight_test, features_test)
        effort = _page.Effort(resamples, refits, random_state, n_jobs, verbose)
        text = _page.page(origin, rows, of_test, metrics, (data, test), effort)
        if path is not None:
            _files.write_text(path, text)
        return text

    def __str__(self) -> str:
        lines = [self.headline, ""]
        lines += [f"  {name:<20} {weight:.6f}" for name, weight in self.weights.items()]
        lines += [
            f"  {limit.constraint}: {limit.value:.4f} on these rows, holds on new rows with a chance of "
            f"{100 * limit.probability:.1f} %"
            for limit in self.constraints
        ]
        lines += [f"  warning: {doubt.message}" for doubt in self.warnings]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """The report as a notebook shows it."""
        parts = [f"<p><b>{html.escape(self.headline)}</b></p>"]
        if self.tried:
            rows = [(t.method, f"{t.score:.4f}", f"{t.low:.4f} … {t.high:.4f}", gain(t)) for t in self.tried]
            parts.append(table("on rows held out", ("method", "score", "95 %", "gain"), rows))
        parts.append(self._class_table())
        if self.constraints:
            limits = [
                (c.constraint, f"{c.value:.4f}", f"{c.margin:+.4f}", f"{100 * c.probability:.1f} %")
                for c in self.constraints
            ]
            columns = ("subject to", "on these rows", "margin", "holds on new rows")
            parts.append(table("constraints", columns, limits))
        if self.learning_curve:
            points = [
                (str(p.rows), f"{p.clean:.4f}", f"{p.fitted:.4f}", f"{p.gain:+.4f} ± {p.gain_sd:.4f}")
                for p in self.learning_curve
            ]
            parts.append(table("learning curve", ("rows fitted", "clean", "fitted", "gain"), points))
        if self.warnings:
            doubts = "".join(f"<li>{html.escape(doubt.message)}</li>" for doubt in self.warnings)
            n = len(self.warnings)
            title = f"{n} warning{'' if n == 1 else 's'}"
            parts.append(f"<details><summary>{title}</summary><ul>{doubts}</ul></details>")
        return page(parts)

    def _class_table(self) -> str:
        pairs = {pair.class_: pair for pair in self.pairs}
        columns = ["class", "weight", "beside equal weights"]
        columns += ["alpha", "plateau"] if pairs else []
        columns += ["95 % of refits"] if self.spread else []
        rows = []
        for name, weight in self.weights.items():
            row = [name, f"{weight:.6f}", f"× {weight * len(self.weights):.2f}"]
            if pairs:
                pair = pairs.get(name)
                row += (
                    ["", "fixed" if name == self.record.get("reference") else "not searched"]
                    if pair is None
                    else [
                        f"{pair.alpha:.6f}",
                        f"{pair.plateau[0]:.4f} … {pair.plateau[1]:.4f}",
                    ]
                )
            if self.spread:
                low, high = self.spread[name]
                row.append(f"{low:.6f} … {high:.6f}")
            rows.append(row)
        caption = "weights" if self.record.get("freedom") is None else "weights, behind the mended probabilities"
        return table(caption, columns, rows)


def gain(trial: Trial) -> str:
    """A gain with its uncertainty; nothing for what others are compared with."""
    return "" if trial.method == "clean" else f"{trial.gain:+.4f} ± {trial.gain_sd:.4f}"


#: For all tables of a page; colours come from the notebook, light or dark.
STYLE = """<style>
.cwplugin { font-family: sans-serif; font-size: 0.9em; }
.cwplugin p { margin: 0.4em 0; }
.cwplugin table { border-collapse: collapse; margin: 0.6em 0 1em; font-variant-numeric: tabular-nums; }
.cwplugin caption { text-align: left; font-weight: 600; padding: 0.2em 0; caption-side: top; color: inherit; }
.cwplugin th, .cwplugin td { text-align: right; padding: 0.15em 0.8em; border-bottom: 1px solid #8884; }
.cwplugin th:first-child, .cwplugin td:first-child { text-align: left; padding-left: 0.2em; }
</style>"""


def page(parts: Sequence[str]) -> str:
    """Parts of HTML as a notebook shows them."""
    return f'<div class="cwplugin">{STYLE}{"".join(parts)}</div>'


def table(caption: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of HTML; whatever stands in it is text."""
    head = "".join(f'<th scope="col">{html.escape(column)}</th>' for column in columns)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    title = f"<caption>{html.escape(caption)}</caption>"
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
