"""Exceptions and warnings."""

from __future__ import annotations

import sys
import warnings


class InputError(ValueError):
    """Wrong input; the message says where, why, and what to do about it.

    Attributes
    ----------
    row : int or None
        Index of the wrong row, from 0; the message counts rows from 1, as the program does.
    column : str or None
        Name of the wrong column.
    partition : int or None
        The partition of the row, if there are partitions; ``row`` is counted within it.
    """

    def __init__(
        self, text: str, row: int | None = None, column: str | None = None, partition: int | None = None
    ) -> None:
        super().__init__(text)
        self.row = row
        self.column = column
        self.partition = partition

    def __reduce__(self) -> tuple[type, tuple[str, int | None, str | None, int | None]]:
        return type(self), (self.args[0], self.row, self.column, self.partition)


class FitWarning(UserWarning):
    """A serious warning about a fit or its input; ``report_.warnings`` has all warnings of a fit."""


def warn(message: str) -> None:
    """Warn, at the line that called the package."""
    level, frame = 1, sys._getframe(0)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "cwplugin":
        level, frame = level + 1, frame.f_back
    warnings.warn(message, FitWarning, stacklevel=level)
