"""Class probabilities from the replies of language models and classification services."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import gzip
import json
import os
import warnings
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import IO, TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cwplugin import _core, _labels
from cwplugin._errors import FitWarning, InputError

if TYPE_CHECKING:
    import pandas as pd

#: Bytes of a file that are read at once.
CHUNK = 1 << 22
#: Replies that are passed to the Rust side at once.
BATCH = 1024
#: Files of a folder that are replies.
ENDINGS = (".json", ".json.gz", ".json.zst")


@dataclass(slots=True)
class ReadRequest:
    """How replies are read, as the Rust side takes it."""

    source: str
    classes: list[str] | None
    spellings: list[tuple[str, list[str]]]
    reply: str | None
    answer_at: str | None
    missing: str | None
    label: str
    id: str
    skip: bool


class Replies:
    """Class probabilities that were read from replies.

    It can be passed as ``X``: its columns are named after the classes, so that their order does not matter. Pass
    ``classes=replies.classes`` where you pass the array :attr:`probabilities` instead.

    Attributes
    ----------
    probabilities : ndarray of shape (n_rows, n_classes)
        Positive numbers; every row sums to 1.
    classes : list of str
        Class names, in the order of the columns.
    labels : list of str or None
        The labels beside the replies.
    ids : list of str or None
        The ids beside the replies, or those of the replies.
    other : ndarray of shape (n_rows,)
        The probability that no class covers; for votes, the share of answers that match no class.
    votes : ndarray of shape (n_rows, n_classes) or None
        Answers per class, for ``source="votes"``.
    errors : list of (int, str)
        Replies that were left out with ``errors="skip"``: index among all replies (of votes: ids), and reason.
    source : str
        The source of the replies.
    input : dict
        The options that turned the replies into probabilities, as a model that is fitted on them stores them.
    """

    probabilities: NDArray[np.float64]
    classes: list[str]
    labels: list[str | None]
    ids: list[str | None]
    other: NDArray[np.float64]
    votes: NDArray[np.uint64] | None
    errors: list[tuple[int, str]]
    source: str

    def __init__(self, source: str, arrays: _core._Replies) -> None:
        self.source = source
        self.probabilities, self.classes, self.labels, self.ids, self.other, self.votes, self.errors, self._input, _ = (
            arrays
        )

    @property
    def input(self) -> dict[str, Any]:
        """The options that turned the replies into probabilities, as a model stores them."""
        found: dict[str, Any] = json.loads(self._input)
        return found

    @property
    def _facts(self) -> tuple[str, NDArray[np.uint64] | None]:
        """What a fit stores in the model: the options as JSON, and the votes of every row."""
        return self._input, None if self.votes is None else self.votes.sum(axis=1)

    def __getitem__(self, rows: Any) -> Replies:
        """Some rows, by a slice, a mask or indices."""
        places = np.arange(len(self))[rows]
        if places.ndim != 1:
            raise TypeError("rows of replies are selected by a slice, a mask or indices: replies[:100]")
        part = copy.copy(self)
        part.probabilities, part.other = self.probabilities[places], self.other[places]
        part.votes = None if self.votes is None else self.votes[places]
        part.labels = [self.labels[place] for place in places]
        part.ids = [self.ids[place] for place in places]
        return part

    @property
    def columns(self) -> list[str]:
        """The names of the columns of :attr:`probabilities`: ``p_`` and the class."""
        return [f"p_{name}" for name in self.classes]

    def select(self, *columns: str) -> NDArray[np.float64]:
        """Columns of :attr:`probabilities`.

        Parameters
        ----------
        *columns : str
            Names of :attr:`columns`.

        Returns
        -------
        ndarray of shape (n_rows, n_columns)
            The columns, in this order.
        """
        places = [self.columns.index(name) for name in columns]
        return np.ascontiguousarray(self.probabilities[:, places])

    def to_frame(self) -> pd.DataFrame:
        """All rows as a pandas DataFrame.

        Returns
        -------
        DataFrame
            Columns ``p_NAME`` for every class, ``label``, ``id`` and ``other``; for votes also ``votes_NAME`` and
            ``votes``, their sum.
        """
        import pandas as pd

        frame = pd.DataFrame(self.probabilities, columns=pd.Index(self.columns))
        for place, name in enumerate(self.classes if self.votes is not None else ()):
            assert self.votes is not None
            frame[f"votes_{name}"] = self.votes[:, place]
        frame = frame.assign(
            label=pd.Series(self.labels, dtype=object), id=pd.Series(self.ids, dtype=object), other=self.other
        )
        return frame if self.votes is None else frame.assign(votes=self.votes.sum(axis=1))

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and classes."""
        return len(self.labels), len(self.classes)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        array = self.probabilities if dtype is None else self.probabilities.astype(dtype, copy=False)
        return array.copy() if copy else array

    def __len__(self) -> int:
        return len(self.labels)

    def __repr__(self) -> str:
        labelled = sum(label is not None for label in self.labels)
        votes = None if self.votes is None else _core.votes_per_row(self.votes.sum(axis=1))
        rows = f"{len(self)} rows" if votes is None else f"{len(self)} rows of {votes}"
        facts = [rows, f"classes {_labels.quoted(self.classes)}", f"{labelled} labelled"]
        facts.append(f"other {np.mean(self.other):.1%}")
        if self.errors:
            facts.append(f"{len(self.errors)} replies left out")
        return f"Replies({self.source}: {', '.join(facts)})"


