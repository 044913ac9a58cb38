"""Two methods compared over tasks: the tasks are the sample, because the cells of a task are not independent."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import fsum

from markdown import count, plural, signed
from scores import SAME, Task, significance


@dataclass(frozen=True)
class Duel:
    """One method less another: the mean difference of each task, and in how many cells it is higher."""

    by_task: dict[str, float]
    cells: int
    higher: int

    @property
    def mean(self) -> float:
        """The mean over the tasks."""
        return fsum(self.by_task.values()) / len(self.by_task)

    @property
    def verdict(self) -> int:
        """1 if significantly above 0 over the tasks, −1 if below, else 0."""
        return significance(list(self.by_task.values()))

    def __str__(self) -> str:
        """`+.012 over 14 tasks, higher in 120 (57 %) of 210 cells`."""
        higher = f"higher in {count(self.higher, self.cells)} of {plural(self.cells, 'cell')}"
        return f"{signed(self.mean)} over {plural(len(self.by_task), 'task')}, {higher}"


def duel(tasks: Sequence[Task], one: str, other: str, sizes: Collection[int]) -> Duel | None:
    """The two methods in all cells of these sizes that have both; None if there are none."""
    by_task, cells, higher = {}, 0, 0
    for task in tasks:
        gaps = []
        for group in task.groups():
            means = {cell.method: cell.mean for cell in group.cells}
            if group.size in sizes and {one, other} <= means.keys():
                gaps.append(means[one] - means[other])
        if gaps:
            by_task[task.name] = fsum(gaps) / len(gaps)
            cells, higher = cells + len(gaps), higher + sum(gap > SAME for gap in gaps)
    return Duel(by_task, cells, higher) if by_task else None


def overtakes(task: Task, one: str, other: str) -> int | None:
    """The size from which on the mean of one method over the metrics is above that of the other; None if none is."""
    found = None
    for size in sorted(task.facts["sizes"], reverse=True):
        gap = duel([task], one, other, [size])
        if gap is None:
            continue
        if gap.mean <= SAME:
            break
        found = size
    return found
