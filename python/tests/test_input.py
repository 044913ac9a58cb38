"""Raw input: what a model remembers about it, rounded rows and percentages."""

import json

import numpy as np
import pandas as pd
import pytest
from program import run
from reply_samples import chat, read
from support import black_box

from cwplugin import ClassWeightPlugin, FitWarning, InputError, Model, _core, evaluate

P, y = black_box(300, 3, labels=["a", "b", "c"])


def with_input(**options) -> Model:
    document = json.loads(ClassWeightPlugin(method="ascent").fit(P, y).model_.to_json())
    return Model.from_json(json.dumps({**document, "input": options}))


def test_a_model_keeps_its_input(tmp_path):
    options = {
        "from": "openai",
        "spellings": {"a": ["x", "y"]},
        "reply": "response.body",
        "answer_at": "label",
        "missing": "floor:0.001",
        "scores": "logits",
        "normalize": True,
        "positive": "b",
        "decimal": ",",
    }
    model = with_input(**options)
    assert model.input == options
    model.save(tmp_path / "model.json")
    written = (tmp_path / "model.json").read_bytes()
    Model.load(tmp_path / "model.json").save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == written
    assert Model(["a", "b"], [1, 2]).input == {}


@pytest.mark.filterwarnings("ignore:the model was fitted on:cwplugin.FitWarning")
@pytest.mark.parametrize("scores", ["logits", "logprobs", "percentages"])
def test_a_model_reads_rows_as_it_was_fitted_on_them(scores):
    raw = 100 * P if scores == "percentages" else np.log(P)
    plain, model = with_input(), with_input(scores=scores)
    np.testing.assert_array_equal(model.apply(raw), plain.apply(P))
    np.testing.assert_array_equal(model.apply(raw, scores=scores), plain.apply(P))
    np.testing.assert_allclose(model.scores(raw), plain.scores(P), atol=1e-12)
    found, expected = (evaluate(X, y, one, metrics="accuracy", resamples=10) for X, one in ((raw, model), (P, plain)))
    assert found.metrics == expected.metrics
    assert found.confusion["fitted"].tolist() == expected.confusion["fitted"].tolist()
    model.report.to_html(X=raw, y=y, refits=0, resamples=10)
    text = (
        f"^scores='probabilities', but the model was fitted with scores='{scores}'\n"
        "  hint: leave out scores, or fit a model with scores='probabilities'$"
    )
    for call in (model.apply, model.scores, lambda X, **options: evaluate(X, y, model, **options)):
        with pytest.raises(InputError, match=text):
            call(P, scores="probabilities")


def test_a_model_normalizes_as_it_was_fitted():
    plain, model = with_input(), with_input(normalize=True)
    np.testing.assert_array_equal(model.apply(7 * P), plain.apply(P))
    np.testing.assert_array_equal(plain.apply(7 * P, normalize=True), plain.apply(P))
    with pytest.raises(InputError, match=r"^normalize=False, but the model was fitted with normalize=True"):
        model.apply(P, normalize=False)


def test_models_of_the_program_say_how_their_rows_are_read(tmp_path):
    lines = ["p_a,p_b,p_c,label"]
    lines += [",".join([*map(repr, row), label]) for row, label in zip(np.log(P).tolist(), y, strict=True)]
    (tmp_path / "rows.csv").write_text("\n".join(lines) + "\n")
    run("fit", "rows.csv", "--scores", "logits", "--method", "ascent", "-o", "model.json", cwd=tmp_path)
    model = Model.load(tmp_path / "model.json")
    assert model.input == {"scores": "logits"}
    assert model.to_json() == (tmp_path / "model.json").read_text()
    np.testing.assert_array_equal(model.apply(np.log(P)), with_input().apply(P))
    ours = ClassWeightPlugin(method="ascent", scores="logits").fit(pd.DataFrame(np.log(P), columns=list("abc")), y)
    assert ours.model_.to_json() == model.to_json()
    assert model.to_onnx() == model.to_onnx(scores="logits") != model.to_onnx(scores="probabilities")


def test_percentages_are_read():
    plain = ClassWeightPlugin(method="ascent").fit(P, y)
    percent = ClassWeightPlugin(method="ascent", scores="percentages").fit(100 * P, y)
    np.testing.assert_allclose(percent.weights_, plain.weights_, atol=1e-12)
    with pytest.raises(InputError, match=r"row 1, columns .*: the percentages sum to 1, not to 100\n  hint: leave out"):
        ClassWeightPlugin(method="ascent", scores="percentages").fit([[0.5, 0.5]] * 2, ["a", "b"])


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("order", ["C", "F"])
def test_rounded_rows_are_divided_by_their_sum_with_a_warning(dtype, order):
    rounded = P.round(2)
    off = np.abs(rounded.sum(axis=1) - 1) > 0.001
    assert 0 < off.sum() < len(P)
    divided = np.where(off[:, None], rounded / rounded.sum(axis=1, keepdims=True), rounded)
    X = np.asarray(rounded, dtype=dtype, order=order)
    text = f"^{off.sum()} rows were divided by the row sum, which is off 1 by up to 0.02, as after rounding"
    with pytest.warns(FitWarning, match=text) as caught:
        found = ClassWeightPlugin(method="ascent").fit(X, y)
    assert caught[0].filename == __file__
    expected = ClassWeightPlugin(method="ascent").fit(divided, y)
    np.testing.assert_allclose(found.weights_, expected.weights_, rtol=1e-5)
    with pytest.warns(FitWarning, match=text):
        np.testing.assert_array_equal(expected.model_.apply(X), expected.predict(divided))


