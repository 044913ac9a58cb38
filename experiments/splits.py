"""The smallest tasks with other test rows: what is luck of the one fixed split, and what is not.

    python3 experiments/splits.py [--splits N]      run `cwplugin compare` and write experiments/splits.json

The three tasks with label shift on ANLI keep 285 test rows, too few to tell methods apart. Here every split draws
pool and test rows anew, half and half, from all rows of the file; each method is fitted on one sample of each size.
page.py counts.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAM = HERE.parent / "target" / "release" / "cwplugin"
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
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--splits", type=int, default=20, help="(default: 20)")
    parser.add_argument("--program", type=Path, default=PROGRAM, help="(default: target/release/cwplugin)")
    options = parser.parse_args()
    folder = os.environ.get("CWPLUGIN_DATA")
    if not folder:
        parser.error("CWPLUGIN_DATA must name the folder of the prediction files; experiments/README.md says more")
    found = []
    for task, name in TASKS.items():
        cells: dict[tuple[str, str, int], list[float | None]] = {}
        rows = {}
        for seed in range(1, options.splits + 1):
            print(f"{task} {seed}/{options.splits}", file=sys.stderr, flush=True)
            document = compare(options.program, Path(folder) / name, seed)
            rows = document["rows"]
            for cell in document["cells"]:
                key = (cell["method"], cell["metric"], cell["size"])
                cells.setdefault(key, []).append(cell["mean"])
        lines = [
            dict(zip(("method", "metric", "size"), key, strict=True), scores=scores) for key, scores in cells.items()
        ]
        found.append(
            {"task": task, "file": name, "shift": SHIFT, "splits": options.splits, "rows": rows, "cells": lines}
        )
    text = json.dumps(found, separators=(",", ":")).replace('{"method"', '\n{"method"')
    (HERE / "splits.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
