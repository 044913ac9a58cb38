"""Repeated rows: how often the 95% interval of `fit` holds the score on new rows, if every row is there once, twice or four times.

Samples of 200 rows of three classes are drawn from an over-confident black box under a shift of the classes. Each is written with
every row once, twice and four times, and fitted with `auto`; the truth is the score of the model on 20,000 new rows.

    python3 -B experiments/copies.py target/release/cwplugin [samples]

prints one row of docs/decisions/0041-repeated-rows.md per multiplicity.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

CLASSES = "abc"
PRIORS = (0.2, 0.3, 0.5)
TEST_ROWS = 20_000
ROWS = 200


def table(path: Path, rng: random.Random, rows: int, times: int = 1) -> None:
    """Rows with their probabilities, each so many times."""
    lines = ["label,p_a,p_b,p_c"]
    for _ in range(rows):
        truth = rng.choices(range(3), PRIORS)[0]
        scores = [rng.gauss(1.3 if k == truth else 0.0, 1.0) + (0.8, 0.0, -0.8)[k] for k in range(3)]
        powers = [2.718281828 ** (2 * score) for score in scores]
        probabilities = ",".join(repr(power / sum(powers)) for power in powers)
        lines += [f"{CLASSES[truth]},{probabilities}"] * times
    path.write_text("\n".join(lines) + "\n")


def run(program: str, *arguments: object) -> dict:
    """The JSON that the program prints."""
    command = [program, *map(str, arguments), "--json", "--quiet"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main(program: str, samples: int = 40) -> None:
    with tempfile.TemporaryDirectory() as folder:
        test, sample, model = (Path(folder) / name for name in ("test.csv", "sample.csv", "model.json"))
        table(test, random.Random("test"), TEST_ROWS)
        for times in (1, 2, 4):
            held, widths, errors = 0, [], []
            for seed in range(samples):
                table(sample, random.Random(seed), ROWS, times)
                forecast = run(program, "fit", sample, "-o", model)["fit"]["forecast"]
                scores = run(program, "eval", model, test, "--metric", "macro-f1", "--resamples", 1)["metrics"]
                truth = scores["macro-f1"]["fitted"]
                held += forecast["low"] <= truth <= forecast["high"]
                widths.append(forecast["high"] - forecast["low"])
                errors.append(forecast["fitted"] - truth)
            mean = [sum(numbers) / samples for numbers in (widths, errors)]
            print(f"| {times} | {held / samples:.0%} | {mean[0]:.3f} | {mean[1]:+.3f} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:3]))
