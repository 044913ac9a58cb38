"""Labels of any kind become numbers, and numbers labels again."""

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

#: Stands for "no label" where labels are numbers.
UNLABELLED = np.uint32(0xFFFFFFFF)


def quoted(names: Classes) -> str:
    """Names in quotation marks, cut short where they would fill the screen."""
    shown = ", ".join(f'"{name}"' for name in names[:12])
    return f"{shown} and {len(names) - 12} more" if len(names) > 12 else shown


def name_of(label: object) -> str:
    """How a model file calls a class: whole numbers without a point, all else as it prints."""
    if isinstance(label, float | np.floating) and float(label).is_integer():
        return str(int(label))
    return str(label)


def is_missing(label: object) -> bool:
    """Whether a label says that there is none: None, NaN, NaT, pandas' NA, or a text of nothing but spaces."""
    if label is None or (isinstance(label, str) and not label.strip()):
        return True
    pandas = sys.modules.get("pandas")
    if pandas is not None and label is pandas.NA:
        return True
    try:
        return bool(label != label)
    except (TypeError, ValueError):
        return False


def as_array(labels: Any) -> NDArray[Any]:
    """Labels as a flat array of NumPy, whatever they came in."""
    if hasattr(labels, "to_numpy") and not isinstance(labels, np.ndarray):
        # An Array of pyarrow does not copy unless it is told to; pandas, polars and its ChunkedArray just do.
        is_arrow_array = hasattr(labels, "buffers")
        array = labels.to_numpy(zero_copy_only=False) if is_arrow_array else labels.to_numpy()
    else:
        array = np.asarray(labels)
        if array.dtype.kind in "US" and not isinstance(labels, np.ndarray):
            mixed = np.asarray(labels, dtype=object)
            # Texts beside None or numbers: NumPy would write them out as texts too.
            if not all(isinstance(label, str | bytes) for label in mixed.ravel()):
                array = mixed
    array = np.asarray(array)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise InputError(f"labels are one list, not an array of shape {array.shape}")
    return array


class Numbered(NamedTuple):
    """The class of every row: a number of every row, and for each number the place of its class, or ``UNLABELLED``."""

    codes: NDArray[np.uint32]
    places: NDArray[np.uint32]

    def array(self) -> NDArray[np.uint32]:
        """The place of the class of every row."""
        return self.places[self.codes]


class Factors(NamedTuple):
    """Every label as a number, and what the numbers stand for."""

    codes: NDArray[np.uint32]
    #: The different labels, in the order in which they come.
    labels: list[Any]
    #: Where they come first.
    first: NDArray[np.uint64]
    dtype: np.dtype[Any]


def factors(array: NDArray[Any] | Factors) -> Factors:
    """Number the labels, unless they are numbered already: of many rows it is the one thing here that takes time."""
    if isinstance(array, Factors):
        return array
    if array.dtype.kind in "biufUSM" and array.dtype.isnative:
        plain = np.ascontiguousarray(array)
        codes, first = _core.factorize(plain.view(np.uint8).reshape(len(plain), plain.dtype.itemsize))
    else:
        codes, first = _core.factorize_objects(array.tolist())
    return Factors(codes, [item(array[row]) for row in first.astype(np.intp)], first, array.dtype)


def item(label: Any) -> Any:
    """A scalar of Python's own, so that 1 and numpy.int64(1) are one label."""
    return label.item() if isinstance(label, np.generic) else label


def number(array: NDArray[Any] | Factors, classes: Classes, column: str = "label") -> Numbered:
    """Find the class of every label; a missing one has none."""
    codes, labels, first, _ = factors(array)
    places = {item(label): place for place, label in enumerate(classes)}
    if not places.keys() >= {label for label in labels if not is_missing(label)}:
        # A table of texts may say "1" where the class is 1.
        places = {**{name_of(label): place for label, place in places.items()}, **places}
    of_label = np.full(max(len(labels), 1), UNLABELLED, dtype=np.uint32)
    wrong = []
    for code, label in enumerate(labels):
        place = places.get(label)
        if place is None and is_missing(label):
            continue
        if place is None:
            wrong.append((int(first[code]), label))
        else:
            of_label[code] = place
    if wrong:
        row, label = min(wrong, key=lambda found: found[0])
        text = (
            f'row {row + 1}, column "{column}": label "{label}" is no class\n  hint: the classes are {quoted(classes)}'
        )
        raise InputError(text, row, column)
    return Numbered(codes, of_label)


def distinct(array: NDArray[Any] | Factors) -> NDArray[Any]:
    """The different labels in increasing order, without what is missing; of the array's own kind where it can be."""
    _, labels, _, dtype = factors(array)
    labels = list({label: None for label in labels if not is_missing(label)})
    try:
        labels = sorted(labels)
    except TypeError:
        kinds = quoted(sorted({type(label).__name__ for label in labels}))
        raise TypeError(f"labels of several kinds have no order: {kinds}; say classes=[…]") from None
    if dtype.kind in "biufUSM":
        return np.array(labels, dtype=dtype)
    return np.array(labels) if labels else np.array([], dtype=object)
