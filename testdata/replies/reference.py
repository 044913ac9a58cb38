"""Class probabilities from the replies of black boxes: a slow reference for the fixtures in this folder.

Written from the specification of `--from`, without a look at the Rust code, and meant to be read: no speed, no
messages, only numbers and the kind of an error. `read(path, source, options)` returns one dictionary per row.
Standard library only (and `zstandard` for files that end in `.zst`).
"""

import gzip
import json
import math
import string
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

SENTINEL = -9999.0
LARGEST_LOGPROB = 1e-6
LARGEST_SUM = 1.001
INDEPENDENT_SUM = 1.02
SMALLEST_MASS = 1e-9
TRAILING = ".,;:!?\"')]}*`"
OPENING = "\"'([{*`"
REFUSED = {"SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII", "RECITATION"}  # Gemini's reasons to finish

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


class ReplyError(Exception):
    """A reply that cannot be read. `row` counts replies from 1; None if no row is at fault."""

    def __init__(self, kind: str, detail: str = "", row: int | None = None) -> None:
        """Keep the kind, which the fixtures compare, and a detail for people."""
        super().__init__(f"{kind}: {detail}")
        self.kind, self.row = kind, row


def fail(kind: str, detail: str = "") -> NoReturn:
    """Raise a ReplyError; the row is filled in by `read`."""
    raise ReplyError(kind, detail)


# --- Files ----------------------------------------------------------------------------------------------------------


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


# --- Spellings ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Spelling:
    """One spelling of a class; `fold` means that case does not matter."""

    text: str
    fold: bool

    def same_case(self, text: str) -> str:
        """The text as it is compared with this spelling."""
        return text.lower() if self.fold else text

    def equals(self, text: str) -> bool:
        """True if the text is this spelling, up to white space at its end."""
        return self.same_case(text).rstrip() == self.text

    def continues(self, text: str) -> bool:
        """True if the text is a proper prefix of this spelling, in bytes: a token may end inside a character."""
        start, whole = as_bytes(self.same_case(text)), as_bytes(self.text)
        return len(start) < len(whole) and whole.startswith(start)


def as_bytes(text: str) -> bytes:
    """UTF-8, also for the bytes of half a character."""
    return text.encode("utf-8", "surrogateescape")


def as_text(raw: bytes) -> str:
    """The reverse of `as_bytes`."""
    return raw.decode("utf-8", "surrogateescape")


def unmarked(text: str) -> str:
    """Vocabulary marks as the white space that they stand for."""
    return text.replace("\u0120", " ").replace("\u2581", " ").replace("\u010a", "\n")


class Classes:
    """The classes and their spellings."""

    def __init__(self, names: list[str], explicit: dict[str, list[str]] | None) -> None:
        """Check that every spelling belongs to one class."""
        self.names = names
        explicit = explicit or {}
        if len(set(names)) < len(names) or set(explicit) - set(names):
            fail("configuration", "classes")
        defaults = [unmarked(name).strip() for name in names if name not in explicit]
        fold = len({name.lower() for name in defaults}) == len(defaults)
        self.spellings: list[list[Spelling]] = []
        for name in names:
            if name in explicit:
                own = [Spelling(unmarked(text).strip(), False) for text in explicit[name]]
            else:
                text = unmarked(name).strip()
                own = [Spelling(text.lower() if fold else text, fold)]
            if not own or any(not spelling.text for spelling in own):
                fail("configuration", f"empty spelling of {name}")
            self.spellings.append(own)
        for k, mine in enumerate(self.spellings):
            for others in self.spellings[:k]:
                for a in mine:
                    for b in others:
                        if a.equals(b.text) or b.equals(a.text):
                            fail("configuration", f"two classes spelled {a.text}")

    def complete(self, text: str) -> int | None:
        """The class that has this spelling."""
        found = [k for k, own in enumerate(self.spellings) if any(spelling.equals(text) for spelling in own)]
        return found[0] if found else None

    def begun(self, text: str) -> set[int]:
        """The classes that have a longer spelling which starts like this."""
        return {k for k, own in enumerate(self.spellings) if any(spelling.continues(text) for spelling in own)}

    def match(self, text: str) -> tuple[int | None, set[int], str]:
        """The class spelled so, the classes that a longer spelling starts so, and the text without opening marks.

        Opening marks are removed only if nothing matches with them, and punctuation at the end only if nothing matches
        then: after punctuation no spelling continues.
        """
        complete, begun = self.complete(text), self.begun(text)
        if complete is None and not begun:
            text = text.lstrip(OPENING + string.whitespace)
            if not text:
                return None, set(), text
            complete, begun = self.complete(text), self.begun(text)
        if complete is None and not begun:
            complete = self.complete(text.rstrip(TRAILING + string.whitespace))
        return complete, begun, text

    def answer(self, text: str) -> int | None:
        """The class of a complete answer (votes)."""
        return self.match(unmarked(text).strip())[0] if text.strip() else None


