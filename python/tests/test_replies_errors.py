"""Replies that cannot be read: the message says where, what and what to do."""

import gzip
import json
import re
import sys

import numpy as np
import pytest
from reply_samples import FOLDER, chat, read, scores

from cwplugin import InputError, read_replies


@pytest.mark.parametrize(
    ("replies", "source", "options", "text"),
    [
        (
            [chat({"a": 0.5, "b": 0.5})],
            "openai",
            {},
            'the replies have no names of classes and no field "label"\n  hint: name the classes: classes=["…", "…"]',
        ),
        (
            [scores(1.0, names=("a",))],
            "huggingface",
            {},
            'the replies name one class, "a"\n  hint: name the classes: classes=["…", "…"]',
        ),
        ([], "openai", {"classes": "ab"}, "no replies\n  hint: pass replies, one for each row"),
        (
            [{"data": [{"probs": [0.5, 0.5], "label": "LABEL_1", "num_classes": 2}], "label": name} for name in "ab"],
            "vllm",
            {},
            "the numbers of the replies have no names, and the order of the classes is not known\n"
            "  hint: name the classes in the order of the model's outputs: classes=[…]",
        ),
    ],
)
def test_classes_that_are_not_known_are_asked_for(replies, source, options, text):
    with pytest.raises(InputError, match=f"^{re.escape(text)}$"):
        read(replies, source, **options)


