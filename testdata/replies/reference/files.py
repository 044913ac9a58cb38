"""JSON values of files and folders."""

import gzip
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .errors import SENTINEL, ReplyError, fail


def load(text: str) -> Any:  # noqa: ANN401
    """One JSON value. Python writes NaN and Infinity, which `number` refuses, and -Infinity for "not listed"."""
    constants = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": SENTINEL}
    return json.loads(text, parse_constant=constants.__getitem__)


def content(path: Path) -> str:
    """The text of a file, uncompressed, without a byte order mark."""
    raw = path.read_bytes()
    if path.suffix == ".gz":
        raw = gzip.decompress(raw)
    elif path.suffix == ".zst":
        import zstandard

        raw = zstandard.ZstdDecompressor().decompress(raw)
    return raw.decode("utf-8-sig")


def is_score(value: object) -> bool:
    """True for an element of Hugging Face's list of classes."""
    return isinstance(value, dict) and "label" in value and "score" in value


def values(path: Path) -> Iterator[Any]:
    """The replies of a file or a folder, in order. A line that is not JSON is a ReplyError."""
    if path.is_dir():
        for file in sorted(path.glob("*.json")):
            yield parse(content(file))
        return
    text = content(path)
    try:
        whole = load(text)
    except ValueError:
        for line in text.split("\n"):
            if line.strip():
                yield parse(line)
        return
    # One JSON value: an array of replies, unless it is the one list of classes of Hugging Face.
    if isinstance(whole, list) and not (whole and all(map(is_score, whole))):
        yield from whole
    else:
        yield whole


def parse(text: str) -> Any:  # noqa: ANN401
    """One JSON value or a ReplyError."""
    try:
        return load(text)
    except ValueError as error:
        raise ReplyError("json", str(error)) from error


def at(value: Any, path: str) -> Any:  # noqa: ANN401
    """The field at a dotted path."""
    for name in path.split("."):
        if not isinstance(value, dict) or name not in value:
            fail("no-field", path)
        value = value[name]
    return value
