"""The numbers on the page are those of the program."""

from __future__ import annotations

import pytest
from program import run_json


@pytest.mark.parametrize("fit", ["weighted", "mended"])
def test_every_number_is_that_of_eval(look, request, fit):
    fit = request.getfixturevalue(fit)
    page = look(fit.page)
    told = run_json("eval", fit.test, "--model", fit.model, cwd=fit.folder)

    shown = page.eval_on_selector_all(
        "#metric-table tr[data-metric]",
        """rows => rows.map(row => [row.dataset.metric,
            ...[...row.querySelectorAll('td[data-value]')].map(cell => Number(cell.dataset.value)),
            ...['low', 'high'].map(end => Number(row.querySelector('[data-low]').dataset[end]))])""",
    )
    expected = [
        [name, entry["clean"], entry["fitted"], entry["gain"], entry["low"], entry["high"]]
        for name, entry in told["metrics"].items()
    ]
    assert shown == expected

    for table, side in (("matrix-before", "clean"), ("matrix-after", "fitted")):
        texts = page.eval_on_selector_all(
            f"#{table} tbody tr", "rows => rows.map(row => [...row.cells].map(cell => cell.firstChild?.textContent))"
        )
        counts = [[float(text.replace(",", "")) for text in row[1:-1]] for row in texts]
        assert counts == told["confusion"][side]

    rates = page.eval_on_selector_all(
        "#class-table tbody tr",
        "rows => rows.map(row => [...row.querySelectorAll('[data-value]')].map(at => Number(at.dataset.value)))",
    )
    names = ("precision", "recall", "f1")
    assert rates == [
        [entry[side][name] for name in names for side in ("clean", "fitted")] for entry in told["per_class"]
    ]
    assert f"{told['changed']} rows" in page.inner_text("#changes")


def test_the_page_says_what_the_fit_said(look, weighted):
    page = look(weighted.page)
    model = page.text_content("#model-json")
    assert model == (weighted.folder / weighted.model).read_text()
    assert "macro-f1" in page.inner_text("#seen")
    assert page.locator("#alpha figure svg").count() == len(__import__("json").loads(model)["classes"]) - 1


def test_the_commands_give_the_same_model_again(look, weighted, mended, tmp_path):
    import shlex
    import shutil

    from program import run

    for fit in (weighted, mended):
        page = look(fit.page)
        assert "gave this model to the last bit" in page.inner_text("#reproduce")
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
