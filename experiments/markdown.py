"""Small pieces of Markdown."""

import re
from collections.abc import Sequence

import words
from scores import Cell, Group

NOTHING = "–"


def table(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """A Markdown table; columns of figures to the right, words to the left."""
    figures = [all(re.match(r"[*_+−.\d–]", line[column]) for line in lines) for column in range(len(heads))]
    rule = ["---:" if right else "---" for right in figures]
    return "\n".join(f"| {' | '.join(line)} |" for line in [heads, rule, *lines])


def score(value: float | None) -> str:
    """Three decimals without the zero in front, as the paper prints them."""
    if value is None:
        return NOTHING
    text = f"{abs(value):.3f}"
    sign = "−" if value < 0 and float(text) else ""
    return sign + text.removeprefix("0")


def signed(value: float) -> str:
    """A difference."""
    text = score(value)
    return text if text.startswith("−") or text == ".000" else f"+{text}"


def spread(mean: float | None, sd: float | None) -> str:
    """`mean ± sd`; a method without spread has none to show."""
    return score(mean) + (f" ± {score(sd)}" if mean is not None and sd else "")


def percent(part: int, whole: int) -> str:
    """A share."""
    return f"{100 * part / whole:.0f} %"


def count(part: int, whole: int) -> str:
    """A count with its share."""
    return f"{part} ({percent(part, whole)})"


def plural(number: int, noun: str) -> str:
    """`1 task`, `2 tasks`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def code(name: str) -> str:
    """A name as it is typed."""
    return f"`{name}`"


def codes(names: Sequence[str]) -> str:
    """Names as they are typed: `a`, `b` and `c`."""
    quoted = [code(name) for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def method(name: str) -> str:
    """A method, with a link where there is a place to explain it."""
    return f"[{code(name)}]({words.LINKS[name]})" if name in words.LINKS else code(name)


def metric(name: str) -> str:
    """A metric as it is spoken of."""
    return words.METRICS.get(name, name)


def entry(group: Group | None, cell: Cell | None) -> str:
    """One cell of a table: best bold, within one standard error of it italic, a dagger if significantly below clean."""
    if cell is None:
        return NOTHING
    if cell.mean is None:
        return "_failed_"
    text = spread(cell.mean, cell.sd)
    if group:
        mark = "**" if group.is_best(cell) else "_" if group.is_near(cell) else ""
        text = f"{mark}{text}{mark}" + (" †" if group.verdict(cell) < 0 else "")
    return text + (f" ({plural(len(cell.scores), 'draw')})" if cell.failures else "")
