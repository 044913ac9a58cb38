"""Calibration: the same rows through `cwplugin` and through what people use today.

    python benches/calibrators.py sklearn-dirichlet sample.npz    one peer, alone in its process, as JSON

netcal brings a deep-learning framework, so it has an environment of its own, which `make bench-netcal` builds; without it
its lines are left out.
"""

import argparse
import json
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_softmax
from sklearn.linear_model import LogisticRegression

import ours
from data import Labels, Probabilities, read_npz, write_npz

NETCAL_PYTHON = ours.ROOT / "target" / "venv-netcal" / "bin" / "python"
RUNS = 5
CLIP = np.finfo(float).eps
# Which of our methods does the same.
PEERS = {
    "netcal-temperature": "temperature",
    "scipy-vector": "vector",
    "netcal-vector": "vector",
    "sklearn-dirichlet": "dirichlet-full",
}


def scipy_vector(probabilities: Probabilities, labels: Labels) -> None:
    """Vector scaling as one would write it: L-BFGS with the gradient in numpy."""
    x = np.log(probabilities.clip(CLIP))
    n, m = x.shape
    truth = np.eye(m)[labels]

    def loss(theta: np.ndarray) -> tuple[float, np.ndarray]:
        logs = log_softmax(x * theta[:m] + theta[m:], axis=1)
        residual = (np.exp(logs) - truth) / n
        return -(logs * truth).sum() / n, np.concatenate([(residual * x).sum(axis=0), residual.sum(axis=0)])

    minimize(loss, np.concatenate([np.ones(m), np.zeros(m)]), jac=True, method="L-BFGS-B", options={"maxiter": 1000})


def sklearn_dirichlet(probabilities: Probabilities, labels: Labels) -> None:
    """One full Dirichlet map is multinomial logistic regression on log-probabilities; ours fits 25, one per penalty."""
    LogisticRegression(C=1.0, max_iter=1000).fit(np.log(probabilities.clip(CLIP)), labels)


def netcal_temperature(probabilities: Probabilities, labels: Labels) -> None:
    """netcal's temperature scaling, with its defaults."""
    from netcal.scaling import TemperatureScaling

    TemperatureScaling().fit(probabilities, labels)


def netcal_vector(probabilities: Probabilities, labels: Labels) -> None:
    """netcal's vector scaling, which it calls a logistic calibration, with its defaults."""
    from netcal.scaling import LogisticCalibration

    LogisticCalibration().fit(probabilities, labels)


FITS: dict[str, Callable[[Probabilities, Labels], None]] = {
    "netcal-temperature": netcal_temperature,
    "scipy-vector": scipy_vector,
    "netcal-vector": netcal_vector,
    "sklearn-dirichlet": sklearn_dirichlet,
}


def measure(rows: int, classes: int, folder: Path) -> dict[str, Any]:
    """Medians of ours on one and two threads, of every peer, and the peak memory of the largest fit."""
    sample = folder / f"{rows}x{classes}.npz"
    write_npz(sample, rows, classes)
    threads = {str(n): ours.bench("--fits", "--data", str(sample), threads=n)["seconds"] for n in (1, 2)}
    whole = ours.measure(ours.PROGRAM, "fit", str(sample), "--method", "dirichlet-full", "--quiet", runs=3)
    peers = {}
    for name in PEERS:
        python = str(NETCAL_PYTHON) if name.startswith("netcal") else sys.executable
        if Path(python).exists():
            peers[name] = json.loads(ours.output(python, str(Path(__file__).resolve()), name, str(sample)))
            print(f"  {name}: {peers[name]['cpu']}", flush=True)
    return {"rows": rows, "classes": classes, "ours": threads, "peers": peers, "peak": whole["peak"]}


def main() -> None:
    """Time one peer."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("peer", choices=FITS)
    parser.add_argument("sample", type=Path)
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    probabilities, labels = read_npz(args.sample)
    fit = FITS[args.peer]
    fit(probabilities[:200], labels[:200])  # imports, compiles
    wall, cpu = [], []
    for _ in range(RUNS):
        start = time.perf_counter(), time.process_time()
        fit(probabilities, labels)
        wall.append(time.perf_counter() - start[0])
        cpu.append(time.process_time() - start[1])
    sys.__stdout__.write(json.dumps({"wall": median(wall), "cpu": median(cpu), "runs": RUNS}) + "\n")


if __name__ == "__main__":
    main()
