"""Measure `cwplugin` against what people use today, and write docs/benchmarks.md.

    python benches/peers.py                      everything: results.json, the page, the pictures
    python benches/peers.py --only peers,goals   these parts; the others keep their figures
    python benches/peers.py --page-only          the page and the pictures again, from results.json
    python benches/peers.py --quick              small sizes, into target/bench-quick: does it run at all?

The programs are target/release/cwplugin and target/release/lab, or what the environment variables CWPLUGIN and
CWPLUGIN_LAB name. `make bench-peers` builds them and the Python environment and then runs this.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import against_peers
import calibrators
import environment
import files
import fits
import fits_pictures
import growth
import ours
import page
import pictures
import processes

TEMPLATE = ours.ROOT / "docs" / "benchmarks.md"
PARTS = ("goals", "peers", "processes", "calibrators", "growth", "fits", "files")


@dataclass(frozen=True)
class Plan:
    """How large everything is, how often it is run, and where it goes."""

    runs: int
    peer_rows: tuple[int, ...]
    growth_rows: tuple[int, ...]
    growth_classes: tuple[int, ...]
    fixed_rows: int
    fit_rows: tuple[int, ...]
    fit_classes: tuple[int, ...]
    large_fits: tuple[tuple[str, fits.Size], ...]
    reports: tuple[fits.Size, ...]
    calibrator_rows: int
    goal_rows: int
    process_rows: int
    process_runs: int
    file_rows: int
    results: Path
    page: Path


FULL = Plan(
    runs=3,
    peer_rows=(1_000, 10_000, 100_000, 1_000_000),
    growth_rows=(10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000),
    growth_classes=(2, 5, 10, 20, 50, 100, 200, 500, 1_000),
    fixed_rows=100_000,
    fit_rows=(50, 200, 1_000, 10_000, 100_000, 1_000_000, 10_000_000),
    fit_classes=(2, 5, 10, 20, 50, 100, 200, 500, 1_000),
    large_fits=(
        ("auto", (2_000, 200)),
        ("auto", (20_000, 200)),
        ("auto", (50_000, 1_000)),
        ("ascent", (1_000_000, 100)),
    ),
    reports=((500, 3), (500, 20), (500, 100), (5_000, 20), (50_000, 20)),
    calibrator_rows=10_000,
    goal_rows=10_000_000,
    process_rows=1_000_000,
    process_runs=9,
    file_rows=10_000_000,
    results=ours.ROOT / "benches" / "results.json",
    page=TEMPLATE,
)
QUICK = Plan(
    runs=1,
    peer_rows=(1_000,),
    growth_rows=(1_000, 10_000, 100_000),
    growth_classes=(2, 10, 100),
    fixed_rows=1_000,
    fit_rows=(50, 200, 1_000),
    fit_classes=(2, 10, 20),
    large_fits=(),
    reports=((500, 3),),
    calibrator_rows=1_000,
    goal_rows=100_000,
    process_rows=20_000,
    process_runs=1,
    file_rows=20_000,
    results=ours.ROOT / "target" / "bench-quick" / "results.json",
    page=ours.ROOT / "target" / "bench-quick" / "benchmarks.md",
)
CLASSES = 10
FEW_ROWS = 400  # what people have labels for


def main() -> None:
    """Measure the parts that were asked for, then write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(PARTS), metavar="PART,…", help="measure these of %(default)s")
    parser.add_argument("--rows", type=int, metavar="N", help="rows of the files [default: 10,000,000]")
    parser.add_argument("--quick", action="store_true", help="a smoke run of small sizes, into target/bench-quick")
    parser.add_argument("--page-only", action="store_true", help="measure nothing, write the page again")
    args = parser.parse_args()
    only = args.only.split(",")
    if unknown := set(only) - set(PARTS):
        parser.error(f"no part is called {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    plan = QUICK if args.quick else FULL

    results = json.loads(plan.results.read_text()) if plan.results.exists() else {}
    if not args.page_only:
        ours.check_program()
        ours.check_lab()
        results = measure(plan, only, args.rows or plan.file_rows, results)
    if "growth" in results:
        pictures.draw(results["growth"], plan.page.parent / "images")
    if "fits" in results:
        fits_pictures.draw(results["fits"], plan.page.parent / "images")
    page.rebuild(TEMPLATE, plan.page, results)
    print(f"wrote {plan.page.relative_to(ours.ROOT)}")


def measure(plan: Plan, only: list[str], file_rows: int, results: dict[str, Any]) -> dict[str, Any]:
    """Measure and save part by part, so that an interruption loses one part only."""
    machine = environment.machine()
    if results.get("environment", {}).get("machine", machine) != machine:
        print("the earlier results are of another machine: they are dropped")
        results = {}
    results["environment"] = {"machine": machine, "versions": environment.versions()}
    parts: dict[str, Callable[[Path], dict[str, Any]]] = {
        "goals": lambda folder: growth.goals(plan.goal_rows, CLASSES),
        "peers": lambda folder: against_peers.measure(plan.peer_rows, CLASSES, plan.runs, folder),
        "processes": lambda folder: processes.measure(plan.process_rows, plan.peer_rows, plan.process_runs, folder),
        "calibrators": lambda folder: calibrators.measure(plan.calibrator_rows, CLASSES, folder),
        "growth": lambda folder: growth.measure(plan.growth_rows, plan.growth_classes, plan.fixed_rows, CLASSES),
        "fits": lambda folder: fits.measure(
            plan.fit_rows, plan.fit_classes, (FEW_ROWS, CLASSES), plan.large_fits, plan.reports, plan.runs, folder
        ),
        "files": lambda folder: files.measure(file_rows, plan.runs, folder),
    }
    plan.results.parent.mkdir(parents=True, exist_ok=True)
    for part in (part for part in PARTS if part in only):
        print(part, flush=True)
        with tempfile.TemporaryDirectory(prefix="cwplugin-bench-") as folder:
            try:
                measured = parts[part](Path(folder))
            except (ours.Failed, against_peers.DifferentAlphas, processes.DifferentAnswers) as error:
                sys.exit(f"{part}: {error}")
        results[part] = {"commit": environment.commit(), **measured}
        plan.results.write_text(json.dumps(results, indent=1) + "\n")
    return results


if __name__ == "__main__":
    main()
