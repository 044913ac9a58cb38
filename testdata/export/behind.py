"""Models behind classifiers that skl2onnx has converted."""

import json
import warnings
from dataclasses import dataclass, field

import numpy as np
import onnx
import onnxruntime
from program import Program, Rows
from skl2onnx import to_onnx
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

# Older ones are refused; the newest that skl2onnx writes comes last.
OPSETS = [11, 12, 13, 17, 18, 21]
LABELS = {"text": ["setosa", "versicolor", "virginica"], "integer": [3, 10, 7]}
CLASSIFIERS = {
    "logistic regression": LogisticRegression(C=0.02),
    "random forest": RandomForestClassifier(12, max_depth=2, random_state=0),
    "pipeline": make_pipeline(StandardScaler(), LogisticRegression(C=0.02)),
    "calibrated": CalibratedClassifierCV(RandomForestClassifier(5, max_depth=2, random_state=0), cv=2),
    "naive bayes": GaussianNB(var_smoothing=1.0),
    "network": MLPClassifier([5], max_iter=60, random_state=0),
}


@dataclass
class Seen:
    """What was checked."""

    files: int = 0
    rows: int = 0
    other: int = 0
    unknown_orders: list[str] = field(default_factory=list)


def outputs(file: bytes, x: np.ndarray) -> dict[str, object]:
    """Every output of a file that pleases the checker."""
    onnx.checker.check_model(file, full_check=True)
    session = onnxruntime.InferenceSession(file, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(names, {session.get_inputs()[0].name: x}), strict=True))


def same(one: object, other: object) -> bool:
    """Whether two outputs are the same to the last bit."""
    return bool(np.array_equal(one, other)) if isinstance(one, np.ndarray) else one == other


def columns(found: dict[str, object], classes: list[str]) -> np.ndarray:
    """The probabilities of a classifier, be they a matrix or one map per row."""
    value = next(value for name, value in found.items() if "probab" in name)
    if isinstance(value, np.ndarray):
        return value
    return np.array([[row[key] for key in row] for row in value], dtype=np.float32).reshape(len(value), len(classes))


def append(program: Program, classifier: bytes, *flags: str) -> tuple[bytes, dict]:
    """The classifier with `model.json` behind it, and what the program says of it."""
    (program.folder / "classifier.onnx").write_bytes(classifier)
    told = program.ok(
        *("export", "model.json", "--append-to", "classifier.onnx", "-o", "whole.onnx", "--json", "--quiet"), *flags
    )
    file = (program.folder / "whole.onnx").read_bytes()
    assert file.startswith(classifier), "the classifier is not what it was"
    return file, json.loads(told)


def check_file(program: Program, what: str, file: bytes, x: np.ndarray, rows: Rows, method: str, seen: Seen) -> None:
    """One classifier with one model behind it: its own outputs stay, and the new one is what the program predicts."""
    model = program.fit(rows, "--method", method)
    expected, scores = program.apply(rows)
    whole, told = append(program, file)
    before, after = outputs(file, x), outputs(whole, x)
    assert all(same(before[name], after[name]) for name in before), what
    labels = after["cwplugin_label"]
    assert (labels.dtype == np.int64) == all(name.isdigit() for name in model["classes"]), f"{what}: {labels.dtype}"
    differ = np.flatnonzero(labels.astype(str) != expected)
    best = np.sort(scores, axis=1)[:, -2:]
    is_exact = model["calibration"] is None
    assert all(not is_exact and best[row, 1] - best[row, 0] <= 1e-12 for row in differ), f"{what}: {differ}"
    assert np.allclose(after["cwplugin_scores"], scores, rtol=1e-9, atol=1e-12), what
    seen.files, seen.rows, seen.other = seen.files + 1, seen.rows + len(labels), seen.other + len(differ)
    if not told["is_order_known"] and what.split(",")[0] not in seen.unknown_orders:
        seen.unknown_orders.append(what.split(",")[0])


def check_behind(program: Program, is_quick: bool) -> None:
    """All classifiers, or two of them in one operator set if it has to be quick, with and without maps of probabilities, with texts and integers, in every operator set."""
    seen = Seen()
    x, y = load_iris(return_X_y=True)
    x = x.astype(np.float32)
    few, rest, few_y, rest_y = train_test_split(x, y, train_size=30, random_state=1, stratify=y)
    for kind, names in LABELS.items():
        for title, classifier in list(CLASSIFIERS.items())[: 2 if is_quick else None]:
            with warnings.catch_warnings(action="ignore"):
                classifier.fit(few, np.array(names)[few_y])
            classes = [str(name) for name in classifier.classes_]
            labels = [str(names[k]) for k in rest_y]
            for zipmap in (True, False):
                opsets = OPSETS if title == "random forest" else OPSETS[-2:]
                for opset in opsets[-1:] if is_quick else opsets:
                    options = {id(classifier): {"zipmap": zipmap}}
                    file = to_onnx(classifier, few[:1], options=options, target_opset={"": opset, "ai.onnx.ml": 2})
                    file = file.SerializeToString()
                    p = columns(outputs(file, rest), classes)
                    order = [*range(1, len(classes)), 0]
                    what = f"{title}, {kind}, {'maps' if zipmap else 'matrix'}, operator set {opset}"
                    rows = Rows(classes, p, labels)
                    turned = Rows([classes[k] for k in order], p[:, order], labels)
                    check_file(program, what, file, rest, rows, "cwplugin", seen)
                    check_file(program, what, file, rest, rows, "dirichlet-full", seen)
                    check_file(program, what, file, rest, rows, "probing", seen)
                    if title not in ("network", "naive bayes"):
                        check_file(program, what + ", turned", file, rest, turned, "cwplugin", seen)
    check_logits(program, few, few_y, rest, rest_y)
    check_refusals(program, few, few_y, rest, rest_y)
    check_odd_files(program, rest[:, :2])
    print(f"behind {seen.files} files: {seen.rows} rows, {seen.other} other")
    print(f"which do not tell their classes: {', '.join(seen.unknown_orders) or 'none'}")


