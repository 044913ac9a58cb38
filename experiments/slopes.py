"""Slopes compared with those of the theory, in text and tables, by one rule."""

from collections.abc import Callable, Sequence
from typing import Any

from markdown import NOTHING, table

ERRORS = 3  # a slope agrees with a law within this many standard errors …
NEAR = 0.05  # … or within this: the laws are asymptotic, and n, m and 1/ε are finite
BOUND, CUBE_ROOT = -1 / 2, -1 / 3  # of the error against n
CUBE_ROOT_WORDS = "the cube root's −1/3"

Fit = dict[str, Any]


def chosen(facts: dict[str, Any], **labels: object) -> list[Fit]:
    """The fits with these labels."""
    return [fit for fit in facts["fits"] if all(fit.get(key) == value for key, value in labels.items())]


def agrees(fit: Fit, law: float) -> bool:
    """Whether the slope is that of the law."""
    return abs(fit["slope"] - law) <= max(ERRORS * (fit["error"] or 0.0), NEAR)


def verdict(fit: Fit, law: float | None, below: str, above: str) -> str:
    """The slope compared with the law, in a word."""
    if fit["slope"] is None or law is None:
        return NOTHING
    return "agrees" if agrees(fit, law) else below if fit["slope"] < law else above


def number(value: float, digits: int = 3) -> str:
    """A number with a typographic minus sign."""
    return f"{value:.{digits}f}".replace("-", "−")


def slope(fit: Fit) -> str:
    """The slope and its standard error."""
    if fit["slope"] is None:
        return NOTHING
    return number(fit["slope"]) + (f" ± {fit['error']:.3f}" if fit["error"] is not None else "")


def span(fits: Sequence[Fit]) -> str:
    """The slopes from the smallest to the largest."""
    slopes = sorted(fit["slope"] for fit in fits)
    low, high = number(slopes[0], 2), number(slopes[-1], 2)
    return low if low == high else f"{low} to {high}"


def tell(fits: Sequence[Fit], what: str, law: str, value: float, below: str, above: str) -> str:
    """`* **What:** slopes −0.33 to −0.35; 4 of 4 agree with −1/3.`"""
    fits = [fit for fit in fits if fit["slope"] is not None]
    if not fits:
        return f"* **{what}:** too few points for a slope."
    return f"* **{what}:** slope {span(fits)}, {judged(fits, law, value, below, above)}."


def judged(fits: Sequence[Fit], law: str, value: float, below: str, above: str) -> str:
    """How many agree with a law, and how the others differ."""
    counts = {}
    for fit in fits:
        word = verdict(fit, value, below, above)
        counts[word] = counts.get(word, 0) + 1
    if len(fits) == 1:
        word = next(iter(counts))
        return f"which {word} with {law}" if word == "agrees" else f"{word} than {law}"
    parts = []
    for word, count in sorted(counts.items(), key=lambda pair: (pair[0] != "agrees", pair[0])):
        said = "agree with" if word == "agrees" else f"{'is' if count == 1 else 'are'} {word} than"
        parts.append(f"{count} of {len(fits)} {said} {law}")
    return "; ".join(parts)


def folded(title: str, heads: Sequence[str], lines: Sequence[Sequence[str]]) -> list[str]:
    """A folded table."""
    return [f"<details><summary>{title}</summary>", table(heads, lines), "</details>"]


def fits_table(fits: Sequence[Fit], heads: Sequence[str], labels: Callable[[Fit], Sequence[str]], *words_: str) -> str:
    """A line per fit: labels, slope, law, conclusion, and the points used."""
    lines = []
    for fit in fits:
        law = NOTHING if fit["law"] is None else number(fit["law"])
        lines.append([*labels(fit), slope(fit), law, verdict(fit, fit["law"], *words_), reach(fit)])
    return table([*heads, "slope", "law", "conclusion", "points"], lines)


def reach(fit: Fit) -> str:
    """The number of points used, and their range."""
    if fit["slope"] is None:
        return NOTHING
    ends = [f"{end:,.0f}" if end >= 100 else f"{end:.3g}" for end in (fit["from"], fit["to"])]
    return f"{fit['points']}, {' to '.join(ends)}"
