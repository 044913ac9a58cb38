"""Runs the sections of docs/scale.md: their Python, and their commands of the program.

A section is a script of its own. Its blocks of ``python`` and ``console`` run in order, in a folder with the tables of
the page; the storage of the page is that folder. ``UPDATE_DOCS=1`` writes again what the blocks print.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import warnings
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from program import PROGRAM

from cwplugin import FitWarning

PAGE = Path(__file__).resolve().parents[2] / "docs" / "scale.md"
STORAGE = "s3://team"
NAMES = ["ok", "billing", "fraud"]

_FENCED = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$\n?", re.MULTILINE | re.DOTALL)


def sections() -> dict[str, str]:
    """The text of every section with code that runs."""
    parts = re.split(r"^(?=## )", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {
        part.split("\n")[0].removeprefix("## "): part for part in parts if re.search("^```(python|console)", part, re.M)
    }


def write_tables(folder: Path) -> None:
    """The rows to fit, and later ones: a black box that is over-fond of fraud; some rows have no label."""
    for name, n, seed in (("scores", 6000, 1), ("later", 3000, 2)):
        rng = np.random.default_rng(seed)
        truth = rng.choice(3, size=n, p=[0.6, 0.3, 0.1])
        logits = rng.normal(size=(n, 3)) + 1.5 * np.eye(3)[truth] + [-0.5, 0.0, 1.0]
        P = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
        columns = {f"p_{label}": P[:, k].astype(np.float32) for k, label in enumerate(NAMES)}
        labels = [None if row % 50 == 3 else NAMES[k] for row, k in enumerate(truth)]
        table = pa.table({"id": np.arange(n), **columns, "label": labels})
        (folder / name).mkdir()
        for part in range(3):
            pq.write_table(table.slice(part * n // 3, n // 3), folder / name / f"part-{part}.parquet")


def check(name: str, folder: Path) -> None:
    """Run a section in its folder; it has to print what the page shows."""
    section = sections()[name]
    write_tables(folder)
    fences = list(_FENCED.finditer(section))
    namespace = {"__name__": "__main__"}
    fresh, done = "", 0
    for place, fence in enumerate(fences):
        if fence[1] == "console":
            fresh += section[done : fence.start(2)] + _commands(fence[2], folder)
            done = fence.end(2)
        if fence[1] != "python":
            continue
        printed = _run(fence[2].replace(STORAGE, str(folder)), namespace)
        shown = fences[place + 1] if place + 1 < len(fences) and fences[place + 1][1] == "text" else None
        assert shown is not None or not printed, f"the page does not show what this prints:\n{printed}"
        if shown is not None:
            fresh += section[done : shown.start(2)] + printed
            done = shown.end(2)
    fresh += section[done:]
    if os.environ.get("UPDATE_DOCS"):
        PAGE.write_text(PAGE.read_text(encoding="utf-8").replace(section, fresh), encoding="utf-8")
    assert sections()[name] == fresh, "the page shows something else; UPDATE_DOCS=1 writes it again"


def _run(code: str, namespace: dict) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), warnings.catch_warnings():
        warnings.simplefilter("error", FitWarning)
        exec(compile(code, str(PAGE), "exec"), namespace)
    return printed.getvalue()


def _commands(text: str, folder: Path) -> str:
    """The commands of a block, each with what it prints now."""
    if not PROGRAM.exists():
        pytest.skip(f"{PROGRAM} is missing: `cargo build -p cwplugin-cli` builds it, CWPLUGIN_PROGRAM names another")
    path = f"{PROGRAM.resolve().parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "COLUMNS": "80"}  # tables adapt to the width
    lines = []
    for line in text.splitlines():
        if line.startswith("$ "):
            command = ["bash", "-euo", "pipefail", "-c", line[2:].replace(STORAGE, str(folder))]
            done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
            lines += [line, *done.stdout.splitlines()]
    return "".join(f"{line.rstrip()}\n" for line in lines)
