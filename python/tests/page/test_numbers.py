"""The numbers on the page agree with the program."""

from __future__ import annotations

import json

import pytest
from program import run_json


@pytest.mark.parametrize("fit", ["weighted", "calibrated"])
def test_every_number_agrees_with_eval(look, request, fit):
    fit = request.getfixturevalue(fit)
    page = look(fit.page)
    evaluation = run_json("eval", fit.model, fit.test, cwd=fit.folder)

    shown = page.eval_on_selector_all(
        "#metric-table tr[data-metric]",
        """rows => rows.map(row => [row.dataset.metric,
            ...[...row.querySelectorAll('td[data-value]')].map(cell => Number(cell.dataset.value)),
            ...['low', 'high'].map(end => Number(row.querySelector('[data-low]').dataset[end]))])""",
    )
    expected = [
        [name, entry["clean"], entry["fitted"], entry["gain"], entry["low"], entry["high"]]
        for name, entry in evaluation["metrics"].items()
    ]
    assert shown == expected

    for table, side in (("matrix-before", "clean"), ("matrix-after", "fitted")):
        texts = page.eval_on_selector_all(
            f"#{table} tbody tr", "rows => rows.map(row => [...row.cells].map(cell => cell.firstChild?.textContent))"
        )
        counts = [[float(text.replace(",", "")) for text in row[1:-1]] for row in texts]
        assert counts == evaluation["confusion"][side]

    rates = page.eval_on_selector_all(
        "#class-table tbody tr",
        "rows => rows.map(row => [...row.querySelectorAll('[data-value]')].map(at => Number(at.dataset.value)))",
    )
    names = ("precision", "recall", "f1")
    assert rates == [
        [entry[side][name] for name in names for side in ("clean", "fitted")] for entry in evaluation["per_class"]
    ]
    assert f"{evaluation['changed']} rows" in page.inner_text("#changes")


@pytest.mark.parametrize("fit", ["weighted", "calibrated"])
def test_the_weights_are_those_of_the_model_file(look, request, fit):
    fit = request.getfixturevalue(fit)
    page = look(fit.page)
    weights = json.loads((fit.folder / fit.model).read_text())["weights"]
    cells = page.eval_on_selector_all("#weight-table td[data-value]", "all => all.map(cell => cell.textContent)")
    assert cells == [f"{weight:.6f}" for weight in weights]
    sliders = page.eval_on_selector_all("#live input[type=number]", "all => all.map(field => field.valueAsNumber)")
    assert sliders == pytest.approx(weights, abs=1e-6)


def test_the_page_contains_the_model_file(look, weighted):
    page = look(weighted.page)
    model = page.text_content("#model-json")
    assert model == (weighted.folder / weighted.model).read_text()
    assert "macro-f1" in page.inner_text("#observed")
    assert page.locator("#alpha figure svg").count() == len(json.loads(model)["classes"]) - 1


def test_the_commands_reproduce_model_and_page(look, weighted, calibrated, tmp_path):
    import shlex
    import shutil

    from program import run

    for fit in (weighted, calibrated):
        page = look(fit.page)
        assert "reproduced this model exactly" in page.inner_text("#reproduce")
        folder = tmp_path / fit.folder.name
        shutil.copytree(fit.folder, folder)
        before = [(folder / name).read_bytes() for name in (fit.model, "report.html")]
        for name in (fit.model, "report.html"):
            (folder / name).unlink()
        for line in page.text_content("#commands").splitlines():
            program, *words = shlex.split(line)
            assert program == "cwplugin"
            run(*words, cwd=folder)
        assert [(folder / name).read_bytes() for name in (fit.model, "report.html")] == before
