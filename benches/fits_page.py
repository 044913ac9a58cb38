"""The parts of docs/benchmarks.md about whole commands: goals, growth, reports."""

from collections.abc import Iterator, Sequence
from math import isnan
from typing import Any

import fits_pictures
from fits import METHODS, TASKS, Cell, Point
from tables import digits, reasons, table

Results = dict[str, Any]

# Seconds and MB that a fit may take: method, rows, classes, seconds, MB.
FIT_GOALS = (
    ("auto", 400, 10, 0.1, None),
    ("auto", 400, 50, 0.4, None),
    ("auto", 400, 200, 1.5, None),
    ("auto", 2_000, 200, 3.0, None),
    ("auto", 400, 1_000, 8.0, 300),
    ("auto", 20_000, 200, 6.0, None),
    ("auto", 50_000, 1_000, 60.0, 1_500),
    ("ascent", 1_000_000, 10, 0.5, None),
    ("ascent", 1_000_000, 100, 6.0, None),
)
REPORT_GOAL = (500, 20, 3.0)
START_GOAL = 0.005
OWN = (*METHODS, "apply")


def goals(results: Results) -> str:
    """Each goal of a whole command, what was measured, and whether it is met."""
    found = results["fits"]
    points = (*found["classes"], *found["rows"], *found["large"])
    cells = {(task, point["rows"], point["classes"]): cell for point in points for task, cell in point["cells"].items()}
    lines = []
    for method, n, m, seconds, megabytes in FIT_GOALS:
        if (cell := cells.get((method, n, m), {})).get("wall") is not None:
            lines.append(goal(f"`fit --method {method}`, {n:,} rows, {m:,} classes", cell, seconds, megabytes))
    for part in found["reports"]:
        if (part["rows"], part["classes"]) == REPORT_GOAL[:2]:
            what = f"`report`, {part['rows']} rows, {part['classes']} classes"
            lines.append(goal(what, part["report"], REPORT_GOAL[2]))
    lines.append(goal("`--version`", found["start"], START_GOAL))
    return table(["command", "goal", "wall s", "CPU s", "peak MB", "met"], lines)


def goal(what: str, cell: Cell, seconds: float, megabytes: float | None = None) -> tuple[str, ...]:
    """A line: what was asked for, and what was found."""
    met = cell["wall"] <= seconds and (megabytes is None or cell["peak"] <= megabytes * 1e6)
    limit = f"{seconds:g} s" if megabytes is None else f"{seconds:g} s, {megabytes:,} MB"
    figures = (digits(cell["wall"]), digits(cell["cpu"]), digits(cell["peak"] / 1e6))
    return (what, limit, *figures, "yes" if met else "no")


def growth(results: Results) -> str:
    """Along each curve: a picture, and tables of time and memory with their exponents."""
    return "\n\n".join(part for along in ("classes", "rows") for part in along_curve(results["fits"][along], along))


def along_curve(points: Sequence[Point], along: str) -> Iterator[str]:
    """The picture and the tables of one curve."""
    fixed = "rows" if along == "classes" else "classes"
    yield f"![{alternative(points, along)}](images/{fits_pictures.FILES[along]})"
    yield f"{points[0][fixed]:,} {fixed}, wall time:"
    yield curve_table(points, along, "wall", "seconds", 1.0, TASKS)
    yield from reasons({str(point[along]): point["cells"] for point in points})
    yield "CPU time of the same runs:"
    yield curve_table(points, along, "cpu", "CPU seconds", 1.0, OWN)
    yield "Peak memory of the same runs:"
    yield curve_table(points, along, "peak", "MB", 1e6, TASKS)


def curve_table(points: Sequence[Point], along: str, figure: str, unit: str, scale: float, tasks: Sequence[str]) -> str:
    """A line per task: its figures from small to large, and the exponents."""
    heads = [unit, *(f"{point[along]:,}" for point in points), "exponent", "at the end"]
    lines = []
    for task in tasks:
        cells = [point["cells"][task].get(figure) for point in points]
        figures = ("–" if value is None else digits(value / scale) for value in cells)
        powers = fits_pictures.exponents(points, along, task, figure)
        exponents = ("–" if isnan(power) else f"{power:z.2f}" for power in powers)
        lines.append((fits_pictures.LABELS[task], *figures, *exponents))
    return table(heads, lines)


def alternative(points: Sequence[Point], along: str) -> str:
    """What the picture says, for those who do not see it."""
    powers = [fits_pictures.exponents(points, along, task, "wall")[0] for task in OWN]
    slopes = ", ".join(f"{fits_pictures.LABELS[task]} {power:z.2f}" for task, power in zip(OWN, powers, strict=True))
    sizes = f"{along} from {points[0][along]:,} to {points[-1][along]:,}"
    return f"Log-log plots of seconds and of megabytes against {sizes}. Exponents of the time: {slopes}."


def reports(results: Results) -> str:
    """A line per size of a report."""
    lines = [
        (
            f"{part['rows']:,}",
            f"{part['classes']}",
            *(digits(part[command][figure]) for command in ("fit", "report") for figure in ("wall", "cpu")),
            digits(part["report"]["peak"] / 1e6),
            digits(part["bytes"] / 1e6),
        )
        for part in results["fits"]["reports"]
    ]
    heads = ["rows", "classes", "fit, s", "fit, CPU s", "report, s", "report, CPU s", "report, peak MB", "page, MB"]
    return table(heads, lines)
