"""Plots: their numbers, and the conventions of scikit-learn's displays."""

from __future__ import annotations

import sys
from itertools import pairwise

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import confusion_matrix, f1_score

import cwplugin
from cwplugin import ClassWeightPlugin, InputError, PluginClassifierCV
from cwplugin.plot import (
    AlphaCurveDisplay,
    ConfusionChangeDisplay,
    LearningCurveDisplay,
    WeightsDisplay,
)

METHODS = ["cwplugin", "auto", "ascent", "bagged", "temperature"]
NAMES = np.array(["negative", "neutral", "positive"])


def sample(m=3, n=90, seed=0):
    """Probabilities of a black box that leans to the first classes, and labels from 0."""
    rng = np.random.default_rng(seed)
    y = rng.integers(m, size=n)
    y[:m] = np.arange(m)
    logits = rng.normal(size=(n, m)) + 1.5 * np.eye(m)[y] + np.linspace(0.8, -0.8, m)
    P = np.exp(logits)
    return P / P.sum(axis=1, keepdims=True), y


@pytest.fixture(scope="module")
def fitted():
    P, y = sample()
    settings = {"auto": {"learning_curve": True}}
    return {method: ClassWeightPlugin(method=method, **settings.get(method, {})).fit(P, y) for method in METHODS}


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def draw(kind, estimator, ax=None):
    """Any of the displays of rows that were not fitted."""
    P, y = sample(seed=1)
    settings = {"n_bootstrap": 2} if kind is WeightsDisplay else {}
    return kind.from_estimator(estimator, P, y, ax=ax, **settings)


DISPLAYS = [ConfusionChangeDisplay, AlphaCurveDisplay, WeightsDisplay, LearningCurveDisplay]


# Conventions


def test_the_module_is_found_without_being_imported():
    assert cwplugin.plot.WeightsDisplay is WeightsDisplay


@pytest.mark.parametrize("kind", DISPLAYS)
def test_a_display_is_returned_and_can_be_drawn_again(kind, fitted):
    display = draw(kind, fitted["cwplugin"])
    first = display.figure_
    assert isinstance(display, kind)
    assert display.plot() is display
    assert display.figure_ is not first
    display.figure_.canvas.draw()


@pytest.mark.parametrize("kind", DISPLAYS)
def test_a_given_axes_is_used(kind, fitted):
    figure, axes = plt.subplots(1, 2, figsize=(12, 5))
    display = draw(kind, fitted["cwplugin"], ax=axes[1])
    assert display.figure_ is figure
    assert plt.get_fignums() == [figure.number]
    if kind is WeightsDisplay:
        assert display.ax_ is axes[1]
    else:
        figure.canvas.draw()
        middle = figure.bbox.width / 2
        assert all(panel.get_window_extent().x0 > middle for panel in display.axes_)


@pytest.mark.parametrize(
    ("kind", "count"), [(ConfusionChangeDisplay, 3), (AlphaCurveDisplay, 2), (LearningCurveDisplay, 2)]
)
def test_one_axes_per_panel_is_used(kind, count, fitted):
    figure, axes = plt.subplots(1, count)
    display = draw(kind, fitted["cwplugin"], ax=axes)
    assert display.figure_ is figure
    assert list(display.axes_) == list(axes)
    with pytest.raises(InputError, match="one Axes per panel"):
        display.plot(ax=plt.subplots(1, 5)[1])


def test_an_axes_without_a_place_in_a_grid_is_refused(fitted):
    with pytest.raises(InputError, match="not part of a grid"):
        draw(AlphaCurveDisplay, fitted["cwplugin"], ax=plt.figure().add_axes((0, 0, 1, 1)))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", DISPLAYS)
def test_every_method_is_drawn(kind, method, fitted):
    draw(kind, fitted[method]).figure_.canvas.draw()


@pytest.mark.parametrize("kind", DISPLAYS)
def test_without_matplotlib_the_error_has_the_cure(kind, fitted, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r'pip install "cwplugin\[plot\]"'):
        draw(kind, fitted["cwplugin"])


@pytest.mark.parametrize("kind", DISPLAYS)
def test_other_estimators_are_refused(kind):
    P, y = sample()
    with pytest.raises(TypeError, match="got LogisticRegression"):
        kind.from_estimator(LogisticRegression().fit(P, y), P, y)


@pytest.mark.parametrize("kind", DISPLAYS)
@pytest.mark.parametrize(
    "labels", [NAMES[:2], np.array([7, -3]), np.array([True, False]), np.array(["$a_b$", "x\ny" * 30])]
)
def test_labels_of_any_kind(kind, labels):
    P, y = sample(m=2, n=60)
    truth = labels[y]
    plugin = ClassWeightPlugin(method="cwplugin", classes=labels).fit(P, truth)
    display = kind.from_estimator(plugin, P, truth, **({"n_bootstrap": 2} if kind is WeightsDisplay else {}))
    display.figure_.canvas.draw()


