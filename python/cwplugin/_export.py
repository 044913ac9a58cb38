"""Models for other engines: what ``cwplugin export`` writes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from cwplugin import _core
from cwplugin._errors import InputError


class Exports:
    """The part of a model that writes it down for other engines."""

    _core: _core.Model

    def to_onnx(self, *, element: str = "double", scores: str = "probabilities") -> bytes:
        """An ONNX model that takes probabilities: operators of the default set only, computed in double precision.

        Parameters
        ----------
        element : {"double", "float"}, default="double"
            What the input consists of.
        scores : {"probabilities", "logits", "logprobs"}, default="probabilities"
            What its numbers are; the input is called so, or ``features`` for a model of method ``"logistic"``.

        Returns
        -------
        bytes
            A file; its outputs are ``label``, of shape (n_rows,), and ``scores``, of shape (n_rows, n_classes).

        Examples
        --------
        >>> from cwplugin import Model
        >>> len(Model(["ham", "spam"], [1, 3]).to_onnx()) > 100
        True
        """
        return _core.export_onnx(self._core, element, scores)

    def append_to(
        self,
        onnx: bytes | str | os.PathLike[str],
        *,
        output: str | None = None,
        scores: str = "probabilities",
        by_position: bool = False,
    ) -> bytes:
        """An ONNX classifier with this model behind it. Not a byte of the classifier changes.

        Parameters
        ----------
        onnx : bytes, str or path-like
            The classifier, or the file that it is in.
        output : str, default=None
            Its output that holds the probabilities; found by its shape if None, also behind a ZipMap.
        scores : {"probabilities", "logits", "logprobs"}, default="probabilities"
            What the numbers of that output are.
        by_position : bool, default=False
            Whether its columns are the classes of this model in their order, whatever they are called there.

        Returns
        -------
        bytes
            A file that has two more outputs, ``cwplugin_label`` and ``cwplugin_scores``.

        Raises
        ------
        InputError
            If it is no ONNX model of operator set 11 or newer, if it is not clear where its probabilities are, or if it
            names other classes.
        """
        if isinstance(onnx, bytes):
            content = onnx
        else:
            path = Path(onnx)
            if path.is_dir():
                raise InputError(f"{path}: is a folder, not an ONNX model")
            content = path.read_bytes()
        appended, _, _, _ = _core.append_onnx(self._core, content, scores, output, by_position)
        return appended

    def to_sql(self, dialect: str, *, prefix: str = "p_", columns: Sequence[str] | None = None) -> str:
        """One SQL expression whose value is the name of the predicted class.

        Parameters
        ----------
        dialect : {"duckdb", "datafusion", "spark", "bigquery", "snowflake", "postgres"}
            Whose SQL.
        prefix : str, default="p_"
            The columns are called so, followed by the name of their class.
        columns : sequence of str, default=None
            The names of the columns, if they are called otherwise.

        Returns
        -------
        str
            An expression, below comments that say what it is. It is NULL if a column that it looks at is NULL.

        Examples
        --------
        >>> from cwplugin import Model
        >>> print(Model(["ham", "spam"], [1, 3]).to_sql("duckdb").splitlines()[0])
        -- Predicts one of 2 classes: the largest weight * probability.
        """
        return _core.export_sql(self._core, dialect, prefix, None if columns is None else list(columns))

    def to_python(self) -> str:
        """A module of Python that needs no other: ``CLASSES``, ``predict(row)``, ``predict_all(rows)``.

        Returns
        -------
        str
            Its text.

        Examples
        --------
        >>> from cwplugin import Model
        >>> module = {}
        >>> exec(Model(["ham", "spam"], [1, 3]).to_python(), module)
        >>> module["predict"]([0.7, 0.3])
        'spam'
        """
        return _core.export_python(self._core)

    def to_rust(self) -> str:
        """A module of Rust that needs no crate: ``CLASSES`` and ``predict``.

        Returns
        -------
        str
            Its text.
        """
        return _core.export_rust(self._core)
