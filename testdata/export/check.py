"""Runs the exports of `cwplugin export` in real engines and compares every row with `cwplugin apply`.

    python testdata/export/check.py PROGRAM [--quick]

Models of every method, fitted on real rows, run in ONNX Runtime (double and float), DuckDB and DataFusion, and as
Python; sqlglot reads the text of all six dialects. Models of plain weights and votes must predict the same class of
every row; of maps, rows may differ whose two best scores are within 1e-12 of each other. Then models are put behind
classifiers that skl2onnx has converted. --quick looks at one table, and at few classifiers.
"""

import json
import sys
import tempfile
import time
from collections import Counter

import datafusion
import duckdb
import numpy as np
import onnx
import onnxruntime
import sqlglot
from behind import check_behind
from program import Program, Rows
from tables import tables

METHODS = [
    *("auto", "cwplugin", "cwplugin:published", "ascent", "bagged", "expected", "clean", "probing", "label-shift"),
    *("temperature", "bcts", "vector", "vector:probability", "dirichlet-diag", "dirichlet-full", "svs", "sms"),
    "logistic",
]
# sqlglot has no dialect of its own for DataFusion, which follows Postgres in what is used here.
PARSERS = {name: name for name in ["duckdb", "spark", "bigquery", "snowflake", "postgres"]} | {"datafusion": "postgres"}
CLOSE = 1e-12