@pytest.mark.parametrize("kind", DISPLAYS)
def test_a_classifier_is_drawn_of_its_probabilities(kind):
    rng = np.random.default_rng(0)
    y = NAMES[rng.integers(3, size=150)]
    X = rng.normal(size=(150, 4)) + np.searchsorted(NAMES, y)[:, None]
    model = PluginClassifierCV(LogisticRegression(), method="cwplugin", cv=3).fit(X, y)
    settings = {"n_bootstrap": 3} if kind is WeightsDisplay else {}
    display = kind.from_estimator(model, X, y, **settings)
    if kind is ConfusionChangeDisplay:
        np.testing.assert_array_equal(display.before, confusion_matrix(y, model.estimator_.predict(X)))
        np.testing.assert_array_equal(display.after, confusion_matrix(y, model.predict(X)))


def test_tables_are_drawn_too(fitted):
    polars = pytest.importorskip("polars")
    P, y = sample(seed=1)
    frame = polars.DataFrame(P, schema=["0", "1", "2"])
    plugin = ClassWeightPlugin(method="cwplugin").fit(frame, y)
    display = ConfusionChangeDisplay.from_estimator(plugin, frame, y)
    np.testing.assert_array_equal(display.before, confusion_matrix(y, P.argmax(axis=1)))


@pytest.mark.parametrize("kind", DISPLAYS)
def test_features_are_passed_on(kind):
    P, y = sample(n=60)
    features = np.random.default_rng(0).normal(size=(60, 2))
    plugin = ClassWeightPlugin(method="logistic").fit(P, y, features=features)
    settings = {"n_bootstrap": 2} if kind is WeightsDisplay else {}
    if kind is not AlphaCurveDisplay:
        settings["features"] = features
    kind.from_estimator(plugin, P, y, **settings)


# Confusion


@pytest.mark.parametrize("weighted", [False, True])
def test_confusion_is_that_of_scikit_learn(weighted, fitted):
    P, y = sample(seed=1)
    weights = np.linspace(0.5, 2.0, len(y)) if weighted else None
    plugin = fitted["cwplugin"]
    display = ConfusionChangeDisplay.from_estimator(plugin, P, y, sample_weight=weights)
    before, after = P.argmax(axis=1), plugin.predict(P)
    np.testing.assert_allclose(display.before, confusion_matrix(y, before, sample_weight=weights))
    np.testing.assert_allclose(display.after, confusion_matrix(y, after, sample_weight=weights))
    np.testing.assert_allclose(display.difference, display.after - display.before)
    scores = [f1_score(y, predicted, average="macro", sample_weight=weights) for predicted in (before, after)]
    np.testing.assert_allclose(display.scores, scores)
    assert display.n_changed == np.count_nonzero(before != after)
    again = ConfusionChangeDisplay.from_predictions(y, before, after, sample_weight=weights)
    np.testing.assert_array_equal(again.after, display.after)
    assert again.scores == display.scores


def test_confusion_title_and_numbers(fitted):
    display = ConfusionChangeDisplay.from_predictions(["a", "b", "b", None], ["a", "a", "b", "a"], ["a", "b", "b", "b"])
    assert display.figure_.get_suptitle() == "macro-f1: 0.667 → 1.000 on 3 rows, 1 prediction changed"
    assert [word.get_text() for word in display.text_[2].ravel()] == ["0", "0", "−1\n−50%", "+1\n+50%"]
    assert [panel.get_title() for panel in display.axes_] == ["before", "after", "difference"]
    assert display.im_[0].get_clim() == display.im_[1].get_clim() == (0.0, 1.0)
    assert len(display.plot(difference=False).axes_) == 2
    assert display.plot(include_values=False).text_ == [None] * 3


def test_confusion_hides_numbers_that_would_not_fit():
    P, y = sample(m=50, n=200)
    display = ConfusionChangeDisplay.from_predictions(y, P.argmax(axis=1), y)
    assert display.text_ == [None] * 3
    assert display.before.shape == (50, 50)


def test_confusion_of_a_class_without_rows():
    display = ConfusionChangeDisplay.from_predictions([0, 0, 2], [0, 1, 2], [0, 0, 2], labels=[0, 1, 2, 3])
    np.testing.assert_array_equal(display.before, confusion_matrix([0, 0, 2], [0, 1, 2], labels=[0, 1, 2, 3]))
    assert np.isfinite(display.im_[0].get_array()).all()


