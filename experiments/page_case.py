"""What the tests of the page share: a folder with made-up results, and the page made from them."""

import contextlib
import io
import math
import re
import tempfile
import unittest
from pathlib import Path
from statistics import stdev
from typing import Any

import fake_results
import page


def number(text: str) -> float:
    """The first number of a table's entry."""
    return float(re.search(r"[−+]?\d*\.?\d+", text).group().replace("−", "-"))


def half_width(gaps: list[float], test_error: float) -> float:
    """Half of the interval at 95 % of the mean of five draws, with the luck of the test rows."""
    draws = stdev(gaps) / math.sqrt(5)
    both = math.hypot(draws, test_error)
    quantiles = (2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110)
    freedom = 4 * (both / draws) ** 4 if draws else math.inf
    later = (2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042)
    return both * (*quantiles, *later)[min(math.floor(min(freedom, 30)) - 4, 26)]


class PageCase(unittest.TestCase):
    """A folder with made-up results, and the page made from them."""

    def setUp(self) -> None:
        """Start with an empty folder."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.results, self.page = self.root / "experiments" / "results", self.root / "docs" / "results.md"
        self.page.parent.mkdir()

    def run_page(self, *flags: str) -> tuple[int, str]:
        """Exit code and what was said on stderr."""
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            code = page.main(["--results", str(self.results), "--page", str(self.page), *flags])
        return code, said.getvalue()

    def make(self, *tasks: dict[str, Any]) -> str:
        """Write results, make the page, read it."""
        fake_results.write(self.results, *tasks)
        self.assertEqual(self.run_page(), (0, ""))
        return self.page.read_text()

    def make_paper(self, *tasks: dict[str, Any]) -> str:
        """The same for the page of the paper."""
        self.make(*tasks)
        return self.page.with_name("paper.md").read_text()

    def table_after(self, text: str, *marks: str) -> dict[str, list[str]]:
        """The first table after the marks, taken in order: its entries by the name in the first column."""
        place = 0
        for mark in marks:
            place = text.index(mark, place) + len(mark)
        lines = re.search(r"(?:^\|.*\|\n)+", text[place:], re.MULTILINE).group().splitlines()
        rows = [[entry.strip() for entry in line.strip("|").split(" | ")] for line in lines]
        self.assertEqual({len(row) for row in rows}, {len(rows[0])})
        name = re.compile(r"`([^`]*)`")
        return {(name.search(row[0]) or [row[0]] * 2)[1]: row[1:] for row in rows if not row[0].startswith("---")}
