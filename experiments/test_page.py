"""Tests of the page: every figure is recomputed from synthetic results in another way."""

import math
import re
import unittest
from statistics import fmean, stdev

import fake_results
import page
import scores
import words
from fake_results import fake, find
from fake_theory import fake_theory, write_theory
from markdown import score, signed
from page_case import PageCase, half_width, number

COMPARED = [name for name in fake_results.METHODS if name != "clean"]


class PageTest(PageCase):
    """The whole page."""

    def test_summary_equals_a_second_count(self) -> None:
        """Best, near, above, significant, rank and difference, from the raw files."""
        tasks = [fake("lmtweets"), fake("anli-noise-bart", without=("logistic",)), fake("snli-shift", sizes=(50, 100))]
        text = self.make(*tasks)
        counts = {name: [0] * 6 for name in fake_results.METHODS}
        ranks: dict[str, list[float]] = {name: [] for name in fake_results.METHODS}
        differences: dict[str, list[float]] = {name: [] for name in fake_results.METHODS}
        for facts in tasks:
            for metric in facts["metrics"]:
                for size in facts["sizes"]:
                    cells = [find(facts, name, metric, size) for name in facts["methods"]]
                    clean = find(facts, "clean", metric, size)["mean"]
                    order = sorted(cells, key=lambda one: -one["mean"])
                    limit = order[0]["mean"] - stdev(order[0]["scores"]) / math.sqrt(5)
                    for cell in cells:
                        gap = [value - clean for value in cell["scores"]]
                        wide = half_width(gap, cell["test_error"])
                        name = cell["method"]
                        seen = (
                            *(True, cell is order[0], cell["mean"] >= limit, fmean(gap) > 1e-12),
                            *(fmean(gap) > max(wide, 1e-12), fmean(gap) < -max(wide, 1e-12)),
                        )
                        counts[name] = [old + new for old, new in zip(counts[name], seen, strict=True)]
                        ranks[name].append(1 + order.index(cell))
                        differences[name].append(fmean(gap))
        found = self.table_after(text, "## Summary")
        self.assertEqual(set(found), {"method", *fake_results.METHODS})
        for name in fake_results.METHODS:
            row = found[name]
            shown = 3 if name == "clean" else 6
            self.assertEqual([int(number(entry)) for entry in row[:shown]], counts[name][:shown], name)
            self.assertEqual(row[6], f"{fmean(ranks[name]):.1f}")
            if name != "clean":
                self.assertEqual(row[7], signed(fmean(differences[name])))
        by_task = self.table_after(text, "## Losses")
        for name, entry in zip(COMPARED, by_task["all"], strict=True):
            self.assertEqual(entry, f"{counts[name][5]} of {counts[name][0]}")

    def test_split_by_size_equals_a_second_count(self) -> None:
        """Mean difference to clean for each size; a size that a task lacks is counted without it."""
        tasks = [fake("lmtweets"), fake("snli-shift", sizes=(50, 100))]
        text = self.make(*tasks)
        found = self.table_after(text, "### By number of labelled rows")
        self.assertEqual(found["cells"], ["10", "10", "5", "5"])
        for place, size in enumerate((50, 100, 160, 250)):
            gaps = [
                find(facts, "vector", metric, size)["mean"] - find(facts, "clean", metric, size)["mean"]
                for facts in tasks
                if size in facts["sizes"]
                for metric in facts["metrics"]
            ]
            self.assertEqual(found["vector"][place], signed(fmean(gaps)))

    def test_task_tables_equal_the_files(self) -> None:
        """Every mean and deviation of every shown size."""
        facts = fake("lmemotions", sizes=(50, 100, 160, 250, 400, 800))
        text = self.make(facts)
        for size in (50, 100, 250, 400):
            found = self.table_after(text, "\n### lmemotions\n", f"\n{size} labelled rows:")
            for name in facts["methods"]:
                for metric, entry in zip(facts["metrics"], found[name], strict=True):
                    cell = find(facts, name, metric, size)
                    self.assertIn(score(cell["mean"]), entry)
                    self.assertEqual("±" in entry, cell["sd"] != 0)
                    if cell["sd"]:
                        self.assertIn(f"± {score(cell['sd'])}", entry)
                    best = max(find(facts, other, metric, size)["mean"] for other in facts["methods"])
                    self.assertEqual(entry.startswith("**"), cell["mean"] == best)
        self.assertIn("At 160, 800 labelled rows: [lmemotions.json]", text)
        place = text.index("](../experiments/results/lmemotions-macro-f1.svg)")
        folded = text.index("<summary>Figures of the other metrics</summary>")
        for metric in ("accuracy", "macro-g-mean", "mcc", "macro-fowlkes-mallows"):
            self.assertLess(place, folded)
            self.assertLess(folded, text.index(f"](../experiments/results/lmemotions-{metric}.svg)"))

    def test_check(self) -> None:
        """Passes on a fresh page, fails on a changed one, a changed result and a missing page."""
        fake_results.write(self.results, fake("lmtweets"))
        self.assertEqual(self.run_page("--check")[0], 1)
        self.assertFalse(self.page.exists())
        self.run_page()
        self.assertEqual(self.run_page("--check"), (0, ""))
        good = self.page.read_text()
        self.page.write_text(good.replace("## Summary", "## Our triumph"))
        self.assertEqual(self.run_page("--check")[0], 1)
        self.page.write_text(good)
        fake_results.write(self.results, fake("lmtweets", seed=1))
        code, said = self.run_page("--check")
        self.assertEqual(code, 1)
        self.assertIn("page.py", said)
        self.assertEqual(self.page.read_text(), good)

    def test_same_results_same_page(self) -> None:
        """The page does not depend on the order in which files are found."""
        first = self.make(fake("snli-noise"), fake("lmtweets"), fake("a-new-task"))
        self.assertEqual(self.make(fake("a-new-task"), fake("lmtweets"), fake("snli-noise")), first)
        names = [line for line in first.splitlines() if line in ("### lmtweets", "### snli-noise", "### a-new-task")]
        self.assertEqual(names, ["### lmtweets", "### snli-noise", "### a-new-task"])

    def test_missing_tasks_are_named(self) -> None:
        """A task without results is listed as missing."""
        text = self.make(fake("lmtweets"))
        self.assertIn("Not run yet: `acs-income-8feat`, `acs-income-linked`, `lmtweets-minilm`", text)
        write_theory(self.results, fake_theory())
        complete = self.make(*map(fake, (*words.TASKS, *words.GENERATED)))
        self.assertNotIn("Not run yet", complete)
        self.assertNotIn("Not run yet", self.page.with_name("paper.md").read_text())

    def test_generated_rows_have_a_section_of_their_own(self) -> None:
        """They are counted there and where methods lost, and nowhere else."""
        real, drawn = fake("lmtweets"), [fake("generated-10-severe"), fake("generated-50-mild", without=("bcts",))]
        alone = self.make(real)
        self.assertNotIn("## Generated rows", alone)
        text = self.make(real, *drawn)
        self.assertIn("2 tasks more, on [generated rows](#generated-rows)", text)
        for mark in ("## Summary", "### By number of labelled rows", "### By task"):
            self.assertEqual(self.table_after(text, mark), self.table_after(alone, mark))
        section = text[text.index("## Generated rows") : text.index("## Losses")]
        for facts in drawn:
            self.assertIn(f"### {facts['task']}\n", section)
            gaps = [
                find(facts, "vector", metric, size)["mean"] - find(facts, "clean", metric, size)["mean"]
                for metric in facts["metrics"]
                for size in facts["sizes"]
            ]
            by_task = self.table_after(section, "Mean difference to unadjusted")
            place = by_task["task"].index("`vector`")
            self.assertEqual(by_task[facts["task"]][place].strip("*"), signed(fmean(gaps)))
        tallies = self.table_after(section, "## Generated rows")
        self.assertEqual([tallies["vector"][0], tallies["bcts"][0]], ["40", "20"])
        self.assertIn("Not run on every task: `bcts`.", section)
        self.assertIn("source ∝ 1 / rank, target ∝ 1 / rank with the ranks reversed.", section)
        self.assertIn("source uniform, target ∝ 1 / rank^0.5.", section)
        self.assertIn("generated-10-severe", self.table_after(text, "## Losses"))
        self.assertIn("| `generated-50-mild` | generated, `0f0f` | 0 |", text)

    def test_many_classes_are_told_by_their_extremes(self) -> None:
        """A list of fifty classes is nothing to read."""
        facts = fake("generated-50-mild")
        facts["test_rows_of"] = {str(place): 10 + place for place in range(50)}
        told = "classes of the test rows: 50, the largest of 59 (3.4 %), the smallest of 10 rows."
        self.assertIn(told, self.make(fake("lmtweets"), facts))

    def test_rows_without_labels_are_told(self) -> None:
        """The number of unlabelled rows of a sample."""
        self.assertNotIn("without labels", self.make(fake("lmtweets")))
        text = self.make(fake("lmtweets") | {"unlabelled": 500})
        self.assertIn("Every fit also gets up to 500 rows of the pool without labels.", text)

    def test_no_results(self) -> None:
        """An empty folder is an error with a cure."""
        self.results.mkdir(parents=True)
        code, said = self.run_page()
        self.assertEqual(code, 1)
        self.assertIn("make experiments", said)

    def test_failures(self) -> None:
        """A cell that failed in part or wholly is shown, counted without the lost draws, and explained."""
        facts = fake("lmtweets")
        place = facts["cells"].index(find(facts, "probing", "mcc", 50))
        facts["cells"][place] = fake_results.cell(
            "lmtweets", "probing", "mcc", 50, [0.9, 0.8, 0.7], "singular", "singular"
        )
        place = facts["cells"].index(find(facts, "vector", "mcc", 50))
        facts["cells"][place] = fake_results.cell("lmtweets", "vector", "mcc", 50, [], *["a | b"] * 5)
        text = self.make(facts)
        found = self.table_after(text, "\n### lmtweets\n", "\n50 labelled rows:")
        self.assertEqual(found["probing"][3], "**.800 ± .100** (3 draws)")
        self.assertEqual(found["vector"][3], "_failed_")
        self.assertIn("| `lmtweets` | `probing` | 2 | singular |", text)
        self.assertIn("| `lmtweets` | `vector` | 5 | a \\| b |", text)
        summary = self.table_after(text, "## Summary")
        self.assertEqual([summary["probing"][0], summary["vector"][0]], ["20", "19"])
        self.assertIn("No draw failed.", self.make(fake("lmtweets")))

    def test_sd_null(self) -> None:
        """One draw has no spread, is never significant and shows no ±."""
        facts = fake("lmtweets", sizes=(50,))
        facts["repeats"] = 1
        facts["cells"] = [
            fake_results.cell("lmtweets", one["method"], one["metric"], 50, one["scores"][:1]) for one in facts["cells"]
        ]
        text = self.make(facts)
        found = self.table_after(text, "\n### lmtweets\n", "\n50 labelled rows:")
        self.assertFalse([entry for row in found.values() for entry in row if "±" in entry or "†" in entry])
        summary = self.table_after(text, "## Summary")
        for name in COMPARED:
            self.assertEqual(summary[name][4:6], ["0 (0 %)", "0 (0 %)"])
        self.assertIn("0 of 11 methods are significantly below unadjusted in some cell; `logistic`,", text)

    def test_ties(self) -> None:
        """Equals are all best and share their ranks; equal to clean is neither above nor below."""
        facts = fake("lmtweets", sizes=(50,))
        facts["cells"] = [
            fake_results.cell("lmtweets", one["method"], one["metric"], 50, [0.5] * 5) for one in facts["cells"]
        ]
        text = self.make(facts)
        summary = self.table_after(text, "## Summary")
        self.assertEqual(summary["clean"], ["5", "5 (100 %)", "5 (100 %)", "–", "–", "–", "6.5", "–"])
        for name in COMPARED:
            self.assertEqual(
                summary[name],
                ["5", "5 (100 %)", "5 (100 %)", "0 (0 %)", "0 (0 %)", "0 (0 %)", "6.5", ".000"],
            )
        self.assertIn("**Most often significantly below unadjusted:** no method.", text)
        self.assertNotIn("furthest below unadjusted", text)

    def test_a_constant_gap_is_significant(self) -> None:
        """All draws equal and below unadjusted: no variance, so it is significant."""
        self.assertEqual(scores.significance([-0.1] * 5), -1)
        self.assertEqual(scores.significance([0.1] * 5), 1)
        self.assertEqual(scores.significance([0.0] * 5), 0)

    def test_the_luck_of_the_test_rows_counts(self) -> None:
        """Significance also depends on the test error; with a test error of 0 nothing changes."""
        gaps = [-0.02, -0.021, -0.019, -0.022, -0.018]
        self.assertEqual([scores.significance(gaps, error) for error in (0.0, 0.005, 0.0105)], [-1, -1, 0])

    def test_significance_by_hand(self) -> None:
        """t = mean / (sd / √n) against the quantile of n − 1."""
        self.assertEqual(scores.significance([1, 2, 3, 4, 5]), 1)  # t = 4.24 > 2.776
        self.assertEqual(scores.significance([-1, 2, 3, 4, -5]), 0)  # t = 0.36
        self.assertEqual(scores.significance([-0.1, -0.3]), 0)  # t = −2 against 12.706
        self.assertEqual([scores.student(n) for n in (1, 4, 30, 99)], [12.706, 2.776, 2.042, 2.042])

    def test_refused_files(self) -> None:
        """A mean that is not its scores', a cell twice, a clean that varies, a file of another kind."""
        facts = fake("lmtweets")
        facts["cells"][3]["mean"] += 0.01
        twice = fake("lmtweets")
        twice["cells"].append(twice["cells"][0])
        varying = fake("lmtweets")
        varying["cells"][0] = fake_results.cell("lmtweets", "clean", "accuracy", 50, [0.1, 0.2])
        for bad, why in (
            (facts, "is not that of its scores"),
            (twice, "occurs twice"),
            (varying, "clean differs between draws on accuracy"),
            ({"task": "lmtweets"}, "not a result file"),
        ):
            fake_results.write(self.results, bad)
            code, said = self.run_page()
            self.assertEqual(code, 1)
            self.assertIn(why, said)

    def test_links_lead_somewhere(self) -> None:
        """The anchors of docs/method.md exist."""
        method = (page.HERE.parent / "docs" / "method.md").read_text()
        slugs = {re.sub(r"[^\w -]", "", line.lstrip("# ").lower()).replace(" ", "-") for line in method.splitlines()}
        for link in words.LINKS.values():
            self.assertIn(link.removeprefix("method.md#"), slugs)


if __name__ == "__main__":
    unittest.main()
