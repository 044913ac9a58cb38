"""The rows of a frame, which stay where they are."""

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
    """The rows of a frame, which may be gone through several times."""

    def __init__(self, frame: DataFrame, found: _columns.Found, *, leaves_out: bool) -> None:
        self.frame = frame
        self.found = found
        self.names = found.reading.names
        self.projected = found.projected(frame)
        self.leaves_out = leaves_out
        self.n_bad = 0
        self.reason: str | None = None

    def count(self, start: _passes.Start) -> list[Any]:
        """One pass."""
        counted = _passes.count(self.frame, self.projected, self.found.reading, start, leaves_out=self.leaves_out)
        self.n_bad, self.reason = counted.n_bad, counted.reason
        return counted.counters

    def outcomes(self, models: Sequence[_core.Model]) -> list[_core.Outcomes]:
        """One pass that predicts every row with each of these models."""
        return self.count(functools.partial(_start_outcomes, self.names, models))

    def sizes(self) -> tuple[int, int]:
        """How many rows have a label, and how many have none, as far as Spark itself can tell."""
        line = self.projected.agg(functions.count("label"), functions.count("*")).collect()[0]
        return line[0], line[1] - line[0]

    def by_size(self) -> list[str]:
        """The classes that have labelled rows, the largest first, as far as Spark itself can tell."""
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
    """Say how many rows were left out, and what is wrong with the first."""
    if n_bad > 0:
        message = f"{n_bad} bad row{'s were' if n_bad > 1 else ' was'} left out, the first because of this: {reason}"
        warnings.warn(message, FitWarning, stacklevel=stacklevel)


def _start_outcomes(names: list[str], models: Sequence[_core.Model]) -> list[_core.Outcomes]:
    return [_core.Outcomes(names, model) for model in models]
