"""Tests of the experiment with votes, and of its section of the page."""

import json
import tempfile
import unittest
from pathlib import Path

from votes import log_evidence, smoothed, strength
from votes_page import votes


def cell(kind: str, k: int | None, clean: float, fitted: float) -> dict:
    """Two draws."""
    facts = {"task": "t", "votes": k, "input": kind, "size": 100, "metric": "macro-f1"}
    return facts | {"clean": [clean, clean], "fitted": [fitted - 0.1, fitted + 0.1]}


class Votes(unittest.TestCase):
    """Strengths by evidence, and the section for synthetic fits."""

    def test_the_evidence_is_the_product_over_single_votes(self) -> None:
        """Votes one after the other: each has the probability that the earlier ones give it, as in Pólya's urn."""
        product = 0.5 / 2 * (0.5 + 1) / 3 * 1.5 / 4
        self.assertAlmostEqual(2.718281828459045 ** log_evidence([[2, 1]], [0.5, 1.5]), product)

    def test_certain_rows_need_little_and_equal_rows_much(self) -> None:
        """The largest evidence is found on a grid, too."""
        certain, equal, mixed = [[9, 0], [0, 9]], [[5, 5]] * 4, [[7, 3], [2, 8], [5, 5], [9, 1]]
        self.assertLess(strength(certain, [0.5, 0.5]), 0.2)
        self.assertGreater(strength(equal, [0.5, 0.5]), 900)
        grid = [0.1 * 1.01**step for step in range(900)]
        best = max(grid, key=lambda at: log_evidence(mixed, [at / 2, at / 2]))
        self.assertAlmostEqual(strength(mixed, [0.5, 0.5]) / best, 1, delta=0.01)
        self.assertEqual(strength([[1, 0], [0, 1]], [0.5, 0.5]), 1)

    def test_half_a_vote_is_added(self) -> None:
        """As the program does."""
        self.assertEqual(smoothed([[2, 10, 0]], [0.5] * 3), [[2.5 / 13.5, 10.5 / 13.5, 0.5 / 13.5]])

    def test_means_and_differences_are_counted(self) -> None:
        """Means over draws, and differences between inputs."""
        cells = [
            cell("probabilities", None, 0.5, 0.7), cell("votes", 1, 0.3, 0.3), cell("one-hot", 1, 0.3, 0.28),
            cell("votes", 5, 0.4, 0.5), cell("evidence", 5, 0.4, 0.51), cell("evidence-shares", 5, 0.4, 0.48),
        ]  # fmt: skip
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "votes.json"
            path.write_text(json.dumps(cells), encoding="utf-8")
            text = "\n".join(votes(path))
        self.assertIn("of 2 runs, 2 for each task", text)
        self.assertIn("| 5 | .400 | .500 ± .141 |", text)
        self.assertIn("| probabilities | .500 | .700 ± .141 |", text)
        self.assertIn("the same for all classes | +.010 | +.010 (`t`) |", text)
        self.assertIn("| a table of 0 and 1, macro-F1 | −.020 |", text)
        self.assertEqual(votes(Path("none.json")), [])


if __name__ == "__main__":
    unittest.main()
