"""Columns of tables are found by their names, wherever a table is taken."""

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from cwplugin import ClassWeightPlugin, Cost, InputError, Statistics, compare, evaluate
from cwplugin.elicit import Session

NAMES = ["a", "b", "c"]


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    table = rng.dirichlet(np.ones(3), 200)
    labels = np.array(NAMES)[[rng.choice(3, p=row) for row in table]]
    return pd.DataFrame(table, columns=NAMES), labels


TURNED = ["c", "a", "b"]


def test_statistics_and_test_rows_find_their_columns(rows):
    table, labels = rows
    for turned in (table[TURNED], table[TURNED].add_prefix("p_"), pl.DataFrame(table[TURNED])):
        assert Statistics(NAMES).add(turned, labels) == Statistics(NAMES).add(table, labels)
    of = [
        compare(table, labels, methods=["clean"], metrics="accuracy", sizes=[50], test=(test, labels))["mean"].item()
        for test in (table, table[TURNED], table[TURNED].assign(id=1))
    ]
    assert of[0] == of[1] == of[2]
    sessions = [Session(NAMES, budget=9, X=X) for X in (table, table[TURNED])]
    assert sessions[0] == sessions[1]


def test_columns_that_are_no_class_are_left_out_of_a_model(rows):
    table, labels = rows
    plugin = ClassWeightPlugin(method="ascent").fit(table, labels)
    more = table[TURNED].assign(text="x", id=7)
    for X in (more, pl.DataFrame(more), pa.Table.from_pandas(more), duckdb.sql("select * from more")):
        assert (plugin.model_.apply(X) == plugin.predict(table)).all()
    with pytest.raises(InputError, match='column "text" does not contain numbers') as caught:
        plugin.fit(table.assign(text="x"), labels)
    assert caught.value.column == "text"


def test_classes_in_another_order_than_the_columns_are_refused(rows):
    table, labels = rows
    with pytest.raises(InputError, match="but classes= is"):
        ClassWeightPlugin(classes=TURNED).fit(table, labels)
    with pytest.raises(InputError, match="but classes= is"):
        evaluate(table, labels, classes=TURNED)
    with pytest.raises(InputError, match="has 2 labels, but there are 3 columns"):
        ClassWeightPlugin(classes=["a", "b"]).fit(table, labels)


def test_a_label_that_is_no_column_is_refused_with_its_row(rows):
    table, labels = rows
    labels = labels.astype(object)
    labels[7] = "z"
    with pytest.raises(InputError, match='row 8, column "label": unknown class "z"') as caught:
        ClassWeightPlugin().fit(table, labels)
    assert (caught.value.row, caught.value.column) == (7, "label")


def test_labels_of_pyarrow_are_taken(rows):
    table, labels = rows
    known = [None, *labels[1:].tolist()]
    for y in (pa.array(known), pa.chunked_array([known]), pl.Series(known)):
        assert ClassWeightPlugin(method="ascent").fit(table, y).report_.unlabelled == 1


def test_a_constraint_alone_is_accepted(rows):
    table, labels = rows
    for limit in ("precision:a>=0.7", ("precision:a", ">=", 0.7), ["precision:a>=0.7"]):
        report = ClassWeightPlugin(method="ascent", subject_to=limit).fit(table, labels).report_
        assert [found.constraint for found in report.constraints] == ["precision:a>=0.7"]
        assert "holds on new rows with probability" in str(report)


def test_two_metrics_of_one_name_are_refused(rows):
    table, labels = rows
    costs = [Cost(1 - np.eye(3)), Cost(2 - np.eye(3))]
    with pytest.raises(InputError, match="two metrics are named cost"):
        evaluate(table, labels, metrics=costs)


def test_a_missing_folder_is_named(rows, tmp_path):
    table, labels = rows
    model = ClassWeightPlugin(method="ascent").fit(table, labels).model_
    with pytest.raises(FileNotFoundError, match="no such folder"):
        model.save(tmp_path / "nowhere" / "model.json")
