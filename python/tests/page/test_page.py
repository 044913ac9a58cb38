"""Any names, size, accessibility, light and dark, phone, print."""

from __future__ import annotations

import base64
import hashlib
import json
import re

import pytest
from conftest import report
from program import run, write_csv
from support import black_box

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</script><svg onload=alert(1)>",
    "{{7*7}}&amp;",
]


def test_hostile_names_are_only_text(look, tmp_path):
    P, y = black_box(300, 4, labels=HOSTILE)
    lines = [
        json.dumps({f"p_{name}": p for name, p in zip(HOSTILE, row, strict=True)} | {"label": str(label)})
        for row, label in zip(P.tolist(), y, strict=True)
    ]
    rows = tmp_path / "<b onmouseover=alert(1)>.jsonl"
    rows.write_text("\n".join(lines))
    metric = f'expr:tp["{HOSTILE[0]}"]/n'
    run("fit", rows.name, "--metric", metric, "--method", "ascent", "-o", "model.json", cwd=tmp_path)
    run("report", "model.json", rows.name, "-o", "report.html", "--refits", 3, cwd=tmp_path)
    page = look(tmp_path / "report.html")
    page.wait_for_timeout(200)
    assert page.locator("#class-table tbody th").all_text_contents() == HOSTILE
    assert page.locator("#live-matrix tbody th").all_text_contents() == HOSTILE
    assert page.locator("main script, main img, main b[onmouseover]").count() == 0
    assert rows.name in page.title()


def test_only_the_script_and_the_style_of_the_page_apply(look, weighted, tmp_path):
    html = weighted.page.read_text()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)[1]
    script = re.search(r"<script>(.*?)</script>", html, re.DOTALL)[1]
    style = re.search(r"<style>(.*?)</style>", html, re.DOTALL)[1]
    for directive, text in (("script-src", script), ("style-src-elem", style)):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"; {directive} 'sha256-{digest}';" in policy
    assert "nonce" not in html
    added = "<style>body { color: rgb(1, 2, 3) }</style><script>document.title = 'run'</script>"
    (tmp_path / "changed.html").write_text(html.replace("</body>", f"{added}</body>"))
    page = look(tmp_path / "changed.html", refused=2)
    assert page.title() != "run"
    assert page.evaluate("getComputedStyle(document.body).color") != "rgb(1, 2, 3)"


