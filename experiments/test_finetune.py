"""Tests of the section about fine-tuning."""

import json
import tempfile
import unittest
from pathlib import Path
from typing import Any

from finetune import epochs_of, order
from finetune_page import finetune
from scores import BadResults, Cell, Task

METRICS = ["accuracy"]


def task(**scores: dict[int, list[float]]) -> Task:
    """Results of five draws; `_` in a name is a colon."""
    cells = {}
    for name, of_size in scores.items():
        method = name.replace("_", ":")
        for size, found in of_size.items():
            mean = sum(found) / len(found)
            cells[method, "accuracy", size] = Cell(method, "accuracy", size, mean, 0.0, 0.0, tuple(found), ())
    return Task("t", {"methods": [name.replace("_", ":") for name in scores]}, cells)


def cell(size: int, scores: list[float], method: str = "finetune") -> dict[str, Any]:
    """Scores of fine-tuning."""
    return {"method": method, "metric": "accuracy", "size": size, "scores": scores}


def draw(size: int, repeat: int, seconds: float) -> dict[str, Any]:
    """What is kept of a draw."""
    return {"method": "finetune", "size": size, "repeat": repeat, "epochs": 30, "epoch": 29, "cpu_seconds": seconds}


RESULTS = task(
    auto={50: [0.5, 0.7, 0.1], 100: [0.6, 0.6, 0.1], 400: [0.6, 0.6, 0.1]},
    cwplugin={50: [0.3, 0.5, 0.9], 100: [0.6, 0.5, 0.9], 400: [0.6, 0.6, 0.9]},
    cwplugin_published={50: [0.9, 0.9, 0.9], 100: [0.9, 0.9, 0.9], 400: [0.9, 0.9, 0.9]},
)
FOUND = {
    "task": "t",
    "draws": [draw(50, 0, 10), draw(50, 1, 20), draw(400, 0, 100)],
    "cells": [cell(50, [0.4, 0.6]), cell(100, [0.6, 0.7]), cell(400, [0.7])],
}


class Finetune(unittest.TestCase):
    """The section for synthetic results."""

    def text(self, found: dict[str, Any], *results: Task) -> str:
        """The section."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "finetune.json"
            path.write_text(
                json.dumps({"metrics": METRICS, "sizes": [50, 100, 400, 800], "tasks": [found]}), encoding="utf-8"
            )
            return "\n".join(finetune(path, list(results)))

    def test_methods_are_compared_on_the_draws_of_fine_tuning(self) -> None:
        """Two draws of 50 and 100 rows, one of 400; the third draw of the others is left out."""
        text = self.text(FOUND, RESULTS)
        self.assertIn("`t`: 2 draws of 50, 100; 1 draw of 400 labelled rows. Not run yet: `t` with 800 rows.", text)
        self.assertIn("| `finetune` | .500 ± .141 | .650 ± .071 | .700 |", text)
        self.assertIn("| `auto` | .600 ± .141 | .600 | .600 |", text)
        self.assertIn("| `cwplugin:published` | **.900** | **.900** | **.900** |", text)

    def test_where_it_overtakes(self) -> None:
        """From the smallest size with no larger one behind: later, always, never."""
        text = self.text(FOUND, RESULTS)
        self.assertIn("| `t` | accuracy | 100 | 50, all sizes | not up to 400 |", text)
        self.assertIn("`auto`: by 400 rows in 1 of 1, not at the sizes that were run in 0;", text)
        self.assertIn("`cwplugin:published`: by 400 rows in 0 of 1, not at the sizes that were run in 1.", text)
        back = FOUND | {"cells": [*FOUND["cells"][:2], cell(400, [0.5])]}
        self.assertIn("| `t` | accuracy | not up to 400 | not up to 400 |", self.text(back, RESULTS))

    def test_more_epochs(self) -> None:
        """Only the draws that both have count; a changed order is named."""
        self.assertIn("Whether more epochs change the order has not been measured yet", self.text(FOUND, RESULTS))
        more = FOUND | {"cells": [*FOUND["cells"], cell(50, [0.55], "finetune:x2")]}
        text = self.text(more, RESULTS)
        self.assertIn("the order changes in 1 of 3 comparisons", text)
        self.assertIn("| `t` | 50 | 1 | 2 | accuracy | .400 | .550 | +.150 | `auto` |", text)

    def test_time_of_training(self) -> None:
        """Means over the draws."""
        text = self.text(FOUND, RESULTS)
        self.assertIn("| 50 | 30 | 15 |", text)
        self.assertIn("| 400 | 30 | 100 |", text)

    def test_nothing_to_say_and_too_little(self) -> None:
        """No file, no results of the task, no draws; results with fewer draws are an error."""
        self.assertEqual(finetune(Path("none.json"), []), [])
        self.assertEqual(self.text(FOUND), "")
        self.assertEqual(self.text(FOUND | {"cells": []}, RESULTS), "")
        with self.assertRaisesRegex(BadResults, "auto has 3 of 4 draws of 50 rows"):
            self.text(FOUND | {"cells": [cell(50, [0.5] * 4)]}, RESULTS)

    def test_the_first_draw_of_every_size_comes_first(self) -> None:
        """So that a run that is stopped has something to say about all sizes."""
        found = order()
        self.assertEqual([repeat for _, repeat in found[:6]], [0] * 6)
        self.assertEqual(len(found), len(set(found)))
        self.assertEqual([epochs_of(size) for size in (50, 160, 250, 400, 800)], [30, 30, 20, 12, 8])


if __name__ == "__main__":
    unittest.main()
