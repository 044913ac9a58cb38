"""The columns of a frame: classes, label and weight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyspark.sql import Column, DataFrame, functions
from pyspark.sql.types import ArrayType, DataType, DecimalType, DoubleType, FloatType, NumericType

from cwplugin import _labels
from cwplugin._errors import InputError
from cwplugin.spark._reading import Reading

#: Prefixes of class columns that are recognised by default, as in the program.
PREFIXES = ("p_", "prob_", "proba_")


def skips_bad(on_bad_rows: str) -> bool:
    """Whether bad rows are skipped and counted, instead of raising an error."""
    if on_bad_rows not in ("fail", "count"):
        raise InputError(f'invalid value "{on_bad_rows}" for on_bad_rows\n  hint: write "fail" or "count"')
    return on_bad_rows == "count"


@dataclass(frozen=True)
class Found:
    """The columns to read of a frame."""

    reading: Reading
    #: One column per class, or one for all.
    probabilities: list[Column]
    #: The label and the weight.
    others: list[Column]
    #: The classes, of the type of the predictions.
    classes: NDArray[Any]

    def projected(self, frame: DataFrame) -> DataFrame:
        """The frame with these columns only."""
        places = [column.alias(f"p{place}") for place, column in enumerate(self.probabilities)]
        return frame.select(*places, *self.others)


def find(
    frame: DataFrame,
    *,
    label: str | None = None,
    weight: str | None = None,
    classes: Sequence[Any] | NDArray[Any] | None = None,
    known: NDArray[Any] | None = None,
    probabilities: str | None = None,
    scores: str = "probabilities",
    normalize: bool = False,
) -> Found:
    """Find the columns; ``known`` are the classes of a model."""
    others, taken = [], [name for name in (label, weight) if name is not None]
    for name in taken:
        _check_exists(frame, name)
    if label is not None:
        others.append(_label_column(frame, label).alias("label"))
    if weight is not None:
        _check_numeric(frame, weight)
        others.append(column(weight).cast("double").alias("weight"))
    given = known if known is not None else None if classes is None else _labels_of(classes)
    values = None if label is None else _indexed(frame, label)
    if probabilities is not None:
        names, columns, found = _listed(frame, probabilities, given, values)
    else:
        if given is None:
            pairs = _prefixed(frame, taken)
        else:
            pairs = _named(frame, _labels.names(given), is_model=known is not None)
        names, columns = [name for name, _ in pairs], [column for _, column in pairs]
        for name in columns:
            _check_numeric(frame, name)
        found = [_number(column(name), frame.schema[name].dataType) for name in columns]
    kinds = _of_kind(names, None if label is None else frame.schema[label].dataType)
    by_place = values is not None and values == names
    if given is None:
        given = np.array(names) if by_place else np.array(kinds)
    labels = [float(place) for place in range(len(names))] if by_place else kinds
    reading = Reading(names, labels, columns, probabilities, label, weight, scores, normalize)
    return Found(reading, found, others, given)


def column(name: str) -> Column:
    """A column by its name, with any characters."""
    return functions.col("`" + name.replace("`", "``") + "`")


def _labels_of(classes: Sequence[Any] | NDArray[Any]) -> NDArray[Any]:
    labels = np.asarray(classes)
    names = _labels.names(labels)
    twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if twice is not None:
        raise InputError(f'classes= contains "{twice}" twice\n  hint: name every class once')
    return labels


def _check_exists(frame: DataFrame, name: str) -> None:
    if name not in frame.columns:
        raise InputError(f'no column "{name}"; the columns are {_labels.quoted(frame.columns)}', column=name)


def _check_numeric(frame: DataFrame, name: str) -> None:
    kind = frame.schema[name].dataType
    if not isinstance(kind, NumericType):
        raise InputError(
            f'column "{name}" contains {kind.simpleString()}, not numbers\n  hint: name only the columns of classes',
            column=name,
        )


def _number(values: Column, kind: DataType) -> Column:
    return values if isinstance(kind, FloatType | DoubleType) else values.cast("double")


def _label_column(frame: DataFrame, name: str) -> Column:
    kind = frame.schema[name].dataType
    if isinstance(kind, DecimalType):
        return column(name).cast("double")
    return column(name) if isinstance(kind, NumericType) else column(name).cast("string")


def _indexed(frame: DataFrame, label: str) -> list[str] | None:
    """The labels of the indices in a column, from the metadata of Spark's StringIndexer."""
    field = frame.schema[label]
    values = field.metadata.get("ml_attr", {}).get("vals") if isinstance(field.dataType, NumericType) else None
    return None if values is None else [str(value) for value in values]


