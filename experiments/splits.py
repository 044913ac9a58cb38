"""The smallest tasks with other test rows: what is luck of the one fixed split, and what is not.

    python3 experiments/splits.py [--splits N]      run `cwplugin compare` and write experiments/splits.json

The three tasks with label shift on ANLI keep 285 test rows, too few to tell methods apart. Here every split draws
pool and test rows anew, half and half, from all rows of the file; each method is fitted on one sample of each size.
page.py counts.
"""

import json
import subprocess
import sys
from pathlib import Path

from runs import options

HERE = Path(__file__).resolve().parent
TASKS = {
    "anli-shift-roberta": "anli-roberta-large.parquet",
    "anli-shift-bart": "anli-bart-large.parquet",
    "anli-shift-xlnet": "anli-xlnet-large.parquet",
}
SHIFT = "entailment,neutral:0.8"
METHODS = "auto,cwplugin,cwplugin:published,ascent,bagged,expected,clean,probing,label-shift,bcts,vector,dirichlet-full"
PROTOCOL = ("--shift", SHIFT, "--test-share", "0.5", "--repeats", "1", "--methods", METHODS, "--quiet", "--json")


def compare(program: Path, file: Path, seed: int) -> dict:
    """One split."""
    command = [str(program), "compare", str(file), *PROTOCOL, "--seed", str(seed)]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout)


def main() -> None:
    """Every task, split after split: the scores of every cell, in the order of the splits."""
    flags, folder = options(__doc__, "--splits", 20, "splits of every task")
    found = []
    for task, name in TASKS.items():
        cells: dict[tuple[str, str, int], list[float | None]] = {}
        rows = {}
        for seed in range(1, flags.splits + 1):
            print(f"{task} {seed}/{flags.splits}", file=sys.stderr, flush=True)
            document = compare(flags.program, folder / name, seed)
            rows = document["rows"]
            for cell in document["cells"]:
                key = (cell["method"], cell["metric"], cell["size"])
                cells.setdefault(key, []).append(cell["mean"])
        lines = [
            dict(zip(("method", "metric", "size"), key, strict=True), scores=scores) for key, scores in cells.items()
        ]
        found.append({"task": task, "file": name, "shift": SHIFT, "splits": flags.splits, "rows": rows, "cells": lines})
    text = json.dumps(found, separators=(",", ":")).replace('{"method"', '\n{"method"')
    (HERE / "splits.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
