"""Constraints on new rows: how often they hold, compared with the probability that `fit --subject-to` states.

    python3 experiments/limits.py [--draws N]      run `cwplugin fit` and `eval`, and write experiments/limits.json

The limit is the precision, or the recall, of a class drawn at random: what the black box has on the pool, and ten
points more, so that it has to be worked for. Labelled rows are drawn from the pool; the test rows judge.
limits_page.py counts.
"""

import csv
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from runs import options

HERE = Path(__file__).resolve().parent
TASKS = ("lmtweets", "lmemotions", "snli-test")
METHODS = ("auto", "ascent", "cwplugin")
SIZES = (100, 400)
ABOVE = 0.1


def run(program: Path, *words: str) -> dict:
    """The output of the program, as JSON."""
    command = [str(program), *words, "--json", "--quiet"]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout)


def rows_of(program: Path, file: Path, folder: Path) -> tuple[list[str], list[list[str]], list[list[str]]]:
    """Header, pool and test rows of a prediction file; a model that changes nothing turns it into text."""
    model, table = folder / "clean.json", folder / "all.csv"
    run(program, "fit", str(file), "--method", "clean", "--id", "split", "-o", str(model))
    subprocess.run([str(program), "apply", str(model), str(file), "--quiet", "-o", str(table)], check=True)
    with table.open(encoding="utf-8", newline="") as text:
        header, *rows = csv.reader(text)
    kept = [place for place, name in enumerate(header) if name == "label" or name.startswith("p_")]
    split = header.index("split")

    def part(name: str) -> list[list[str]]:
        return [[row[place] for place in kept] for row in rows if row[split] == name]

    return [header[place] for place in kept], part("pool"), part("test")


def write(path: Path, header: list[str], rows: list[list[str]]) -> str:
    """A table of these rows."""
    with path.open("w", encoding="utf-8", newline="") as text:
        csv.writer(text).writerows([header, *rows])
    return str(path)


def of_task(program: Path, task: str, data: Path, draws: int, folder: Path) -> list[dict]:
    """Every draw of a task: what was promised, and what came of it."""
    header, pool, test = rows_of(program, data / f"{task}.parquet", folder)
    whole, judge = write(folder / "pool.csv", header, pool), write(folder / "test.csv", header, test)
    on_pool = run(program, "eval", whole, "--metric", "accuracy")
    rates = {entry["class"]: entry["clean"] for entry in on_pool["per_class"]}
    found = []
    for draw in range(draws):
        for size in SIZES:
            name = random.Random(f"{task} {draw} {size}").choice(sorted(rates))
            kind = ("precision", "recall")[draw % 2]
            limit = f"{kind}:{name}>={min(rates[name][kind] + ABOVE, 0.99):.3f}"
            sample = random.Random(f"{task} {draw}").sample(pool, size)
            table = write(folder / "sample.csv", header, sample)
            for method in METHODS:
                print(f"{task} {draw + 1}/{draws} {size} {method} {limit}", file=sys.stderr, flush=True)
                model = folder / "model.json"
                flags = ("--method", method, "--subject-to", limit, "-o", str(model))
                kept = run(program, "fit", table, *flags)["fit"]["constraints"][0]
                on_test = run(program, "eval", str(model), str(judge), "--metric", "macro-f1")
                line = {"task": task, "size": size, "method": method, "limit": limit}
                numbers = {"margin": kept["margin"], "probability": kept["probability"]}
                numbers["test"] = on_test["constraints"][0]["margin"]
                found.append(line | {key: round(value, 6) for key, value in numbers.items()})
    return found


def main() -> None:
    """Every task."""
    flags, data = options(__doc__, "--draws", 20, "of every size")
    found = []
    for task in TASKS:
        with tempfile.TemporaryDirectory() as folder:
            found += of_task(flags.program, task, data, flags.draws, Path(folder))
    lines = ",\n".join(json.dumps(line) for line in found)
    (HERE / "limits.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
