"""Download files of public repositories once, and record their checksums so that a later change is noticed."""

import hashlib
import json
import sys
import urllib.request
import zipfile
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from urllib.parse import quote

RECORD = "checksums.json"


class Changed(RuntimeError):
    """A file that is not what it was, or not where it was."""


@dataclass(frozen=True)
class Source:
    """A file of a public GitHub repository, at a commit where one is known."""

    repository: str
    path: str
    commit: str = "HEAD"

    @property
    def url(self) -> str:
        """Where the raw file is."""
        return f"https://raw.githubusercontent.com/{self.repository}/{self.commit}/{quote(self.path)}"


@dataclass(frozen=True)
class Archive:
    """A whole public GitHub repository, for files whose place in it is not known for certain."""

    repository: str
    commit: str = "HEAD"

    @property
    def url(self) -> str:
        """Where the zip file is."""
        return f"https://github.com/{self.repository}/archive/{self.commit}.zip"


@dataclass(frozen=True)
class Page:
    """A file of a public office, by its address."""

    url: str


def fetch(source: Source | Archive | Page, cache: Path) -> Path:
    """The file in the cache, downloaded if it is not there, checked against its recorded checksum."""
    path = cache / f"{hashlib.sha256(source.url.encode()).hexdigest()[:12]}-{Path(source.url).name}"
    if not path.exists():
        print(f"downloading {source.url}", file=sys.stderr)
        cache.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(".partial")
        with urllib.request.urlopen(source.url, timeout=60) as reply, partial.open("wb") as file:
            while block := reply.read(1 << 20):
                file.write(block)
        partial.rename(path)
    record(source.url, path, cache / RECORD)
    return path


def record(url: str, path: Path, ledger: Path) -> None:
    """Write the file's SHA-256 beside its address; refuse a file that differs from what was recorded."""
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    known = json.loads(ledger.read_text()) if ledger.exists() else {}
    if known.setdefault(url, found) != found:
        raise Changed(f"{url}: SHA-256 {found}, but {known[url]} is recorded in {ledger}; delete one of the two")
    ledger.write_text(json.dumps(known, indent=2, sort_keys=True) + "\n")


def text(source: Source | Page, cache: Path, encoding: str = "utf-8-sig") -> str:
    """The file as text, newlines as they are."""
    return fetch(source, cache).read_bytes().decode(encoding)


def member(archive: Path, *patterns: str) -> bytes:
    """The one file of a zip whose path fits a pattern; the first pattern that fits anything decides."""
    with zipfile.ZipFile(archive) as files:
        names = [name for name in files.namelist() if not name.endswith("/")]
        for pattern in patterns:
            found = [name for name in names if fnmatch(name, pattern)]
            if len(found) == 1:
                return files.read(found[0])
            if found:
                raise Changed(f"{archive.name}: {pattern} fits {len(found)} files: {', '.join(sorted(found)[:5])}")
    raise Changed(f"{archive.name}: no file fits {' or '.join(patterns)}")
