"""Losses: where methods score below the unadjusted black box, and which fits failed."""

from collections import Counter

from markdown import NOTHING, code, codes, method, metric, plural, signed, table
from scores import CLEAN, SAME, Cell, Group, Task, methods_of, tally

WORST = 10


def lost(tasks: list[Task]) -> list[str]:
    """Counts by task, the worst cells, and the failures."""
    compared = [name for name in methods_of(tasks) if name != CLEAN]
    groups = [group for task in tasks for group in task.groups()]
    pairs = [(group, cell) for group in groups for cell in group.cells if cell.method != CLEAN]
    below = sorted(
        ((group, cell) for group, cell in pairs if group.difference(cell) < -SAME),
        key=lambda pair: pair[0].difference(pair[1]),
    )
    parts = [
        "## Losses",
        f"{harm(compared, groups)} Cells significantly below unadjusted, by task:",
        by_task(compared, tasks),
        "The worst cell of each method, if it is below unadjusted:",
        worst_of(compared, below),
    ]
    if below:
        parts += [f"The {plural(min(WORST, len(below)), 'mean')} furthest below unadjusted:", furthest(below[:WORST])]
    return [*parts, *failures(tasks)]


def harm(compared: list[str], groups: list[Group]) -> str:
    """How many methods are below unadjusted in some cell, and which are in none."""
    found = [one for one in (tally(name, groups) for name in compared) if one]
    safe = [one.method for one in found if not one.lost]
    text = f"{len(found) - len(safe)} of {plural(len(found), 'method')} are significantly below unadjusted in some cell"
    return f"{text}; {codes(safe)} in none." if safe else f"{text}."


def by_task(compared: list[str], tasks: list[Task]) -> str:
    """Tasks by methods, with a total."""
    lines = []
    for task in tasks:
        groups = task.groups()
        found = [tally(name, groups) for name in compared]
        lines.append([code(task.name), *(f"{one.lost} of {one.cells}" if one else NOTHING for one in found)])
    groups = [group for task in tasks for group in task.groups()]
    total = [tally(name, groups) for name in compared]
    lines.append(["all", *(f"{one.lost} of {one.cells}" if one else NOTHING for one in total)])
    return table(["task", *map(method, compared)], lines)


def worst_of(compared: list[str], below: list[tuple[Group, Cell]]) -> str:
    """One line per method."""
    lines = []
    for name in compared:
        own = [(group, cell) for group, cell in below if cell.method == name]
        lines.append((method(name), str(len(own)), *(where(*own[0]) if own else [NOTHING] * 4)))
    return table(["method", "cells below unadjusted", "difference", "task", "metric", "labelled rows"], lines)


def furthest(below: list[tuple[Group, Cell]]) -> str:
    """The worst cells of all methods."""
    lines = [(method(cell.method), *where(group, cell)) for group, cell in below]
    return table(["method", "difference", "task", "metric", "labelled rows"], lines)


def where(group: Group, cell: Cell) -> tuple[str, str, str, str]:
    """A difference to unadjusted, and its cell."""
    return signed(group.difference(cell)), code(group.task), metric(group.metric), str(group.size)


def failures(tasks: list[Task]) -> list[str]:
    """Draws that could not be fitted or scored, by method and reason."""
    seen: Counter[tuple[str, str, str]] = Counter()
    for task in tasks:
        for cell in task.cells.values():
            seen.update((task.name, cell.method, error) for error in cell.failures)
    if not seen:
        return ["No draw failed."]
    lines = [
        (code(task), method(name), str(number), error.replace("|", "\\|").replace("\n", " "))
        for (task, name, error), number in sorted(seen.items())
    ]
    return [
        "Draws that failed; means are over the other draws:",
        table(["task", "method", "draws", "reason"], lines),
    ]
