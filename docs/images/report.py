"""Takes the screenshot of a report page for the README: `make picture` (Chromium, playwright).

    python docs/images/report.py PROGRAM
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

HERE = Path(__file__).resolve().parent
#: The part shown in the README; the page is longer.
SIZE = {"width": 1280, "height": 1835}


def main() -> None:
    """Fit the demo tables, write the page, take the screenshot."""
    program = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        for line in (
            "demo --save .",
            "fit sample.csv --metric macro-f1 -q -o model.json",
            "report model.json sample.csv --test test.csv -q -o report.html",
        ):
            subprocess.run([program, *line.split()], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            page = browser.new_page(viewport=SIZE)
            page.goto((Path(folder) / "report.html").as_uri())
            # Without the long tables before the plot and the matrices.
            page.add_style_tag(content="#verdict .scroll, #metrics .scroll { display: none }")
            page.screenshot(path=HERE / "report.png")
            browser.close()


if __name__ == "__main__":
    main()
