"""Files of OpenAI: chat completions, responses, batches, and JSON answers."""

import json
from typing import Any

from .files import NOTES, SPACES, add, case, dump, json_answer
from .openai import batch_line, chat, response
from .pieces import JSON, RATING, SENTIMENT, SPAM, VERY, lean, openai_tokens


def openai_files() -> None:
    """OpenAI: chat completions, responses and batch files."""
    chats = [chat(f"spaces {i}", steps) for i, steps in enumerate(SPACES)]
    add(
        "openai-chat.jsonl",
        "chat completions: 20 alternatives; other case and leading spaces; a label cut into two "
        "tokens (`ne`, `utral`) whose first is ambiguous",
        chats,
    )
    case("openai-chat", "openai-chat.jsonl", "openai", SENTIMENT)
    case("openai-chat floor", "openai-chat.jsonl", "openai", [*SENTIMENT, "ironic"], missing="floor:1e-6")
    case("openai-chat spread", "openai-chat.jsonl", "openai", [*SENTIMENT, "ironic", "angry"])
    spellings = {"good": ["positive", " Positive", "POS"], "bad": ["negative", "Negative", "NEG", "neg"]}
    case("openai-chat spellings", "openai-chat.jsonl", "openai", ["good", "bad"], **{"class": spellings})
    case(
        "openai-chat one class spelled, one by name",
        "openai-chat.jsonl",
        "openai",
        ["good", "negative"],
        **{"class": {"good": ["positive", "Positive", "POS"]}},
    )

    rows = [response(f"responses {i}", steps, reasoning=i == 1) for i, steps in enumerate(SPACES[:3])]
    add("openai-responses.jsonl", "responses; in the second a reasoning item comes before the message", rows)
    case("openai-responses", "openai-responses.jsonl", "openai", SENTIMENT)
    add("openai-responses.jsonl.zst", "the same, compressed with zstd", rows)
    case("openai-responses zstd", "openai-responses.jsonl.zst", "openai", SENTIMENT)
    add("openai-chat.jsonl.gz", "`openai-chat.jsonl`, compressed with gzip", chats)
    case("openai-chat gzip", "openai-chat.jsonl.gz", "openai", SENTIMENT)
    add("openai-array.json", "three chat completions in a JSON array", chats[1:])
    case("openai-array", "openai-array.json", "openai", SENTIMENT)
    lines = "\ufeff" + "".join(dump(reply) + "\r\n" for reply in lean(chats[1:])) + "\r\n"
    add("openai-bom-crlf.jsonl", "byte order mark, CRLF, and an empty line at the end", raw=lines.encode())
    case("openai-bom-crlf", "openai-bom-crlf.jsonl", "openai", SENTIMENT)
    for i, reply in enumerate([lean(chats[3]), rows[1], lean(chats[2])]):
        pretty = json.dumps(reply, ensure_ascii=False, indent=1) + "\n"
        add(f"openai-folder/reply-{i + 1:02d}.json", "", raw=pretty.encode())
    NOTES["openai-folder/"] = "a folder: chat, response, chat, each an indented JSON file"
    case("openai-folder", "openai-folder", "openai", SENTIMENT)

    lines = [batch_line(f"batch {i}", f"ticket-{i + 1}", reply) for i, reply in enumerate(lean(chats[1:]))]
    lines.append(batch_line("batch responses", "ticket-4", rows[1]))
    add("openai-batch.jsonl", "batch output file: three chat completions and a response; `custom_id` is the id", lines)
    case("openai-batch", "openai-batch.jsonl", "openai", SENTIMENT)
    labels: list[Any] = ["positive", 3, True, None]
    wrapped: list[JSON] = [
        {"id": f"r{i + 1}", "label": label, "response": reply}
        for i, (label, reply) in enumerate(zip(labels, lean(chats), strict=True))
    ]
    wrapped[1]["id"] = 17
    wrapped.append({"label": "negative", "response": rows[1]})
    add(
        "openai-wrapped.jsonl",
        "wrapped in `response`: text, integer, true and null as labels, an integer id, and a line without id",
        wrapped,
    )
    case("openai-wrapped", "openai-wrapped.jsonl", "openai", SENTIMENT, reply="response")
    deep = [
        {"ticket": f"t-{i}", "truth": "neutral", "call": {"at": "2026-11-02", "body": reply}}
        for i, reply in enumerate(lean(chats[1:3]))
    ]
    add("openai-wrapped-deep.jsonl", "wrapped in `call.body`, with `ticket` and `truth` instead of id and label", deep)
    case(
        "openai-wrapped-deep",
        "openai-wrapped-deep.jsonl",
        "openai",
        SENTIMENT,
        reply="call.body",
        id="ticket",
        label="truth",
    )
    beside = [reply | {"label": label} for reply, label in zip(lean(chats[1:3]), ["negative", "positive"], strict=True)]
    add("openai-label-inside.jsonl", "not wrapped: `label` was added to the reply itself", beside)
    case("openai-label-inside", "openai-label-inside.jsonl", "openai", SENTIMENT)


