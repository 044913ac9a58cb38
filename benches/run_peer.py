"""Run one peer on one sample, alone in its process, and print its times as JSON.

A process of its own keeps a slow peer from delaying the rest (it can be killed), and one peer's imports, compiled code
and memory out of the times of another.

    python benches/run_peer.py numpy-bins sample.npz
"""

import argparse
import importlib
import json
import time
import warnings
from pathlib import Path
from statistics import median

import numpy as np

from data import read_npz
from peer_numpy import macro_f1

STEPS = 100
PEERS = {
    "sklearn-loop": ("peer_sklearn", "algorithm1"),
    "numpy-loop": ("peer_numpy", "loop_over_alphas"),
    "numpy-bins": ("peer_numpy", "bins"),
    "cutoffs": ("peer_cutoffs", "default"),
    "cutoffs-ascent": ("peer_cutoffs", "coordinate_ascent"),
    "nelder-mead": ("peer_scipy", "nelder_mead"),
    "tuned-threshold": ("peer_sklearn", "tuned_threshold"),
}
WARM_UP_ROWS, WARM_UP_STEPS = 1_000, 2  # enough to import and to compile
ONE_RUN_IS_ENOUGH = 20.0  # seconds
MANY_RUNS = 25
LONG_ENOUGH = 1.0  # seconds in all; below it, more runs than asked for give a steadier median


def main() -> None:
    """Read the sample, run the peer, print what it took and what it found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("peer", choices=PEERS)
    parser.add_argument("sample", type=Path)
    parser.add_argument("--runs", type=int, default=3, help="time at least this many runs [default: %(default)s]")
    args = parser.parse_args()
    module, function = PEERS[args.peer]
    fit = getattr(importlib.import_module(module), function)
    probabilities, labels = read_npz(args.sample)

    warnings.simplefilter("ignore")  # of libraries about themselves; they would be printed once per run
    fit(probabilities[:WARM_UP_ROWS], labels[:WARM_UP_ROWS], WARM_UP_STEPS)
    wall: list[float] = []
    cpu: list[float] = []
    while len(wall) < args.runs or (1 < args.runs and sum(wall) < LONG_ENOUGH and len(wall) < MANY_RUNS):
        wall_start, cpu_start = time.perf_counter(), time.process_time()
        fitted = fit(probabilities, labels, STEPS)
        wall.append(time.perf_counter() - wall_start)
        cpu.append(time.process_time() - cpu_start)
        if wall[-1] > ONE_RUN_IS_ENOUGH:
            break
    m = probabilities.shape[1]
    confusion = np.bincount(labels * m + fitted.predict(probabilities), minlength=m * m).reshape(m, m)
    found = {"alphas": fitted.alphas, "score": macro_f1(confusion), "peak": peak()}
    print(json.dumps({"wall": median(wall), "cpu": median(cpu), "runs": len(wall), **found}))


def peak() -> int:
    """The largest resident memory, in bytes. That of `getrusage` would begin with the memory of the parent process."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * int(next(line for line in lines if line.startswith("VmHWM:")).split()[1])


if __name__ == "__main__":
    main()
