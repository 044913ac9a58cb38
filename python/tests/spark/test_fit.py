"""A fit on executors is that of the program, byte for byte."""

from __future__ import annotations

import shlex

import numpy as np
import pyarrow.parquet as pq
import pytest
from program import run
from tables import NAMES, P, Y, arrow

import cwplugin
from cwplugin import spark as on_spark


def partitioned(frame, how: str):
    """The same rows in other partitions."""
    if how == "skewed":
        return frame.repartition(5, (frame["id"] > 200).cast("int"))  # two of five hold all, one of them nearly all
    return frame.repartition(int(how), "id")


FITS = [
    ("", {}, "7"),
    ("--metric mcc --reference joy", {"metric": "mcc", "reference": "joy"}, "1"),
    ("--reference best --metric macro-recall", {"reference": "best", "metric": "macro-recall"}, "skewed"),
    ("--weight w", {"weight": "w"}, "7"),
    ("--weight w --reference best --absent drop", {"weight": "w", "reference": "best", "absent": "drop"}, "7"),
    ("--weight w --reference last --ties first", {"weight": "w", "reference": "last", "ties": "first"}, "100"),
]


@pytest.mark.parametrize("flags, settings, how", FITS, ids=[flags or "plain" for flags, *_ in FITS])
def test_a_fit_is_that_of_the_program(spark, tmp_path, flags, settings, how):
    pq.write_table(arrow(), tmp_path / "rows.parquet")
    fixed = "--method cwplugin --search grid:0.001 -o model.json"
    run("fit", "rows.parquet", *shlex.split(f"{flags} {fixed}"), cwd=tmp_path)
    frame = partitioned(spark.createDataFrame(arrow()), how)
    assert on_spark.fit(frame, **settings).to_json() == (tmp_path / "model.json").read_text()