AB = {"classes": ["ham", "spam"]}
ERRORS = [
    (["{"], "openai", AB, "row 1: not valid JSON: EOF while parsing an object (line 1 of the document, column 1)"),
    ([b"\xff"], "openai", AB, "row 1: not UTF-8: invalid byte at offset 0 of the document"),
    (
        json.dumps([chat({"ham": 0.5, "spam": 0.5})])[:-1],
        "openai",
        AB,
        "line 1: the list of replies is not valid JSON: expected a comma or the end of the list\n"
        "  hint: write the file again: it may be truncated",
    ),
    (
        [{"error": {"message": "slow down"}}],
        "openai",
        AB,
        "row 1: the service replied with an error: slow down\n"
        '  hint: send the request again, or leave out such replies with errors="skip"',
    ),
    (
        [{"choices": [{"message": {"content": None, "refusal": "no"}}]}],
        "openai",
        AB,
        'row 1: no answer: choices[0].message.refusal is "no"\n  hint: change the prompt so that the model answers '
        'with a class, or leave out such replies with errors="skip"',
    ),
    (
        [{"response": []}],
        "huggingface",
        {**AB, "reply": "response"},
        "row 1: nothing is listed in response\n  hint: ask the service for all classes, without a minimum score, or "
        'leave out such replies with errors="skip"',
    ),
    (
        [{"choices": [{"message": {"content": "ham"}, "logprobs": None}]}],
        "openai",
        AB,
        "row 1: no log-probabilities in choices[0].logprobs\n  hint: ask for them: logprobs=True, top_logprobs=20",
    ),
    (
        [{"response": scores(0.5, 0.5)}, {"response": scores(0.5, 0.5, names=("x", "y"))}],
        "huggingface",
        {**AB, "reply": "response"},
        'row 2: no class among the answers in response: "x", "y"\n'
        '  hint: say which class a text means, e.g. spellings={"ham": ["ham", "x"]}; the classes are "ham", "spam"',
    ),
    ([scores(0.5, float("nan"))], "huggingface", AB, "row 1: [1].score is NaN, not a number from 0 to 1"),
    (
        [{"response": scores(1.0, names=("ham",))}],
        "huggingface",
        {**AB, "reply": "response", "missing": "refuse"},
        'row 1: classes not listed in response: "spam"\n'
        '  hint: ask for more alternatives, or choose missing="spread" or missing="floor:1e-6"',
    ),
    (
        [{"x": 1}],
        "openai",
        {**AB, "reply": "response"},
        "row 1: there is no field response\n"
        '  hint: name the field that contains the reply, for example reply="response.body"',
    ),
    (
        [chat({"ham": 0.5, "spam": 0.5})],
        "openai",
        {**AB, "answer_at": "label"},
        'row 1: the answer has no field "label" with a text, number, true or false: "ham"\n'
        "  hint: name a field of the answer's JSON with answer_at=",
    ),
    (
        [{"x": 1}],
        "comprehend",
        AB,
        "row 1: not a reply of comprehend: expected one of the fields ResultList, SentimentScore, Classes, Labels\n"
        "  hint: name the source with source=, and the field of a wrapped reply with reply=",
    ),
    (
        [{"data": [{"probs": [0.5, 0.25, 0.25], "label": "ham", "num_classes": 3}]}],
        "vllm",
        AB,
        "row 1: data[0].probs has 3 numbers for 2 classes\n"
        "  hint: name the classes in the order of the model's outputs: classes=[…]",
    ),
    (
        [{"id": "a"}],
        "votes",
        AB,
        'row 1: there is no field answer\n  hint: name the fields of a line: id="…" and answer_at="…"; the default is '
        '"id" and "answer"',
    ),
    (
        [{"id": "a", "label": label, "answer": "ham"} for label in ("ham", "spam")],
        "votes",
        AB,
        'row 2: id "a" has the labels "ham" and "spam"\n  hint: give one label per id',
    ),
    (
        [],
        "votes",
        {**AB, "reply": "x"},
        'reply is not supported by source="votes"\n  hint: leave it out; answer_at= is the field of the answer',
    ),
    (
        [],
        "anthropic",
        AB,
        'unknown source "anthropic"\n  hint: use one of openai, completions, vllm, gemini, ollama, llama-cpp, '
        "huggingface, comprehend, azure, google-nl, vision, rekognition, clarifai, cohere, votes",
    ),
    (
        [],
        "openai",
        {"classes": ["ham"]},
        '1 classes are given; at least 2 are needed\n  hint: name the classes: classes=["…", "…"]',
    ),
    (
        [],
        "openai",
        {**AB, "missing": "floor:2"},
        '"floor:2" is not a treatment of missing classes\n  hint: use missing="spread", "refuse", or "floor:X" with X '
        'between 0 and 1, for example "floor:1e-6"',
    ),
    (
        [],
        "openai",
        {**AB, "reply": "a..b"},
        '"a..b" is not a path of field names\n'
        "  hint: write field names separated by single dots, for example response.body",
    ),
    (
        [],
        "openai",
        {**AB, "spellings": {"ham": [""]}},
        'class "ham" has an empty spelling\n  hint: give a spelling: spellings={"ham": ["…"]}',
    ),
    (
        [],
        "openai",
        {**AB, "spellings": {"ham": ["x"], "spam": ["x"]}},
        'classes "ham" and "spam" have the same spelling "x"\n  hint: give every spelling to one class only',
    ),
    (
        [],
        "openai",
        {**AB, "spellings": {"eggs": ["x"]}},
        'unknown class "eggs"; the classes are "ham", "spam"\n  hint: name one of "ham", "spam"',
    ),
    (
        [],
        "azure",
        {**AB, "answer_at": "label"},
        'replies of azure have no answer text to look for the field "label"\n  hint: leave out answer_at',
    ),
    (
        [],
        "openai",
        {**AB, "errors": "ignore"},
        'invalid value "ignore" for errors\n  hint: write one of "raise", "skip"',
    ),
    (
        [{"x": object()}],
        "openai",
        AB,
        "row 1: not a reply: object cannot be written as JSON\n"
        "  hint: pass dicts, JSON, or objects with model_dump() or to_dict()",
    ),
]


@pytest.mark.parametrize(("replies", "source", "options", "text"), ERRORS)
def test_errors_say_where_what_and_what_to_do(replies, source, options, text):
    with pytest.raises(InputError) as raised:
        read(replies, source, **options)
    assert str(raised.value).startswith(text)
    assert "--" not in str(raised.value), "a cure names parameters, not flags"
    assert isinstance(raised.value, ValueError)


