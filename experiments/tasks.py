"""The tasks one by one: those on real rows, and those on generated ones."""

import os
from pathlib import Path

import words
from markdown import code, codes, entry, method, metric, percent, table
from scores import CLEAN, Task, methods_of, tally
from summary import by_task, main_table

SHOWN = (50, 100, 250, 400)  # sizes with a table on the page; plots and result files have all
FIRST = "macro-f1"  # the metric whose figure is not folded
NAMED = 12  # up to this many classes are listed
LEGEND = (
    "± is the standard deviation over the draws. **Bold:** best mean. _Italic:_ within one standard error of the best. "
    "†: significantly below unadjusted."
)


def every(tasks: list[Task], results: Path, page: Path) -> list[str]:
    """Every task: description, plot, tables."""
    parts = ["## Every task", LEGEND]
    for task in tasks:
        facts = task.facts
        about = [
            f"* **Black box:** {facts['black_box'].rstrip('.')}.",
            f"* **Rows:** pool {facts['rows']['pool']:,}, test {facts['rows']['test']:,}; classes of the test rows: "
            f"{classes(facts['test_rows_of'])}.",
        ]
        if facts.get("shift"):
            about.append(f"* **Label shift:** {code(facts['shift'])}.")
        if facts.get("noise"):
            about.append(f"* **Label noise:** {code(facts['noise'])}, {words.NOISE_IN[task.noise_in]}.")
        parts += shown(task, about, results, page)
    return parts


def generated(tasks: list[Task], results: Path, page: Path) -> list[str]:
    """The tasks on generated rows: a summary, then each task."""
    if not tasks:
        return []
    compared = [name for name in methods_of(tasks) if name != CLEAN]
    groups = [group for task in tasks for group in task.groups()]
    tallies = [found for found in (tally(name, groups) for name in methods_of(tasks)) if found]
    fewer = [name for name in compared if any(name not in task.facts["methods"] for task in tasks)]
    parts = ["## Generated rows", words.GENERATED_ABOUT, main_table(tallies)]
    if fewer:
        why = f" {words.GENERATED_LACK}" if "dirichlet-full" in fewer else ""
        parts.append(f"Not run on every task: {codes(fewer)}.{why}")
    parts += [
        "Mean difference to unadjusted over all metrics and sizes; the best of a task in bold.",
        by_task(compared, tasks),
        LEGEND,
    ]
    for task in tasks:
        facts, rows = task.facts, task.facts["source"]["generated"]
        about = [
            f"* **Black box:** {facts['black_box'].rstrip('.')}.",
            f"* **Rows:** pool {facts['rows']['pool']:,}, test {facts['rows']['test']:,}; {rows['classes']} classes in "
            f"{rows['dimensions']} dimensions, variance 1 around centres of standard deviation {rows['spread']:g}; "
            f"classes of the test rows: {classes(facts['test_rows_of'])}.",
            f"* **Class priors:** source {shares(rows['source'])}, target {shares(rows['target'])}.",
        ]
        parts += shown(task, about, results, page)
    return parts


def shares(exponent: float) -> str:
    """Class priors in words."""
    if exponent == 0:
        return "uniform"
    power = "" if abs(exponent) == 1 else f"^{abs(exponent):g}"
    return f"∝ 1 / rank{power}{' with the ranks reversed' if exponent < 0 else ''}"


def classes(rows: dict[str, int]) -> str:
    """The rows of each class; for many classes the largest and the smallest."""
    total = sum(rows.values())
    if len(rows) <= NAMED:
        return ", ".join(f"{name} {n:,} ({percent(n, total)})" for name, n in rows.items())
    most, least = max(rows.values()), min(rows.values())
    return f"{len(rows)}, the largest of {most:,} ({100 * most / total:.1f} %), the smallest of {least:,} rows"


def shown(task: Task, about: list[str], results: Path, page: Path) -> list[str]:
    """One task: description, plot, tables."""
    facts = task.facts
    parts = [f"### {task.name}", f"{facts['title'].rstrip('.')}.", "\n".join(about)]
    parts += figures(task, results, page)
    sizes = [size for size in facts["sizes"] if size in SHOWN] or facts["sizes"][:1]
    parts.append(f"<details><summary>Tables at {', '.join(map(str, sizes))} labelled rows</summary>")
    for size in sizes:
        parts += [f"{size} labelled rows:", task_table(task, size)]
    others = [size for size in facts["sizes"] if size not in sizes]
    where = f"[{task.name}.json](../experiments/results/{task.name}.json)"
    if others:
        parts.append(f"At {', '.join(map(str, others))} labelled rows: {where}.")
    return [*parts, "</details>"]


def figures(task: Task, results: Path, page: Path) -> list[str]:
    """One figure per metric; all but the first are folded."""
    images = []
    for name in sorted(task.facts["metrics"], key=lambda name: name != FIRST):
        figure = results / f"{task.name}-{name}.svg"
        if figure.exists():
            link = Path(os.path.relpath(figure, page.parent)).as_posix()
            about = f"{task.name}: {metric(name)} against the number of labelled rows, a line per method"
            images.append(f"![{about}]({link})")
    if len(images) < 2:
        return images
    return [images[0], "<details><summary>Figures of the other metrics</summary>", *images[1:], "</details>"]


def task_table(task: Task, size: int) -> str:
    """Methods by metrics."""
    lines = []
    for name in task.facts["methods"]:
        cells = [(task.group(of, size), task.cells.get((name, of, size))) for of in task.facts["metrics"]]
        lines.append([method(name), *(entry(group, cell) for group, cell in cells)])
    return table(["method", *map(metric, task.facts["metrics"])], lines)
