"""Make formats/: one small table in every file format that the program reads, written by other people's writers.

Twelve rows. `id` is text with leading zeros; `label` is text, null in row 4 and empty in row 9 (both mean unlabelled);
`weight` is a number; `p_negative`, `p_neutral` and `p_very positive` are probabilities; `note` is text with commas,
quotes, line breaks and other alphabets. Files whose name starts with `bad-` must be refused.

Run from the root of the repository, in an environment with testdata/requirements.txt:

    python testdata/make_formats.py
"""

import gzip
import io
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import zstandard
from pyarrow import feather
from pyarrow import parquet as pq

FOLDER = Path(__file__).parent / "formats"
CLASSES = ["negative", "neutral", "very positive"]
LABELS = ["negative", "neutral", "very positive", None, "neutral", "negative"]
LABELS += ["very positive", "neutral", "", "negative", "neutral", "very positive"]
INTEGER_LABELS = [0, 1, 2, 0, 1, 0, 2, 1, 1, 0, 1, 2]  # nothing missing: integers have no empty value
WEIGHTS = [1.0, 2.0, 0.5, 1.0, 1.25, 3.0, 1.0, 0.0, 1.0, 0.1, 10.0, 1.0]
NOTES = [
    "plain",
    "comma, inside",
    'a "quoted" word',
    "two\nlines",
    "naïve café",
    "温度が高い",
    "",
    "semicolon; and\ttab",
    " spaces around ",
    '",\n"',
    "🙂 emoji",
    "кириллица",
]


def odd_types() -> pa.Table:
    """A small table of types that text formats do not have: bool labels, decimals, time zones, nested values."""
    when = pd.to_datetime(["2026-03-01 12:00", "2026-07-01 12:00", None, "2026-03-02 00:00"])
    return pa.table({
        "label": pa.array([True, False, True, None]),
        "p_False": pa.array(["0.2", "0.75", "0.4", "0.5"]).cast(pa.decimal128(4, 2)),
        "p_True": pa.array([0.8, 0.25, 0.6, 0.5], pa.float16()),
        "at": pa.array(when.tz_localize("Europe/Berlin")),
        "tags": pa.array([["a", "b"], [], None, ["c"]]),
    })


def probabilities() -> np.ndarray:
    """Round numbers, exact zeros, a tie, and numbers that need all seventeen digits."""
    rng = np.random.default_rng(20240603)
    p = rng.dirichlet(np.ones(3), 12)
    p[0] = [0.7, 0.2, 0.1]
    p[1] = [0.25, 0.5, 0.25]
    p[2] = [0.0, 0.0, 1.0]
    p[3] = [0.4, 0.4, 0.2]
    p[4] = [1e-05, 0.99998, 1e-05]
    for kind in ("f8", "f4", "f2"):
        assert np.abs(p.astype(kind).astype("f8").sum(axis=1) - 1).max() < 1e-3
    return p


def columns(p: np.ndarray) -> dict[str, list]:
    """The table, column by column."""
    return {
        "id": [f"{7 * i:05}" for i in range(12)],
        "label": LABELS,
        "weight": WEIGHTS,
        **{f"p_{name}": p[:, k].tolist() for k, name in enumerate(CLASSES)},
        "note": NOTES,
    }


def write_text(frame: pd.DataFrame, polars: pl.DataFrame) -> None:
    """CSV by pandas, TSV and JSON lines by polars, and what people do to them afterwards."""
    csv = frame.to_csv(index=False, lineterminator="\n").encode()
    (FOLDER / "table.csv").write_bytes(csv)
    (FOLDER / "table.csv.gz").write_bytes(gzip.compress(csv, mtime=0))
    (FOLDER / "table.csv.zst").write_bytes(zstandard.ZstdCompressor().compress(csv))
    crlf = frame.to_csv(index=False, lineterminator="\r\n").encode("utf-8-sig")
    (FOLDER / "table-crlf-bom.csv").write_bytes(crlf)
    frame.to_csv(FOLDER / "table-semicolon.csv", index=False, sep=";", lineterminator="\n")
    polars.write_csv(FOLDER / "table.tsv", separator="\t")
    polars.write_ndjson(FOLDER / "table.jsonl")
    jsonl = (FOLDER / "table.jsonl").read_bytes()
    (FOLDER / "table.jsonl.gz").write_bytes(gzip.compress(jsonl, mtime=0))


