"""The program `cwplugin`, for comparison."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from jsonschema import Draft202012Validator

ROOT = Path(__file__).parents[2]
PROGRAM = Path(os.environ.get("CWPLUGIN_PROGRAM", ROOT / "target/debug/cwplugin"))
SCHEMA = Draft202012Validator(json.loads((ROOT / "docs/model.schema.json").read_text()))


def run(*arguments: object, cwd: Path, expect: int = 0) -> str:
    """What the program prints; on standard error if it is expected to fail. Checks the schema of models."""
    if not PROGRAM.exists():
        pytest.skip(f"{PROGRAM} is missing: `cargo build -p cwplugin-cli` builds it, CWPLUGIN_PROGRAM names another")
    done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == expect, done.stderr
    if not expect and arguments[0] == "fit" and "-o" in arguments:
        model = cwd / str(arguments[arguments.index("-o") + 1])
        SCHEMA.validate(json.loads(model.read_text()))
    return done.stderr if expect else done.stdout


def run_json(*arguments: object, cwd: Path) -> dict:
    """What the program prints with --json."""
    return json.loads(run(*arguments, "--json", cwd=cwd))


def write_csv(path: Path, P: np.ndarray, names: list[str], labels=None, **columns) -> Path:
    """A table of probabilities, with all digits."""
    heads = [f"p_{name}" for name in names] + (["label"] if labels is not None else []) + list(columns)
    lines = [",".join(heads)]
    for row in range(len(P)):
        cells = [repr(float(value)) for value in P[row]]
        cells += [] if labels is None else ["" if labels[row] is None else str(labels[row])]
        cells += [str(values[row]) for values in columns.values()]
        lines.append(",".join(cells))
    path.write_text("\n".join(lines) + "\n")
    return path
