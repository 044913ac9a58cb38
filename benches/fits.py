"""Whole commands, from start to end: time and memory of a fit, `apply` and `report`, and how they grow."""

import sys
from collections.abc import Iterable, Sequence
from math import inf, log
from pathlib import Path
from typing import Any

import against_peers
import ours
from data import SEED, draw_shifted, write_npz

METHODS = ("auto", "expected", "ascent")
PEERS = ("cutoffs-ascent", "nelder-mead")
TASKS = (*METHODS, *PEERS, "apply", "numpy-apply")
NUMPY_APPLY = (sys.executable, str(ours.ROOT / "benches" / "peer_apply.py"))
ONE_RUN_IS_ENOUGH = 5.0  # seconds
STARTS = 21  # runs of a command that only starts
MODEL_ROWS = 400  # of the fit whose weights are applied

Cell = dict[str, Any]
Point = dict[str, Any]  # rows, classes, and a cell per task
Size = tuple[int, int]  # rows and classes


def measure(
    rows: Sequence[int],
    classes: Sequence[int],
    fixed: Size,
    large: Sequence[tuple[str, Size]],
    reports: Sequence[Size],
    runs: int,
    folder: Path,
) -> dict[str, Any]:
    """Both curves through `fixed`, methods on large samples, reports, and a start."""
    return {
        "start": ours.measure(ours.PROGRAM, "--version", runs=STARTS),
        "reports": [report(size, runs, folder) for size in reports],
        "classes": curve([(fixed[0], m) for m in classes], TASKS, runs, folder),
        "rows": curve([(n, fixed[1]) for n in rows], TASKS, runs, folder),
        "large": [point for method, size in large for point in curve([size], (method,), runs, folder)],
    }


def curve(sizes: Iterable[Size], tasks: Sequence[str], runs: int, folder: Path) -> list[Point]:
    """One point per size, from small to large."""
    points: list[Point] = []
    for n, m in sizes:
        sample = sample_of((n, m), folder)
        cells = {}
        for task in tasks:
            seconds = forecast(points, task, n * m)
            if seconds > against_peers.LIMIT:
                why = f"would take over {against_peers.LIMIT:.0f} s, judging by the sizes before it"
                cells[task] = {"wall": None, "why": why}
            else:
                cells[task] = run(task, sample, m, runs if seconds < ONE_RUN_IS_ENOUGH else 1, folder)
            print(f"  {n:,} rows, {m:,} classes, {task}: {cells[task]['wall']}", flush=True)
        points.append({"rows": n, "classes": m, "cells": cells})
        sample.unlink()
    return points


def forecast(points: Sequence[Point], task: str, numbers: int) -> float:
    """Seconds of a task on a matrix of so many numbers, by a power law through the last two points."""
    last = [(point["rows"] * point["classes"], point["cells"][task]["wall"]) for point in points[-2:]]
    if any(wall is None for _, wall in last):
        return inf
    if len(last) < 2:
        return 0.0
    (before, less), (after, more) = last
    return more * (numbers / after) ** (log(more / less) / log(after / before))


def run(task: str, sample: Path, classes: int, runs: int, folder: Path) -> Cell:
    """One command as a process; a fit of a peer on data in memory, without its start and imports."""
    if task in PEERS:
        return against_peers.run(task, sample, runs)
    if task in METHODS:
        return ours.measure(*fit(task, sample, folder / "fitted.json"), runs=runs)
    model = model_of(classes, folder)
    if task == "numpy-apply":
        return ours.measure(*NUMPY_APPLY, str(model), str(sample), runs=runs)
    return ours.measure(ours.PROGRAM, "apply", str(model), str(sample), "--to", "arrow", "--quiet", runs=runs)


def report(size: Size, runs: int, folder: Path) -> dict[str, Any]:
    """A fit, and its report with a table of other rows."""
    sample, others = sample_of(size, folder), sample_of(size, folder, seed=SEED + 1)
    model, page = folder / "reported.json", folder / "report.html"
    print(f"  {size[0]:,} rows, {size[1]} classes, report", flush=True)
    fitted = ours.measure(*fit("auto", sample, model), runs=runs)
    write = ("report", str(model), str(sample), "--test", str(others), "--output", str(page), "--quiet")
    reported = ours.measure(ours.PROGRAM, *write, runs=runs)
    return {"rows": size[0], "classes": size[1], "fit": fitted, "report": reported, "bytes": page.stat().st_size}


def fit(method: str, sample: Path, model: Path) -> tuple[str, ...]:
    """The command of a fit."""
    return (ours.PROGRAM, "fit", str(sample), "--method", method, "--output", str(model), "--quiet")


def model_of(classes: int, folder: Path) -> Path:
    """Weights to apply, made when they are first asked for: `apply` does not care how they were learned."""
    model = folder / f"weights-{classes}.json"
    if not model.exists():
        ours.output(*fit("ascent", sample_of((MODEL_ROWS, classes), folder), model))
    return model


def sample_of(size: Size, folder: Path, seed: int = SEED) -> Path:
    """The sample of this size, made when it is first asked for."""
    path = folder / f"shifted-{size[0]}x{size[1]}-{seed}.npz"
    if not path.exists():
        write_npz(path, *size, box=draw_shifted, seed=seed)
    return path
