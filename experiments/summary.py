"""The summary: over all tasks, metrics and sizes, which methods win, and which are below the unadjusted black box."""

from collections.abc import Callable
from math import fsum

import words
from markdown import NOTHING, code, count, method, percent, plural, signed, table
from scores import CLEAN, LEVEL, SAME, Group, Tally, Task, methods_of, tally

DEFAULT, OURS, PUBLISHED = "auto", "cwplugin", "cwplugin:published"


def summary(tasks: list[Task]) -> list[str]:
    """Headline, table, definitions, and the same split by size and by task."""
    groups = [group for task in tasks for group in task.groups()]
    methods = methods_of(tasks)
    compared = [name for name in methods if name != CLEAN]
    tallies = [found for found in (tally(name, groups) for name in methods) if found]
    return [
        "## Summary",
        headline(tallies, groups),
        main_table(tallies),
        definitions(tasks),
        legend(methods),
        "### By number of labelled rows",
        "Mean difference to unadjusted:",
        by_size(compared, groups, lambda found: signed(found.difference)),
        "Share of the cells within one standard error of the best:",
        by_size(methods, groups, lambda found: percent(found.near, found.cells)),
        "Share of the cells significantly below unadjusted:",
        by_size(compared, groups, lambda found: percent(found.lost, found.cells)),
        "### By task",
        "Mean difference to unadjusted over all metrics and sizes; the best of a task in bold.",
        by_task(compared, tasks),
    ]


def headline(tallies: list[Tally], groups: list[Group]) -> str:
    """A few lines by rule: which method leads each column, and how Algorithm 1 does."""
    lines = [f"* **Cells:** {plural(len(groups), 'cell')}, each a task × metric × number of labelled rows."]
    columns: list[tuple[str, Callable[[Tally], float], Callable[[Tally], str]]] = [
        ("Most often best", lambda one: one.best / one.cells, lambda one: of_cells(one.best, one)),
        (
            "Most often within one standard error of the best",
            lambda one: one.near / one.cells,
            lambda one: of_cells(one.near, one),
        ),
        ("Largest mean difference to unadjusted", lambda one: one.difference, lambda one: signed(one.difference)),
        (
            "Most often significantly below unadjusted",
            lambda one: one.lost / one.cells,
            lambda one: of_cells(one.lost, one),
        ),
    ]
    for what, key, show in columns:
        top = max(map(key, tallies))
        leaders = [one for one in tallies if abs(key(one) - top) <= SAME]
        if what.endswith("below unadjusted") and top == 0:
            lines.append(f"* **{what}:** no method.")
        else:
            lines.append(f"* **{what}:** {', '.join(f'{method(one.method)}, {show(one)}' for one in leaders)}.")
    for one in tallies:
        if one.method in (DEFAULT, PUBLISHED, OURS):
            lines.append(
                f"* {method(one.method)}, {words.METHODS[one.method].split(':')[0]}: above unadjusted in "
                f"{of_cells(one.above, one)}, significantly below it in {of_cells(one.lost, one)}; mean difference "
                f"{signed(one.difference)}."
            )
    return "\n".join([*lines, *duel(groups)])


def duel(groups: list[Group]) -> list[str]:
    """Algorithm 1 with our defaults against Algorithm 1 as published, cell by cell."""
    differences = []
    for group in groups:
        means = {cell.method: cell.mean for cell in group.cells}
        if OURS in means and PUBLISHED in means:
            differences.append(means[OURS] - means[PUBLISHED])
    if not differences:
        return []
    higher = sum(difference > SAME for difference in differences)
    lower = sum(difference < -SAME for difference in differences)
    mean = fsum(differences) / len(differences)
    return [
        f"* {code(OURS)} against {code(PUBLISHED)}: higher in {count(higher, len(differences))}, lower in "
        f"{count(lower, len(differences))} of {plural(len(differences), 'cell')}; mean difference {signed(mean)}."
    ]


def of_cells(part: int, one: Tally) -> str:
    """`12 of 70 cells (17 %)`."""
    return f"{part} of {plural(one.cells, 'cell')} ({percent(part, one.cells)})"


def main_table(tallies: list[Tally]) -> str:
    """One line per method."""
    heads = [
        *("method", "cells", "best", "within 1 s.e. of the best", "above unadjusted"),
        *("significantly above", "significantly below", "mean rank", "mean difference to unadjusted"),
    ]
    lines = []
    for one in tallies:
        counts = [count(part, one.cells) for part in (one.best, one.near, one.above, one.gained, one.lost)]
        if one.method == CLEAN:
            counts[2:] = [NOTHING] * 3
        last = NOTHING if one.method == CLEAN else signed(one.difference)
        lines.append((method(one.method), str(one.cells), *counts, f"{one.rank:.1f}", last))
    return table(heads, lines)


def definitions(tasks: list[Task]) -> str:
    """What the columns mean."""
    fewer = [name for name in methods_of(tasks) if any(name not in task.facts["methods"] for task in tasks)]
    notes = [
        "*Unadjusted*: the black box without any method; `clean`, the paper's name, in the tables.",
        "*Best*: no method has a higher mean over the draws; ties are all best. *Within 1 s.e.*: at most one standard "
        "error of the best mean below it.",
        "*Significantly*: a two-sided t-test of the differences to unadjusted over the draws, at "
        f"{100 * LEVEL:.0f} %. Its variance has two parts: that of drawing S (over the draws), and that of the test "
        "rows, which all draws share (of the mean difference over a Bayesian bootstrap of the test rows; `test_error` "
        "in the result files). There is no correction for multiple comparisons, and the cells of a task are not "
        "independent.",
        "*Mean rank*: among the methods of a cell; 1 is best, and ties share the mean of their ranks.",
    ]
    if fewer:
        notes.append(f"Not run on every task: {', '.join(map(code, fewer))}. Shares are of a method's own cells.")
    return "\n".join(f"* {note}" for note in notes)


def legend(methods: list[str]) -> str:
    """One line per method, folded."""
    lines = [f"* {method(name)}" + (f": {words.METHODS[name]}" if name in words.METHODS else "") for name in methods]
    return "<details><summary>The methods</summary>\n\n" + "\n".join(lines) + "\n\n</details>"


def by_size(methods: list[str], groups: list[Group], show: Callable[[Tally], str]) -> str:
    """Methods by sizes; the first line counts the cells, since not every pool allows every size."""
    sizes = sorted({group.size for group in groups})
    counts = ["cells", *(str(sum(group.size == size for group in groups)) for size in sizes)]
    lines = [counts]
    for name in methods:
        found = [tally(name, [group for group in groups if group.size == size]) for size in sizes]
        lines.append([method(name), *(show(one) if one else NOTHING for one in found)])
    return table(["labelled rows", *map(str, sizes)], lines)


def by_task(compared: list[str], tasks: list[Task]) -> str:
    """Tasks by methods."""
    lines = []
    for task in tasks:
        groups = task.groups()
        found = [tally(name, groups) for name in compared]
        top = max((one.difference for one in found if one), default=0.0)
        line = [NOTHING if one is None else signed(one.difference) for one in found]
        bold = [one is not None and abs(one.difference - top) <= SAME for one in found]
        lines.append(
            [code(task.name), *(f"**{text}**" if best else text for text, best in zip(line, bold, strict=True))]
        )
    return table(["task", *map(method, compared)], lines)
