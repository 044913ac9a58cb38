"""A bad row is refused by partition, row and column, in the words that are used everywhere else."""

from __future__ import annotations

import math

import numpy as np
import pyarrow as pa
import pytest
from pyspark.sql import functions
from support import without_fingerprint
from tables import NAMES, P, W, Y, arrow, changed, files

from cwplugin import ClassWeightPlugin, FitWarning, InputError
from cwplugin import spark as on_spark

COLUMNS = '"p_anger", "p_joy", "p_sad ness"'
MISSING = "the value is missing\n  hint: fill it in, or drop the row"

BAD = [
    ({"p_joy": None}, "p_joy", f'column "p_joy": {MISSING}'),
    ({"p_joy": math.nan}, "p_joy", None),
    ({"p_joy": -0.25}, "p_joy", None),
    ({"p_anger": 0.9, "p_joy": 0.9}, None, None),
    ({"label": "fear"}, "label", None),
    ({"w": -1.0}, "w", None),
    ({"w": None}, "w", f'column "w": {MISSING}'),
]


def words_here(table: pa.Table) -> str:
    """What is said of the same rows without Spark."""
    matrix = np.column_stack([table[f"p_{name}"].to_numpy() for name in NAMES])
    weights, labels = table["w"].to_numpy(), np.array(table["label"].to_pylist(), dtype=object)
    with pytest.raises(InputError) as refused:
        ClassWeightPlugin(method="cwplugin", classes=NAMES).fit(matrix, labels, sample_weight=weights)
    return str(refused.value).split(": ", 1)[1]


@pytest.mark.parametrize(("cells", "column", "text"), BAD, ids=[str(cells) for cells, *_ in BAD])
def test_a_bad_row_is_named(spark, cells, column, text):
    table = changed(16, **cells)
    if text is None:
        words = words_here(table)
        text = f'column "{column}": {words}' if column else f"columns {COLUMNS}: {words}"
        text = text.replace('"sample_weight"', '"w"')
        if column != "label":
            for name in NAMES:
                text = text.replace(f'"{name}"', f'"p_{name}"')
    frame = spark.createDataFrame(table).coalesce(1)
    with pytest.raises(InputError) as refused:
        on_spark.fit(frame, weight="w", reference="last")
    error = refused.value
    assert str(error) == f"partition 0, row 17, {text}"
    assert (error.partition, error.row, error.column) == (0, 16, column)
    assert error.__cause__ is None


LISTS = [
    (
        "array(1.0D, 0.0D)",
        'column "several": 2 numbers for 3 classes\n  hint: every list needs one number per class, in',
    ),
    ("null", f'column "several": {MISSING}'),
    ("array(0.5D, null, 0.5D)", f'column "several[joy]": {MISSING}'),
    ("array(0.5D, -0.5D, 1.0D)", 'column "several[joy]": '),
]


@pytest.mark.parametrize(("value", "text"), LISTS, ids=[value for value, _ in LISTS])
def test_a_bad_list_is_named(spark, value, text):
    array = f"if(id = 16, {value}, array(p_anger, p_joy, `p_sad ness`)) as several"
    frame = spark.createDataFrame(arrow()).coalesce(1).selectExpr(array, "label")
    with pytest.raises(InputError) as refused:
        on_spark.evaluate(frame, probabilities="several", classes=NAMES, metrics="accuracy")
    assert str(refused.value).startswith(f"partition 0, row 17, {text}")


def test_rows_are_counted_within_the_partition_across_batches_and_the_file_is_named(spark, tmp_path):
    parts = [range(100), range(100, 240)]
    folder = files(changed(170, p_joy=-0.5), tmp_path / "rows", parts)
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", 20)
    spark.conf.set("spark.sql.files.openCostInBytes", str(128 << 20))  # one file, one partition
    try:
        frame = spark.read.parquet(folder)
        with pytest.raises(InputError) as refused:
            on_spark.fit(frame, reference="joy")
        place = functions.spark_partition_id().alias("partition")
        partition = frame.select("id", place).where("id = 170").first()["partition"]
    finally:
        spark.conf.unset("spark.sql.execution.arrow.maxRecordsPerBatch")
        spark.conf.unset("spark.sql.files.openCostInBytes")
    lines = str(refused.value).split("\n")
    assert lines[0].startswith(f'partition {partition}, row 71, column "p_joy": ')
    assert lines[1].startswith("  file: file:/")
    assert lines[1].endswith("/rows/part-0001.parquet")
    assert lines[2].startswith("  hint: ")
    assert (refused.value.partition, refused.value.row) == (partition, 70)


def test_bad_rows_may_be_left_out_and_are_counted(spark):
    lines = arrow().to_pylist()
    bad = {3: {"p_joy": None}, 4: {"label": "fear"}, 77: {"w": -1.0}, 200: {"p_anger": 2.0}}
    for row, cells in bad.items():
        lines[row].update(cells)
    frame = spark.createDataFrame(pa.Table.from_pylist(lines, schema=arrow().schema)).coalesce(1)
    with pytest.warns(FitWarning) as warned:
        fitted = on_spark.fit(frame, weight="w", on_bad_rows="count", reference="last")
    (message,) = [str(one.message) for one in warned if one.category is FitWarning]
    assert message.startswith("skipped 4 bad rows, the first with this error: partition 0, row 4, ")
    good = np.setdiff1d(np.arange(len(P)), list(bad))
    plugin = ClassWeightPlugin(method="cwplugin", search="grid:0.001", reference="last", classes=NAMES)
    plugin.fit(P[good], np.array(Y, dtype=object)[good], sample_weight=W[good])
    assert without_fingerprint(fitted.to_json()) == without_fingerprint(plugin.model_.to_json())
    with pytest.warns(FitWarning, match="^skipped 4 bad rows"):
        found = on_spark.evaluate(frame, fitted, weight="w", on_bad_rows="count", metrics="accuracy")
    assert found.rows + found.unlabelled == len(good) - 1  # one row weighs nothing


def test_other_failures_are_those_of_spark(spark):
    frame = spark.createDataFrame(arrow()).withColumn("p_joy", functions.expr("if(id = 9, raise_error('boom'), p_joy)"))
    with pytest.raises(Exception, match="boom") as failed:
        on_spark.fit(frame, reference="last")
    assert not isinstance(failed.value, InputError)
