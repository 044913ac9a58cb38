"""Classes and their spellings."""

import string
from dataclasses import dataclass

from .errors import fail

TRAILING = ".,;:!?\"')]}*`"
OPENING = "\"'([{*`"


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