def test_files_are_named_with_row_and_line(tmp_path):
    path = tmp_path / "replies.jsonl"
    path.write_text(json.dumps(scores(0.5, 0.5)) + "\n\n" + json.dumps({"error": "busy"}) + "\n")
    with pytest.raises(InputError) as raised:
        read_replies(path, "huggingface")
    text = f"{path}: row 2 (line 3): the service replied with an error: busy\n  hint: send the request again"
    assert str(raised.value).startswith(text)
    assert raised.value.row == 1


def test_files_that_cannot_be_read_are_named(tmp_path, monkeypatch):
    with pytest.raises(FileNotFoundError, match=r"no.jsonl: no such file\n  hint: pass a path, JSON text"):
        read_replies(tmp_path / "no.jsonl", "openai", classes="ab")
    with pytest.raises(InputError, match=r"no .json files in the folder"):
        read_replies(tmp_path, "openai", classes="ab")
    cut = tmp_path / "cut.jsonl.gz"
    cut.write_bytes(gzip.compress(json.dumps(scores(0.5, 0.5)).encode())[:-9])
    with pytest.raises(InputError, match=r"cut.jsonl.gz: not a complete gzip file"):
        read_replies(cut, "huggingface")
    empty = tmp_path / "empty.jsonl"
    empty.write_text("\n")
    with pytest.raises(InputError, match=r"empty.jsonl: no replies"):
        read_replies(empty, "huggingface")
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(InputError, match=r"zstd needs the package zstandard\n  hint: pip install zstandard"):
        read_replies(FOLDER / "openai-responses.jsonl.zst", "openai", classes="ab")
    with pytest.raises(TypeError, match="must be a path, JSON or an iterable of replies, got int"):
        read_replies(7, "openai", classes="ab")


@pytest.mark.parametrize("classes", [["ham", "spam"], None])
def test_replies_with_errors_are_left_out_and_listed(classes):
    replies = [{"error": "busy"}, scores(0.25, 0.75), [], scores(0.5, 0.5)]
    found = read_replies(replies, "huggingface", classes=classes, errors="skip")
    np.testing.assert_allclose(found.probabilities, [[0.25, 0.75], [0.5, 0.5]])
    assert [row for row, _ in found.errors] == [0, 2]
    assert found.errors[0][1] == "row 1: the service replied with an error: busy"
    assert (
        repr(found) == 'Replies(huggingface: 2 rows, classes "ham", "spam", 0 labelled, other 0.0%, 2 replies left out)'
    )
    with pytest.raises(InputError, match="row 1: the service replied with an error: busy"):
        read_replies(replies[:1], "huggingface", classes=classes, errors="skip")
    with pytest.raises(InputError, match="row 5: not valid JSON"):
        read_replies([*replies, "{"], "huggingface", classes=classes, errors="skip")


def test_labels_that_differ_only_in_case_are_not_two_classes():
    def lines(*labels):
        return [chat({"ham": 0.6, "spam": 0.4}, label=label) for label in labels]

    text = r'^the labels "Ham" and "ham" differ only in case\n  hint: write the labels alike'
    with pytest.raises(InputError, match=text):
        read_replies(lines("ham", "Ham", "spam"), "openai")
    assert read_replies(lines("ham", "ham ", "spam"), "openai").classes == ["ham", "spam"]


def test_every_file_of_a_folder_has_a_reply(tmp_path):
    scores = '[{"label": "ham", "score": 0.7}, {"label": "spam", "score": 0.3}]'
    for name, text in {"1.json": scores, "2.json": " \n", "3.json": scores}.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=r"2\.json: there is no reply\n  hint: send the request again"):
        read_replies(tmp_path, "huggingface")
    found = read_replies(tmp_path, "huggingface", errors="skip")
    assert len(found) == 2
    assert "2.json: nothing is listed" in found.errors[0][1]
