"""Runs the query of `cwplugin stats --sql` in real engines and compares every counter with a brute-force count.

    python testdata/sql/check.py PROGRAM

DuckDB and DataFusion run it on all tables of tables.py, and `cwplugin stats` counts the same tables: every counter must be
the same. `cwplugin fit --stats` must find the same model in all of them. sqlglot reads the text of all six
dialects.
"""

import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable

import datafusion
import duckdb
import numpy as np
import pyarrow as pa
import sqlglot
from program import BAD, TINY, UNKNOWN, Lines, Program, check_document, check_models, check_refused
from tables import ODD_NAMES, Case, cases, refused_cases

COLUMNS = [
    ("kind", pa.string()),
    ("class", pa.string()),
    ("label", pa.string()),
    ("bin", pa.int64()),
    ("rows", pa.int64()),
    ("each", pa.float64()),
]
# sqlglot has no dialect of its own for DataFusion, which follows Postgres in what is used here.
PARSERS = {name: name for name in ["duckdb", "spark", "bigquery", "snowflake", "postgres"]} | {"datafusion": "postgres"}


def by_brute_force(case: Case) -> Lines:
    """The counters by their definition: the inequality at every point of the grid, in doubles."""
    p = np.asarray(case.probabilities, dtype=np.float64)
    m, r, bins = len(case.classes), case.reference % len(case.classes), case.bins
    labels = [(label or "").strip() for label in case.labels]
    weights = np.ones(len(p)) if case.weights is None else case.weights
    alpha = np.arange(bins) / np.float64(bins)
    counted = [row for row, label in enumerate(labels) if label and weights[row] > 0]
    lines: Lines = {("reference", case.classes[r], None, bins, None): len(counted)}
    lines["unlabelled", None, None, None, None] = labels.count("")
    for k, name in enumerate(case.classes):
        lines["class", name, None, k, None] = int((p[counted, k] > 0).sum())
    cuts: Counter[tuple[str, str | None, str | None, int | None, float | None]] = Counter()
    for row in counted:
        own = case.classes.index(labels[row])
        for k in range(m) if own == r else [own]:
            if k != r:
                b_k, b_r = p[row, k], p[row, r]
                moves = alpha * b_k > (1 - alpha) * b_r
                cut = -1 if b_k > 0 and b_k + b_r < 1e-290 else int(moves.argmax()) if moves.any() else bins
                cuts["cut", case.classes[k], labels[row], cut, float(weights[row])] += 1
    return lines | dict(cuts)


def in_duckdb(case: Case, query: str) -> pa.Table:
    """Runs a query on a case's table."""
    with duckdb.connect() as connection:
        connection.register(case.table, case.arrow())
        return connection.sql(query).to_arrow_table()


def in_datafusion(case: Case, query: str) -> pa.Table:
    """Runs a query on a case's table."""
    context = datafusion.SessionContext()
    context.from_arrow(case.arrow(), case.table)
    return context.sql(query).to_arrow_table()


ENGINES: dict[str, Callable[[Case, str], pa.Table]] = {"duckdb": in_duckdb, "datafusion": in_datafusion}


def lines_of(table: pa.Table) -> Lines:
    """The result of a query; refuses other columns and a line that is there twice."""
    assert table.column_names == [name for name, _ in COLUMNS], table.column_names
    for name, kind in COLUMNS:
        found = table.schema.field(name).type
        is_text = kind == pa.string() and found in (pa.string(), pa.large_string(), pa.string_view())
        assert is_text or found == kind, f"{name}: {found}"
    rows = table.to_pylist()
    lines = {(row["kind"], row["class"], row["label"], row["bin"], row["each"]): row["rows"] for row in rows}
    assert len(lines) == len(rows), "a line is there twice"
    return lines


