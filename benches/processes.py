"""Whole commands as processes, against what people would run instead; the answers must be equal."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet

import ours
from data import SEED, Labels, Probabilities, draw, write_npz

CLASSES = 10
DECIMALS = 6  # in the CSV: more than vendors send
FEW_ROWS = 100
START_RUNS = 21
PEER = (sys.executable, str(ours.ROOT / "benches" / "peer_tables.py"))
FIT_PEERS = {"npy": "numpy", "npz": "numpy", "parquet": "pandas", "csv": "pandas"}
TABLES = ("csv", "parquet", "arrow")
TABLE_PEERS = ("duckdb", "polars")
COMMANDS = ("apply", "eval")


class DifferentAnswers(Exception):
    """Two programs disagree on the same file, so comparing their times would mean nothing."""


def measure(rows: int, sizes: Sequence[int], runs: int, folder: Path) -> dict[str, Any]:
    """Start-up, fits of every format, and `apply` and `eval` on tables."""
    npz = {n: folder / f"{n}.npz" for n in sorted({FEW_ROWS, *sizes})}
    for n, path in npz.items():
        write_npz(path, n, CLASSES)
    started = {
        "version": in_turn({"ours": (ours.PROGRAM, "--version")}, START_RUNS)["ours"],
        "fit": in_turn({"ours": fit_command(npz[FEW_ROWS])}, START_RUNS)["ours"],
    }
    small = {str(n): by_size(npz[n], runs) for n in sizes}
    files = write(rows, folder)
    return {
        "rows": rows,
        "few_rows": FEW_ROWS,
        "sizes": list(sizes),
        "start": started,
        "npz": {name: {n: cells[name] for n, cells in small.items()} for name in small[str(sizes[0])]},
        "fit": {name: fits(files[name], peer, runs) for name, peer in FIT_PEERS.items()},
        **tables(files, runs, folder),
    }


def fit_command(path: Path, *more: str) -> tuple[str, ...]:
    """Algorithm 1 as the peers run it; the labels of an NPY file are beside it."""
    labels = ("--label", str(path.with_suffix(".label.npy"))) if path.suffix == ".npy" else ()
    return ours.PROGRAM, "fit", str(path), *labels, *ours.AS_PUBLISHED, "--quiet", *more


def by_size(path: Path, runs: int) -> dict[str, Any]:
    """The same fit on one and on two threads, and with numpy."""
    own = {f"ours-grid-{threads}": fit_command(path, "--threads", str(threads)) for threads in (1, 2)}
    return in_turn({**own, "numpy-bins": (*PEER, "fit", "numpy", str(path))}, runs)


def fits(path: Path, peer: str, runs: int) -> dict[str, Any]:
    """A fit of one file, with the program and with the peer."""
    theirs = (*PEER, "fit", peer, str(path))
    pairs = json.loads(ours.output(*fit_command(path), "--json"))["fit"]["pairs"]
    check(path.name, [pair["alpha"] for pair in pairs], json.loads(ours.output(*theirs))["alphas"])
    return {"peer": peer, **in_turn({"ours": fit_command(path), "theirs": theirs}, runs)}


def tables(files: dict[str, Path], runs: int, folder: Path) -> dict[str, Any]:
    """`apply` and `eval` on every table, with the program and with both peers."""
    model = folder / "model.json"
    ours.output(*fit_command(files["parquet"]), "--output", str(model))
    measured: dict[str, Any] = {command: {} for command in COMMANDS}
    for name in TABLES:
        path = str(files[name])
        out = {who: folder / f"out-{who}.{name}" for who in ("ours", *TABLE_PEERS)}
        # All metrics, with as few resamples as there can be: the peers have none.
        evaluate = (ours.PROGRAM, "eval", str(model), path, "--resamples", "1", "--quiet")
        commands = {
            "apply": {"ours": (ours.PROGRAM, "apply", str(model), path, "--output", str(out["ours"]), "--quiet")},
            "eval": {"ours": evaluate},
        }
        for peer in TABLE_PEERS:
            commands["apply"][peer] = (*PEER, "apply", peer, path, str(model), str(out[peer]))
            commands["eval"][peer] = (*PEER, "eval", peer, path, str(model))
        for command in commands["apply"].values():
            ours.output(*command)
        confusion = json.loads(ours.output(*evaluate, "--json"))["confusion"]
        for peer in TABLE_PEERS:
            check(f"{name}: apply, {peer}", predictions(out["ours"]), predictions(out[peer]))
            check(f"{name}: eval, {peer}", confusion, json.loads(ours.output(*commands["eval"][peer])))
        for command in COMMANDS:
            measured[command][name] = in_turn(commands[command], runs)
        for path_out in out.values():
            path_out.unlink()
    return measured


def in_turn(commands: dict[str, tuple[str, ...]], runs: int) -> dict[str, Any]:
    """Medians of every command; they take turns, so that what slows the machine down slows all of them."""
    found: dict[str, list[dict[str, float]]] = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            found[name].append(ours.measure(*command, runs=1))
    figures = {
        name: {key: median(one[key] for one in cells) for key in ("wall", "cpu", "peak")}
        for name, cells in found.items()
    }
    for name, command in commands.items():
        walls = f"{1e3 * figures[name]['wall']:.1f} ms"
        print(f"  {name}: {' '.join(Path(word).name for word in command[:5])} …: {walls}", flush=True)
    return {name: {**cell, "runs": runs} for name, cell in figures.items()}


def check(what: str, answer: object, other: object) -> None:
    """Refuse answers that differ."""
    if answer != other:
        raise DifferentAnswers(f"{what}: cwplugin {str(answer)[:200]}, the other {str(other)[:200]}")


def predictions(path: Path) -> list[str]:
    """The predictions of a written table."""
    read = {".csv": pa.csv.read_csv, ".parquet": pa.parquet.read_table, ".arrow": pa.feather.read_table}
    return read[path.suffix](path)["prediction"].cast(pa.string()).to_pylist()


def write(rows: int, folder: Path) -> dict[str, Path]:
    """The same rows in every format."""
    print(f"  writing {rows:,} rows", flush=True)
    probabilities, labels = draw(np.random.default_rng(SEED), rows, CLASSES)
    files = {name: folder / f"rows.{name}" for name in ("npy", "npz", *TABLES)}
    np.savez(files["npz"], probabilities=probabilities, label=labels)
    np.save(files["npy"], probabilities)
    np.save(files["npy"].with_suffix(".label.npy"), labels)
    table = table_of(probabilities, labels)
    pa.parquet.write_table(table, files["parquet"], compression="zstd", use_dictionary=["label"])
    pa.feather.write_feather(table, str(files["arrow"]), compression="uncompressed")
    pa.csv.write_csv(table_of(probabilities.round(DECIMALS), labels), files["csv"])
    return files


def table_of(probabilities: Probabilities, labels: Labels) -> pa.Table:
    """A column of labels and one for each class."""
    columns = {f"p_{k}": column for k, column in enumerate(np.ascontiguousarray(probabilities.T))}
    return pa.table({"label": labels, **columns})
