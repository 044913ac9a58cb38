"""One pass over all rows: every partition is counted on its executor, and the counters are merged."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import pyarrow as pa
from pyspark.sql import DataFrame

from cwplugin._errors import InputError
from cwplugin._rows import Rows
from cwplugin.spark import _errors
from cwplugin.spark._reading import Partition, Reading

#: The driver merges the counters of at most as many partitions; with more, executors merge them first …
MOST_ON_DRIVER = 32
#: … into so many.
_MERGED_INTO = 8

_SCHEMA = "partition int, bad long, reason string, counters array<binary>"

#: Spark gives a task one core.
_THREADS = 1


class Counter(Protocol):
    """Counts rows, and can be merged."""

    def add(self, rows: Rows, jobs: int | None = None) -> None:
        """Count rows, on so many threads; an error leaves the counter unchanged."""

    def merge(self, other: Any) -> None:
        """Add what was counted on other rows."""

    def to_json(self) -> str:
        """The counts as a document."""

    @classmethod
    def from_json(cls, text: str) -> Any:
        """Read a document."""


#: Makes empty counters; called on the executors.
Start = Callable[[], Sequence[Counter]]


@dataclass(frozen=True)
class Counted:
    """The counts of all rows."""

    counters: list[Any]
    #: Skipped rows.
    n_bad: int
    #: The error of the first of them.
    reason: str | None


def count(frame: DataFrame, projected: DataFrame, reading: Reading, start: Start, *, skips_bad: bool) -> Counted:
    """Count all rows with the counters of ``start``.

    ``projected`` are the columns of ``frame`` to read. The result depends neither on the partitions nor on retries.
    """

    def counted(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return _count_partition(batches, reading, start, skips_bad)

    def merged(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return _merge_partition(batches, start)

    counters = projected.mapInArrow(counted, _SCHEMA)
    if _has_many_partitions(projected):
        counters = counters.repartition(_MERGED_INTO).mapInArrow(merged, _SCHEMA)
    with _errors.raised_here(frame):
        return _merge(counters.collect(), start)


def _has_many_partitions(frame: DataFrame) -> bool:
    """Whether there are many partitions, or their number is unknown before the query runs."""
    try:
        plan = frame._jdf.queryExecution().executedPlan()
        return bool(plan.nodeName() == "AdaptiveSparkPlan" or frame.rdd.getNumPartitions() > MOST_ON_DRIVER)
    except Exception:  # Spark Connect has no access to partitions
        return True


def _count_partition(
    batches: Iterable[pa.RecordBatch], reading: Reading, start: Start, skips_bad: bool
) -> Iterator[pa.RecordBatch]:
    partition = Partition(reading, skips_bad=skips_bad)
    counters = start()

    def add(rows: Rows) -> None:
        for counter in counters:
            counter.add(rows, _THREADS)

    try:
        for batch in batches:
            partition.take(batch, add)
    except InputError as error:
        raise _errors.marked(error) from None
    if partition.n_rows > 0:
        yield _line(partition.number, Counted(list(counters), partition.n_bad, partition.reason))


def _merge_partition(batches: Iterable[pa.RecordBatch], start: Start) -> Iterator[pa.RecordBatch]:
    lines = [line for batch in batches for line in batch.to_pylist()]
    if lines:
        yield _line(min(line["partition"] for line in lines), _merge(lines, start))


def _line(partition: int, counted: Counted) -> pa.RecordBatch:
    documents = [zlib.compress(counter.to_json().encode(), 1) for counter in counted.counters]
    columns = {
        "partition": pa.array([partition], pa.int32()),
        "bad": pa.array([counted.n_bad], pa.int64()),
        "reason": pa.array([counted.reason], pa.string()),
        "counters": pa.array([documents], pa.list_(pa.binary())),
    }
    return pa.RecordBatch.from_pydict(columns)


def _merge(lines: Sequence[Any], start: Start) -> Counted:
    """Merge the counters of several lines, one line at a time to save memory."""
    counters = list(start())
    n_bad, reason = 0, None
    for line in sorted(lines, key=lambda line: line["partition"]):
        for counter, document in zip(counters, line["counters"], strict=True):
            counter.merge(type(counter).from_json(zlib.decompress(document).decode()))
        n_bad += line["bad"]
        reason = reason or line["reason"]
    return Counted(counters, n_bad, reason)
