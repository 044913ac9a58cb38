"""One million replies of 2 kB through the program: wall time, CPU time and peak memory.

    python benches/replies.py [--rows N] [--folder DIR] [--threads N]

`make bench-replies` builds the program with optimisation and runs this. The replies are chat completions with 20
alternatives and a label, as JSON lines, as one JSON array, and compressed with gzip; they need 5 GB, and are deleted.
Prints the table of docs/decisions/0030-replies.md.
"""

import argparse
import gzip
import tempfile
from collections.abc import Iterator
from pathlib import Path

import ours

CLASSES = ("negative", "neutral", "positive")
WORDS = [
    *("positive", " positive", "Positive", "negative", " negative", "neutral", " Neutral", "pos", "The", "I"),
    *("Mixed", "ne", "very", " good", "bad", "This", "Sent", "Answer", "Based", "It"),
]
# Replies repeat after so many: random ones would take longer to write than to read.
DISTINCT = 997
FLAGS = ("--from", "openai", "--classes", ",".join(CLASSES))


def reply(i: int) -> str:
    """A chat completion of about 2 kB, labelled."""
    first = i % len(CLASSES)
    order = WORDS[first * 3 :] + WORDS[: first * 3]
    logs = [-0.6 - 0.87 * j - (i % 89) * 0.001234567 for j in range(len(order))]
    entries = [
        f'{{"token":"{word}","logprob":{log!r},"bytes":[{",".join(str(byte) for byte in word.encode())}]}}'
        for word, log in zip(order, logs, strict=True)
    ]
    content = f'{{"token":"{order[0]}","logprob":{logs[0]!r},"bytes":[110],"top_logprobs":[{",".join(entries)}]}}'
    return (
        f'"object":"chat.completion","created":1762070000,"model":"gpt-4o-mini-2024-07-18","label":"{CLASSES[i % 3]}",'
        f'"choices":[{{"index":0,"message":{{"role":"assistant","content":"{order[0]}","refusal":null,"annotations":[]}},'
        f'"logprobs":{{"content":[{content}],"refusal":null}},"finish_reason":"stop"}}],'
        '"usage":{"prompt_tokens":81,"completion_tokens":1,"total_tokens":82,"prompt_tokens_details":{"cached_tokens":0,'
        '"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":0,"audio_tokens":0,'
        '"accepted_prediction_tokens":0,"rejected_prediction_tokens":0}},"service_tier":"default",'
        '"system_fingerprint":"fp_0123456789"}'
    )


def replies(rows: int) -> Iterator[str]:
    """All replies, each with its own id."""
    bodies = [reply(i) for i in range(DISTINCT)]
    for i in range(rows):
        yield f'{{"id":"chatcmpl-{i:08d}",{bodies[i % DISTINCT]}'


def write(folder: Path, rows: int) -> list[Path]:
    """The three files."""
    lines, array, packed = (folder / name for name in ("replies.jsonl", "replies.json", "replies.jsonl.gz"))
    with (
        lines.open("w") as line_file,
        array.open("w") as array_file,
        gzip.open(packed, "wt", compresslevel=1) as packed_file,
    ):
        array_file.write("[")
        for i, one in enumerate(replies(rows)):
            line_file.write(one + "\n")
            packed_file.write(one + "\n")
            array_file.write((",\n" if i else "") + one)
        array_file.write("]\n")
    return [lines, array, packed]


def main() -> None:
    """Measure `eval` and `apply` on every file."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--folder", type=Path, help="where the files are written, and deleted")
    parser.add_argument("--threads", default="1")
    arguments = parser.parse_args()
    ours.check_program()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        files = write(Path(folder), arguments.rows)
        model = Path(folder) / "model.json"
        small = Path(folder) / "small.jsonl"
        small.write_text("\n".join(replies(2_000)))
        fit = (*FLAGS, "--method", "expected", "--quiet", "-o", str(model))
        ours.output(ours.PROGRAM, "fit", str(small), *fit)
        size = files[0].stat().st_size
        print(f"{arguments.rows:,} replies, {size / 1e9:.2f} GB, --threads {arguments.threads}\n")
        print("| command | file | wall (s) | CPU (s) | MB per CPU second | peak memory (MB) |")
        print("|---|---|---|---|---|---|")
        threads = ("--quiet", "--threads", arguments.threads)
        for file in files:
            for name, command in {
                "eval": ("eval", str(file), *FLAGS, "--metric", "accuracy"),
                "apply": ("apply", str(model), str(file)),
            }.items():
                taken = ours.measure(ours.PROGRAM, *command, *threads, runs=1)
                wall, cpu, peak = taken["wall"], taken["cpu"], taken["peak"] / 1e6
                speed = size / cpu / 1e6
                print(f"| `{name}` | {file.name} | {wall:.1f} | {cpu:.1f} | {speed:.0f} | {peak:.0f} |", flush=True)


if __name__ == "__main__":
    main()