def write_parquet(table: pa.Table, frame: pd.DataFrame, polars: pl.DataFrame) -> None:
    """Parquet by pyarrow in each codec and by polars and pandas, with the types these prefer."""
    for codec in ("snappy", "zstd", "gzip", "brotli", "lz4"):
        pq.write_table(table, FOLDER / f"table-{codec}.parquet", compression=codec)
    label = table.schema.get_field_index("label")
    pq.write_table(odd_types(), FOLDER / "types.parquet")
    dictionary = table.set_column(label, "label", table["label"].dictionary_encode())
    pq.write_table(dictionary, FOLDER / "table-dictionary.parquet")
    pq.write_table(as_float32(table), FOLDER / "table-float32.parquet")
    polars.write_parquet(FOLDER / "table-polars.parquet")
    shuffled = frame.set_index(pd.Index([5 * i % 12 for i in range(12)]))  # stored as __index_level_0__
    shuffled.to_parquet(FOLDER / "table-pandas.parquet")


def as_float32(table: pa.Table) -> pa.Table:
    """The same table with single-precision probabilities and weights."""
    fields = [f.with_type(pa.float32()) if f.type == pa.float64() else f for f in table.schema]
    return table.cast(pa.schema(fields))


def write_arrow(table: pa.Table, polars: pl.DataFrame) -> None:
    """Arrow IPC files and a stream, plain, compressed, and with polars' string views."""
    with pa.ipc.new_file(FOLDER / "table.arrow", table.schema) as writer:
        writer.write_table(table, max_chunksize=5)
    with pa.ipc.new_stream(FOLDER / "table.arrows", table.schema) as writer:
        writer.write_table(table, max_chunksize=5)
    feather.write_feather(table, FOLDER / "table-lz4.feather", compression="lz4")
    polars.write_ipc(FOLDER / "table-polars.arrow", compat_level=pl.CompatLevel.newest())


def write_numpy(p: np.ndarray) -> None:
    """Arrays in the layouts that numpy saves, and three that must be refused."""
    text = np.array([label or "" for label in LABELS])
    whole = np.array(INTEGER_LABELS)
    np.save(FOLDER / "probs.npy", p)
    np.save(FOLDER / "probs-f4.npy", p.astype("<f4"))
    np.save(FOLDER / "probs-f2.npy", p.astype("<f2"))
    np.save(FOLDER / "probs-fortran.npy", np.asfortranarray(p))
    np.save(FOLDER / "probs-bigendian.npy", p.astype(">f8"))
    np.save(FOLDER / "labels-int.npy", whole)
    np.save(FOLDER / "labels-text.npy", text)
    np.savez(FOLDER / "table.npz", probabilities=p, label=text, classes=np.array(CLASSES))
    np.savez_compressed(FOLDER / "table-int.npz", probs=p, y=whole)
    objects = np.array(LABELS, dtype=object)
    np.savez(FOLDER / "bad-object-labels.npz", probabilities=p, label=objects, classes=np.array(CLASSES))
    np.save(FOLDER / "bad-3d.npy", p.reshape(2, 6, 3))
    np.save(FOLDER / "bad-int.npy", (p * 100).astype("<i8"))


def check(table: pa.Table) -> None:
    """Read some of it back: a fixture that its own writer cannot read would prove nothing."""
    rows = table.to_pylist()
    assert pa.ipc.open_stream(FOLDER / "table.arrows").read_all().to_pylist() == rows
    for name in ("table-brotli.parquet", "table-dictionary.parquet", "table-polars.parquet"):
        assert pq.read_table(FOLDER / name).to_pylist() == rows, name
    assert pl.read_ipc(FOLDER / "table-polars.arrow").to_dicts() == rows
    assert pl.read_ndjson(FOLDER / "table.jsonl").to_dicts() == rows
    blank = [row | {"label": row["label"] or None, "note": row["note"] or None} for row in rows]
    for name, separator in (("table.csv", ","), ("table.tsv", "\t"), ("table-semicolon.csv", ";")):
        raw = io.BytesIO((FOLDER / name).read_bytes())
        frame = pd.read_csv(raw, sep=separator, dtype={"id": str})
        assert frame.astype(object).where(frame.notna(), None).to_dict("records") == blank, name
    magic = {"probs-fortran.npy": "F_CONTIGUOUS", "probs.npy": "C_CONTIGUOUS"}
    for name, flag in magic.items():
        assert np.load(FOLDER / name).flags[flag], name


def main() -> None:
    """Write every file of formats/ anew."""
    FOLDER.mkdir(exist_ok=True)
    p = probabilities()
    data = columns(p)
    table, polars = pa.table(data), pl.DataFrame(data)
    frame = pd.DataFrame(data)
    write_text(frame, polars)
    write_parquet(table, frame, polars)
    write_arrow(table, polars)
    write_numpy(p)
    check(table)
    files = sorted(FOLDER.iterdir())
    print(f"formats: {len(files)} files, {sum(f.stat().st_size for f in files)} bytes")


if __name__ == "__main__":
    main()
