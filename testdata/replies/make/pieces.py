"""Tokens, log-probabilities and ids: what the replies of all vendors are made of."""

import hashlib
import math
from typing import Any

JSON = dict[str, Any]
Listed = list[tuple[str, float]]
Step = tuple[str, Listed]  # the chosen token; tokens and probabilities
SENTIMENT = ["negative", "neutral", "positive"]
SPAM = ["ham", "spam"]
VERY = ["very negative", "neutral", "very positive"]
RATING = [str(rating) for rating in range(1, 11)]
NOISE = ["The", "I", "\n", "Sent", "This", "Mixed", "A", "It", "N", "Answer", "**", "Un", "Label", "neu", "P"]
CREATED = 1_762_000_000
UNREAD = {"usage", "service_tier", "system_fingerprint", "timings", "generation_settings", "bytes", "ResponseMetadata"}
UNREAD |= {
    "usageMetadata",
    "prompt_logprobs",
    "prompt_token_ids",
    "kv_transfer_params",
    "annotations",
    "max_tool_calls",
}
UNREAD |= {"background", "completed_at", "parallel_tool_calls", "prompt_cache_key", "reasoning", "safety_identifier"}
UNREAD |= {"tool_choice", "tools", "truncation", "metadata", "user", "previous_response_id", "Instances", "Categories"}


def key(*parts: object, length: int = 24) -> str:
    """A reproducible id that looks random."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:length]


def log(p: float) -> float:
    """A log-probability with the digits that vendors print; the sentinel for 0."""
    return -9999.0 if p == 0 else round(math.log(p), 8) + 0.0


def utf8(token: str) -> list[int]:
    """The bytes of a token; `\\xf0` stands for one byte, as OpenAI writes tokens that end inside a character."""
    return list(token.encode().decode("unicode_escape").encode("latin-1") if "\\x" in token else token.encode())


def tail(listed: Listed, count: int, rest: float) -> Listed:
    """More tokens of no class, which share `rest` unevenly."""
    weights = [1 / (2 + i) ** 2 for i in range(count)]
    return [*listed, *((NOISE[i], rest * weight / sum(weights)) for i, weight in enumerate(weights))]


def ranked(listed: Listed) -> Listed:
    """By probability, largest first; entries with the sentinel come last."""
    return sorted(listed, key=lambda entry: -entry[1])


def openai_tokens(steps: list[Step], with_id: bool = False, hide: tuple[int, ...] = ()) -> list[JSON]:
    """Tokens with alternatives. At a position in `hide` the chosen token is left out of its alternatives."""
    found = []
    for index, (chosen, listed) in enumerate(steps):
        entries = []
        for token, p in ranked(listed):
            entry: JSON = {"id": int(key("token", token, length=4), 16)} if with_id else {}
            entries.append(entry | {"token": token, "logprob": log(p), "bytes": utf8(token)})
        own = next(entry for entry in entries if entry["token"] == chosen)
        tops = [entry for entry in entries if not (index in hide and entry is own)]
        found.append({**own, "top_logprobs": tops})
    return found


def text(steps: list[Step]) -> str:
    """What the chosen tokens spell."""
    joined = b"".join(bytes(utf8(chosen)) for chosen, _ in steps).decode()
    return joined.replace("\u0120", " ").replace("\u2581", " ").replace("\u010a", "\n")


def lean(value: Any) -> Any:  # noqa: ANN401
    """A reply without the fields that no reader needs, to keep files small that show something else."""
    if isinstance(value, list):
        return [lean(inner) for inner in value]
    if isinstance(value, dict):
        return {k: lean(v) for k, v in value.items() if k not in UNREAD}
    return value
