"""Links and headings of Markdown files, and what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

FENCE = re.compile(r"^( *)(`{3,}|~{3,}).*?^ *\2`*~* *$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"(?<!`)(`+)(?!`)((?:(?!\n\s*\n).)+?)(?<!`)\1(?!`)", re.DOTALL)
#: `[text](target "title")`, `[name]: target`, and attributes of HTML.
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)|^\[[^\]]+\]:\s*(\S+)|(?:href|src)=\"([^\"]+)\"", re.MULTILINE)
HEADING = re.compile(r"^#{1,6} +(.+?) *#*$", re.MULTILINE)
ANCHOR = re.compile(r"<a (?:id|name)=\"([^\"]+)\"")
OUTSIDE = re.compile(r"[a-z]+:|//", re.IGNORECASE)


@dataclass(frozen=True)
class Link:
    """A link to a file of the repository, or to a heading."""

    #: Where the target stands in the text.
    start: int
    end: int
    target: str
    #: The file, or folder; the page itself for `#heading`.
    path: Path
    anchor: str


def blanked(text: str, *patterns: re.Pattern[str]) -> str:
    """The text with spaces in place of every match, so that positions stay the same."""
    for pattern in patterns:
        text = pattern.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    return text


def links(page: Path, text: str) -> Iterator[Link]:
    """The links of a page, without those to other sites."""
    for match in LINK.finditer(blanked(text, FENCE, CODE)):
        start, end = next(match.span(group) for group in (1, 2, 3) if match[group])
        target = text[start:end]
        if not OUTSIDE.match(target):
            path, _, anchor = unquote(target).partition("#")
            yield Link(start, end, target, (page.parent / path).resolve() if path else page.resolve(), anchor)


def anchors(text: str) -> set[str]:
    """The anchors of the headings, as repository hosts and mdBook name them."""
    found: set[str] = set(ANCHOR.findall(text))
    for heading in HEADING.findall(blanked(text, FENCE)):
        shown = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = "".join(c for c in shown.lower() if c.isalnum() or c in " -_").replace(" ", "-")
        count = 0
        while (name := f"{slug}-{count}" if count else slug) in found:
            count += 1
        found.add(name)
    return found


def as_file(path: Path) -> Path:
    """A folder is read as its README.md, as on a repository host."""
    return path / "README.md" if path.is_dir() else path


def problems(root: Path, pages: Iterable[Path]) -> Iterator[str]:
    """Links without a target, with file and line."""
    known: dict[Path, set[str]] = {}
    for page in pages:
        text = page.read_text(encoding="utf-8")
        for link in links(page, text):
            place = f"{page.relative_to(root)}:{text.count(chr(10), 0, link.start) + 1}: {link.target}"
            file = as_file(link.path)
            if not file.is_file():
                yield f"{place}: no such file"
            elif not file.is_relative_to(root):
                yield f"{place}: outside of the repository"
            elif link.anchor and file.suffix == ".md":
                if file not in known:
                    known[file] = anchors(file.read_text(encoding="utf-8"))
                if link.anchor not in known[file]:
                    yield f"{place}: no such heading"