def in_onnx(model: bytes, name: str, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Labels and scores of ONNX Runtime; the file must please the checker."""
    onnx.checker.check_model(model, full_check=True)
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    labels, scores = session.run(["label", "scores"], {name: values})
    return labels.astype(str), scores


def in_duckdb(expression: str, rows: Rows) -> np.ndarray:
    """Labels of DuckDB, in the order of the rows."""
    with duckdb.connect() as connection:
        connection.register("scores", rows.arrow())
        table = connection.sql(f"SELECT {expression} AS prediction FROM scores").to_arrow_table()
    return np.array(table[0].to_pylist())


def in_datafusion(expression: str, rows: Rows) -> np.ndarray:
    """Labels of DataFusion, in the order of the rows."""
    context = datafusion.SessionContext(datafusion.SessionConfig().with_target_partitions(1))
    context.from_arrow(rows.arrow(), "scores")
    return np.array(context.sql(f"SELECT {expression} AS prediction FROM scores").to_arrow_table()[0].to_pylist())


def in_python(module: str, values: np.ndarray) -> np.ndarray:
    """Labels of the Python export."""
    names: dict = {}
    exec(compile(module, "export.py", "exec"), names)
    return np.array(names["predict_all"](values.tolist()))


def differing(found: np.ndarray, expected: np.ndarray, scores: np.ndarray, is_map: bool, what: str) -> int:
    """Rows that differ; stops at one that must not."""
    rows = np.flatnonzero(found != expected)
    best = np.sort(scores, axis=1)[:, -2:]
    bad = [row for row in rows if not is_map or best[row, 1] - best[row, 0] > CLOSE * best[row, 1]]
    if bad:
        sys.exit(f"{what}: row {bad[0]} is {found[bad[0]]}, but should be {expected[bad[0]]}: {scores[bad[0]]}")
    return len(rows)


def check_method(program: Program, name: str, method: str, sample: Rows, rows: Rows, told: Counter) -> None:
    """One model in all engines."""
    is_logistic = method == "logistic"
    features = ["--features", "x_0,x_1,x_2,x_3,x_4"] if is_logistic else []
    model = program.fit(sample, "--method", method, *features)
    kind = (model["calibration"] or {"kind": "plain"})["kind"]
    is_map = kind not in ("plain", "probing")
    what = f"{name}, {method}"
    told[f"{'map' if is_map else 'vote' if kind == 'probing' else 'plain'} models"] += 1
    singles = Rows(rows.classes, rows.probabilities.astype(np.float32), None, rows.features)
    if is_logistic:
        singles.features = rows.features.astype(np.float32)
    for element, given in [("double", rows), ("float", singles)]:
        expected, scores = program.apply(given)
        file = program.ok("export", "model.json", "--to", "onnx", "--input", element)
        values = given.features if is_logistic else given.probabilities
        labels, found = in_onnx(file, "features" if is_logistic else "probabilities", values)
        told[f"onnx, {element}: rows"] += len(labels)
        told[f"onnx, {element}: other"] += differing(labels, expected, scores, is_map, f"{what}, onnx {element}")
        assert np.allclose(found, scores, rtol=1e-9, atol=1e-12), f"{what}: {abs(found - scores).max()}"
    expected, scores = program.apply(rows)
    for dialect, parser in PARSERS.items():
        text = program.ok("export", "model.json", "--to", "sql", "--dialect", dialect).decode()
        sqlglot.parse_one(f"SELECT {text} AS prediction FROM scores", read=parser)
        run = {"duckdb": in_duckdb, "datafusion": in_datafusion}.get(dialect)
        if run:
            told[f"{dialect}: rows"] += len(expected)
            told[f"{dialect}: other"] += differing(run(text, rows), expected, scores, is_map, f"{what}, {dialect}")
    module = program.ok("export", "model.json", "--to", "python").decode()
    labels = in_python(module, rows.features if is_logistic else rows.probabilities)
    told["python: rows"] += len(labels)
    told["python: other"] += differing(labels, expected, scores, False, f"{what}, python")


def check_nulls(program: Program, sample: Rows) -> None:
    """NULL in, NULL out."""
    program.fit(sample, "--method", "cwplugin")
    for dialect, run in [("duckdb", in_duckdb), ("datafusion", in_datafusion)]:
        text = program.ok("export", "model.json", "--to", "sql", "--dialect", dialect).decode()
        holes = sample.probabilities[:3].astype(object)
        holes[1, 0] = None
        found = run(text, Rows(sample.classes, holes))
        assert [label is None for label in found] == [False, True, False], found


def check_zero_products(program: Program, sample: Rows) -> None:
    """A row whose weighted probabilities are all 0: the first class, with equal scores."""
    model = program.fit(sample, "--method", "clean")
    model["weights"] = [0.0] + [1 / (len(sample.classes) - 1)] * (len(sample.classes) - 1)
    (program.folder / "model.json").write_text(json.dumps(model))
    rows = Rows(sample.classes, np.vstack([np.eye(len(sample.classes))[:1], sample.probabilities[:3]]))
    expected, scores = program.apply(rows)
    assert expected[0] == sample.classes[0], expected
    assert np.allclose(scores[0], 1 / len(sample.classes)), scores[0]
    labels, found = in_onnx(program.ok("export", "model.json", "--to", "onnx"), "probabilities", rows.probabilities)
    assert np.allclose(found, scores, rtol=1e-9, atol=1e-12), found[0]
    others = [in_python(program.ok("export", "model.json", "--to", "python").decode(), rows.probabilities)]
    for dialect, run in [("duckdb", in_duckdb), ("datafusion", in_datafusion)]:
        text = program.ok("export", "model.json", "--to", "sql", "--dialect", dialect).decode()
        others.append(run(text, rows))
    for predicted in (labels, *others):
        assert predicted.tolist() == expected.tolist(), predicted


def check_scores(program: Program, sample: Rows) -> None:
    """Models that take logits, or logarithms of probabilities."""
    logarithms = np.log(np.maximum(sample.probabilities, 1e-9))
    logarithms -= np.log(np.exp(logarithms).sum(axis=1, keepdims=True))
    for kind, values in [("logits", logarithms + 3), ("logprobs", logarithms)]:
        rows = Rows(sample.classes, values, sample.labels)
        for method in ("cwplugin", "dirichlet-full", "probing"):
            program.fit(rows, "--scores", kind, "--method", method)
            expected, scores = program.apply(rows, "--scores", kind)
            file = program.ok("export", "model.json", "--to", "onnx", "--scores", kind)
            labels, found = in_onnx(file, kind, values)
            differing(labels, expected, scores, True, f"{kind}, {method}")
            assert np.allclose(found, scores, rtol=1e-9, atol=1e-12), f"{kind}, {method}"


def main() -> None:
    """Checks everything, and says what it was."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        program = Program(sys.argv[1], folder)
        told: Counter = Counter()
        is_quick = "--quick" in sys.argv
        for name, sample, rows in tables()[:1] if is_quick else tables():
            for method in METHODS:
                check_method(program, name, method, sample, rows, told)
            check_nulls(program, sample)
            check_zero_products(program, sample)
            check_scores(program, sample)
        for what, count in told.items():
            print(f"{what}: {count}")
        print(f"alone: {time.monotonic() - start:.1f} s")
        start = time.monotonic()
        check_behind(program, is_quick)
        print(f"behind others: {time.monotonic() - start:.1f} s")


if __name__ == "__main__":
    main()
