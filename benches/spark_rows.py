"""The rows that Spark and the program are timed on: a folder of Parquet files, and the same rows as one file."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet

SEED = 0
CLASSES = 10
#: Spark makes one task of a file of this size.
ROWS_PER_FILE = 1_000_000
ROWS_PER_GROUP = 250_000
KNOWS = 2.0  # how much larger the logit of the true class is, in deviations of the noise
FOND = 1.0  # the logit of the first class is as much too high, and that of the last too low
#: Twice the rows, and what `apply` makes of them, with room to spare.
BYTES_PER_ROW = 160
#: The class with most rows, which stays fixed.
REFERENCE = str(CLASSES - 1)
#: The folder, the one file, and a folder of few rows to warm up with.
LARGE, WHOLE, FEW = "parts", "rows.parquet", "few"

SCHEMA = pa.schema([("label", pa.string()), *((f"p_{k}", pa.float32()) for k in range(CLASSES))])


def room(folder: Path, rows: int) -> str | None:
    """Why there is no room for so many rows, if there is none."""
    free, needed = shutil.disk_usage(folder).free, rows * BYTES_PER_ROW
    if free >= needed:
        return None
    return f"{rows:,} rows need {needed / 1e9:.0f} GB of disk, {free / 1e9:.0f} GB are free"


def draw(rng: np.random.Generator, rows: int) -> pa.Table:
    """Softmax of noisy logits: a black box that knows something, and is over-fond of the rare first classes."""
    prior = np.linspace(1.0, 3.0, CLASSES)
    truth = rng.choice(CLASSES, size=rows, p=prior / prior.sum())
    logits = rng.standard_normal((rows, CLASSES), dtype=np.float32)
    logits[np.arange(rows), truth] += KNOWS
    logits += np.linspace(FOND, -FOND, CLASSES, dtype=np.float32)
    np.exp(logits, out=logits)
    logits /= logits.sum(axis=1, keepdims=True)
    names = pa.array([str(k) for k in range(CLASSES)]).take(pa.array(truth))
    return pa.Table.from_arrays([names, *np.ascontiguousarray(logits.T)], schema=SCHEMA)


def write(folder: Path, rows: int) -> dict[str, int]:
    """Write the rows into a new folder, a group at a time; say how many files and bytes there are."""
    print(f"  writing {rows:,} rows", flush=True)
    (folder / LARGE).mkdir(parents=True)
    (folder / FEW).mkdir()
    part, left = None, 0
    with writer(folder / WHOLE) as whole:
        for number, group in enumerate(drawn(rows)):
            if number == 0:
                pa.parquet.write_table(group.slice(0, 1000), folder / FEW / "part-0000.parquet")
            if left == 0:
                close(part)
                part = writer(folder / LARGE / f"part-{number:04}.parquet")
                left = ROWS_PER_FILE // ROWS_PER_GROUP
            part.write_table(group)
            whole.write_table(group)
            left -= 1
    close(part)
    parts = list((folder / LARGE).iterdir())
    return {"files": len(parts), "bytes": sum(one.stat().st_size for one in parts)}


def drawn(rows: int) -> Iterator[pa.Table]:
    """All rows, in groups."""
    rng = np.random.default_rng(SEED)
    for start in range(0, rows, ROWS_PER_GROUP):
        yield draw(rng, min(ROWS_PER_GROUP, rows - start))


def writer(path: Path) -> pa.parquet.ParquetWriter:
    """As Spark itself would compress; a dictionary of probabilities would only cost time."""
    return pa.parquet.ParquetWriter(path, SCHEMA, compression="snappy", use_dictionary=["label"])


def close(part: pa.parquet.ParquetWriter | None) -> None:
    """End a file, if there is one."""
    if part is not None:
        part.close()
