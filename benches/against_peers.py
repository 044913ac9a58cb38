"""The same samples through every peer and through `cwplugin`: the same alphas, and how long each took."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import ours
from data import write_npz
from run_peer import ONE_RUN_IS_ENOUGH

PEERS = ("sklearn-loop", "numpy-loop", "numpy-bins", "cutoffs", "cutoffs-ascent", "nelder-mead")
PEERS_OF_TWO_CLASSES = ("tuned-threshold", "numpy-bins")
LIMIT = 60.0  # seconds that one run may take
PATIENCE = 30.0  # seconds for starting, warming up and reading
RUN_PEER = (sys.executable, str(ours.ROOT / "benches" / "run_peer.py"))
ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")}

Cells = dict[str, dict[str, Any]]  # by number of rows: JSON has no integer keys


class DifferentAlphas(Exception):
    """Two programs disagree on the same data, so comparing their times would mean nothing."""


def measure(sizes: Sequence[int], classes: int, runs: int, folder: Path) -> dict[str, Any]:
    """Time all peers at `classes` classes, and those of two classes at two."""
    return {
        "sizes": list(sizes),
        "classes": classes,
        "many": table(PEERS, sizes, classes, runs, folder),
        "two": table(PEERS_OF_TWO_CLASSES, sizes, 2, runs, folder),
    }


def table(peers: Sequence[str], sizes: Sequence[int], classes: int, runs: int, folder: Path) -> dict[str, Cells]:
    """One row per program, one cell per number of rows. A peer over the limit is not tried on more rows."""
    own = ("ours-grid-1", "ours-grid-2", "ours-exact-1", "ours-ascent-1", "ours-ascent-2")
    rows: dict[str, Cells] = {name: {} for name in (*own, *peers)}
    for n in sizes:
        sample = sample_of(n, classes, folder)
        model = ours.fit(sample)
        for threads in (1, 2):
            timed = ours.bench("--data", str(sample), threads=threads)
            rows[f"ours-grid-{threads}"][str(n)] = {
                "wall": timed["seconds"]["grid"],
                "runs": timed["repeats"],
                "score": model["fit"]["score"]["fitted"],
            }
            climbed = ours.ascent(sample, threads)
            rows[f"ours-ascent-{threads}"][str(n)] = {
                "wall": climbed["seconds"]["ascent"],
                "runs": climbed["repeats"],
            }
            if threads == 1:
                rows["ours-exact-1"][str(n)] = {"wall": timed["seconds"]["exact"], "runs": timed["repeats"]}
        alphas = [pair["alpha"] for pair in model["fit"]["pairs"]]
        for peer in peers:
            if any(cell["wall"] is None for cell in rows[peer].values()):
                cell = {"wall": None, "why": f"over {LIMIT:.0f} s with fewer rows already"}
            else:
                cell = run(peer, sample, runs)
            found = cell.pop("alphas", None)
            if found is not None and found != alphas:
                raise DifferentAlphas(f"{n} rows, {classes} classes: cwplugin {alphas}, {peer} {found}")
            rows[peer][str(n)] = cell
            print(f"  {classes} classes, {n:,} rows, {peer}: {cell['wall']}", flush=True)
    return rows


def run(peer: str, sample: Path, runs: int) -> dict[str, Any]:
    """One peer on one sample, in a process of its own and on one thread, killed if it takes too long."""
    try:
        done = subprocess.run(
            [*RUN_PEER, peer, str(sample), "--runs", str(runs)],
            env={**os.environ, **ONE_THREAD},
            stdout=subprocess.PIPE,
            text=True,
            timeout=max(LIMIT, runs * ONE_RUN_IS_ENOUGH) + PATIENCE,
            check=True,
        )
    except subprocess.TimeoutExpired:
        return {"wall": None, "why": f"one run takes over {LIMIT:.0f} s"}
    cell = json.loads(done.stdout)
    if cell["wall"] > LIMIT:
        return {"wall": None, "why": f"one run takes over {LIMIT:.0f} s"}
    return cell


def sample_of(rows: int, classes: int, folder: Path) -> Path:
    """The sample of this size, made when it is first asked for."""
    path = folder / f"{rows}x{classes}.npz"
    if not path.exists():
        write_npz(path, rows, classes)
    return path
