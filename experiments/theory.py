"""The section on the theory: the paper's theorems compared with measurements; every conclusion follows a rule."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import words
from markdown import NOTHING, code, table
from scores import BadResults
from slopes import (
    BOUND,
    CUBE_ROOT,
    CUBE_ROOT_WORDS,
    ERRORS,
    NEAR,
    chosen,
    fits_table,
    folded,
    judged,
    reach,
    slope,
    tell,
    verdict,
)

FILE = "theory.json"


def read(results: Path) -> dict[str, Any] | None:
    """The result of `lab experiment theory`, if it was run."""
    path = results / FILE
    if not path.exists():
        return None
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
        for fit in facts["fits"]:
            fit["part"], fit["of"], fit["against"], fit["law"], fit["slope"]
        facts["elicitation"], facts["finite_sample"], facts["evaluations"], facts["rules"], facts["seconds"]
    except (KeyError, TypeError, json.JSONDecodeError) as error:
        raise BadResults(f"{FILE}: not a result of the theory ({type(error).__name__}: {error})") from error
    return facts


def theory(facts: dict[str, Any] | None, results: Path, page: Path) -> list[str]:
    """The whole section."""
    if facts is None:
        return []
    figure = Figures(results, page)
    return [
        "## The theory",
        words.THEORY.format(
            distance=facts["distance"], repeats=facts["repeats"], errors=ERRORS, near=NEAR, **facts["rules"]
        ),
        *elicitation(facts, figure),
        *finite_sample(facts, figure),
        *constants(facts, figure),
        *evaluations(facts, figure),
    ]


class Figures:
    """Links to the plots that exist."""

    def __init__(self, results: Path, page: Path) -> None:
        """The folder of the pictures, and the page that shows them."""
        self.results, self.page = results, page

    def __call__(self, name: str, about: str) -> list[str]:
        """One picture."""
        path = self.results / f"theory-{name}.svg"
        link = Path(os.path.relpath(path, self.page.parent)).as_posix()
        return [f"![{about}]({link})"] if path.exists() else []


def elicitation(facts: dict[str, Any], figure: Figures) -> list[str]:
    """Part (a)."""
    part = "elicitation"
    fits = chosen(facts, part=part)
    of = {against: chosen(facts, part=part, of="error", against=against) for against in ("ε", "queries of a class")}
    queries = chosen(facts, part=part, of="queries of a class")
    summary = [
        tell(of["ε"], "Error against ε", "the exponent 1", 1.0, "flatter", "steeper"),
        tell(
            *(of["queries of a class"], "Logarithm of the error against the queries of a class"),
            *("golden section's log 0.618", of["queries of a class"][0]["law"], "steeper", "flatter"),
        ),
        tell(
            *(queries, "Queries of a class against log 1/ε", "golden section's 1 / log 1.618"),
            *(queries[0]["law"], "fewer", "more"),
        ),
        tell(
            chosen(facts, part=part, of="queries"), "Queries against pairs", "the exponent 1", 1.0, "flatter", "steeper"
        ),
    ]
    lines = [
        (
            *(str(cell["m"]), f"{cell['epsilon']:g}", f"{cell['error']:.5f} ± {cell['se']:.5f}"),
            *(f"{cell['largest']:.5f}", f"{cell['queries']:.1f}"),
        )
        for cell in facts["elicitation"]
    ]
    return [
        "### Elicitation recovers β",
        words.THEORY_ELICITATION.format(population=facts["population"], **facts["rules"]),
        *figure(part, "The error against ε, and against the number of queries, for several numbers of classes"),
        "\n".join(summary),
        fits_table(
            fits,
            ["of", "against", "classes"],
            lambda fit: (fit["of"], fit["against"], str(fit.get("m", "all"))),
            *("below", "above"),
        ),
        *folded("Every cell", ["m", "ε", "‖β − w‖₁", "largest", "queries of a class"], lines),
    ]


def finite_sample(facts: dict[str, Any], figure: Figures) -> list[str]:
    """Part (b): against n."""
    fits = chosen(facts, part="finite-sample", against="n")
    summary, lines = [], []
    for method, regime in dict.fromkeys((fit["method"], fit["regime"]) for fit in fits):
        of = [fit for fit in fits if (fit["method"], fit["regime"]) == (method, regime)]
        known = [fit for fit in of if fit["slope"] is not None]
        name = code(method) + ("" if regime == "all" else f", {regime}")
        line = tell(of, name, "the bound's −1/2", BOUND, "faster", "slower")
        if known:
            line = line[:-1] + f"; {judged(known, CUBE_ROOT_WORDS, CUBE_ROOT, 'faster', 'slower')}."
        summary.append(line)
        for fit in of:
            against = [verdict(fit, law, "faster", "slower") for law in (BOUND, CUBE_ROOT)]
            lines.append((code(method), regime, str(fit["m"]), slope(fit), *against, reach(fit)))
    summary += jumps(facts)
    heads = ["method", "rows", "m", "slope", "compared with −1/2", "compared with −1/3", "points, n"]
    cells = [cell for cell in facts["finite_sample"] if cell["varies"] == "m"]
    mapped = {}
    for cell in facts["finite_sample"]:
        seen = mapped.get(cell["method"], (0, 0))
        mapped[cell["method"]] = (seen[0] + cell["mapped"], seen[1] + cell["draws"])
    maps = "; ".join(f"{code(name)} {part:,} of {all_:,}" for name, (part, all_) in mapped.items())
    failed = sum(cell["failed"] for cell in facts["finite_sample"])
    return [
        "### The error of a finite sample",
        words.THEORY_FINITE.format(**facts["rules"]),
        *figure("finite-sample", "The error against the number of labelled rows, on logarithmic axes"),
        "\n".join(summary),
        table(heads, lines),
        f"Fits whose rule has a map, so that the weights are those that imitate it: {maps}. "
        f"Fits that failed: {failed}.",
        *folded("Every cell", ["method", "m", "ρ", "n", "‖β − w‖₁", "largest", "in the fit"], map_cells(cells)),
    ]


def jumps(facts: dict[str, Any]) -> list[str]:
    """What happens to a method where it changes its ways: the last size before, and the first after."""
    counted = facts["rules"]["counted"]
    lines = []
    for name in dict.fromkeys(fit["method"] for fit in facts["fits"] if fit.get("regime", "all") != "all"):
        cells = [cell for cell in facts["finite_sample"] if (cell["varies"], cell["method"]) == ("m", name)]
        sizes = sorted({cell["n"] for cell in cells})
        before = max((n for n in sizes if n < counted), default=None)
        after = min((n for n in sizes if n >= counted), default=None)
        if before is None or after is None:
            continue
        by = {(cell["m"], cell["n"]): cell["error"] for cell in cells}
        pairs = [
            (m, by[m, before], by[m, after])
            for m in sorted({m for m, _ in by})
            if {(m, before), (m, after)} <= by.keys()
        ]
        worse = sum(old < new for _, old, new in pairs)
        told = ", ".join(f"{old:.3f} → {new:.3f} (m = {m})" for m, old, new in pairs)
        lines.append(
            f"* **{code(name)}, from {before:,} to {after:,} rows**, where it starts to count labels: {told}. "
            f"With more labels the error is larger in {worse} of {len(pairs)}."
        )
    return lines


def map_cells(cells: Sequence[dict[str, Any]]) -> list[tuple[str, ...]]:
    """A line per cell of part (b)."""
    return [
        (
            *(code(cell["method"]), str(cell["m"]), f"{cell['rho']:.2f}", f"{cell['n']:,}"),
            *(f"{cell['error']:.4f} ± {cell['se']:.4f}", f"{cell['largest']:.4f}"),
            "yes" if cell["takes_part"] else "no",
        )
        for cell in cells
    ]


def constants(facts: dict[str, Any], figure: Figures) -> list[str]:
    """Part (b): against m and ρ."""
    kinds = ("m", "1 − ρ", "ρ")
    fits = [fit for kind in kinds for fit in chosen(facts, part="finite-sample", against=kind)]
    of = {kind: [fit for fit in fits if fit["against"] == kind and fit["slope"] is not None] for kind in kinds}
    summary = [
        tell(of["m"], "Error against m", "the bound's 1", 1.0, "flatter", "steeper"),
        tell(of["1 − ρ"], "Error against 1 − ρ", "the bound's −2", -2.0, "steeper", "flatter"),
    ]
    rising = [fit for fit in of["1 − ρ"] if fit["slope"] > ERRORS * (fit["error"] or 0.0)]
    if of["1 − ρ"]:
        text = words.THEORY_RHO_RISES if len(rising) == len(of["1 − ρ"]) else words.THEORY_RHO_MIXED
        summary.append("* " + text.format(part=len(rising), all=len(of["1 − ρ"])))
    cells = [cell for cell in facts["finite_sample"] if cell["varies"] == "rho"]
    return [
        "### The error, the number of classes, and ρ",
        words.THEORY_CONSTANTS,
        *figure("constants", "The error against the number of classes, and against 1 − ρ, on logarithmic axes"),
        "\n".join(summary),
        fits_table(
            fits,
            ["against", "method", "rows", "n"],
            lambda fit: (fit["against"], code(fit["method"]), fit["regime"], f"{fit['n'] or 0:,}"),
            *("below", "above"),
        ),
        *folded("Every cell of ρ", ["method", "m", "ρ", "n", "‖β − w‖₁", "largest", "in the fit"], map_cells(cells)),
    ]


def evaluations(facts: dict[str, Any], figure: Figures) -> list[str]:
    """Part (c)."""
    fits = chosen(facts, part="evaluations")
    judged_ = [fit for fit in fits if fit["law"] is not None]
    summary = [
        tell(
            [fit for fit in judged_ if (fit["search"], fit["of"]) == (search, "evaluations of a pair")],
            *(f"{search.capitalize()} search, evaluations of a pair against {against}", "the paper's 1", 1.0),
            *("flatter", "steeper"),
        )
        for search, against in (("line", "1/ε"), ("binary", "log 1/ε"))
    ]
    for balance, law in (("balanced", 0.0), ("worst case", 1.0)):
        of = [fit for fit in judged_ if (fit["balance"], fit["against"]) == (balance, "pairs, m − 1")]
        what = f"Evaluations × rows against the number of pairs, {balance}"
        summary.append(tell(of, what, f"the paper's {law:.0f}", law, "flatter", "steeper"))
    of = [fit for fit in judged_ if fit["against"] == "n"]
    summary.append(tell(of, "Evaluations × rows against n", "the paper's 1", 1.0, "flatter", "steeper"))
    lines = [
        (
            *(cell["search"], cell["balance"], NOTHING if cell["search"] == "exact" else f"{cell['steps']:,}"),
            *(str(cell["m"]), f"{cell['n']:,}", f"{cell['evaluations']:,.1f} ± {cell['evaluations_se']:.1f}"),
            f"{cell['work']:,.0f}",
        )
        for cell in facts["evaluations"]
    ]
    heads = ["search", "rows", "1/ε", "m", "n", "evaluations of a pair", "evaluations × rows"]
    return [
        "### Evaluations of the metric",
        words.THEORY_EVALUATIONS.format(share=100 * facts["share_of_reference"], **facts["rules"]),
        *figure("evaluations", "Evaluations of a pair against 1/ε, and evaluations times rows against pairs"),
        "\n".join(summary),
        fits_table(
            fits,
            ["search", "rows", "of", "against"],
            lambda fit: (fit["search"], fit["balance"], fit["of"], fit["against"]),
            *("below", "above"),
        ),
        *folded("Every cell", heads, lines),
    ]
