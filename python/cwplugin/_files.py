"""Files that are read and written whole."""

from __future__ import annotations

import contextlib
import os
import tempfile

from cwplugin._errors import InputError

#: A model of a million classes is smaller.
LARGEST = 256 << 20


def read_text(path: str | os.PathLike[str], what: str, hint: str) -> str:
    """The text of a file; refuses what cannot be ``what``."""
    name = os.fspath(path)
    try:
        with open(name, encoding="utf-8-sig") as file:
            text = file.read(LARGEST)
    except FileNotFoundError:
        raise FileNotFoundError(f"{name}: no such file\n  hint: {hint}") from None
    except IsADirectoryError:
        raise InputError(f"{name}: is a folder, not {what}\n  hint: {hint}") from None
    except UnicodeDecodeError:
        raise InputError(f"{name}: not {what}: the file is not text\n  hint: {hint}") from None
    if len(text) == LARGEST:
        raise InputError(f"{name}: not {what}: too large\n  hint: {hint}")
    if not text.strip():
        raise InputError(f"{name}: is empty, not {what}\n  hint: {hint}")
    return text


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a file; a failure leaves no partial file."""
    write_bytes(path, text.encode())


def write_bytes(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file; a failure leaves no partial file."""
    name = os.path.realpath(os.fspath(path))
    folder = os.path.dirname(name)
    if not os.path.isdir(folder):
        raise FileNotFoundError(f"{os.fspath(path)}: no such folder: {folder}")
    handle, temporary = tempfile.mkstemp(dir=folder, prefix=f".{os.path.basename(name)}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, name)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