def compare(name: str, found: Lines, expected: Lines) -> None:
    """Stops at the first difference."""
    for key in [*expected, *found]:
        if found.get(key, "nothing") != expected.get(key, "nothing"):
            sys.exit(f"{name}: {key}: {found.get(key, 'nothing')}, but should be {expected.get(key, 'nothing')}")


def check_counters(program: Program, engine: str, known: list[tuple[Case, Lines]]) -> None:
    """Every counter of every table; of some tables also the models."""
    counters = models = refused = 0
    start = time.monotonic()
    for place, (case, expected) in enumerate(known):
        result = ENGINES[engine](case, program.query(engine, case))
        found = lines_of(result)
        compare(f"{engine}, {case.name}", found, expected)
        counters += len(found)
        if any(cut == -1 for kind, _, _, cut, _ in found if kind == "cut"):
            if refused < 8:  # they are all alike
                check_refused(program, case, result, [TINY])
                refused += 1
        elif found["reference", case.classes[case.reference], None, case.bins, None] == 0:
            check_refused(program, case, result, ["no row has a label and a weight above 0"])
        elif place % 10 == 0 or not case.name[-1].isdigit():
            program.count(case)
            check_models(program, case, result)
            models += 1
    print(f"{engine}: {len(known)} tables, {counters} counters, {models} models, {time.monotonic() - start:.1f} s")


def check_program(program: Program, known: list[tuple[Case, Lines]]) -> None:
    """The program counts as the queries do, with exact weights."""
    counters = 0
    start = time.monotonic()
    for case, expected in known:
        if len(case.labels) == 0:
            assert "the table has no rows" in program.refuses("stats", *program.write(case))
            continue
        counters += check_document(case, expected, program.count(case))
    print(f"cwplugin: {len(known)} tables, {counters} counters, {time.monotonic() - start:.1f} s")


def check_refusals(program: Program, engine: str) -> None:
    """Bad rows and unknown labels are told, whatever is in them, and the program does not fit from them."""
    for case, bad, unknown in refused_cases():
        result = ENGINES[engine](case, program.query(engine, case))
        found = lines_of(result)
        told = {key: count for key, count in found.items() if key[0] in ("bad", "unknown")}
        expected: Lines = {("unknown", None, label, None, None): count for label, count in unknown.items()}
        compare(f"{engine}, {case.name}", told, expected | {("bad", None, None, None, None): bad})
        check_refused(program, case, result, [BAD, UNKNOWN])
        program.refuses("stats", *program.write(case))


def check_texts(program: Program) -> None:
    """Every dialect's parser reads every name back as it was."""
    row = np.full((1, len(ODD_NAMES)), 1 / len(ODD_NAMES))
    case = Case("texts", row, ["k"], ODD_NAMES, 1000, weights=np.ones(1), weight="w`\"\\'", table="the table")
    for dialect, parser in PARSERS.items():
        tree = sqlglot.parse_one(program.query(dialect, case), dialect=parser)
        texts = {node.this for node in tree.find_all(sqlglot.exp.Literal) if node.is_string}
        names = {node.name for node in tree.find_all(sqlglot.exp.Identifier) if node.quoted}
        wanted = {"the table", "label", case.weight, *(case.prefix + name for name in ODD_NAMES)}
        assert set(ODD_NAMES) <= texts, f"{dialect}: {set(ODD_NAMES) - texts}"
        assert wanted <= names, f"{dialect}: {wanted - names}"
    print(f"sqlglot: {len(PARSERS)} dialects")


def main() -> None:
    """All checks."""
    (path,) = sys.argv[1:]
    known = [(case, by_brute_force(case)) for case in cases()]
    assert any(key[3] == -1 for _, lines in known for key in lines), "no table has a bin -1"
    with tempfile.TemporaryDirectory() as folder:
        program = Program(path, folder)
        check_program(program, known)
        for engine in ENGINES:
            check_counters(program, engine, known)
            check_refusals(program, engine)
        check_texts(program)


if __name__ == "__main__":
    main()
