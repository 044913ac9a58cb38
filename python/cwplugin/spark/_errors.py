"""Errors of executors, raised again on the driver."""

from __future__ import annotations

import base64
import contextlib
import json
import re
from collections.abc import Iterator
from typing import Any

from pyspark.sql import DataFrame, functions

from cwplugin._errors import InputError

#: Spark passes on the text of an exception only, among lines of its own.
_MARK = re.compile(r"\[cwplugin ([A-Za-z0-9+/=]+)\]")


def marked(error: InputError) -> InputError:
    """The error with all of its attributes encoded in the message."""
    facts = json.dumps([str(error), error.row, error.column, error.partition])
    return InputError(f"{error}\n  [cwplugin {base64.b64encode(facts.encode()).decode()}]")


def _recovered(error: BaseException) -> InputError | None:
    found = _MARK.search(str(error))
    if found is None:
        return None
    return InputError(*json.loads(base64.b64decode(found[1])))


@contextlib.contextmanager
def raised_here(frame: DataFrame) -> Iterator[None]:
    """Raise user errors of executors here; other failures are left to Spark."""
    try:
        yield
    except Exception as error:
        recovered = _recovered(error)
        if recovered is None:
            raise
        raise _with_file(recovered, frame) from None


def _with_file(error: InputError, frame: DataFrame) -> InputError:
    """The error with the file of the row, if Spark knows it."""
    if error.partition is None or error.row is None:
        return error
    try:
        file = _file_of(frame, error.partition, error.row)
    except Exception:  # the error itself matters more than the file
        return error
    if not file:
        return error
    fact, _, hint = str(error).partition("\n")
    text = "\n".join([fact, f"  file: {file}", *([hint] if hint else [])])
    return InputError(text, error.row, error.column, error.partition)


def _file_of(frame: DataFrame, partition: int, row: int) -> str | None:
    if not frame.inputFiles():
        return None
    # Spark's ids: the partition, and 33 bits for the row within it.
    numbered = frame.select(
        functions.monotonically_increasing_id().alias("id"), functions.input_file_name().alias("file")
    )
    found: Any = numbered.where(functions.col("id") == (partition << 33) + row).select("file").first()
    return None if found is None else found[0]
