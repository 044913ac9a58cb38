"""Read the result files and count: who is best, who is above clean, who is below it."""

import json
from collections.abc import Container, Iterable
from dataclasses import dataclass
from math import fsum, sqrt
from pathlib import Path
from typing import Any

CLEAN = "clean"
LEVEL = 0.05
SAME = 1e-12  # two means nearer than this are the same number, summed in another order
# Quantile 0.975 of Student's t for 1, 2, … degrees of freedom: two-sided, 5 %.
STUDENT = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
    *(2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
)


class BadResults(ValueError):
    """A result file that the page cannot be made from."""


@dataclass(frozen=True)
class Cell:
    """One method on one task, metric and number of labelled rows. `mean` is None if every draw failed."""

    method: str
    metric: str
    size: int
    mean: float | None
    sd: float | None
    test_error: float  # standard error of the difference to clean that comes from the test rows; 0 if it is not known
    scores: tuple[float, ...]
    failures: tuple[str, ...]

    @property
    def error(self) -> float:
        """Standard error of the mean; zero for a single draw."""
        return deviation(self.scores) / sqrt(len(self.scores)) if len(self.scores) > 1 else 0.0


@dataclass(frozen=True)
class Group:
    """The methods of one task, metric and size, with the unadjusted score."""

    task: str
    metric: str
    size: int
    clean: float
    cells: tuple[Cell, ...]  # those with a mean

    @property
    def best(self) -> Cell:
        """The cell with the highest mean; the first of equals."""
        return max(self.cells, key=lambda cell: cell.mean)

    def is_best(self, cell: Cell) -> bool:
        """Whether no method has a higher mean; equals are all best."""
        return cell.mean >= self.best.mean - SAME

    def is_near(self, cell: Cell) -> bool:
        """Whether the mean is within one standard error, that of the best, of the best mean."""
        return cell.mean >= self.best.mean - self.best.error - SAME

    def difference(self, cell: Cell) -> float:
        """Mean less clean."""
        return cell.mean - self.clean

    def verdict(self, cell: Cell) -> int:
        """1 if significantly above clean, −1 if significantly below, else 0; by the luck of draws and of test rows."""
        return significance([score - self.clean for score in cell.scores], cell.test_error)

    def verdict_of_draws(self, cell: Cell) -> int:
        """The same as if the test rows were all the rows there are."""
        return significance([score - self.clean for score in cell.scores])

    def rank(self, cell: Cell) -> float:
        """1 for the best; equals share the mean of their ranks."""
        above = sum(other.mean > cell.mean + SAME for other in self.cells)
        equal = sum(abs(other.mean - cell.mean) <= SAME for other in self.cells)
        return above + (equal + 1) / 2


@dataclass(frozen=True)
class Task:
    """One result file."""

    name: str
    facts: dict[str, Any]
    cells: dict[tuple[str, str, int], Cell]  # by method, metric, size

    @property
    def is_generated(self) -> bool:
        """Whether the program drew the rows itself."""
        return "generated" in self.facts["source"]

    @property
    def noise_in(self) -> str | None:
        """Which labels are noisy: `sample`, `everywhere`, or None."""
        return self.facts.get("noise_in") or "sample" if self.facts.get("noise") else None

    def group(self, metric: str, size: int) -> Group | None:
        """Everything that was scored on this metric and size, unless clean is missing."""
        clean = self.clean(metric)
        cells = [self.cells.get((method, metric, size)) for method in self.facts["methods"]]
        scored = tuple(cell for cell in cells if cell and cell.mean is not None)
        return Group(self.name, metric, size, clean, scored) if scored and clean is not None else None

    def clean(self, metric: str) -> float | None:
        """The unadjusted score: one number per metric, because the test rows are fixed."""
        found = [cell for (method, of, _), cell in self.cells.items() if (method, of) == (CLEAN, metric)]
        scores = [score for cell in found for score in cell.scores]
        if scores and max(scores) - min(scores) > SAME:
            raise BadResults(f"{self.name}: clean differs between draws on {metric}; the test rows must be fixed")
        return scores[0] if scores else None

    def groups(self) -> list[Group]:
        """Every metric and size with a score."""
        found = [self.group(metric, size) for size in self.facts["sizes"] for metric in self.facts["metrics"]]
        return [group for group in found if group]