@pytest.mark.parametrize(("n", "m", "is_sampled"), [(10_000, 10, False), (10_000, 50, False), (25_000, 10, True)])
def test_a_page_is_small_and_says_when_rows_are_sampled(look, tmp_path, n, m, is_sampled):
    names = [f"class {k}" for k in range(m)]
    P, y = black_box(n, m, labels=names)
    write_csv(tmp_path / "some.csv", P[:400], names, y[:400])
    run("fit", "some.csv", "--method", "ascent", "-o", "model.json", "-q", cwd=tmp_path)
    write_csv(tmp_path / "rows.csv", P, names, y)
    run("report", "model.json", "rows.csv", "-o", "report.html", "--refits", 0, "--resamples", 50, cwd=tmp_path)
    assert (tmp_path / "report.html").stat().st_size < 2_000_000
    page = look(tmp_path / "report.html")
    live = page.inner_text("#live")
    assert ("random sample" in live) == is_sampled
    assert ("random sample of 10,000 of 25,000 labelled rows" in live) == is_sampled
    assert page.locator("#live-matrix td[data-cell]").count() == m * m


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("fit", ["weighted", "calibrated"])
def test_axe_finds_no_violation(look, request, fit, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = look(request.getfixturevalue(fit).page, color_scheme=scheme, bypass_csp=True)
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    found = axe.Axe().run(page)
    assert [(v["id"], v["nodes"][0]["html"][:200]) for v in found.response["violations"]] == []


@pytest.mark.parametrize("width", [360, 768, 1200])
def test_the_page_itself_never_scrolls_sideways(look, weighted, width):
    page = look(weighted.page, width=width)
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    assert page.evaluate("document.scrollingElement.scrollWidth") <= width


def box(page, selector):
    """Left, top, right and bottom of an element."""
    return page.eval_on_selector(selector, "at => Object.values(at.getBoundingClientRect().toJSON())")[:4]


def overflow(page, selector):
    """How many pixels of a table its box hides on the right."""
    return page.eval_on_selector(selector, "at => at.parentElement.scrollWidth - at.parentElement.clientWidth")


def test_twenty_classes_fit_side_by_side_on_a_desktop(look, many):
    page = look(many.page, width=1280)
    assert box(page, "#matrix-before")[1] == box(page, "#matrix-after")[1]
    assert [overflow(page, f"#matrix-{side}") for side in ("before", "after", "difference")] == [0, 0, 0]


def test_a_phone_shows_before_after_and_gain_side_by_side(look, many):
    page = look(many.page, width=390, height=500)
    tops = page.eval_on_selector_all(".tile", "all => all.map(tile => tile.getBoundingClientRect().top)")
    assert len(tops) == 3
    assert len(set(tops)) == 1
    assert [overflow(page, f"#{table}-table") for table in ("metric", "class")] == [0, 0]
    # The matrix scrolls, and its names stay.
    scrolled = """at => { at.scrollIntoView(); at.parentElement.scrollTo(200, 200);
        const inside = (cell) => cell.getBoundingClientRect();
        const frame = inside(at.parentElement), head = inside(at.querySelector("thead th:nth-child(9)"));
        return [inside(at.querySelector("tbody tr:nth-child(9) th")).left - frame.left, head.top - frame.top]; }"""
    assert page.eval_on_selector("#matrix-before", scrolled) == pytest.approx([0, 0], abs=1)


@pytest.mark.parametrize("width", [390, 1280])
def test_names_are_not_broken_within_a_word(look, many, width):
    page = look(many.page, width=width)
    broken = """all => all.flatMap(name => {
        const walker = document.createTreeWalker(name, NodeFilter.SHOW_TEXT), words = [];
        for (let text = walker.nextNode(); text; text = walker.nextNode())
            for (const word of text.data.matchAll(/[a-z]+/g)) {
                const range = document.createRange();
                range.setStart(text, word.index);
                range.setEnd(text, word.index + word[0].length);
                const lines = [...range.getClientRects()].filter((part) => part.width > 0).map((part) => part.top);
                if (new Set(lines).size > 1) words.push(word[0]);
            }
        return words; })"""
    assert page.eval_on_selector_all("main th[scope=row]", broken) == []


def test_every_plot_has_a_description_and_a_table(look, weighted):
    page = look(weighted.page)
    pictures = page.locator("svg[role=img]")
    assert pictures.count() >= 4
    for picture in pictures.all():
        ids = picture.get_attribute("aria-labelledby").split()
        assert all(page.locator(f"[id='{name}']").text_content().strip() for name in ids)
    for section in ("metrics", "classes", "weights", "alpha", "learning"):
        assert page.locator(f"#{section} svg[role=img]").count() >= 1
        assert page.locator(f"#{section} table").count() >= 1


def test_dark_mode_is_dark_and_print_is_white(look, weighted):
    def background(page):
        return page.evaluate("getComputedStyle(document.body).backgroundColor")

    page = look(weighted.page, color_scheme="dark")
    assert sum(map(int, background(page)[4:-1].split(","))) < 100
    page.emulate_media(media="print", color_scheme="dark")
    assert background(page) == "rgb(255, 255, 255)"
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.set_viewport_size({"width": 720, "height": 1000})  # what the margins leave of a sheet
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 720
    assert page.locator("details:not([open])").count() == 0
    assert not page.locator("button").first.is_visible()


def test_without_javascript_only_the_sliders_are_missing(look, weighted):
    page = look(weighted.page, java_script_enabled=False)
    assert page.locator("#metric-table tbody tr").count() > 10
    assert "needs JavaScript" in page.inner_text("#live")


def test_scores_on_the_rows_of_the_fit_are_called_optimistic(look, tmp_path):
    run("demo", "--save", ".", cwd=tmp_path)
    run("fit", "sample.csv", "-o", "model.json", "-q", cwd=tmp_path)
    run("report", "model.json", "sample.csv", "-o", "report.html", "--refits", 2, cwd=tmp_path)
    assert "optimistic" in look(tmp_path / "report.html").inner_text("#caution")


def test_a_comparison_is_a_page_too(look, tmp_path):
    run("demo", "--save", ".", cwd=tmp_path)
    expected = json.loads(
        run(
            "compare",
            "test.csv",
            "--methods",
            "clean,cwplugin,bcts",
            "--metrics",
            "macro-f1,mcc",
            "--sizes",
            "50,100",
            "--repeats",
            2,
            "--html",
            "compare.html",
            "--json",
            cwd=tmp_path,
        )
    )
    page = look(tmp_path / "compare.html")
    for metric in ("macro-f1", "mcc"):
        shown = page.eval_on_selector_all(
            f'table[data-metric="{metric}"] td', "cells => cells.map(cell => Number(cell.dataset.value))"
        )
        means = {(c["method"], c["size"]): c["mean"] for c in expected["cells"] if c["metric"] == metric}
        assert shown == [means[method, size] for method in ("clean", "cwplugin", "bcts") for size in (50, 100)]
    assert page.locator("svg[role=img]:visible").count() == 2


def test_python_writes_the_same_page(look, tmp_path):
    from cwplugin import ClassWeightPlugin, Model

    P, y = black_box(200, 3, labels=["a", "b", "c"])
    plugin = ClassWeightPlugin(metric="macro-f1", method="cwplugin").fit(P, y)
    text = plugin.report_.to_html(tmp_path / "report.html", refits=5)
    assert (tmp_path / "report.html").read_text() == text
    page = look(tmp_path / "report.html")
    assert "reproduced this model exactly" in page.inner_text("#reproduce")
    assert "ClassWeightPlugin(method='cwplugin')" in page.inner_text("#commands")
    fit = report(_as_files(tmp_path / "files", P, y), "--method", "cwplugin", options=("--refits", 5))
    model = Model.load(fit.folder / fit.model)
    assert model == plugin.model_
    by_program = look(fit.page).inner_text("#weights")
    assert by_program == page.inner_text("#weights")
    tested = plugin.report_.to_html(X_test=P, y_test=y, refits=0, data="sample.csv", test="test.csv")
    assert "On test.csv (200 labelled rows)" in tested


def _as_files(folder, P, y):
    folder.mkdir()
    for name in ("sample.csv", "test.csv"):
        write_csv(folder / name, P, ["a", "b", "c"], y)
    return folder
