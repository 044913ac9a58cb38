"""Probabilities, labels and weights as the Rust side takes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cwplugin import _labels
from cwplugin._errors import InputError


@dataclass(slots=True)
class Rows:
    """Rows of probabilities, with what is known of them; nothing is checked here."""

    probabilities: Any
    classes: list[str]
    labels: _labels.Numbered | None = None
    weights: NDArray[np.float64] | None = None
    features: NDArray[np.float64] | None = None
    feature_names: list[str] | None = None
    columns: list[str] = field(default_factory=list)
    label: str = "label"
    weight: str = "sample_weight"
    scores: str = "probabilities"
    normalize: bool = False

    def __post_init__(self) -> None:
        if not self.columns:
            self.columns = self.classes


def list_width(table: Any) -> int | None:
    """How long the lists are, of a column of fixed-size lists, alone or as the one of a table; None for all else."""
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
    """What the columns of a table are called; None for an array, and for lists of probabilities."""
    if isinstance(table, np.ndarray | list | tuple) or list_width(table) is not None:
        return None
    names = getattr(table, "column_names", None)  # pyarrow
    if names is None:
        names = getattr(table, "columns", None)  # pandas, polars, DuckDB
    if names is None or callable(names):
        return None
    return [_labels.name_of(name) for name in names]


def is_arrow(table: Any) -> bool:
    """Whether a table hands over Arrow columns, and is best read so."""
    return hasattr(table, "__arrow_c_stream__") or hasattr(table, "__arrow_c_array__")


def matrix(table: Any, what: str = "probabilities") -> Any:
    """Something with two dimensions that the Rust side reads: an array of floats, or a table of Arrow columns."""
    if hasattr(table, "combine_chunks") and not hasattr(table, "column_names"):
        table = table.combine_chunks()  # a column of lists of pyarrow
    elif hasattr(table, "to_frame") and is_arrow(table):
        table = table.to_frame()  # a column of lists of polars
    if isinstance(table, np.ndarray):
        array = table if table.flags.aligned else table.copy()
    elif hasattr(table, "dtypes") and hasattr(table, "to_numpy") and hasattr(table, "iloc"):
        array = table.to_numpy()  # pandas hands over a view where all columns are of one kind
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
            raise _no_numbers(table, what, error) from None
    if array.ndim != 2:
        hint = "Reshape your data: array.reshape(1, -1) is one row"
        raise InputError(f"Expected 2D array of {what}, got {array.ndim}D array instead\n  hint: {hint}")
    return array


def _no_numbers(table: Any, what: str, error: Exception) -> InputError:
    """Names the first column that holds something else."""
    for place, name in enumerate(column_names(table) or []):
        try:
            table.iloc[:, place].to_numpy().astype(np.float64)
        except (TypeError, ValueError):
            text = f'column "{name}" holds no numbers\n  hint: pass only the columns of the classes'
            return InputError(text, column=name)
    return InputError(f"{what} are numbers: {error}")


def in_order(table: Any, classes: list[str], *, is_named: bool) -> tuple[Any, list[str] | None]:
    """The columns of a table that are called like the classes, in their order; others are left out.

    An array has no names, and is taken as it is. So is a table of which no column is called like a class, unless
    ``is_named`` says that they have to be.
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
    is_like_none = not {name.removeprefix("p_") for name in columns} & set(classes)
    if all(name.isdigit() for name in columns) if is_named else is_like_none:
        return table, columns  # a table without names of its own
    missing = next((name for name in classes if not {name, f"p_{name}"} & set(columns)), classes[0])
    raise InputError(
        f'no column "{missing}" or "p_{missing}"; the columns are {_labels.quoted(columns)}\n'
        "  hint: the columns of a table are named after the classes; an array is taken in their order"
    )


def refuse_other_order(columns: Sequence[str] | None, classes: Sequence[str]) -> None:
    """Refuse a table whose columns are called like the classes, but in another order than ``classes=`` says."""
    for prefix in ("", "p_"):
        wanted = [prefix + name for name in classes]
        if columns is not None and list(columns) != wanted and sorted(columns) == sorted(wanted):
            raise InputError(
                f"the columns are {_labels.quoted(columns)}, but classes= says {_labels.quoted(classes)}\n"
                "  hint: leave classes= out, since the columns are named, or bring one into the order of the other"
            )


def shape(table: Any) -> tuple[int | None, int | None]:
    """Rows and columns; None where only the Rust side will know."""
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
    array = np.asarray(weights, dtype=np.float64)
    if array.ndim != 1:
        raise InputError(f"{column}: one weight per row, not an array of shape {array.shape}")
    if array.size > 0 and not array.any():
        raise InputError(
            f"{column}: every weight is zero, so that no row counts\n  hint: a row of weight 0 takes no part"
        )
    return array


def classes_of(table: Any, n_columns: int | None, labels: _labels.Factors, names: Sequence[str] | None) -> NDArray[Any]:
    """The classes that the columns stand for, if nobody says: by their names, or in increasing order.

    Columns that are called like the labels, or ``p_`` and a label, are those classes, in their own order.
    Columns without names are the labels in increasing order, as in scikit-learn's ``predict_proba``; whole numbers from
    0 are places.
    """
    known = _labels.distinct(labels)
    found = [_labels.name_of(_labels.item(label)) for label in known]
    for prefix in ("", "p_"):
        if names is not None and all(name.startswith(prefix) for name in names):
            bare = [name[len(prefix) :] for name in names]
            if len(found) > 0 and set(found) <= set(bare):
                kinds = dict(zip(found, known.tolist(), strict=True))
                if len(found) == len(bare):
                    return np.array([kinds[name] for name in bare], dtype=known.dtype)
                return _of_kind(bare, kinds, known)
            if set(found) & set(bare) and not all(name.isdigit() for name in bare):
                return np.array(bare, dtype=object)  # a label that is no column is refused with its row
    if n_columns is None or len(known) == n_columns:
        return known
    is_place = known.dtype.kind in "iu" and len(known) > 0 and known.min() >= 0 and known.max() < n_columns
    if is_place:
        return np.arange(n_columns, dtype=known.dtype)
    raise InputError(
        f"{n_columns} columns, but the labels are {_labels.quoted(known.tolist())}\n"
        "  hint: say classes=[…], one for each column, in the order of the columns"
    )


def _of_kind(names: list[str], kinds: dict[str, Any], known: NDArray[Any]) -> NDArray[Any]:
    """Classes without a label are of the kind of those that have one."""
    if known.dtype.kind in "US":
        return np.array(names)
    try:
        others = [kinds[name] if name in kinds else known.dtype.type(name) for name in names]
    except (TypeError, ValueError):
        return np.array([kinds.get(name, name) for name in names], dtype=object)
    return np.array(others, dtype=known.dtype)
