"""Run peers on the draws of `cwplugin compare` for every task of the panel, and score them like any method.

    python experiments/panel/peers.py DIR OUT [--tasks dev] [--peers NAME …] [--limit 600]

DIR has the tables of build.py. OUT gets the draws, predictions and results of every task; what is there already is not
made again, so a run that was stopped goes on where it was. A peer that takes longer than the limit on a task is skipped
there, and the results say so. At the end peers.json is written beside this file; docs/results.md is made from it.
"""

import argparse
import json
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from halves import HALVES
from peer_methods import MACRO_F1_ONLY, PEERS, SAME_FOR_ALL_DRAWS, TWO_CLASSES_ONLY, Draw

HERE = Path(__file__).resolve().parent
PROGRAM = HERE.parents[1] / "target" / "release" / "cwplugin"
RESULTS = HERE / "peers.json"
METRICS, SIZES, REPEATS, UNLABELLED = ["macro-f1", "accuracy"], [50, 100, 250, 500], 5, 500
OURS = ["auto", "expected", "sms", "svs", "bcts", "clean"]
PACKAGES = ["probmetrics", "xcolumns", "optimal-classification-cutoffs", "scikit-learn", "scipy", "numpy"]


def compare(program: Path, table: Path, *flags: str) -> str:
    """Run the program with the protocol of this comparison."""
    protocol = [f"--metrics={','.join(METRICS)}", f"--sizes={','.join(map(str, SIZES))}", f"--repeats={REPEATS}"]
    command = [str(program), "compare", str(table), "--test-column", "split=test", *protocol]
    command += [f"--unlabelled={UNLABELLED}", "--threads=1", "--quiet", *flags]
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout


def read(table: Path, classes: list[str]) -> np.ndarray:
    """The probabilities of all rows of a task."""
    columns = pq.read_table(table, columns=[f"p_{name}" for name in classes])
    return np.column_stack([column.to_numpy() for column in columns.columns]).astype(np.float64)


def run_peer(name: str, draws: dict[str, Any], p: np.ndarray, limit: float) -> tuple[list[str], dict[str, Any]]:
    """Lines of predictions for every draw, and what happened; no lines if it took too long."""
    peer, classes = PEERS[name], draws["classes"]
    metrics = [metric for metric in METRICS if name not in MACRO_F1_ONLY or metric == "macro-f1"]
    place = {label: index for index, label in enumerate(classes)}
    test, lines, failed, start = p[draws["test"]], [], 0, time.process_time()
    known: dict[str, list[str]] = {}
    for one in draws["draws"]:
        labels = np.array([place[label] for label in one["labels"]])
        draw = Draw(p[one["labelled"]], labels, p[one["unlabelled"]], test)
        for metric in METRICS:
            if metric in metrics and metric not in known:
                try:
                    predicted = peer(draw, metric)
                except Exception as error:  # a peer that fails falls back to the black box, and is counted
                    print(f"  {name}, {one['id']}, {metric}: {error!r}", file=sys.stderr)
                    predicted, failed = np.argmax(test, axis=1), failed + 1
                found = [classes[index] for index in predicted]
                if name in SAME_FOR_ALL_DRAWS:
                    known[metric] = found
            elif metric in known:
                found = known[metric]
            else:  # every method has predictions for every metric; the results leave these out
                found = [classes[index] for index in np.argmax(test, axis=1)]
            line = {"method": name, "draw": one["id"], "metric": metric, "predictions": found}
            lines.append(json.dumps(line))
        seconds = time.process_time() - start
        if seconds > limit:
            return [], {"peer": name, "skipped": True, "seconds": round(seconds, 1)}
    return lines, {"peer": name, "skipped": False, "failed": failed, "seconds": round(seconds, 1), "metrics": metrics}