@dataclass(frozen=True)
class Tally:
    """What one method did over many groups."""

    method: str
    cells: int
    best: int
    near: int
    above: int
    gained: int  # significantly above clean
    lost: int  # significantly below clean
    rank: float
    difference: float


def load(folder: Path, order: Iterable[str], others: Container[str] = ()) -> list[Task]:
    """Every result file of the folder but `others`, the tasks of `order` first."""
    places = {name: place for place, name in enumerate(order)}
    tasks = [read(path) for path in sorted(folder.glob("*.json")) if path.name not in others]
    return sorted(tasks, key=lambda task: (places.get(task.name, len(places)), task.name))


def read(path: Path) -> Task:
    """One result file, checked."""
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
        cells = {}
        for entry in facts["cells"]:
            cell = parse(entry)
            key = (cell.method, cell.metric, cell.size)
            if key in cells:
                raise BadResults(f"{path.name}: {' / '.join(map(str, key))} occurs twice")
            if cell.mean is not None and abs(cell.mean - fsum(cell.scores) / len(cell.scores)) > 1e-9:
                raise BadResults(f"{path.name}: the mean of {' / '.join(map(str, key))} is not that of its scores")
            cells[key] = cell
        return Task(facts["task"], facts, cells)
    except (KeyError, TypeError, json.JSONDecodeError) as error:
        raise BadResults(f"{path.name}: not a result file ({type(error).__name__}: {error})") from error


def parse(entry: dict[str, Any]) -> Cell:
    """One entry of `cells`; a failed draw has no score."""
    scores = tuple(score for score in entry["scores"] if score is not None)
    return Cell(
        method=entry["method"],
        metric=entry["metric"],
        size=entry["size"],
        mean=entry["mean"] if scores else None,
        sd=entry["sd"],
        test_error=entry.get("test_error") or 0.0,
        scores=scores,
        failures=tuple(failure["error"] for failure in entry.get("failures", [])),
    )


def deviation(values: Iterable[float]) -> float:
    """Standard deviation of a sample of two or more (divided by n − 1)."""
    values = list(values)
    mean = fsum(values) / len(values)
    return sqrt(fsum((value - mean) ** 2 for value in values) / (len(values) - 1))


def student(freedom: float) -> float:
    """The two-sided quantile; of a broken number that of the whole one below, past the table its last entry."""
    return STUDENT[int(min(freedom, len(STUDENT))) - 1]


def significance(differences: list[float], test_error: float = 0.0) -> int:
    """The sign of the mean if Student's test at the 5 % level rejects zero; one draw never does.

    The variance is that of the mean over the draws and that of the test rows, which is as good as known; Welch and
    Satterthwaite's rule gives the degrees of freedom of the sum.
    """
    if len(differences) < 2:
        return 0
    mean, freedom = fsum(differences) / len(differences), len(differences) - 1
    of_draws = deviation(differences) ** 2 / len(differences)
    variance = of_draws + test_error**2
    freedom = freedom * (variance / of_draws) ** 2 if of_draws > 0 else len(STUDENT)
    if abs(mean) <= max(SAME, student(freedom) * sqrt(variance)):
        return 0
    return 1 if mean > 0 else -1


def tally(method: str, groups: Iterable[Group]) -> Tally | None:
    """Count over the groups in which the method has a score; None if there are none."""
    pairs = [(group, cell) for group in groups for cell in group.cells if cell.method == method]
    if not pairs:
        return None
    verdicts = [group.verdict(cell) for group, cell in pairs]
    return Tally(
        method=method,
        cells=len(pairs),
        best=sum(group.is_best(cell) for group, cell in pairs),
        near=sum(group.is_near(cell) for group, cell in pairs),
        above=sum(group.difference(cell) > SAME for group, cell in pairs),
        gained=verdicts.count(1),
        lost=verdicts.count(-1),
        rank=fsum(group.rank(cell) for group, cell in pairs) / len(pairs),
        difference=fsum(group.difference(cell) for group, cell in pairs) / len(pairs),
    )


def methods_of(tasks: Iterable[Task]) -> list[str]:
    """Every method, in the order of the files."""
    longest = sorted(tasks, key=lambda task: -len(task.facts["methods"]))
    return list(dict.fromkeys(method for task in longest for method in task.facts["methods"]))
