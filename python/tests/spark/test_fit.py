"""A fit on executors is that of the program, byte for byte."""

from __future__ import annotations

import shlex

import numpy as np
import pyarrow.parquet as pq
import pytest
from program import run
from support import without_fingerprint, without_options
from tables import NAMES, P, W, Y, arrow

import cwplugin
from cwplugin import spark as on_spark
from cwplugin.spark import _frame, _passes


def partitioned(frame, how: str):
    """The same rows in other partitions."""
    if how == "mostly empty":
        return frame.repartition(40, "label")  # four of forty hold all
    if how == "skewed":
        return frame.repartition(5, (frame["id"] > 200).cast("int"))  # two of five hold all, one of them nearly all
    return frame.repartition(int(how), "id")


def of_program(folder, flags: str, table) -> str:
    pq.write_table(table, folder / "rows.parquet")
    run("fit", "rows.parquet", *shlex.split(flags), "-o", "model.json", cwd=folder)
    return (folder / "model.json").read_text()


FITS = [
    ("", {}, "7"),
    ("--metric mcc --reference joy", {"metric": "mcc", "reference": "joy"}, "1"),
    ("--reference best --metric macro-recall", {"reference": "best", "metric": "macro-recall"}, "skewed"),
    ("--metric accuracy", {"metric": "accuracy"}, "mostly empty"),
    ("--weight w", {"weight": "w"}, "7"),
    ("--weight w --reference best --absent drop", {"weight": "w", "reference": "best", "absent": "drop"}, "7"),
    ("--weight w --reference last --ties first", {"weight": "w", "reference": "last", "ties": "first"}, "50"),
]


@pytest.mark.parametrize(("flags", "settings", "how"), FITS, ids=[flags or "plain" for flags, *_ in FITS])
def test_a_fit_is_that_of_the_program(spark, tmp_path, flags, settings, how):
    expected = of_program(tmp_path, f"{flags} --method cwplugin --search grid:0.001", arrow())
    frame = partitioned(spark.createDataFrame(arrow()), how)
    assert without_fingerprint(on_spark.fit(frame, **settings).to_json()) == without_fingerprint(expected)


@pytest.mark.parametrize("most", [32, 1])
def test_it_does_not_matter_who_merges(spark, monkeypatch, most):
    frame = spark.createDataFrame(arrow())  # nothing is shuffled, so that its partitions are known
    assert frame.rdd.getNumPartitions() > 1
    monkeypatch.setattr(_passes, "MOST_ON_DRIVER", most)
    fitted = on_spark.fit(frame, weight="w", score=False)
    counted = cwplugin.Statistics(NAMES, fitted.report.reference).add(P, Y, W)
    assert without_options(fitted) == without_options(counted.fit())


def test_single_precision_and_few_points_are_those_of_the_program(spark, tmp_path):
    single = arrow(np.float32)
    expected = of_program(tmp_path, "--method cwplugin --search binary:0.01 --metric accuracy", single)
    fitted = on_spark.fit(spark.createDataFrame(single), bins=100, binary=True, metric="accuracy")
    assert without_fingerprint(fitted.to_json()) == without_fingerprint(expected)


def test_the_published_method_has_its_own_settings(spark, tmp_path):
    expected = of_program(tmp_path, "--method cwplugin:published", arrow())
    fitted = on_spark.fit(spark.createDataFrame(arrow()), method="cwplugin:published")
    assert without_fingerprint(fitted.to_json()) == without_fingerprint(expected)


def test_without_a_score_a_fit_is_that_of_statistics(spark):
    statistics = cwplugin.Statistics(NAMES, "joy").add(P, Y, W)
    fitted = on_spark.fit(spark.createDataFrame(arrow()), reference="joy", weight="w", score=False)
    assert without_options(fitted) == without_options(statistics.fit())


def test_arrays_are_read_like_columns_and_a_wrong_guess_is_made_good(spark, monkeypatch):
    frame = spark.createDataFrame(arrow())
    expected = on_spark.fit(frame, metric="mcc", score=False)
    monkeypatch.setattr(_frame.Rows, "by_size", lambda rows: ["joy"])
    arrays = frame.selectExpr("array(p_anger, p_joy, `p_sad ness`) as several", "label")
    fitted = on_spark.fit(arrays, probabilities="several", classes=NAMES, metric="mcc", score=False)
    assert fitted.to_json() == expected.to_json()
    assert fitted.report.reference != "joy"


def test_labels_that_are_numbers_stay_numbers(spark):
    places = [None if label is None else NAMES.index(label) for label in Y]
    table = {f"p_{k}": P[:, k].tolist() for k in range(3)}
    frame = spark.createDataFrame(list(zip(*table.values(), places, strict=True)), [*table, "label"])
    fitted = on_spark.fit(frame, score=False)
    assert fitted.classes.tolist() == [0, 1, 2]
    assert fitted.weights.tolist() == on_spark.fit(spark.createDataFrame(arrow()), score=False).weights.tolist()


def test_what_cannot_be_is_refused_before_any_row_is_read(spark):
    frame = spark.createDataFrame(arrow())
    cases = [
        ({"method": "auto"}, 'method "auto" is not supported on Spark'),
        ({"label": "truth"}, 'no column "truth"; the columns are "id", "p_anger", "p_joy", "p_sad ness", "label", "w"'),
        ({"classes": ["anger", "fear"]}, 'no column for class "fear" of classes='),
        ({"classes": ["id", "label"]}, 'column "label" contains string, not numbers'),
        ({"probabilities": "w"}, 'column "w" contains double, not probabilities'),
        ({"on_bad_rows": "skip"}, 'invalid value "skip" for on_bad_rows'),
    ]
    for settings, text in cases:
        with pytest.raises(cwplugin.InputError) as refused:
            on_spark.fit(frame, **settings)
        assert str(refused.value).startswith(text)
    with pytest.raises(cwplugin.InputError, match=r'^column "label": no row has a label|labelled'):
        on_spark.fit(frame.where("label is null"))
