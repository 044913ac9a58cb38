"""Fine-tune a language model on the texts of S, on the draws of `lab experiment`, and let the library score it.

    CWPLUGIN_DATA=DIR python experiments/finetune.py [--tasks lmtweets] [--cells 160-0] [--score]

`make finetune` installs what it needs and runs all. DIR has the prediction files, and TASK.text.parquet with the texts
in the same order. The predictions for the test rows of a draw go to finetune/TASK.jsonl as soon as they are there, as
class indices, and a later run skips this draw. At the end `cwplugin compare --external` scores all, and finetune.json
is written, which docs/results.md is made from. --score does only that; it needs neither texts nor torch.
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PROGRAM = HERE.parent / "target" / "release" / "cwplugin"
PREDICTIONS, RESULTS = HERE / "finetune", HERE / "finetune.json"
TASKS = ["lmtweets", "lmemotions"]
SIZES, LARGE, REPEATS = [50, 100, 160, 250, 400], 800, 3
METRICS = ["accuracy", "macro-f1", "macro-g-mean", "mcc", "macro-fowlkes-mallows"]
METHOD, WITNESS = "finetune", "cwplugin:published"


def epochs_of(size: int) -> int:
    """30 epochs for small S. A large S gets fewer, as an epoch has more steps: 50 rows make 150 steps, 800 make 640."""
    return min(30, max(8, 5000 // size))


def order() -> list[tuple[int, int]]:
    """Sizes and repeats, useful results first: one draw of every size, then further draws, the largest size last."""
    first = [(size, 0) for size in [*SIZES, LARGE]]
    more = [(size, repeat) for repeat in range(1, REPEATS) for size in SIZES]
    return first + more + [(LARGE, repeat) for repeat in range(1, REPEATS)]


def compare(options: argparse.Namespace, task: str, sizes: list[int], repeats: int, *flags: str) -> str:
    """Run the program with the protocol of `lab experiment`: its default seed, and its number of unlabelled rows."""
    command = [str(options.program), "compare", str(options.folder / f"{task}.parquet"), "--test-column", "split=test"]
    command += [f"--metrics={','.join(METRICS)}", f"--sizes={','.join(map(str, sizes))}", f"--repeats={repeats}"]
    return subprocess.run([*command, "--quiet", *flags], stdout=subprocess.PIPE, check=True, text=True).stdout


def read_draws(options: argparse.Namespace, task: str) -> dict[str, Any]:
    """The rows of every S and the test rows, from the program: there is no second sampler."""
    text = compare(options, task, [*SIZES, LARGE], REPEATS, "--methods=clean", "--draws-out=-")
    found: dict[str, Any] = json.loads(text[text.index('{\n"format"') :])
    return found


def stored(task: str) -> list[dict[str, Any]]:
    """The predictions so far."""
    file = PREDICTIONS / f"{task}.jsonl"
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


def store(task: str, entries: list[dict[str, Any]]) -> None:
    """Replace the file at once, so that a run that is stopped leaves the old or the new one."""
    PREDICTIONS.mkdir(exist_ok=True)
    file = PREDICTIONS / f"{task}.jsonl"
    entries.sort(key=lambda entry: (entry["method"], entry["size"], entry["repeat"]))
    part = file.with_suffix(".part")
    part.write_text("".join(f"{json.dumps(entry)}\n" for entry in entries), encoding="utf-8")
    part.replace(file)


def left_to_do(options: argparse.Namespace, method: str, draws: dict[str, dict[str, Any]]) -> list[tuple[str, Any]]:
    """Tasks and draws without predictions, in order."""
    done = {(task, entry["method"], entry["draw"]) for task in options.tasks for entry in stored(task)}
    of = {(task, d["size"], d["repeat"]): d for task, found in draws.items() for d in found["draws"]}
    left = [(task, of[task, size, repeat]) for size, repeat in order() for task in options.tasks]
    if options.cells:
        left = [(task, draw) for task, draw in left if f"{draw['size']}-{draw['repeat']}" in options.cells]
    return [(task, draw) for task, draw in left if options.trial or (task, method, draw["id"]) not in done]


def predict(options: argparse.Namespace) -> None:
    """Fine-tune on every draw that has no predictions yet."""
    import numpy as np
    import pyarrow.parquet as pq
    import torch

    from finetune_model import Settings, Texts, fit, logits, macro_f1

    torch.set_num_threads(options.threads)
    method = METHOD if options.times == 1 else f"{METHOD}:x{options.times}"
    draws = {task: read_draws(options, task) for task in options.tasks}
    rows = {}
    for task in options.tasks:
        table = pq.read_table(options.folder / f"{task}.text.parquet", columns=["text", "label"])
        rows[task] = Texts(table["text"].to_pylist()), np.array(table["label"].to_pylist())
    left = left_to_do(options, method, draws)
    # A row of the test costs about a quarter of a row of an epoch, as it needs no gradient and shares its batch.
    cost = [draw["size"] * options.times * epochs_of(draw["size"]) + len(draws[t]["test"]) // 4 for t, draw in left]
    start, spent = time.monotonic(), 0
    for index, (task, draw) in enumerate(left):
        texts, labels = rows[task]
        classes, chosen = draws[task]["classes"], np.array(draw["labelled"])
        if list(labels[chosen]) != draw["labels"]:
            raise SystemExit(f"{task}.text.parquet: its rows are not those of {task}.parquet")
        y = np.array([classes.index(label) for label in labels])
        settings = Settings(options.times * epochs_of(draw["size"]), options.rate, hold_out=options.hold_out)
        seed = int(hashlib.sha256(draw["id"].encode()).hexdigest()[:8], 16)  # not the number of the run: it may restart
        name = f"{task} {draw['size']}-{draw['repeat']}"
        fitted = fit(texts, chosen, y[chosen], len(classes), settings, seed, name)
        if options.trial:
            used = set(draws[task]["test"]).union(*(one["labelled"] for one in draws[task]["draws"]))
            others = np.array([row for row in range(len(labels)) if row not in used])
            others = np.random.default_rng(0).permutation(others)[: options.trial]
            found = logits(fitted.model, texts, others).argmax(dim=1).numpy()
            scores = f"accuracy {(found == y[others]).mean():.4f}, macro-F1 {macro_f1(y[others], found):.4f}"
            print(f"{name}: {settings}, epoch {fitted.epoch}: {scores} on {len(others)} other rows", flush=True)
            continue
        found = logits(fitted.model, texts, np.array(draws[task]["test"])).argmax(dim=1).tolist()
        entry = {"method": method, "draw": draw["id"], "size": draw["size"], "repeat": draw["repeat"]}
        entry |= {"epochs": settings.epochs, "epoch": fitted.epoch, "cpu_seconds": round(fitted.seconds, 1)}
        store(task, [*stored(task), entry | {"predictions": "".join(map(str, found))}])
        spent += cost[index]
        rest = (time.monotonic() - start) / spent * (sum(cost) - spent) / 60
        print(f"{name}: stored; {len(left) - index - 1} draws and {rest:.0f} min left", file=sys.stderr, flush=True)


def score(options: argparse.Namespace, task: str) -> list[dict[str, Any]]:
    """Cells of every size that has draws 0 to n − 1, from the library."""
    classes, cells = read_draws(options, task)["classes"], []
    known = json.loads((HERE / "results" / f"{task}.json").read_text(encoding="utf-8"))["cells"]
    groups: dict[tuple[str, int], dict[int, dict[str, Any]]] = {}
    for entry in stored(task):
        groups.setdefault((entry["method"], entry["size"]), {})[entry["repeat"]] = entry
    for (method, size), found in sorted(groups.items()):
        repeats = next(n for n in range(len(found) + 1) if n not in found)
        if repeats == 0:
            continue
        lines = []
        for repeat in range(repeats):
            predictions = [classes[int(digit)] for digit in found[repeat]["predictions"]]
            lines.append(json.dumps({"method": method, "draw": found[repeat]["draw"], "predictions": predictions}))
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "predictions.jsonl"
            file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
            flags = [f"--methods={WITNESS}", f"--external={file}", "--json"]
            scored = json.loads(compare(options, task, [size], repeats, *flags))["cells"]
        for cell in scored:
            if cell["method"] == method:
                cells.append({key: cell[key] for key in ("method", "metric", "size", "mean", "sd", "runs", "scores")})
                continue
            same = next(c for c in known if all(c[k] == cell[k] for k in ("method", "metric", "size")))
            if cell["scores"] != same["scores"][:repeats]:  # other draws, or results of another version
                raise SystemExit(f"{task}, {size} rows: {WITNESS} is not that of results/{task}.json; run it again")
    return cells


def main() -> None:
    """Predict what is missing, then score all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", nargs="+", choices=TASKS, default=TASKS)
    parser.add_argument("--cells", nargs="+", metavar="SIZE-REPEAT", help="only these draws (default: all)")
    parser.add_argument("--times", type=int, default=1, help="more epochs, by this factor, as method finetune:xFACTOR")
    parser.add_argument("--trial", type=int, default=0, metavar="ROWS", help="score this many pool rows instead")
    parser.add_argument("--rate", type=float, default=1e-4, help="learning rate, for --trial (default: 1e-4)")
    parser.add_argument("--hold-out", type=int, default=0, help="one row of S in so many, for --trial (default: 0)")
    parser.add_argument("--score", action="store_true", help="only score the predictions that are there")
    parser.add_argument("--predict", action="store_true", help="only predict; for runs of one task each, side by side")
    parser.add_argument("--threads", type=int, default=1, help="(default: 1)")
    parser.add_argument("--program", type=Path, default=PROGRAM, help="(default: target/release/cwplugin)")
    options = parser.parse_args()
    if "CWPLUGIN_DATA" not in os.environ:
        parser.error("CWPLUGIN_DATA must name the folder of the prediction files; experiments/README.md says more")
    if not options.trial and (options.rate, options.hold_out) != (1e-4, 0):
        parser.error("--rate and --hold-out need --trial: the stored predictions are all of the same settings")
    options.folder = Path(os.environ["CWPLUGIN_DATA"])
    if not options.score:
        predict(options)
    if options.predict or options.trial:
        return
    tasks = []
    for task in TASKS:
        draws = [{k: v for k, v in entry.items() if k not in ("draw", "predictions")} for entry in stored(task)]
        tasks.append({"task": task, "draws": draws, "cells": score(options, task)})
    body = json.dumps({"metrics": METRICS, "sizes": [*SIZES, LARGE], "repeats": REPEATS})[:-1] + ', "tasks": [\n'
    for task in tasks:
        lists = [f'"{key}": [\n' + ",\n".join(map(json.dumps, task[key])) + "\n]" for key in ("draws", "cells")]
        body += f'{{"task": "{task["task"]}", ' + ", ".join(lists) + ("}\n" if task is tasks[-1] else "},\n")
    RESULTS.write_text(body + "]}\n", encoding="utf-8")
    print(f"{sum(len(task['draws']) for task in tasks)} draws; {RESULTS.name} written")


if __name__ == "__main__":
    main()
