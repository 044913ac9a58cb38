"""Two pictures of growth, as SVG with the same bytes for the same figures."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

from growth import TASKS, slope

ROWS, CLASSES = "growth-rows.svg", "growth-classes.svg"
LABELS = {"floor": "one pass over the matrix", "grid": "fit, grid", "exact": "fit, exact", "apply": "apply"}
# Okabe and Ito's colours, told apart by shape and dashes too; on white, so that a dark page changes nothing.
LOOKS = {
    "floor": {"color": "#4d4d4d", "marker": "s", "linestyle": (0, (5, 2))},
    "grid": {"color": "#0072b2", "marker": "o", "linestyle": "-"},
    "exact": {"color": "#d55e00", "marker": "^", "linestyle": "-"},
    "apply": {"color": "#009e73", "marker": "D", "linestyle": (0, (1, 1))},
}
INK, FAINT = "#1f2328", "#8c959f"
STYLE = {
    "svg.hashsalt": "cwplugin",
    "font.size": 11,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": FAINT,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def draw(growth: dict[str, Any], folder: Path) -> None:
    """Draw both pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    curve(growth["rows"], "rows", "rows", f"{growth['fixed_classes']} classes, one thread", folder / ROWS)
    curve(growth["classes"], "classes", "classes", f"{growth['fixed_rows']:,} rows, one thread", folder / CLASSES)


def curve(runs: Sequence[dict[str, Any]], along: str, label: str, title: str, path: Path) -> None:
    """One log-log picture: a line per task, its exponent in the legend, and a straight line to compare with."""
    sizes = [run[along] for run in runs]
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(7.2, 4.6), layout="constrained", facecolor="white")
        for task in sorted(TASKS, key=lambda task: -runs[-1]["seconds"][task]):  # as they lie at the right end
            milliseconds = [1e3 * run["seconds"][task] for run in runs]
            name = f"{LABELS[task]} (exponent {slope(runs, along, task):.2f})"
            axes.plot(sizes, milliseconds, label=name, linewidth=2, markersize=6, **LOOKS[task])
        # Linear growth, below all curves: a curve that is no steeper stays as far above it or comes nearer.
        lowest = min(1e3 * run["seconds"]["floor"] / run[along] for run in runs)
        linear = [0.5 * lowest * size for size in sizes]
        axes.plot(sizes, linear, color=FAINT, linewidth=1, label="linear, for comparison (exponent 1)")
        axes.set(xscale="log", yscale="log", xlabel=label, ylabel="milliseconds")
        axes.set_title(title, loc="left", fontsize=12, fontweight="bold")
        axes.grid(which="major", color="#d8dee4", linewidth=0.7)
        axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.yaxis.set_major_formatter("{x:,g}")
        axes.set_ylim(top=3 * axes.get_ylim()[1])  # room for the legend
        axes.legend(loc="upper left", fontsize=10, facecolor="white", edgecolor="white", framealpha=1)
        figure.savefig(path, metadata={"Date": None, "Creator": None, "Title": f"Time against {label}: {title}"})
        plt.close(figure)


def alternative(growth: dict[str, Any], along: str) -> str:
    """What the picture says, for those who do not see it."""
    runs = growth[along]
    slopes = ", ".join(f"{LABELS[task]} {slope(runs, along, task):.2f}" for task in TASKS)
    first, last = runs[0][along], runs[-1][along]
    return f"Log-log plot of milliseconds against {along} from {first:,} to {last:,}. Exponents: {slopes}."