def test_rows_that_rounding_does_not_explain_are_refused():
    X = np.array([[0.5, 0.49], [0.5, 0.47]])
    with pytest.raises(InputError, match=r"^row 2, columns .*: the values sum to 0.97, not to 1\n  hint: norm"):
        Model(["a", "b"], [1, 1]).apply(X)
    with pytest.warns(FitWarning, match="^1 row was divided by the row sum"):
        Model(["a", "b"], [1, 1]).apply(X[:1])


def test_rows_that_sum_to_one_are_not_copied():
    assert _core._address_of(P) == P.ctypes.data


CHATS = [
    chat({"ham": p, "spam": 1 - p}, label=label)
    for p, label in [(0.9, "ham"), (0.8, "ham"), (0.6, "spam"), (0.7, "ham")]
]


def answers() -> list:
    """Answers in JSON."""
    reply = chat({"ham": 0.9, "spam": 0.1})
    before, after = ({"token": token, "logprob": 0.0, "top_logprobs": []} for token in ('{"kind": "', '"}'))
    tokens = reply["choices"][0]["logprobs"]["content"]
    reply["choices"][0]["logprobs"]["content"] = [before, *tokens, after]
    return [reply]


@pytest.mark.parametrize(
    ("option", "stored", "other"),
    [
        ("missing", None, "floor:0.01"),
        ("missing", "floor:0.01", "spread"),
        ("spellings", None, {"ham": ["ham", "x"], "spam": ["spam"]}),
        ("spellings", {"ham": ["ham", "x"], "spam": ["spam"]}, {"ham": ["ham"], "spam": ["spam"]}),
        ("answer_at", None, "kind"),
    ],
)
def test_replies_that_were_read_otherwise_are_refused(option, stored, other):
    def replies(value, lines=CHATS):
        options = {} if value is None else {option: value}
        return read(lines, "openai", classes=["ham", "spam"], **options)

    fitted = replies(stored)
    model = ClassWeightPlugin(method="ascent").fit(fitted, fitted.labels).model_
    expected = model.apply(fitted)
    np.testing.assert_array_equal(model.apply(replies(stored)), expected)
    if option == "spellings" and stored is not None:  # in another order
        np.testing.assert_array_equal(model.apply(replies({"spam": ["spam"], "ham": ["x", "ham"]})), expected)
    others = replies(other, answers() if option == "answer_at" else CHATS)
    shown = repr(stored or {"missing": "spread", "spellings": {}, "answer_at": None}[option])
    text = (
        f"the replies were read with {option}={other!r}, but the model was fitted with {option}={shown}\n"
        f"  hint: read them with {option}={shown}, or fit a model on replies with {option}={other!r}"
    )
    for call in (model.apply, model.scores, lambda X: evaluate(X, ["ham"] * len(X), model)):
        with pytest.raises(InputError) as raised:
            call(others)
        assert str(raised.value) == text


def test_where_a_reply_is_does_not_matter():
    plain = read(CHATS, "openai", classes=["ham", "spam"])
    model = ClassWeightPlugin(method="ascent").fit(plain, plain.labels).model_
    wrapped = [{"response": reply, "label": reply["label"]} for reply in CHATS]
    found = read(wrapped, "openai", classes=["ham", "spam"], reply="response")
    np.testing.assert_array_equal(model.apply(found), model.apply(plain))
    np.testing.assert_array_equal(model.apply(plain.probabilities), model.apply(plain))


def test_probabilities_that_are_read_as_logits_are_warned_about():
    warning = (
        "^every row sums to 1 like probabilities, but they are read as logits\n"
        '  hint: leave out scores="logits", here or in the fit, if that is what they are$'
    )
    with pytest.warns(FitWarning, match=warning):
        ClassWeightPlugin(method="ascent", scores="logits").fit(P, y)
    ClassWeightPlugin(method="ascent", scores="logits").fit(np.log(P), y)


@pytest.mark.parametrize(("what", "position"), [("probabilities", "X"), ("labels", "y"), ("sample_weight", "weights")])
def test_masked_values_are_refused_wherever_they_are(what, position):
    given = {"X": P, "y": y, "weights": np.ones(len(y))}
    given[position] = np.ma.masked_array(given[position], mask=np.zeros(given[position].shape, dtype=bool))
    ClassWeightPlugin(method="ascent").fit(given["X"], given["y"], sample_weight=given["weights"])  # nothing is masked
    given[position].mask[3] = True
    count = "3 values are" if position == "X" else "1 value is"
    message = rf"^{what}: {count} masked, and cwplugin does not read masks\n  hint: drop these rows, or fill"
    with pytest.raises(InputError, match=message):
        ClassWeightPlugin(method="ascent").fit(given["X"], given["y"], sample_weight=given["weights"])


def test_copies_of_rows_count_once_with_a_warning():
    once = ClassWeightPlugin(random_state=0).fit(P, y)
    with pytest.warns(FitWarning, match="^900 of 1200 labelled rows repeat another row, with its label"):
        often = ClassWeightPlugin(random_state=0).fit(np.repeat(P, 4, axis=0), np.repeat(y, 4))
    assert often.report_.forecast == once.report_.forecast
    np.testing.assert_allclose(often.weights_, once.weights_)


def test_labels_that_are_predictions_and_a_weight_above_all_others_are_warned_about():
    with pytest.warns(FitWarning, match="^every label is the class with the largest probability"):
        ClassWeightPlugin(method="ascent").fit(P, np.array(["a", "b", "c"])[P.argmax(axis=1)])
    weights = np.ones(len(y))
    weights[17] = 1e99
    with pytest.warns(FitWarning, match=r"^the row weights leave an effective number of 1\.0 of 300 rows"):
        ClassWeightPlugin(method="ascent").fit(P, y, sample_weight=weights)