def _of_kind(names: list[str], kind: DataType | None) -> list[Any]:
    """The labels of the classes in the label column: numbers, if it contains numbers."""
    if isinstance(kind, NumericType):
        number = float if isinstance(kind, FloatType | DoubleType | DecimalType) else int
        try:
            return [number(name) for name in names]
        except ValueError:
            return list(names)  # an unknown label raises an error with its row
    return list(names)


def _prefixed(frame: DataFrame, taken: Sequence[str]) -> list[tuple[str, str]]:
    for prefix in PREFIXES:
        found = [
            (name.removeprefix(prefix), name)
            for name in frame.columns
            if name.startswith(prefix) and name != prefix and name not in taken
        ]
        if len(found) >= 2:
            return found
    raise InputError(
        f"no class columns; the columns are {_labels.quoted(frame.columns)}\n"
        '  hint: columns like "p_CLASS" are found by default; name others with classes=[…], or a column of arrays with '
        "probabilities="
    )


def _named(frame: DataFrame, names: list[str], *, is_model: bool) -> list[tuple[str, str]]:
    prefixes = (*PREFIXES, "") if is_model else ("", *PREFIXES)
    has = set(frame.columns)
    # One prefix for all, if there is one: a table may hold both `p_a` and another column `a`.
    common = next((prefix for prefix in prefixes if all(prefix + name in has for name in names)), None)
    found = []
    for name in names:
        candidates = [prefix + name for prefix in (prefixes if common is None else (common,))]
        place = next((candidate for candidate in candidates if candidate in has), None)
        if place is None:
            by = "the model" if is_model else "classes="
            raise InputError(
                f'no column for class "{name}" of {by}; the columns are {_labels.quoted(frame.columns)}\n'
                f"  hint: looked for {_labels.quoted(candidates)}"
            )
        found.append((name, place))
    if is_model:
        _check_no_further_classes(frame, found)
        return found
    stripped = next((p for p in PREFIXES if all(name.startswith(p) and name != p for name in names)), "")
    return [(name.removeprefix(stripped), place) for name, place in found]


def _check_no_further_classes(frame: DataFrame, found: list[tuple[str, str]]) -> None:
    """Refuse a frame with class columns that the model does not have."""
    places = {place for _, place in found}
    for prefix in PREFIXES:
        in_use = any(place == prefix + name for name, place in found)
        further = [name for name in frame.columns if in_use and name.startswith(prefix) and name not in places]
        if further:
            raise InputError(
                f'class column "{further[0]}" is not in the model, whose classes are '
                f"{_labels.quoted([name for name, _ in found])}\n"
                "  hint: fit a model on all classes, or drop the column and use normalize=True",
                column=further[0],
            )


def _listed(
    frame: DataFrame, name: str, given: NDArray[Any] | None, values: list[str] | None
) -> tuple[list[str], list[str], list[Column]]:
    """The column with all probabilities of a row: arrays, or vectors of Spark ML."""
    _check_exists(frame, name)
    kind = frame.schema[name].dataType
    is_vector = kind.simpleString() == "vector"
    if is_vector:
        from pyspark.ml.functions import vector_to_array

        # A missing vector stays missing, and raises an error with its row.
        numbers = functions.when(column(name).isNotNull(), vector_to_array(column(name)))
    elif isinstance(kind, ArrayType) and isinstance(kind.elementType, NumericType):
        is_float = isinstance(kind.elementType, FloatType | DoubleType)
        numbers = column(name) if is_float else column(name).cast("array<double>")
    else:
        raise InputError(
            f'column "{name}" contains {kind.simpleString()}, not probabilities\n'
            "  hint: probabilities= is the name of a column of arrays of numbers, or of vectors",
            column=name,
        )
    if given is not None:
        names = _labels.names(given)
    elif values is not None:
        names = values
    elif is_vector:
        names = [str(place) for place in range(_width(frame, name, numbers))]
    else:
        raise InputError(
            f'the classes of column "{name}" are unknown\n  hint: pass classes=[…], in the order of the arrays',
            column=name,
        )
    return names, [f"{name}[{one}]" for one in names], [numbers]


def _width(frame: DataFrame, name: str, numbers: Column) -> int:
    noted = frame.schema[name].metadata.get("ml_attr", {}).get("num_attrs")
    if isinstance(noted, int):
        return noted
    first = frame.where(column(name).isNotNull()).select(functions.size(numbers)).first()
    if first is None:
        raise InputError(f'column "{name}" contains no vector\n  hint: pass classes=[…]', column=name)
    return int(first[0])
