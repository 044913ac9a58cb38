"""Every claim of the paper, what we see, and a verdict; all by rule, from the result files."""

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from typing import Any

from duels import Duel, duel, overtakes
from markdown import code, count, metric, plural, signed
from readings import NAMES
from scores import CLEAN, SAME, Task, tally
from slopes import BOUND, CUBE_ROOT, CUBE_ROOT_WORDS, Fit, agrees, chosen, judged, span

PUBLISHED, OURS, DEFAULT = "cwplugin:published", "cwplugin", "auto"
HOLDS, PART, NOT, OPEN, UNKNOWN = "holds", "in part", "does not hold", "undecided", "not measured"
SMALL = (50, 100, 160)  # few labelled rows
USUAL = (50, 100, 160, 250, 400)  # the sizes of the paper's figures
CHANCE = 0.025  # the share of cells that a test at 5 % finds below unadjusted if there is no difference
RIVALS = {
    "probing": "the probing classifier",
    "vector": "vector scaling",
    "dirichlet-diag": "diagonal Dirichlet calibration",
    "dirichlet-full": "full Dirichlet calibration",
}
NEW_MODELS = {
    "finetune": "a language model fine-tuned on S",
    "logistic": "a logistic model fitted on S (on embeddings: a rough substitute for a language model)",
}
OVERTAKEN = 400  # labelled rows from which the paper's fine-tuned language model is better
RUN_TIMES = {
    ("line", "worst case"): "O(mn/ε)",
    ("line", "balanced"): "O(n/ε)",
    ("binary", "worst case"): "O(mn log 1/ε)",
    ("binary", "balanced"): "O(n log 1/ε)",
}


@dataclass(frozen=True)
class Claim:
    """A claim of the paper."""

    says: str
    sees: str
    verdict: str


def claims(
    tasks: Sequence[Task], tuned: Sequence[Task], proven: dict[str, Any] | None, paper: dict[str, Any]
) -> list[Claim]:
    """All claims: of the experiments, then of the theory."""
    quiet = [task for task in tasks if task.noise_in != "sample"]
    noisy = [task for task in tasks if task.noise_in == "sample"]
    return [
        *(claim for table in paper["tables"] for claim in printed(table, tasks, paper["methods"])),
        *(better(rival, quiet, noisy) for rival in RIVALS),
        harmless(quiet, noisy),
        *(new_model(name, tuned if tuned and name == "finetune" else quiet) for name in NEW_MODELS),
        fixed_class(quiet),
        *theorems(proven),
    ]


def rated(found: Duel | None) -> str:
    """The verdict of a difference that should be above 0."""
    return UNKNOWN if found is None else {1: HOLDS, 0: OPEN, -1: NOT}[found.verdict]


def printed(table: dict[str, Any], tasks: Sequence[Task], names: dict[str, str]) -> list[Claim]:
    """Algorithm 1 is best in a printed table: in the same columns of ours, for each reading of the label noise."""
    best_of_paper = sum(
        max((cell for cell in table["cells"] if cell["metric"] == name), key=lambda cell: cell["mean"])["method"]
        == "CWPlugin"
        for name in table["metrics"]
    )
    says = (
        f"{table['title']}, {table['size']} labelled rows: Algorithm 1 is best in {best_of_paper} of "
        f"{len(table['metrics'])} printed columns ({', '.join(map(metric, table['metrics']))})"
    )
    of_paper = {names[cell["method"]] for cell in table["cells"]}
    ours = [task for task in tasks if task.name in table["ours"]]
    found = [
        in_columns(says, table, [task for task in ours if task.noise_in == reading], of_paper)
        for reading in sorted({task.noise_in for task in ours}, key=str)
    ]
    return found or [Claim(says, "–", UNKNOWN)]


def in_columns(says: str, table: dict[str, Any], ours: Sequence[Task], of_paper: Container[str]) -> Claim:
    """The columns of these tasks in which Algorithm 1 is the best of the methods of the paper."""
    columns = best = near = 0
    for task in ours:
        for name in table["metrics"]:
            group = task.group(name, table["size"])
            cells = {cell.method: cell for cell in group.cells if cell.method in of_paper} if group else {}
            if PUBLISHED in cells:
                top = max(cells.values(), key=lambda cell: cell.mean)
                columns += 1
                best += cells[PUBLISHED].mean >= top.mean - SAME
                near += cells[PUBLISHED].mean >= top.mean - top.error - SAME
    if not columns:
        return Claim(says, "–", UNKNOWN)
    reading = f"{NAMES[ours[0].noise_in]}: " if ours[0].noise_in else ""
    sees = f"{reading}best in {best} of {columns} columns, within one standard error of the best in {near}"
    return Claim(says, sees, HOLDS if 2 * best > columns else PART if near else NOT)


def better(rival: str, quiet: Sequence[Task], noisy: Sequence[Task]) -> Claim:
    """Few labels: Algorithm 1 against one of the others."""
    found = duel(quiet, PUBLISHED, rival, SMALL)
    says = f"better than {RIVALS[rival]} with few labels"
    return Claim(says, f"{found}; {others(quiet, noisy, rival, SMALL)}" if found else "–", rated(found))


