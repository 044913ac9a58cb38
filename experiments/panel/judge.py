"""Judge methods on the panel: run `cwplugin compare` on every file of a folder and count.

    python experiments/panel/judge.py DIR [--methods auto,clean,…] [--program cwplugin]

A cell is a task, a metric and a size; a method's score in it is its mean over the samples. Needs no packages.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import fsum, hypot, sqrt
from pathlib import Path

from halves import HALVES

PROGRAM = Path(__file__).resolve().parents[2] / "target" / "release" / "cwplugin"
PROTOCOL = "--test-column split=test --sizes 50,160,400 --repeats 5 --unlabelled 500 --json".split()
METHODS = "auto,expected,bagged,ascent,cwplugin,cwplugin:published,label-shift,clean"
CLEAN, PUBLISHED = "clean", "cwplugin:published"
COMBINED = "auto"  # chooses among the other methods, so it is no candidate for the best single one
HARMLESS, NEAR = 0.005, 0.01
SAME = 1e-12  # two means nearer than this are the same number, summed in another order


@dataclass(frozen=True)
class Score:
    """Mean of a method over the samples of a cell, and its standard errors (0 if nothing is known of one)."""

    mean: float
    error: float  # of the draws
    test_error: float  # of the test rows, for the difference to clean


@dataclass(frozen=True)
class Cell:
    """What the methods did on one task, metric and size; a method all of whose samples failed is missing."""

    task: str
    scores: dict[str, Score]

    def beside(self, method: str, other: str) -> float:
        """Mean of one method less that of another."""
        return self.scores[method].mean - self.scores[other].mean

    def best_single(self) -> float:
        """The highest mean of a method that is not a choice among others."""
        return max(score.mean for method, score in self.scores.items() if method != COMBINED)

    def is_below_clean(self, method: str) -> bool:
        """Significantly, by the luck of the draws and of the test rows."""
        score = self.scores[method]
        return self.beside(method, CLEAN) + 2 * hypot(score.error, score.test_error) < -SAME

    def is_below_clean_by_draws(self, method: str) -> bool:
        """The same as if the test rows were all there are."""
        return self.beside(method, CLEAN) + 2 * self.scores[method].error < -SAME


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
    "… of the draws only": share(Cell.is_below_clean_by_draws),
    "mean − clean": mean_over(CLEAN),
    f"within {NEAR} of best": share(lambda cell, method: cell.scores[method].mean >= cell.best_single() - NEAR - SAME),
}


def compare(program: Path, file: Path, methods: Sequence[str], threads: int | None) -> list[Cell]:
    """Run the program on one task."""
    command = [str(program), "compare", str(file), *PROTOCOL, "--quiet"]
    # What the columns compare with must be there.
    command += ["--methods", ",".join(dict.fromkeys([*methods, PUBLISHED, CLEAN]))]
    if threads:
        command += ["--threads", str(threads)]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True)
    return cells_of(file.stem, json.loads(done.stdout)["cells"])


def cells_of(task: str, found: Sequence[dict]) -> list[Cell]:
    """The cells of the program's answer, by metric and size."""
    cells: dict[tuple[str, int], Cell] = {}
    for one in found:
        cell = cells.setdefault((one["metric"], one["size"]), Cell(task, {}))
        if one["mean"] is not None:
            error = (one["sd"] or 0.0) / sqrt(one["runs"])
            cell.scores[one["method"]] = Score(one["mean"], error, one["test_error"] or 0.0)
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


def judge(cells: Sequence[Cell], methods: Sequence[str]) -> str:
    """A table for each half that has cells; what a rule was chosen on and what confirms it are never mixed."""
    parts = {half: [cell for cell in cells if cell.task in names] for half, names in HALVES.items()}
    return "\n".join(report(title, part, methods) for title, part in parts.items() if part)


def main() -> None:
    """Run the program on every file, then print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="DIR", help="what build.py wrote")
    parser.add_argument(
        "--methods", type=lambda text: text.split(","), default=METHODS.split(","), help=f"(default: {METHODS})"
    )
    parser.add_argument("--program", type=Path, default=PROGRAM, help="(default: target/release/cwplugin)")
    parser.add_argument("--threads", type=int, help="of the program (default: all cores)")
    options = parser.parse_args()
    files = sorted(options.folder.glob("*.parquet"))
    if not files:
        parser.error(f"no Parquet file in {options.folder}; build.py makes them")
    cells: list[Cell] = []
    for number, file in enumerate(files, 1):
        print(f"{number}/{len(files)} {file.stem}", file=sys.stderr, flush=True)
        cells += compare(options.program, file, options.methods, options.threads)
    print("# Results of the panel\n\nWritten by `make panel`; [README.md](README.md) describes the columns.\n")
    print(judge(cells, options.methods), end="")


if __name__ == "__main__":
    main()
