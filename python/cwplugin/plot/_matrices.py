"""Drawing of matrices side by side, with numbers where they fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cwplugin._evaluate import evaluate
from cwplugin.plot import _canvas

if TYPE_CHECKING:
    from cwplugin.plot._confusion import ConfusionChangeDisplay

#: The smallest and the largest font size, in points.
_SMALLEST, _LARGEST = 6.0, 10.0
#: Width of a digit as a share of its height.
_WIDTH = 0.62


def counts(
    truth: NDArray[Any], predicted: NDArray[Any], weights: NDArray[np.float64] | None, m: int
) -> NDArray[np.float64]:
    """The confusion matrix, truth by row."""
    cells = truth.astype(np.intp) * m + predicted
    return np.bincount(cells, weights, minlength=m * m).reshape(m, m).astype(np.float64)


def score(confusion: NDArray[np.float64], metric: Any, classes: NDArray[Any]) -> float:
    """The metric of a matrix: one row per cell, weighted by its count."""
    truth, predicted = np.nonzero(confusion)
    found = evaluate(
        np.eye(len(classes))[predicted],
        classes[truth],
        metrics=[metric],
        classes=classes,
        sample_weight=confusion[truth, predicted],
        resamples=0,
    )
    return next(iter(found.metrics.values())).clean.value


def draw(
    display: ConfusionChangeDisplay, ax: Any, difference: bool, include_values: bool, colorbar: bool
) -> tuple[Any, NDArray[Any], list[Any], list[NDArray[Any] | None]]:
    """The figure, the axes, the images and the numbers."""
    _canvas.pyplot()
    from matplotlib.colors import LinearSegmentedColormap

    m = len(display.before)
    labels = range(m) if display.display_labels is None else np.asarray(display.display_labels)
    names = [_canvas.text(label) for label in labels]
    count = 3 if difference else 2
    side = float(np.clip(0.62 * m, 2.2, 4.8))
    _, _, is_flat, beside = _font(names, side * 72 / m)
    bars = (0.95 if colorbar else 0.1) * (count - 1)
    size = (count * (side + 0.12) + beside + 0.4 + bars, side + (0.15 if is_flat else beside) + 1.05)
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
        _bar(axes[1], images[1], "share of the true class")
        if difference:
            _bar(axes[2], images[2], "change of the share (percentage points)")
    if part is not None and display._title:
        _canvas.headed(part, display._title)
    texts: list[NDArray[Any] | None] = [None] * count
    cell = min(_canvas.inches(axes[0])) * 72 / m
    for panel in axes:
        _ticks(panel, names, cell, panel is axes[0])
    if include_values:
        matrices = [display.before, display.after, display.difference][:count]
        words = [_words(*both, k == 2) for k, both in enumerate(zip(matrices, [*shares, change], strict=False))]
        longest = max(len(line) for matrix in words for word in matrix.ravel() for line in word.split("\n"))
        points = min(_LARGEST, cell * 0.92 / (longest * _WIDTH), cell * 0.8 / 2.4)
        if points >= _SMALLEST:
            texts = [_numbers(*found, points) for found in zip(axes, images, words, strict=True)]
    return figure, axes, images, texts


def _shares(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Every cell as a share of its row; 0 in an empty row."""
    totals = matrix.sum(axis=1, keepdims=True)
    shares: NDArray[np.float64] = np.divide(matrix, totals, out=np.zeros(matrix.shape), where=totals > 0)
    return shares


def _bar(panel: Any, image: Any, words: str) -> None:
    """The colour bar of a matrix."""
    from matplotlib.ticker import PercentFormatter

    bar = panel.figure.colorbar(image, cax=panel.inset_axes((1.04, 0.0, 0.05, 1.0)))
    bar.ax.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0, symbol="%"))
    bar.ax.tick_params(labelsize=8)
    bar.set_label(words, fontsize=9)


def _font(names: list[str], cell: float) -> tuple[float, int, bool, float]:
    """For cells of ``cell`` points: font size, step between names, whether they fit horizontally, and their length."""
    size = float(np.clip(0.85 * cell, 6.0, 9.0))
    step = max(1, int(np.ceil(size / cell)))
    length = max(map(len, names)) * size * _WIDTH
    return size, step, length < cell * step, length / 72


def _ticks(panel: Any, names: list[str], cell: float, is_first: bool) -> None:
    size, step, is_flat, _ = _font(names, cell)
    places = range(0, len(names), step)
    shown = [names[place] for place in places]
    panel.set_xticks(places, shown, rotation=0 if is_flat else 90, fontsize=size)
    panel.set_yticks(places, shown if is_first else [""] * len(shown), fontsize=size)
    panel.tick_params(length=2)


def _words(counts: NDArray[np.float64], shares: NDArray[np.float64], is_change: bool) -> NDArray[Any]:
    """The text of the cells: counts with shares below."""
    sign = "+" if is_change else ""
    words = np.full(counts.shape, "0", dtype=object)
    for place in zip(*np.nonzero(counts), strict=True):
        count, share = float(counts[place]), float(shares[place])
        number = f"{count / 1000:{sign}.3g}k" if abs(count) >= 10_000 else f"{count:{sign}.4g}"
        words[place] = f"{number}\n{100 * share:{sign}.0f}%".replace("-", "−")
    return words


def _numbers(panel: Any, image: Any, words: NDArray[Any], points: float) -> NDArray[Any]:
    """Write the text of the cells, in a colour with contrast."""
    drawn = np.empty(words.shape, dtype=object)
    colours = image.cmap(image.norm(image.get_array()))
    for (row, column), word in np.ndenumerate(words):
        is_dark = float(colours[row, column, :3] @ (0.299, 0.587, 0.114)) < 0.5
        drawn[row, column] = panel.text(
            column, row, word, ha="center", va="center", fontsize=points, color="white" if is_dark else "#222222"
        )
    return drawn