# --- Tokens ---------------------------------------------------------------------------------------------------------


@dataclass
class Position:
    """The chosen token and the listed alternatives at one position: text and log-probability as they were found."""

    chosen: bytes
    entries: list[tuple[bytes, Any]]
    linear: bool = False  # old llama.cpp: probabilities instead of log-probabilities
    extra: int = 0  # 1 if the last entry is the chosen token, which the reply does not list

    def listed(self) -> list[tuple[bytes, float]]:
        """Tokens and probabilities. Two tokens may have one text (special tokens are often empty): both count."""
        found = self.known(self.entries)
        if sum(p for _, p in found) > LARGEST_SUM:
            fail("number", "probabilities of a position sum to more than 1")
        return found

    def known(self, entries: list[tuple[bytes, Any]]) -> list[tuple[bytes, float]]:
        """The entries whose probability is known; one of 0 is not."""
        found = [(text, score(value, 1.0) if self.linear else probability(value)) for text, value in entries]
        return [(text, p) for text, p in found if p]

    def smallest(self) -> float:
        """The smallest probability of the list; if there is no list, that of the chosen token."""
        top = self.known(self.entries[: len(self.entries) - self.extra])
        return min(p for _, p in top or self.listed())


def position(chosen: bytes, own: Any, top: list[tuple[bytes, Any]]) -> Position:  # noqa: ANN401
    """A position: the listed alternatives, and the chosen token if it is not among them."""
    known = {text for text, value in top if value != SENTINEL}
    if chosen in known:
        return Position(chosen, top)
    return Position(chosen, [*top, (chosen, own)], extra=1)


