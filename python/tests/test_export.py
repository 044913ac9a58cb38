"""Exports run in real engines, and predict what the model predicts."""

from __future__ import annotations

import duckdb
import numpy as np
import onnx
import onnxruntime
import pandas as pd
import pytest
from onnx import TensorProto, helper
from program import run
from support import black_box

from cwplugin import ClassWeightPlugin, InputError, Model, method_names

NAMES = ["it's", "b", 'c"d']
P, y = black_box(160, 3, seed=5, labels=NAMES)
NEW, _ = black_box(2_000, 3, seed=6)
X = np.random.default_rng(0).normal(size=(len(P), 2))
NEW_X = np.random.default_rng(1).normal(size=(len(NEW), 2))


@pytest.fixture(scope="module", params=[name for name in method_names() if name != "logistic"])
def plugin(request):
    return ClassWeightPlugin(method=request.param, classes=NAMES).fit(P, y)


def session(content: bytes) -> onnxruntime.InferenceSession:
    onnx.checker.check_model(onnx.load_from_string(content), full_check=True)
    return onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])


def differ(model: Model, found, features=None) -> int:
    """How many rows differ, but for those on which two classes are as good as each other."""
    expected, scores = model.apply(NEW, features=features), np.sort(model.scores(NEW, features=features), axis=1)
    is_close = scores[:, -1] - scores[:, -2] < 1e-12 * scores[:, -1]
    is_exact = model.calibration is None
    return int(((np.asarray(found) != expected) & ~(is_close & ~is_exact)).sum())


def test_onnx_predicts_the_same(plugin):
    model = plugin.model_
    label, scores = session(model.to_onnx()).run(None, {"probabilities": NEW})
    assert differ(model, label) == 0
    assert np.allclose(scores, model.scores(NEW), atol=1e-12)
    label, _ = session(model.to_onnx(element="float")).run(None, {"probabilities": NEW.astype(np.float32)})
    expected = model.apply(NEW.astype(np.float32))
    assert (label == expected).mean() > 0.999
    label, _ = session(model.to_onnx(scores="logits")).run(None, {"logits": np.log(NEW)})
    assert (label == model.apply(NEW)).mean() > 0.999


def test_sql_predicts_the_same(plugin):
    model = plugin.model_
    rows = pd.DataFrame(NEW, columns=[f"p_{name}" for name in NAMES])  # noqa: F841
    found = duckdb.sql(f"SELECT {model.to_sql('duckdb')} FROM rows").fetchnumpy()
    assert differ(model, next(iter(found.values()))) == 0
    other = pd.DataFrame(NEW, columns=["x", "y", "z"])  # noqa: F841
    expression = model.to_sql("duckdb", columns=["x", "y", "z"])
    assert differ(model, next(iter(duckdb.sql(f"SELECT {expression} FROM other").fetchnumpy().values()))) == 0


def test_python_predicts_the_same(plugin):
    module: dict = {}
    exec(plugin.model_.to_python(), module)
    assert module["CLASSES"] == NAMES or list(module["CLASSES"]) == NAMES
    assert differ(plugin.model_, module["predict_all"](NEW.tolist())) == 0


def test_a_model_of_features_is_exported_too():
    features, new = pd.DataFrame(X, columns=["age", "size"]), pd.DataFrame(NEW_X, columns=["age", "size"])
    model = ClassWeightPlugin(method="logistic", classes=NAMES).fit(P, y, features=features).model_
    label, _ = session(model.to_onnx()).run(None, {"features": NEW_X})
    assert differ(model, label, features=NEW_X) == 0
    found = duckdb.sql(f"SELECT {model.to_sql('duckdb')} FROM new").fetchnumpy()
    assert differ(model, next(iter(found.values())), features=NEW_X) == 0
    assert len(new) == len(NEW)


def softmax_classifier() -> bytes:
    """A black box in ONNX: features in, probabilities out."""
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["z"]), helper.make_node("Softmax", ["z"], ["probabilities"], axis=1)],
        "box",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 4])],
        [helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, ["n", 3])],
        [helper.make_tensor("w", TensorProto.FLOAT, [4, 3], np.random.default_rng(0).normal(size=12))],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return model.SerializeToString()


def test_a_model_is_put_behind_a_classifier(plugin, tmp_path):
    box = softmax_classifier()
    (tmp_path / "box.onnx").write_bytes(box)
    x = np.random.default_rng(2).normal(size=(500, 4)).astype(np.float32)
    for given in (box, tmp_path / "box.onnx", str(tmp_path / "box.onnx")):
        both = session(plugin.model_.append_to(given))
        probabilities, label, scores = both.run(None, {"x": x})
        assert [output.name for output in both.get_outputs()] == ["probabilities", "cwplugin_label", "cwplugin_scores"]
        assert (label == plugin.predict(probabilities)).mean() > 0.995
        assert np.allclose(scores, plugin.predict_proba(probabilities), atol=1e-9)


def test_wrong_exports_raise_an_error_with_a_hint(tmp_path):
    model = Model(NAMES, [1, 2, 3])
    for call, match in [
        (lambda: model.append_to(b"nothing"), "hint"),
        (lambda: model.append_to(b""), "hint"),
        (lambda: model.append_to(tmp_path), "folder"),
        (lambda: model.append_to(softmax_classifier(), output="z2"), "probabilities"),
        (lambda: Model(["a", "b"], [1, 2]).append_to(softmax_classifier()), "hint"),
        (lambda: model.to_sql("sybase"), "duckdb"),
        (lambda: model.to_sql("duckdb", columns=["a"]), "column names"),
        (lambda: model.to_onnx(element="half"), "double"),
        (lambda: model.to_onnx(scores="odds"), "logits"),
    ]:
        with pytest.raises(InputError, match=match):
            call()


def test_exports_are_those_of_the_program(tmp_path):
    model = ClassWeightPlugin(method="cwplugin", classes=NAMES).fit(P, y).model_
    model.save(tmp_path / "model.json")
    assert run("export", "model.json", "--to", "python", cwd=tmp_path) == model.to_python()
    assert run("export", "model.json", "--to", "rust", cwd=tmp_path) == model.to_rust()
    assert run("export", "model.json", "--to", "sql", "--dialect", "spark", cwd=tmp_path) == model.to_sql("spark")
    run("export", "model.json", "--to", "onnx", "-o", "model.onnx", cwd=tmp_path)
    assert (tmp_path / "model.onnx").read_bytes() == model.to_onnx()
