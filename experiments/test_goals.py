"""Tests of the goals of `auto`: every count is recomputed from synthetic results in another way."""

import json
import random
import unittest
from statistics import fmean

import fake_results
from fake_results import fake, find
from markdown import signed
from page_case import PageCase, half_width, number


class GoalsTest(PageCase):
    """The section of the page."""

    def test_goals_equal_a_second_count(self) -> None:
        """Every column of the table of goals, tasks with label noise and generated rows apart."""
        kinds = {
            "every task without label noise": [fake("lmtweets"), fake("snli-shift", sizes=(50, 800))],
            "tasks with label noise in S": [fake("anli-noise-bart", without=("logistic",))],
            "tasks with label noise in pool and test rows": [fake("anli-noise-target-bart")],
            "generated rows": [fake("generated-10-none")],
        }
        kinds["every task without label noise"][0]["rows"]["test"] = 500
        text = self.make(*(facts for tasks in kinds.values() for facts in tasks))
        found = self.table_after(text, "## Goals of `auto`")
        kinds["… with at least 500 test rows"] = kinds["every task without label noise"][:1]
        self.assertEqual(set(found), {"", "goal", *kinds})
        for kind, tasks in kinds.items():
            seen = []
            for facts in tasks:
                for own in [one for one in facts["cells"] if one["method"] == "auto" and one["size"] <= 400]:
                    where = (own["metric"], own["size"])
                    others = {name: find(facts, name, *where)["mean"] for name in facts["methods"] if name != "auto"}
                    gaps = [value - others["clean"] for value in own["scores"]]
                    gain = own["mean"] - others["cwplugin:published"]
                    best = max(mean for name, mean in others.items() if name != "logistic")
                    below = [fmean(gaps) < -half_width(gaps, error) for error in (own["test_error"], 0.0)]
                    seen.append(
                        (gain >= 0, gain, fmean(gaps) >= -0.005, *below, own["mean"] >= best - 0.01, fmean(gaps))
                    )
            row = found[kind]
            self.assertEqual(int(row[0]), len(seen), kind)
            for column, values in enumerate(zip(*seen, strict=True), 1):
                entry = row[column]
                if isinstance(values[0], bool):
                    self.assertEqual(int(number(entry)), sum(values), (kind, column))
                else:
                    self.assertEqual(entry, signed(fmean(values)), (kind, column))

    def test_other_splits_equal_a_second_count(self) -> None:
        """The smallest tasks with other test rows: differences split by split, since clean changes with the rows."""
        chance = random.Random(3)
        names = ("clean", "cwplugin:published", "vector", "auto")
        cells = [
            {"method": name, "metric": metric, "size": size, "scores": [chance.uniform(0.4, 0.6) for _ in range(6)]}
            for metric in ("mcc", "accuracy")
            for size in (50, 400)
            for name in names
        ]
        rows = {"pool": 700, "test": 711}
        one = {"task": "anli-shift-bart", "file": "a", "shift": "a:0.8", "splits": 6, "rows": rows, "cells": cells}
        fake_results.write(self.results, fake("lmtweets"))
        (self.results.parent / "splits.json").write_text(json.dumps([one]))
        self.assertEqual(self.run_page(), (0, ""))
        text = self.page.read_text()
        self.assertIn("with 6 other splits (`experiments/splits.py`)", text)
        self.assertIn("(about 700 in the pool and 711 for testing)", text)
        found = self.table_after(text, "### Other test rows")
        means = [
            {name: fmean(cell["scores"]) for name, cell in zip(names, cells[place : place + 4], strict=True)}
            for place in range(0, 16, 4)
        ]
        counts = [
            sum(mean["auto"] >= mean["cwplugin:published"] for mean in means),
            sum(mean["auto"] >= mean["clean"] - 0.005 for mean in means),
            sum(mean["auto"] >= max(mean[name] for name in names[:3]) - 0.01 for mean in means),
        ]
        for row in (found["anli-shift-bart"], found["all"]):
            self.assertEqual([int(number(row[column])) for column in (1, 3, 6)], counts)
            self.assertEqual(row[7], signed(fmean(mean["auto"] - mean["clean"] for mean in means)))


if __name__ == "__main__":
    unittest.main()
