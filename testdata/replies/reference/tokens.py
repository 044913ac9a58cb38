"""From alternatives of tokens to masses of classes."""

import json
import string
from dataclasses import dataclass, field
from typing import Any

from .errors import LARGEST_SUM, SENTINEL, fail, probability, score
from .spellings import OPENING, Classes, as_bytes, as_text, unmarked


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
