"""Arrow batches become rows, on the executors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark import TaskContext

from cwplugin import _labels
from cwplugin._errors import InputError
from cwplugin._rows import Rows


@dataclass(frozen=True)
class Reading:
    """The columns of a batch; the probabilities come first, in the order of the classes."""

    #: The names of the classes.
    names: list[str]
    #: The label of each class in the label column.
    labels: list[Any]
    #: The name of each class column.
    columns: list[str]
    #: The column with arrays of probabilities, if there is one.
    listed: str | None = None
    label: str | None = None
    weight: str | None = None
    scores: str = "probabilities"
    normalize: bool = False

    def __post_init__(self) -> None:
        if self.scores == "votes":  # the models of Spark do not store how rows are read
            hint = "count the votes of every row, and pass (count + 0.5) / (votes + 0.5 * n_classes)"
            raise InputError(f'scores="votes" is not supported on Spark\n  hint: {hint}')

    def rows(self, batch: pa.RecordBatch) -> Rows:
        """The rows of a batch; raises an error for wrong labels and weights."""
        if self.listed is None:
            probabilities = batch.select(list(range(len(self.names))))
        else:
            probabilities = pa.record_batch([batch.column(0)], names=[self.listed])
        rows = Rows(probabilities, self.names, columns=self.columns, scores=self.scores, normalize=self.normalize)
        if self.label is not None:
            rows.label = self.label
            rows.labels = self._codes(batch.column("label"), self.label)
        if self.weight is not None:
            rows.weight = self.weight
            rows.weights = _weights(batch.column("weight"), self.weight)
        return rows

    def _codes(self, column: pa.Array, name: str) -> _labels.Codes:
        encoded = column.dictionary_encode(null_encoding="encode")
        codes = encoded.indices.to_numpy(zero_copy_only=False).astype(np.uint32)
        labels = encoded.dictionary.to_pylist()
        # Codes are in order of first appearance, so that the running maximum grows at each of them.
        first = np.searchsorted(np.maximum.accumulate(codes), np.arange(len(labels))).astype(np.uint64)
        return _labels.encode(_labels.Factors(codes, labels, first, np.dtype(object)), self.labels, name)


def _weights(column: pa.Array, name: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    if column.null_count > 0:
        row = int(np.flatnonzero(column.is_null().to_numpy(zero_copy_only=False))[0])
        text = f'row {row + 1}, column "{name}": the value is missing\n  hint: fill it in, or drop the row'
        raise InputError(text, row, name)
    return np.ascontiguousarray(column.to_numpy(zero_copy_only=False), dtype=np.float64)


class Partition:
    """The rows of one partition, with a count of the bad ones."""

    def __init__(self, reading: Reading, *, skips_bad: bool) -> None:
        self.reading = reading
        #: Whether bad rows are skipped instead of raising an error.
        self.skips_bad = skips_bad
        task = TaskContext.get()
        self.number = 0 if task is None else task.partitionId()
        self.n_rows = 0
        self.n_bad = 0
        self.reason: str | None = None

    def take(self, batch: pa.RecordBatch, use: Callable[[Rows], Any]) -> list[Any]:
        """The results of ``use`` for the rows, piece by piece in order; None for each skipped row."""
        first = self.n_rows
        self.n_rows += batch.num_rows
        return self._take(batch, first, use)

    def _take(self, batch: pa.RecordBatch, first: int, use: Callable[[Rows], Any]) -> list[Any]:
        try:
            return [use(self.reading.rows(batch))]
        except InputError as error:
            if not self.skips_bad or error.row is None:
                raise self._placed(error, first) from None
            if batch.num_rows == 1:
                self.n_bad += 1
                self.reason = self.reason or str(self._placed(error, first))
                return [None]
        # Bisect to find the bad rows; bad batches are rare.
        half = batch.num_rows // 2
        before = self._take(batch.slice(0, half), first, use)
        return before + self._take(batch.slice(half), first + half, use)

    def _placed(self, error: InputError, first: int) -> InputError:
        """The error with the partition, and the row within it."""
        text = str(error)
        if error.row is None:
            return InputError(f"partition {self.number}: {text}", None, error.column, self.number)
        row = first + error.row
        rest = text.removeprefix(f"row {error.row + 1}")
        return InputError(f"partition {self.number}, row {row + 1}{rest}", row, error.column, self.number)
