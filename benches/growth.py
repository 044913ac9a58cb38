"""How the time grows with rows and classes, and how far it is from one pass over the matrix."""

from collections.abc import Sequence
from typing import Any

import numpy as np

import ours

TASKS = ("floor", "grid", "exact", "apply")

# Processes that the goals are measured in.
PROCESSES = 5


def measure(rows: Sequence[int], classes: Sequence[int], fixed_rows: int, fixed_classes: int) -> dict[str, Any]:
    """Both curves, on one thread: starting threads costs the same for any size and would flatten the left end."""
    return {
        "fixed_rows": fixed_rows,
        "fixed_classes": fixed_classes,
        "rows": [bench(n, fixed_classes) for n in rows],
        "classes": [bench(fixed_rows, m) for m in classes],
    }


def goals(rows: int, classes: int) -> dict[str, Any]:
    """The ratios to one pass that the project set itself, for both types of numbers, on one thread and on two."""
    settings = [(dtype, threads) for dtype in ("f64", "f32") for threads in (1, 2)]
    runs = [median([bench(rows, classes, *setting) for _ in range(PROCESSES)]) for setting in settings]
    return {"rows": rows, "classes": classes, "processes": PROCESSES, "runs": runs}


def median(runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The medians of several processes: on a shared machine one of them may meet a noisy neighbour."""
    kinds = ("seconds", "ratios")
    middle = {
        kind: {task: float(np.median([run[kind][task] for run in runs])) for task in runs[0][kind]} for kind in kinds
    }
    return runs[0] | middle


def bench(rows: int, classes: int, dtype: str = "f64", threads: int = 1) -> dict[str, Any]:
    """One run of `lab bench` on rows that it makes itself."""
    print(f"  {rows:,} rows, {classes} classes, {dtype}, {threads} thread(s)", flush=True)
    return ours.bench("--rows", str(rows), "--classes", str(classes), "--dtype", dtype, threads=threads)


def slope(runs: Sequence[dict[str, Any]], along: str, task: str) -> float:
    """Exponent of the power law that fits all points best: 1 is linear."""
    sizes = np.log([run[along] for run in runs])
    seconds = np.log([run["seconds"][task] for run in runs])
    return float(np.polyfit(sizes, seconds, 1)[0])
