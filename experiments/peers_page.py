"""The section of docs/results.md about peers: other packages on the same draws of the panel's tasks."""

import json
from pathlib import Path
from statistics import mean
from typing import Any

from markdown import code, codes, metric, percent, plural, signed, table

NEAR = 0.01
BASE = "auto"
#: What a peer is, where its name does not say it.
NOTES = {
    "raw + plug-in": "the probabilities as they are, with the weights that maximise the expected metric over labelled "
    "and unlabelled rows (`plug_in.py`); the other plug-ins do the same with calibrated probabilities",
    "stacking + plug-in": "scikit-learn's multinomial logistic regression on the log-probabilities, C = 1",
    "xcolumns": "block coordinate ascent; it labels all test rows together from their probabilities, without the "
    "labelled rows",
    "Nelder-Mead": "SciPy, over log-weights, on the labelled rows",
    "TunedThresholdClassifierCV": "scikit-learn, on the labelled rows; two classes only",
    "optimal-classification-cutoffs": "its default, every class against the rest, on the labelled rows",
    "optimal-classification-cutoffs, ascent": "its coordinate ascent, macro-F1 only",
}
Task = dict[str, Any]


def differences(tasks: list[Task], name: str, of_metric: str, size: int | None = None) -> list[float]:
    """A method less `auto`, in every cell that has it."""
    return [
        cell["means"][name] - cell["means"][BASE]
        for task in tasks
        for cell in task["cells"]
        if name in cell["means"] and cell["metric"] == of_metric and size in (None, cell["size"])
    ]


def shown(name: str, ours: list[str]) -> str:
    """Our methods as they are typed."""
    return code(name) if name in ours else name


def summary(tasks: list[Task], names: list[str], ours: list[str], of_metric: str) -> str:
    """One line per method: mean difference to `auto`, and the cells in which one of the two is clearly better."""
    lines = []
    for name in names:
        found = differences(tasks, name, of_metric)
        if found:
            better, worse = sum(d > NEAR for d in found), sum(d < -NEAR for d in found)
            shares = [percent(better, len(found)), percent(worse, len(found))]
            lines.append([shown(name, ours), str(len(found)), signed(mean(found)), *shares])
    return table(["method", "cells", "mean − `auto`", "better by > .01", "worse by > .01"], lines)


def by_size(tasks: list[Task], names: list[str], ours: list[str], sizes: list[int]) -> str:
    """The mean difference to `auto` in macro-F1 for each number of labelled rows."""
    lines = []
    for name in names:
        found = [differences(tasks, name, "macro-f1", size) for size in sizes]
        if all(found):
            lines.append([shown(name, ours), *(signed(mean(one)) for one in found)])
    return table(["macro-F1, mean − `auto`", *(f"{size} rows" for size in sizes)], lines)


def incidents(tasks: list[Task]) -> str:
    """What was skipped, and which fits failed."""
    skipped = [f"{one['peer']} on {code(task['task'])}" for task in tasks for one in task["peers"] if one["skipped"]]
    failed: dict[str, int] = {}
    for one in (one for task in tasks for one in task["peers"]):
        if one.get("failed"):
            failed[one["peer"]] = failed.get(one["peer"], 0) + one["failed"]
    said = [f"Skipped because of the limit of time: {'; '.join(skipped)}." if skipped else "Nothing was skipped."]
    if failed:
        counts = ", ".join(f"{peer} {number}" for peer, number in failed.items())
        said.append(f"Failed fits, which count as the unadjusted black box: {counts}.")
    else:
        said.append("No fit failed.")
    return " ".join(said)


def peers(path: Path) -> list[str]:
    """The section; nothing if it was not run."""
    if not path.exists():
        return []
    facts: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    ours = [name for name in facts["ours"] if name != BASE]
    names = [*facts["peers"], *ours]
    versions = ", ".join(f"{name} {number}" for name, number in facts["versions"].items())
    parts = [
        "## Peers",
        "Other packages on the tasks of the [panel](../experiments/panel/README.md), on the same draws, unlabelled "
        "rows and test rows as `auto`: `cwplugin compare` hands out its draws (`--draws-out`) and scores the "
        "predictions that come back (`--external`). `make panel-peers` runs everything. The table is of the program "
        "before [decision 0036](decisions/0036-draws-of-the-score.md). For every task and metric, "
        f"there are {facts['repeats']} draws of {', '.join(map(str, facts['sizes'][:-1]))} and {facts['sizes'][-1]} "
        f"labelled rows with up to {facts['unlabelled']} unlabelled rows; a cell is a task, a metric and a size, and "
        f"a score is the mean over the draws. Versions: {versions}.",
        "\n".join(f"* *{name}*: {note}." for name, note in NOTES.items() if name in facts["peers"]),
    ]
    for half, known in facts["halves"].items():
        tasks = [task for task in facts["tasks"] if task["task"] in known]
        if not tasks:
            continue
        parts.append(f"### Peers on the {half} half")
        chosen = "The rule of `auto` was chosen on these tasks." if half == "dev" else "No rule was chosen on these."
        parts.append(f"{plural(len(tasks), 'task')}. {chosen} {incidents(tasks)}")
        for of_metric in facts["metrics"]:
            parts += [f"**{metric(of_metric)}**", summary(tasks, names, ours, of_metric)]
        parts.append(by_size(tasks, names, ours, facts["sizes"]))
    missing = [half for half, known in facts["halves"].items() if not known]
    if missing:
        parts.append(f"Not run yet: the half {codes(missing)}.")
    return parts
