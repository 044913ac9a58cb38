"""snli-test.parquet, snli-extra.parquet and their embeddings: natural-language inference on SNLI."""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from blackbox import network, pair_features
from embed import embed, save
from fetch import Archive, Source, fetch, member, text
from predictions import Expected, expect, options, table, write

CLASSES = ("entailment", "neutral", "contradiction")
# MultiNLI dev-matched with one more column, how many of a hundred models were right.
MULTINLI = Source(
    "tommccoy1/hans",
    "berts_of_a_feather/mnli_development_set_number_of_correct_responses.txt",
    "7299f6f657089ce06a0f98e7e81f8d0f5b7741ce",
)
ANLI = Archive("eric11eca/curriculum-ling", "6ed5500f")  # later commits do not have it
SNLI_TEST = Source("MJ-Jang/BECEL", "data/snli/test.tsv", "2750e6670cad5bf2f57e8add506f9f7a1106dc21")
SNLI_EXTRA = [
    Source("academic-repository/cat", f"data/snli/{part}.csv", "7248e705e6cf5c7022879ca167e8534ba9e76062")
    for part in ("train", "test")
]
SNLI_CODES = dict(zip("012", CLASSES, strict=True))
EXTRA_CODES = {"1": "neutral", "2": "contradiction", "3": "entailment"}  # undocumented there, read off by inspection
ANLI_CODES = {"e": "entailment", "n": "neutral", "c": "contradiction"}

EXPECTED = {
    "snli-test": Expected(
        {"entailment": 3_368, "neutral": 3_219, "contradiction": 3_237},
        {"entailment": 730, "neutral": 657, "contradiction": 578},
        0.4651,
    ),
    "snli-extra": Expected(
        {"entailment": 6_667, "neutral": 6_562, "contradiction": 6_771},
        {"entailment": 1_409, "neutral": 1_307, "contradiction": 1_284},
        0.4542,
    ),
}


class Pair(NamedTuple):
    """A premise, a hypothesis, and what the one says of the other."""

    premise: str
    hypothesis: str
    label: str


def parse_multinli(content: str) -> list[Pair]:
    """A tab-separated table with a header row; quotes are part of the texts."""
    rows = csv.DictReader(io.StringIO(content, newline=""), delimiter="\t", quoting=csv.QUOTE_NONE)
    pairs = [Pair(row["premise"], row["hypothesis"], row["gold_label"]) for row in rows]
    return [pair for pair in pairs if pair.label in CLASSES]


def parse_anli(content: str) -> list[Pair]:
    """ANLI v1.0, JSON lines; labels are letters."""
    rows = map(json.loads, filter(str.strip, content.split("\n")))
    return [Pair(row["context"], row["hypothesis"], ANLI_CODES[row["label"]]) for row in rows]


def parse_snli_test(lines: Iterable[str]) -> list[Pair]:
    """`premise TAB hypothesis TAB label`, perhaps an index before them and a head above; labels 0, 1, 2."""
    pairs = []
    for line in lines:
        fields = line.rstrip("\r\n").split("\t")
        if len(fields) >= 3 and fields[-1] in SNLI_CODES:
            pairs.append(Pair(fields[-3], fields[-2], SNLI_CODES[fields[-1]]))
    return pairs


def parse_snli_extra(lines: Iterable[str]) -> list[Pair]:
    """`label TAB label TAB premise TAB hypothesis`; labels 1, 2, 3."""
    pairs = []
    for line in lines:
        fields = line.rstrip("\r\n").split("\t")
        if len(fields) >= 4 and fields[0] in EXTRA_CODES:
            pairs.append(Pair(fields[2], fields[3], EXTRA_CODES[fields[0]]))
    return pairs


def anli_parts(archive: Path) -> list[Pair]:
    """Dev and test of all three rounds."""
    parts = [(number, part) for number in (1, 2, 3) for part in ("dev", "test")]
    contents = [member(archive, f"*/data/anli_v1.0/R{number}/{part}.jsonl") for number, part in parts]
    return [pair for content in contents for pair in parse_anli(content.decode("utf-8"))]


def embed_pairs(pairs: list[Pair]) -> tuple[np.ndarray, np.ndarray]:
    """Embeddings of the premises and of the hypotheses."""
    return embed([pair.premise for pair in pairs]), embed([pair.hypothesis for pair in pairs])


def main() -> None:
    """Download, train, classify, write, compare."""
    where = options(__doc__)
    multinli = parse_multinli(text(MULTINLI, where.cache))
    expect("MultiNLI dev-matched rows", len(multinli), 9_815)
    anli = anli_parts(fetch(ANLI, where.cache))
    expect("ANLI dev and test rows", len(anli), 6_400)
    targets = {
        "snli-test": parse_snli_test(text(SNLI_TEST, where.cache).split("\n")),
        "snli-extra": [
            pair for source in SNLI_EXTRA for pair in parse_snli_extra(text(source, where.cache).split("\n"))
        ],
    }
    for name, pairs in targets.items():
        expect(f"{name} by class", Counter(pair.label for pair in pairs), EXPECTED[name].rows)

    source = multinli + anli
    x, labels = pair_features(*embed_pairs(source)), [pair.label for pair in source]
    embedded = {name: embed_pairs(pairs) for name, pairs in targets.items()}
    both = network(x, labels, np.concatenate([pair_features(*embedded[name]) for name in targets]), CLASSES)
    start = 0
    for name, pairs in targets.items():
        u, v = embedded[name]
        save(u, where.output / f"{name}.emb_u.npy")
        save(v, where.output / f"{name}.emb_v.npy")
        p, start = both[start : start + len(pairs)], start + len(pairs)
        write(table(CLASSES, [pair.label for pair in pairs], p), where.output / f"{name}.parquet", EXPECTED[name])


if __name__ == "__main__":
    main()
