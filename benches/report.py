"""Measures how long `cwplugin report` takes with its defaults (Python 3.11, a release build).

    python benches/report.py PROGRAM [FOLDER]

The rows are those of a black box that over-predicts some classes. With FOLDER the tables and the pages are kept there.
"""

from __future__ import annotations

import math
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SIZES = [(500, 3), (500, 20), (500, 100), (5_000, 20), (50_000, 20)]
NAMES = """billing refund-request delivery-delayed damaged-parcel change-of-address password-reset account-locked
cancel-subscription technical-fault feature-request complaint praise invoice-missing wrong-item warranty
installation-appointment opening-hours data-protection fraud-suspected other""".split()


def write_rows(path: Path, n_rows: int, n_classes: int, seed: int) -> None:
    """Writes probabilities and labels; frequencies fall with the number of the class."""
    draw = random.Random(seed)
    names = [NAMES[k] if k < len(NAMES) else f"topic-{k}" for k in range(n_classes)]
    frequency = [1 / (k + 3) for k in range(n_classes)]
    lines = [",".join(["label", *(f"p_{name}" for name in names)])]
    for _ in range(n_rows):
        truth = draw.choices(range(n_classes), frequency)[0]
        logits = [draw.gauss(0, 1) + 0.9 * (k % 3 == 0) for k in range(n_classes)]
        logits[truth] += 2.2
        total = sum(map(math.exp, logits))
        lines.append(",".join([names[truth], *(f"{math.exp(x) / total:.6f}" for x in logits)]))
    path.write_text("\n".join(lines) + "\n")


def measure(program: Path, folder: Path, n_rows: int, n_classes: int) -> str:
    """Fits, writes the page, and returns a line with the times."""
    name = f"{n_rows}x{n_classes}"
    write_rows(folder / f"{name}.csv", n_rows, n_classes, 1)
    write_rows(folder / f"{name}-test.csv", n_rows, n_classes, 2)
    fit = f"fit {name}.csv --metric macro-f1 --normalize -q -o {name}.json"
    report = f"report {name}.json {name}.csv --test {name}-test.csv --normalize -q -o {name}.html"
    seconds = [timed([program, *line.split()], folder) for line in (fit, report)]
    size = (folder / f"{name}.html").stat().st_size / 1e6
    return f"{n_rows:>8,} {n_classes:>9} {seconds[0]:>9.2f} s {seconds[1]:>9.2f} s {size:>9.2f} MB"


def timed(command: list, folder: Path) -> float:
    """Seconds of a command."""
    start = time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> None:
    """Print one line per size."""
    program = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(sys.argv[2] if len(sys.argv) > 2 else temporary)
        folder.mkdir(parents=True, exist_ok=True)
        print("    rows   classes         fit      report        page")
        for n_rows, n_classes in SIZES:
            print(measure(program, folder, n_rows, n_classes), flush=True)


if __name__ == "__main__":
    main()
