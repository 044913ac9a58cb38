"""What models, statistics and sessions have in common: a JSON file, and labels of any type."""

from __future__ import annotations

import os
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from cwplugin._errors import InputError
from cwplugin._files import read_text, write_text

D = TypeVar("D", bound="Document")


class Document:
    """An object with a file format that the program reads and writes too."""

    #: The contents of the file, for messages.
    _what: ClassVar[str]
    #: What writes such files, for messages.
    _writers: ClassVar[str]
    #: The type of the Rust side.
    _type: ClassVar[Any]

    _core: Any
    _labels: NDArray[Any]

    @classmethod
    def _of(cls: type[D], core: Any, labels: NDArray[Any] | None = None) -> D:
        document = cls.__new__(cls)
        document._core = core
        document._labels = np.array(core.classes) if labels is None else labels
        return document

    @classmethod
    def load(cls: type[D], path: str | os.PathLike[str]) -> D:
        """Read a file.

        Parameters
        ----------
        path : str or path-like
            A file of :meth:`save` or of the program.

        Returns
        -------
        object
            Its classes are strings, as in the file.

        Raises
        ------
        InputError
            If this version cannot read it.
        """
        text = read_text(path, cls._what, cls._writers)
        try:
            return cls.from_json(text)
        except InputError as error:
            raise InputError(f"{os.fspath(path)}: {error}") from None

    @classmethod
    def from_json(cls: type[D], text: str) -> D:
        """Read the contents of a file.

        Parameters
        ----------
        text : str
            Text of :meth:`to_json`.

        Returns
        -------
        object
            Its classes are strings, as in the file.
        """
        return cls._of(cls._type.from_json(text))

    def to_json(self) -> str:
        """The contents of a file: equal objects give equal bytes, here and in the program.

        Returns
        -------
        str
            JSON.
        """
        text: str = self._core.to_json()
        return text

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a file; a failure leaves no partial file.

        Parameters
        ----------
        path : str or path-like
            An existing file is replaced.
        """
        write_text(path, self.to_json())

    @property
    def classes(self) -> NDArray[Any]:
        """Labels, in the order of the columns; array of shape (n_classes,)."""
        return self._labels

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and bool(self._core == other._core)

    def __getstate__(self) -> tuple[str, NDArray[Any]]:
        return self.to_json(), self._labels

    def __setstate__(self, state: tuple[str, NDArray[Any]]) -> None:
        self._core = self._type.from_json(state[0])
        self._labels = state[1]
