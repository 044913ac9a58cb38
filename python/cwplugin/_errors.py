"""What is raised and warned of."""

from __future__ import annotations


class InputError(ValueError):
    """An input was refused; the text says where, why, and what to do about it.

    Attributes
    ----------
    row : int or None
        Index of the row that is wrong, from 0 as in Python; the text counts rows from 1, as the program does.
    column : str or None
        Name of the column that is wrong.
    partition : int or None
        Number of the partition that the row is in, if the rows are in partitions; ``row`` is counted within it.
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
    """A doubt about a fit that should not be overlooked; ``report_.warnings`` has all of them."""