def others(quiet: Sequence[Task], noisy: Sequence[Task], rival: str, sizes: Sequence[int]) -> str:
    """The differences of our methods, and of the published one where noise is in S only."""
    known = [(code(name), duel(quiet, name, rival, sizes)) for name in (OURS, DEFAULT)]
    known.append(("with noise in S only", duel(noisy, PUBLISHED, rival, sizes)))
    return ", ".join(f"{name} {signed(found.mean)}" for name, found in known if found) or "–"


def harmless(quiet: Sequence[Task], noisy: Sequence[Task]) -> Claim:
    """Not below the unadjusted black box."""
    groups = [group for task in quiet for group in task.groups() if group.size in USUAL]
    parts, verdict = [], UNKNOWN
    for name in (PUBLISHED, OURS, DEFAULT):
        one = tally(name, groups)
        if one is None:
            continue
        lost = f"significantly below in {count(one.lost, one.cells)} of {plural(one.cells, 'cell')}"
        parts.append(f"{code(name)}: {lost}, mean difference {signed(one.difference)}")
        if name == PUBLISHED:
            few = one.lost <= CHANCE * one.cells
            verdict = HOLDS if few and one.difference > 0 else PART if few or one.difference > 0 else NOT
    spoiled = duel(noisy, PUBLISHED, CLEAN, USUAL)
    if spoiled:
        parts.append(f"with noise in S only, {code(PUBLISHED)} {spoiled}")
    return Claim("never harmful: not below the unadjusted black box", "; ".join(parts) or "–", verdict)


def new_model(name: str, quiet: Sequence[Task]) -> Claim:
    """Few labels: a model fitted on S is worse, and catches up with more."""
    below = [size for size in USUAL if size < OVERTAKEN]
    found = duel(quiet, PUBLISHED, name, below)
    says = f"better than {NEW_MODELS[name]}, up to about {OVERTAKEN} labels"
    if found is None:
        return Claim(says, "–", UNKNOWN)
    sizes = {task.name: overtakes(task, name, PUBLISHED) for task in quiet if task.name in found.by_task}
    told = ", ".join(f"{code(task)} {'never' if size is None else size}" for task, size in sizes.items())
    return Claim(says, f"below {OVERTAKEN} labels {found}; the model is better from: {told}", rated(found))


def fixed_class(quiet: Sequence[Task]) -> Claim:
    """A limitation that the paper states."""
    found = duel(quiet, "cwplugin:best", "cwplugin:last", USUAL)
    says = "limitation: the result depends on the fixed class"
    if found is None:
        return Claim(says, "–", UNKNOWN)
    return Claim(says, f"the best fixed class less the last: {found}", rated(found))


def theorems(proven: dict[str, Any] | None) -> list[Claim]:
    """The theory, by the slopes of its measurements."""
    if proven is None:
        return [Claim("run-times, consistency and rate", "–", UNKNOWN)]
    found = []
    for (search, balance), law in RUN_TIMES.items():
        fits = known(chosen(proven, part="evaluations", search=search, balance=balance))
        sees = ", ".join(f"{fit['against'].removeprefix('pairs, ')}: {fit['slope']:.2f}" for fit in fits)
        rows = "in general" if balance == "worst case" else "if the classes are balanced"
        says = f"run time of the {search} search {rows}: {law}"
        found.append(Claim(says, f"exponents {sees}", share(fits, lambda fit: agrees(fit, fit["law"]))))
    fits = known(chosen(proven, part="elicitation", of="error", against="ε"))
    finest = min((cell["epsilon"] for cell in proven["elicitation"]), default=None)
    errors = [cell["error"] for cell in proven["elicitation"] if cell["epsilon"] == finest]
    sees = f"exponent {span(fits)}; mean error {max(errors):.4f} or less at ε = {finest:g}" if fits and errors else "–"
    says = "consistency: the weights converge to the metric's as ε falls, with error O(ε)"
    found.append(Claim(says, sees, share(fits, lambda fit: agrees(fit, fit["law"]))))
    fits = known(chosen(proven, part="finite-sample", method=OURS, against="n"))
    cube_root = judged(fits, CUBE_ROOT_WORDS, CUBE_ROOT, "faster", "slower") if fits else ""
    sees = f"exact search over all α: exponent {span(fits)}; {cube_root}" if fits else "–"
    says = "rate: the error of n labels is at most of order n^(−1/2)"
    found.append(Claim(says, sees, share(fits, lambda fit: agrees(fit, BOUND) or fit["slope"] < BOUND)))
    for against, law, bounded in (("m", "m", lambda fit: fit["slope"] <= 1), ("1 − ρ", "1/(1 − ρ)²", flatter)):
        fits = known(chosen(proven, part="finite-sample", method=OURS, against=against))
        says = f"the error is at most proportional to {law}"
        found.append(Claim(says, f"exponent of {against}: {span(fits)}" if fits else "–", share(fits, bounded)))
    return found


def known(fits: Sequence[Fit]) -> list[Fit]:
    """The fits with a slope."""
    return [fit for fit in fits if fit["slope"] is not None]


def flatter(fit: Fit) -> bool:
    """Whether the error rises no faster than the bound if 1 − ρ falls."""
    return agrees(fit, fit["law"]) or fit["slope"] > fit["law"]


def share(fits: Sequence[Fit], holds: Callable[[Fit], bool]) -> str:
    """All, some or none."""
    good = sum(map(holds, fits))
    return UNKNOWN if not fits else HOLDS if good == len(fits) else PART if good else NOT
