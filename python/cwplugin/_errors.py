"""Exceptions and warnings."""

from __future__ import annotations


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
