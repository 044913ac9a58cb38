"""Points with ranges on a logarithmic scale."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cwplugin.plot import _canvas

if TYPE_CHECKING:
    from cwplugin.plot._weights import WeightsDisplay


def draw(display: WeightsDisplay, ax: Any, sort: bool) -> tuple[Any, Any, Any, Any]:
    """The figure, the axes, the points and the ranges."""
    weights, low, high = (np.asarray(side, dtype=np.float64) for side in (display.weights, display.low, display.high))
    m = len(weights)
    figure, ax = _canvas.one_axes(ax, (6.4, float(np.clip(0.19 * m + 1.7, 2.6, 40.0))))
    order = np.argsort(-weights, kind="stable") if sort else np.arange(m)
    weights, low, high = weights[order], low[order], high[order]
    left, right = _limits(weights, low, high)
    places = np.arange(m)
    colours = np.where(low > 1.0, _canvas.BLUE, np.where(high < 1.0, _canvas.VERMILLION, _canvas.GREY))
    ax.axvline(1.0, color="#444444", linewidth=0.9, zorder=1)
    ranges = ax.hlines(places, np.maximum(low, left), np.maximum(high, left), color=colours, linewidth=2.2, zorder=2)
    some = weights > 0
    points = ax.scatter(weights[some], places[some], s=34, color=colours[some], edgecolor="white", zorder=3)
    if not some.all():
        ax.tick_params(axis="y", pad=9)
        where = np.full(np.count_nonzero(~some), left)
        ax.scatter(where, places[~some], s=40, marker="<", color=colours[~some], zorder=3, clip_on=False)
        for place in places[~some]:
            ax.annotate("0", (left, place), (8, 0), textcoords="offset points", va="center", fontsize=9)
    ax.set_xscale("log")
    ax.set_xlim(left, right)
    ax.set_ylim(m - 0.4, -0.6)
    _axes(ax, display, order, right / left)
    ax.set_title(_title(display, low, high), fontsize=11)
    return figure, ax, points, ranges


def _limits(weights: NDArray[np.float64], low: NDArray[np.float64], high: NDArray[np.float64]) -> tuple[float, float]:
    """Ends of the axis: all that is not 0, and at least from a half to two."""
    ends = np.concatenate([weights, low, high, [0.5, 2.0]])
    positive = ends[ends > 0]
    room = 1.15 if (ends > 0).all() else 2.0
    return float(positive.min()) / room, float(positive.max()) * 1.15


def _axes(ax: Any, display: WeightsDisplay, order: NDArray[np.intp], span: float) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator

    names = [_canvas.text(label) for label in np.asarray(display.classes)]
    if display.support is not None:
        names = [f"{name} (no rows)" if n == 0 else name for name, n in zip(names, display.support, strict=True)]
    _canvas.plain(ax)
    ax.set_yticks(range(len(names)), [names[k] for k in order])
    height = _canvas.inches(ax)[1] * 72 / len(names)
    ax.tick_params(axis="y", length=0, labelsize=float(np.clip(0.8 * height, 4.0, 9.0)))
    ax.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if span < 300 else (1.0,), numticks=12))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    ax.xaxis.set_minor_formatter(NullFormatter())
    bags = len(display.resamples)
    what = f"; bars: 95 % of {_canvas.counted(bags, 'refit')}" if bags else ""
    ax.set_xlabel(f"weight (equal weights: 1){what}", fontsize=10)
    ax.grid(axis="x", color="#DDDDDD", linewidth=0.6, zorder=0)
    ax.set_axisbelow(True)


def _title(display: WeightsDisplay, low: NDArray[np.float64], high: NDArray[np.float64]) -> str:
    m = len(low)
    method = "" if display.method is None else f"{_canvas.text(display.method)}: "
    if len(display.resamples) == 0:
        return f"{method}weights of {m} classes"
    apart = int(np.count_nonzero((low > 1.0) | (high < 1.0)))
    return f"{method}{apart} of {m} weights are clearly not 1"
