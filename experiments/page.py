"""Write docs/results.md and docs/paper.md from experiments/results/*.json and paper.json; no figure is typed by hand.

python3 experiments/page.py            write the pages
python3 experiments/page.py --check    fail if the pages do not match the results
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import words
from finetune_page import finetune, on_same_draws
from goals import goals
from limits_page import limits
from lost import lost
from markdown import code, codes, plural, table
from paper_page import PAPER_PAGE, paper_page
from peers_page import peers
from scores import BadResults, Task, load
from summary import summary
from tasks import every, generated
from theory import FILE as THEORY_FILE
from theory import read as read_theory
from theory import theory
from votes_page import votes

HERE = Path(__file__).resolve().parent


def make(results: Path, paper: dict[str, Any], page: Path) -> dict[Path, str]:
    """The pages: that of the results, and beside it that of the paper."""
    found = load(results, (*words.TASKS, *words.GENERATED), {THEORY_FILE})
    proven = read_theory(results)
    drawn = [task for task in found if task.is_generated]
    tasks = [task for task in found if not task.is_generated]
    if not any(task.groups() for task in tasks):
        raise BadResults("no result file with a score: run `make experiments` first")
    parts = [
        *opening(tasks, drawn, proven is not None),
        *summary(tasks),
        *goals(found, results.parent / "splits.json"),
        *every(tasks, results, page),
        *generated(drawn, results, page),
        *lost(found),
        *limits(results.parent / "limits.json"),
        *votes(results.parent / "votes.json"),
        *finetune(results.parent / "finetune.json", tasks),
        *peers(results.parent / "panel" / "peers.json"),
        *theory(proven, results, page),
        *provenance(found, proven),
    ]
    tuned = on_same_draws(results.parent / "finetune.json", tasks)
    pages = {page: parts, page.with_name(PAPER_PAGE): paper_page(tasks, tuned, proven, paper)}
    return {path: "\n\n".join(parts) + "\n" for path, parts in pages.items()}


def opening(tasks: list[Task], drawn: list[Task], has_theory: bool) -> list[str]:
    """What was run, and the command; `drawn` are the tasks on generated rows."""
    found = [*tasks, *drawn]
    missing = [name for name in (*words.TASKS, *words.GENERATED) if name not in {task.name for task in found}]
    missing += [] if has_theory else ["theory"]
    draws = sorted({task.facts["repeats"] for task in found})
    unlabelled = max(task.facts.get("unlabelled", 0) for task in found)
    parts = [
        "# Results",
        f"The paper's experiments and ours: {plural(len(tasks), 'task')}, predictions of real black boxes on real "
        f"labelled rows. For each number of labelled rows, S is drawn {' or '.join(map(str, draws))} times from the "
        "pool; every method is fitted on S for every metric and scored on fixed test rows. "
        + (f"Every fit also gets up to {plural(unlabelled, 'row')} of the pool without labels. " if unlabelled else "")
        + "One command runs everything and writes this page; no figure is typed by hand.",
        "```sh\nmake experiments\n```",
        "[experiments/README.md](../experiments/README.md) describes the data and the black boxes.",
    ]
    if drawn:
        more = plural(len(drawn), "task")
        parts.append(f"{more} more, on [generated rows](#generated-rows), are reported separately.")
    parts.append("[paper.md](paper.md): what the paper says, what we see, and its printed tables beside ours.")
    if has_theory:
        parts.append("[The theory](#the-theory) compares the paper's theorems with measurements.")
    return [*parts, f"Not run yet: {codes(missing)}."] if missing else parts


def provenance(tasks: list[Task], proven: dict[str, Any] | None) -> list[str]:
    """Data, seed, version and time of every task."""
    lines = []
    for task in tasks:
        facts, source = task.facts, task.facts["source"]
        file = f"{code(source['file'])}, {source['bytes']:,} bytes" if "file" in source else "generated"
        what = f"{file}, {code(source['fnv'])}"
        lines.append((code(task.name), what, str(facts["seed"]), facts["cwplugin"], f"{facts['seconds']:.1f}"))
    total = sum(task.facts["seconds"] for task in tasks)
    if proven:
        lines.append((code("theory"), "generated", str(proven["seed"]), proven["cwplugin"], f"{proven['seconds']:.1f}"))
        total += proven["seconds"]
    return [
        "## Provenance",
        "Source file (name, size, FNV hash) or hash of the generated rows, seed of the draws, version of `cwplugin`, "
        f"and run time; {duration(total)} in total.",
        table(["task", "source", "seed", "cwplugin", "seconds"], lines),
    ]


def duration(seconds: float) -> str:
    """A time in words."""
    return f"{seconds:.0f} seconds" if seconds < 120 else f"{seconds / 60:.1f} minutes"


def main(arguments: list[str] | None = None) -> int:
    """Write or check the page."""
    parser = argparse.ArgumentParser(description="Make docs/results.md from the results of the experiments.")
    parser.add_argument("--results", type=Path, default=HERE / "results", help="folder of the result files")
    parser.add_argument("--paper", type=Path, default=HERE / "paper.json", help="the paper's printed numbers")
    parser.add_argument(
        "--page", type=Path, default=HERE.parent / "docs" / "results.md", help="page to write; paper.md goes beside it"
    )
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the page is out of date")
    options = parser.parse_args(arguments)
    try:
        pages = make(options.results, json.loads(options.paper.read_text(encoding="utf-8")), options.page)
    except BadResults as error:
        print(f"page: error: {error}", file=sys.stderr)
        return 1
    if not options.check:
        for path, text in pages.items():
            path.write_text(text, encoding="utf-8")
        return 0
    stale = [path for path, text in pages.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in stale:
        print(
            f"page: error: {path.name} does not match the results: run `python3 experiments/page.py`", file=sys.stderr
        )
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
