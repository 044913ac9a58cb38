"""Arrays of every kind are taken, and copied only where they must be."""

from __future__ import annotations

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from support import black_box

from cwplugin import ClassWeightPlugin, InputError, Model, _core, _rows

NAMES = ["a", "b", "c"]
P, y = black_box(200, 3, labels=NAMES)
SINGLE = P.astype(np.float32)


def strided(array: np.ndarray) -> np.ndarray:
    wide = np.zeros((2 * len(array), 2 * array.shape[1]), dtype=array.dtype)
    wide[::2, ::2] = array
    return wide[::2, ::2]


def lists(array: np.ndarray) -> pa.Array:
    return pa.FixedSizeListArray.from_arrays(pa.array(array.ravel()), array.shape[1])


KINDS = {
    "C": lambda p: p,
    "Fortran": np.asfortranarray,
    "strided": strided,
    "backwards": lambda p: p[::-1].copy()[::-1],
    "unaligned": lambda p: np.frombuffer(b"\0" + p.tobytes(), dtype=p.dtype, offset=1).reshape(p.shape),
    "read-only": lambda p: np.require(p.copy(), requirements=["C"]),
    "list": lambda p: p.tolist(),
    "tuples": lambda p: tuple(map(tuple, p.tolist())),
    "pandas": lambda p: pd.DataFrame(p, columns=NAMES),
    "pandas by columns": lambda p: pd.DataFrame(dict(zip(NAMES, p.T, strict=True))),
    "pandas pyarrow": lambda p: pd.DataFrame(p, columns=NAMES).astype("double[pyarrow]"),
    "polars": lambda p: pl.DataFrame(p, schema=NAMES),
    "polars chunks": lambda p: pl.concat(
        [pl.DataFrame(p[:70], schema=NAMES), pl.DataFrame(p[70:], schema=NAMES)], rechunk=False
    ),
    "pyarrow": lambda p: pa.table(dict(zip(NAMES, p.T.copy(), strict=True))),
    "pyarrow chunks": lambda p: pa.concat_tables(
        [pa.table(dict(zip(NAMES, q.T.copy(), strict=True))) for q in (p[:9], p[9:])]
    ),
    "record batch": lambda p: pa.record_batch(dict(zip(NAMES, p.T.copy(), strict=True))),
    "record batch reader": lambda p: pa.table(dict(zip(NAMES, p.T.copy(), strict=True))).to_reader(),
    "lists of Arrow": lists,
    "chunked lists of Arrow": lambda p: pa.chunked_array([lists(p[:50]), lists(p[50:])]),
    "duckdb": lambda p: duckdb.from_arrow(pa.table(dict(zip(NAMES, p.T.copy(), strict=True)))),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("array", [P, SINGLE], ids=["float64", "float32"])
def test_every_kind_of_array_gives_the_same_model(kind, array):
    expected = ClassWeightPlugin(method="cwplugin", classes=NAMES).fit(array, y)
    given = KINDS[kind](array)
    found = ClassWeightPlugin(method="cwplugin", classes=NAMES).fit(given, y)
    if kind in ("list", "tuples"):
        expected = ClassWeightPlugin(method="cwplugin", classes=NAMES).fit(array.astype(np.float64), y)
    assert found.model_.to_json() == expected.model_.to_json()
    assert (found.predict(KINDS[kind](array)) == expected.predict(array)).all()
    assert found.predict_proba(KINDS[kind](array)).tolist() == expected.predict_proba(array).tolist()


@pytest.mark.parametrize("array", [P, SINGLE], ids=["float64", "float32"])
def test_arrays_in_c_order_are_read_where_they_are(array):
    array = np.ascontiguousarray(array)
    read_only = array.copy()
    read_only.flags.writeable = False
    memory = pa.array(array.ravel())
    for given, address in [
        (array, array.ctypes.data),
        (array[17:90], array[17:].ctypes.data),
        (read_only, read_only.ctypes.data),
        (pa.FixedSizeListArray.from_arrays(memory, 3), memory.buffers()[1].address),
        (pa.table({"p": pa.FixedSizeListArray.from_arrays(memory, 3)}), memory.buffers()[1].address),
    ]:
        assert _core._address_of(given) == address
    series = pl.Series("p", array, dtype=pl.Array(pl.Float64 if array.dtype == np.float64 else pl.Float32, 3))
    flat = series.to_arrow().flatten()
    assert _core._address_of(series.to_frame()) == flat.buffers()[1].address + flat.offset * array.itemsize
    assert ClassWeightPlugin(method="ascent", classes=NAMES).fit(series, y).model_ == (
        ClassWeightPlugin(method="ascent", classes=NAMES).fit(array, y).model_
    )
    table = pd.DataFrame(array, columns=NAMES, copy=False)
    assert np.shares_memory(table.to_numpy(), array), "pandas shows an array that it was given"
    assert _core._address_of(table.to_numpy()) == array.ctypes.data


@pytest.mark.parametrize("array", [P, SINGLE], ids=["float64", "float32"])
def test_a_fit_reads_a_copy_of_an_array_that_may_change_meanwhile(array):
    array = np.ascontiguousarray(array)
    view = array[17:90]
    view.flags.writeable = False
    own = array.copy()
    own.flags.writeable = False
    for given, is_copied in [(array, True), (array[17:90], True), (view, True), (own, False), (own[17:90], False)]:
        assert (_core._address_of(given, often=True) != given.ctypes.data) == is_copied
    rows = _rows.Rows(array.copy(), NAMES).labelled(y, NAMES)
    builder = _core.SampleBuilder(NAMES)
    builder.add(rows)
    rows.probabilities[:] = np.nan
    plugin = ClassWeightPlugin(method="ascent", classes=NAMES)
    fitted = builder.fit(plugin._request(np.array(NAMES)))
    assert list(fitted.weights) == list(plugin.fit(array, y).weights_)


def test_other_orders_are_copied():
    for kind in ("Fortran", "strided"):
        given = KINDS[kind](P)
        assert _core._address_of(given) != given.ctypes.data


LABELS = {
    "texts": (NAMES, lambda codes: np.array(NAMES)[codes]),
    "objects": (NAMES, lambda codes: np.array(NAMES, dtype=object)[codes]),
    "bytes": ([b"a", b"b", b"c"], lambda codes: np.array([b"a", b"b", b"c"])[codes]),
    "whole numbers": ([3, 5, 9], lambda codes: np.array([3, 5, 9])[codes]),
    "small numbers": ([3, 5, 9], lambda codes: np.array([3, 5, 9], dtype=np.int8)[codes]),
    "big endian": ([3, 5, 9], lambda codes: np.array([3, 5, 9], dtype=">i4")[codes]),
    "negative": ([-1, 0, 1], lambda codes: np.array([-1, 0, 1])[codes]),
    "floats": ([1.0, 2.0, 2.5], lambda codes: np.array([1.0, 2.0, 2.5], dtype=object)[codes]),
    "list": (NAMES, lambda codes: [NAMES[code] for code in codes]),
    "pandas": (NAMES, lambda codes: pd.Series([NAMES[code] for code in codes], name="sentiment")),
    "pandas categorical": (NAMES, lambda codes: pd.Series(pd.Categorical.from_codes(codes, NAMES))),
    "pandas Int64": ([3, 5, 9], lambda codes: pd.Series(np.array([3, 5, 9])[codes], dtype="Int64")),
    "pandas string": (NAMES, lambda codes: pd.Series([NAMES[code] for code in codes], dtype="string")),
    "polars": (NAMES, lambda codes: pl.Series([NAMES[code] for code in codes])),
    "polars categorical": (NAMES, lambda codes: pl.Series([NAMES[code] for code in codes], dtype=pl.Categorical)),
    "polars enum": (NAMES, lambda codes: pl.Series([NAMES[code] for code in codes], dtype=pl.Enum(NAMES))),
    "pyarrow": (NAMES, lambda codes: pa.array([NAMES[code] for code in codes])),
    "pyarrow chunks": (
        NAMES,
        lambda codes: pa.chunked_array([[NAMES[c] for c in codes[:50]], [NAMES[c] for c in codes[50:]]]),
    ),
    "pyarrow dictionary": (NAMES, lambda codes: pa.array([NAMES[code] for code in codes]).dictionary_encode()),
    "column": (NAMES, lambda codes: np.array(NAMES)[codes][:, None]),
}


@pytest.mark.parametrize("kind", LABELS)
def test_labels_of_every_kind(kind):
    classes, make = LABELS[kind]
    codes = np.array([NAMES.index(label) for label in y])
    expected = ClassWeightPlugin(method="ascent").fit(P, codes)
    found = ClassWeightPlugin(method="ascent").fit(P, make(codes))
    assert found.classes_.tolist() == classes
    assert (found.weights_ == expected.weights_).all()
    assert found.predict(P).tolist() == [classes[code] for code in expected.predict(P)]
    assert type(found.predict(P)[0].item() if hasattr(found.predict(P)[0], "item") else found.predict(P)[0]) is type(
        classes[0]
    )


def test_truth_values_are_labels():
    Q, codes = black_box(100, 2)
    for given in (
        codes.astype(bool),
        pd.Series(codes.astype(bool)),
        pl.Series(codes.astype(bool)),
        codes.astype(bool).tolist(),
    ):
        found = ClassWeightPlugin(method="ascent").fit(Q, given)
        assert found.classes_.tolist() == [False, True]
        assert found.model_.to_json().count('"False"') == 1
        assert found.predict(Q).dtype == bool


@pytest.mark.parametrize(
    "missing",
    [
        lambda labels: [None if i % 3 == 0 else label for i, label in enumerate(labels)],
        lambda labels: pd.Series([None if i % 3 == 0 else label for i, label in enumerate(labels)]),
        lambda labels: pd.Series([None if i % 3 == 0 else label for i, label in enumerate(labels)], dtype="string"),
        lambda labels: pl.Series([None if i % 3 == 0 else label for i, label in enumerate(labels)]),
        lambda labels: pa.array([None if i % 3 == 0 else label for i, label in enumerate(labels)]),
        lambda labels: np.array([np.nan if i % 3 == 0 else NAMES.index(label) for i, label in enumerate(labels)]),
        lambda labels: pd.Series([None if i % 3 == 0 else NAMES.index(x) for i, x in enumerate(labels)], dtype="Int64"),
    ],
    ids=["list", "pandas", "pandas string", "polars", "pyarrow", "NaN", "Int64"],
)
def test_none_and_nan_are_no_labels(missing):
    found = ClassWeightPlugin(method="expected").fit(P, missing(y.tolist()))
    assert found.report_.unlabelled == len(range(0, 200, 3))
    assert found.report_.rows == 200 - len(range(0, 200, 3))


def test_columns_that_are_called_like_the_labels_are_those_classes():
    order = [2, 0, 1]
    expected = ClassWeightPlugin(method="ascent").fit(P, y)
    for prefix in ("", "p_"):
        names = [prefix + NAMES[k] for k in order]
        for table in (pd.DataFrame(P[:, order], columns=names), pl.DataFrame(P[:, order], schema=names)):
            found = ClassWeightPlugin(method="ascent").fit(table, y)
            assert found.classes_.tolist() == [NAMES[k] for k in order]
            assert (found.predict(table) == expected.predict(P)).all()
            assert (found.model_.apply(table[table.columns[::-1]] if prefix else table) == expected.predict(P)).all()


def test_a_class_without_labelled_rows_is_named_by_its_column_or_by_hand():
    keep = y != "b"
    table = pd.DataFrame(P, columns=NAMES)[keep]
    assert ClassWeightPlugin(method="ascent").fit(table, y[keep]).classes_.tolist() == NAMES
    assert ClassWeightPlugin(method="ascent", classes=NAMES).fit(P[keep], y[keep]).classes_.tolist() == NAMES
    assert ClassWeightPlugin(method="ascent").fit(P[keep], np.where(y[keep] == "a", 0, 2)).classes_.tolist() == [
        0,
        1,
        2,
    ]
    with pytest.raises(InputError, match="classes="):
        ClassWeightPlugin(method="ascent").fit(P[keep], y[keep])


def test_logits_and_logprobs_are_turned_into_probabilities():
    expected = ClassWeightPlugin(method="ascent").fit(P, y)
    for scores in ("logits", "logprobs"):
        found = ClassWeightPlugin(method="ascent", scores=scores).fit(np.log(P), y)
        assert (found.predict(np.log(P)) == expected.predict(P)).all()
    found = ClassWeightPlugin(method="ascent", normalize=True).fit(7 * P, y)
    assert (found.predict(3 * SINGLE) == expected.predict(P)).all()


def test_what_is_no_matrix_of_numbers_is_refused():
    for wrong, match in [
        (P[0], "2D"),
        (P[None], "2D"),
        (np.array([["x", "y"]]), "numbers"),
        (P.astype(complex), "Complex"),
        (pl.DataFrame({"a": ["x"], "b": ["y"]}), "contains Utf8View|contains"),
    ]:
        with pytest.raises(ValueError, match=match):
            ClassWeightPlugin(classes=NAMES[: np.shape(wrong)[-1]]).fit(wrong, ["a"])
    import scipy.sparse

    with pytest.raises(TypeError, match="toarray"):
        ClassWeightPlugin().fit(scipy.sparse.csr_matrix(P), y)
    with pytest.raises(InputError, match='row 2, column "b": the value is missing') as error:
        ClassWeightPlugin(classes=NAMES).fit(
            pl.DataFrame({"a": [0.5, 0.5], "b": [0.5, None], "c": [0.0, 0.5]}), ["a", "b"]
        )
    assert (error.value.row, error.value.column) == (1, "b")


def test_a_missing_value_is_found_in_every_batch():
    batches = [
        pa.record_batch({"a": [0.5, 0.5], "b": [0.5, 0.5]}),
        pa.record_batch({"a": [0.5, 0.5], "b": [0.5, None]}),
    ]
    with pytest.raises(InputError, match='row 4, column "b": the value is missing') as error:
        ClassWeightPlugin(classes=["a", "b"]).fit(pa.Table.from_batches(batches), ["a", "b", "a", "b"])
    assert error.value.row == 3


def test_lists_of_a_fixed_size_are_a_matrix_without_names():
    expected = ClassWeightPlugin(method="ascent").fit(P, y)
    series = pl.Series("p", P, dtype=pl.Array(pl.Float64, 3))
    for given in (lists(P), pa.table({"p": lists(P)}), pa.chunked_array([lists(P)]), series, series.to_frame()):
        found = ClassWeightPlugin(method="ascent").fit(given, y)
        assert (found.n_features_in_, found.classes_.tolist()) == (3, NAMES)
        assert found.model_ == expected.model_
        assert (found.predict(given) == expected.predict(P)).all()
        assert (found.model_.apply(given) == expected.predict(P)).all()


def test_models_find_the_columns_of_tables():
    model = Model(NAMES, [1, 2, 3])
    table = pd.DataFrame(P, columns=NAMES)
    expected = model.apply(P).tolist()
    for given in (
        table,
        table[["c", "a", "b"]],
        table.assign(id=1),
        pl.from_pandas(table).select("b", "c", "a"),
        pa.Table.from_pandas(table.add_prefix("p_")),
        pd.DataFrame(P),
    ):
        assert model.apply(given).tolist() == expected
    with pytest.raises(InputError, match='no column "b" or "p_b"'):
        model.apply(table.rename(columns={"b": "x"}))
