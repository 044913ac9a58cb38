"""The rows of a frame, which are counted on the executors."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Sequence
from typing import Any

from pyspark.sql import DataFrame, functions

from cwplugin import _core
from cwplugin._errors import FitWarning
from cwplugin.spark import _columns, _passes


class Rows:
    """The rows of a frame, for one or more passes."""

    def __init__(self, frame: DataFrame, found: _columns.Found, *, skips_bad: bool) -> None:
        self.frame = frame
        self.found = found
        self.names = found.reading.names
        self.projected = found.projected(frame)
        self.skips_bad = skips_bad
        self.n_bad = 0
        self.reason: str | None = None

    def count(self, start: _passes.Start) -> list[Any]:
        """One pass over the rows."""
        counted = _passes.count(self.frame, self.projected, self.found.reading, start, skips_bad=self.skips_bad)
        self.n_bad, self.reason = counted.n_bad, counted.reason
        return counted.counters

    def outcomes(self, models: Sequence[_core.Model]) -> list[_core.Outcomes]:
        """One pass that counts the predictions of each model."""
        return self.count(functools.partial(_start_outcomes, self.names, models))

    def sizes(self) -> tuple[int, int]:
        """Labelled and unlabelled rows, as counted by Spark."""
        line = self.projected.agg(functions.count("label"), functions.count("*")).collect()[0]
        return line[0], line[1] - line[0]

    def by_size(self) -> list[str]:
        """The classes with labelled rows, the largest first, as counted by Spark."""
        reading = self.found.reading
        size = functions.count("*") if reading.weight is None else functions.sum("weight")
        labelled = self.projected.where(functions.col("label").isin(reading.labels))
        lines = labelled.groupBy("label").agg(size.alias("size")).collect()
        sizes = {line["label"]: line["size"] or 0 for line in lines}
        present = [
            (name, sizes[label]) for name, label in zip(reading.names, reading.labels, strict=True) if label in sizes
        ]
        return [name for name, _ in sorted(present, key=lambda one: -one[1])]


def warn_of_bad_rows(n_bad: int, reason: str | None, *, stacklevel: int) -> None:
    """Warn about skipped rows, with the error of the first."""
    if n_bad > 0:
        message = f"skipped {n_bad} bad row{'s' if n_bad > 1 else ''}, the first with this error: {reason}"
        warnings.warn(message, FitWarning, stacklevel=stacklevel)


def _start_outcomes(names: list[str], models: Sequence[_core.Model]) -> list[_core.Outcomes]:
    return [_core.Outcomes(names, model) for model in models]
