"""acs-income-pums.parquet: one-year person records of ACS PUMS 2018, California and Texas, from the Census Bureau.

The two tables of the experiments are extracts of these records that came by other ways (see ../README.md); this is the
official source, with all ten features of folktables' ACSIncome and the real income, so no linkage is needed.
"""

import io
import zipfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
from fetch import Changed, Page, fetch
from predictions import Mismatch, options

FEATURES = ("AGEP", "COW", "SCHL", "MAR", "OCCP", "POBP", "RELP", "WKHP", "SEX", "RAC1P")
THRESHOLDS = (30_000, 50_000)  # y3: 0 up to the first, 1 up to the second, 2 above
STATES = {"CA": "06", "TX": "48"}
WIDTHS = {"OCCP": pa.int16(), "POBP": pa.int16(), "PINCP": pa.int32()}  # the others fit int8


def source(state: str) -> Page:
    """The zipped person file of a state."""
    return Page(f"https://www2.census.gov/programs-surveys/acs/data/pums/2018/1-Year/csv_p{state.lower()}.zip")


def read(archive: Path, state: str) -> pa.Table:
    """The columns that are used, out of the zip."""
    with zipfile.ZipFile(archive) as files:
        names = [name for name in files.namelist() if name.lower() == f"psam_p{STATES[state]}.csv"]
        if len(names) != 1:
            raise Changed(f"{archive.name}: no psam_p{STATES[state]}.csv in it")
        return parse(files.read(names[0]))


def parse(content: bytes) -> pa.Table:
    """The columns that are used, as numbers; an empty field is null."""
    wanted = [*FEATURES, "PINCP", "PWGTP"]
    convert = pacsv.ConvertOptions(include_columns=wanted, column_types=dict.fromkeys(wanted, pa.float64()))
    return pacsv.read_csv(io.BytesIO(content), convert_options=convert)


def adults(table: pa.Table) -> pa.Table:
    """The filter of folktables' ACSIncome: over 16, income over 100, at work, with a weight."""
    keep = pc.and_(pc.greater(table["AGEP"], 16), pc.greater(table["PINCP"], 100))
    keep = pc.and_(keep, pc.and_(pc.greater(table["WKHP"], 0), pc.greater_equal(table["PWGTP"], 1)))
    return table.filter(keep)  # a null is not true


def income_class(income: np.ndarray) -> np.ndarray:
    """y3 of PINCP."""
    return np.searchsorted(np.array(THRESHOLDS), income, side="left").astype(np.int8)


def columns(table: pa.Table, state: str) -> pa.Table:
    """The columns of acs-income-linked.parquet, in its widths; an unknown code is −1."""
    made = {"state": pa.array([state] * table.num_rows)}
    for name in (*FEATURES, "PINCP"):
        made[name] = pc.cast(pc.fill_null(table[name], -1), WIDTHS.get(name, pa.int8()))
    made["y3"] = income_class(made["PINCP"].to_numpy())
    return pa.table(made)


def main() -> None:
    """Download, filter, write."""
    where = options(__doc__)
    parts = [columns(adults(read(fetch(source(state), where.cache), state)), state) for state in STATES]
    made = pa.concat_tables(parts)
    for state, part in zip(STATES, parts, strict=True):
        found = sorted(set(part["y3"].to_pylist()))
        if found != [0, 1, 2]:
            raise Mismatch(f"{state}: income classes {found}, [0, 1, 2] expected")
        print(f"{state}: {part.num_rows:,} rows, y3 {np.bincount(part['y3'].to_numpy()).tolist()}")
    where.output.mkdir(parents=True, exist_ok=True)
    pq.write_table(made, where.output / "acs-income-pums.parquet", compression="zstd")


if __name__ == "__main__":
    main()
