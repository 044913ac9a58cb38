"""Fits on Spark and with the program on the same rows, and the figures of docs/scale.md.

    python benches/spark.py [--quick] [--largest ROWS] [--keep DIR]

`make bench-spark` builds both with optimisation and runs this. All weights have to be the same bits. A `--quick` run
prints the tables and writes nothing; spark_page.py writes the page from the figures that were kept.
"""

import argparse
import json
import os
import platform
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import environment
import ours
import spark_page
import spark_rows

WORKERS = (1, 2)
SIZES = (1_000_000, 10_000_000, 100_000_000)
JOBS = Path(__file__).with_name("spark_jobs.py")
# The fit of `cwplugin.spark.fit(bins=1000)`.
FIT = ("--method", "cwplugin", "--search", "grid:0.001", "--reference", f"class:{spark_rows.REFERENCE}")


def runs_of(rows: int) -> int:
    """How often a size is measured: what takes minutes differs little from run to run, and so few rows are for trying."""
    return 1 if rows >= SIZES[-1] or rows < SIZES[0] else 3


def main() -> None:
    """Measure every size that there is room for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="20,000 rows, one run, and no page")
    parser.add_argument("--largest", type=float, default=SIZES[-1], metavar="ROWS", help="leave out larger sizes")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="write the rows here, and keep them")
    arguments = parser.parse_args()
    ours.check_program()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))  # so that folders are removed then, too
    if arguments.quick:
        spark_rows.ROWS_PER_FILE, spark_rows.ROWS_PER_GROUP = 10_000, 5_000
    sizes = [20_000] if arguments.quick else [size for size in SIZES if size <= arguments.largest]
    results = {**about(), "sizes": [], "left_out": []}
    with place(arguments.keep) as folder:
        for rows in sizes:
            why = spark_rows.room(Path(folder), rows)
            if why is not None:
                print(f"left out: {why}", flush=True)
                results["left_out"].append(why)
                continue
            results["sizes"].append(measure(new(Path(folder) / f"{rows}-rows"), rows, runs_of(rows)))
            print("\n\n".join(make(results) for make in spark_page.BLOCKS.values()), flush=True)
    if not arguments.quick:
        spark_page.RESULTS.write_text(json.dumps(results, indent=1) + "\n")
        spark_page.PAGE.write_text(spark_page.rebuilt(results))


def place(keep: Path | None) -> AbstractContextManager[Any]:
    """Where the rows go: a folder that is removed, unless it is to be kept."""
    if keep is None:
        # A session that is told to end may still be writing.
        return tempfile.TemporaryDirectory(prefix="cwplugin-bench-", ignore_cleanup_errors=True)
    keep.mkdir(parents=True, exist_ok=True)
    return nullcontext(keep)


def new(folder: Path) -> Path:
    """A folder that is not there yet: nothing of others is overwritten."""
    if folder.exists():
        sys.exit(f"{folder} exists\n  hint: remove it, or name another folder with --keep")
    return folder


def about() -> dict[str, Any]:
    """Where the figures were taken, and with what."""
    java = subprocess.run(["java", "-version"], capture_output=True, text=True, check=True).stderr.split('"')[1]
    packages = {name: version(name) for name in ("numpy", "pyarrow")}
    versions = {
        "cwplugin": ours.version().split()[-1],
        "Spark": version("pyspark"),
        "Java": java,
        "Python": platform.python_version(),
        **packages,
    }
    return {
        "commit": environment.commit(),
        "machine": environment.machine(),
        "versions": versions,
        "classes": spark_rows.CLASSES,
    }


def measure(folder: Path, rows: int, runs: int) -> dict[str, Any]:
    """Everything at one size; stops if two models differ."""
    size: dict[str, Any] = {"rows": rows, **spark_rows.write(folder, rows), "program": {}, "spark": {}}
    models: dict[str, set[str]] = {"fit": set(), "scored": set()}
    for threads in WORKERS:
        print(f"  program, {threads} threads", flush=True)
        size["program"][str(threads)] = with_program(folder, threads, runs, models)
    for executors in WORKERS:
        print(f"  Spark, {executors} executors", flush=True)
        found = with_spark(folder, executors, runs)
        for name, model in found.pop("models").items():
            models[name].add(model)
        size["spark"][str(executors)] = found
    for name, different in models.items():
        if len(different) != 1:
            sys.exit(f"{rows:,} rows: the models of {name} differ")
    return size


def with_program(folder: Path, threads: int, runs: int, models: dict[str, set[str]]) -> dict[str, Any]:
    """Every command as a process of its own: the whole file, and the fit also file by file."""
    table, model, out = folder / spark_rows.WHOLE, folder / "model.json", folder / "out.parquet"
    more = ("--threads", str(threads), "--quiet")
    run = partial(ours.measure, ours.PROGRAM, runs=runs)

    def fit(name: str, *flags: str) -> dict[str, float]:
        found = run("fit", str(table), *FIT, *flags, *more, "--output", str(model))
        models[name].add(model.read_text())
        return found

    found = {"fit": fit("fit", "--unscored"), "scored": fit("scored")}
    found["evaluate"] = run("eval", str(model), str(table), "--metric", "macro-f1", *more)
    found["apply"] = run("apply", str(model), str(table), *more, "--output", str(out))
    out.unlink()
    found["parts"] = file_by_file(folder, model, more)
    models["fit"].add(model.read_text())
    return found


def file_by_file(folder: Path, model: Path, more: Sequence[str]) -> dict[str, float]:
    """The counters of every file, their sum, and the fit from it."""
    parts = sorted((folder / spark_rows.LARGE).iterdir())
    reference = ("--reference", f"class:{spark_rows.REFERENCE}")
    with tempfile.TemporaryDirectory(dir=folder) as kept:
        counters = [f"{kept}/{part.stem}.json" for part in parts]
        total = f"{kept}/all.json"
        commands = [
            *(("stats", str(part), *reference, "-o", one) for part, one in zip(parts, counters, strict=True)),
            ("merge", *counters, "-o", total),
            ("fit", "--stats", total, "-o", str(model)),
        ]
        steps = [ours.measure(ours.PROGRAM, *command, *more, runs=1) for command in commands]
    sums = {key: sum(step[key] for step in steps) for key in ("wall", "cpu")}
    return {**sums, "peak": max(step["peak"] for step in steps), "runs": 1}


def with_spark(folder: Path, executors: int, runs: int) -> dict[str, Any]:
    """A session in a process of its own; what it says is shown only if it fails."""
    command = [sys.executable, "-B", str(JOBS), str(executors), str(runs), str(folder)]
    # A group of its own, so that nothing of it is left behind if this process is told to end.
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as session:
        try:
            printed, complaints = session.communicate()
        except BaseException:
            os.killpg(session.pid, signal.SIGTERM)
            raise
    if session.returncode != 0:
        sys.exit(f"{complaints}\nthe session of Spark failed")
    return json.loads(printed)


if __name__ == "__main__":
    main()
