"""The metric and its gain against the labelled rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cwplugin.plot import _canvas

if TYPE_CHECKING:
    from cwplugin.plot._learning import LearningCurveDisplay


def draw(display: LearningCurveDisplay, ax: Any) -> tuple[Any, NDArray[Any], list[Any], Any]:
    """The figure, the axes, the lines and the band."""
    _canvas.pyplot()
    figure, part, axes = _canvas.panels(ax, 2, 1, (6.4, 5.6), sharex=True)
    upper, lower = axes
    sizes, gain, sd = display.train_sizes, display.gain, display.gain_sd
    style: dict[str, Any] = {"marker": "o", "markersize": 4.5, "linewidth": 1.6}
    (clean,) = upper.plot(sizes, display.clean, color=_canvas.GREY, label="black box as it is", **style)
    (fitted,) = upper.plot(sizes, display.fitted, color=_canvas.BLUE, label="with the fitted rule", **style)
    upper.set_ylabel(_canvas.text(display.metric, 30), fontsize=10)

    lower.axhline(0.0, color="#444444", linewidth=0.8, zorder=1)
    band = lower.fill_between(sizes, gain - sd, gain + sd, color=_canvas.BLUE, alpha=0.2, linewidth=0.0)
    (line,) = lower.plot(sizes, gain, color=_canvas.BLUE, label="gain, ± 1 sd over subsets", **style)
    lines = [clean, fitted, line]
    last = _last(display)
    if display.limit is not None and display.slope is not None:
        n = np.geomspace(sizes[0], last, 200)
        law = display.limit - display.slope / n
        words = f"{display.limit:.3f} − {display.slope:.3g} / rows" if display.slope > 0 else f"{display.limit:.3f}"
        dashed: dict[str, Any] = {"linestyle": "--", "linewidth": 1.2, "zorder": 1}
        (extended,) = lower.plot(n, law, color=_canvas.VERMILLION, label=f"law: {words}".replace("-", "−"), **dashed)
        lines.append(extended)
        # What the black box scores does not depend on the labels: the mean is the best guess.
        level = float(np.mean(display.clean))
        upper.plot(n, np.full_like(n, level), color=_canvas.GREY, **dashed)
        upper.plot(n, level + law, color=_canvas.VERMILLION, label="law: mean of the black box + gain", **dashed)
        needed = display.rows_needed
        if needed is not None and (display.n_rows or 0) < needed <= last:
            height = display.limit - display.slope / needed
            label = f"clear from {needed:,} rows on"
            lower.plot([needed], [height], color=_canvas.VERMILLION, marker="D", linestyle="", label=label)
    lower.set_ylabel("gain", fontsize=10)
    lower.set_xlabel("labelled rows fitted (scored on those left out)", fontsize=10)
    for panel in axes:
        panel.legend(frameon=False, fontsize=9)
        _canvas.plain(panel)
        panel.set_xlim(0, last * 1.02)
        if display.n_rows is not None:
            panel.axvline(display.n_rows, color=_canvas.GREY, linewidth=0.9, linestyle=":", zorder=0)
    if display.n_rows is not None:
        words = f" {display.n_rows:,} rows now"
        upper.annotate(
            words,
            (display.n_rows, 1.0),
            (3, -2),
            xycoords=upper.get_xaxis_transform(),
            textcoords="offset points",
            va="top",
            fontsize=9,
            color="#555555",
        )
    if part is not None:
        _canvas.headed(part, _title(display))
    return figure, axes, lines, band


def _last(display: LearningCurveDisplay) -> float:
    """How far the picture goes: twice the rows that there are, or to those that are needed if that is not far."""
    now = float(display.n_rows or display.train_sizes[-1])
    needed = float(display.rows_needed or 0)
    return max(2.0 * now, 1.15 * needed if needed <= 4.0 * now else 0.0)


def _title(display: LearningCurveDisplay) -> str:
    metric, signed = _canvas.text(display.metric, 40), _canvas.signed
    if display.limit is None or display.slope is None or display.n_rows is None:
        return f"{metric}: {signed(display.gain[-1])} with {_canvas.counted(int(display.train_sizes[-1]), 'row')}"
    now = display.limit - display.slope / display.n_rows
    title = f"{metric}: {signed(now)} with {_canvas.counted(display.n_rows, 'row')}, {signed(display.limit)} at most"
    if display.rows_needed is None:
        return f"{title}\n20 times as many labels would not make the gain clear"
    if display.rows_needed <= display.n_rows:
        return f"{title}\nthe gain is clear already"
    return f"{title}\nabout {display.rows_needed:,} rows would make the gain clear"