def run_task(task: str, options: argparse.Namespace) -> dict[str, Any]:
    """All peers on one task, and the cells of peers and our methods."""
    folder = options.out / task
    folder.mkdir(parents=True, exist_ok=True)
    table, draws_file = options.folder / f"{task}.parquet", folder / "draws.json"
    if not draws_file.exists():
        compare(options.program, table, "--methods=clean", "--draws-out", str(draws_file))
    draws = json.loads(draws_file.read_text(encoding="utf-8"))
    p = read(table, draws["classes"])
    happened = []
    for name in options.peers:
        if name in TWO_CLASSES_ONLY and len(draws["classes"]) > 2:
            continue
        stem = folder / name.replace(" ", "-").replace(",", "")
        log, predictions = stem.with_suffix(".log.json"), stem.with_suffix(".jsonl")
        if not log.exists():
            print(f"{task}: {name}", file=sys.stderr, flush=True)
            lines, log_entry = run_peer(name, draws, p, options.limit)
            predictions.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
            log.write_text(json.dumps(log_entry), encoding="utf-8")
        happened.append((json.loads(log.read_text(encoding="utf-8")), predictions))
    result_file = folder / "results.json"
    files = [str(file) for entry, file in happened if not entry["skipped"]]
    key = {"files": [Path(file).name for file in files], "ours": OURS}
    if not result_file.exists() or json.loads(result_file.read_text(encoding="utf-8"))["of"] != key:
        flags = [flag for file in files for flag in ("--external", file)]
        found = json.loads(compare(options.program, table, f"--methods={','.join(OURS)}", "--json", *flags))
        result_file.write_text(json.dumps({"of": key, "cells": found["cells"]}), encoding="utf-8")
    logs = {entry["peer"]: entry for entry, _ in happened}
    cells: dict[tuple[str, int], dict[str, float]] = {}
    for cell in json.loads(result_file.read_text(encoding="utf-8"))["cells"]:
        peer = logs.get(cell["method"])
        if peer is None or cell["metric"] in peer["metrics"]:
            cells.setdefault((cell["metric"], cell["size"]), {})[cell["method"]] = round(cell["mean"], 6)
    return {
        "task": task,
        "classes": len(draws["classes"]),
        "peers": [{k: v for k, v in entry.items() if k != "metrics"} for entry in logs.values()],
        "cells": [{"metric": metric, "size": size, "means": means} for (metric, size), means in cells.items()],
    }


def main() -> None:
    """Run everything that has not been run, and write the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="DIR", help="what build.py wrote")
    parser.add_argument("out", type=Path, metavar="OUT", help="draws, predictions and results of every task")
    parser.add_argument("--tasks", nargs="+", default=["dev"], help="dev, confirm, or names of tasks (default: dev)")
    parser.add_argument("--peers", nargs="+", choices=list(PEERS), default=list(PEERS), metavar="NAME")
    parser.add_argument(
        "--limit", type=float, default=600.0, help="seconds of one core for a peer on a task (default: 600)"
    )
    parser.add_argument("--program", type=Path, default=PROGRAM, help="(default: target/release/cwplugin)")
    parser.add_argument("--results", type=Path, default=RESULTS, help="(default: peers.json beside this file)")
    options = parser.parse_args()
    names = [name for one in options.tasks for name in HALVES.get(one, [one])]
    tasks = [run_task(task, options) for task in names if (options.folder / f"{task}.parquet").exists()]
    facts = {
        "versions": {package: version(package) for package in PACKAGES},
        "metrics": METRICS, "sizes": SIZES, "repeats": REPEATS, "unlabelled": UNLABELLED, "limit": options.limit,
        "halves": {half: [task["task"] for task in tasks if task["task"] in known] for half, known in HALVES.items()},
        "ours": OURS, "peers": list(options.peers),
    }  # fmt: skip
    lines = ",\n".join("    " + json.dumps(task) for task in tasks)
    body = json.dumps(facts, indent=2)[:-2] + ',\n  "tasks": [\n' + lines + "\n  ]\n}\n"
    options.results.write_text(body, encoding="utf-8")
    print(f"{len(tasks)} of {len(names)} tasks; {options.results.name} written")


if __name__ == "__main__":
    main()
