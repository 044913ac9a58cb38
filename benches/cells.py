"""Figures and tables as Markdown."""

import re
from collections.abc import Sequence


def milliseconds(seconds: float) -> str:
    """Three significant digits, without an exponent."""
    return digits(1e3 * seconds)


def times(ratio: float) -> str:
    """A ratio."""
    return f"{digits(ratio)} ×"


def digits(value: float) -> str:
    """Three significant digits, without an exponent."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}" if value >= 1e-4 else f"{value:.6f}"


def table(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """A Markdown table; columns of figures to the right, words to the left."""
    figures = [all(re.match(r"[\d–]", line[column]) for line in lines) for column in range(len(heads))]
    rule = ["---:" if right else "---" for right in figures]
    return "\n".join(re.sub(r" +\|", " |", f"| {' | '.join(line)} |") for line in [heads, rule, *lines])
