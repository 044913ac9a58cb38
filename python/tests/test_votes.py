"""Votes as counts or as replies, and what models remember of replies: as in the program."""

import gzip
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from program import run

from cwplugin import ClassWeightPlugin, FitWarning, InputError, Model, evaluate, read_replies

GUIDES = Path(__file__).resolve().parents[2] / "testdata" / "guides"
SPELLINGS = {"billing": ["money"], "bug": ["software"], "praise": ["praise"]}
COUNTS = np.array([[7, 2, 1], [1, 8, 1], [3, 3, 4], [2, 5, 3]] * 12)
y = np.array(["a", "b", "c", "c"] * 12)
FRAME = pd.DataFrame(COUNTS, columns=list("abc"))


def unpacked(name: str, folder: Path) -> Path:
    path = folder / f"{name}.jsonl"
    path.write_bytes(gzip.decompress((GUIDES / f"{name}.jsonl.gz").read_bytes()))
    return path


def flags() -> list[str]:
    return [word for name, texts in SPELLINGS.items() for word in ("--class", f"{name}={','.join(texts)}")]


@pytest.mark.filterwarnings("ignore::cwplugin.FitWarning")
@pytest.mark.parametrize(
    ("name", "source", "options", "more"),
    [
        ("votes", "votes", {}, []),
        ("tickets", "openai", {"reply": "response"}, ["--reply", "response"]),
        (
            "tickets",
            "openai",
            {"reply": "response", "missing": "floor:1e-06"},
            ["--reply", "response", "--missing", "floor:1e-6"],
        ),
    ],
)
def test_the_program_writes_the_same_model_of_the_same_replies(name, source, options, more, tmp_path):
    path = unpacked(name, tmp_path)
    run("fit", path, "--from", source, *flags(), *more, "-o", "model.json", cwd=tmp_path)
    replies = read_replies(path, source, spellings=SPELLINGS, **options)
    ours = ClassWeightPlugin().fit(replies, replies.labels).model_
    assert ours.to_json() == (tmp_path / "model.json").read_text()
    assert ours.input["from"] == source
    assert {**replies.input, **ours.input} == ours.input
    assert ("votes" in ours.input) == (source == "votes")


def test_counts_are_read_as_the_program_reads_them(tmp_path):
    FRAME.assign(label=y).to_csv(tmp_path / "counts.csv", index=False)
    run("fit", "counts.csv", "--from", "votes", "-o", "model.json", cwd=tmp_path)
    text = (tmp_path / "model.json").read_text()
    plugin = ClassWeightPlugin(scores="votes")
    for table in (FRAME, FRAME.astype("int8"), pa.table(FRAME), FRAME.astype(np.float32)):
        assert plugin.fit(table, y).model_.to_json() == text
    assert plugin.model_.input == {"from": "votes", "votes": {"min": 10, "median": 10, "max": 10}}
    smoothed = (COUNTS + 0.5) / 11.5
    by_hand = ClassWeightPlugin().fit(smoothed, y)
    np.testing.assert_array_equal(plugin.weights_, by_hand.weights_)
    model = Model.load(tmp_path / "model.json")
    for predicted in (
        plugin.predict(FRAME.astype(np.float32)),
        model.apply(COUNTS),
        model.apply(smoothed, scores="probabilities"),
    ):
        np.testing.assert_array_equal(predicted, by_hand.predict(smoothed))
    assert evaluate(COUNTS, y, model, metrics="accuracy").rows == len(y)


