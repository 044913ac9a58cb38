"""Builds the documentation as a site with mdBook, or only checks the links of all Markdown files (Python 3.11).

    python docs/site/build.py --check
    python docs/site/build.py MDBOOK FOLDER

The site has the folders of the repository, so links between pages are the same in both. Only links to a folder or its
README.md are changed: mdBook calls that page index.html. Files that pages link to, such as pictures and scripts, are copied.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

from markdown import OUTSIDE, as_file, links, problems

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CONTENTS = ROOT / "docs" / "SUMMARY.md"


def all_pages() -> list[Path]:
    """Every Markdown file of the repository."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.md"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    )
    return [path for name in sorted(listed.stdout.split("\0")) if name and (path := ROOT / name).is_file()]


def contents() -> str:
    """The table of contents for mdBook: paths from the root of the repository, and one line per decision."""
    text = CONTENTS.read_text(encoding="utf-8")
    rebased = rewritten(CONTENTS, text, lambda link: str(as_file(link.path).relative_to(ROOT)))
    decisions = sorted((ROOT / "docs" / "decisions").glob("0*.md"))
    lines = [f"  - [{title(page)}]({page.relative_to(ROOT)})" for page in decisions]
    return rebased.rstrip("\n") + "\n" + "\n".join(lines) + "\n"


def title(page: Path) -> str:
    """The first heading of a page."""
    return page.read_text(encoding="utf-8").split("\n", 1)[0].removeprefix("# ")


def listed_pages() -> list[Path]:
    """The pages of the site, in their order."""
    return [link.path for link in links(ROOT / "SUMMARY.md", contents())]


def rewritten(page: Path, text: str, target) -> str:
    """The text with other targets of its links."""
    for link in reversed(list(links(page, text))):
        text = text[: link.start] + target(link) + text[link.end :]
    return text


def check() -> list[str]:
    """Links without a target, and pages that are missing in the table of contents."""
    pages, listed = all_pages(), listed_pages()
    found = list(problems(ROOT, pages))
    missing = sorted({*pages} - {*listed, CONTENTS})
    found += [f"docs/SUMMARY.md: {page.relative_to(ROOT)} is missing" for page in missing]
    return found + [f"docs/SUMMARY.md: {page.relative_to(ROOT)} twice" for page in {*listed} if listed.count(page) > 1]


def copy_pages(source: Path) -> None:
    """Copies the pages, and the files that they link to."""
    for page in listed_pages():
        text = page.read_text(encoding="utf-8")
        for link in links(page, text):
            file = as_file(link.path)
            if file.suffix != ".md":
                write(source / file.relative_to(ROOT), file.read_bytes())

        def target(link, page=page):
            file = as_file(link.path)
            if file.name != "README.md" or link.target.startswith("#"):
                return link.target
            anchor = f"#{link.anchor}" if link.anchor else ""
            return os.path.relpath(file.with_name("index.md"), page.parent) + anchor

        write(source / page.relative_to(ROOT), rewritten(page, text, target).encode())
    write(source / "SUMMARY.md", contents().encode())


def write(path: Path, content: bytes) -> None:
    """Writes a file and creates its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


class Built(HTMLParser):
    """The identifiers and the links of a page of the site."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path, self.ids, self.targets = path, set(), []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        """Collects `id`, `href` and `src`."""
        for name, value in attributes:
            if name == "id":
                self.ids.add(value)
            elif name in ("href", "src") and value and not OUTSIDE.match(value):
                self.targets.append(value)


def broken(site: Path) -> list[str]:
    """Links of the built site without a target."""
    pages = {path: Built(path) for path in sorted(site.rglob("*.html"))}
    found = []
    for path, page in pages.items():
        for target in page.targets:
            name, _, anchor = unquote(target.split("?")[0]).partition("#")
            file = (path.parent / name).resolve() if name else path
            if not file.is_file() or (anchor and file in pages and anchor not in pages[file].ids):
                found.append(f"{path.relative_to(site)}: {target}")
    return found


def build(mdbook: str, folder: Path) -> Path:
    """Builds the site and checks it; returns its first page."""
    shutil.rmtree(folder, ignore_errors=True)
    copy_pages(folder / "src")
    for name in ("book.toml", "site.css"):
        write(folder / name, (HERE / name).read_bytes())
    subprocess.run([mdbook, "build", folder], check=True)
    stop_on(broken(folder / "book"))
    return folder / "book" / "index.html"


def stop_on(found: list[str]) -> None:
    """Prints problems and stops if there are any."""
    if found:
        sys.exit("\n".join(found))


def main() -> None:
    """Check, or build and show the site."""
    stop_on(check())
    if sys.argv[1:] == ["--check"]:
        return
    first = build(sys.argv[1], Path(sys.argv[2]).resolve())
    print(f"wrote {os.path.relpath(first)}")
    is_mac = sys.platform == "darwin"
    has_desktop = is_mac or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    program = shutil.which("open" if is_mac else "xdg-open")
    if has_desktop and program:
        subprocess.run([program, first], check=False)


if __name__ == "__main__":
    main()
