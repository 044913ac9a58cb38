"""Make replies/: replies of black boxes, written from the vendors' documented shapes, and cases.json.

No API was called: ids, times and usage are invented, log-probabilities are those of the probabilities. The
replies are in replies/make/; the expected rows of cases.json come from replies/reference/. Needs only the standard
library and `zstandard`.

Run from the root of the repository, in an environment with testdata/requirements.txt:

    python testdata/make_replies.py
"""

import json
import shutil
import sys
from pathlib import Path

FOLDER = Path(__file__).parent / "replies"
sys.path.insert(0, str(FOLDER))

import reference  # noqa: E402
from make import BUILDS, CASES, FILES, NOTES  # noqa: E402


def readme() -> str:
    """The list of files."""
    lines = [
        "# Replies of black boxes",
        "",
        "Replies in the shapes that vendors document, one a line unless the name or the note says otherwise.",
        "Ids, times and numbers are invented; no API was called. Only those in `recorded/` are real: llama.cpp with",
        "SmolLM2-135M-Instruct, recorded by `record_llama_cpp.py`. `testdata/make_replies.py` writes all other files",
        "but the scripts; `make/` has their content, vendor by vendor.",
        "",
        "* `cases.json`: for every case the file, the source (`from`), the options, and the expected rows or the row",
        "  (from 1) and kind of the expected error. Rows of votes have `counts`. `beyond` marks shapes that vendors",
        "  also reply with but do not document as the usual one.",
        "* `reference/`: computes the expected rows; slow, written from the specification, without Rust code.",
        "  Compare with a tolerance of 1e-12.",
        "* `check_shapes.py`: checks the files against the types of the vendors' SDKs, at the versions in",
        "  `requirements.txt`:",
        "",
        "```sh",
        "python3 -m venv /tmp/shapes && /tmp/shapes/bin/pip install -r testdata/replies/requirements.txt",
        "/tmp/shapes/bin/python testdata/replies/check_shapes.py",
        "```",
        "",
        "Files about something else than the shape leave out optional fields that no reader needs.",
        "",
        "| file | what it shows |",
        "|---|---|",
    ]
    good = {name: note for name, note in NOTES.items() if note and not name.startswith("bad/")}
    lines += [f"| `{name}` | {note} |" for name, note in sorted(good.items())]
    lines += [
        "",
        "## bad/",
        "",
        "Files that must be refused. The reply at fault is the second or the last, unless the note says otherwise.",
        "",
        "| file | what it shows | kind of error |",
        "|---|---|---|",
    ]
    kinds = {entry["file"]: entry["expected"]["error"]["kind"] for entry in CASES if entry["name"].startswith("bad ")}
    wrong = {name: note for name, note in NOTES.items() if name.startswith("bad/")}
    lines += [f"| `{name.removeprefix('bad/')}` | {note} | {kinds[name]} |" for name, note in sorted(wrong.items())]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the files, then compute what is expected of them."""
    for build in BUILDS:
        build()
    for old in FOLDER.iterdir():
        if old.is_dir() and old.name in ("bad", "openai-folder"):
            shutil.rmtree(old)
        elif ".json" in old.name:
            old.unlink()
    for name, raw in FILES.items():
        path = FOLDER / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw)
    for entry in CASES:
        try:
            rows = reference.read(FOLDER / entry["file"], entry["from"], entry["options"])
            entry["expected"] = {"rows": rows}
        except reference.ReplyError as error:
            entry["expected"] = {"error": {"row": error.row, "kind": error.kind}}
        refused = entry["name"].startswith("bad ") or "refuse" in entry["options"]["missing"]
        if "error" in entry["expected"] and not refused:
            raise SystemExit(f"{entry['name']}: {entry['expected']}")
        if entry["name"].startswith("bad ") and "rows" in entry["expected"]:
            raise SystemExit(f"{entry['name']} is not refused")
    names = [entry["name"] for entry in CASES]
    assert len(set(names)) == len(names)
    body = "[\n" + ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in CASES) + "\n]\n"
    (FOLDER / "cases.json").write_text(body)
    (FOLDER / "README.md").write_text(readme())
    print(f"{len(FILES)} files, {sum(map(len, FILES.values()))} bytes, {len(CASES)} cases")


if __name__ == "__main__":
    main()
