"""The program under test, as other processes see it."""

import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("CWPLUGIN", str(ROOT / "target" / "release" / "cwplugin"))
# Measures in memory, in one process; not shipped.
LAB = os.environ.get("CWPLUGIN_LAB", str(ROOT / "target" / "release" / "lab"))
STEP = "0.01"
# Algorithm 1 as the peers run it: a grid, the last class fixed, the first best alpha.
AS_PUBLISHED = ("--metric", "macro-f1", "--search", f"grid:{STEP}", "--reference", "last", "--ties", "first")
MEASURE = (sys.executable, "-I", "-S", str(ROOT / "benches" / "measure.py"))
ONE_RUN_IS_ENOUGH = 20.0  # seconds


class Failed(Exception):
    """A command that did not end well, with the first line of what it said."""


def check_program() -> None:
    """Refuse to start without the program: every figure is a ratio to it."""
    check(PROGRAM, "CWPLUGIN")


def check_lab() -> None:
    """Refuse to start without the laboratory, which measures in memory."""
    check(LAB, "CWPLUGIN_LAB")


def check(program: str, variable: str) -> None:
    """Refuse to start if a program cannot be run."""
    try:
        output(program, "--version")
    except (OSError, Failed) as error:
        sys.exit(f"cannot run {program}: {error}\n  hint: `make bench-peers` builds it; {variable} names another one")


def version() -> str:
    """What the program calls itself."""
    return output(PROGRAM, "--version").strip()


def bench(*what: str, threads: int) -> dict[str, Any]:
    """Medians of `lab bench`: in one process, on data in memory."""
    return json.loads(output(LAB, "bench", *what, "--step", STEP, "--threads", str(threads), "--json"))


def ascent(sample: Path, threads: int) -> dict[str, Any]:
    """Seconds of `--method ascent`, scores and all: in one process, on data in memory."""
    what = ("--data", str(sample), "--fits", "--method", "ascent", "--repeats", "3")
    return json.loads(output(LAB, "bench", *what, "--threads", str(threads), "--json"))


def decode(table: Path) -> dict[str, Any]:
    """Seconds to turn a file into numbers, and nothing else."""
    return json.loads(output(LAB, "bench", "--data", str(table), "--decode", "--json"))


def fit(sample: Path) -> dict[str, Any]:
    """The model that the program learns as published."""
    return json.loads(output(PROGRAM, "fit", str(sample), *AS_PUBLISHED, "--json", "--quiet"))


def output(*command: str) -> str:
    """Standard output of a command, or its complaint."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failed(complaint(done.stderr))
    return done.stdout


def measure(*command: str, runs: int) -> dict[str, float]:
    """Medians of wall time, processor time and peak memory of a command as a process of its own."""
    measured: list[dict[str, float]] = []
    while len(measured) < runs:
        measured.append(json.loads(output(*MEASURE, *command)))
        if measured[-1]["wall"] > ONE_RUN_IS_ENOUGH:
            break
    figures = {key: median(one[key] for one in measured) for key in ("wall", "cpu", "peak")}
    return {**figures, "runs": len(measured)}


def complaint(stderr: str) -> str:
    """The first line that a command wrote to standard error."""
    return next((line for line in stderr.splitlines() if line.strip()), "no message")
