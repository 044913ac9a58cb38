"""The tables that the paper prints, beside ours."""

from typing import Any

import words
from markdown import code, entry, method, metric, spread, table
from scores import Task
from tasks import LEGEND


def beside(tasks: list[Task], paper: dict[str, Any]) -> list[str]:
    """Our tables compared with the paper's."""
    found = {task.name: task for task in tasks}
    parts = [
        "## The printed tables beside ours",
        f"Published results of the [paper]({paper['paper']}) ([paper.json](../experiments/paper.json), transcribed) "
        "next to our runs of the same kind of task with the same number of labelled rows. The notes below each table "
        f"list the differences. {LEGEND} In the paper's columns only the best is marked.",
        " ".join(f"{name}: {note}" for name, note in paper["stand_ins"].items()),
    ]
    for printed in paper["tables"]:
        parts.append(f"### {printed['title']}, {printed['size']} labelled rows")
        said: tuple[str, ...] = ()
        for name in printed["ours"]:
            parts.append(f"**{code(name)}**" + (f": {found[name].facts['title']}" if name in found else ""))
            if name not in found:
                parts.append("Not run yet.")
            elif printed["size"] not in found[name].facts["sizes"]:
                parts.append("Not run at this number of labelled rows.")
            else:
                parts.append(comparison(found[name], printed, paper["methods"]))
            notes = words.DIFFERENCES.get(name, ())
            parts.append("\n".join(f"* {note}" for note in (("As above.",) if notes and notes == said else notes)))
            said = notes
    return [part for part in parts if part]


def comparison(task: Task, printed: dict[str, Any], names: dict[str, str]) -> str:
    """One table: methods by metrics, ours and the paper's."""
    theirs = {(names[cell["method"]], cell["metric"]): cell for cell in printed["cells"]}
    best = {
        name: max(cell["mean"] for cell in printed["cells"] if cell["metric"] == name) for name in printed["metrics"]
    }
    called = {names[cell["method"]]: cell["method"] for cell in printed["cells"]}
    lines = []
    for ours in task.facts["methods"]:
        line = [method(ours), called.get(ours, "–")]
        for name in printed["metrics"]:
            line.append(entry(task.group(name, printed["size"]), task.cells.get((ours, name, printed["size"]))))
            cell = theirs.get((ours, name))
            text = spread(cell["mean"], cell["sd"]) if cell else "–"
            line.append(f"**{text}**" if cell and cell["mean"] == best[name] else text)
        lines.append(line)
    for ours in [name for name in called if name not in task.facts["methods"]]:
        cells = [theirs[ours, name] for name in printed["metrics"]]
        texts = [text for cell in cells for text in ("–", spread(cell["mean"], cell["sd"]))]
        lines.append([method(ours), called[ours], *texts])
    heads = [text for name in printed["metrics"] for text in (f"{metric(name)}, ours", "paper")]
    return table(["method", "in the paper", *heads], lines)
