"""Tests of the section about limits, on made-up fits."""

import json
import tempfile
import unittest
from pathlib import Path

from limits_page import limits


def line(probability: float, test: float, margin: float = 0.01) -> dict:
    """One fit."""
    return {
        "task": "t", "size": 100, "method": "auto", "limit": "recall:a>=0.5", "margin": margin,
        "probability": probability, "test": test,
    }  # fmt: skip


class Limits(unittest.TestCase):
    """The section for synthetic fits."""

    def section(self, lines: list[dict]) -> str:
        """The section."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "limits.json"
            path.write_text(json.dumps(lines), encoding="utf-8")
            return "\n".join(limits(path))

    def test_shares_and_the_verdict_are_counted(self) -> None:
        """Half of the fits that were met held, and 70 % was said."""
        text = self.section([line(0.9, 0.1), line(0.5, -0.1), line(0.0, -0.3, margin=-0.2)])
        self.assertIn("| `auto` | 100 | 3 | 67 % | 70 % | 50 % | .000 |", text)
        self.assertIn("| 80 to 95 % | 1 | 90 % | 100 % |", text)
        self.assertIn("| 0 to 60 % | 1 | 50 % | 0 % |", text)
        self.assertIn("is 20 percentage points too high", text)

    def test_doubt_is_told_from_pride(self) -> None:
        """What holds more often than was said."""
        self.assertIn("is 75 percentage points too low", self.section([line(0.25, 0.1)]))

    def test_nothing_is_said_of_nothing(self) -> None:
        """No file, no section."""
        self.assertEqual(limits(Path("none.json")), [])


if __name__ == "__main__":
    unittest.main()
