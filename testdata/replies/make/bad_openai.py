"""Replies of OpenAI that must be refused."""

import json
from typing import Any

from .files import add, case, dump, json_answer
from .openai import batch_line, chat, no_logprobs, response
from .pieces import JSON, SPAM, lean
from .services import sentiment

GOOD = lean(chat("good", [("spam", [("spam", 0.8), ("ham", 0.15)])]))
AGAIN = lean(chat("again", [("ham", [("ham", 0.6), ("spam", 0.3)])]))
QUOTA = {
    "message": "You exceeded your current quota.",
    "type": "insufficient_quota",
    "param": None,
    "code": "insufficient_quota",
}


def bad(
    name: str,
    note: str,
    source: str,
    replies: list[Any] | None = None,
    raw: str | None = None,
    classes: list[str] = SPAM,
    **options: object,
) -> None:
    """A file that must be refused, and its case."""
    file = f"bad/{name}.jsonl"
    add(file, note, lean(replies), None if raw is None else raw.encode())
    case(f"bad {name}", file, source, classes, **options)


def changed(path: list[str | int], value: object) -> JSON:
    """`AGAIN` with another value at the path."""
    copy = json.loads(dump(AGAIN))
    place = copy
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    return copy


def bad_chats() -> None:
    """Chat completions and batch lines: the first row is fine, the second is not, unless the note says otherwise."""
    token: list[str | int] = ["choices", 0, "logprobs", "content", 0]
    bad(
        "truncated", "the last line is cut off", "openai", raw=dump(GOOD) + "\n" + dump(AGAIN) + "\n" + dump(GOOD)[:200]
    )
    bad("not-json", "text between the replies", "openai", raw=dump(GOOD) + "\nINFO 200 OK\n" + dump(AGAIN) + "\n")
    nan = dump(AGAIN).replace('"logprob":-0.51082562', '"logprob":NaN')
    assert nan != dump(AGAIN)
    bad("nan", "a log-probability is NaN, as Python writes it", "openai", raw=dump(GOOD) + "\n" + nan + "\n")
    bad(
        "null-logprob",
        "a log-probability is null",
        "openai",
        [GOOD, changed([*token, "top_logprobs", 1, "logprob"], None)],
    )
    both = changed([*token, "logprob"], 0.25)
    both["choices"][0]["logprobs"]["content"][0]["top_logprobs"][0]["logprob"] = 0.25
    bad("positive-logprob", "a log-probability is positive", "openai", [GOOD, both])
    bad(
        "text-logprob",
        "a log-probability is a text",
        "openai",
        [GOOD, changed([*token, "top_logprobs", 0, "logprob"], "-0.5")],
    )
    over = chat("over", [("ham", [("ham", 0.8), ("spam", 0.8)])])
    bad("sum", "the probabilities of a position sum to 1.6", "openai", [GOOD, over])
    bad("openai-error", "an error object", "openai", [GOOD, {"error": QUOTA}, AGAIN])
    bad(
        "openai-refusal",
        "`message.refusal` is set",
        "openai",
        [GOOD, no_logprobs(AGAIN, content=None, refusal="I'm sorry.")],
    )
    bad("openai-null-content", "`content` is null", "openai", [GOOD, no_logprobs(AGAIN, content=None)])
    filtered = no_logprobs(AGAIN, content="")
    filtered["choices"][0]["finish_reason"] = "content_filter"
    bad("openai-content-filter", "stopped by the content filter", "openai", [GOOD, filtered])
    bad("openai-empty", "`content` is empty", "openai", [GOOD, no_logprobs(AGAIN, content="")])
    bad("openai-no-logprobs", "`logprobs` is null", "openai", [GOOD, no_logprobs(AGAIN)])
    bad("openai-no-choices", "`choices` is empty", "openai", [GOOD, AGAIN | {"choices": []}])
    bad("openai-shape", "a reply of another vendor", "openai", [GOOD, sentiment("other vendor", [0.7, 0.1, 0.1, 0.1])])
    hello = chat("hello", [("Sure", [("Sure", 0.7), ("Certainly", 0.2)]), ("!", [("!", 0.9)])])
    bad("no-class", "no token is a class", "openai", [GOOD, hello])
    bad(
        "no-json-field",
        "the answer is not JSON",
        "openai",
        [chat("json ok", json_answer(['{"label":"', "spam", '"}'], 1, [("spam", 0.8), ("ham", 0.1)])), hello],
        answer_at="label",
    )
    bad(
        "other-json-field",
        "the answer's JSON has the field only deeper",
        "openai",
        [chat("json deep", json_answer(['{"a":{"label":"', "spam", '"}}'], 1, [("spam", 0.8), ("ham", 0.1)]))],
        answer_at="label",
    )
    bad(
        "no-wrapped-reply",
        "a line without the field of the reply",
        "openai",
        [{"id": "a", "response": GOOD}, {"id": "b", "respnse": AGAIN}],
        reply="response",
    )
    bad(
        "list-label",
        "a label that is a list",
        "openai",
        [{"id": "a", "label": "spam", "response": GOOD}, {"id": "b", "label": ["spam"], "response": AGAIN}],
        reply="response",
    )
    lines = [
        batch_line("b 0", "t-1", GOOD),
        batch_line("b 1", "t-2", AGAIN),
        batch_line("b 2", "t-3", {"error": QUOTA}, status=429),
        batch_line("b 3", "t-4", GOOD),
    ]
    bad("openai-batch-status", "batch output file: the third request got status 429", "openai", lines)
    expired = {
        "code": "batch_expired",
        "message": "This request could not be executed before the completion window expired.",
    }
    bad(
        "openai-batch-expired",
        "batch output file: the second request expired",
        "openai",
        [lines[0], batch_line("b 4", "t-2", None, error=expired)],
    )


def bad_responses() -> None:
    """Responses that must be refused."""
    fine = response("fine", [("spam", [("spam", 0.8), ("ham", 0.15)])])
    part = fine["output"][0]["content"][0]

    def with_content(content: list[JSON]) -> JSON:
        return fine | {"output": [fine["output"][0] | {"content": content}]}

    failed = fine | {
        "status": "failed",
        "output": [],
        "error": {"code": "server_error", "message": "An error occurred."},
    }
    bad("responses-error", "a response that failed", "openai", [fine, failed])
    bad(
        "responses-refusal",
        "a refusal instead of a text",
        "openai",
        [fine, with_content([{"type": "refusal", "refusal": "I'm sorry."}])],
    )
    bad(
        "responses-no-logprobs",
        "`logprobs` is an empty list",
        "openai",
        [fine, with_content([part | {"logprobs": []}])],
    )
    bad("responses-empty", "an empty text", "openai", [fine, with_content([part | {"text": "", "logprobs": []}])])
