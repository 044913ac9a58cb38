"""What users would run instead of `cwplugin fit`, `apply` and `eval` on a file, as a process of its own.

    python benches/peer_tables.py fit numpy rows.npz                      Algorithm 1 in numpy; prints the alphas
    python benches/peer_tables.py fit pandas rows.csv
    python benches/peer_tables.py apply duckdb rows.csv model.json out.csv   the table with a column `prediction`
    python benches/peer_tables.py eval polars rows.csv model.json            prints both confusion matrices

Only what a task needs is imported, so that a process starts as fast as it can.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

STEPS = 100
Counts = list[tuple[Any, Any, Any, int]]  # label, unadjusted and fitted prediction, rows


def fit(tool: str, path: Path) -> dict[str, Any]:
    """Algorithm 1 on the rows of a file."""
    from peer_numpy import bins

    if tool == "numpy":
        import numpy as np

        if path.suffix == ".npy":
            probabilities, labels = np.load(path), np.load(path.with_suffix(".label.npy"))
        else:
            with np.load(path) as archive:
                probabilities, labels = archive["probabilities"], archive["label"]
    else:
        import numpy as np
        import pandas as pd

        frame = pd.read_csv(path) if path.suffix == ".csv" else pd.read_parquet(path)
        labels = frame.pop("label").to_numpy()
        probabilities = np.ascontiguousarray(frame.to_numpy())
    return {"alphas": bins(probabilities, labels, STEPS).alphas}


def duckdb_query(path: Path, classes: list[str], weights: list[float]) -> tuple[Any, str]:
    """A connection, and a query for the table with both predictions."""
    import duckdb

    connection, source = duckdb.connect(), f"'{path}'"
    if path.suffix == ".arrow":  # DuckDB reads the format through pyarrow
        import pyarrow as pa

        source = "mapped"
        connection.register(source, pa.ipc.open_file(pa.memory_map(str(path))).read_all())
    numbers = range(len(classes))
    scores = ", ".join(f"p_{k} * {weights[k]!r}::DOUBLE AS s_{k}" for k in numbers)

    def largest(prefix: str, best: str) -> str:
        cases = " ".join(f"WHEN {prefix}_{k} = {best} THEN '{classes[k]}'" for k in numbers)
        return f"CASE {cases} END"

    tops = ", ".join(f"greatest({', '.join(f'{x}_{k}' for k in numbers)}) AS top_{x}" for x in "ps")
    columns = ", ".join(["label", *(f"p_{k}" for k in numbers)])
    predicted = f"{largest('p', 'top_p')} AS clean, {largest('s', 'top_s')} AS prediction"
    return connection, f"SELECT {columns}, {predicted} FROM (SELECT *, {tops} FROM (SELECT *, {scores} FROM {source}))"


def apply_duckdb(path: Path, classes: list[str], weights: list[float], out: Path) -> None:
    """Write the table with the prediction."""
    connection, query = duckdb_query(path, classes, weights)
    query = f"SELECT * EXCLUDE (clean) FROM ({query})"  # the unused column is not computed
    if out.suffix == ".arrow":
        import pyarrow as pa

        table = connection.sql(query).to_arrow_table()
        with pa.OSFile(str(out), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table)
    else:
        options = " (COMPRESSION zstd)" if out.suffix == ".parquet" else ""
        connection.sql(f"COPY ({query}) TO '{out}'{options}")


def eval_duckdb(path: Path, classes: list[str], weights: list[float]) -> Counts:
    """Rows by label and both predictions."""
    connection, query = duckdb_query(path, classes, weights)
    return connection.sql(f"SELECT label, clean, prediction, count(*) FROM ({query}) GROUP BY ALL").fetchall()


def polars_table(path: Path, classes: list[str], weights: list[float]) -> tuple[Any, Any]:
    """The table, not read yet, and the expressions of both predictions."""
    import polars as pl

    scan = {".csv": pl.scan_csv, ".parquet": pl.scan_parquet, ".arrow": pl.scan_ipc}[path.suffix]

    def largest(scores: list[Any]) -> object:
        best, found = pl.max_horizontal(scores), pl.lit(classes[-1])
        for name, score in reversed(list(zip(classes, scores, strict=True))[:-1]):
            found = pl.when(score == best).then(pl.lit(name)).otherwise(found)
        return found

    columns = [pl.col(f"p_{k}") for k in range(len(classes))]
    weighted = [column * weight for column, weight in zip(columns, weights, strict=True)]
    return scan(path), {"clean": largest(columns), "prediction": largest(weighted)}


def apply_polars(path: Path, classes: list[str], weights: list[float], out: Path) -> None:
    """Write the table with the prediction."""
    table, predictions = polars_table(path, classes, weights)
    table = table.with_columns(prediction=predictions["prediction"])
    {".csv": table.sink_csv, ".parquet": table.sink_parquet, ".arrow": table.sink_ipc}[out.suffix](out)


def eval_polars(path: Path, classes: list[str], weights: list[float]) -> Counts:
    """Rows by label and both predictions."""
    table, predictions = polars_table(path, classes, weights)
    return table.with_columns(**predictions).group_by("label", "clean", "prediction").len().collect().rows()


def matrices(counts: Counts, classes: list[str]) -> dict[str, list[list[int]]]:
    """Both confusion matrices, `[truth][predicted]`."""
    place = {name: k for k, name in enumerate(classes)}
    both = {side: [[0] * len(classes) for _ in classes] for side in ("clean", "fitted")}
    for label, clean, fitted, rows in counts:
        for side, predicted in (("clean", clean), ("fitted", fitted)):
            both[side][place[str(label)]][place[predicted]] += rows
    return both


APPLY: dict[str, Callable[..., None]] = {"duckdb": apply_duckdb, "polars": apply_polars}
EVAL: dict[str, Callable[..., Counts]] = {"duckdb": eval_duckdb, "polars": eval_polars}


def main() -> None:
    """Run one task and print its answer."""
    task, tool, path, *more = sys.argv[1:]
    if task == "fit":
        print(json.dumps(fit(tool, Path(path))))
        return
    model = json.loads(Path(more[0]).read_text())
    classes, weights = model["classes"], model["weights"]
    if task == "apply":
        APPLY[tool](Path(path), classes, weights, Path(more[1]))
    else:
        print(json.dumps(matrices(EVAL[tool](Path(path), classes, weights), classes)))


if __name__ == "__main__":
    main()
