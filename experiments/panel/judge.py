"""Judge methods on the panel: run `cwplugin compare` on every file of a folder and count.

    python experiments/panel/judge.py DIR [--methods auto,clean,…] [--program cwplugin]

A cell is a task, a metric and a size; a method's score in it is its mean over several splits of the rows into pool and
test rows, with one sample each. With one split, a small task depends on the luck of its test rows. Needs no packages.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import fsum
from pathlib import Path
from statistics import fmean, stdev

from halves import HALVES

PROGRAM = Path(__file__).resolve().parents[2] / "target" / "release" / "cwplugin"
PROTOCOL = "--test-share 0.5 --sizes 50,100,250,500 --repeats 1 --unlabelled 500 --json --quiet".split()
SPLITS = 5
METHODS = "auto,expected,bagged,ascent,cwplugin,cwplugin:published,label-shift,clean"
CLEAN, PUBLISHED = "clean", "cwplugin:published"
COMBINED = "auto"  # chooses among the other methods, so it is no candidate for the best single one
HARMLESS, NEAR = 0.005, 0.01
SAME = 1e-12  # two means nearer than this are the same number, summed in another order


@dataclass(frozen=True)
class Cell:
    """What the methods did on one task, metric and size; a method that failed in a split is missing."""

    task: str
    metric: str
    size: int
    scores: dict[str, list[float]]  # of each method, the mean of each split

    def mean(self, method: str) -> float:
        """Mean over the splits."""
        return fmean(self.scores[method])

    def beside(self, method: str, other: str) -> float:
        """Mean of one method less that of another."""
        return self.mean(method) - self.mean(other)

    def best_single(self) -> float:
        """The highest mean of a method that is not a choice among others."""
        return max(self.mean(method) for method in self.scores if method != COMBINED)

    def is_below_clean(self, method: str) -> bool:
        """By two standard errors of the difference, over the splits."""
        gaps = [mine - clean for mine, clean in zip(self.scores[method], self.scores[CLEAN], strict=True)]
        error = stdev(gaps) / len(gaps) ** 0.5 if len(gaps) > 1 else 0.0
        return fmean(gaps) + 2 * error < -SAME


Count = Callable[[Sequence[Cell], str], str]


def share(holds: Callable[[Cell, str], bool]) -> Count:
    """A column: in how many of the cells something holds of the method."""
    return lambda cells, method: f"{100 * sum(holds(cell, method) for cell in cells) / len(cells):.1f} %"


def mean_over(other: str) -> Count:
    """A column: the mean difference from another method."""
    return lambda cells, method: f"{fsum(cell.beside(method, other) for cell in cells) / len(cells):+.4f}"


COLUMNS: dict[str, Count] = {
    "≥ published": share(lambda cell, method: cell.beside(method, PUBLISHED) >= -SAME),
    "mean − published": mean_over(PUBLISHED),
    f"≥ clean − {HARMLESS}": share(lambda cell, method: cell.beside(method, CLEAN) >= -HARMLESS - SAME),
    "sig. below clean": share(Cell.is_below_clean),
    "mean − clean": mean_over(CLEAN),
    f"within {NEAR} of best": share(lambda cell, method: cell.mean(method) >= cell.best_single() - NEAR - SAME),
}


def compare(program: Path, file: Path, methods: Sequence[str], splits: int, threads: int | None) -> list[Cell]:
    """Run the program on one task, for every split."""
    command = [str(program), "compare", str(file), *PROTOCOL]
    command += ["--methods", ",".join(dict.fromkeys([*methods, PUBLISHED, CLEAN]))]  # the columns compare with these
    if threads:
        command += ["--threads", str(threads)]
    found = []
    for split in range(splits):
        done = subprocess.run([*command, "--seed", str(split)], stdout=subprocess.PIPE, check=True, text=True)
        found += json.loads(done.stdout)["cells"]
    return cells_of(file.stem, found, splits)


def cells_of(task: str, found: Sequence[dict], splits: int) -> list[Cell]:
    """The cells of the program's answers for all splits, by metric and size."""
    cells: dict[tuple[str, int], Cell] = {}
    for one in found:
        metric, size = one["metric"], one["size"]
        cell = cells.setdefault((metric, size), Cell(task, metric, size, {}))
        if one["mean"] is not None:
            cell.scores.setdefault(one["method"], []).append(one["mean"])
    for cell in cells.values():
        for method in [method for method, means in cell.scores.items() if len(means) < splits]:
            del cell.scores[method]
    return [cell for cell in cells.values() if CLEAN in cell.scores and PUBLISHED in cell.scores]


def report(title: str, cells: Sequence[Cell], methods: Sequence[str]) -> str:
    """One table, a line for each method."""
    tasks = len({cell.task for cell in cells})
    lines = [f"## {title}: {tasks} tasks, {len(cells)} cells", "", f"| method | cells | {' | '.join(COLUMNS)} |"]
    lines.append("|---" * (2 + len(COLUMNS)) + "|")
    for method in methods:
        scored = [cell for cell in cells if method in cell.scores]
        counts = [count(scored, method) for count in COLUMNS.values()] if scored else ["–"] * len(COLUMNS)
        lines.append(f"| {method} | {len(scored)} | {' | '.join(counts)} |")
    return "\n".join(lines) + "\n"


def by_size(cells: Sequence[Cell]) -> str:
    """The same columns for `auto`, a line for each number of labels."""
    lines = ["", f"| `{COMBINED}`, labels | cells | {' | '.join(COLUMNS)} |", "|---" * (2 + len(COLUMNS)) + "|"]
    for size in sorted({cell.size for cell in cells}):
        of_size = [cell for cell in cells if cell.size == size]
        counts = [count(of_size, COMBINED) for count in COLUMNS.values()]
        lines.append(f"| {size} | {len(of_size)} | {' | '.join(counts)} |")
    return "\n".join(lines) + "\n"


def judge(cells: Sequence[Cell], methods: Sequence[str]) -> str:
    """Tables for each half that has cells; what a rule was chosen on and what confirms it are never mixed."""
    parts = {half: [cell for cell in cells if cell.task in names] for half, names in HALVES.items()}
    sizes = by_size if COMBINED in methods else lambda _: ""
    return "\n".join(report(title, part, methods) + sizes(part) for title, part in parts.items() if part)


def main() -> None:
    """Run the program on every file, then print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="DIR", help="what build.py wrote")
    parser.add_argument(
        "--methods", type=lambda text: text.split(","), default=METHODS.split(","), help=f"(default: {METHODS})"
    )
    parser.add_argument("--program", type=Path, default=PROGRAM, help="(default: target/release/cwplugin)")
    parser.add_argument("--splits", type=int, default=SPLITS, help=f"(default: {SPLITS})")
    parser.add_argument("--threads", type=int, help="of the program (default: all cores)")
    options = parser.parse_args()
    files = sorted(options.folder.glob("*.parquet"))
    if not files:
        parser.error(f"no Parquet file in {options.folder}; build.py makes them")
    cells: list[Cell] = []
    for number, file in enumerate(files, 1):
        print(f"{number}/{len(files)} {file.stem}", file=sys.stderr, flush=True)
        cells += compare(options.program, file, options.methods, options.splits, options.threads)
    print("# Results of the panel\n\nWritten by `make panel`; [README.md](README.md) describes the columns.\n")
    print(judge(cells, options.methods), end="")


if __name__ == "__main__":
    main()