def test_confusion_refuses_lists_that_do_not_match():
    with pytest.raises(InputError, match="before: 1 predictions for 2 rows"):
        ConfusionChangeDisplay.from_predictions([0, 1], [0], [0, 1])
    with pytest.raises(InputError, match="after: a prediction is missing"):
        ConfusionChangeDisplay.from_predictions([0, 1], [0, 1], [0, None])
    with pytest.raises(InputError, match="unknown class"):
        ConfusionChangeDisplay.from_predictions([0, 1], [0, 1], [0, 2], labels=[0, 1])


# Alpha


def by_definition(P, y, k, reference, alpha):
    rows = (y == k) | (y == reference)
    takes_class = alpha * P[rows, k] > (1 - alpha) * P[rows, reference]
    return f1_score(y[rows], np.where(takes_class, k, reference), average="macro")


@pytest.mark.parametrize("reference", ["largest", "last", 1])
def test_alpha_curves_are_the_metric_of_the_pair(reference):
    P, y = sample()
    display = AlphaCurveDisplay.from_predictions(y, P, reference=reference)
    fixed = {"largest": np.bincount(y).argmax(), "last": 2, 1: 1}[reference]
    assert display.reference == fixed
    assert [curve.label for curve in display.curves] == [k for k in range(3) if k != fixed]
    for curve, line, panel in zip(display.curves, display.lines_, display.axes_, strict=True):
        edges = np.concatenate([[0.0], curve.cuts, [1.0]])
        middles = [(low + high) / 2 for low, high in pairwise(edges) if high - low > 1e-9]
        for alpha in [*middles[::7], 0.31, 0.5, 0.77]:
            assert curve.score(alpha) == pytest.approx(by_definition(P, y, curve.label, fixed, alpha))
        assert curve.best_score == pytest.approx(curve.scores.max())
        assert curve.plateau[0] <= curve.best <= curve.plateau[1]
        assert curve.score(curve.best) == pytest.approx(curve.best_score)
        assert curve.chosen == curve.best
        np.testing.assert_array_equal(line.get_data().values, curve.scores)
        assert panel.get_title().startswith(f"{curve.label}: α = ")


def test_alpha_of_an_estimator_is_what_it_chose(fitted):
    P, y = sample()
    display = AlphaCurveDisplay.from_estimator(fitted["cwplugin"], P, y)
    chosen = {int(pair.class_): pair for pair in fitted["cwplugin"].report_.pairs}
    for curve in display.curves:
        pair = chosen[curve.label]
        assert curve.chosen == pytest.approx(pair.alpha)
        assert (curve.best, curve.best_score, curve.plateau) == (pair.alpha, pair.score, pair.plateau)
    assert display.note is None


def test_alpha_of_other_methods_says_what_is_compared(fitted):
    P, y = sample()
    display = AlphaCurveDisplay.from_estimator(fitted["ascent"], P, y)
    assert "method ascent has no reference: the largest class is used" in " ".join(
        display.figure_.get_suptitle().split()
    )
    weights = fitted["ascent"].weights_
    for curve in display.curves:
        assert curve.chosen == pytest.approx(weights[curve.label] / (weights[curve.label] + weights[display.reference]))
    calibrated = AlphaCurveDisplay.from_estimator(fitted["temperature"], P, y)
    assert calibrated.marks_ == [None, None]
    assert "the rule is calibrated" in calibrated.note


def test_alpha_with_the_best_reference_is_that_of_the_fit():
    P, y = sample()
    plugin = ClassWeightPlugin(method="cwplugin", reference="best").fit(P, y)
    display = AlphaCurveDisplay.from_predictions(y, P, reference="best")
    assert str(display.reference) == plugin.report_.reference


def test_alpha_on_a_logit_scale(fitted):
    P, y = sample()
    sure = P**9 / (P**9).sum(axis=1, keepdims=True)
    display = AlphaCurveDisplay.from_predictions(y, sure, scale="logit")
    display.figure_.canvas.draw()
    low, high = display.axes_[0].get_xlim()
    for curve in display.curves:
        assert (low < curve.cuts[curve.cuts > 1e-9]).all()
        assert (high > curve.cuts[curve.cuts < 1 - 1e-9]).all()
    with pytest.raises(InputError, match="scale must be"):
        display.plot(scale="log")


def test_alpha_leaves_out_classes_without_rows():
    P, y = sample(m=4)
    y[y == 2] = 1
    display = AlphaCurveDisplay.from_predictions(y, P, reference=0, classes=[0, 1, 2, 3])
    assert [curve.label for curve in display.curves] == [1, 3]
    assert display.note == "1 class without labelled rows left out"
    assert len(display.plot(labels=[3]).axes_) == 1
    with pytest.raises(InputError, match='no curve of "2"'):
        display.plot(labels=[2])
    with pytest.raises(InputError, match="no pair to plot"):
        AlphaCurveDisplay.from_predictions([0] * 20, P[:20], classes=[0, 1, 2, 3])


