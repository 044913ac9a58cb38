"""Made-up result files for the tests: seeded random scores in the format of `cwplugin experiment`."""

import json
import random
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

METRICS = ("accuracy", "macro-f1", "macro-g-mean", "mcc", "macro-fowlkes-mallows")
METHODS = (
    *("clean", "logistic", "probing", "temperature", "bcts", "vector", "vector:probability"),
    *("dirichlet-diag", "dirichlet-full", "cwplugin:published", "cwplugin"),
)


def fake(task: str, seed: int = 0, sizes: tuple[int, ...] = (50, 100, 160, 250), without: tuple[str, ...] = ()) -> dict:
    """One made-up task; clean is the same in every draw."""
    chance = random.Random(f"{task} {seed}")
    methods = [name for name in METHODS if name not in without]
    cells = []
    for metric in METRICS:
        clean = chance.uniform(0.3, 0.6)
        for method in methods:
            lift = 0.0 if method == "clean" else chance.uniform(-0.05, 0.08)
            for size in sizes:
                noise = 0.0 if method == "clean" else 0.03
                scores = [clean + lift + chance.gauss(0, noise) for _ in range(5)]
                cells.append(cell(task, method, metric, size, scores))
    return {
        "task": task,
        "title": f"Made-up {task}",
        "black_box": "a random generator",
        "source": {"file": f"{task}.parquet", "bytes": 1234, "fnv": "00ff"},
        "classes": ["a", "b", "c"],
        "rows": {"pool": 800, "test": 200},
        "test_rows_of": {"a": 100, "b": 60, "c": 40},
        "shift": "a:0.8" if "shift" in task else None,
        "noise": "a:0.6" if "noise" in task else None,
        "sizes": list(sizes),
        "repeats": 5,
        "seed": 0,
        "cwplugin": "0.0.0",
        "methods": methods,
        "metrics": list(METRICS),
        "cells": cells,
        "seconds": 1.5,
    }


def cell(task: str, method: str, metric: str, size: int, scores: list[float], *errors: str) -> dict[str, Any]:
    """One entry of `cells`; each error stands for one draw without a score."""
    return {
        "task": task,
        "method": method,
        "metric": metric,
        "size": size,
        "mean": fmean(scores) if scores else None,
        "sd": stdev(scores) if len(scores) > 1 else None,
        "runs": len(scores),
        "scores": scores,
        "failures": [{"repeat": place, "error": error} for place, error in enumerate(errors)],
    }


def find(facts: dict[str, Any], method: str, metric: str, size: int) -> dict[str, Any]:
    """The entry of one method, metric and size."""
    wanted = (method, metric, size)
    return next(one for one in facts["cells"] if (one["method"], one["metric"], one["size"]) == wanted)


def write(folder: Path, *tasks: dict[str, Any]) -> None:
    """Put the files where the page looks for them."""
    folder.mkdir(parents=True, exist_ok=True)
    for facts in tasks:
        (folder / f"{facts['task']}.json").write_text(json.dumps(facts))
        (folder / f"{facts['task']}.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
