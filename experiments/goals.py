"""Goals of the default method: no harm, better than the paper's algorithm, as good as the best single method."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import fsum
from pathlib import Path
from typing import Any

import words
from markdown import code, count, metric, plural, score, signed, spread, table
from scores import CLEAN, SAME, Cell, Group, Task, deviation

DEFAULT, PUBLISHED = "auto", "cwplugin:published"
AFRESH = ("logistic", "finetune")  # use features or texts, which the other methods do not
SIZES = (50, 100, 160, 250, 400)
HARMLESS, NEAR = 0.005, 0.01
CENSUS, CENSUS_METRIC, CENSUS_SIZE = "acs-income-8feat", "macro-f1", 50


@dataclass(frozen=True)
class Trial:
    """The default method in one cell, compared with the others."""

    group: Group
    cell: Cell
    published: float
    best: float  # the highest mean of another method that uses only the probabilities

    @property
    def gain(self) -> float:
        """Above the paper's algorithm."""
        return self.cell.mean - self.published


Column = Callable[[Sequence[Trial]], str]


def share(holds: Callable[[Trial], bool]) -> Column:
    """The share of cells in which something holds."""
    return lambda trials: count(sum(map(holds, trials)), len(trials))


COLUMNS: dict[str, tuple[str, Column]] = {
    "≥ published": ("≥ 97 %", share(lambda trial: trial.gain >= -SAME)),
    "mean above published": (
        "≥ +.030",
        lambda trials: signed(fsum(trial.gain for trial in trials) / len(trials)),
    ),
    "≥ unadjusted − .005": ("≥ 97 %", share(lambda trial: trial.group.difference(trial.cell) >= -HARMLESS - SAME)),
    "significantly below unadjusted": ("0", share(lambda trial: trial.group.verdict(trial.cell) < 0)),
    "… by the variance of the draws only": ("", share(lambda trial: trial.group.verdict_of_draws(trial.cell) < 0)),
    "within .010 of the best": ("≥ 90 %", share(lambda trial: trial.cell.mean >= trial.best - NEAR - SAME)),
    "mean above unadjusted": (
        "",
        lambda trials: signed(fsum(trial.group.difference(trial.cell) for trial in trials) / len(trials)),
    ),
}


def goals(tasks: Sequence[Task], splits: Path) -> list[str]:
    """The table, if the default method was run."""
    trials = {task.name: trials_of(task) for task in tasks}
    quiet = [task for task in tasks if not task.is_generated and not task.facts.get("noise")]
    kinds = {
        "every task without label noise": quiet,
        "… with at least 500 test rows": [task for task in quiet if task.facts["rows"]["test"] >= 500],
        "tasks with label noise in S": [task for task in tasks if task.noise_in == "sample"],
        "tasks with label noise in pool and test rows": [task for task in tasks if task.noise_in == "everywhere"],
        "generated rows": [task for task in tasks if task.is_generated],
    }
    lines = [line(what, [trial for task in part for trial in trials[task.name]]) for what, part in kinds.items()]
    lines = [one for one in lines if one]
    if not lines:
        return []
    aims = ["goal", "", *(aim for aim, _ in COLUMNS.values())]
    own = [line(code(task.name), trials[task.name]) for task in tasks]
    heads = ["", "cells", *COLUMNS]
    return [
        f"## Goals of {code(DEFAULT)}",
        words.GOALS,
        table(heads, [aims, *lines]),
        *census(tasks),
        "<details><summary>Task by task</summary>",
        table(["task", *heads[1:]], [one for one in own if one]),
        "</details>",
        *other_splits(splits),
    ]


def other_splits(file: Path) -> list[str]:
    """The smallest tasks with other test rows, if that was run."""
    if not file.exists():
        return []
    found = json.loads(file.read_text(encoding="utf-8"))
    trials = {one["task"]: [trial for trial in map(across, groups_of(one)) if trial] for one in found}
    lines = [line(code(task), part) for task, part in trials.items()]
    lines.append(line("all", [trial for part in trials.values() for trial in part]))
    first = found[0]
    return [
        "### Other test rows for the smallest tasks",
        words.OTHER_SPLITS.format(
            splits=first["splits"], pool=first["rows"]["pool"], test=first["rows"]["test"], shift=code(first["shift"])
        ),
        table(["task", "cells", *COLUMNS], [one for one in lines if one]),
    ]


def groups_of(one: dict[str, Any]) -> list[dict[str, list[float]]]:
    """The scores of every method, split by split, for each metric and size."""
    groups: dict[tuple[str, int], dict[str, list[float]]] = {}
    for cell in one["cells"]:
        groups.setdefault((cell["metric"], cell["size"]), {})[cell["method"]] = cell["scores"]
    return [{"where": (one["task"], *where), "scores": scores} for where, scores in groups.items()]


def across(group: dict[str, Any]) -> Trial | None:
    """A cell over splits, as differences to the unadjusted score, which changes with the test rows too."""
    scores = {name: values for name, values in group["scores"].items() if None not in values}
    if not {DEFAULT, PUBLISHED, CLEAN} <= set(scores):
        return None
    gaps = {
        name: tuple(value - clean for value, clean in zip(values, scores[CLEAN], strict=True))
        for name, values in scores.items()
    }
    means = {name: fsum(values) / len(values) for name, values in gaps.items()}
    task, metric_name, size = group["where"]
    cell = Cell(
        *(DEFAULT, metric_name, size, means[DEFAULT], deviation(gaps[DEFAULT]), 0.0, gaps[DEFAULT]), failures=()
    )
    best = max(mean for name, mean in means.items() if name not in (DEFAULT, *AFRESH))
    return Trial(Group(task, metric_name, size, 0.0, (cell,)), cell, means[PUBLISHED], best)


def trials_of(task: Task) -> list[Trial]:
    """The cells of a task that the goals refer to."""
    found = []
    for group in task.groups():
        means = {cell.method: cell for cell in group.cells}
        if group.size in SIZES and {DEFAULT, PUBLISHED} <= set(means):
            best = max(cell.mean for name, cell in means.items() if name not in (DEFAULT, *AFRESH))
            found.append(Trial(group, means[DEFAULT], means[PUBLISHED].mean, best))
    return found


def line(what: str, trials: Sequence[Trial]) -> list[str] | None:
    """One line of the table."""
    return [what, str(len(trials)), *(show(trials) for _, show in COLUMNS.values())] if trials else None


def census(tasks: Sequence[Task]) -> list[str]:
    """Census income with few rows, where the paper's algorithm gains most."""
    parts = []
    for task in tasks:
        if not task.name.startswith(CENSUS.rsplit("-", 1)[0]):
            continue
        cell = task.cells.get((DEFAULT, CENSUS_METRIC, CENSUS_SIZE))
        clean = task.clean(CENSUS_METRIC)
        if cell and cell.mean is not None and clean is not None:
            parts.append(
                f"{code(task.name)} {score(clean)} → {spread(cell.mean, cell.sd)} ({signed(cell.mean - clean)})"
            )
    if not parts:
        return []
    return [
        f"Census income, {metric(CENSUS_METRIC)}, {plural(CENSUS_SIZE, 'labelled row')}, unadjusted → {code(DEFAULT)} "
        f"(goal: +.060): {'; '.join(parts)}."
    ]
