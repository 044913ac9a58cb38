"""Replies become probabilities, as the program reads them."""

import gzip
import json
import re

import numpy as np
import pytest
from program import run
from reply_samples import FOLDER, chat, read, scores

from cwplugin import ClassWeightPlugin, FitWarning, InputError, Model, read_replies

CASES = json.loads((FOLDER / "cases.json").read_text(encoding="utf-8"))


def options_of(case: dict) -> dict:
    options = dict(case["options"])
    answer = options.pop("answer", None)
    if case["from"] == "votes":
        options |= {"answer_at": answer, "missing": None}
    return {"spellings": options.pop("class"), **options}


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


def test_votes_are_smoothed_by_half_a_vote():
    answers = {"a": ["spam", "Spam.", "ham"], "b": ["ham"], "c": ["no idea", "ham"]}
    lines = [{"id": key, "answer": answer, "label": "ham"} for key, list_ in answers.items() for answer in list_]
    found = read(lines, "votes", classes=["ham", "spam"])
    np.testing.assert_array_equal(found.votes, [[1, 2], [1, 0], [1, 0]])
    np.testing.assert_allclose(found.probabilities, [[1.5 / 4, 2.5 / 4], [0.75, 0.25], [0.75, 0.25]])
    np.testing.assert_allclose(found.other, [0, 0, 0.5])
    assert (found.ids, found.labels) == (["a", "b", "c"], ["ham"] * 3)
    none = [*lines, {"id": "d", "answer": "no idea"}]
    text = 'id "d": no class among the answers: "no idea"'
    hint = 'say which class a text means, e.g. spellings={"ham": ["ham", "no idea"]}'
    with pytest.raises(InputError, match=re.escape(f"{text}\n  hint: {hint}")):
        read(none, "votes", classes=["ham", "spam"])
    left = read(none, "votes", classes=["ham", "spam"], errors="skip")
    assert (left.ids, left.errors) == (["a", "b", "c"], [(3, text)])
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
    shares = np.clip(0.3 * truth + rng.uniform(0.18, 0.52, size=200), 0.01, 0.99)
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
    np.testing.assert_array_equal(plugin.weights_, by_array.weights_)
    predicted = plugin.predict(found)
    np.testing.assert_array_equal(predicted, by_array.predict(found.probabilities))
    assert np.mean(predicted == found.labels) > 0.9
    turned = read_replies(lines, "huggingface", reply="response", classes=names)
    np.testing.assert_array_equal(plugin.model_.apply(turned), predicted)
    frame = found.to_frame()
    assert list(frame.columns) == ["p_spam", "p_ham", "label", "id", "other"]
    np.testing.assert_array_equal(plugin.model_.apply(frame), predicted)
    votes = read([{"id": "a", "answer": "ham"}], "votes", classes=names).to_frame()
    assert list(votes.columns) == ["p_ham", "p_spam", "votes_ham", "votes_spam", "label", "id", "other", "votes"]


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
    assert ours.to_json() == theirs.to_json()
