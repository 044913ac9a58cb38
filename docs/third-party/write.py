"""Writes THIRD-PARTY.md: every crate in the program and in the wheel, with its licence, and the texts that must come with binaries.

`python3 -B docs/third-party/write.py` writes the file, `--check` fails if it is not up to date. Both ask Cargo alone.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "THIRD-PARTY.md"
PACKAGES = {"program": "cwplugin-cli", "wheel": "cwplugin-python"}
TARGETS = ("x86_64-unknown-linux-gnu", "aarch64-apple-darwin", "x86_64-pc-windows-msvc")

# Of several licences, the first of this list: those that demand the least of a binary come first.
PREFERRED = (
    "Apache-2.0", "Unlicense", "CC0-1.0", "0BSD", "Zlib", "BSL-1.0", "MIT", "BSD-2-Clause", "BSD-3-Clause", "ISC",
    "Unicode-3.0",
)  # fmt: skip
# These need no text with a binary; that of the Apache License is LICENSE-APACHE.
WITHOUT_TEXT = {"Apache-2.0", "Unlicense", "CC0-1.0", "0BSD", "Zlib", "BSL-1.0"}
# Sources of others within a crate.
BUNDLED = {"zstd-sys": ["zstd/LICENSE"]}

HEAD = """\
# Third-party software

`make third-party` writes this page from `Cargo.lock`; `make pages` checks it. It lists the crates that are linked into the
program (`cwplugin`) and the Python package (the wheel) on Linux, macOS or Windows, not those that only build or test them.
Where a crate offers several licences, the column *used under* has the one chosen here. The Rust standard library, also linked,
is used under Apache-2.0; [LICENSE-APACHE](LICENSE-APACHE) is the text of that licence. The licences MIT, BSD, ISC and Unicode
demand that their text and copyright lines come with binaries: they are below. Pass this file and `LICENSE-APACHE` on with a binary.
"""


def cargo(*arguments: str) -> str:
    """The output of Cargo; the lock file decides."""
    return subprocess.run(["cargo", *arguments, "--locked"], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def linked(package: str) -> dict[tuple[str, str], str]:
    """The licence of every crate from the registry that is linked into a package, by name and version."""
    crates = {}
    for target in TARGETS:
        tree = cargo(
            "tree", "-p", package, "-e", "normal,no-proc-macro", "--target", target, "--prefix", "none", "--format", "{p}|{l}"
        )  # fmt: skip
        for line in tree.splitlines():
            crate, licence = line.removesuffix(" (*)").split("|")
            name, version, *path = crate.split(" ")
            if not path:
                crates[name, version.removeprefix("v")] = licence
    return crates


def chosen(expression: str) -> list[str]:
    """The licences that are complied with: all parts of AND, one of OR."""
    parts = expression.replace("/", " OR ").split(" AND ")
    if len(parts) > 1 and " OR " in expression and "(" not in expression:
        raise ValueError(f"{expression}: AND and OR without parentheses")
    licences = []
    for part in parts:
        offered = [licence.strip("() ") for licence in part.split(" OR ")]
        licences.append(next((licence for licence in PREFERRED if licence in offered), None))
    if None in licences:
        raise ValueError(f"{expression}: unknown licence; add it to PREFERRED and say whether it needs its text")
    return licences


def text_of(folder: Path, licence: str) -> Path | None:
    """The file of a licence in the sources of a crate, if it has one."""
    files = [file for file in sorted(folder.iterdir()) if re.match(r"(licen[cs]e|copying)", file.name, re.IGNORECASE)]
    word = licence.split("-")[0].lower()
    named = [file for file in files if re.search(rf"[-.]{word}", file.name, re.IGNORECASE)]
    plain = [file for file in files if not re.search(r"apache|unlicense|boost|zlib", file.name, re.IGNORECASE)]
    return next(iter(named or plain), None)


def tidy(path: Path) -> str:
    """A text without trailing spaces and empty ends."""
    return "\n".join(line.rstrip() for line in path.read_text(encoding="utf-8-sig").strip("\n").splitlines()).strip("\n")


def page() -> str:
    """The whole page."""
    crates = {place: linked(package) for place, package in PACKAGES.items()}
    metadata = json.loads(cargo("metadata", "--format-version", "1"))
    packages = {(p["name"], p["version"]): p for p in metadata["packages"]}
    lines = ["| crate | version | licence | used under | in |", "|---|---|---|---|---|"]
    texts, notices, without = defaultdict(list), defaultdict(list), []
    for crate, expression in sorted({**crates["program"], **crates["wheel"]}.items()):
        name, version = crate
        licences, folder = chosen(expression), Path(packages[crate]["manifest_path"]).parent
        places = ", ".join(place for place in PACKAGES if crate in crates[place])
        lines.append(f"| `{name}` | {version} | {expression} | {' and '.join(licences)} | {places} |")
        for licence in licences:
            if licence in WITHOUT_TEXT:
                continue
            if file := text_of(folder, licence):
                texts[tidy(file)].append(f"`{name}`")
            else:
                without.append(f"* `{name}`: {licence}, {packages[crate]['repository']}")
        for file in BUNDLED.get(name, []):
            texts[tidy(folder / file)].append(f"the C library in `{name}`")
        if "Apache-2.0" in licences:
            for file in sorted(folder.glob("NOTICE*")):
                notices[tidy(file)].append(f"`{name}`")
    blocks = ["## Notices\n", *blocks_of(notices), "## Licence texts\n", *blocks_of(texts)]
    if without:
        blocks += ["## Crates whose sources have no licence text\n", *without, ""]
    return "\n".join([HEAD, *lines, "", *blocks])


def blocks_of(texts: dict[str, list[str]]) -> list[str]:
    """Every text once, under the crates that it is for."""
    shown = sorted((", ".join(names), text) for text, names in texts.items())
    return [f"{names}:\n\n```text\n{text}\n```\n" for names, text in shown]


def main() -> None:
    text = page()
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(text, encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
        sys.exit("THIRD-PARTY.md does not match Cargo.lock: run `make third-party`, and read what changed")


if __name__ == "__main__":
    main()
