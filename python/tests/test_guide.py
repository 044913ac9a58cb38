"""The Python code of the pages runs, and prints what the pages show.

Every section of a page (from one heading of the second level to the next) is a script of its own: its blocks of
``python`` run in order, in one namespace and a folder that holds only the tables of the demo. A block of ``text``
right behind is what the block printed. ``UPDATE_DOCS=1 pytest tests/test_guide.py`` writes these blocks again.
"""

import contextlib
import io
import os
import re
import shutil
import warnings
from pathlib import Path
from typing import NamedTuple

import pytest

from cwplugin import FitWarning

ROOT = Path(__file__).resolve().parents[2]
#: What `cwplugin demo --save data` writes; the README has it there.
DEMO = ROOT / "crates" / "cwplugin-cli" / "src" / "demo"
#: Pages whose Python code runs, and how many blocks there are at least.
PAGES = {"docs/guide-python.md": 20, "python/README.md": 1, "README.md": 1}

FENCED = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$\n?", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """Some code, and where its output stands in the page."""

    code: str
    line: int
    #: From and to; None if the page does not show what the code prints.
    shown: tuple[int, int] | None


def sections(text: str) -> dict[str, list[Block]]:
    """The blocks of every section that has any."""
    found: dict[str, list[Block]] = {}
    fences = list(FENCED.finditer(text))
    for place, fence in enumerate(fences):
        if fence[1] != "python":
            continue
        following = fences[place + 1] if place + 1 < len(fences) else None
        is_shown = (
            following is not None and following[1] == "text" and not text[fence.end() : following.start()].strip()
        )
        headings = re.findall(r"^## (.*)$", text[: fence.start()], re.MULTILINE)
        block = Block(fence[2], text.count("\n", 0, fence.start()) + 2, following.span(2) if is_shown else None)
        found.setdefault(headings[-1] if headings else "", []).append(block)
    return found


SCRIPTS = [(page, name) for page in PAGES for name in sections((ROOT / page).read_text(encoding="utf-8"))]


@pytest.mark.parametrize(("page", "section"), SCRIPTS, ids=lambda name: name)
def test_a_section_prints_what_it_shows(page, section, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(DEMO, "data")
    path = ROOT / page
    text = path.read_text(encoding="utf-8")
    namespace = {"__name__": "__main__"}
    fresh, done = "", 0
    for block in sections(text)[section]:
        printed = io.StringIO()
        code = compile("\n" * (block.line - 1) + block.code, str(path), "exec")
        with contextlib.redirect_stdout(printed), warnings.catch_warnings():
            warnings.simplefilter("error", FitWarning)
            exec(code, namespace)
        output = "".join(f"{line.rstrip()}\n" for line in printed.getvalue().splitlines())
        if block.shown is None:
            assert not output, f"{page}, line {block.line}: the page does not show what this prints:\n{output}"
            continue
        begin, end = block.shown
        fresh += text[done:begin] + output
        done = end
    fresh += text[done:]
    if os.environ.get("UPDATE_DOCS"):
        path.write_text(fresh, encoding="utf-8")
        for picture in tmp_path.glob("*.png"):
            shutil.copy(picture, ROOT / "docs" / "images" / f"python-{picture.name}")
    assert path.read_text(encoding="utf-8") == fresh, f"{page} shows something else; UPDATE_DOCS=1 writes it again"
    for picture in tmp_path.glob("*.png"):
        assert f"images/python-{picture.name}" in text, f"{page} does not show {picture.name}"


@pytest.mark.parametrize("page", PAGES)
def test_every_block_is_run(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    run = [block.code for blocks in sections(text).values() for block in blocks]
    written = [part.split("\n```")[0] + "\n" for part in re.split(r"^ *```+ *python.*\n", text, flags=re.MULTILINE)[1:]]
    assert run == written
    assert len(run) >= PAGES[page]
    names = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert len(names) == len(set(names)), "a heading names one script"
