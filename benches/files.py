"""Large files through the whole program: time, memory, and how much of it is decoding."""

import shutil
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

import ours
from data import SEED, draw

CLASSES = 10
ROW_GROUP = 1_000_000
DECIMALS = 6  # in the CSV: more than vendors send
BYTES_PER_ROW = 250  # of the largest table and what `apply` makes of it, with room to spare
FORMATS = {"csv": pa.float64(), "parquet-f64": pa.float64(), "parquet-f32": pa.float32()}


def measure(rows: int, runs: int, folder: Path) -> dict[str, Any]:
    """Write the tables, run every command on each; without the room for them, say so and measure nothing."""
    free = shutil.disk_usage(folder).free
    if free < rows * BYTES_PER_ROW:
        why = f"{rows:,} rows need {rows * BYTES_PER_ROW / 1e9:.0f} GB of disk, {free / 1e9:.0f} GB are free"
        print(f"  skipped: {why}", flush=True)
        return {"rows": rows, "skipped": why}
    tables = {}
    for name, dtype in FORMATS.items():
        path = folder / f"{name}.{name.partition('-')[0]}"
        write(path, rows, dtype)
        tables[name] = {"bytes": path.stat().st_size, **commands(path, runs, folder)}
        path.unlink()
    return {"rows": rows, "classes": CLASSES, "tables": tables}


def commands(table: Path, runs: int, folder: Path) -> dict[str, Any]:
    """Every command that reads a whole table, as a process; a command that fails is kept with its message."""
    model, out = str(folder / "model.json"), str(folder / "out.parquet")
    search = ("--search", f"grid:{ours.STEP}")
    lines = {
        "fit": ("fit", str(table), *search, "--output", model),
        "stats": ("stats", str(table), "--output", str(folder / "stats.json")),
        "apply": ("apply", model, str(table), "--output", out),
        "eval": ("eval", model, str(table)),
    }
    tasks = {name: partial(ours.measure, ours.PROGRAM, *line, "--quiet", runs=runs) for name, line in lines.items()}
    tasks["decode"] = lambda: {"wall": ours.decode(table)["seconds"]["decode"]}
    measured: dict[str, Any] = {}
    for name, task in tasks.items():
        print(f"  {table.name}: {name}", flush=True)
        try:
            measured[name] = task()
        except ours.Failed as error:
            measured[name] = {"failed": str(error).replace(f"{folder}/", "")}
    Path(out).unlink(missing_ok=True)
    return {"commands": measured}


def write(path: Path, rows: int, dtype: pa.DataType) -> None:
    """Write the table in row groups, so that this process never holds all of it."""
    print(f"  writing {path.name}", flush=True)
    rng = np.random.default_rng(SEED)
    columns = [f"p_{k}" for k in range(CLASSES)]
    schema = pa.schema([("label", pa.string()), *((name, dtype) for name in columns)])
    text = path.suffix == ".csv"
    if text:
        writer = pa.csv.CSVWriter(path, schema)
    else:
        # Probabilities hardly ever repeat; a dictionary of them would only cost time.
        writer = pa.parquet.ParquetWriter(path, schema, compression="zstd", use_dictionary=["label"])
    with writer:
        for start in range(0, rows, ROW_GROUP):
            probabilities, labels = draw(rng, min(ROW_GROUP, rows - start), CLASSES)
            if text:
                probabilities = probabilities.round(DECIMALS)
            names = pa.array(labels).cast(pa.string())
            values = [pa.array(column).cast(dtype) for column in np.ascontiguousarray(probabilities.T)]
            writer.write_table(pa.Table.from_arrays([names, *values], schema=schema))