# Weights


def test_weights_are_relative_to_equal_ones(fitted):
    P, y = sample()
    display = WeightsDisplay.from_estimator(fitted["cwplugin"], P, y, n_bootstrap=30)
    np.testing.assert_allclose(display.weights, fitted["cwplugin"].weights_ * 3)
    assert display.resamples.shape == (30, 3)
    np.testing.assert_allclose(display.resamples.sum(axis=1), 3.0)
    np.testing.assert_allclose(display.low, np.quantile(display.resamples, 0.025, axis=0))
    np.testing.assert_allclose(display.high, np.quantile(display.resamples, 0.975, axis=0))
    np.testing.assert_array_equal(display.support, np.bincount(y))
    np.testing.assert_allclose(display.points_.get_offsets()[:, 0], display.weights)


@pytest.mark.parametrize("method", ["cwplugin", "ascent", "bagged"])
def test_equal_seeds_give_equal_bootstraps(method):
    P, y = sample()

    def resamples(seed):
        return WeightsDisplay.from_predictions(y, P, method=method, n_bootstrap=4, random_state=seed).resamples

    np.testing.assert_array_equal(resamples(3), resamples(3))
    assert not np.array_equal(resamples(3), resamples(4))


def test_the_seed_of_the_estimator_is_the_default():
    P, y = sample()
    plugin = ClassWeightPlugin(method="cwplugin", random_state=5).fit(P, y)
    own = WeightsDisplay.from_estimator(plugin, P, y, n_bootstrap=4).resamples
    np.testing.assert_array_equal(
        own, WeightsDisplay.from_estimator(plugin, P, y, n_bootstrap=4, random_state=5).resamples
    )
    assert not np.array_equal(own, WeightsDisplay.from_estimator(plugin, P, y, n_bootstrap=4, random_state=6).resamples)
    assert plugin.random_state == 5


def test_weights_of_zero_are_drawn_at_the_border():
    P, y = sample(m=4)
    y[y == 2] = 1
    plugin = ClassWeightPlugin(method="cwplugin", absent="drop", classes=[0, 1, 2, 3]).fit(P, y)
    display = WeightsDisplay.from_estimator(plugin, P, y, n_bootstrap=5)
    assert display.weights[2] == 0
    assert len(display.points_.get_offsets()) == 3
    assert display.ax_.get_yticklabels()[2].get_text() == "2 (no rows)"
    assert display.ax_.get_xlim()[0] > 0
    display.figure_.canvas.draw()


def test_weights_can_be_sorted_and_need_no_refits(fitted):
    P, y = sample()
    display = WeightsDisplay.from_estimator(fitted["cwplugin"], P, y, n_bootstrap=0, sort=True)
    np.testing.assert_array_equal(display.low, display.weights)
    names = [label.get_text() for label in display.ax_.get_yticklabels()]
    assert names == [str(k) for k in np.argsort(-display.weights)]


# Learning curve


def test_learning_curve_is_that_of_the_report(fitted):
    report = fitted["auto"].report_
    display = LearningCurveDisplay.from_estimator(fitted["auto"])
    np.testing.assert_array_equal(display.train_sizes, [point.rows for point in report.learning_curve.points])
    for name in ("clean", "fitted", "gain", "gain_sd"):
        np.testing.assert_array_equal(
            getattr(display, name), [getattr(point, name) for point in report.learning_curve.points]
        )
    curve = report.learning_curve
    assert (display.limit, display.slope) == (curve.limit, curve.slope)
    rows, gain = display.lines_[3].get_data()
    np.testing.assert_allclose(gain, curve.limit - curve.slope / rows)
    assert rows[-1] > report.rows


def test_learning_curve_is_made_if_there_is_none(fitted):
    P, y = sample()
    plugin = fitted["cwplugin"]
    with pytest.raises(InputError, match="pass X and y too"):
        LearningCurveDisplay.from_estimator(plugin)
    display = LearningCurveDisplay.from_estimator(plugin, P, y)
    assert plugin.report_.learning_curve is None
    direct = ClassWeightPlugin(method="cwplugin", learning_curve=True).fit(P, y).report_.learning_curve
    np.testing.assert_array_equal(display.gain, [point.gain for point in direct.points])
    again = LearningCurveDisplay.from_predictions(y, P, method="cwplugin")
    np.testing.assert_array_equal(display.gain, again.gain)


def test_learning_curve_of_few_rows_is_refused():
    P, y = sample(n=12)
    with pytest.raises(InputError, match="12 labelled rows are too few"):
        LearningCurveDisplay.from_predictions(y, P, method="cwplugin")