def check_logits(program: Program, few: np.ndarray, y: np.ndarray, rest: np.ndarray, rest_y: np.ndarray) -> None:
    """A classifier that gives logits."""
    classifier = LogisticRegression(C=0.02).fit(few, y)
    options = {id(classifier): {"zipmap": False, "raw_scores": True}}
    file = to_onnx(classifier, few[:1], options=options, target_opset=17).SerializeToString()
    logits = columns(outputs(file, rest), ["0", "1", "2"])
    rows = Rows(["0", "1", "2"], logits.astype(float), [str(k) for k in rest_y])
    program.fit(rows, "--scores", "logits", "--method", "cwplugin")
    expected, scores = program.apply(rows, "--scores", "logits")
    after = outputs(append(program, file, "--scores", "logits")[0], rest)
    assert np.allclose(after["cwplugin_scores"], scores, rtol=1e-9, atol=1e-12)
    assert (after["cwplugin_label"].astype(str) == expected).all()


def check_odd_files(program: Program, x: np.ndarray) -> None:
    """Files without the default operator set, and of the oldest format; their classes are in another order."""
    node = onnx.helper.make_node(
        *("LinearClassifier", ["x"], ["label", "p"]),
        domain="ai.onnx.ml",
        coefficients=[1.0, 0.0, 0.0, 1.0, -1.0, 1.0],
        intercepts=[0.0, 0.0, 0.0],
        classlabels_ints=[2, 0, 1],
        post_transform="SOFTMAX",
    )
    value = onnx.helper.make_tensor_value_info
    outputs_of = [value("label", onnx.TensorProto.INT64, [None]), value("p", onnx.TensorProto.FLOAT, [None, 3])]
    graph = onnx.helper.make_graph([node], "odd", [value("x", onnx.TensorProto.FLOAT, [None, 2])], outputs_of)
    for version, opsets in [(7, [("ai.onnx.ml", 1)]), (3, [("", 11), ("ai.onnx.ml", 1)])]:
        file = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid(*opset) for opset in opsets])
        file.ir_version = version
        p = outputs(file.SerializeToString(), x)["p"]
        program.fit(Rows(["2", "0", "1"], p, [str(k % 3) for k in range(len(p))]), "--classes", "0,1,2")
        whole, told = append(program, file.SerializeToString())
        assert told["is_order_known"], told
        expected, _ = program.apply(Rows(["2", "0", "1"], p))
        assert (outputs(whole, x)["cwplugin_label"].astype(str) == expected).all(), version


def check_refusals(program: Program, few: np.ndarray, y: np.ndarray, rest: np.ndarray, rest_y: np.ndarray) -> None:
    """What cannot be is said, with a cure; a second model goes behind the first."""
    classifier = LogisticRegression(C=0.02).fit(few, y)
    files = {
        opset: to_onnx(classifier, few[:1], options={"zipmap": False}, target_opset=opset).SerializeToString()
        for opset in (10, 17)
    }
    p = columns(outputs(files[17], rest), ["0", "1", "2"])
    export = ["export", "model.json", "--append-to", "classifier.onnx", "-o", "whole.onnx"]
    labels = [str(k) for k in rest_y]
    program.fit(Rows(["a", "b", "c"], p, ["abc"[k] for k in rest_y]), "--method", "cwplugin")
    (program.folder / "classifier.onnx").write_bytes(files[17])
    assert "the classes of the ONNX model are" in program.refuses(*export)
    program.ok(*export, "--by-position")
    program.fit(Rows(["0", "1", "2"], p, labels), "--method", "cwplugin")
    assert "no tensor" in program.refuses(*export, "--output-name", "probability")
    assert "does not have" in program.refuses(*export, "--output-name", "label")
    twice, told = append(program, append(program, files[17])[0], "--output-name", "probabilities")
    assert told["outputs"] == ["cwplugin2_label", "cwplugin2_scores"], told
    after = outputs(twice, rest)
    assert same(after["cwplugin_label"], after["cwplugin2_label"])
    (program.folder / "classifier.onnx").write_bytes(files[10])
    assert "operator set 10" in program.refuses(*export)
    for cut in (0, 1, 100, len(files[17]) // 2, len(files[17]) - 20):
        (program.folder / "classifier.onnx").write_bytes(files[17][:cut])
        assert "not an ONNX model" in program.refuses(*export)
