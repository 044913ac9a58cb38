"""The README repeats figures of the panel: they are those of panel/judged.md."""

import re
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent


class Figures(unittest.TestCase):
    """Figures that stand in two files."""

    def test_the_readme_repeats_the_figures_of_the_confirming_tasks(self) -> None:
        """Numbers of tasks and cells, gain, and how often `auto` is not worse."""
        judged = (HERE / "panel/judged.md").read_text()
        tasks, cells, rows = re.search(r"## confirm: (\d+) tasks, (\d+) cells\n(.*)", judged, re.S).groups()
        auto = next(line for line in rows.splitlines() if line.startswith("| auto "))
        _, _, published, _, not_worse, _, gain, _ = (cell.strip() for cell in auto.strip("|").split("|"))
        readme = " ".join((HERE.parent / "README.md").read_text().split())
        for text in (
            f"On {tasks} tasks",
            f"({cells} cells",
            f"on average {float(gain):.3f} above",
            f"at most 0.005 below it in {not_worse.replace(' ', '')} of",
            f"published Algorithm 1 in {published.replace(' ', '')}.",
        ):
            self.assertIn(text, readme)


if __name__ == "__main__":
    unittest.main()
