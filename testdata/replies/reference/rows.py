"""From replies to rows."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .errors import SMALLEST_MASS, ReplyError, fail
from .files import at, values
from .models import check_error, completions, gemini, get, llama_cpp, ollama, openai, vllm
from .services import azure, clarifai, cohere, comprehend, google_nl, huggingface, rekognition, vision
from .spellings import Classes, unmarked
from .tokens import Position, Walk, first_token

DEFAULTS: dict[str, Any] = {
    "classes": [],
    "class": None,
    "reply": None,
    "answer_at": None,
    "missing": "spread",
    "label": "label",
    "id": "id",
    "answer": "answer",
}


def finish(
    mass: list[float], absent: list[int], kind: str, listed: list[float], smallest: float, missing: str
) -> tuple[list[float], float]:
    """Probabilities and other, after the rule for classes that are not listed (`absent`)."""
    if not any(mass):
        fail("no-class", "no class among the answers")
    unlisted = smallest if kind == "independent" else max(0.0, 1.0 - sum(listed))
    mass = list(mass)
    if absent and missing == "refuse":
        fail("missing", "classes that are not listed")
    if absent and missing == "spread":
        for k in absent:
            mass[k] = max(min(smallest, unlisted / len(absent)), SMALLEST_MASS)
    other = 0.0 if kind == "independent" else max(0.0, 1.0 - sum(mass))
    if absent and missing.startswith("floor:"):
        for k in absent:
            mass[k] = float(missing.removeprefix("floor:"))
    total = sum(mass)
    return [q / total for q in mass], other


def from_tokens(positions: list[Position], classes: Classes, options: dict[str, Any]) -> tuple[list[float], float]:
    """One answer of a language model."""
    start, structure = first_token(positions, options["answer_at"])
    walk = Walk(classes, positions)
    walk.run(start, structure)
    listed = [p for _, p in positions[start].listed()]
    if not listed:
        fail("empty", "nothing is listed")
    absent = [k for k, q in enumerate(walk.mass) if q == 0]
    return finish(walk.mass, absent, "tokens", listed, positions[start].smallest(), options["missing"])


def from_scores(
    kind: str, scores: list[tuple[str, float]], classes: Classes, options: dict[str, Any]
) -> tuple[list[float], float]:
    """One list of names and scores."""
    mass = [0.0] * len(classes.names)
    named = set()
    for name, p in scores:
        k = classes.complete(unmarked(name).strip())
        if k is not None:
            named.add(k)
            mass[k] += p
    if not scores:
        fail("empty", "nothing is listed")
    # A score of 0 is a score: only a class without one is missing.
    absent = [k for k in range(len(mass)) if k not in named]
    listed = [p for _, p in scores]
    return finish(mass, absent, kind, listed, min(listed), options["missing"])


SOURCES = {
    "openai": openai,
    "completions": completions,
    "gemini": gemini,
    "ollama": ollama,
    "llama-cpp": llama_cpp,
    "huggingface": huggingface,
    "comprehend": comprehend,
    "azure": azure,
    "google-nl": google_nl,
    "vision": vision,
    "rekognition": rekognition,
    "clarifai": clarifai,
    "cohere": cohere,
}


def as_label(value: object) -> str | None:
    """A label or id: text, an integer or bool as its JSON text, or nothing."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool | int):
        return json.dumps(value)
    fail("shape", f"label {value!r}")


def unwrap(value: Any, source: str, options: dict[str, Any]) -> tuple[Any, Any, Any]:  # noqa: ANN401
    """The reply, the id beside it, and the label beside it."""
    beside = value if isinstance(value, dict) else {}
    label = beside.get(options["label"])
    if options["reply"] is not None:
        reply = at(value, options["reply"])
        return reply, beside.get("custom_id", beside.get(options["id"])), label
    if source in ("openai", "vllm") and "custom_id" in beside and "response" in beside:
        if beside.get("error") is not None:
            fail("vendor", str(beside["error"]))
        response = get(value, "response")
        if get(response, "status_code") >= 400:
            fail("vendor", str(response.get("body")))
        return get(response, "body"), beside["custom_id"], label
    return value, None, label


def rows_of(value: Any, source: str, classes: Classes, options: dict[str, Any]) -> list[dict[str, Any]]:  # noqa: ANN401
    """The rows of one reply."""
    reply, beside, label = unwrap(value, source, options)
    check_error(reply)
    parts = vllm(reply, classes) if source == "vllm" else SOURCES[source](reply)
    own = reply.get(options["id"], reply.get("id")) if isinstance(reply, dict) else None
    found = []
    for part in parts:
        candidates = [part.id, beside, own] if len(parts) > 1 else [beside, part.id, own]
        key = next((candidate for candidate in candidates if candidate is not None), None)
        if part.kind == "tokens":
            probabilities, other = from_tokens(part.positions, classes, options)
        else:
            if options["answer_at"] is not None:
                fail("configuration", "--answer-at needs tokens")
            probabilities, other = from_scores(part.kind, part.scores, classes, options)
        found.append({"id": as_label(key), "label": as_label(label), "probabilities": probabilities, "other": other})
    return found


def votes(path: Path, classes: Classes, options: dict[str, Any]) -> list[dict[str, Any]]:
    """Counts of the answers of each id, in the order of first appearance."""
    found: dict[str, dict[str, Any]] = {}
    for row, value in numbered(path):
        with_row = ReplyError("no-field", "", row)
        if not isinstance(value, dict) or options["answer"] not in value or value.get(options["id"]) is None:
            raise with_row
        key = as_label(value[options["id"]])
        entry = found.setdefault(key, {"id": key, "label": None, "counts": [0] * len(classes.names), "other": 0})
        if entry["label"] is None:
            entry["label"] = as_label(value.get(options["label"]))
        k = classes.answer(as_label(value[options["answer"]]) or "")
        if k is None:
            entry["other"] += 1
        else:
            entry["counts"][k] += 1
    return list(found.values())


def numbered(path: Path) -> Iterator[tuple[int, Any]]:
    """Replies with their number, which is also put into an error of the file."""
    row = 0
    iterator = values(path)
    while True:
        row += 1
        try:
            value = next(iterator)
        except StopIteration:
            return
        except ReplyError as error:
            error.row = row
            raise
        yield row, value


def read(path: Path, source: str, options: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows of a file or folder of replies."""
    options = DEFAULTS | options
    classes = Classes(options["classes"], options["class"])
    if source == "votes":
        return votes(path, classes, options)
    found = []
    for row, value in numbered(path):
        try:
            found += rows_of(value, source, classes, options)
        except ReplyError as error:
            error.row = row
            raise
    return found
