"""Matrices side by side, with numbers where they fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cwplugin.plot import _canvas

if TYPE_CHECKING:
    from cwplugin.plot._confusion import ConfusionChangeDisplay

#: The smallest letters that are worth drawing, in points, and the largest.
_SMALLEST, _LARGEST = 5.0, 10.0
#: How much wider than one another letters of a number are, as a share of their height.
_WIDTH = 0.62


def draw(
    display: ConfusionChangeDisplay, ax: Any, difference: bool, include_values: bool, colorbar: bool
) -> tuple[Any, NDArray[Any], list[Any], list[NDArray[Any] | None]]:
    """The figure, the axes, the images and the numbers."""
    _canvas.pyplot()
    from matplotlib.colors import LinearSegmentedColormap

    m = len(display.before)
    labels = range(m) if display.display_labels is None else np.asarray(display.display_labels)
    names = [_canvas.text(label) for label in labels]
    longest = max(map(len, names))
    count = 3 if difference else 2
    side = float(np.clip(0.62 * m, 2.2, 5.2))
    margin = min(0.085 * longest, 1.7)
    size = (count * side + margin + (1.6 if colorbar else 0.4), side + margin + 1.1)
    figure, part, axes = _canvas.panels(ax, 1, count, size)
    shares = [_shares(matrix) for matrix in (display.before, display.after)]
    change = shares[1] - shares[0]
    top = max(float(np.abs(change).max(initial=0.0)), 0.01)
    growing = LinearSegmentedColormap.from_list("share", ["#FFFFFF", _canvas.BLUE, "#00304B"])
    diverging = LinearSegmentedColormap.from_list("change", [_canvas.VERMILLION, "#FFFFFF", _canvas.BLUE])
    images = [axes[k].imshow(shares[k], cmap=growing, vmin=0.0, vmax=1.0) for k in range(2)]
    if difference:
        images.append(axes[2].imshow(change, cmap=diverging, vmin=-top, vmax=top))
    for panel, heading in zip(axes, ("before", "after", "difference"), strict=False):
        panel.set_title(heading, fontsize=11)
        panel.set_xlabel("predicted", fontsize=10)
    axes[0].set_ylabel("true", fontsize=10)
    for panel in axes:
        _ticks(panel, names, side * 72 / m, panel is axes[0])
    if colorbar:
        bar = figure.colorbar(images[0], ax=list(axes[:2]), fraction=0.04, pad=0.015, shrink=0.9)
        bar.set_label("share of the true class", fontsize=9)
        if difference:
            bar_ = figure.colorbar(images[2], ax=[axes[2]], fraction=0.08, pad=0.03, shrink=0.9)
            bar_.set_label("change of the share", fontsize=9)
    if part is not None and display._title:
        part.suptitle(display._title, fontsize=12)
    texts: list[NDArray[Any] | None] = [None] * count
    cell = min(_canvas.inches(axes[0])) * 72 / m
    for panel in axes:
        _ticks(panel, names, cell, panel is axes[0])
    if include_values:
        counts = [display.before, display.after, display.difference][:count]
        texts = [
            _numbers(panel, matrix, share, cell, image)
            for panel, matrix, share, image in zip(axes, counts, [*shares, change], images, strict=False)
        ]
    return figure, axes, images, texts


def _shares(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Every cell as a share of its row; a row of nothing stays so."""
    totals = matrix.sum(axis=1, keepdims=True)
    return np.divide(matrix, totals, out=np.zeros_like(matrix, dtype=np.float64), where=totals > 0)


def _ticks(panel: Any, names: list[str], cell: float, is_first: bool) -> None:
    """Names beside the cells, which are ``cell`` points high: every second one, or fewer, if there is no room."""
    size = float(np.clip(0.85 * cell, 6.0, 9.0))
    step = max(1, int(np.ceil(size / cell)))
    places = range(0, len(names), step)
    shown = [names[place] for place in places]
    is_flat = max(map(len, shown)) * size * _WIDTH < cell * step
    panel.set_xticks(places, shown, rotation=0 if is_flat else 90, fontsize=size)
    panel.set_yticks(places, shown if is_first else [""] * len(shown), fontsize=size)
    panel.tick_params(length=2)


def _numbers(
    panel: Any, counts: NDArray[np.float64], shares: NDArray[np.float64], cell: float, image: Any
) -> NDArray[Any] | None:
    """Counts with shares below, as large as the cells allow; None where that is too small to read."""
    is_change = bool((image.norm.vmin or 0.0) < 0.0)
    words = np.empty(counts.shape, dtype=object)
    for place in np.ndindex(counts.shape):
        words[place] = _words(counts[place], shares[place], is_change)
    longest = max(len(line) for word in words.ravel() for line in word.split("\n"))
    size = min(_LARGEST, cell * 0.92 / (longest * _WIDTH), cell * 0.8 / 2.4)
    if size < _SMALLEST:
        return None
    drawn = np.empty(counts.shape, dtype=object)
    for (row, column), word in np.ndenumerate(words):
        red, green, blue, _ = image.cmap(image.norm(shares[row, column]))
        is_dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.5
        drawn[row, column] = panel.text(
            column, row, word, ha="center", va="center", fontsize=size, color="white" if is_dark else "#222222"
        )
    return drawn


def _words(count: float, share: float, is_change: bool) -> str:
    if count == 0 and is_change:
        return "0"
    number = f"{count:+.4g}" if is_change else f"{count:.4g}"
    if abs(count) >= 10_000:
        number = f"{count / 1000:{'+' if is_change else ''}.3g}k"
    return f"{number}\n{100 * share:{'+' if is_change else ''}.0f} %"
