"""The files and cases so far, and answers that several of them share."""

import gzip
import json
from typing import Any

import reference
import zstandard

from .pieces import JSON, Listed, Step, lean, tail


def word(chosen: str, listed: Listed, more: int = 0, rest: float = 0.0) -> list[Step]:
    """An answer of one token."""
    return [(chosen, tail(listed, more, rest))]


SPACES: list[list[Step]] = [
    word(
        "positive",
        [
            ("positive", 0.71),
            ("Positive", 0.11),
            (" positive", 0.06),
            ("negative", 0.04),
            ("neutral", 0.03),
            ("Neutral", 0.01),
            ("neg", 0.002),
            (" Negative", 0.001),
        ],
        more=12,
        rest=0.036,
    ),
    word(" negative", [(" negative", 0.6), (" neutral", 0.3), (" positive", 0.05), ("negative", 0.02)]),
    word("NEUTRAL", [("NEUTRAL", 0.4), ("Neutral", 0.3), ("POS", 0.15), ("NEG", 0.1), ("\n", 0.03)]),
    [("ne", [("ne", 0.5), ("pos", 0.3), ("negative", 0.15)]), ("utral", [("utral", 0.9), ("gative", 0.08)])],
]


def json_answer(parts: list[str], index: int, listed: Listed) -> list[Step]:
    """A JSON answer cut into tokens; all but one of them certain."""
    return [(part, listed if i == index else [(part, 0.9999)]) for i, part in enumerate(parts)]


WORDS = "ambiguous rating blank punctuation sentinel missing other case prefix han marks after smallest"
LEAN = {f"openai-{name}.jsonl" for name in WORDS.split()}
LEAN |= {f"openai-json-{name}.jsonl" for name in "fenced nested number bool".split()}
LEAN |= {"openai-array.json", "vllm-batch.jsonl", "llama-cpp-completion-sampled.jsonl"}
FILES: dict[str, bytes] = {}
NOTES: dict[str, str] = {}
CASES: list[JSON] = []


def dump(value: object) -> str:
    """Compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def add(name: str, note: str, replies: list[Any] | None = None, raw: bytes | None = None) -> None:
    """A file: JSON lines, a JSON array if its name ends in `.json`, or given bytes."""
    if raw is None:
        assert replies is not None
        if name in LEAN:
            replies = lean(replies)
        body = "".join(dump(reply) + "\n" for reply in replies)
        if name.endswith(".json"):
            body = "[\n" + ",\n".join(dump(reply) for reply in replies) + "\n]\n"
        raw = body.encode()
        if name.endswith(".gz"):
            raw = gzip.compress(raw, mtime=0)
        elif name.endswith(".zst"):
            raw = zstandard.ZstdCompressor(level=19).compress(raw)
    FILES[name] = raw
    NOTES[name] = note


def case(name: str, file: str, source: str, classes: list[str], beyond: bool = False, **options: object) -> None:
    """A case; its expected rows are computed when all files are there."""
    entry: JSON = {"name": name, "file": file, "from": source}
    entry["options"] = reference.DEFAULTS | {"classes": classes} | options
    if beyond:
        entry["beyond"] = True
    CASES.append(entry)