def test_what_is_not_a_count_is_refused():
    plugin = ClassWeightPlugin(scores="votes", classes=["a", "b"])
    cases = [
        ([[1, 2], [0.5, 0.5]], r'^row 2, column "a": 0.5 is not a number of votes\n  hint: votes are whole numbers'),
        ([[1, 2], [3, -1]], r'^row 2, column "b": -1 is not a number of votes'),
        ([[1, 2], [0, 0]], r'^row 2, columns "a", "b": no class has a vote\n  hint: drop the row, or ask again$'),
    ]
    for counts, text in cases:
        with pytest.raises(InputError, match=text):
            plugin.fit(counts, ["a", "b"])
    with pytest.raises(InputError, match=r'^normalize is not supported by scores="votes"'):
        ClassWeightPlugin(scores="votes", normalize=True).fit(COUNTS, y)
    with pytest.raises(InputError, match=r'write one of .*, "votes"$'):
        ClassWeightPlugin(scores="counts").fit(COUNTS, y)
    # Probabilities of votes are not taken for counts.
    model = ClassWeightPlugin(scores="votes").fit(COUNTS, y).model_
    with pytest.raises(InputError, match=r'for probabilities use scores="probabilities"$'):
        model.apply((COUNTS + 0.5) / 11.5)
    with pytest.raises(InputError, match=r"^scores='logits', but the model was fitted with scores='votes'"):
        model.apply(COUNTS, scores="logits")


def test_few_votes_are_warned_about():
    plugin = ClassWeightPlugin(method="ascent", scores="votes").fit(COUNTS, y)
    few = [[2, 1, 0], [0, 4, 0]]
    text = "^the rows have 3 to 4 votes, median 3, but the model was fitted on rows of 10 votes\n  hint: ask as often"
    for call in (plugin.predict, plugin.model_.apply):
        with pytest.warns(FitWarning, match=text) as caught:
            call(few)
        assert caught[0].filename == __file__
    plugin.predict([[2, 2, 1]])  # half as many are enough
    with pytest.warns(FitWarning, match="^every row has one vote: it names a class") as caught:
        ClassWeightPlugin(method="ascent", scores="votes").fit(np.eye(3)[[0, 1, 2, 2]], list("abcc"))
    assert caught[0].filename == __file__


def answers(votes: dict[str, list[str]], **label: str) -> list[dict]:
    return [{"id": key, "answer": one, **label} for key, list_ in votes.items() for one in list_]


def test_rows_of_replies_keep_their_facts():
    lines = answers({"r1": ["ham"] * 3, "r2": ["spam", "spam", "ham", "ham"]}, label="ham")
    lines += answers({"r3": ["spam"] * 5}, label="spam")
    replies = read_replies(lines, "votes", classes=["ham", "spam"])
    assert repr(replies).startswith("Replies(votes: 3 rows of 3 to 5 votes, median 4, classes")
    part = replies[1:]
    assert (part.ids, part.shape, part.votes.tolist()) == (["r2", "r3"], (2, 2), [[2, 2], [0, 5]])
    assert replies[np.array([True, False, True])].labels == ["ham", "spam"]
    assert part.to_frame()["votes"].tolist() == [4, 5]
    with pytest.raises(TypeError, match="selected by a slice, a mask or indices"):
        replies[0]
    plugin = ClassWeightPlugin(method="ascent").fit(part, part.labels)
    assert plugin.model_.input == {"from": "votes", "votes": {"min": 4, "median": 4, "max": 5}}
    assert plugin.predict(replies).tolist() == plugin.model_.apply(replies).tolist()
    assert plugin.model_.apply(replies.probabilities, scores="probabilities").shape == (3,)


def test_replies_of_another_source_are_refused():
    scores = [[{"label": "ham", "score": p}, {"label": "spam", "score": 1 - p}] for p in (0.8, 0.7)]
    replies = read_replies(scores, "huggingface")
    plugin = ClassWeightPlugin(method="ascent").fit(replies, ["ham", "spam"])
    assert json.loads(plugin.model_.to_json())["input"] == {"from": "huggingface"}
    votes = read_replies(answers({"r1": ["ham", "spam"]}), "votes", classes=["ham", "spam"])
    text = '^the replies are of "votes", but the model was fitted on replies of "huggingface"\n  hint: pass replies of'
    for call in (plugin.predict, plugin.model_.apply):
        with pytest.raises(InputError, match=text):
            call(votes)
    with pytest.raises(
        InputError, match=r'^scores="logits", but replies have probabilities\n  hint: leave out scores$'
    ):
        ClassWeightPlugin(scores="logits").fit(replies, ["ham", "spam"])
    with pytest.raises(InputError, match=r'^missing is not supported by source="votes"'):
        read_replies(answers({"r1": ["ham"]}), "votes", classes=["ham", "spam"], missing="spread")
