"""The program, run in a folder, and tables written for it."""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet


@dataclass
class Rows:
    """Probabilities of a black box, labels if they are known, and features for `logistic`."""

    classes: list[str]
    probabilities: np.ndarray
    labels: list[str] | None = None
    features: np.ndarray | None = None

    def arrow(self) -> pa.Table:
        """The rows as a table: p_CLASS, x_0, x_1, … and label."""
        data = {f"p_{name}": pa.array(column) for name, column in zip(self.classes, self.probabilities.T, strict=True)}
        if self.features is not None:
            data |= {f"x_{i}": pa.array(np.ascontiguousarray(column)) for i, column in enumerate(self.features.T)}
        return pa.table(data | ({"label": pa.array(self.labels)} if self.labels is not None else {}))


class Program:
    """`cwplugin` in a folder."""

    def __init__(self, path: str, folder: str) -> None:
        """The program at a path."""
        self.path = str(Path(path).resolve())
        self.folder = Path(folder)

    def run(self, *args: str) -> subprocess.CompletedProcess[bytes]:
        """Runs a command to its end."""
        return subprocess.run([self.path, *args], cwd=self.folder, capture_output=True, check=False)

    def ok(self, *args: str) -> bytes:
        """Runs a command that must succeed, and returns what it prints."""
        run = self.run(*args)
        assert run.returncode == 0, f"{args}: {run.stderr.decode()}"
        return run.stdout

    def refuses(self, *args: str) -> str:
        """Runs a command that must be refused as data are, and returns what it says."""
        run = self.run(*args)
        said = run.stderr.decode()
        assert (run.returncode, run.stdout) == (1, b""), f"{args}: {run.returncode} {said}"
        assert said.startswith("cwplugin: error: ") and "\n  hint: " in said, f"{args}: {said}"
        return said

    def fit(self, rows: Rows, *flags: str) -> dict:
        """Fits `model.json`; classes with a comma in their name are found by the prefix."""
        pa.parquet.write_table(rows.arrow(), self.folder / "sample.parquet")
        self.ok("fit", "sample.parquet", "--prefix", "p_", *flags, "--quiet", "-o", "model.json")
        return json.loads((self.folder / "model.json").read_text())

    def apply(self, rows: Rows, *flags: str) -> tuple[np.ndarray, np.ndarray]:
        """What the program itself predicts with `model.json`: classes, and scores in the model's order."""
        pa.parquet.write_table(rows.arrow(), self.folder / "rows.parquet")
        self.ok("apply", "model.json", "rows.parquet", "--prefix", "p_", *flags, "--scores-out", "-o", "out.parquet")
        table = pa.parquet.read_table(self.folder / "out.parquet")
        classes = json.loads((self.folder / "model.json").read_text())["classes"]
        scores = np.column_stack([table[f"score_{name}"].to_numpy() for name in classes])
        return np.array(table["prediction"].to_pylist()), scores
