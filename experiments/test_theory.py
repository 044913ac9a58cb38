"""Tests of the section on the theory: verdicts follow from the numbers, and the numbers from the cells."""

import json
import math
import unittest

import page
import slopes
import theory
from fake_results import fake
from fake_theory import fake_theory, fit, write_theory
from page_case import PageCase

SECTION = "## The theory\n"


class TheoryTest(PageCase):
    """The section of the page."""

    def section(self, facts: dict | None = None) -> str:
        """The section, made from made-up facts."""
        write_theory(self.results, facts or fake_theory())
        text = self.make(fake("lmtweets"))
        return text[text.index(SECTION) : text.index("## Provenance")]

    def test_without_results_there_is_no_section(self) -> None:
        """Then it is named among what was not run."""
        text = self.make(fake("lmtweets"))
        self.assertNotIn(SECTION, text)
        self.assertRegex(text, r"Not run yet: .* and `theory`\.")

    def test_every_slope_stands_in_a_table(self) -> None:
        """With its error and the plots."""
        text = self.section()
        self.assertEqual(text.count("| −0.340 ± 0.010 | slower | agrees | 4, 100 to 1,000 |"), 12)
        self.assertEqual(text.count("| 0.600 ± 0.010 | −2.000 | above |"), 3)
        self.assertEqual(text.count("| −0.100 ± 0.010 | – | – |"), 3)
        for name in ("elicitation", "finite-sample", "constants", "evaluations"):
            self.assertIn(f"](../experiments/results/theory-{name}.svg)", text)
        self.assertIn("the weights are those that imitate it: `cwplugin` 3 of 30; `expected` 9 of 90.", text)
        told = "**`expected`, from 1,000 to 3,000 rows**, where it starts to count labels: 0.100 → 0.150 (m = 2)."
        self.assertIn(f"{told} With more labels the error is larger in 1 of 1.", text)
        self.assertIn("| `theory` | generated | 0 | 0.0.0 | 60.0 |", self.page.read_text())

    def test_verdicts_follow_from_the_slopes(self) -> None:
        """The conclusions depend on the numbers."""
        text = self.section()
        self.assertIn(
            "* **`cwplugin`:** slope −0.34, 4 of 4 are slower than the bound's −1/2; "
            "4 of 4 agree with the cube root's −1/3.",
            text,
        )
        self.assertIn("* **Error against ε:** slope 1.01, 4 of 4 agree with the exponent 1.", text)
        self.assertIn("* **Error against m:** slope 0.40, 3 of 3 are flatter than the bound's 1.", text)
        self.assertIn("In all of these the error *falls* as 1 − ρ falls", text)
        text = self.section(fake_theory(against_n=-0.52, against_rho=-1.99))
        self.assertIn("4 of 4 agree with the bound's −1/2; 4 of 4 are faster than the cube root's −1/3.", text)
        self.assertIn("* **Error against 1 − ρ:** slope −1.99, 3 of 3 agree with the bound's −2.", text)
        self.assertIn("In 0 of 3 of these the error *falls*", text)
        facts = fake_theory()
        facts["fits"] = [one | {"slope": None} if one["against"] == "n" else one for one in facts["fits"]]
        self.assertIn("* **`cwplugin`:** too few points for a slope.", self.section(facts))

    def test_a_law_within_three_errors_agrees(self) -> None:
        """Or within the stated distance, however small the error."""
        one = fit("a", "b", "c", None, 0.5)
        self.assertEqual([slopes.agrees(one, law) for law in (0.54, 0.56, 0.44)], [True, False, False])
        wide = one | {"error": 0.03}
        self.assertEqual([slopes.agrees(wide, law) for law in (0.58, 0.6)], [True, False])
        self.assertTrue(slopes.agrees(one | {"error": None}, 0.52))

    def test_another_file_is_refused(self) -> None:
        """With its name."""
        write_theory(self.results, {"fits": []})
        code, said = self.run_page()
        self.assertEqual(code, 1)
        self.assertIn("theory.json: not a result of the theory", said)

    def test_the_slopes_of_the_results_are_those_of_their_cells(self) -> None:
        """Against n, fitted again."""
        path = page.HERE / "results" / theory.FILE
        facts = json.loads(path.read_text())
        seen = 0
        for one in slopes.chosen(facts, part="finite-sample", against="n"):
            cells = [
                cell
                for cell in facts["finite_sample"]
                if (cell["varies"], cell["method"], cell["m"]) == ("m", one["method"], one["m"])
                and cell["takes_part"]
                and one["from"] <= cell["n"] <= one["to"]
            ]
            self.assertEqual(len(cells), one["points"])
            weights = [(cell["error"] / cell["se"]) ** 2 for cell in cells]
            x, y = ([math.log(cell[key]) for cell in cells] for key in ("n", "error"))
            means = [math.fsum(w * v for w, v in zip(weights, of, strict=True)) / math.fsum(weights) for of in (x, y)]
            moments = [
                math.fsum(w * (a - means[0]) * (b - c) for w, a, b in zip(weights, x, of, strict=True))
                for of, c in ((x, means[0]), (y, means[1]))
            ]
            self.assertAlmostEqual(moments[1] / moments[0], one["slope"], places=9)
            seen += 1
        self.assertGreater(seen, 0)


if __name__ == "__main__":
    unittest.main()
