"""The report of a fit: the ``fit`` object of the model file, with attribute access."""

from __future__ import annotations

import html
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from numpy.typing import ArrayLike

from cwplugin import _core, _files, _metrics, _request
from cwplugin._errors import InputError

if TYPE_CHECKING:
    from cwplugin._page import PageSource


class Record:
    """A JSON object whose fields are attributes: ``report.forecast.low``.

    Objects in it are records too, and lists are tuples. A field that is a keyword of Python has an underscore at its
    end: ``warning.class_``.

    Parameters
    ----------
    fields : mapping
        The object.
    """

    #: Fields that a document leaves out if they are unknown, and their values then.
    _optional: ClassVar[Mapping[str, Any]] = dict.fromkeys(
        ("class", "gain_sd", "high", "lead", "limit", "low", "probability_of_gain", "rows_needed", "slope", "standing")
    )

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._fields = fields

    def __getattr__(self, name: str) -> Any:
        field = name.removesuffix("_")
        fields = self.__dict__.get("_fields", {})
        if field in fields:
            return _view(fields[field])
        if field in self._optional:
            return self._optional[field]
        raise AttributeError(f"{type(self).__name__!r} has no field {name!r}")

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._fields})

    def to_dict(self) -> dict[str, Any]:
        """The object itself.

        Returns
        -------
        dict
            As in the document.
        """
        return dict(self._fields)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._fields == other._fields

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={_view(value)!r}" for name, value in self._fields.items())
        return f"{type(self).__name__}({fields})"


def _view(value: Any) -> Any:
    if isinstance(value, Mapping):
        return Record(value)
    return tuple(_view(one) for one in value) if isinstance(value, list) else value


class ConstraintStatus(Record):
    """A constraint, and whether the rule meets it.

    Attributes
    ----------
    constraint : str
        The constraint.
    value, margin : float
        The constrained metric on the labelled rows, and its distance to the limit; negative if the limit is violated.
    probability : float
        The estimated probability that the constraint holds on new rows.
    """

    @property
    def is_met(self) -> bool:
        """Whether it holds on the labelled rows."""
        return bool(self.margin >= 0)

    def __str__(self) -> str:
        return f"{self.constraint}: {self.value:.4f} on these rows ({'met' if self.is_met else 'not met'})"


