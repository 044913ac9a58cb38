"""Probabilities, labels and weights as the Rust side takes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cwplugin import _labels
from cwplugin._errors import InputError


@dataclass(slots=True)
class Rows:
    """Probabilities with labels, weights and features; the Rust side checks them."""

    probabilities: Any
    classes: list[str]
    labels: _labels.Codes | None = None
    weights: NDArray[np.float64] | None = None
    features: NDArray[np.float64] | None = None
    feature_names: list[str] | None = None
    #: Names of the columns; those of the classes if None.
    columns: list[str] | None = None
    label: str = "label"
    weight: str = "sample_weight"
    scores: str = "probabilities"
    normalize: bool = False
    #: How the rows were read from replies, as JSON.
    input: str | None = None
    #: The votes of every row that was read from votes.
    votes: NDArray[np.uint64] | None = None

    def __post_init__(self) -> None:
        if not self.columns:
            self.columns = self.classes

    def labelled(
        self, y: Any, classes: _labels.Classes, sample_weight: Any = None, factors: _labels.Factors | None = None
    ) -> Rows:
        """These rows with labels and row weights; ``factors`` are those of ``y``, if they are known."""
        self.label = str(getattr(y, "name", None) or "label")
        self.labels = _labels.encode(_labels.as_array(y) if factors is None else factors, classes, self.label)
        self.weights = row_weights(sample_weight)
        return self

    def with_features(self, features: Any) -> Rows:
        """These rows with features, if there are any."""
        if features is not None:
            self.feature_names = column_names(features)
            self.features = matrix(features, "features").astype(np.float64)
        return self


def read(
    X: Any, y: Any, *, classes: Any, sample_weight: Any, scores: str, normalize: bool
) -> tuple[Rows, NDArray[Any]]:
    """Labelled rows, and their classes: those given, or those of the columns."""
    table, columns = matrix(X), column_names(X)
    factors = _labels.factorize(_labels.as_array(y))
    known = resolve_classes(classes, shape(table)[1], factors, columns)
    rows = of(X, table, _labels.names(known), columns=columns, scores=scores, normalize=normalize)
    return rows.labelled(y, known, sample_weight, factors), known


def of(X: Any, table: Any, names: list[str], *, columns: list[str] | None, scores: str, normalize: bool) -> Rows:
    """Rows of ``X``, whose numbers are ``table``; replies bring along how they were read."""
    facts: tuple[str, NDArray[np.uint64] | None] | None = getattr(X, "_facts", None)
    if facts is None:
        return Rows(table, names, columns=columns, scores=scores, normalize=normalize)
    text, votes = facts
    if scores != "probabilities" and not (scores == "votes" and votes is not None):
        raise InputError(f'scores="{scores}", but replies have probabilities\n  hint: leave out scores')
    return Rows(table, names, columns=columns, normalize=normalize, input=text, votes=votes)


def read_by_name(
    X: Any, names: list[str], *, must_match: bool = False, scores: str = "probabilities", normalize: bool = False
) -> Rows:
    """Rows whose classes are known; ``must_match`` as for :func:`in_order`."""
    table, columns = in_order(X, names, must_match=must_match)
    return of(X, matrix(table), names, columns=columns, scores=scores, normalize=normalize)


def list_width(table: Any) -> int | None:
    """The length of the lists in a column of fixed-size lists, alone or as the only one of a table; else None."""
    kind = getattr(table, "type", None)
    schema = getattr(table, "schema", None)
    if kind is None and schema is not None and not callable(schema) and len(schema) == 1:
        kind = schema.field(0).type if hasattr(schema, "field") else next(iter(schema.values()))
    for name in ("list_size", "size"):  # pyarrow, polars
        width = getattr(kind, name, None)
        if isinstance(width, int):
            return width
    return None


def column_names(table: Any) -> list[str] | None:
    """The names of the columns of a table; None for an array and for a column of lists."""
    if isinstance(table, np.ndarray | list | tuple) or list_width(table) is not None:
        return None
    names = getattr(table, "column_names", None)  # pyarrow
    if names is None:
        names = getattr(table, "columns", None)  # pandas, polars, DuckDB
    if names is None or callable(names):
        return None
    return _labels.names(names)


def is_arrow(table: Any) -> bool:
    """Whether a table has an Arrow interface."""
    return hasattr(table, "__arrow_c_stream__") or hasattr(table, "__arrow_c_array__")


def matrix(table: Any, what: str = "probabilities") -> Any:
    """What the Rust side reads: a two-dimensional array of floats, or a table with an Arrow interface."""
    _labels.refuse_masked(table, what)
    if hasattr(table, "combine_chunks") and not hasattr(table, "column_names"):
        table = table.combine_chunks()  # a column of lists of pyarrow
    elif hasattr(table, "to_frame") and is_arrow(table):
        table = table.to_frame()  # a column of lists of polars
    if isinstance(table, np.ndarray):
        array = table if table.flags.aligned else table.copy()
    elif hasattr(table, "dtypes") and hasattr(table, "to_numpy") and hasattr(table, "iloc"):
        array = table.to_numpy()  # a view where all columns are of one dtype
    elif is_arrow(table):
        return table
    elif hasattr(table, "toarray"):
        raise TypeError(f"sparse {what} are not supported: use {what}.toarray()")
    else:
        array = np.asarray(table)
    if array.dtype.kind == "c":
        raise ValueError(f"Complex data not supported\n{array}\n")
    if array.dtype not in (np.float32, np.float64) or not array.dtype.isnative:
        try:
            array = array.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise _not_numbers(table, what, error) from None
    if array.ndim != 2:
        hint = "Reshape your data: array.reshape(1, -1) is one row"
        raise InputError(f"Expected 2D array of {what}, got {array.ndim}D array instead\n  hint: {hint}")
    return array


def _not_numbers(table: Any, what: str, error: Exception) -> InputError:
    """An error that names the first column without numbers."""
    for place, name in enumerate(column_names(table) or []):
        try:
            table.iloc[:, place].to_numpy().astype(np.float64)
        except (TypeError, ValueError):
            text = f'column "{name}" does not contain numbers\n  hint: pass only the columns of the classes'
            return InputError(text, column=name)
    return InputError(f"{what} must be numbers: {error}")


def in_order(table: Any, classes: list[str], *, must_match: bool) -> tuple[Any, list[str] | None]:
    """The columns of a table that are named after the classes, in their order; other columns are dropped.

    An array is taken by position. So is a table of which no column is named after a class, unless ``must_match``.
    """
    columns = column_names(table)
    if columns is None:
        return table, None
    for prefix in ("", "p_"):
        wanted = [prefix + name for name in classes]
        if set(wanted) <= set(columns):
            if wanted == columns:
                return table, columns
            if hasattr(table, "column_names"):  # pyarrow
                return table.select(wanted), wanted
            own = list(table.columns)
            chosen = [own[columns.index(name)] for name in wanted]
            return (table.select(*chosen) if hasattr(table, "select") else table[chosen]), wanted
    none_matches = not {name.removeprefix("p_") for name in columns} & set(classes)
    if all(name.isdigit() for name in columns) if must_match else none_matches:
        return table, columns  # numbered columns are no names
    missing = next((name for name in classes if not {name, f"p_{name}"} & set(columns)), classes[0])
    raise InputError(
        f'no column "{missing}" or "p_{missing}"; the columns are {_labels.quoted(columns)}\n'
        "  hint: name the columns of a table after the classes, or pass an array in their order"
    )


def check_order(columns: Sequence[str] | None, classes: Sequence[str]) -> None:
    """Refuse a table whose columns are named after the classes, but in another order than ``classes=``."""
    for prefix in ("", "p_"):
        wanted = [prefix + name for name in classes]
        if columns is not None and list(columns) != wanted and sorted(columns) == sorted(wanted):
            raise InputError(
                f"the columns are {_labels.quoted(columns)}, but classes= is {_labels.quoted(classes)}\n"
                "  hint: leave out classes=, since the columns have names, or use the same order"
            )


def shape(table: Any) -> tuple[int | None, int | None]:
    """Rows and columns; None where only the Rust side can tell."""
    if isinstance(table, np.ndarray):
        return table.shape[0], table.shape[1]
    if (width := list_width(table)) is not None:
        return None, width
    found = getattr(table, "shape", None)
    if isinstance(found, tuple) and len(found) == 2 and all(isinstance(side, int) for side in found):
        return found
    names = column_names(table)
    return None, None if names is None else len(names)


def row_weights(weights: Any, column: str = "sample_weight") -> NDArray[np.float64] | None:
    """Row weights as floats."""
    if weights is None:
        return None
    _labels.refuse_masked(weights, column)
    array = np.asarray(weights, dtype=np.float64)
    if array.ndim != 1:
        raise InputError(f"{column} must have one weight per row, got an array of shape {array.shape}")
    if array.size > 0 and not array.any():
        raise InputError(f"{column}: all weights are zero\n  hint: a row of weight 0 is ignored")
    return array


def resolve_classes(
    classes: Any, n_columns: int | None, labels: _labels.Factors, columns: Sequence[str] | None
) -> NDArray[Any]:
    """The classes of the columns: those given, or inferred from names and labels."""
    if classes is None:
        return infer_classes(n_columns, labels, columns)
    known = np.asarray(classes)
    if n_columns is not None and len(known) != n_columns:
        raise InputError(f"classes= has {len(known)} labels, but there are {n_columns} columns")
    check_order(columns, _labels.names(known))
    return known


def infer_classes(n_columns: int | None, labels: _labels.Factors, names: Sequence[str] | None) -> NDArray[Any]:
    """The classes of the columns, by the names of the columns or else in increasing order of the labels.

    Columns that are named after the labels, with or without ``p_``, are those classes, in the order of the columns.
    Columns without names are the labels in increasing order, as in scikit-learn's ``predict_proba``; non-negative
    integers are positions.
    """
    known = _labels.unique(labels)
    found = _labels.names(known)
    for prefix in ("", "p_"):
        if names is not None and all(name.startswith(prefix) for name in names):
            bare = [name[len(prefix) :] for name in names]
            if len(found) > 0 and set(found) <= set(bare):
                kinds = dict(zip(found, known.tolist(), strict=True))
                if len(found) == len(bare):
                    return np.array([kinds[name] for name in bare], dtype=known.dtype)
                return _of_kind(bare, kinds, known)
            if set(found) & set(bare) and not all(name.isdigit() for name in bare):
                return np.array(bare, dtype=object)  # a label without a column is refused with its row
    if n_columns is None or len(known) == n_columns:
        return known
    is_position = known.dtype.kind in "iu" and len(known) > 0 and known.min() >= 0 and known.max() < n_columns
    if is_position:
        return np.arange(n_columns, dtype=known.dtype)
    raise InputError(
        f"{n_columns} columns, but the labels are {_labels.quoted(known.tolist())}\n"
        "  hint: pass classes=[…], one label for each column, in the order of the columns"
    )


def _of_kind(names: list[str], kinds: dict[str, Any], known: NDArray[Any]) -> NDArray[Any]:
    """Classes without labelled rows get the type of the others."""
    if known.dtype.kind in "US":
        return np.array(names)
    try:
        others = [kinds[name] if name in kinds else known.dtype.type(name) for name in names]
    except (TypeError, ValueError):
        return np.array([kinds.get(name, name) for name in names], dtype=object)
    return np.array(others, dtype=known.dtype)
