"""The section of docs/results.md about fine-tuning: from how many rows on a fine-tuned language model is better."""

import json
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from markdown import NOTHING, code, codes, metric, plural, score, signed, spread, table
from scores import SAME, BadResults, Cell, Task

FINE_TUNED, LONGER = "finetune", "finetune:x"
#: Whom fine-tuning may overtake; the first three are the question.
RIVALS = ("auto", "cwplugin", "cwplugin:published", "logistic", "clean")
PAPER_SAYS = 400  # rows at which the paper has BERT-FT overtake
Scores = dict[tuple[str, str, int], list[float]]  # by method, metric, size: one score per draw


class Tuned:
    """One task: the scores of fine-tuning, and those of the rivals on the same draws."""

    def __init__(self, found: dict[str, Any], task: Task, metrics: list[str]) -> None:
        """Draws of the rivals beyond those of fine-tuning are left out."""
        self.name, self.draws, self.metrics, self.task = task.name, found["draws"], metrics, task
        self.scores: Scores = {(c["method"], c["metric"], c["size"]): c["scores"] for c in found["cells"]}
        self.sizes = sorted({size for method, _, size in self.scores if method == FINE_TUNED})
        self.rivals = [name for name in RIVALS if name in task.facts["methods"]]

    def of(self, method: str, name: str, size: int, draws: int | None = None) -> list[float]:
        """The scores of a method on the draws of fine-tuning, or on the first of them."""
        draws = draws or len(self.scores[FINE_TUNED, name, size])
        own = self.scores.get((method, name, size))
        cell = self.task.cells.get((method, name, size))
        found = own if own else list(cell.scores) if cell else []
        if len(found) < draws:
            raise BadResults(f"{self.name}: {method} has {len(found)} of {draws} draws of {size} rows on {name}")
        return found[:draws]

    def difference(self, rival: str, name: str, size: int) -> float:
        """Fine-tuning less a rival, mean over the draws."""
        return mean(self.of(FINE_TUNED, name, size)) - mean(self.of(rival, name, size))

    def overtakes(self, rival: str, name: str) -> int | None:
        """The smallest size from which on fine-tuning is ahead at every size."""
        behind = [size for size in self.sizes if self.difference(rival, name, size) <= SAME]
        ahead = [size for size in self.sizes if not behind or size > behind[-1]]
        return ahead[0] if ahead else None

    def place(self, rival: str, name: str) -> str:
        """That size as the table says it."""
        found = self.overtakes(rival, name)
        if found is None:
            return f"not up to {self.sizes[-1]}"
        return f"{found}, all sizes" if found == self.sizes[0] else str(found)


def runs(task: Tuned) -> str:
    """How many draws there are of every size."""
    counts: dict[int, list[int]] = {}
    for size in task.sizes:
        counts.setdefault(len(task.scores[FINE_TUNED, task.metrics[0], size]), []).append(size)
    said = [f"{plural(n, 'draw')} of {', '.join(map(str, sizes))}" for n, sizes in counts.items()]
    return f"{code(task.name)}: {'; '.join(said)} labelled rows"


def missing(tasks: list[Tuned], sizes: list[int]) -> str:
    """Sizes that no draw has yet; without them a late overtaking cannot be seen."""
    of_task = {task.name: [str(size) for size in sizes if size not in task.sizes] for task in tasks}
    said = [f"{code(name)} with {', '.join(found)} rows" for name, found in of_task.items() if found]
    return f" Not run yet: {'; '.join(said)}." if said else ""


def epochs(tasks: list[Tuned]) -> str:
    """Epochs and time of training for every size."""
    lines = []
    for size in sorted({size for task in tasks for size in task.sizes}):
        mine = [[d for d in task.draws if d["method"] == FINE_TUNED and d["size"] == size] for task in tasks]
        numbers = [str(number) for number in sorted({draw["epochs"] for draws in mine for draw in draws})]
        times = [[draw["cpu_seconds"] for draw in draws if "cpu_seconds" in draw] for draws in mine]
        seconds = [f"{mean(found):.0f}" if found else NOTHING for found in times]
        lines.append([str(size), " or ".join(numbers), *seconds])
    return table(["labelled rows", "epochs", *(f"CPU seconds, {code(task.name)}" for task in tasks)], lines)


def line(task: Tuned, method: str, name: str) -> list[str]:
    """Mean and spread of a method at every size; the best of a size is bold."""
    cells = []
    for size in task.sizes:
        found = task.of(method, name, size)
        best = max(mean(task.of(other, name, size)) for other in (FINE_TUNED, *task.rivals))
        text = spread(mean(found), stdev(found) if len(found) > 1 else None)
        cells.append(f"**{text}**" if mean(found) >= best - SAME else text)
    return [code(method), *cells]


def verdict(tasks: list[Tuned], rival: str) -> str:
    """In how many pairs of task and metric fine-tuning overtakes a rival, and whether at the paper's size."""
    found = [task.overtakes(rival, name) for task in tasks for name in task.metrics]
    early = sum(size is not None and size <= PAPER_SAYS for size in found)
    late = sum(size is not None and size > PAPER_SAYS for size in found)
    text = f"{code(rival)}: by {PAPER_SAYS} rows in {early} of {len(found)}"
    return text + (f", later in {late}" if late else "") + f", not at the sizes that were run in {found.count(None)}"