class Report(Record):
    """The report of a fit: the ``fit`` object of the model file.

    Fields of other methods than the fitted one are None, or empty. ``docs/model-format.md`` describes all fields.

    Attributes
    ----------
    method, metric : str
        Their names; the metric is None if the method does not use one.
    options : dict of str to str
        The options that were set.
    rows, unlabelled : int
        Labelled rows used, and unlabelled rows.
    seed : int
        Seed of everything random.
    score : Record or None
        The metric on the labelled rows: ``clean`` of the unadjusted black box, ``fitted`` of the rule.
    forecast : Record or None
        The metric expected on new rows: ``clean``, ``fitted`` with 95% confidence interval ``low`` to ``high``,
        ``gain``, its standard deviation ``gain_sd``, and ``probability_of_gain``.
    constraints : tuple of ConstraintStatus
        The constraints of ``subject_to``: ``constraint``, ``value``, ``margin``, ``probability``, ``is_met``.
    adjusted : bool or None
        Whether the rule was changed to meet the constraints.
    learning_curve : Record or None
        The gain against the number of labels, if requested: ``points``, ``limit``, ``slope``, ``rows_needed``.
    warnings : tuple of Record
        What to be careful about: ``kind``, ``message``, ``class_``.
    chosen, reason : str or None
        The choice of ``auto``.
    candidates : tuple of Record
        The methods that ``auto`` compared by cross-validation: ``method``, ``cv_score``, ``low``, ``high``, ``gain``,
        ``gain_sd``, and why each was chosen or not: ``standing`` and ``lead``.
    shrinkage : float or None
        How far ``auto``, ``expected`` and ``bagged`` go from the unadjusted black box (0) to the full rule (1).
    slopes : str or None
        The calibration of ``expected``: ``"shared"``, ``"per-class"`` or ``"matrix"``.
    reference : str or None
        The class that Algorithm 1 keeps fixed.
    pairs : tuple of Record
        The result of Algorithm 1 for each class: ``class_``, ``alpha``, ``score``, ``plateau``, ``evaluations``.
    n_bootstrap : int or None
        Refits of ``bagged``.
    spread : tuple of Record
        The range of each weight over the refits of ``bagged``: ``low``, ``median``, ``high``, ``sd``.
    """

    method: str
    warnings: tuple[Record, ...]

    _optional: ClassVar[Mapping[str, Any]] = {
        **dict.fromkeys(("metric", "rows", "unlabelled", "seed", "score", "forecast", "adjusted", "learning_curve")),
        **dict.fromkeys(
            ("chosen", "reason", "estimated_gain", "forecast_gain", "cv_rows", "rows_needed", "shrinkage", "slopes")
        ),
        **dict.fromkeys(("floor", "mixing", "fingerprint")),
        **dict.fromkeys(("reference", "search", "ties", "absent", "start", "cycles", "evaluations", "converged")),
        **dict.fromkeys(("n_bootstrap", "out_of_bag", "log_loss", "penalty", "epsilon", "iterations")),
        **dict.fromkeys(("source_priors", "target_priors", "mode", "queries")),
        "candidates": (),
        "pairs": (),
        "spread": (),
    }

    def __init__(self, source: PageSource) -> None:
        super().__init__(source.model._document()["fit"])
        self._source = source

    def __reduce__(self) -> tuple[Any, ...]:
        # The rows of the fit are kept for a page, not for a file.
        return _report_of, (self._source.model,)

    @property
    def options(self) -> dict[str, str]:
        """The options that were set, by name."""
        return dict(self._fields.get("options", {}))

    @property
    def constraints(self) -> tuple[ConstraintStatus, ...]:
        """The constraints, and whether the rule meets them."""
        return tuple(ConstraintStatus(one) for one in self._fields.get("constraints", ()))

    @property
    def weights(self) -> dict[str, float]:
        """One weight per class, by its name."""
        model = self._source.model
        return dict(zip(model._core.classes, model.weights.tolist(), strict=True))

    @property
    def verdict(self) -> str | None:
        """The expected gain in one sentence; None if the method does not estimate it."""
        return self._source.model._core.verdict

    @property
    def explanation(self) -> str | None:
        """Why ``auto`` made its choice, and why a method with a higher cross-validated score was not chosen."""
        return self._source.model._core.explanation

    @property
    def headline(self) -> str:
        """The verdict, or else the scores on the fitted rows."""
        return self._source.model._core.summary().splitlines()[0]

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
        """Write a page about the fit, to review before deployment: the page of ``cwplugin report``.

        It is one file that needs no network, with sliders to try other weights. Refits take as long as ``refits`` fits
        of the chosen method and thirty smaller ones.

        Parameters
        ----------
        path : str or path-like, default=None
            File to write.
        X, y, sample_weight, features
            The rows of the fit. Not needed for an estimator that was fitted in this process on at most a million
            probabilities.
        X_test, y_test, sample_weight_test, features_test
            Labelled rows that were not used in the fit. If given, the evaluation is on them.
        metrics : str, metric or sequence of them, default="all"
            Metrics to show, as for :func:`evaluate`; the metric of the fit is always shown.
        resamples : int, default=1000
            Bootstrap resamples for the intervals.
        refits : int, default=None
            Fits on bootstrap samples, to show how much the weights depend on the labels; 0 for none, and no learning
            curve. If None, 40, fewer with many rows or classes, and 0 if they would take more than a few seconds.
        random_state, n_jobs, verbose
            As for :class:`ClassWeightPlugin`.
        data, test : str
            Names of the rows on the page.

        Returns
        -------
        str
            The page.
        """
        from cwplugin._page import PageRequest

        source = self._source
        rows = source.rows if X is None else source.labelled(X, y, sample_weight, features)
        if rows is None:
            raise InputError("the rows of the fit were not kept\n  hint: pass them: to_html(X=…, y=…)")
        held_out = None if X_test is None else source.labelled(X_test, y_test, sample_weight_test, features_test)
        request = PageRequest(
            metrics=_metrics.specs(metrics, source.model.classes),
            metric=None if source.metric is None else _metrics.spec(source.metric, source.model.classes),
            resamples=int(resamples),
            refits=None if refits is None else int(refits),
            seed=_request.seed(random_state),
            jobs=_request.jobs(n_jobs),
            verbose=bool(verbose),
            data=data,
            test=None if held_out is None else test,
            commands=source.commands(),
        )
        text = _core.report_page(source.model._core, rows, held_out, request)
        if path is not None:
            _files.write_text(path, text)
        return text

    def __repr__(self) -> str:
        return f"Report(method={self.method!r}, metric={self.metric!r}, rows={self.rows!r})"

    def __str__(self) -> str:
        lines = [self._source.model._core.summary()]
        lines += [
            f"constraint {one}, holds on new rows with probability {one.probability:.3f}" for one in self.constraints
        ]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """The report as a notebook shows it."""
        parts = [f"<p><b>{html.escape(self.headline)}</b></p>"]
        if self.candidates:
            rows = [(_name(c), f"{c.cv_score:.4f}", interval_text(c.low, c.high), _gain(c)) for c in self.candidates]
            parts.append(table("cross-validation", ("method", "CV score", "95% CI", "gain ± sd"), rows))
            parts.append(f"<p>{html.escape(self.explanation or '')}</p>")
        parts.append(self._class_table())
        if self.constraints:
            rows = [
                (c.constraint, f"{c.value:.4f}", f"{c.margin:+.4f}", f"{c.probability:.3f}") for c in self.constraints
            ]
            columns = ("constraint", "on these rows", "margin", "probability on new rows")
            parts.append(table("constraints", columns, rows))
        if self.learning_curve is not None and self.learning_curve.points:
            rows = [
                (str(p.rows), f"{p.clean:.4f}", f"{p.fitted:.4f}", f"{p.gain:+.4f} ± {p.gain_sd:.4f}")
                for p in self.learning_curve.points
            ]
            parts.append(table("learning curve", ("rows fitted", "unadjusted", "fitted", "gain ± sd"), rows))
        if self.warnings:
            items = "".join(f"<li>{html.escape(warning.message)}</li>" for warning in self.warnings)
            n = len(self.warnings)
            title = f"{n} warning{'' if n == 1 else 's'}"
            parts.append(f"<details><summary>{title}</summary><ul>{items}</ul></details>")
        return page(parts)

    def _class_table(self) -> str:
        pairs = {pair.class_: pair for pair in self.pairs}
        columns = ["class", "weight", "relative to equal weights"]
        columns += ["alpha", "plateau"] if pairs else []
        columns += ["95% of refits"] if self.spread else []
        rows = []
        for index, (name, weight) in enumerate(self.weights.items()):
            row = [name, f"{weight:.6f}", f"× {weight * len(self.weights):.2f}"]
            if name in pairs:
                low, high = pairs[name].plateau
                row += [f"{pairs[name].alpha:.6f}", f"{low:.4f}–{high:.4f}"]
            elif pairs:
                row += ["", "reference" if name == self.reference else "not searched"]
            if self.spread:
                row.append(f"{self.spread[index].low:.6f}–{self.spread[index].high:.6f}")
            rows.append(row)
        caption = "weights" if self.slopes is None else "weights after calibration"
        return table(caption, columns, rows)


def _report_of(model: Any) -> Report:
    report: Report = model.report
    return report


def _name(candidate: Record) -> str:
    """The name of a method; the chosen one is marked."""
    name = "unadjusted" if candidate.method == "clean" else candidate.method
    return f"* {name}" if candidate.standing == "chosen" else name


def _gain(candidate: Record) -> str:
    """A gain with its standard deviation; nothing for the unadjusted black box."""
    return "" if candidate.method == "clean" else f"{candidate.gain:+.4f} ± {candidate.gain_sd:.4f}"


def interval_text(low: float, high: float) -> str:
    """An interval; a dash would be confused with the sign of a negative number."""
    return f"{low:.4f}{' to ' if low < 0 else '–'}{high:.4f}"


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
    """A table in HTML; its cells are escaped."""
    head = "".join(f'<th scope="col">{html.escape(column)}</th>' for column in columns)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    title = f"<caption>{html.escape(caption)}</caption>"
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
