"""Write the first inputs of the fuzz targets into fuzz/corpus, from the replies of testdata/replies.

Names are hashes, so that running it again adds nothing. Needs only the standard library.
"""

import hashlib
import json
from pathlib import Path

ROOT = Path(__file__).parent
REPLIES = ROOT.parent / "testdata" / "replies"
# In the order of `Source::ALL`.
SOURCES = [
    *(
        "openai",
        "completions",
        "vllm",
        "gemini",
        "ollama",
        "llama-cpp",
        "huggingface",
        "comprehend",
        "azure",
    ),
    *("google-nl", "vision", "rekognition", "clarifai", "cohere"),
]
LARGEST = 8_000
CLASSES = [["ham", "spam"], ["negative", "neutral", "positive"]]


def add(target: str, data: bytes) -> None:
    """One input."""
    folder = ROOT / "corpus" / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)


def lists(value: object) -> list[list]:
    """All lists of objects inside a JSON value."""
    found = []
    if isinstance(value, list):
        if value and all(isinstance(item, dict) for item in value):
            found.append(value)
        found += [inner for item in value for inner in lists(item)]
    if isinstance(value, dict):
        found += [inner for item in value.values() for inner in lists(item)]
    return found


def main() -> None:
    """All targets."""
    for case in json.loads((REPLIES / "cases.json").read_text()):
        path = REPLIES / case["file"]
        if path.is_dir() or path.suffix in (".gz", ".zst"):
            continue
        raw = path.read_bytes()
        if case["from"] == "votes":
            add("votes", raw)
            continue
        options = case["options"]
        classes = (
            CLASSES.index(options["classes"]) if options["classes"] in CLASSES else 2
        )
        flags = (
            classes
            | (4 if options["reply"] else 0)
            | (8 if options["answer_at"] else 0)
        )
        head = bytes([SOURCES.index(case["from"]), flags, 100])
        for line in [raw, *raw.splitlines()]:
            if len(line) <= LARGEST:
                add("replies", head + line)
        if options["class"]:
            text = "".join(
                f"{json.dumps(name)} = {json.dumps(list_)}\n"
                for name, list_ in options["class"].items()
            )
            add("class_map", text.encode())
        for line in raw.decode(errors="replace").splitlines():
            try:
                found = lists(json.loads(line))
            except ValueError:
                continue
            for list_ in found:
                add("alternatives", json.dumps(list_).encode()[:LARGEST])


main()
