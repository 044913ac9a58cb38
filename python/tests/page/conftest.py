"""A real browser for all tests, and report pages."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))  # program.py and support.py

from program import run, write_csv
from support import black_box

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
#: Without these, the browser itself sends requests.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@pytest.fixture(scope="session")
def browser():
    sync_api = pytest.importorskip(
        "playwright.sync_api", reason="playwright is missing: python/requirements-test.txt has it"
    )
    named = os.environ.get("CHROMIUM")
    program = named or next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        pytest.skip("no browser: `make chromium` installs it, CHROMIUM names another")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


@dataclass
class Events:
    """Messages and requests of a page."""

    problems: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


@pytest.fixture
def look(browser):
    """Opens a page from its file; afterwards there must be no message, dialog or request but those refused."""
    events, contexts = Events(), []
    expected = 0

    def open_page(path: Path, width: int = 1200, height: int = 900, refused: int = 0, **settings):
        nonlocal expected
        expected += refused
        context = browser.new_context(viewport={"width": width, "height": height}, **settings)
        contexts.append(context)
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        page = context.new_page()
        page.on("console", lambda message: events.problems.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: events.problems.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (events.problems.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("request", lambda request: events.requests.append(request.url))
        page.goto(path.resolve().as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    is_refused = [problem for problem in events.problems if "Content Security Policy" in problem]
    assert len(is_refused) == expected
    assert [problem for problem in events.problems if problem not in is_refused] == []
    assert {request.split(":")[0] for request in events.requests} <= {"file"}, events.requests
    assert all(request.endswith(".html") for request in events.requests), events.requests


@dataclass(frozen=True)
class Fit:
    """A model, its rows and its page."""

    folder: Path
    model: str = "model.json"
    rows: str = "sample.csv"
    test: str = "test.csv"

    @property
    def page(self) -> Path:
        return self.folder / "report.html"


def report(folder: Path, *fit: object, options: tuple[object, ...] = ()) -> Fit:
    """Fits sample.csv and writes the report on test.csv."""
    found = Fit(folder)
    run("fit", found.rows, *fit, "-o", found.model, "-q", cwd=folder)
    run("report", found.model, found.rows, "--test", found.test, "-o", "report.html", "-q", *options, cwd=folder)
    return found


@pytest.fixture(scope="session")
def weighted(tmp_path_factory) -> Fit:
    """Weights alone, by Algorithm 1."""
    folder = tmp_path_factory.mktemp("weighted")
    run("demo", "--save", ".", cwd=folder)
    return report(folder, "--method", "cwplugin", "--metric", "macro-f1")


@pytest.fixture(scope="session")
def calibrated(tmp_path_factory) -> Fit:
    """Calibration and weights, by the default method."""
    folder = tmp_path_factory.mktemp("calibrated")
    run("demo", "--save", ".", cwd=folder)
    return report(folder, "--metric", "mcc", options=("--refits", 3))


@pytest.fixture(scope="session")
def many(tmp_path_factory) -> Fit:
    """Twenty classes with long names."""
    folder = tmp_path_factory.mktemp("many")
    others = ("address", "appointment", "missing", "refund", "subscription")
    names = [f"{word}-{other}" for word in ("delivery", "installation", "cancellation", "account") for other in others]
    for table, seed in (("sample.csv", 0), ("test.csv", 1)):
        P, y = black_box(400, len(names), seed=seed, labels=names)
        write_csv(folder / table, P, names, y)
    return report(folder, "--method", "cwplugin", options=("--refits", 0))
