"""Errors and the numbers that cause them."""

import math
from typing import NoReturn

SENTINEL = -9999.0
LARGEST_LOGPROB = 1e-6
LARGEST_SUM = 1.001
INDEPENDENT_SUM = 1.02
SMALLEST_MASS = 1e-9


class ReplyError(Exception):
    """A reply that cannot be read. `row` counts replies from 1; None if no row is at fault."""

    def __init__(self, kind: str, detail: str = "", row: int | None = None) -> None:
        """Keep the kind, which the fixtures compare, and a detail for people."""
        super().__init__(f"{kind}: {detail}")
        self.kind, self.row = kind, row


def fail(kind: str, detail: str = "") -> NoReturn:
    """Raise a ReplyError; the row is filled in by `read`."""
    raise ReplyError(kind, detail)


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
