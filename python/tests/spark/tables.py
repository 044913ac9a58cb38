"""Rows as frames of Spark, and as files for the program."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from support import black_box

NAMES = ["anger", "joy", "sad ness"]
N = 240
P, _truth = black_box(N, 3, seed=3)
#: The second class is the rarest, and some rows have no label.
_truth = np.where((_truth == 1) & (np.arange(N) % 3 > 0), 0, _truth)
Y = [None if row % 17 == 5 else NAMES[truth] for row, truth in enumerate(_truth)]
#: The largest class by weight is another than by rows, and one row weighs nothing.
W = np.where(_truth == 2, 3.1, 0.1) * np.linspace(0.5, 1.5, N)
W[7] = 0.0


def arrow(dtype=np.float64, **more) -> pa.Table:
    """All rows, with the number of each."""
    columns = {f"p_{name}": P[:, k].astype(dtype) for k, name in enumerate(NAMES)}
    return pa.table({"id": np.arange(N), **columns, "label": Y, "w": W, **more})


def changed(row: int, **cells) -> pa.Table:
    """All rows, one of which has other values."""
    lines = arrow().to_pylist()
    lines[row].update(cells)
    return pa.Table.from_pylist(lines, schema=arrow().schema)


def files(table: pa.Table, folder, parts) -> str:
    """A folder of Parquet files, one for each list of rows."""
    folder.mkdir()
    for number, rows in enumerate(parts):
        pq.write_table(table.take(pa.array(rows, pa.int64())), folder / f"part-{number:04}.parquet")
    return str(folder)
