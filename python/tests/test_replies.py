"""Replies become probabilities, as the program reads them."""

import gzip
import json
import re
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from program import run

from cwplugin import ClassWeightPlugin, FitWarning, InputError, Model, Replies, read_replies

FOLDER = Path(__file__).resolve().parents[2] / "testdata" / "replies"
CASES = json.loads((FOLDER / "cases.json").read_text(encoding="utf-8"))


def read(*arguments, **options) -> Replies:
    """Replies without their warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FitWarning)
        return read_replies(*arguments, **options)


def options_of(case: dict) -> dict:
    options = dict(case["options"])
    answer = options.pop("answer", None)
    if case["from"] == "votes":
        options["answer_at"] = answer
    return {"spellings": options.pop("class"), **options}


def scores(*shares: float, names=("ham", "spam")) -> list:
    """A reply of Hugging Face."""
    return [{"label": name, "score": share} for name, share in zip(names, shares, strict=True)]


def chat(tokens: dict[str, float], **fields) -> dict:
    """A reply of OpenAI."""
    top = [{"token": token, "logprob": float(np.log(share))} for token, share in tokens.items()]
    content = [{**top[0], "top_logprobs": top}]
    message = {"content": top[0]["token"]}
    return {"choices": [{"message": message, "logprobs": {"content": content}}], **fields}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_every_case_is_read_as_expected(case):
    path, options = FOLDER / case["file"], options_of(case)
    if path.suffix == ".zst":
        pytest.importorskip("zstandard")
    expected = case["expected"]
    if "error" in expected:
        with pytest.raises(InputError) as raised:
            read(path, case["from"], **options)
        row = expected["error"]["row"]
        assert raised.value.row == (None if row is None else row - 1)
        text = str(raised.value)
        assert "--" not in text, "a cure names parameters, not flags"
        assert row is None or text.startswith(f"{path}: row {row}")
        return
    rows = expected["rows"]
    if case["from"] == "votes":  # an id without an answer that is a class has no probabilities
        options["errors"] = "skip"
        rows = [row for row in rows if any(row["counts"])]
    found = read(path, case["from"], **options)
    assert len(found.errors) == len(expected["rows"]) - len(rows)
    assert found.classes == options["classes"]
    assert found.labels == [row["label"] for row in rows]
    assert found.ids == [row["id"] for row in rows]
    if case["from"] == "votes":
        counts = np.array([row["counts"] for row in rows])
        np.testing.assert_array_equal(found.votes, counts)
        n, m = counts.sum(axis=1, keepdims=True), counts.shape[1]
        np.testing.assert_allclose(found.probabilities, (counts + 0.5) / (n + 0.5 * m), atol=1e-15)
        other = np.array([row["other"] for row in rows])
        np.testing.assert_allclose(found.other, other / (other + n[:, 0]), atol=1e-15)
        return
    assert found.votes is None
    np.testing.assert_allclose(found.probabilities, [row["probabilities"] for row in rows], rtol=0, atol=1e-12)
    np.testing.assert_allclose(found.other, [row["other"] for row in rows], rtol=0, atol=1e-12)


class Sdk:
    """An object such as those of openai and cohere."""

    def __init__(self, fields, method="model_dump"):
        setattr(self, method, lambda: fields)


def test_every_kind_of_input_gives_the_same_rows(tmp_path):
    replies = [chat({"spam": 0.6, "ham": 0.4}, id="a"), chat({"ham": 0.9, "spam": 0.1}, id="b")]
    lines = "\n".join(map(json.dumps, replies))
    (tmp_path / "lines.jsonl").write_text(lines)
    (tmp_path / "lines.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    (tmp_path / "array.json").write_text(json.dumps(replies, indent=1))
    folder = tmp_path / "folder"
    folder.mkdir()
    for place, one in enumerate(replies):
        (folder / f"{place}.json").write_text(json.dumps(one, indent=1))
    (folder / "notes.txt").write_text("no reply")
    inputs = [
        tmp_path / "lines.jsonl",
        str(tmp_path / "lines.jsonl"),
        tmp_path / "lines.jsonl.gz",
        tmp_path / "array.json",
        folder,
        lines,
        lines.encode(),
        json.dumps(replies),
        replies,
        iter(replies),
        [json.dumps(one) for one in replies],
        [json.dumps(one).encode() for one in replies],
        [Sdk(one) for one in replies],
        [Sdk(one, "to_dict") for one in replies],
    ]
    for one in inputs:
        found = read_replies(one, "openai", classes=["ham", "spam"])
        np.testing.assert_allclose(found.probabilities, [[0.4, 0.6], [0.9, 0.1]], atol=1e-12)
        assert found.ids == ["a", "b"]
    assert len(read_replies(replies[0], "openai", classes=["ham", "spam"])) == 1
    assert len(read_replies(Sdk(replies[0]), "openai", classes=["ham", "spam"])) == 1


def test_many_replies_of_an_iterator_are_read_in_order():
    shares = np.random.default_rng(0).uniform(0.1, 0.9, size=3000)
    found = read_replies((scores(1 - p, p) for p in shares), "huggingface")
    np.testing.assert_allclose(found.select("p_spam")[:, 0], shares, atol=1e-12)


def test_objects_inside_a_reply_are_converted():
    lines = [{"id": np.int64(7), "label": "ham", "response": Sdk(chat({"ham": 0.75, "spam": 0.25}))}]
    found = read_replies(lines, "openai", classes=["ham", "spam"], reply="response")
    assert (found.ids, found.labels) == (["7"], ["ham"])


def test_classes_are_found_and_sorted():
    replies = [scores(0.25, 0.75, names=("spam", "ham")), scores(0.5, 0.5, names=("eggs", "spam"))]
    assert read(replies, "huggingface").classes == ["eggs", "ham", "spam"]
    labelled = [chat({"spam": 0.6, "ham": 0.4}, label=label) for label in ("spam", None, "ham", "spam")]
    found = read_replies(labelled, "openai")
    assert (found.classes, found.labels) == (["ham", "spam"], ["spam", None, "ham", "spam"])
    spelled = read_replies(labelled, "openai", spellings={"good": "ham", "bad": ["spam"]})
    assert spelled.classes == ["good", "bad"]
    seen = [{"Labels": [{"Name": name, "Confidence": 90.0} for name in "abc"]} for _ in range(2)]
    assert read(seen, "rekognition").classes == ["a", "b", "c"]
    labelled = [{**one, "label": name} for one, name in zip(seen, "ba", strict=True)]
    assert read(labelled, "rekognition").classes == ["a", "b"]
    votes = [{"id": "a", "label": "x", "answer": "x"}, {"id": "b", "label": "y", "answer": "x"}] * 2
    assert read_replies(votes, "votes").classes == ["x", "y"]


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
        '  hint: name the spellings of a class: spellings={"NAME": ["x"]}',
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


def test_votes_are_smoothed_by_half_a_vote():
    answers = {"a": ["spam", "Spam.", "ham"], "b": ["ham"], "c": ["no idea", "ham"]}
    lines = [{"id": key, "answer": answer, "label": "ham"} for key, list_ in answers.items() for answer in list_]
    found = read(lines, "votes", classes=["ham", "spam"])
    np.testing.assert_array_equal(found.votes, [[1, 2], [1, 0], [1, 0]])
    np.testing.assert_allclose(found.probabilities, [[1.5 / 4, 2.5 / 4], [0.75, 0.25], [0.75, 0.25]])
    np.testing.assert_allclose(found.other, [0, 0, 0.5])
    assert (found.ids, found.labels) == (["a", "b", "c"], ["ham"] * 3)
    none = [*lines, {"id": "d", "answer": "no idea"}]
    text = r'^id "d": none of 1 answer is a class\n  hint: name the texts of a class: spellings={"NAME"'
    with pytest.raises(InputError, match=text):
        read(none, "votes", classes=["ham", "spam"])
    left = read(none, "votes", classes=["ham", "spam"], errors="skip")
    assert (left.ids, left.errors) == (["a", "b", "c"], [(3, 'id "d": none of 1 answer is a class')])
    with pytest.warns(FitWarning, match="^every id has one answer"):
        read_replies(lines[3:4], "votes", classes=["ham", "spam"])
    with pytest.warns(FitWarning, match="^16.7% of the answers belong to no class"):
        read_replies(lines, "votes", classes=["ham", "spam"])


def test_warnings_say_what_is_lost():
    independent = [{"Labels": [{"Name": "ham", "Confidence": 90.0}, {"Name": "spam", "Confidence": 80.0}]}]
    for replies, source, text in [
        ([chat({"ham": 0.5, "spam": 0.25, "eggs": 0.25})], "openai", "^25.0% of the probability belongs to no class"),
        (independent, "rekognition", "^1 of 1 rows have independent scores"),
        ([scores(1.0, 0.0)] * 3 + [scores(0.5, 0.5)], "huggingface", "^3 of 4 rows are one-hot"),
    ]:
        with pytest.warns(FitWarning, match=text) as caught:
            read_replies(replies, source, classes=["ham", "spam"])
        assert caught[0].filename == __file__


def test_replies_are_a_table_with_named_columns():
    rng = np.random.default_rng(1)
    truth = rng.integers(2, size=200)
    shares = np.clip(0.3 * truth + rng.uniform(0.2, 0.5, size=200), 0.01, 0.99)
    names = ["ham", "spam"]
    lines = [
        {"id": row, "label": names[label], "response": scores(p, 1 - p, names=("spam", "ham"))}
        for row, (label, p) in enumerate(zip(truth, shares, strict=True))
    ]
    found = read_replies(lines, "huggingface", reply="response", classes=["spam", "ham"])
    assert found.shape == (200, 2)
    assert len(found) == 200
    plugin = ClassWeightPlugin(method="ascent").fit(found, found.labels)
    by_array = ClassWeightPlugin(method="ascent", classes=found.classes).fit(found.probabilities, found.labels)
    assert plugin.model_ == by_array.model_
    predicted = plugin.predict(found)
    np.testing.assert_array_equal(predicted, by_array.predict(found.probabilities))
    assert np.mean(predicted == found.labels) > 0.9
    turned = read_replies(lines, "huggingface", reply="response", classes=names)
    np.testing.assert_array_equal(plugin.model_.apply(turned), predicted)
    frame = found.to_frame()
    assert list(frame.columns) == ["p_spam", "p_ham", "label", "id", "other"]
    np.testing.assert_array_equal(plugin.model_.apply(frame), predicted)
    votes = read([{"id": "a", "answer": "ham"}], "votes", classes=names).to_frame()
    assert list(votes.columns) == ["p_ham", "p_spam", "votes_ham", "votes_spam", "label", "id", "other"]


def test_the_program_reads_the_same_rows(tmp_path):
    rng = np.random.default_rng(2)
    lines = []
    for row, p in enumerate(rng.uniform(0.05, 0.9, size=120)):
        label = ["ham", "spam"][int(rng.uniform() < p)] if row < 80 else None
        reply = chat({" Spam": p, "ham": 0.95 - p, "I": 0.04})
        lines.append(json.dumps({"id": row, "label": label, "response": reply}))
    (tmp_path / "replies.jsonl").write_text("\n".join(lines) + "\n")
    options = ["--from", "openai", "--reply", "response", "--method", "ascent"]
    run("fit", "replies.jsonl", *options, "-o", "model.json", cwd=tmp_path)
    theirs = Model.load(tmp_path / "model.json")
    assert theirs.input["from"] == "openai"
    found = read_replies(tmp_path / "replies.jsonl", "openai", reply="response")
    ours = ClassWeightPlugin(method="ascent").fit(found, found.labels).model_
    assert {**json.loads(ours.to_json()), "input": theirs.input} == json.loads(theirs.to_json())
