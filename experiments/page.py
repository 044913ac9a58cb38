"""Make docs/results.md from experiments/results/*.json and experiments/paper.json; no figure on it is typed by hand.

python3 experiments/page.py            write the page
python3 experiments/page.py --check    fail if the page is not what the results give
"""

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

import words
from lost import lost
from markdown import code, codes, entry, method, metric, percent, plural, spread, table
from scores import BadResults, Task, load
from summary import summary

HERE = Path(__file__).resolve().parent
SHOWN = (50, 100, 250, 400)  # sizes with a table on the page; the figures and the files hold all
LEGEND = (
    "± is the standard deviation over the draws. **Bold:** best mean. _Italic:_ within one standard error of the best. "
    "†: significantly below clean."
)


def make(results: Path, paper: dict[str, Any], page: Path) -> str:
    """The whole page."""
    tasks = load(results, words.TASKS)
    if not any(task.groups() for task in tasks):
        raise BadResults("no result file with a score: run `make experiments` first")
    parts = [
        *opening(tasks),
        *summary(tasks),
        *beside(tasks, paper),
        *every(tasks, results, page),
        *lost(tasks),
        *provenance(tasks),
    ]
    return "\n\n".join(parts) + "\n"


def opening(tasks: list[Task]) -> list[str]:
    """What was run, and how to run it again."""
    missing = [name for name in words.TASKS if name not in {task.name for task in tasks}]
    draws = sorted({task.facts["repeats"] for task in tasks})
    parts = [
        "# Results",
        f"The paper's experiments and ours: {plural(len(tasks), 'task')}, predictions of real black boxes on real "
        f"labelled rows. For each number of labelled rows, S is drawn {' or '.join(map(str, draws))} times from the "
        "pool; every method is fitted on S for every metric and scored on test rows that never change. One command "
        "runs everything and makes this page again; none of its figures is typed by hand.",
        "```sh\nmake experiments\n```",
        "Where the data comes from and what the black boxes are: [experiments/README.md](../experiments/README.md).",
    ]
    return [*parts, f"Not run yet: {codes(missing)}."] if missing else parts


def beside(tasks: list[Task], paper: dict[str, Any]) -> list[str]:
    """Our tables beside the paper's."""
    found = {task.name: task for task in tasks}
    parts = [
        "## Beside the paper",
        f"What the [paper]({paper['paper']}) prints ([paper.json](../experiments/paper.json), transcribed from it) "
        "beside our runs of the same kind of task at the same number of labelled rows. The notes under each table say "
        f"what differs. {LEGEND} In the paper's columns only the best is marked.",
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
    """One table: methods down, ours and the paper's across."""
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


def every(tasks: list[Task], results: Path, page: Path) -> list[str]:
    """Every task: what it is, its figure, its tables."""
    parts = ["## Every task", LEGEND]
    for task in tasks:
        facts = task.facts
        rows = sum(facts["test_rows_of"].values())
        classes = ", ".join(f"{name} {n:,} ({percent(n, rows)})" for name, n in facts["test_rows_of"].items())
        about = [
            f"* **Black box:** {facts['black_box'].rstrip('.')}.",
            f"* **Rows:** pool {facts['rows']['pool']:,}, test {facts['rows']['test']:,}; classes of the test rows: "
            f"{classes}.",
        ]
        for name, what in (("shift", "Label shift"), ("noise", "Label noise")):
            if facts.get(name):
                about.append(f"* **{what}:** {code(facts[name])}.")
        figure = results / f"{task.name}.svg"
        parts += [f"### {task.name}", f"{facts['title'].rstrip('.')}.", "\n".join(about)]
        if figure.exists():
            link = Path(os.path.relpath(figure, page.parent)).as_posix()
            parts.append(f"![{task.name}: each metric against the number of labelled rows, a line per method]({link})")
        shown = [size for size in facts["sizes"] if size in SHOWN] or facts["sizes"][:1]
        parts.append(f"<details><summary>Tables at {', '.join(map(str, shown))} labelled rows</summary>")
        for size in shown:
            parts += [f"{size} labelled rows:", task_table(task, size)]
        others = [size for size in facts["sizes"] if size not in shown]
        where = f"[{task.name}.json](../experiments/results/{task.name}.json)"
        if others:
            parts.append(f"At {', '.join(map(str, others))} labelled rows: {where}.")
        parts.append("</details>")
    return parts


def task_table(task: Task, size: int) -> str:
    """Methods down, metrics across."""
    lines = []
    for name in task.facts["methods"]:
        cells = [(task.group(of, size), task.cells.get((name, of, size))) for of in task.facts["metrics"]]
        lines.append([method(name), *(entry(group, cell) for group, cell in cells)])
    return table(["method", *map(metric, task.facts["metrics"])], lines)


def provenance(tasks: list[Task]) -> list[str]:
    """Data, seed, version and time of every task."""
    lines = []
    for task in tasks:
        facts, source = task.facts, task.facts["source"]
        what = f"{code(source['file'])}, {source['bytes']:,} bytes, {code(source['fnv'])}"
        lines.append((code(task.name), what, str(facts["seed"]), facts["cwplugin"], f"{facts['seconds']:.1f}"))
    total = sum(task.facts["seconds"] for task in tasks)
    return [
        "## Provenance",
        "What was read (name, size, FNV hash), the seed of the draws, the version of `cwplugin`, and the seconds that "
        f"the task took; together {duration(total)}.",
        table(["task", "source", "seed", "cwplugin", "seconds"], lines),
    ]


def duration(seconds: float) -> str:
    """A time in words."""
    return f"{seconds:.0f} seconds" if seconds < 120 else f"{seconds / 60:.1f} minutes"


def main(arguments: list[str] | None = None) -> int:
    """Write or check the page."""
    parser = argparse.ArgumentParser(description="Make docs/results.md from the results of the experiments.")
    parser.add_argument("--results", type=Path, default=HERE / "results", help="folder of the result files")
    parser.add_argument("--paper", type=Path, default=HERE / "paper.json", help="the paper's printed numbers")
    parser.add_argument("--page", type=Path, default=HERE.parent / "docs" / "results.md", help="page to write")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the page is out of date")
    options = parser.parse_args(arguments)
    try:
        text = make(options.results, json.loads(options.paper.read_text(encoding="utf-8")), options.page)
    except BadResults as error:
        print(f"page: error: {error}", file=sys.stderr)
        return 1
    if not options.check:
        options.page.write_text(text, encoding="utf-8")
        return 0
    if options.page.exists() and options.page.read_text(encoding="utf-8") == text:
        return 0
    print("page: error: the page is not what the results give: run `python3 experiments/page.py`", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