def longer(tasks: list[Tuned]) -> list[str]:
    """Whether more epochs change the ranking among the rivals."""
    lines, changed, pairs = [], 0, 0
    for task in tasks:
        for method, name, size in sorted(task.scores, key=lambda key: (key[2], task.metrics.index(key[1]))):
            if not method.startswith(LONGER):
                continue
            after = task.scores[method, name, size]
            before = task.of(FINE_TUNED, name, size, len(after))
            over = {rival: mean(task.of(rival, name, size, len(after))) for rival in task.rivals[:3]}
            turned = [rival for rival, s in over.items() if (mean(after) > s) != (mean(before) > s)]
            changed, pairs = changed + len(turned), pairs + len(over)
            start = [code(task.name), str(size), str(len(after)), method.removeprefix(LONGER), metric(name)]
            values = [score(mean(before)), score(mean(after)), signed(mean(after) - mean(before))]
            lines.append([*start, *values, codes(turned) if turned else "none"])
    if not lines:
        return ["Whether more epochs change the order has not been measured yet (`make finetune ARGS='--times 2'`)."]
    heads = ["task", "rows", "draws", "times the epochs", "metric", "before", "after", "gain", "other order than"]
    said = f"the order changes in {changed} of {pairs} comparisons" if changed else "the order changes nowhere"
    return [f"**More epochs.** Compared with {codes(RIVALS[:3])}, {said}:", table(heads, lines)]


def read(path: Path, results: list[Task]) -> tuple[dict[str, Any], list[Tuned]]:
    """The result file, and its tasks with a draw; none if it was not run."""
    if not path.exists():
        return {}, []
    facts = json.loads(path.read_text(encoding="utf-8"))
    known = {task.name: task for task in results}
    found = [Tuned(one, known[one["task"]], facts["metrics"]) for one in facts["tasks"] if one["task"] in known]
    return facts, [task for task in found if task.sizes]


def on_same_draws(path: Path, results: list[Task]) -> list[Task]:
    """The tasks with fine-tuning among their methods, and the other methods on its draws only."""
    found = []
    for task in read(path, results)[1]:
        methods, cells = [*task.rivals, FINE_TUNED], {}
        for method in methods:
            for name in task.metrics:
                for size in task.sizes:
                    scores = tuple(task.of(method, name, size))
                    spread_of = stdev(scores) if len(scores) > 1 else None
                    cells[method, name, size] = Cell(method, name, size, mean(scores), spread_of, 0.0, scores, ())
        facts = task.task.facts | {"methods": methods, "metrics": task.metrics, "sizes": task.sizes}
        found.append(Task(task.name, facts, cells))
    return found


def finetune(path: Path, results: list[Task]) -> list[str]:
    """The section; nothing if it was not run."""
    facts, tasks = read(path, results)
    if not tasks:
        return []
    parts = [
        "## Fine-tuning",
        "The paper also fine-tunes a language model on S (BERT-FT), which needs the texts, not only probabilities. "
        "Its bert-base-cased is not available here. Instead `finetune` trains all-MiniLM-L6-v2, a smaller encoder of "
        "six layers, with a new last layer: AdamW, a learning rate that rises for a tenth of the steps and then falls "
        "to zero, and the epoch with the lowest training loss on S. All of S is used for training. The predictions are "
        "those of arg max, the same for every metric. `make finetune` runs it on the draws of `cwplugin compare "
        "--draws-out`, and `--external` scores it on the same test rows; it is not part of `make experiments`.",
        f"{'; '.join(map(runs, tasks))}.{missing(tasks, facts['sizes'])} All methods of this section are compared "
        "on these draws only, so their figures differ from those of the tables above. With so few draws, small "
        "differences mean little. Where fine-tuning overtakes depends on the black box, too, and the paper's black "
        "boxes are others.",
        "**Where does fine-tuning overtake?** The smallest number of labelled rows from which on the mean of "
        "`finetune` is above that of the method at every size:",
        table(
            ["task", "metric", *map(code, tasks[0].rivals)],
            [[code(t.name), metric(n), *(t.place(rival, n) for rival in t.rivals)] for t in tasks for n in t.metrics],
        ),
        f"The paper has BERT-FT overtake at about {PAPER_SAYS} rows. Here, pairs of task and metric in which "
        f"`finetune` overtakes {'; '.join(verdict(tasks, rival) for rival in tasks[0].rivals[:3])}.",
    ]
    for task in tasks:
        parts.append(f"### Fine-tuning on {task.name}")
        for name in task.metrics:
            heads = [metric(name), *(f"{size} rows" for size in task.sizes)]
            parts.append(table(heads, [line(task, method, name) for method in (FINE_TUNED, *task.rivals)]))
    return [
        *parts,
        "### Epochs and time",
        "Larger samples get fewer epochs, as each of them has more steps. CPU seconds are of training a draw on one "
        "thread, without the predictions:",
        epochs(tasks),
        *longer(tasks),
    ]
