"""Votes instead of probabilities: what `auto` keeps of its gain, how counts are best smoothed, and one-hot rows.

    python3 experiments/votes.py [--draws N]      run `cwplugin fit` and `eval`, and write experiments/votes.json

Every row of a task gets k answers, drawn from the probabilities of its black box, labelled rows and test rows alike.
The counts become probabilities in several ways; each of them is fitted and tested. votes_page.py counts.
"""

import json
import random
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import exp, lgamma, log
from pathlib import Path

from limits import HERE, rows_of, run, write
from runs import options

TASKS = ("lmtweets", "lmtweets-minilm", "lmemotions-ood", "lmemotions", "snli-test", "anli-roberta-large")
VOTES = (1, 5, 10, 20)
SIZES = (100, 200)
METRICS = ("macro-f1", "accuracy")
#: Strengths that the evidence may choose: a tenth of a vote to a thousand, for all classes together.
STRENGTHS = (0.1, 1000.0)


def log_evidence(counts: list[list[int]], prior: list[float]) -> float:
    """The log-likelihood of all counts, if every row's probabilities are a draw from Dirichlet(prior)."""
    total = sum(prior)
    return sum(
        lgamma(total) - lgamma(total + sum(row))
        + sum(lgamma(a + n) - lgamma(a) for a, n in zip(prior, row, strict=True) if n)
        for row in counts
    )  # fmt: skip


def strength(counts: list[list[int]], shares: list[float]) -> float:
    """The strength with the largest evidence, by golden section on its logarithm."""
    if all(sum(row) < 2 for row in counts):
        return len(shares) / 2  # one answer per row says nothing about it: half a vote per class
    low, high = map(log, STRENGTHS)
    golden = (5**0.5 - 1) / 2

    def value(at: float) -> float:
        return log_evidence(counts, [exp(at) * share for share in shares])

    left, right = high - golden * (high - low), low + golden * (high - low)
    values = value(left), value(right)
    for _ in range(30):
        if values[0] > values[1]:
            high, right = right, left
            left = high - golden * (high - low)
            values = value(left), values[0]
        else:
            low, left = left, right
            right = low + golden * (high - low)
            values = values[1], value(right)
    return exp((low + high) / 2)


def priors(counts: list[list[int]]) -> dict[str, list[float]]:
    """Votes that are added to the classes, by evidence: the same for all, or in proportion to their shares."""
    m = len(counts[0])
    of_class = [sum(row[k] for row in counts) + 0.5 for k in range(m)]
    shares = {"evidence": [1 / m] * m, "evidence-shares": [n / sum(of_class) for n in of_class]}
    return {name: [strength(counts, share) * one for one in share] for name, share in shares.items()}


def drawn(rows: list[list[str]], k: int, seed: str) -> list[list[int]]:
    """The answers of every row, counted."""
    source = random.Random(seed)
    found = []
    for row in rows:
        weights = [float(cell) for cell in row[1:]]
        answers = source.choices(range(len(weights)), weights, k=k)
        found.append([answers.count(place) for place in range(len(weights))])
    return found


def labelled(rows: list[list[str]], numbers: list[list]) -> list[list]:
    """Rows with other numbers."""
    return [[row[0], *cells] for row, cells in zip(rows, numbers, strict=True)]


def smoothed(counts: list[list[int]], prior: list[float]) -> list[list[float]]:
    """Probabilities: a prior is added to the counts of every row."""
    total = sum(prior)
    return [[(n + a) / (sum(row) + total) for n, a in zip(row, prior, strict=True)] for row in counts]


def inputs(sample: list[list[str]], test: list[list[str]], seed: str) -> Iterator[tuple[int | None, str, list, list]]:
    """Votes, name, rows of the fit and rows of the test, of every kind of input."""
    yield None, "probabilities", sample, test
    for k in VOTES:
        counts, of_test = drawn(sample, k, f"{seed} {k}"), drawn(test, k, f"{seed} {k} test")
        yield k, "votes", labelled(sample, counts), labelled(test, of_test)
        if k == 1:
            yield k, "one-hot", labelled(sample, counts), labelled(test, of_test)
            continue
        for name, prior in priors(counts).items():
            yield k, name, labelled(sample, smoothed(counts, prior)), labelled(test, smoothed(of_test, prior))


def of_draw(program: Path, task: str, table: tuple, draw: int, folder: Path) -> list[dict]:
    """One draw of a task: scores before and after."""
    header, pool, test = table
    sample, found = random.Random(f"{task} {draw}").sample(pool, max(SIZES)), []
    model = str(folder / "model.json")
    for size in SIZES:
        for k, name, rows, judge in inputs(sample[:size], test, f"{task} {draw}"):
            fit, new = write(folder / "fit.csv", header, rows), write(folder / "test.csv", header, judge)
            source = ("--from", "votes") if name == "votes" else ()
            for metric in METRICS:
                run(program, "fit", fit, *source, "--metric", metric, "-o", model, "--threads", "1")
                flags = ("--metric", metric, "--resamples", "1", "--threads", "1")
                scores = run(program, "eval", model, new, *flags)["metrics"][metric]
                facts = {"task": task, "votes": k, "input": name, "size": size, "metric": metric}
                found.append(facts | {side: round(scores[side], 6) for side in ("clean", "fitted")})
    print(f"{task} {draw + 1}", file=sys.stderr, flush=True)
    return found


def main() -> None:
    """Every task; two draws at a time, in processes: drawing votes and writing tables take as long as the fits."""
    flags, data = options(__doc__, "--draws", 20, "of every task")
    cells: dict[str, dict] = {}
    for task in TASKS:
        with tempfile.TemporaryDirectory() as name, ProcessPoolExecutor(2) as pool:
            folder = Path(name)
            table = rows_of(flags.program, data / f"{task}.parquet", folder)
            places = [folder / str(draw) for draw in range(flags.draws)]
            for place in places:
                place.mkdir()
            draws = pool.map(partial(of_draw, flags.program, task, table), range(flags.draws), places)
            for line in (line for draw in draws for line in draw):
                scores = line.pop("clean"), line.pop("fitted")
                cell = cells.setdefault(json.dumps(line), line | {"clean": [], "fitted": []})
                for side, score in zip(("clean", "fitted"), scores, strict=True):
                    cell[side].append(score)
    lines = ",\n".join(json.dumps(cell) for cell in cells.values())
    (HERE / "votes.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
