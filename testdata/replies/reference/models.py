"""Language models: the fields of their replies."""

from dataclasses import dataclass, field
from typing import Any

from .errors import fail, score
from .spellings import Classes, as_bytes
from .tokens import Position, position

REFUSED = {"SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII", "RECITATION"}  # Gemini's reasons to finish


@dataclass
class Part:
    """One row of a reply: either tokens, or scores of some kind."""

    kind: str
    positions: list[Position] = field(default_factory=list)
    scores: list[tuple[str, float]] = field(default_factory=list)
    id: Any = None


def get(value: Any, *path: str | int) -> Any:  # noqa: ANN401
    """A nested value; a ReplyError about the shape if there is none."""
    for name in path:
        try:
            value = value[name]
        except (KeyError, IndexError, TypeError):
            fail("shape", f"no {name}")
    return value


def items(value: Any, *path: str | int) -> list[Any]:  # noqa: ANN401
    """A nested list."""
    found = get(value, *path)
    if not isinstance(found, list):
        fail("shape", f"{path} is not a list")
    return found


def text_of(token: dict[str, Any]) -> bytes:
    """The bytes of a token where the reply has them, otherwise its text."""
    raw = token.get("bytes")
    return bytes(raw) if raw else as_bytes(get(token, "token"))


def openai_positions(tokens: list[dict[str, Any]]) -> list[Position]:
    """Tokens as OpenAI, vLLM, Ollama and llama.cpp list them."""
    found = []
    for token in tokens:
        linear = "logprob" not in token and "prob" in token  # llama.cpp with post_sampling_probs
        name, top = ("prob", "top_probs") if linear else ("logprob", "top_logprobs")
        entries = [(text_of(entry), get(entry, name)) for entry in token.get(top) or []]
        found.append(position(text_of(token), get(token, name), entries))
        found[-1].linear = linear
    return found


def check_error(reply: object) -> None:
    """An error object instead of a reply."""
    if isinstance(reply, dict) and reply.get("error") is not None:
        fail("vendor", str(reply["error"]))


def openai_chat(reply: dict[str, Any]) -> list[Part]:
    """OpenAI chat completions; also vLLM and llama.cpp."""
    choice = get(reply, "choices", 0)
    message = get(choice, "message")
    if choice.get("finish_reason") == "content_filter" or message.get("refusal") is not None:
        fail("refusal")
    if message.get("content") is None:
        fail("refusal")
    if message["content"] == "":
        fail("empty")
    tokens = (choice.get("logprobs") or {}).get("content")
    if not tokens:
        fail("no-logprobs")
    return [Part("tokens", openai_positions(tokens))]


def openai_responses(reply: dict[str, Any]) -> list[Part]:
    """OpenAI responses: the first text of the first message."""
    if (reply.get("incomplete_details") or {}).get("reason") == "content_filter":
        fail("refusal")
    for item in items(reply, "output"):
        if item.get("type") != "message":
            continue
        for part in item["content"]:
            if part["type"] == "refusal":
                fail("refusal")
            if part["type"] == "output_text":
                if part["text"] == "":
                    fail("empty")
                if not part.get("logprobs"):
                    fail("no-logprobs")
                return [Part("tokens", openai_positions(part["logprobs"]))]
    fail("empty")


def openai(reply: object) -> list[Part]:
    """Chat completions or responses."""
    if isinstance(reply, dict) and "choices" in reply:
        return openai_chat(reply)
    if isinstance(reply, dict) and "output" in reply:
        return openai_responses(reply)
    fail("shape")


def completions(reply: object) -> list[Part]:
    """Legacy completions: four parallel lists."""
    choice = get(reply, "choices", 0)
    if choice.get("finish_reason") == "content_filter":
        fail("refusal")
    if get(choice, "text") == "":
        fail("empty")
    logprobs = choice.get("logprobs")
    if not logprobs or not logprobs.get("top_logprobs"):
        fail("no-logprobs")
    found = []
    for token, own, top in zip(logprobs["tokens"], logprobs["token_logprobs"], logprobs["top_logprobs"], strict=True):
        entries = [(as_bytes(text), value) for text, value in (top or {}).items()]
        found.append(position(as_bytes(token), own, entries))
    return [Part("tokens", found)]


def vllm(reply: object, classes: Classes) -> list[Part]:
    """Chat as OpenAI, or `/classify`, whose probabilities come in the order of the classes."""
    if not isinstance(reply, dict) or "data" not in reply:
        return openai(reply)
    found = []
    for row in items(reply, "data"):
        probs = items(row, "probs")
        if len(probs) != len(classes.names):
            fail("shape", f"{len(probs)} probabilities for {len(classes.names)} classes")
        # By position: names that are spelled in another way do not matter.
        names = [own[0].text for own in classes.spellings]
        found.append(Part("distribution", scores=[(n, score(p, 1.0)) for n, p in zip(names, probs, strict=True)]))
    return found


def gemini(reply: object) -> list[Part]:
    """Gemini's two lists; names in camelCase as in REST, or in snake_case as its SDK prints them."""
    if not isinstance(reply, dict):
        fail("shape")

    def either(value: dict[str, Any], camel: str) -> Any:  # noqa: ANN401
        snake = "".join("_" + c.lower() if c.isupper() else c for c in camel)
        return value.get(camel, value.get(snake))

    if (either(reply, "promptFeedback") or {}) and not reply.get("candidates"):
        fail("refusal")
    candidate = get(reply, "candidates", 0)
    if either(candidate, "finishReason") in REFUSED:
        fail("refusal")
    parts = (candidate.get("content") or {}).get("parts") or []
    if not "".join(part.get("text") or "" for part in parts):
        fail("empty")
    result = either(candidate, "logprobsResult")
    if not result or not either(result, "chosenCandidates"):
        fail("no-logprobs")
    found = []
    tops = either(result, "topCandidates") or []
    for i, chosen in enumerate(either(result, "chosenCandidates")):
        entries = tops[i]["candidates"] if i < len(tops) else []
        top = [(as_bytes(entry["token"]), either(entry, "logProbability")) for entry in entries]
        found.append(position(as_bytes(chosen["token"]), either(chosen, "logProbability"), top))
    return [Part("tokens", found)]


def ollama(reply: object) -> list[Part]:
    """Ollama's `/api/chat` and `/api/generate`."""
    answer = get(reply, "message", "content") if "message" in dict(reply or {}) else get(reply, "response")
    if not answer:
        fail("empty")
    if not reply.get("logprobs"):
        fail("no-logprobs")
    return [Part("tokens", openai_positions(reply["logprobs"]))]


def llama_cpp(reply: object) -> list[Part]:
    """Chat as OpenAI; `/v1/completions`, whose tokens are those of chat; `/completion`, today's and older."""
    if isinstance(reply, dict) and "text" in (get(reply, "choices", 0) if reply.get("choices") else {}):
        tokens = (get(reply, "choices", 0).get("logprobs") or {}).get("content")
        if not tokens:
            fail("no-logprobs")
        return [Part("tokens", openai_positions(tokens))]
    if isinstance(reply, dict) and "choices" in reply:
        return openai_chat(reply)
    if get(reply, "content") == "":
        fail("empty")
    tokens = reply.get("completion_probabilities")
    if not tokens:
        fail("no-logprobs")
    if "probs" not in tokens[0]:
        return [Part("tokens", openai_positions(tokens))]
    found = []
    for token in tokens:
        entries = [(as_bytes(entry["tok_str"]), entry["prob"]) for entry in token["probs"]]
        found.append(Position(as_bytes(token["content"]), entries, linear=True))
    return [Part("tokens", found)]
