"""Methods with several passes over the rows: `ascent`, and `expected`, which starts with a calibration map."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, functions

from cwplugin import _core
from cwplugin._errors import InputError
from cwplugin._request import FitRequest
from cwplugin.spark import _errors
from cwplugin.spark._frame import Rows
from cwplugin.spark._reading import Partition

#: The calibration map of `expected` is fitted on about as many labelled rows, twice what it uses, …
MOST_LABELLED = 8_000
#: … and as many unlabelled ones; with more rows, a random sample is drawn.
MOST_UNLABELLED = 50_000


def ascent(rows: Rows, request: FitRequest, *, is_scored: bool) -> _core.Model:
    """Coordinate ascent: every pass counts the cuts of all classes."""
    passes = _core.Passes(rows.names, request.metric, seed=request.seed)
    _run(rows, passes)
    model = passes.finish()
    return passes.with_all_rows(model, rows.outcomes([model])[0]) if is_scored else model


def expected(rows: Rows, request: FitRequest, *, is_scored: bool) -> _core.Model:
    """The model that one executor fits on a sample; if it has not all labels, weights are then fitted on them all."""
    labelled, unlabelled = rows.sizes()
    sample = _drawn(rows.projected, labelled, unlabelled, request.seed).persist()
    try:
        model = _fitted(rows, sample, request, None)
        passes = _core.Passes(rows.names, request.metric, model, seed=request.seed)
        if labelled > MOST_LABELLED:
            _run(rows, passes)
            model = _fitted(rows, sample, request, passes.finish())
    finally:
        sample.unpersist()
    return passes.with_all_rows(model, rows.outcomes([model])[0]) if is_scored else model


def _run(rows: Rows, passes: _core.Passes) -> None:
    while (document := passes.pending()) is not None:
        counted: list[_core.PassCounts] = rows.count(functools.partial(_start, document))
        passes.tell(counted[0])


def _start(document: str) -> list[_core.PassCounts]:
    return [_core.PassCounts(document)]


def _drawn(projected: DataFrame, labelled: int, unlabelled: int, seed: int) -> DataFrame:
    """A sample of the rows in one partition, in an order that does not depend on the partitions of the frame."""
    has_label = functions.col("label").isNotNull()

    def draw(part: DataFrame, n: int, most: int) -> DataFrame:
        return part if n <= most else part.sample(fraction=most / n, seed=seed)

    with_label = draw(projected.where(has_label), labelled, MOST_LABELLED)
    without = draw(projected.where(~has_label), unlabelled, MOST_UNLABELLED)
    both = with_label.unionByName(without).repartition(1)
    return both.sortWithinPartitions(*both.columns)


def _fitted(rows: Rows, sample: DataFrame, request: FitRequest, climbed: _core.Model | None) -> _core.Model:
    """The model that one executor fits on the sample, or the report of another model on it; only a model comes back."""
    reading, names, skips_bad = rows.found.reading, rows.names, rows.skips_bad
    document = None if climbed is None else climbed.to_json()

    def fit(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        partition = Partition(reading, skips_bad=skips_bad)
        builder = _core.SampleBuilder(names)
        try:
            for batch in batches:
                partition.take(batch, builder.add)
            if document is None:
                model = builder.fit(request)
            else:
                model = builder.report_on(_core.Model.from_json(document), request)
        except InputError as error:
            raise _errors.marked(error) from None
        yield pa.RecordBatch.from_pydict({"model": [model.to_json()]})

    with _errors.raised_here(rows.frame):
        found: list[Any] = sample.mapInArrow(fit, "model string").collect()
    return _core.Model.from_json(found[0]["model"])
