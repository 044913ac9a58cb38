"""Methods that go over the rows several times: `ascent`, and `expected`, which begins with a map."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, functions

from cwplugin import _core
from cwplugin._errors import InputError
from cwplugin._wish import Wish
from cwplugin.spark import _refusals
from cwplugin.spark._frame import Rows
from cwplugin.spark._reading import Partition

#: About as many rows teach the map of `expected`, drawn at random if there are more: twice what it looks at.
LEARNERS = 8_000
#: … and stand for the rows to come, among those without a label.
CROWD = 50_000


def ascent(rows: Rows, wish: Wish, *, is_scored: bool) -> _core.Model:
    """Coordinate ascent: counters of the cuts of all classes in every pass."""
    passes = _core.Passes(rows.names, wish)
    _climb(rows, passes)
    found = passes.finish(wish.method, wish.seed)
    if not is_scored:
        return found
    return passes.finish(wish.method, wish.seed, rows.outcomes([found])[0])


def expected(rows: Rows, wish: Wish, *, is_scored: bool) -> _core.Model:
    """A map that one executor learns from some rows, and the weights behind it from all labels, if they are many."""
    labelled, unlabelled = rows.sizes()
    some = _drawn(rows.projected, labelled, unlabelled, wish.seed).persist()
    try:
        model = _learned(rows, some, wish, None)
        passes = _core.Passes(rows.names, wish, model)
        if labelled >= _core.LABELS_COUNT_FROM:
            _climb(rows, passes)
            climbed = passes.finish(wish.method, wish.seed)
            model = _learned(rows, some, wish, climbed)
    finally:
        some.unpersist()
    return passes.with_all_rows(model, rows.outcomes([model])[0]) if is_scored else model


def _climb(rows: Rows, passes: _core.Passes) -> None:
    while (asked := passes.pending()) is not None:
        counted: list[_core.PassCounts] = rows.count(functools.partial(_start, asked))
        passes.tell(counted[0])


def _start(asked: str) -> list[_core.PassCounts]:
    return [_core.PassCounts(asked)]


def _drawn(projected: DataFrame, labelled: int, unlabelled: int, seed: int) -> DataFrame:
    """Some of the rows, in one partition, in an order that does not depend on where they came from."""
    has_label = functions.col("label").isNotNull()

    def draw(part: DataFrame, n: int, most: int) -> DataFrame:
        return part if n <= most else part.sample(fraction=most / n, seed=seed)

    with_label = draw(projected.where(has_label), labelled, LEARNERS)
    without = draw(projected.where(~has_label), unlabelled, CROWD)
    both = with_label.unionByName(without).repartition(1)
    return both.sortWithinPartitions(*both.columns)


def _learned(rows: Rows, some: DataFrame, wish: Wish, reviewed: _core.Model | None) -> _core.Model:
    """What one executor learns from these rows: nothing but a model leaves it."""
    reading, names, leaves_out = rows.found.reading, rows.names, rows.leaves_out
    known = None if reviewed is None else reviewed.to_json()

    def learn(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        partition = Partition(reading, leaves_out=leaves_out)
        gathered = _core.Gathered(names)
        try:
            for batch in batches:
                partition.take(batch, gathered.add)
            model = gathered.fit(wish) if known is None else gathered.review(_core.Model.from_json(known), wish)
        except InputError as error:
            raise _refusals.marked(error) from None
        yield pa.RecordBatch.from_pydict({"model": [model.to_json()]})

    with _refusals.raised_here(rows.frame):
        found: list[Any] = some.mapInArrow(learn, "model string").collect()
    return _core.Model.from_json(found[0]["model"])