def read_replies(
    replies: Any,
    source: str,
    *,
    classes: Sequence[Any] | NDArray[Any] | None = None,
    spellings: Mapping[Any, str | Sequence[str]] | None = None,
    reply: str | None = None,
    answer_at: str | None = None,
    missing: str | None = None,
    label: str = "label",
    id: str = "id",
    errors: str = "raise",
) -> Replies:
    """Read class probabilities from the replies of a language model or a classification service.

    Parameters
    ----------
    replies : path, str, bytes or iterable
        A file of JSON lines or a JSON array, also compressed (``.gz``; ``.zst`` with the package ``zstandard``), or a
        folder of ``.json`` files, which are read in the order of their names; JSON text; or an iterable of replies:
        dicts, JSON texts, or objects of an SDK with ``model_dump()`` or ``to_dict()``.
    source : str
        Who replied: ``"openai"``, ``"completions"``, ``"vllm"``, ``"gemini"``, ``"ollama"``, ``"llama-cpp"``,
        ``"huggingface"``, ``"comprehend"``, ``"azure"``, ``"google-nl"``, ``"vision"``, ``"rekognition"``,
        ``"clarifai"`` or ``"cohere"``; ``"votes"`` for several answers per id: ``{"id": "r1", "answer": "spam"}``.
    classes : sequence of shape (n_classes,), default=None
        Class names, in the order of the columns. If None: those of ``spellings``, if there are several; otherwise the
        names in lists of scores, or the labels beside log-probabilities, votes and independent scores, sorted.
    spellings : dict of str to sequence of str, default=None
        What a class is called in the replies, if not by its name; upper and lower case matter.
    reply : str, default=None
        The field that contains the reply, such as ``"response.body"``. OpenAI's batch output files need none.
    answer_at : str, default=None
        The field of a JSON answer whose value is the class; for votes the field of the answer, by default ``"answer"``.
    missing : str, default=None
        What a class gets that a reply does not list: ``"spread"``, the largest probability that it can have, shared
        fairly; ``"floor:X"``, the probability X; ``"refuse"``, an error; ``"spread"`` if None.
    label, id : str, default="label" and "id"
        The fields beside the reply with the label and the id.
    errors : {"raise", "skip"}, default="raise"
        Whether a reply without probabilities is an error or is left out, see :attr:`Replies.errors`; what is not JSON
        is always an error.

    Returns
    -------
    Replies
        Probabilities, labels and ids. Votes are smoothed by half a vote per class:
        ``(count + 0.5) / (votes + 0.5 · n_classes)``.

    Raises
    ------
    InputError
        If a reply cannot be read, or a parameter is wrong.

    Warns
    -----
    FitWarning
        If more than 5% of the probability belongs to no class, if scores were independent and divided by their sum, or
        if most rows are one-hot.

    Examples
    --------
    >>> from cwplugin import read_replies
    >>> lines = [
    ...     {"label": "ham", "response": [{"label": "SPAM", "score": 0.2}, {"label": "HAM", "score": 0.8}]},
    ...     {"label": "spam", "response": [{"label": "SPAM", "score": 0.7}, {"label": "HAM", "score": 0.3}]},
    ... ]
    >>> replies = read_replies(lines, "huggingface", classes=["ham", "spam"], reply="response")
    >>> replies
    Replies(huggingface: 2 rows, classes "ham", "spam", 2 labelled, other 0.0%)
    >>> replies.probabilities
    array([[0.8, 0.2],
           [0.3, 0.7]])
    >>> votes = [{"id": "a", "answer": "spam"}, {"id": "a", "answer": "Spam."}, {"id": "a", "answer": "ham"}]
    >>> read_replies(votes, "votes", classes=["ham", "spam"]).probabilities
    array([[0.375, 0.625]])
    """
    if errors not in ("raise", "skip"):
        raise InputError(f'invalid value "{errors}" for errors\n  hint: write one of "raise", "skip"')
    reader = _core.ReplyReader(
        ReadRequest(
            source=source,
            classes=None if classes is None else _labels.names(classes),
            spellings=[
                (_labels.name(name), [one] if isinstance(one, str) else [str(text) for text in one])
                for name, one in (spellings or {}).items()
            ],
            reply=reply,
            answer_at=answer_at,
            missing=missing,
            label=label,
            id=id,
            skip=errors == "skip",
        )
    )
    _feed(reader, replies)
    arrays = reader.finish()
    for message in arrays[-1]:
        warnings.warn(message, FitWarning, stacklevel=2)
    return Replies(source, arrays)


