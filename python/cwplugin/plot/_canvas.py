"""Figures, axes and text that all plots share."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from cwplugin import _labels, _metrics, _rows
from cwplugin._errors import InputError
from cwplugin.classifier import PluginClassifierCV
from cwplugin.plugin import ClassWeightPlugin

#: The colour-blind safe palette of Okabe and Ito.
BLUE, ORANGE, GREEN, VERMILLION, GREY = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#7F7F7F"


def pyplot() -> Any:
    """Matplotlib's pyplot; an error with a hint if it is not installed."""
    try:
        import matplotlib
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError('plots need matplotlib\n  hint: pip install "cwplugin[plot]"') from error
    del matplotlib
    return plt


def parts(estimator: Any, X: Any) -> tuple[ClassWeightPlugin, Any]:
    """The estimator with the weights, and its probabilities."""
    if isinstance(estimator, PluginClassifierCV):
        check_is_fitted(estimator, "plugin_")
        return estimator.plugin_, None if X is None else estimator._probabilities(X)
    if isinstance(estimator, ClassWeightPlugin):
        check_is_fitted(estimator)
        return estimator, X
    kind = type(estimator).__name__
    raise TypeError(f"estimator must be a fitted ClassWeightPlugin or PluginClassifierCV, got {kind}")


def n_labelled(rows: _rows.Rows) -> int:
    """Number of labelled rows."""
    return int(support(rows).sum())


def support(rows: _rows.Rows) -> NDArray[np.int64]:
    """Number of labelled rows of each class."""
    codes = np.empty(0, dtype=np.uint32) if rows.labels is None else rows.labels.array()
    return np.bincount(codes[codes != _labels.UNLABELLED], minlength=len(rows.classes))


def metric_name(metric: Any, classes: NDArray[Any]) -> str:
    """The name of a metric in reports."""
    return _metrics.name_of(_metrics.spec(metric, classes))


def text(label: Any, longest: int = 24) -> str:
    """A label as tick text: one line, shortened, without math mode.

    A long label keeps its end, where labels often differ.
    """
    words = " ".join(_labels.name(label).split())
    if len(words) > longest:
        tail = words.rsplit(" ", 1)[-1][-(longest // 2) :]
        words = f"{words[: longest - len(tail) - 1].rstrip()}…{tail}"
    return words.replace("$", r"\$") or "(empty)"


def signed(value: float, digits: int = 3) -> str:
    """A difference with its sign."""
    return f"{value:+.{digits}f}".replace("-", "−")


def counted(number: int, noun: str) -> str:
    """A number with its noun."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def headed(part: Any, title: str, points: float = 12.0) -> None:
    """Write a wrapped title above a figure or a subfigure."""
    inches_wide = part.bbox.width / part.dpi
    longest = max(20, int(inches_wide * 72 / (0.56 * points)))
    lines = [line for words in title.split("\n") for line in textwrap.wrap(words, longest)]
    part.suptitle("\n".join(lines), fontsize=points)


def one_axes(ax: Any, size: tuple[float, float]) -> tuple[Any, Any]:
    """The figure and the axes: those given, or new ones."""
    plt = pyplot()
    if ax is None:
        figure, ax = plt.subplots(figsize=size, layout="constrained")
        return figure, ax
    return ax.figure, ax


def panels(
    ax: Any, rows: int, columns: int, size: tuple[float, float], count: int | None = None, **shared: Any
) -> tuple[Any, Any, NDArray[Any]]:
    """The figure, the figure or subfigure with the panels (None for given axes), and ``count`` axes.

    ``ax`` is None for a new figure, one axes to replace, or one axes per panel. Panels that replace an axes need a
    layout engine: a figure without one gets a constrained layout.
    """
    plt = pyplot()
    count = rows * columns if count is None else count
    if ax is None:
        figure, axes = plt.subplots(rows, columns, figsize=size, layout="constrained", squeeze=False, **shared)
        part = figure
    elif isinstance(ax, Sequence | np.ndarray):
        axes = np.asarray(ax, dtype=object).ravel()
        if len(axes) != count:
            hint = "pass one Axes per panel, or a single Axes"
            raise InputError(f"{len(axes)} axes for {counted(count, 'panel')}\n  hint: {hint}")
        return axes[0].figure, None, axes
    else:
        place = ax.get_subplotspec()
        if place is None:
            raise InputError("ax is not part of a grid\n  hint: use the axes of plt.subplots()")
        figure = ax.figure
        ax.set_axis_off()
        if figure.figure.get_layout_engine() is None:
            figure.figure.set_layout_engine("constrained")
        part = figure.add_subfigure(place)
        axes = part.subplots(rows, columns, squeeze=False, **shared)
    axes = axes.ravel()
    for unused in axes[count:]:
        unused.remove()
    return figure, part, axes[:count]


def plain(ax: Any) -> None:
    """Hide the top and right spines."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(labelsize=9)


def inches(ax: Any) -> tuple[float, float]:
    """Width and height of an axes after layout."""
    figure = ax.figure.figure  # not the subfigure
    figure.draw_without_rendering()
    box = ax.get_window_extent()
    return box.width / figure.dpi, box.height / figure.dpi
