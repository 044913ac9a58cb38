"""Two pictures of how whole commands grow, time above and memory below; same figures, same bytes."""

from collections.abc import Sequence
from math import nan
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from fits import TASKS, Point
from pictures import FAINT, STYLE, plt

FILES = {"classes": "fits-classes.svg", "rows": "fits-rows.svg"}
LABELS = {
    "auto": "`fit --method auto`",
    "expected": "`fit --method expected`",
    "ascent": "`fit --method ascent`",
    "apply": "`apply`",
    "cutoffs-ascent": "optimal-classification-cutoffs, coordinate ascent",
    "nelder-mead": "scipy, Nelder–Mead",
    "numpy-apply": "numpy, apply",
}
# Our commands are full lines, peers are dashed.
LOOKS = {
    "auto": {"color": "#0072b2", "marker": "o", "linestyle": "-"},
    "expected": {"color": "#56b4e9", "marker": "v", "linestyle": "-"},
    "ascent": {"color": "#d55e00", "marker": "^", "linestyle": "-"},
    "apply": {"color": "#009e73", "marker": "D", "linestyle": "-"},
    "cutoffs-ascent": {"color": "#d55e00", "marker": "s", "linestyle": (0, (4, 2))},
    "nelder-mead": {"color": "#cc79a7", "marker": "X", "linestyle": (0, (4, 2))},
    "numpy-apply": {"color": "#009e73", "marker": "P", "linestyle": (0, (4, 2))},
}


def draw(found: dict[str, Any], folder: Path) -> None:
    """Draw both pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    for along, fixed in (("classes", "rows"), ("rows", "classes")):
        points = found[along]
        curve(points, along, f"{points[0][fixed]:,} {fixed}", folder / FILES[along])


def curve(points: Sequence[Point], along: str, title: str, path: Path) -> None:
    """Seconds and megabytes of each task, in logarithms."""
    with plt.rc_context(STYLE):
        figure, panels = plt.subplots(
            2, sharex=True, figsize=(7.2, 8.4), layout="constrained", facecolor="white", height_ratios=(3, 2)
        )
        for axes, key, unit, scale in zip(panels, ("wall", "peak"), ("seconds", "peak MB"), (1.0, 1e6), strict=True):
            for task in TASKS:
                sizes, values = measured(points, along, task, key)
                name = f"{LABELS[task].replace('`', '')} ({exponents(points, along, task, 'wall')[0]:.2f})"
                axes.plot(sizes, np.array(values) / scale, label=name, linewidth=2, markersize=6, **LOOKS[task])
            axes.set(xscale="log", yscale="log", ylabel=unit)
            axes.grid(which="major", color="#d8dee4", linewidth=0.7)
            axes.xaxis.set_major_formatter("{x:,.0f}")
            axes.yaxis.set_major_formatter("{x:,g}")
        linear(panels[0], points, along)
        panels[0].set_title(title, loc="left", fontsize=12, fontweight="bold")
        panels[1].set_xlabel(along)
        figure.legend(
            *panels[0].get_legend_handles_labels(),
            loc="outside lower left",
            ncols=2,
            fontsize=9,
            frameon=False,
            title="exponent of the time in brackets",
            alignment="left",
        )
        about = f"Time and memory of whole commands against {along}: {title}"
        figure.savefig(path, metadata={"Date": None, "Creator": None, "Title": about})
        plt.close(figure)


def linear(axes: Axes, points: Sequence[Point], along: str) -> None:
    """A line of linear growth to compare with, through the largest `auto`."""
    sizes, walls = measured(points, along, "auto", "wall")
    ends = [sizes[0], sizes[-1]]
    axes.plot(ends, [walls[-1] * size / ends[1] for size in ends], color=FAINT, linewidth=1, label="linear (1)")


def measured(points: Sequence[Point], along: str, task: str, figure: str) -> tuple[list[int], list[float]]:
    """Sizes and figures of the points at which the task ran."""
    found = [(point[along], point["cells"][task].get(figure)) for point in points]
    kept = [(size, value) for size, value in found if value is not None]
    return [size for size, _ in kept], [value for _, value in kept]


def exponents(points: Sequence[Point], along: str, task: str, figure: str) -> tuple[float, float]:
    """Exponents of the power laws through all points and through the last two; 1 is linear, not a number is unknown."""
    sizes, values = np.log(measured(points, along, task, figure))
    if len(sizes) < 2:
        return nan, nan
    whole, end = (float(np.polyfit(sizes[first:], values[first:], 1)[0]) for first in (0, -2))
    return whole, end
