"""The measured parts of docs/scale.md, from the results of `make bench-spark`.

    python benches/spark_page.py [--check]

Updates the page, or checks it. The text around the measured parts is unchanged.
"""

import json
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

Results = dict[str, Any]

PAGE = Path(__file__).resolve().parents[1] / "docs" / "scale.md"
RESULTS = Path(__file__).with_name("spark-results.json")
TASKS = {
    "fit": "fit, without scores",
    "scored": "fit",
    "evaluate": "evaluate",
    "apply": "apply",
    "parts": "count file by file, merge, fit",
}
ENGINES = {"program": ("program", "thread"), "spark": ("Spark", "executor")}
BILLION = 1_000_000_000
CORES = (1, 16, 64)


def main() -> None:
    """Write the page, or check it."""
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else None
    page = rebuilt(results)
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(page)
    elif page != PAGE.read_text():
        sys.exit("docs/scale.md does not match benches/spark-results.json: run python3 benches/spark_page.py")


def rebuilt(results: Results | None) -> str:
    """The page with every `<!-- measured: NAME -->` part rebuilt."""

    def block(match: re.Match[str]) -> str:
        make = BLOCKS[match["name"]]
        body = "Not measured yet: `make bench-spark`." if results is None else make(results)
        return f"<!-- measured: {match['name']} -->\n\n{body}\n\n<!-- end -->"

    pattern = r"<!-- measured: (?P<name>[a-z-]+) -->.*?<!-- end -->"
    return re.sub(pattern, block, PAGE.read_text(), flags=re.DOTALL)


def machine(results: Results) -> str:
    """Where the figures were taken."""
    found = results["machine"]
    versions = ", ".join(f"{name} {number}" for name, number in results["versions"].items())
    where = f"{found['processor']}, {found['cores']} cores, {found['memory_gib']} GiB, {found['system']}"
    left_out = "".join(f" Left out: {why}." for why in results["left_out"])
    return f"Measured on {where}; {versions}; commit {results['commit']}.{left_out}"


def speed(results: Results) -> str:
    """Every task of either engine at every size, with the ratio to the program on as many threads."""
    lines = []
    for size in results["sizes"]:
        for task, title in TASKS.items():
            for engine, workers, cell in cells(size, task):
                theirs = size["program"][workers][task]["wall"]
                ratio = "–" if engine == "program" else f"{digits(cell['wall'] / theirs)} ×"
                rate = digits(size["rows"] / cell["wall"] / 1e6)
                peak = digits(cell["peak"] / 1e6) if "peak" in cell else "–"
                who = f"{ENGINES[engine][0]}, {counted(workers, ENGINES[engine][1])}"
                what = (f"{size['rows']:,}", title, who)
                lines.append((*what, digits(cell["wall"]), digits(cell["cpu"]), peak, rate, ratio))
    heads = ["rows", "task", "engine", "wall s", "CPU s", "peak MB", "million rows/s", "ratio to the program"]
    return table(heads, lines)


def cells(size: Results, task: str) -> list[tuple[str, str, Results]]:
    """What was measured of a task at a size, by engine and workers."""
    found = [("program", workers, tasks.get(task)) for workers, tasks in size["program"].items()]
    found += [("spark", workers, session["jobs"].get(task)) for workers, session in size["spark"].items()]
    return [(engine, workers, cell) for engine, workers, cell in found if cell is not None]


def start(results: Results) -> str:
    """The time to start a session, and what the program does in that time."""
    size = results["sizes"][-1]
    lines = [
        (executors, digits(session["start"]), digits(session["first"])) for executors, session in size["spark"].items()
    ]
    cold = size["spark"]["1"]["start"] + size["spark"]["1"]["first"]
    program, alone = rate(size, "program", "2"), rate(size, "spark", "1")
    rows = int(float(f"{cold * program:.2g}"))
    return "\n\n".join(
        [
            table(["executors", "session s", "first jobs s"], lines),
            f"In the time until a session with one executor is warm, {digits(cold)} s, the program on two threads fits "
            f"about {rows:,} rows: for fewer rows, starting Spark takes longer than the fit. Warm, one executor fits "
            f"{digits(alone / 1e6)} million rows per second, the program on two threads {digits(program / 1e6)} "
            f"million: with more than {digits(program / alone)} executors Spark is faster.",
        ]
    )


