"""Drawing of the metric against α in small multiples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cwplugin import _labels
from cwplugin._errors import InputError
from cwplugin.plot import _canvas

if TYPE_CHECKING:
    from cwplugin.plot._alpha import AlphaCurveDisplay


#: Superscript digits.
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class AlphaCurve:
    """The metric on the rows of one class and the reference, for every α in [0, 1].

    Attributes
    ----------
    label : object
        The class whose weight is ``α / (1 - α)`` times that of the reference.
    cuts : ndarray of shape (n_cuts,)
        Where predictions change, in increasing order.
    scores : ndarray of shape (n_cuts + 1,)
        The metric before the first cut, between cuts, and after the last.
    best, best_score : float
        The best α on these rows, and the metric there.
    plateau : tuple of float
        The range of α that is as good.
    chosen : float or None
        The α of the rule: that of the fitted weights, or the best; None if the rule has no α.
    """

    label: Any
    cuts: NDArray[np.float64]
    scores: NDArray[np.float64]
    best: float
    best_score: float
    plateau: tuple[float, float]
    chosen: float | None

    def score(self, alpha: float) -> float:
        """The metric at an α.

        Parameters
        ----------
        alpha : float
            From 0 to 1.

        Returns
        -------
        float
            The metric on the rows of the pair.
        """
        return float(self.scores[np.searchsorted(self.cuts, alpha, side="left")])


def draw(
    display: AlphaCurveDisplay, ax: Any, labels: Sequence[Any] | None, scale: str
) -> tuple[Any, NDArray[Any], list[Any], list[Any], list[Any]]:
    """The figure, the axes, the curves, the marks and the plateaus."""
    _canvas.pyplot()
    if scale not in ("linear", "logit"):
        raise InputError(f'scale must be "linear" or "logit", got {scale!r}')
    curves = _chosen(display.curves, labels)
    end = 0.0 if scale == "linear" else _end(curves)
    n = len(curves)
    columns = min(n, int(np.ceil(np.sqrt(n))) if n > 3 else 3)
    rows = -(-n // columns)
    if n == 1:
        size = (6.4, 4.4)
    else:
        width, height = (3.0, 2.5) if n <= 12 else (1.9, 1.6)
        size = (max(columns * width, 6.4), rows * height + 1.2)
    figure, part, axes = _canvas.panels(ax, rows, columns, size, n, sharex=True, sharey=True)
    font_size = 10 if n <= 12 else 8
    drawn = [_panel(panel, curve, font_size, n > 1, end) for panel, curve in zip(axes, curves, strict=True)]
    if part is None:
        for panel in axes:
            panel.set_xlabel("α", fontsize=10)
        axes[0].set_ylabel(_short(display), fontsize=10)
    else:
        for panel in axes[max(n - columns, 0) :]:
            panel.tick_params(labelbottom=True)
            panel.set_xlabel("α", fontsize=10)
        part.supylabel(f"{_short(display)} on the rows of the pair", fontsize=10)
        _canvas.headed(part, _title(display, curves))
        _legend(part, drawn, _canvas.text(display.reference))
    for panel in axes:
        # So that the 1 of a panel does not touch the 0 of the next.
        for label, side in zip(panel.get_xticklabels(), ("left", "center", "right"), strict=False):
            label.set_horizontalalignment(side)
    lines, marks, plateaus = (list(kind) for kind in zip(*drawn, strict=True))
    return figure, axes, lines, marks, plateaus


def _chosen(curves: Sequence[AlphaCurve], labels: Sequence[Any] | None) -> list[AlphaCurve]:
    if labels is None:
        return list(curves)
    by_label = {curve.label: curve for curve in curves}
    wanted = [_labels.item(label) for label in labels]
    missing = [label for label in wanted if label not in by_label]
    if missing or not wanted:
        raise InputError(f"no curve of {_labels.quoted(missing)}\n  hint: there are {_labels.quoted(list(by_label))}")
    return [by_label[label] for label in wanted]


def _end(curves: list[AlphaCurve]) -> float:
    """A power of ten that is nearer to 0 than any cut is to 0 or 1, at least 1e-9."""
    cuts = np.concatenate([curve.cuts for curve in curves])
    nearest = float(np.minimum(cuts, 1.0 - cuts).min(initial=0.05))
    return float(10.0 ** np.clip(np.floor(np.log10(max(nearest, 1e-9)) - 0.01), -9, -2))


def _panel(panel: Any, curve: AlphaCurve, font_size: int, is_one_of_many: bool, end: float) -> tuple[Any, Any, Any]:
    edges = np.clip(np.concatenate(([0.0], curve.cuts, [1.0])), end, 1.0 - end)
    plateau = panel.axvspan(
        *np.clip(curve.plateau, end, 1.0 - end), color=_canvas.ORANGE, alpha=0.45, linewidth=1.0, zorder=0
    )
    panel.axvline(0.5, color=_canvas.GREY, linewidth=0.8, linestyle=":", zorder=1)
    line = panel.stairs(curve.scores, edges, baseline=None, color=_canvas.BLUE, linewidth=1.3, zorder=2)
    mark = None
    if curve.chosen is not None:
        place = ([float(np.clip(curve.chosen, end, 1.0 - end))], [curve.score(curve.chosen)])
        mark = panel.scatter(
            *place, s=30, color=_canvas.VERMILLION, edgecolor="white", linewidth=0.7, zorder=3, clip_on=False
        )
    if is_one_of_many:
        alpha = curve.best if curve.chosen is None else curve.chosen
        longest = 22 if font_size > 8 else 14
        panel.set_title(f"{_canvas.text(curve.label, longest)}: α = {_alpha(alpha)}", fontsize=font_size)
    if end > 0.0:
        panel.set_xscale("logit")
        panel.minorticks_off()
    panel.set_xlim(end, 1.0 - end)
    power = f"10{str(round(np.log10(end))).translate(_RAISED)}" if end > 0.0 else ""
    ends = (power, f"1 − {power}") if end > 0.0 else ("0", "1")
    panel.set_xticks([end, 0.5, 1.0 - end], [ends[0], "½", ends[1]])
    _canvas.plain(panel)
    panel.tick_params(labelsize=font_size - 1)
    return line, mark, plateau


def _alpha(alpha: float) -> str:
    """An α with enough digits to differ from 0 and 1."""
    if 0.01 <= alpha <= 0.99 or alpha in (0.0, 1.0):
        return f"{alpha:.2f}"
    return f"{alpha:.1g}" if alpha < 0.5 else f"1 − {1 - alpha:.1g}"


def _short(display: AlphaCurveDisplay) -> str:
    return _canvas.text(display.metric, 36)


def _title(display: AlphaCurveDisplay, curves: list[AlphaCurve]) -> str:
    """The gain over α = ½, the unadjusted black box."""
    rows = "" if display.n_rows is None else f" on {_canvas.counted(display.n_rows, 'row')}"
    reference = _canvas.text(display.reference)
    at = [curve.best if curve.chosen is None else curve.chosen for curve in curves]
    before = [curve.score(0.5) for curve in curves]
    after = [curve.score(alpha) for curve, alpha in zip(curves, at, strict=True)]
    if len(curves) == 1:
        pair = f"{_canvas.text(curves[0].label)} against {reference}"
        words = f"{before[0]:.3f} → {after[0]:.3f} at α = {_alpha(at[0])}{rows}\n({pair})"
    else:
        gains = sorted(np.subtract(after, before).tolist())
        span = f"{_canvas.signed(gains[0])} to {_canvas.signed(gains[-1])}"
        words = f"{span} over α = ½{rows}\n(each class against {reference})"
    title = f"{_short(display)}: {words}"
    return title if display.note is None else f"{title}\n({display.note})"


def _legend(part: Any, drawn: list[tuple[Any, Any, Any]], reference: str) -> None:
    from matplotlib.lines import Line2D

    _, mark, plateau = next((found for found in drawn if found[1] is not None), drawn[0])
    handles = [(plateau, "as good as the best α")]
    if mark is not None:
        handles.append((mark, "α of the rule"))
    handles.append((Line2D([], [], color=_canvas.GREY, linestyle=":"), "α = ½: unadjusted"))
    title = f"weight of the class = α / (1 − α) × that of {reference}"
    place: dict[str, Any] = {"loc": "outside lower center", "ncols": 3, "frameon": False}
    part.legend(*zip(*handles, strict=True), title=title, fontsize=9, title_fontsize=9, **place)
