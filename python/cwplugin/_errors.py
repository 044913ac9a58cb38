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
    """

    def __init__(self, text: str, row: int | None = None, column: str | None = None) -> None:
        super().__init__(text)
        self.row = row
        self.column = column

    def __reduce__(self) -> tuple[type, tuple[str, int | None, str | None]]:
        return type(self), (self.args[0], self.row, self.column)


class FitWarning(UserWarning):
    """A doubt about a fit that should not be overlooked; ``report_.warnings`` has all of them."""