def openai_json_files() -> None:
    """OpenAI: answers in JSON."""
    rows = [
        chat(
            "json 0",
            json_answer(['{"', "label", '":"', "spam", '"}'], 3, [("spam", 0.8), ("ham", 0.15), ("Spam", 0.03)]),
        ),
        chat(
            "json 1",
            json_answer(
                ['{"label":', ' "spam', '"}'], 1, [(' "spam', 0.7), (' "ham', 0.2), (" spam", 0.04), (' "', 0.02)]
            ),
        ),
        chat(
            "json 2",
            json_answer(
                ["{\n", " ", ' "label', '":', ' "', "ham", '",\n', ' "why', '": "no link"\n', "}"],
                5,
                [("ham", 0.6), ("spam", 0.3), ('"', 0.05)],
            ),
        ),
        chat(
            "json 3",
            json_answer(
                ['{"reason":"no \\"label\\": here","', 'label":"ham"}'],
                1,
                [('label":"ham"}', 0.9), ('label":"spam"}', 0.05), ('label":"sp', 0.01)],
            ),
        ),
        chat(
            "json 4",
            json_answer(
                ["Here", " it is:", "\n", '{"', "text", '":{"', 'label":"spam"},"', "label", '":"', "h", "am", '"}'],
                9,
                [("h", 0.9), ("s", 0.06)],
            ),
        ),
    ]
    add(
        "openai-json.jsonl",
        '`{"label":"spam"}`: the quote in a token of its own or merged with the value or with the '
        "structure; white space; the key inside another value; text before the object",
        rows,
    )
    case("openai-json", "openai-json.jsonl", "openai", SPAM, answer_at="label")

    rows = [
        chat(
            "fence 0",
            json_answer(
                ["```", "json", "\n", '{"', "label", '": "', "spam", '"}', "\n", "```"],
                6,
                [("spam", 0.6), ("ham", 0.35)],
            ),
        ),
        chat(
            "fence 1",
            json_answer(["```json\n", '{"label":', '"ham', '"', "}\n```"], 2, [('"ham', 0.7), ('"spam', 0.2)]),
        ),
        chat("fence 2", json_answer(["```", "\n", '{"label": "', "spam", '"'], 3, [("spam", 0.5), ("ham", 0.45)])),
    ]
    add("openai-json-fenced.jsonl", "JSON inside ``` fences; the last one was cut off before its end", rows)
    case("openai-json-fenced", "openai-json-fenced.jsonl", "openai", SPAM, answer_at="label")

    rows = [
        chat(
            "nested 0",
            json_answer(
                ['{"label":"x","result":{"', "label", '":"', "very", " negative", '"}}'],
                3,
                [("very", 0.8), ("neutral", 0.15)],
            ),
        ),
        chat(
            "nested 1",
            json_answer(
                ['{"result":{"score":1,"label":"', "neutral", '"}}'],
                1,
                [("neutral", 0.6), ("very", 0.3), ("very positive", 0.05)],
            ),
        ),
    ]
    rows[0]["choices"][0]["logprobs"]["content"][4] = openai_tokens(
        [(" negative", [(" negative", 0.7), (" positive", 0.25)])]
    )[0]
    add("openai-json-nested.jsonl", "the answer is at `result.label`; another `label` comes before it", rows)
    case("openai-json-nested", "openai-json-nested.jsonl", "openai", VERY, answer_at="result.label")

    rows = [
        chat("number 0", json_answer(['{"', "rating", '":', "10", "}"], 3, [("10", 0.6), ("9", 0.3), ("1", 0.05)])),
        chat("number 1", json_answer(['{"rating": ', "1", "0", "}"], 1, [("1", 0.9), ("9", 0.05)])),
        chat("number 2", json_answer(['{"rating"', ":1", "}"], 1, [(":1", 0.7), (":2", 0.2), (": 3", 0.05)])),
    ]
    rows[1]["choices"][0]["logprobs"]["content"][2] = openai_tokens([("0", [("0", 0.8), ("}", 0.15)])])[0]
    add("openai-json-number.jsonl", "the answer is a JSON number: ratings 1 to 10", rows)
    case("openai-json-number", "openai-json-number.jsonl", "openai", RATING, answer_at="rating")
    rows = [
        chat("bool 0", json_answer(['{"', "spam", '":', " true", "}"], 3, [(" true", 0.8), (" false", 0.15)])),
        chat("bool 1", json_answer(['{"spam":', "false}"], 1, [("false}", 0.6), ("true}", 0.3), ("tr", 0.05)])),
    ]
    add("openai-json-bool.jsonl", "the answer is true or false", rows)
    case(
        "openai-json-bool",
        "openai-json-bool.jsonl",
        "openai",
        SPAM,
        answer_at="spam",
        **{"class": {"ham": ["false"], "spam": ["true"]}},
    )
