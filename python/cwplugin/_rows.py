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
    codes: NDArray[np.uint32] | None = None
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


def column_names(table: Any) -> list[str] | None:
    """What the columns of a table are called; None for an array."""
    if isinstance(table, np.ndarray | list | tuple):
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
            raise InputError(f"{what} are numbers: {error}") from None
    if array.ndim != 2:
        hint = "Reshape your data: array.reshape(1, -1) is one row"
        raise InputError(f"Expected 2D array of {what}, got {array.ndim}D array instead\n  hint: {hint}")
    return array


def shape(table: Any) -> tuple[int | None, int | None]:
    """Rows and columns; None where only the Rust side will know."""
    if isinstance(table, np.ndarray):
        return table.shape[0], table.shape[1]
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


def classes_of(table: Any, n_columns: int | None, labels: NDArray[Any], names: Sequence[str] | None) -> NDArray[Any]:
    """The classes that the columns stand for, if nobody says: by their names, or in increasing order.

    Columns that are called like the labels, or ``p_`` and a label, are those classes, in their own order. Columns
    without
    names are the labels in increasing order, as in scikit-learn's ``predict_proba``; whole numbers from 0 are places.
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
