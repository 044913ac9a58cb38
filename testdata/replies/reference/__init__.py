"""Class probabilities from the replies of black boxes: a slow reference for the fixtures in this folder.

Written from the specification of `--from`, without a look at the Rust code, and meant to be read: no speed, no
messages, only numbers and the kind of an error. `read(path, source, options)` returns one dictionary per row.
Standard library only (and `zstandard` for files that end in `.zst`).
"""

from .errors import ReplyError
from .files import values
from .rows import DEFAULTS, read

__all__ = ["DEFAULTS", "ReplyError", "read", "values"]
