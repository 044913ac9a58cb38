"""Labels of any kind become indices of classes, and indices labels again."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cwplugin import _core
from cwplugin._errors import InputError

#: Labels, one for each class.
Classes = Sequence[Any] | NDArray[Any]

#: The index that means "no label".
UNLABELLED = np.uint32(0xFFFFFFFF)


def quoted(names: Classes) -> str:
    """Names in quotation marks, cut short where they would fill the screen."""
    shown = ", ".join(f'"{name}"' for name in names[:12])
    return f"{shown} and {len(names) - 12} more" if len(names) > 12 else shown


def item(label: Any) -> Any:
    """A scalar of Python's own, so that 1 and numpy.int64(1) are one label."""
    return label.item() if isinstance(label, np.generic) else label


def name(label: object) -> str:
    """The name of a class in a model file: integers without a decimal point, everything else as it prints."""
    label = item(label)
    return str(int(label)) if isinstance(label, float) and label.is_integer() else str(label)


def names(classes: Classes) -> list[str]:
    """The names of all classes."""
    return [name(label) for label in classes]


def is_missing(label: object) -> bool:
    """Whether a row is unlabelled: None, NaN, NaT, pandas' NA, or a blank string."""
    if label is None or (isinstance(label, str) and not label.strip()):
        return True
    pandas = sys.modules.get("pandas")
    if pandas is not None and label is pandas.NA:
        return True
    try:
        return bool(label != label)
    except (TypeError, ValueError):
        return False


def refuse_masked(values: Any, what: str) -> None:
    """Refuse an array with masked values, whose mask would be lost."""
    if isinstance(values, np.ma.MaskedArray) and (count := int(np.count_nonzero(values.mask))) > 0:
        are = "1 value is" if count == 1 else f"{count} values are"
        raise InputError(
            f"{what}: {are} masked, and cwplugin does not read masks\n"
            "  hint: drop these rows, or fill the values in with array.filled(…)"
        )


def as_array(labels: Any) -> NDArray[Any]:
    """Labels as a flat array of NumPy."""
    refuse_masked(labels, "labels")
    if hasattr(labels, "to_numpy") and not isinstance(labels, np.ndarray):
        # An Array of pyarrow copies only on request; pandas, polars and ChunkedArray always do.
        is_arrow_array = hasattr(labels, "buffers")
        array = labels.to_numpy(zero_copy_only=False) if is_arrow_array else labels.to_numpy()
    else:
        array = np.asarray(labels)
        if array.dtype.kind in "US" and not isinstance(labels, np.ndarray):
            mixed = np.asarray(labels, dtype=object)
            # Strings mixed with None or numbers: NumPy would convert all of them to strings.
            if not all(isinstance(label, str | bytes) for label in mixed.ravel()):
                array = mixed
    array = np.asarray(array)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise InputError(f"labels must be one-dimensional, got an array of shape {array.shape}")
    return array


class Codes(NamedTuple):
    """The class of every row: a code for each row, and for each code the index of its class, or ``UNLABELLED``."""

    codes: NDArray[np.uint32]
    indices: NDArray[np.uint32]

    def array(self) -> NDArray[np.uint32]:
        """The index of the class of every row."""
        return self.indices[self.codes]


class Factors(NamedTuple):
    """A code for each row, and the labels that the codes stand for."""

    codes: NDArray[np.uint32]
    #: The distinct labels, in order of first appearance.
    labels: list[Any]
    #: The row of each first appearance.
    first: NDArray[np.uint64]
    dtype: np.dtype[Any]


def factorize(array: NDArray[Any] | Factors) -> Factors:
    """Give equal labels the same code; factors stay as they are, since this is slow on many rows."""
    if isinstance(array, Factors):
        return array
    if array.dtype.kind in "biufUSM" and array.dtype.isnative:
        plain = np.ascontiguousarray(array)
        codes, first = _core.factorize(plain.view(np.uint8).reshape(len(plain), plain.dtype.itemsize))
    else:
        codes, first = _core.factorize_objects(array.tolist())
    return Factors(codes, [item(array[row]) for row in first.astype(np.intp)], first, array.dtype)


def encode(array: NDArray[Any] | Factors, classes: Classes, column: str = "label") -> Codes:
    """Find the class of every label; refuse labels that are not a class."""
    codes, labels, first, _ = factorize(array)
    index_of = {item(label): index for index, label in enumerate(classes)}
    if not index_of.keys() >= {label for label in labels if not is_missing(label)}:
        # A table of strings may say "1" where the class is 1.
        index_of = {**{name(label): index for label, index in index_of.items()}, **index_of}
    indices = np.full(max(len(labels), 1), UNLABELLED, dtype=np.uint32)
    unknown = []
    for code, label in enumerate(labels):
        index = index_of.get(label)
        if index is not None:
            indices[code] = index
        elif not is_missing(label):
            unknown.append((int(first[code]), label))
    if unknown:
        row, label = min(unknown, key=lambda found: found[0])
        text = f'row {row + 1}, column "{column}": unknown class "{label}"\n  hint: the classes are {quoted(classes)}'
        raise InputError(text, row, column)
    return Codes(codes, indices)


def unique(array: NDArray[Any] | Factors) -> NDArray[Any]:
    """The distinct labels in increasing order, without missing ones; of the array's dtype where possible."""
    _, labels, _, dtype = factorize(array)
    labels = list({label: None for label in labels if not is_missing(label)})
    try:
        labels = sorted(labels)
    except TypeError:
        kinds = quoted(sorted({type(label).__name__ for label in labels}))
        raise TypeError(f"labels of several types cannot be sorted: {kinds}; pass classes=[…]") from None
    if dtype.kind in "biufUSM":
        return np.array(labels, dtype=dtype)
    return np.array(labels) if labels else np.array([], dtype=object)
