"""The section of docs/results.md about votes: what `auto` keeps of its gain, smoothing, and one-hot rows."""

import json
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from markdown import code, codes, metric, plural, score, signed, spread, table

Cell = dict[str, Any]
#: How votes become probabilities, as the tables call it.
NAMES = {
    "votes": "half a vote per class (`--from votes`)",
    "evidence": "strength by evidence, the same for all classes",
    "evidence-shares": "strength by evidence, in proportion to the shares of the classes",
}


def averages(cells: list[Cell], side: str) -> tuple[float, float]:
    """The mean over all tasks and draws, and the standard deviation between draws, averaged over tasks."""
    return mean(mean(cell[side]) for cell in cells), mean(stdev(cell[side]) for cell in cells)


def differences(cells: list[Cell], base: list[Cell], side: str) -> list[tuple[float, str]]:
    """The mean difference between fits of two kinds of input, or to one side of them, task by task."""
    tasks = [*dict.fromkeys(cell["task"] for cell in cells)]
    key = ("task", "size", "metric", "votes")
    of_base = {tuple(cell[name] for name in key): mean(cell[side]) for cell in base}
    by_task = {task: [cell for cell in cells if cell["task"] == task] for task in tasks}
    return [
        (mean(mean(cell["fitted"]) - of_base[tuple(cell[name] for name in key)] for cell in mine), task)
        for task, mine in by_task.items()
    ]


def line(name: str, cells: list[Cell], base: list[Cell], side: str) -> list[str]:
    """Mean, smallest and largest of the differences of all tasks."""
    found = sorted(differences(cells, base, side))
    ends = [f"{signed(value)} ({code(task)})" for value, task in (found[0], found[-1])]
    return [name, signed(mean(value for value, _ in found)), *ends]


def votes(path: Path) -> list[str]:
    """The section; nothing if it was not run."""
    if not path.exists():
        return []
    cells: list[Cell] = json.loads(path.read_text(encoding="utf-8"))
    tasks, metrics, sizes = ([*dict.fromkeys(cell[key] for cell in cells)] for key in ("task", "metric", "size"))
    draws = len(cells[0]["fitted"])

    def of(kind: str, **facts: str | int | None) -> list[Cell]:
        return [cell for cell in cells if cell["input"] == kind and all(cell[k] == v for k, v in facts.items())]

    parts = [
        "## Votes",
        f"Black boxes without probabilities: on {codes(tasks)}, every row gets k answers that are drawn from the black "
        "box's probabilities, and only their counts are known. `auto` is fitted on the counts of "
        f"{' or '.join(map(str, sizes))} rows and tested on the counts of the test rows. "
        "`python3 experiments/votes.py` runs this experiment. Figures are means over the tasks ± the standard "
        f"deviation between draws; every figure is of {plural(len(tasks) * draws, 'run')}, {draws} for each task.",
    ]
    for name in metrics:
        kinds = [(k, "votes") for k in sorted({cell["votes"] for cell in of("votes")})] + [(None, "probabilities")]
        lines = [
            [
                "probabilities" if k is None else str(k),
                score(averages(of(kind, votes=k, metric=name, size=sizes[0]), "clean")[0]),
                *(spread(*averages(of(kind, votes=k, metric=name, size=size), "fitted")) for size in sizes),
            ]
            for k, kind in kinds
        ]
        heads = ["votes", "unadjusted", *(f"`auto`, {size} rows" for size in sizes)]
        parts += [f"{metric(name)[0].upper()}{metric(name)[1:]}:", table(heads, lines)]
    several = [cell for cell in of("votes") if cell["votes"] > 1]
    lines = [line(NAMES[kind], of(kind), several, "fitted") for kind in NAMES if kind != "votes"]
    parts += [
        "**How counts are smoothed.** Half a vote is added to each class. The alternative is to choose the strength by "
        "evidence: the one under which all counts are most probable, if the probabilities of every row are a draw from "
        "a Dirichlet distribution. `auto` with such counts minus `auto` with half a vote, means over metrics, sizes "
        "and numbers of votes above 1 (one vote per row says nothing about the strength):",
        table(["", "mean", "worst task", "best task"], lines),
    ]
    lines = [
        line(f"{text}, {metric(name)}", of(kind, metric=name, votes=1), of(kind, metric=name, votes=1), "clean")
        for name in metrics
        for kind, text in (("votes", "`--from votes`"), ("one-hot", "a table of 0 and 1"))
    ]
    return [
        *parts,
        "**One-hot rows.** `auto` minus the unadjusted black box, with one vote per row:",
        table(["", "mean", "worst task", "best task"], lines),
    ]