def number(value: object) -> float:
    """A JSON number that is finite."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        fail("number", repr(value))
    return float(value)


def probability(value: object) -> float | None:
    """The probability of a log-probability; None if it is the sentinel of an unknown one."""
    logprob = number(value)
    if logprob > LARGEST_LOGPROB:
        fail("number", f"log-probability {logprob}")
    return None if logprob <= SENTINEL else math.exp(logprob)


def score(value: object, largest: float) -> float:
    """A score between 0 and `largest`, as a probability."""
    found = number(value) / largest
    if not 0 <= found <= 1 + LARGEST_LOGPROB:
        fail("number", f"score {value}")
    return found


@dataclass
class Walk:
    """Probability mass of the classes, collected from the tokens of one answer."""

    classes: Classes
    positions: list[Position]
    mass: list[float] = field(default_factory=list)

    def run(self, start: int, structure: bytes) -> None:
        """Walk from the first token of the answer; `structure` is JSON before the value in the same token."""
        self.mass = [0.0] * len(self.classes.names)
        first = self.positions[start]
        for token, p in first.listed():
            if plain(token).startswith(plain(structure)):
                rest = as_bytes(plain(token)[len(plain(structure)) :]) if structure else token
                self.place(start, rest, token == first.chosen, p)

    def walk(self, index: int, before: str, mass: float) -> None:
        """Every token of a position continues the text before it. What is not listed is other."""
        here = self.positions[index]
        for token, p in here.listed():
            self.place(index, as_bytes(before) + token, token == here.chosen, mass * p)

    def place(self, index: int, raw: bytes, chosen: bool, mass: float, otherwise: int | None = None) -> None:
        """Give the mass of one text to a class, follow it to the next position, or leave it to `otherwise`."""
        text = plain(raw).lstrip()
        further = chosen and index + 1 < len(self.positions)
        complete, begun, bare = self.classes.match(text) if text else (None, set(), "")
        if complete is None and not text.lstrip(OPENING + string.whitespace):
            # Only white space and opening marks: the answer starts at the next token.
            if further:
                self.walk(index + 1, text, mass)
            return
        if complete is not None and begun - {complete} and further:
            self.after_complete(index + 1, text, complete, mass)
        elif complete is not None:
            self.mass[complete] += mass
        elif len(begun) > 1:
            if further:
                self.walk(index + 1, text, mass)
        elif begun and self.leads_to(min(begun), index, text, bare, chosen):
            self.mass[min(begun)] += mass
        elif otherwise is not None:
            self.mass[otherwise] += mass

    def leads_to(self, k: int, index: int, text: str, bare: str, chosen: bool) -> bool:
        """Whether a text that only a spelling of class k starts with counts for k.

        The chosen tokens that follow tell. Where they do not, one ASCII character is too little: "I" is not "ironic".
        """
        for later in self.positions[index + 1 :] if chosen else []:
            text = plain(as_bytes(text) + later.chosen)
            complete, begun, _ = self.classes.match(text)
            if complete == k:
                return True
            if k not in begun:
                return False
        return len(bare) > 1 or not bare.isascii()

    def after_complete(self, index: int, text: str, complete: int, mass: float) -> None:
        """After "1", which is a class and the start of "10": what does not lead to "10" is "1"."""
        here = self.positions[index]
        listed = here.listed()
        for token, p in listed:
            self.place(index, as_bytes(text) + token, token == here.chosen, mass * p, complete)
        self.mass[complete] += mass * max(0.0, 1.0 - sum(p for _, p in listed))


def plain(raw: bytes) -> str:
    """The text of a token, without vocabulary marks."""
    return unmarked(as_text(raw))


def value_in_json(text: str, path: list[str]) -> int | None:
    """Where the value at a path starts (inside the quotes of a string), in the first object of a text that has it."""
    start = text.find("{")
    while start >= 0:
        found, end = value_in_object(text, start, path)
        if found is not None:
            return found
        start = text.find("{", end)
    return None


def value_in_object(text: str, start: int, path: list[str]) -> tuple[int | None, int]:
    """The value's place in the object that starts here, and where to look further if it is not there."""
    decoder = json.JSONDecoder()
    i = start + 1
    while True:
        i = skip_space(text, i)
        if text[i : i + 1] == "}":
            return None, i + 1
        try:
            name, i = decoder.raw_decode(text, i)
            i = skip_space(text, i)
            if not isinstance(name, str) or text[i : i + 1] != ":":
                return None, start + 1
            i = skip_space(text, i + 1)
        except ValueError:
            return None, start + 1
        if name == path[0]:
            if len(path) > 1 and text[i : i + 1] == "{":
                found, _ = value_in_object(text, i, path[1:])
                if found is not None:
                    return found, i
            elif len(path) == 1 and text[i : i + 1] == '"':
                return i + 1, i
            elif len(path) == 1 and (text[i : i + 1] in "-0123456789" or text.startswith(("true", "false"), i)):
                return i, i
        try:
            _, i = decoder.raw_decode(text, i)
        except ValueError:
            return None, start + 1
        i = skip_space(text, i)
        if text[i : i + 1] == ",":
            i += 1


def skip_space(text: str, i: int) -> int:
    """The next place that is not white space."""
    while i < len(text) and text[i] in " \t\r\n":
        i += 1
    return i


def first_token(positions: list[Position], answer_at: str | None) -> tuple[int, bytes]:
    """The position of the answer, and what its chosen token has before the answer."""
    if answer_at is None:
        return 0, b""
    whole = b"".join(as_bytes(plain(one.chosen)) for one in positions)
    text = as_text(whole)
    found = value_in_json(text, answer_at.split("."))
    if found is None:
        fail("no-field", text[:60])
    offset, end = len(as_bytes(text[:found])), 0
    for index, one in enumerate(positions):
        begin, end = end, end + len(as_bytes(plain(one.chosen)))
        if offset < end:
            return index, whole[begin:offset]
    fail("no-field", text[:60])


# --- From masses to a row -------------------------------------------------------------------------------------------


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


# --- Sources --------------------------------------------------------------------------------------------------------


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