def _feed(reader: _core.ReplyReader, replies: Any) -> None:
    """Pass all replies to the reader."""
    if isinstance(replies, str) and not replies.lstrip("\ufeff \t\r\n").startswith(("{", "[")):
        _feed_path(reader, replies)
    elif isinstance(replies, os.PathLike):
        _feed_path(reader, os.fspath(replies))
    elif isinstance(replies, str | bytes | bytearray | memoryview):
        reader.open(None)
        reader.push(replies.encode() if isinstance(replies, str) else bytes(replies))
        reader.close()
    elif isinstance(replies, Mapping) or hasattr(replies, "model_dump"):
        reader.add([_document(replies, 0)])
    elif isinstance(replies, Iterable):
        documents = (_document(one, row) for row, one in enumerate(replies))
        while batch := list(islice(documents, BATCH)):
            reader.add(batch)
    else:
        raise TypeError(f"replies must be a path, JSON or an iterable of replies, got {type(replies).__name__}")


def _feed_path(reader: _core.ReplyReader, path: str) -> None:
    """Pass a file or a folder to the reader."""
    if not os.path.isdir(path):
        _feed_file(reader, path)
        return
    names = sorted(name for name in os.listdir(path) if name.endswith(ENDINGS))
    if not names:
        raise InputError(f"{path}: no .json files in the folder\n  hint: every file of the folder is one reply")
    for name in names:
        _feed_file(reader, os.path.join(path, name), is_part=True)


def _feed_file(reader: _core.ReplyReader, path: str, *, is_part: bool = False) -> None:
    reader.open(path)
    try:
        for chunk in _chunks(path):
            reader.push(chunk)
    except FileNotFoundError:
        hint = "pass a path, JSON text, or an iterable of replies"
        raise FileNotFoundError(f"{path}: no such file\n  hint: {hint}") from None
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"{path}: not a complete gzip file: {error}\n  hint: write the file again") from None
    reader.close(is_part)


def _chunks(path: str) -> Iterator[bytes]:
    """The contents of a file, without its compression."""
    with contextlib.ExitStack() as stack:
        opened: Any = stack.enter_context(open(path, "rb"))
        if path.endswith(".gz"):
            opened = stack.enter_context(gzip.GzipFile(fileobj=opened))
        elif path.endswith(".zst"):
            opened = _zstandard(opened, path)
        while chunk := opened.read(CHUNK):
            yield chunk


def _zstandard(file: IO[bytes], path: str) -> Any:
    try:
        import zstandard
    except ImportError:
        hint = "pip install zstandard, or decompress the file: zstd -d"
        raise InputError(f"{path}: zstd needs the package zstandard\n  hint: {hint}") from None
    return zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)


def _document(reply: Any, row: int) -> bytes:
    """One reply as JSON."""
    if isinstance(reply, str):
        return reply.encode()
    if isinstance(reply, bytes | bytearray | memoryview):
        return bytes(reply)
    try:
        return json.dumps(reply, default=_json).encode()
    except (TypeError, ValueError, RecursionError) as error:
        hint = "pass dicts, JSON, or objects with model_dump() or to_dict()"
        raise InputError(f"row {row + 1}: not a reply: {error}\n  hint: {hint}", row) from None


def _plain(reply: Any) -> Any:
    """The dict of an object of an SDK; None if it is not one."""
    for name in ("model_dump", "to_dict"):
        dump = getattr(reply, name, None)
        if callable(dump) and not isinstance(reply, type):
            return dump()
    return None


def _json(value: Any) -> Any:
    """What JSON has no type for."""
    plain = _plain(value)
    if plain is not None:
        return plain
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if hasattr(value, "isoformat"):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")
