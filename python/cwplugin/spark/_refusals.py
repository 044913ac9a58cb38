"""What an executor refused, found again on the driver."""

from __future__ import annotations

import base64
import contextlib
import json
import re
from collections.abc import Iterator
from typing import Any

from pyspark.sql import DataFrame, functions

from cwplugin._errors import InputError

#: Spark hands on the text of an exception and nothing else, between lines of its own.
_MARK = re.compile(r"\[cwplugin ([A-Za-z0-9+/=]+)\]")


def marked(error: InputError) -> InputError:
    """The same, with all of it in one word that survives being quoted."""
    facts = json.dumps([str(error), error.row, error.column, error.partition])
    return InputError(f"{error}\n  [cwplugin {base64.b64encode(facts.encode()).decode()}]")


def _recovered(error: BaseException) -> InputError | None:
    found = _MARK.search(str(error))
    if found is None:
        return None
    return InputError(*json.loads(base64.b64decode(found[1])))


@contextlib.contextmanager
def raised_here(frame: DataFrame) -> Iterator[None]:
    """Raise what an executor refused as if it had been refused here; all other failures are Spark's own."""
    try:
        yield
    except Exception as error:
        refused = _recovered(error)
        if refused is None:
            raise
        raise _with_file(refused, frame) from None


def _with_file(refused: InputError, frame: DataFrame) -> InputError:
    """The same, with the file that the row is in, if there is one and Spark knows which."""
    if refused.partition is None or refused.row is None:
        return refused
    try:
        file = _file_of(frame, refused.partition, refused.row)
    except Exception:  # what was refused matters more than where it came from
        return refused
    if not file:
        return refused
    fact, _, hint = str(refused).partition("\n")
    text = "\n".join([fact, f"  file: {file}", *([hint] if hint else [])])
    return InputError(text, refused.row, refused.column, refused.partition)


def _file_of(frame: DataFrame, partition: int, row: int) -> str | None:
    if not frame.inputFiles():
        return None
    # Spark numbers rows so: the partition, and 33 binary digits for the row within it.
    numbered = frame.select(
        functions.monotonically_increasing_id().alias("id"), functions.input_file_name().alias("file")
    )
    found: Any = numbered.where(functions.col("id") == (partition << 33) + row).select("file").first()
    return None if found is None else found[0]
