"""The interactive section of the page: its controls and results."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

from program import run


def settle(page) -> None:
    """Waits until the page has repainted, in its next frame."""
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def matrix(page) -> list[list[float]]:
    """The confusion matrix on the page."""
    cells = page.eval_on_selector_all(
        "#live-matrix td[data-cell]", "all => all.map(cell => [cell.dataset.cell, cell.textContent])"
    )
    numbers = {tuple(map(int, place.split(","))): float(text.replace(",", "")) for place, text in cells}
    m = 1 + max(truth for truth, _ in numbers)
    return [[numbers[truth, predicted] for predicted in range(m)] for truth in range(m)]


def model(page) -> dict:
    """The model that the copy button gives."""
    page.click("#live-copy")
    page.locator("#live-copied:not(:empty), #live-model-text:not([hidden])").first.wait_for(state="attached")
    if page.locator("#live-model-text").is_visible():
        return json.loads(page.input_value("#live-model-text"))
    return json.loads(page.evaluate("navigator.clipboard.readText()"))


def metrics(page) -> dict[str, float]:
    """All metrics on the page."""
    rows = page.eval_on_selector_all(
        "#live-metrics tr[data-metric]",
        "all => all.map(row => [row.dataset.metric, row.querySelector('td[data-value]').dataset.value])",
    )
    return {name: float(value) for name, value in rows}


def applied(folder: Path, table: str, document: dict, label: str = "label") -> list[list[float]]:
    """The confusion matrix of what `cwplugin apply` predicts with a model."""
    (folder / "moved.json").write_text(json.dumps(document))
    run("apply", "moved.json", table, "-o", "moved.csv", cwd=folder)
    with open(folder / "moved.csv", newline="") as file:
        counts = Counter((row[label], row["prediction"]) for row in csv.DictReader(file) if row[label])
    return [[float(counts[truth, predicted]) for predicted in document["classes"]] for truth in document["classes"]]
