"""Models for other engines: the files of ``cwplugin export``."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

from cwplugin import _core
from cwplugin._errors import InputError


class Exports:
    """Exports of a model."""

    _core: _core.Model

    def _scale(self, scores: str | None) -> str:
        return str(scores or json.loads(self._core.input).get("scores", "probabilities"))

    def to_onnx(self, *, element: str = "double", scores: str | None = None) -> bytes:
        """The model in ONNX: operators of the default set only, in double precision.

        Parameters
        ----------
        element : {"double", "float"}, default="double"
            Element type of the input.
        scores : {"probabilities", "logits", "logprobs", "percentages"}, default=None
            What the numbers of the input are, and the name of the input; it is ``features`` for a model of method
            ``"logistic"``. If None, what the model's ``input`` says, or else probabilities.

        Returns
        -------
        bytes
            A file with outputs ``label`` of shape (n_rows,) and ``scores`` of shape (n_rows, n_classes).

        Examples
        --------
        >>> from cwplugin import Model
        >>> len(Model(["ham", "spam"], [1, 3]).to_onnx()) > 100
        True
        """
        return _core.export_onnx(self._core, element, self._scale(scores))

    def append_to(
        self,
        onnx: bytes | str | os.PathLike[str],
        *,
        output: str | None = None,
        scores: str | None = None,
        by_position: bool = False,
    ) -> bytes:
        """An ONNX classifier followed by this model. The classifier itself does not change.

        Parameters
        ----------
        onnx : bytes, str or path-like
            The classifier, or its file.
        output : str, default=None
            The output with the probabilities; if None, it is found by its shape, also after a ZipMap.
        scores : {"probabilities", "logits", "logprobs", "percentages"}, default=None
            What the numbers of that output are; if None, as for :meth:`to_onnx`.
        by_position : bool, default=False
            Whether the columns are the classes of this model in their order, whatever their names.

        Returns
        -------
        bytes
            A file with two more outputs, ``cwplugin_label`` and ``cwplugin_scores``.

        Raises
        ------
        InputError
            If it is not an ONNX model of operator set 11 or newer, its probabilities are not found, or its classes are
            others.
        """
        if isinstance(onnx, bytes):
            content = onnx
        else:
            path = Path(onnx)
            if path.is_dir():
                raise InputError(f"{path}: is a folder, not an ONNX model")
            content = path.read_bytes()
        return _core.append_onnx(self._core, content, self._scale(scores), output, by_position)

    def to_sql(self, dialect: str, *, prefix: str = "p_", columns: Sequence[str] | None = None) -> str:
        """One SQL expression whose value is the name of the predicted class.

        Parameters
        ----------
        dialect : {"duckdb", "datafusion", "spark", "bigquery", "snowflake", "postgres"}
            The engine.
        prefix : str, default="p_"
            Prefix of the columns, before the name of the class.
        columns : sequence of str, default=None
            The names of the columns, if they are not prefix and class.

        Returns
        -------
        str
            An expression with comments. It is NULL if a column is NULL.

        Examples
        --------
        >>> from cwplugin import Model
        >>> print(Model(["ham", "spam"], [1, 3]).to_sql("duckdb").splitlines()[0])
        -- Predicts one of 2 classes: the one with the largest weight * probability.
        """
        return _core.export_sql(self._core, dialect, prefix, None if columns is None else list(columns))

    def to_python(self) -> str:
        """A Python module without dependencies: ``CLASSES``, ``predict(row)``, ``predict_all(rows)``.

        Returns
        -------
        str
            The source.

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
        """A Rust module without dependencies: ``CLASSES`` and ``predict``.

        Returns
        -------
        str
            The source.
        """
        return _core.export_rust(self._core)