def rate(size: Results, engine: str, workers: str) -> float:
    """Rows per second of a fit without scores."""
    found = {(who, some): cell for who, some, cell in cells(size, "fit")}
    return size["rows"] / found[engine, workers]["wall"]


def stages(results: Results) -> str:
    """Where the processor time of a fit goes, by jobs that do only a part of it."""
    lines = []
    for size in results["sizes"]:
        for executors, session in size["spark"].items():
            read, arrow, fit = (session["jobs"][job]["cpu"] for job in ("read", "arrow", "fit"))
            parts = (read, max(arrow - read, 0), max(fit - arrow, 0))
            shares = (f"{100 * part / sum(parts):.0f} %" for part in parts)
            lines.append((f"{size['rows']:,}", executors, digits(read), digits(arrow), digits(fit), *shares))
    heads = [
        *("rows", "executors", "read s", "read and pass to Python s", "fit s"),
        *("reading", "passing to Python", "counting and the rest"),
    ]
    return table(heads, lines)


def moved(results: Results) -> str:
    """Bytes that leave the executors, compared with the rows."""
    lines = []
    for size in results["sizes"]:
        for executors, session in size["spark"].items():
            fit = session["jobs"]["fit"]
            out = fit["collected"] + fit["shuffled"]
            what = (f"{size['rows']:,}", executors, f"{fit['tasks']:.0f}", digits(size["bytes"] / 1e6))
            sizes = (digits(fit["shuffled"] / 1e3), digits(fit["collected"] / 1e3))
            lines.append((*what, *sizes, digits(out / 1e3 / fit["tasks"]), f"{100 * out / size['bytes']:.3g} %"))
    heads = [
        *("rows", "executors", "tasks", "rows, MB", "shuffled, kB", "to the driver, kB"),
        *("per task, kB", "share of the rows"),
    ]
    return table(heads, lines)


def plan(results: Results) -> str:
    """A billion rows, by simple arithmetic from the largest size."""
    size = results["sizes"][-1]
    lines = []
    for task, title in TASKS.items():
        for engine, workers, cell in cells(size, task):
            if workers == "1":
                hours = cell["cpu"] / size["rows"] * BILLION / 3600
                minutes = (digits(60 * hours / cores) for cores in CORES)
                lines.append((title, ENGINES[engine][0], digits(hours), *minutes))
    minutes = (f"minutes on {counted(str(cores), 'core')}" for cores in CORES)
    heads = ["a billion rows", "engine", "core-hours", *minutes]
    gigabytes = digits(size["bytes"] / size["rows"] * BILLION / 1e9)
    rows = f"{size['rows']:,} rows with {results['classes']} classes"
    said = f"From the CPU time of {rows}; a billion of them are {gigabytes} GB of Parquet:"
    return "\n\n".join([said, table(heads, lines)])


def counted(number: str, what: str) -> str:
    """One thing, or several."""
    return f"{number} {what}{'' if number == '1' else 's'}"


def digits(value: float) -> str:
    """Three significant digits, without an exponent."""
    if value == 0 or value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}" if value >= 1e-4 else f"{value:.6f}"


def table(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """A Markdown table; columns of figures to the right, words to the left."""
    figures = [all(re.match(r"[\d–-]", line[column]) for line in lines) for column in range(len(heads))]
    rule = ["---:" if right else "---" for right in figures]
    return "\n".join(f"| {' | '.join(line)} |" for line in [heads, rule, *lines])


BLOCKS: dict[str, Callable[[Results], str]] = {
    "machine": machine,
    "speed": speed,
    "start": start,
    "stages": stages,
    "moved": moved,
    "plan": plan,
}


if __name__ == "__main__":
    main()