def pairs(values: list[Any], name: str, value: str, largest: float = 1.0) -> list[tuple[str, float]]:
    """Names and scores of a list of objects."""
    return [(get(entry, name), score(get(entry, value), largest)) for entry in values]


def huggingface(reply: object) -> list[Part]:
    """A list of classes, a batch of such lists, or the older zero-shot object (or a list of those)."""
    if isinstance(reply, dict):
        if len(items(reply, "labels")) != len(items(reply, "scores")):
            fail("shape", "labels and scores differ in length")
        scores = [(name, score(p, 1.0)) for name, p in zip(reply["labels"], reply["scores"], strict=True)]
    elif not isinstance(reply, list):
        fail("shape")
    elif reply and not is_score(reply[0]):
        return [part for inner in reply for part in huggingface(inner)]
    else:
        scores = pairs(reply, "label", "score")
    if len({name for name, _ in scores}) < len(scores):
        fail("shape", "a class is repeated")
    independent = sum(p for _, p in scores) > INDEPENDENT_SUM
    return [Part("independent" if independent else "distribution", scores=scores)]


def mean_by_name(scores: list[tuple[str, float]]) -> list[tuple[str, float]]:
    """Comprehend repeats a class once a page: the mean of its scores."""
    names = list(dict.fromkeys(name for name, _ in scores))
    by_name = {name: [p for other, p in scores if other == name] for name in names}
    return [(name, sum(found) / len(found)) for name, found in by_name.items()]


def comprehend(reply: object) -> list[Part]:
    """Sentiment, classes or labels; also a batch of sentiments."""
    if not isinstance(reply, dict):
        fail("shape")
    if "ResultList" in reply:
        return [part for inner in items(reply, "ResultList") for part in comprehend(inner)]
    if "SentimentScore" in reply:
        return [Part("distribution", scores=[(name, score(p, 1.0)) for name, p in reply["SentimentScore"].items()])]
    # A reply has both lists if the SDK fills in what is absent: the one that is not empty counts.
    if reply.get("Labels"):
        return [Part("independent", scores=mean_by_name(pairs(reply["Labels"], "Name", "Score")))]
    return [Part("distribution", scores=mean_by_name(pairs(items(reply, "Classes"), "Name", "Score")))]


def azure(reply: object) -> list[Part]:
    """Documents with confidenceScores or with a list named `class`."""
    if not isinstance(reply, dict):
        fail("shape")
    if "tasks" in reply:
        return [part for task in items(reply, "tasks", "items") for part in azure(task)]
    found = []
    for document in items(reply.get("results", reply), "documents"):
        if "class" in document:
            scores = pairs(items(document, "class"), "category", "confidenceScore")
        else:
            scores = [(name, score(p, 1.0)) for name, p in get(document, "confidenceScores").items()]
        found.append(Part("distribution", scores=scores, id=document.get("id")))
    return found


def google_nl(reply: object) -> list[Part]:
    """Categories of a text, or of its moderation."""
    name = "categories" if "categories" in dict(reply or {}) else "moderationCategories"
    return [Part("independent", scores=pairs(items(reply, name), "name", "confidence"))]


def vision(reply: object) -> list[Part]:
    """Labels of one image, or the `responses` of several."""
    if isinstance(reply, dict) and "responses" in reply:
        return [part for inner in items(reply, "responses") for part in vision(inner)]
    check_error(reply)
    return [Part("independent", scores=pairs(items(reply, "labelAnnotations"), "description", "score"))]


def rekognition(reply: object) -> list[Part]:
    """Labels in percent."""
    return [Part("independent", scores=pairs(items(reply, "Labels"), "Name", "Confidence", 100.0))]


def clarifai(reply: object) -> list[Part]:
    """One output per input."""
    return [
        Part("independent", scores=pairs(items(output, "data", "concepts"), "name", "value"), id=output.get("id"))
        for output in items(reply, "outputs")
    ]


def cohere(reply: object) -> list[Part]:
    """One classification per input."""
    found = []
    for row in items(reply, "classifications"):
        scores = [(name, score(get(value, "confidence"), 1.0)) for name, value in get(row, "labels").items()]
        found.append(Part("distribution", scores=scores, id=row.get("id")))
    return found


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


# --- Rows -----------------------------------------------------------------------------------------------------------


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
