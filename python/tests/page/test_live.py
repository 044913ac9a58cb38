"""The interactive section agrees with the program."""

from __future__ import annotations

import json

import live
import numpy as np
import pytest
from conftest import report
from program import run, run_json, write_csv
from support import black_box


@pytest.mark.parametrize("fit", ["weighted", "calibrated"])
def test_unadjusted_and_fitted_agree_with_eval(look, request, fit):
    fit = request.getfixturevalue(fit)
    page = look(fit.page)
    expected = run_json("eval", fit.model, fit.test, cwd=fit.folder)
    for button, side in (("#live-reset-clean", "clean"), ("#live-reset-fitted", "fitted")):
        page.click(button)
        live.settle(page)
        assert live.matrix(page) == expected["confusion"][side]
        found = live.metrics(page)
        assert found.keys() == expected["metrics"].keys()
        for name, value in found.items():
            assert value == pytest.approx(expected["metrics"][name][side], abs=1e-12), name
    document, fitted = live.model(page), json.loads((fit.folder / fit.model).read_text())
    assert document["weights"] == pytest.approx(fitted["weights"], rel=1e-15)
    assert document["calibration"] == fitted["calibration"]


@pytest.mark.parametrize("fit", ["weighted", "calibrated"])
def test_a_slider_gives_the_matrix_of_apply(look, request, fit):
    fit = request.getfixturevalue(fit)
    page = look(fit.page)
    before = live.matrix(page)
    for class_, key, times in ((0, "ArrowLeft", 12), (1, "ArrowRight", 25), (0, "PageUp", 1), (2, "Home", 1)):
        page.focus(f'#live input[type=range][data-class="{class_}"]')
        for _ in range(times):
            page.keyboard.press(key)
        live.settle(page)
        assert live.matrix(page) == live.applied(fit.folder, fit.test, live.model(page))
    assert live.matrix(page) != before


def test_a_weight_can_be_typed_and_can_be_zero(look, weighted):
    page = look(weighted.page)
    for text in ("2.75", "0"):
        page.fill('#live input[type=number][data-class="1"]', text)
        page.keyboard.press("Tab")
        live.settle(page)
        document = live.model(page)
        assert live.matrix(page) == live.applied(weighted.folder, weighted.test, document)
    assert document["weights"][1] == 0


def test_the_menu_selects_the_metric(look, weighted):
    page = look(weighted.page)
    assert page.input_value("#live-metric") == "macro-f1"
    for name in ("mcc", "g-mean", "pair-fowlkes-mallows"):
        page.select_option("#live-metric", name)
        live.settle(page)
        shown = float(page.get_attribute("#live-value", "data-value"))
        assert shown == live.metrics(page)[name]


@pytest.mark.parametrize(
    "metric",
    [
        "f-beta:2:five",
        "cost:costs.csv",
        "linear-fractional:ratio.json",
        "expr:worst = min(recall); if(worst>0.1, worst*mean(precision), -log(1+fp[one]/n))",
        "linear-diagonal:1,2,3,1,2,3",
    ],
)
def test_metrics_with_parameters_are_computed_too(look, tmp_path, metric):
    run("demo", "--save", ".", cwd=tmp_path)
    costs = np.random.default_rng(0).integers(-1, 9, size=(6, 6))
    np.savetxt(tmp_path / "costs.csv", costs, delimiter=",", fmt="%d")
    ratio = {"a": [1, 2, 1, 0, 0, 3], "b": 0.5, "c": [-1, 0, 1, 0.5, 0, 0], "d": 2}
    (tmp_path / "ratio.json").write_text(json.dumps(ratio))
    fit = report(
        tmp_path,
        "--metric",
        metric,
        "--method",
        "ascent",
        options=("--refits", 0, "--metric", metric, "--metric", "mcc"),
    )
    page = look(fit.page)
    expected = run_json("eval", "model.json", "test.csv", "--metric", metric, cwd=tmp_path)
    assert page.input_value("#live-metric") == metric
    assert live.metrics(page)[metric] == pytest.approx(expected["metrics"][metric]["fitted"], abs=1e-12)


def test_fifty_classes_and_row_weights(look, tmp_path):
    names = [f"class {k:02}" for k in range(50)]
    for file, n, seed in (("sample.csv", 600, 0), ("test.csv", 2000, 1)):
        P, y = black_box(n, 50, seed=seed, labels=names)
        write_csv(tmp_path / file, P, names, y, w=np.arange(n) % 3)
    fit = report(tmp_path, "--method", "ascent", "--weight", "w", options=("--refits", 0, "--weight", "w"))
    page = look(fit.page)
    expected = run_json("eval", "model.json", "test.csv", "--weight", "w", cwd=tmp_path)
    assert live.matrix(page) == expected["confusion"]["fitted"]
    assert page.locator("#live input[type=range]").count() == 50
    assert "pair-fowlkes-mallows" in page.inner_text("#live"), "a formula of 2500 cells is left out, with a note"
    page.click("#live-reset-clean")
    live.settle(page)
    assert live.matrix(page) == expected["confusion"]["clean"]
