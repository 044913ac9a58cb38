"""The section of docs/results.md about constraints: probabilities that `fit --subject-to` states, and outcomes."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from markdown import code, codes, plural, signed, table

HELD = ("held on test rows",)
BINS = ((0.0, 0.6), (0.6, 0.8), (0.8, 0.95), (0.95, 1.01))


def share(lines: list[dict[str, Any]], is_so: Callable[[dict[str, Any]], bool]) -> str:
    """The share of these lines, in percent."""
    return f"{100 * sum(map(is_so, lines)) / len(lines):.0f} %"


def limits(path: Path) -> list[str]:
    """Stated probabilities and outcomes; nothing if it was not run."""
    if not path.exists():
        return []
    lines = json.loads(path.read_text(encoding="utf-8"))
    tasks, methods = ([*dict.fromkeys(line[key] for line in lines)] for key in ("task", "method"))
    sizes = sorted({line["size"] for line in lines})
    rows = []
    for method in methods:
        for size in sizes:
            mine = [line for line in lines if (line["method"], line["size"]) == (method, size)]
            met = [line for line in mine if line["margin"] >= 0]
            said = sum(line["probability"] for line in met) / len(met)
            margin = sum(line["test"] for line in met) / len(met)
            rows.append([
                code(method), str(size), str(len(mine)), share(mine, lambda line: line["margin"] >= 0),
                f"{100 * said:.0f} %", share(met, lambda line: line["test"] >= 0), signed(margin),
            ])  # fmt: skip
    met = [line for line in lines if line["margin"] >= 0]
    bins = []
    for low, high in BINS:
        mine = [line for line in met if low <= line["probability"] < high]
        if mine:
            said = sum(line["probability"] for line in mine) / len(mine)
            name = f"{100 * low:.0f} to {min(100 * high, 100):.0f} %"
            bins.append([name, str(len(mine)), f"{100 * said:.0f} %", share(mine, lambda line: line["test"] >= 0)])
    off = sum(line["probability"] - (line["test"] >= 0) for line in met) / len(met)
    verdict = "too high" if off > 0 else "too low"
    return [
        "## Constraints on new rows",
        "`fit --subject-to` enforces constraints on the labelled rows, and estimates the probability that they hold on "
        f"new ones. Here {plural(len(lines), 'fit')} on {codes(tasks)} require the precision or the recall of a class "
        "to be 0.1 above that of the black box on the pool, and are checked on the test rows. "
        "`python3 experiments/limits.py` runs this experiment.",
        table(["method", "rows", "fits", "met on them", "stated probability", *HELD, "margin there"], rows),
        "Fits that met the constraint, by stated probability:",
        table(["stated probability", "fits", "mean", *HELD], bins),
        f"On average the stated probability is {abs(100 * off):.0f} percentage points {verdict}. For more safety, set "
        "a stricter limit, and evaluate on other rows.",
    ]
