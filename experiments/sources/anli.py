"""anli-roberta-large, anli-bart-large and anli-xlnet-large: stored predictions of the ANLI authors' models on ANLI "
"dev."""

import ast
import csv
import io
import sys
from typing import NamedTuple

import numpy as np
from fetch import Source, text
from predictions import Expected, expect, options, table, write

CLASSES = ("entailment", "neutral", "contradiction")
LETTERS = {name[0]: name for name in CLASSES}
FOLDER = "anlizinganli/anli_annot_v0.2"
ROUNDS = {
    "R1": Source(
        "facebookresearch/anli", f"{FOLDER}/ANLI_analysis_r1_dev.csv", "78d68b080130774f5591d338cd1ec4a66c30607c"
    ),
    "R2": Source(
        "facebookresearch/anli", f"{FOLDER}/ANLI_analysis_r2_dev.csv", "8489ee239816ed071d077231ceaee7023cc475d9"
    ),
    "R3": Source(
        "facebookresearch/anli", f"{FOLDER}/ANLI_analysis_r3_dev.csv", "78d68b080130774f5591d338cd1ec4a66c30607c"
    ),
}
ROUND_ROWS = {"R1": 1_000, "R2": 1_000, "R3": 1_198}
ROWS = {"entailment": 1_070, "neutral": 1_066, "contradiction": 1_062}
TEST_ROWS = {"entailment": 222, "neutral": 221, "contradiction": 197}
ACCURACY = {"roberta-large": 0.5656, "bart-large": 0.5844, "xlnet-large": 0.5891}


class Row(NamedTuple):
    """A gold label and the probabilities of each model, in the order of CLASSES."""

    label: str
    probabilities: dict[str, list[float]]


def parse(content: str) -> list[Row]:
    """The annotated CSV; a prediction is a list of three numbers in one field."""
    csv.field_size_limit(sys.maxsize)
    rows = csv.DictReader(io.StringIO(content, newline=""))
    return [
        Row(LETTERS[row["gold_label"]], {name: ast.literal_eval(row[f"preds-anli-{name}"]) for name in ACCURACY})
        for row in rows
    ]


def normalised(rows: list[Row], model: str) -> np.ndarray:
    """At the precision published, each row divided by its sum."""
    p = np.array([row.probabilities[model] for row in rows], dtype=np.float64)
    return (p / p.sum(axis=1, keepdims=True)).astype(np.float32)


def main() -> None:
    """Download, write, compare."""
    where = options(__doc__)
    rounds = {name: parse(text(source, where.cache)) for name, source in ROUNDS.items()}
    expect("rows by round", {name: len(rows) for name, rows in rounds.items()}, ROUND_ROWS)
    rows = [row for part in rounds.values() for row in part]
    extra = {"round": [name for name, part in rounds.items() for _ in part]}
    for model, accuracy in ACCURACY.items():
        made = table(CLASSES, [row.label for row in rows], normalised(rows, model), extra)
        write(made, where.output / f"anli-{model}.parquet", Expected(ROWS, TEST_ROWS, accuracy))


if __name__ == "__main__":
    main()
