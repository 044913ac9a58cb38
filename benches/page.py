"""Rebuild the measured parts of docs/benchmarks.md from the results; the text around them is unchanged."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import calibrators as calibrators_of
import fits_page
import pictures
import processes_page
from growth import TASKS, slope
from tables import digits, milliseconds, reasons, table, times

Results = dict[str, Any]

TITLES = {
    "ours-grid-1": "**cwplugin, grid, 1 thread**",
    "ours-grid-2": "cwplugin, grid, 2 threads",
    "ours-exact-1": "cwplugin, exact (every cut), 1 thread",
    "ours-ascent-1": "cwplugin, `--method ascent`, 1 thread",
    "ours-ascent-2": "cwplugin, `--method ascent`, 2 threads",
    "sklearn-loop": "Algorithm 1 with scikit-learn's `f1_score`",
    "numpy-loop": "Algorithm 1 with numpy counts, a loop over alpha",
    "numpy-bins": "Algorithm 1 with numpy bins, no loop over alpha",
    "cutoffs": "optimal-classification-cutoffs, default",
    "cutoffs-ascent": "optimal-classification-cutoffs, coordinate ascent",
    "nelder-mead": "scipy, Nelder–Mead",
    "tuned-threshold": "scikit-learn, `TunedThresholdClassifierCV`",
}
CALIBRATORS = {
    "netcal-temperature": "netcal",
    "scipy-vector": "scipy, L-BFGS",
    "netcal-vector": "netcal",
    "sklearn-dirichlet": "scikit-learn, one map",
}
BASE = "ours-grid-1"
FLOOR_GOALS = {"grid": ("grid fit", 1.5), "exact": ("exact fit", 4.0), "apply": ("apply and count", 1.3)}
# Which of our fits is compared with which peer: the goal, and the numbers of rows.
PEER_GOALS = {
    "sklearn-loop": ("grid", 500, (100_000,)),
    "numpy-bins": ("grid", 10, (100_000, 1_000_000)),
    "cutoffs-ascent": ("ascent", 200, (100_000,)),
}
BYTES = {"f64": 8, "f32": 4}
FILES = {"csv": "CSV", "parquet-f64": "Parquet, f64", "parquet-f32": "Parquet, f32"}


def rebuild(template: Path, page: Path, results: Results) -> None:
    """Write the page: the template with every `<!-- measured: NAME -->` part rebuilt."""

    def block(match: re.Match[str]) -> str:
        name = match["name"]
        needs, make = BLOCKS[name]
        command = "bench-profile" if needs == "profile" else "bench-peers"
        body = make(results) if needs in results else f"Not measured yet: `make {command}`."
        return f"<!-- measured: {name} -->\n\n{body}\n\n<!-- end -->"

    pattern = r"<!-- measured: (?P<name>[a-z-]+) -->.*?<!-- end -->"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(re.sub(pattern, block, template.read_text(), flags=re.DOTALL))


def environment(results: Results) -> str:
    """Machine, versions, commits."""
    machine, versions = results["environment"]["machine"], results["environment"]["versions"]
    commits: dict[str, list[str]] = {}
    for part in ("goals", "peers", "processes", "calibrators", "growth", "fits", "files", "profile"):
        if part in results:
            commits.setdefault(results[part]["commit"], []).append(part)
    measured = "; ".join(f"{', '.join(parts)} at {commit}" for commit, parts in commits.items())
    lines = [
        ("processor", f"{machine['processor']}, {machine['cores']} cores"),
        ("memory", f"{machine['memory_gib']} GiB"),
        ("system", machine["system"]),
        ("versions", ", ".join(f"{name} {number}" for name, number in versions.items())),
        ("measured", measured),
    ]
    return table(["", ""], lines)


def goals(results: Results) -> str:
    """Each goal with what was measured on one thread and on two."""
    lines = []
    for task, (name, limit) in FLOOR_GOALS.items():
        for dtype in ("f64", "f32"):
            runs = [run for run in results["goals"]["runs"] if run["dtype"] == dtype]
            ratios = [run["ratios"][task] for run in runs]
            goal = f"{name} ≤ {limit:g} × one pass over the matrix, {dtype}"
            lines.append((goal, *map(times, ratios), verdict([ratio <= limit for ratio in ratios])))
    many = results.get("peers", {}).get("many", {})
    for peer, (task, factor, sizes) in PEER_GOALS.items():
        for n in sizes:
            theirs = many.get(peer, {}).get(str(n), {}).get("wall")
            own = [many.get(f"ours-{task}-{threads}", {}).get(str(n), {}).get("wall") for threads in (1, 2)]
            if theirs is None or None in own:
                continue
            ratios = [theirs / wall for wall in own]
            goal = f"{task} fit ≥ {factor} × as fast as: {TITLES[peer]}, {n:,} rows"
            lines.append((goal, *map(times, ratios), verdict([ratio >= factor for ratio in ratios])))
    return table(["goal", "1 thread", "2 threads", "met"], lines)


def bounds(results: Results) -> str:
    """How many bytes of the matrix each task gets through in a second, and how long it spends on a row."""
    lines = []
    for run in results["goals"]["runs"]:
        size = run["rows"] * run["classes"] * BYTES[run["dtype"]]
        for task in TASKS:
            seconds = run["seconds"][task]
            what = (run["dtype"], str(run["threads"]), pictures.LABELS[task])
            lines.append(
                (*what, milliseconds(seconds), digits(size / seconds / 1e9), digits(1e9 * seconds / run["rows"]))
            )
    rates = table(["numbers", "threads", "task", "ms", "GB/s", "ns per row"], lines)
    if "growth" not in results:
        return rates
    runs = results["growth"]["rows"]
    grown = [
        (f"{run['rows']:,}", *(digits(1e9 * run["seconds"][task] / run["rows"]) for task in TASKS)) for run in runs
    ]
    caption = "Nanoseconds per row on one thread, ten classes, as the rows outgrow the caches:"
    return "\n\n".join([rates, caption, table(["rows", *(pictures.LABELS[task] for task in TASKS)], grown)])


def profile(results: Results) -> str:
    """Instructions per row and step of the two fits, and what a row takes in the cache and in memory."""
    searches = results["profile"]["searches"]
    steps = dict.fromkeys(step for found in searches.values() for step in sorted(found["steps"]))
    columns = [[found["steps"].get(step, 0) for step in steps] for found in searches.values()]
    lines = [
        (step, *(digits(figure) if figure else "–" for figure in figures))
        for step, *figures in zip(steps, *columns, strict=True)
    ]
    lines.append(("**loops over rows**", *(digits(sum(column)) for column in columns)))
    lines.append(("**whole fit**", *(digits(found["whole"]) for found in searches.values())))
    heads = [f"fit, {name}, {found['rows']:,} rows" for name, found in searches.items()]
    sizes = [
        (f"fit, {name}, {int(rows):,} rows", digits(ns))
        for name, found in searches.items()
        for rows, ns in found["ns"].items()
    ]
    return "\n\n".join([table(["instructions per row", *heads], lines), table(["", "ns per row, fastest"], sizes)])


def peers(results: Results) -> str:
    """Wall times with ratios, processor times, and the score that each program reaches."""
    measured = results["peers"]
    many, sizes = measured["many"], measured["sizes"]
    scored = {
        n: [name for name, row in many.items() if "score" in row[str(n)] and name != "ours-grid-2"] for n in sizes
    }
    n = max(sizes, key=lambda n: (len(scored[n]), n))  # where most programs ended; the largest such
    scores = [(TITLES[name], f"{many[name][str(n)]['score']:.4f}") for name in scored[n]]
    return "\n\n".join(
        [
            wall_table(many, sizes),
            *reasons(many),
            "CPU time of the same runs:",
            cpu_table({name: row for name, row in many.items() if not name.startswith("ours")}, sizes),
            f"Macro-F1 on the fitted rows, at {n:,} rows:",
            table(["", "macro-F1"], scores),
        ]
    )


def two(results: Results) -> str:
    """The same at two classes."""
    rows = results["peers"]["two"]
    return "\n\n".join([wall_table(rows, results["peers"]["sizes"]), *reasons(rows)])


def processes(results: Results) -> str:
    """Whole processes, wall and processor time."""
    rows, sizes = results["processes"]["npz"], results["processes"]["sizes"]
    return "\n\n".join([wall_table(rows, sizes), "CPU time of the same runs:", cpu_table(rows, sizes)])


def calibrators(results: Results) -> str:
    """Every method of cwplugin, with the peers that do the same."""
    part = results["calibrators"]
    one, two = (part["ours"][threads] for threads in ("1", "2"))
    lines = []
    for method, seconds in one.items():
        same = [name for name, ours in calibrators_of.PEERS.items() if ours == method and name in part["peers"]]
        figures = [part["peers"][name]["cpu"] for name in same]
        lines.append(
            (
                f"`{method}`",
                digits(seconds * 1e3),
                digits(two[method] * 1e3),
                "; ".join(f"{CALIBRATORS[name]}: {digits(cpu * 1e3)}" for name, cpu in zip(same, figures)) or "–",
                "; ".join(times(cpu / seconds) for cpu in figures) or "–",
            )
        )
    heads = ["method", "1 thread, ms", "2 threads, ms", "peers, CPU ms", "ratio to 1 thread"]
    text = f"{part['rows']:,} rows × {part['classes']} classes. Peak memory of `fit --method dirichlet-full` as a process: "
    return f"{text}{part['peak'] / 1e6:.0f} MB.\n\n{table(heads, lines)}"


def growth(results: Results) -> str:
    """Pictures and exponents."""
    measured = results["growth"]
    exponents = [
        (pictures.LABELS[task], *(f"{slope(measured[along], along, task):.2f}" for along in ("rows", "classes")))
        for task in TASKS
    ]
    return "\n\n".join(
        [
            f"![{pictures.alternative(measured, 'rows')}](images/{pictures.ROWS})",
            f"![{pictures.alternative(measured, 'classes')}](images/{pictures.CLASSES})",
            table(["exponent of the time", "in rows", "in classes"], exponents),
        ]
    )


def files(results: Results) -> str:
    """One line per format and command."""
    measured = results["files"]
    if "skipped" in measured:
        return f"Not measured: {measured['skipped']}."
    lines, failed = [], []
    for name, found in measured["tables"].items():
        decode = found["commands"]["decode"].get("wall")
        for command, cell in found["commands"].items():
            what = f"{FILES[name]} ({found['bytes'] / 1e6:,.0f} MB)", f"`{command}`"
            if "failed" in cell:
                failed.append(f"–: `{command}` failed: {cell['failed']}")
                lines.append((*what, *"–––––"))
                continue
            rate = measured["rows"] / cell["wall"] / 1e6
            share = "–" if decode is None or command == "decode" else f"{100 * decode / cell['wall']:.0f} %"
            cpu = f"{cell['cpu']:.2f}" if "cpu" in cell else "–"
            peak = f"{cell['peak'] / 1e6:,.0f}" if "peak" in cell else "–"
            lines.append((*what, f"{cell['wall']:.2f}", cpu, peak, f"{rate:.2f}", share))
    heads = ["file", "command", "wall s", "CPU s", "peak MB", "million rows/s", "decoding"]
    return "\n\n".join([f"{measured['rows']:,} rows:", table(heads, lines), *dict.fromkeys(failed)])


def wall_table(rows: dict[str, Any], sizes: Sequence[int]) -> str:
    """Milliseconds, followed by the ratio to ours on one thread."""

    def cell(name: str, n: int) -> str:
        wall = rows[name][str(n)]["wall"]
        if wall is None:
            return "–"
        ratio = "" if name == BASE else f" ({times(wall / rows[BASE][str(n)]['wall'])})"
        return milliseconds(wall) + ratio

    heads = ["wall ms (ratio to the first line)", *(f"{n:,} rows" for n in sizes)]
    return table(heads, [(TITLES[name], *(cell(name, n) for n in sizes)) for name in rows])


def cpu_table(rows: dict[str, Any], sizes: Sequence[int]) -> str:
    """Milliseconds of processor time."""

    def cell(name: str, n: int) -> str:
        found = rows[name][str(n)]
        return "–" if found["wall"] is None else milliseconds(found["cpu"])

    heads = ["CPU ms", *(f"{n:,} rows" for n in sizes)]
    return table(heads, [(TITLES[name], *(cell(name, n) for n in sizes)) for name in rows])


def verdict(met: Sequence[bool]) -> str:
    """Whether a goal is met on one thread and on two."""
    if all(met):
        return "yes"
    return "on 1 thread only" if met[0] else "on 2 threads only" if met[1] else "no"


BLOCKS: dict[str, tuple[str, Callable[[Results], str]]] = {
    "environment": ("environment", environment),
    "goals": ("goals", goals),
    "peers": ("peers", peers),
    "two-classes": ("peers", two),
    "processes": ("processes", processes),
    "commands": ("processes", processes_page.commands),
    "calibrators": ("calibrators", calibrators),
    "growth": ("growth", growth),
    "fit-goals": ("fits", fits_page.goals),
    "fit-growth": ("fits", fits_page.growth),
    "reports": ("fits", fits_page.reports),
    "files": ("files", files),
    "bounds": ("goals", bounds),
    "profile": ("profile", profile),
}
