"""Tests of the page of the paper: numbers and verdicts are recomputed from synthetic results in another way."""

import json
import re
import unittest
from statistics import fmean
from typing import Any

import claims
import fake_results
import page
import words
from fake_results import fake, find
from fake_theory import fake_theory, write_theory
from markdown import score, signed
from page_case import PageCase, number
from scores import load, significance

PAPER = json.loads((page.HERE / "paper.json").read_text())
NOISY = next(printed for printed in PAPER["tables"] if printed["task"] == "anli-noise")


def moved(facts: dict[str, Any], method: str, gap: float, sizes: tuple[int, ...] = ()) -> dict[str, Any]:
    """The same results, with a method at this distance from unadjusted in every draw."""
    for metric in facts["metrics"]:
        for size in sizes or facts["sizes"]:
            place = facts["cells"].index(find(facts, method, metric, size))
            clean = find(facts, "clean", metric, size)["mean"]
            cell = fake_results.cell(facts["task"], method, metric, size, [clean + gap] * 5)
            facts["cells"][place] = {**cell, "test_error": 0.001}
    return facts


class PaperTest(PageCase):
    """The page of the paper."""

    def claim(self, text: str, start: str) -> list[str]:
        """What we see, and the verdict, of the claim that starts so."""
        line = next(line for line in text.splitlines() if line.startswith(f"| {start}"))
        return [entry.strip() for entry in line.strip("|").split(" | ")][1:]

    def test_the_papers_numbers_stand_beside_ours(self) -> None:
        """Every printed number, in the line of the method that it maps to."""
        tasks = [fake(name) for printed in PAPER["tables"] for name in printed["ours"]]
        text = self.make_paper(*tasks)
        for printed in PAPER["tables"]:
            for ours in printed["ours"]:
                found = self.table_after(text, f"### {printed['title']},", f"**`{ours}`**")
                for cell in printed["cells"]:
                    row = found[PAPER["methods"][cell["method"]]]
                    self.assertEqual(row[0], cell["method"])
                    entry = row[2 + 2 * printed["metrics"].index(cell["metric"])].strip("*")
                    expected = score(cell["mean"]) + (f" ± {score(cell['sd'])}" if cell["sd"] else "")
                    self.assertEqual(entry, expected)
        best = self.table_after(text, "### lmtweets,", "**`lmtweets`**")
        self.assertEqual(best["clean"][6], "**.621**")
        self.assertEqual(best["cwplugin:published"][4], "**.504 ± .003**")

    def test_every_table_has_notes_on_what_differs(self) -> None:
        """No comparison with the paper without its differences."""
        for printed in PAPER["tables"]:
            for ours in printed["ours"]:
                self.assertTrue(words.DIFFERENCES[ours], ours)

    def test_a_size_that_was_not_run_is_said(self) -> None:
        """The paper's size is not in our results."""
        text = self.make_paper(fake("snli-shift", sizes=(50, 250)))
        self.assertRegex(text, r"\*\*`snli-shift`\*\*.*\n\nNot run at this number of labelled rows\.")

    def test_a_duel_is_a_test_over_tasks(self) -> None:
        """Mean, cells and verdict of Algorithm 1 against probing, from the raw files; noise in S is left out."""
        quiet = [fake(name) for name in ("lmtweets", "lmemotions", "snli-shift", "snli-noise-target")]
        text = self.make_paper(*quiet, moved(fake("snli-noise"), "probing", 0.5))
        means, higher = [], 0
        for facts in quiet:
            gaps = [
                find(facts, "cwplugin:published", metric, size)["mean"] - find(facts, "probing", metric, size)["mean"]
                for metric in facts["metrics"]
                for size in (50, 100, 160)
            ]
            means.append(fmean(gaps))
            higher += sum(gap > 0 for gap in gaps)
        sees, verdict = self.claim(text, "better than the probing classifier")
        self.assertTrue(sees.startswith(f"{signed(fmean(means))} over 4 tasks, higher in {higher} ("), sees)
        self.assertIn(") of 60 cells; `cwplugin` ", sees)
        expected = {1: "holds", 0: "undecided", -1: "does not hold"}[significance(means)]
        self.assertEqual(verdict, expected)

    def test_verdicts_follow_the_results(self) -> None:
        """Clearly better holds, clearly worse does not, one task decides nothing."""
        names = ("lmtweets", "lmemotions", "snli-shift")
        for gap, expected in ((0.2, "holds"), (-0.2, "does not hold")):
            text = self.make_paper(*(moved(fake(name), "cwplugin:published", gap) for name in names))
            for rival in claims.RIVALS.values():
                self.assertEqual(self.claim(text, f"better than {rival}")[1], expected)
            self.assertEqual(self.claim(text, "never harmful")[1], expected)
            self.assertEqual(self.claim(text, "lmtweets,")[1], expected)
        self.results.joinpath("lmemotions.json").unlink()
        self.results.joinpath("snli-shift.json").unlink()
        text = self.make_paper(moved(fake("lmtweets"), "cwplugin:published", 0.2))
        self.assertEqual(self.claim(text, "better than vector scaling")[1], "undecided")

    def test_fine_tuning_is_compared_on_its_own_draws(self) -> None:
        """Its results are in a file of their own, here with the first draw only."""
        task = fake("lmtweets", sizes=(50, 100, 400))
        metrics, cells = task["metrics"], []
        for size, gap in ((50, -0.1), (400, 0.2)):
            for metric in metrics:
                first = find(task, "cwplugin:published", metric, size)["scores"][0]
                cells.append({"method": "finetune", "metric": metric, "size": size, "scores": [first + gap]})
        draws = [{"method": "finetune", "size": size, "repeat": 0, "epochs": 30, "epoch": 30} for size in (50, 400)]
        facts = {"metrics": metrics, "sizes": [50, 400], "repeats": 3}
        facts["tasks"] = [{"task": "lmtweets", "draws": draws, "cells": cells}]
        self.results.mkdir(parents=True, exist_ok=True)
        self.results.parent.joinpath("finetune.json").write_text(json.dumps(facts))
        sees, _ = self.claim(self.make_paper(task), "better than a language model fine-tuned on S")
        self.assertIn(f"+.100 over 1 task, higher in {len(metrics)} (100 %)", sees)
        self.assertIn("the model is better from: `lmtweets` 400", sees)

    def test_a_method_with_few_tasks_and_sizes(self) -> None:
        """A fine-tuned model that was run on one task and two sizes appears, and nothing else changes."""
        tasks = [fake("lmtweets", sizes=(50, 100, 400)), fake("snli-shift")]
        without = self.make_paper(*tasks)
        self.assertEqual(self.claim(without, "better than a language model"), ["–", "not measured"])
        facts = tasks[0]
        facts["methods"] = [*facts["methods"], "finetune"]
        for size, gap in ((100, -0.2), (400, 0.2)):
            for metric in facts["metrics"]:
                mean = find(facts, "cwplugin:published", metric, size)["mean"] + gap
                facts["cells"].append(fake_results.cell("lmtweets", "finetune", metric, size, [mean] * 3))
        text = self.make_paper(*tasks)
        sees, verdict = self.claim(text, "better than a language model fine-tuned on S")
        self.assertIn("+.200 over 1 task, higher in 5 (100 %) of 5 cells", sees)
        self.assertIn("the model is better from: `lmtweets` 400", sees)
        self.assertEqual(verdict, "undecided")
        self.assertEqual(self.claim(text, "better than vector"), self.claim(without, "better than vector"))
        results = self.page.read_text()
        self.assertEqual(self.table_after(results, "## Summary")["finetune"][0], "10")
        self.assertEqual(self.table_after(results, "\n### lmtweets\n", "\n50 labelled rows:")["finetune"], ["–"] * 5)

    def test_theorems(self) -> None:
        """Every law has a verdict; a slope that is off changes it."""
        theory = fake_theory()
        write_theory(self.results, theory)
        text = self.make_paper(fake("lmtweets"))
        for law in ("O(mn/ε)", "O(n/ε)", "O(mn log 1/ε)", "O(n log 1/ε)"):
            self.assertRegex(text, rf"run time of the .*: {re.escape(law)} \| exponents .* \|")
        fits = [fit for fit in theory["fits"] if fit["part"] == "elicitation" and fit["against"] == "ε"]
        for slope, expected in ((1.0, "holds"), (0.5, "does not hold")):
            for fit in fits:
                fit.update(slope=slope, error=0.01, law=1.0)
            write_theory(self.results, theory)
            self.assertEqual(self.claim(self.make_paper(fake("lmtweets")), "consistency")[1], expected)
        for fit in [fit for fit in theory["fits"] if fit["part"] == "finite-sample" and fit["against"] == "n"]:
            fit.update(slope=-0.33, error=0.01, law=-0.5)
        write_theory(self.results, theory)
        sees, verdict = self.claim(self.make_paper(fake("lmtweets")), "rate")
        self.assertIn("−0.33", sees)
        self.assertEqual(verdict, "does not hold")

    def test_the_reading_with_the_papers_signs_fits(self) -> None:
        """Both readings beside the printed differences, and the better one named, whichever it is."""
        names = {cell["method"]: PAPER["methods"][cell["method"]] for cell in NOISY["cells"]}
        printed = {(names[cell["method"]], cell["metric"]): cell["mean"] for cell in NOISY["cells"]}
        for good, bad, told in (
            ("anli-noise-target-bart", "anli-noise-bart", "Noise in pool and test rows fits better"),
            ("anli-noise-bart", "anli-noise-target-bart", "Noise in S only fits better"),
        ):
            right, wrong = fake(good), fake(bad)
            for (method, metric), mean in printed.items():
                gap = mean - printed["clean", metric]
                if method != "clean":
                    for facts, sign in ((right, 1), (wrong, -1)):
                        place = facts["cells"].index(find(facts, method, metric, 250))
                        clean = find(facts, "clean", metric, 250)["mean"]
                        facts["cells"][place] = fake_results.cell(good, method, metric, 250, [clean + sign * gap] * 5)
            text = self.make_paper(right, wrong)
            self.assertIn(f"**{told}.**", text)
            self.assertIn("the sign of the difference is the paper's in 10 of 10 cells", text)
            self.assertIn("the mean distance to the printed differences is .000", text)
            row = self.table_after(text, "## Label noise: two readings")["cwplugin:published"]
            gap = printed["cwplugin:published", "macro-f1"] - printed["clean", "macro-f1"]
            place = 1 if good == "anli-noise-bart" else 2
            self.assertEqual([row[0], row[place]], [signed(gap)] * 2)
            self.assertEqual(number(row[3 - place]), number(signed(-gap)))

    def test_one_reading_alone_is_not_judged(self) -> None:
        """No section without both; a pair without printed numbers has a table."""
        self.assertNotIn("## Label noise", self.make_paper(fake("anli-noise-bart"), fake("lmtweets")))
        pair = [fake("snli-noise"), fake("snli-noise-target")]
        text = self.make_paper(*pair)
        found = self.table_after(text, "The paper prints no table for `snli-noise`")
        self.assertEqual(found["method"], ["`snli-noise`", "`snli-noise-target`"])
        for place, facts in enumerate(pair):
            gaps = [
                find(facts, "vector", metric, size)["mean"] - find(facts, "clean", metric, size)["mean"]
                for metric in facts["metrics"]
                for size in facts["sizes"]
            ]
            self.assertEqual(found["vector"][place], signed(fmean(gaps)))

    def test_result_files_without_the_place_of_the_noise(self) -> None:
        """An older file has noise in S."""
        facts = fake("snli-noise")
        del facts["noise_in"]
        fake_results.write(self.results, facts, fake("snli-noise-target"), fake("lmtweets"))
        places = {task.name: task.noise_in for task in load(self.results, words.TASKS)}
        self.assertEqual(places, {"lmtweets": None, "snli-noise": "sample", "snli-noise-target": "everywhere"})

    def test_check_covers_this_page(self) -> None:
        """A changed page of the paper is found."""
        self.make(fake("lmtweets"))
        paper = self.page.with_name("paper.md")
        paper.write_text(paper.read_text().replace("undecided", "holds"))
        code, said = self.run_page("--check")
        self.assertEqual((code, "paper.md does not match" in said), (1, True))


if __name__ == "__main__":
    unittest.main()
