"""Tests of the section about peers."""

import json
import tempfile
import unittest
from pathlib import Path
from typing import Any

from peers_page import peers


def cell(metric: str, size: int, **means: float) -> dict[str, Any]:
    """The means of one task."""
    return {"metric": metric, "size": size, "means": means}


FACTS = {
    "versions": {"scipy": "1.0"},
    "metrics": ["macro-f1", "accuracy"],
    "sizes": [50, 100],
    "repeats": 5,
    "unlabelled": 500,
    "halves": {"dev": ["a", "b"], "confirm": []},
    "ours": ["auto", "clean"],
    "peers": ["xcolumns", "other"],
    "tasks": [
        {
            "task": "a",
            "peers": [{"peer": "xcolumns", "skipped": False, "failed": 2}, {"peer": "other", "skipped": True}],
            "cells": [
                cell("macro-f1", 50, auto=0.5, clean=0.4, xcolumns=0.52),
                cell("macro-f1", 100, auto=0.6, clean=0.4, xcolumns=0.5),
                cell("accuracy", 50, auto=0.7, clean=0.7, xcolumns=0.705),
                cell("accuracy", 100, auto=0.7, clean=0.7, xcolumns=0.7),
            ],
        },
        {
            "task": "b",
            "peers": [{"peer": "xcolumns", "skipped": False, "failed": 0}],
            "cells": [
                cell("macro-f1", 50, auto=0.5, clean=0.5, xcolumns=0.5),
                cell("macro-f1", 100, auto=0.5, clean=0.5, xcolumns=0.5),
            ],
        },
    ],
}


class Peers(unittest.TestCase):
    """The section for synthetic results."""

    def text(self, facts: dict[str, Any]) -> str:
        """The section."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "peers.json"
            path.write_text(json.dumps(facts), encoding="utf-8")
            return "\n".join(peers(path))

    def test_differences_and_shares_are_counted(self) -> None:
        """Of all cells that have the method."""
        text = self.text(FACTS)
        self.assertIn("| xcolumns | 4 | −.020 | 25 % | 25 % |", text)
        self.assertIn("| `clean` | 4 | −.075 | 0 % | 50 % |", text)
        self.assertIn("| xcolumns | 2 | +.003 | 0 % | 0 % |", text)
        self.assertIn("| xcolumns | +.010 | −.050 |", text)
        self.assertNotIn("| other |", text)

    def test_what_went_wrong_is_said(self) -> None:
        """Skipped peers, failed fits, and halves that were not run."""
        text = self.text(FACTS)
        self.assertIn("Skipped because of the limit of time: other on `a`.", text)
        self.assertIn("count as the unadjusted black box: xcolumns 2.", text)
        self.assertIn("Not run yet: the half `confirm`.", text)
        fine = [{**task, "peers": []} for task in FACTS["tasks"]]
        text = self.text({**FACTS, "tasks": fine, "halves": {"dev": ["a"], "confirm": ["b"]}})
        self.assertIn("Nothing was skipped. No fit failed.", text)
        self.assertIn("### Peers on the confirm half", text)

    def test_without_results_there_is_no_section(self) -> None:
        """The page has no empty section."""
        self.assertEqual(peers(Path("none.json")), [])


if __name__ == "__main__":
    unittest.main()
