"""Label noise in the paper: two readings of its text, and which of them gives the printed numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any

from markdown import NOTHING, code, codes, count, metric, plural, score, signed, table
from scores import CLEAN, Group, Task, tally

READINGS = ("sample", "everywhere")
NAMES = {"sample": "Noise in S only", "everywhere": "Noise in pool and test rows"}
ABOUT = (
    "The paper flips a share of the labels of one class. Its text allows two readings: the labels of S are wrong and "
    "the test rows are right (`compare --noise-in sample`), or the target itself has these labels, so that pool and "
    "test rows are both flipped (`--noise-in everywhere`). Both were run, with the same share."
)
WHY = {
    "everywhere": (
        "**Why:** with noise in S only, the labels describe class shares that the test rows do not have, while the "
        "unadjusted black box is as good as before, so a method that trusts the labels is misled. With a noisy target "
        "the unadjusted black box loses ({unadjusted}), because it still predicts the class whose labels were flipped. "
        "S shows how often that is wrong, and a weight per class can correct it. Of the cells of all methods and "
        "sizes, not above unadjusted are {lost}."
    ),
    "sample": (
        "**Also:** of the cells of all methods and sizes, not above unadjusted are {lost}. Unadjusted scores of both "
        "readings: {unadjusted}."
    ),
}
Key = tuple[str, str]  # method and metric


@dataclass(frozen=True)
class Fit:
    """How well the differences to unadjusted of one reading match the printed ones."""

    reading: str
    same_sign: int
    all: int
    distance: float  # mean absolute difference to the printed differences


def readings(tasks: Sequence[Task], paper: dict[str, Any]) -> list[str]:
    """The section; empty if a reading was not run."""
    parts = ["## Label noise: two readings", ABOUT]
    for printed in paper["tables"]:
        of = {
            one: [task for task in tasks if task.name in printed["ours"] and task.noise_in == one] for one in READINGS
        }
        if not all(of.values()):
            continue
        theirs = differences_of_paper(printed, paper["methods"])
        ours = {one: differences(of[one], printed["size"], theirs) for one in READINGS}
        fits = [fit(one, ours[one], theirs) for one in READINGS]
        parts += [
            f"{printed['title']}, {printed['size']} labelled rows, difference to unadjusted; ours are means over "
            f"{plural(len(of['sample']), 'task')}:",
            beside(printed, theirs, ours),
            *conclusion(fits, of, printed),
            *remaining(min(fits, key=rank).reading, ours, theirs),
        ]
    others = pairs(tasks, {name for printed in paper["tables"] for name in printed["ours"]})
    parts += without_numbers(others)
    return parts if len(parts) > 2 else []


def differences_of_paper(printed: dict[str, Any], names: dict[str, str]) -> dict[Key, float]:
    """The printed differences to Clean, by our name of the method and by metric."""
    means = {(names[cell["method"]], cell["metric"]): cell["mean"] for cell in printed["cells"]}
    return {(name, of): mean - means[CLEAN, of] for (name, of), mean in means.items() if name != CLEAN}


def differences(tasks: Sequence[Task], size: int, wanted: dict[Key, float]) -> dict[Key, float]:
    """Our differences to unadjusted, as means over the tasks."""
    found: dict[Key, float] = {}
    for name, of in wanted:
        cells = [(task.cells.get((name, of, size)), task.clean(of)) for task in tasks]
        gaps = [cell.mean - clean for cell, clean in cells if cell and cell.mean is not None and clean is not None]
        if gaps:
            found[name, of] = fsum(gaps) / len(gaps)
    return found


def fit(reading: str, ours: dict[Key, float], theirs: dict[Key, float]) -> Fit:
    """The match of one reading with the printed numbers."""
    both = [(ours[key], theirs[key]) for key in ours]
    same = sum((one > 0) == (other > 0) for one, other in both)
    return Fit(reading, same, len(both), fsum(abs(one - other) for one, other in both) / max(len(both), 1))


def beside(printed: dict[str, Any], theirs: dict[Key, float], ours: dict[str, dict[Key, float]]) -> str:
    """Methods by metrics: the paper, noise in S, noise everywhere."""
    lines = []
    for name in dict.fromkeys(name for name, _ in theirs):
        line = [code(name)]
        for of in printed["metrics"]:
            found = [theirs.get((name, of)), *(ours[one].get((name, of)) for one in READINGS)]
            line += [NOTHING if value is None else signed(value) for value in found]
        lines.append(line)
    heads = [f"{metric(of)}, {what}" for of in printed["metrics"] for what in ("paper", "noise in S", "noisy target")]
    return table(["method", *heads], lines)


def conclusion(fits: Sequence[Fit], of: dict[str, list[Task]], printed: dict[str, Any]) -> list[str]:
    """Which reading fits, and why."""
    best = min(fits, key=rank)
    told = [
        f"* {NAMES[one.reading]}: the sign of the difference is the paper's in {one.same_sign} of {one.all} "
        f"cells; the mean distance to the printed differences is {score(one.distance)}."
        for one in fits
    ]
    lost = []
    for reading in READINGS:
        groups = [group for task in of[reading] for group in task.groups() if group.metric in printed["metrics"]]
        found = [one for name in methods(groups) if (one := tally(name, groups))]
        cells = sum(one.cells for one in found)
        lost.append(f"{count(sum(one.cells - one.above for one in found), cells)} with n{NAMES[reading][1:]}")
    unadjusted = []
    for name in printed["metrics"]:
        theirs = next(c["mean"] for c in printed["cells"] if (c["method"], c["metric"]) == ("Clean", name))
        clean = {one: [task.clean(name) for task in of[one]] for one in READINGS}
        means = [score(fsum(values) / len(values)) for values in clean.values()]
        unadjusted.append(f"{metric(name)} {means[0]} → {means[1]} (paper {score(theirs)})")
    why = WHY[best.reading].format(lost=" and ".join(lost), unadjusted=", ".join(unadjusted))
    return [f"**{NAMES[best.reading]} fits better.**", "\n".join(told), why]


def rank(one: Fit) -> tuple[int, float]:
    """The smallest is the best match: most equal signs, then the smallest distance."""
    return -one.same_sign, one.distance


def remaining(reading: str, ours: dict[str, dict[Key, float]], theirs: dict[Key, float]) -> list[str]:
    """Where even the better reading has another sign than the paper."""
    differ = [
        f"{code(name)}, {metric(of)} ({signed(gap)}, paper {signed(theirs[name, of])})"
        for (name, of), gap in ours[reading].items()
        if (gap > 0) != (theirs[name, of] > 0)
    ]
    return [f"**Still of the other sign:** {'; '.join(differ)}."] if differ else []


def methods(groups: Sequence[Group]) -> list[str]:
    """All methods but the unadjusted black box."""
    return [name for name in dict.fromkeys(cell.method for group in groups for cell in group.cells) if name != CLEAN]


def pairs(tasks: Sequence[Task], printed: set[str]) -> list[tuple[Task, Task]]:
    """The tasks without printed numbers in both readings."""
    targets = {task.name.replace("-target", ""): task for task in tasks if task.noise_in == "everywhere"}
    return [
        (task, targets[task.name])
        for task in tasks
        if task.noise_in == "sample" and task.name in targets and task.name not in printed
    ]


def without_numbers(others: Sequence[tuple[Task, Task]]) -> list[str]:
    """Both readings of tasks for which the paper prints no table: mean difference to unadjusted over all cells."""
    if not others:
        return []
    lines = []
    for name in methods([group for pair in others for task in pair for group in task.groups()]):
        found = [tally(name, task.groups()) for pair in others for task in pair]
        lines.append([code(name), *(signed(one.difference) if one else NOTHING for one in found)])
    heads = [code(task.name) for pair in others for task in pair]
    told = codes([pair[0].name for pair in others])
    return [
        f"The paper prints no table for {told}; mean difference to unadjusted over all metrics and sizes:",
        table(["method", *heads], lines),
    ]
