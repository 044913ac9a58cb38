"""scikit-learn's estimator checks, and its meta-estimators."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import cohen_kappa_score, f1_score, fbeta_score, get_scorer, make_scorer
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import estimator_checks_generator, parametrize_with_checks
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data
from support import black_box

from cwplugin import ClassWeightPlugin, InputError, PluginClassifierCV, evaluate
from cwplugin._metrics import ScorerOfCounts

NOT_PROBABILITIES = "the check feeds X whose rows do not sum to 1, or that has another number of columns than classes"

#: Checks that no estimator of probabilities can pass; `FromAnything` passes them with X made into probabilities.
EXPECTED_FAILURES = dict.fromkeys(
    [
        "check_classifier_data_not_an_array",
        "check_classifiers_classes",
        "check_classifiers_train",
        "check_dict_unchanged",
        "check_dont_overwrite_parameters",
        "check_dtype_object",
        "check_estimators_dtypes",
        "check_estimators_fit_returns_self",
        "check_estimators_nan_inf",
        "check_estimators_overwrite_params",
        "check_estimators_pickle",
        "check_f_contiguous_array_estimator",
        "check_fit2d_1sample",
        "check_fit2d_predict1d",
        "check_fit_check_is_fitted",
        "check_fit_idempotent",
        "check_fit_score_takes_y",
        "check_methods_sample_order_invariance",
        "check_methods_subset_invariance",
        "check_n_features_in",
        "check_n_features_in_after_fitting",
        "check_pipeline_consistency",
        "check_positive_only_tag_during_fit",
        "check_readonly_memmap_input",
        "check_sample_weight_equivalence_on_dense_data",
        "check_sample_weights_list",
        "check_sample_weights_not_an_array",
        "check_sample_weights_not_overwritten",
        "check_sample_weights_pandas_series",
        "check_sample_weights_shape",
        "check_supervised_y_2d",
    ],
    NOT_PROBABILITIES,
)


class FromAnything(ClassifierMixin, BaseEstimator):
    """Turns any X into probabilities: the softmax of its columns, cut or padded to one per class."""

    def fit(self, X, y, sample_weight=None):
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        self.plugin_ = ClassWeightPlugin(method="ascent", classes=self.classes_)
        self.plugin_.fit(self._probabilities(X), y, sample_weight)
        return self

    def _probabilities(self, X: np.ndarray) -> np.ndarray:
        scores = np.zeros((len(X), len(self.classes_)))
        width = min(X.shape[1], scores.shape[1])
        scores[:, :width] = X[:, :width]
        P = np.exp(scores - scores.max(axis=1, keepdims=True))
        return P / P.sum(axis=1, keepdims=True)

    def _made(self, X):
        check_is_fitted(self)
        return self._probabilities(validate_data(self, X, reset=False, dtype=np.float64))

    def predict(self, X):
        P = self._made(X)
        return self.plugin_.predict(P)

    def predict_proba(self, X):
        P = self._made(X)
        return self.plugin_.predict_proba(P)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # the softmax of features knows nothing of the classes
        return tags


@parametrize_with_checks([PluginClassifierCV(LogisticRegression())])
def test_the_meta_estimator_passes_every_check(estimator, check):
    check(estimator)


@parametrize_with_checks([ClassWeightPlugin()], expected_failed_checks=lambda _: EXPECTED_FAILURES)
def test_the_probability_estimator_passes_all_but_the_named_checks(estimator, check):
    check(estimator)


@pytest.mark.filterwarnings("ignore")
def test_every_expected_failure_is_one():
    failed = set()
    for estimator, check in estimator_checks_generator(ClassWeightPlugin()):
        name = check.func.__name__
        if name in EXPECTED_FAILURES:
            with pytest.raises((AssertionError, ValueError)):
                check(estimator)
            failed.add(name)
    assert failed == EXPECTED_FAILURES.keys()


@parametrize_with_checks([FromAnything()])
def test_with_x_made_into_probabilities_nothing_is_left_to_expect(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def rows():
    return make_classification(400, n_classes=3, n_informative=5, weights=[0.7, 0.2], flip_y=0.1, random_state=0)


def test_learned_attributes_and_parameters_survive_cloning_and_pickling():
    P, y = black_box(200, 3)
    plugin = ClassWeightPlugin("g-mean", method="cwplugin", search="grid:0.01", reference="last").fit(P, y)
    again = pickle.loads(pickle.dumps(plugin))
    assert (again.predict(P) == plugin.predict(P)).all()
    assert again.report_ == plugin.report_
    assert again.model_.to_json() == plugin.model_.to_json()
    bare = clone(plugin)
    assert bare.get_params() == plugin.get_params()
    assert not hasattr(bare, "model_")
    assert bare.fit(P, y).model_ == plugin.model_


def test_out_of_fold_probabilities_teach_the_weights(rows):
    X, y = rows
    model = PluginClassifierCV(LogisticRegression(), metric="macro-f1", cv=4).fit(X, y)
    P = cross_val_predict(LogisticRegression(), X, y, cv=4, method="predict_proba")
    by_hand = ClassWeightPlugin("macro-f1", method="ascent", normalize=True).fit(P, y)
    assert model.model_.to_json() == by_hand.model_.to_json()
    full = LogisticRegression().fit(X, y)
    assert (model.predict(X) == by_hand.predict(full.predict_proba(X))).all()
    assert np.allclose(model.predict_proba(X).sum(axis=1), 1)
    assert (model.classes_[model.predict_proba(X).argmax(axis=1)] == model.predict(X)).all()
    assert model.n_features_in_ == X.shape[1]
    assert model.scores_.fitted >= model.scores_.clean


@pytest.mark.parametrize("way", ["frozen", "prefit"])
def test_a_fitted_classifier_is_not_fitted_again(rows, way):
    X, y = rows
    fitted = RandomForestClassifier(20, random_state=0).fit(X[:200], y[:200])
    model = PluginClassifierCV(FrozenEstimator(fitted)) if way == "frozen" else PluginClassifierCV(fitted, cv="prefit")
    model.fit(X[200:], y[200:])
    assert model.estimator_.predict_proba(X).tolist() == fitted.predict_proba(X).tolist()
    assert (model.predict(X) == model.plugin_.predict(fitted.predict_proba(X))).all()
    with pytest.raises(InputError, match="already fitted"):
        model.fit(X, y, groups=y)


def test_grid_search_pipeline_and_cross_validation(rows):
    X, y = rows
    pipeline = make_pipeline(StandardScaler(), PluginClassifierCV(LogisticRegression()))
    search = GridSearchCV(
        pipeline,
        {"pluginclassifiercv__metric": ["accuracy", "macro-f1"], "pluginclassifiercv__estimator__C": [0.1, 1.0]},
        scoring="f1_macro",
        cv=3,
    ).fit(X, y)
    assert len(search.cv_results_["params"]) == 4
    scores = cross_val_score(pipeline, X, y, cv=3, scoring="f1_macro")
    assert scores.shape == (3,)
    assert np.isfinite(scores).all()


def test_grid_search_over_settings_of_the_plugin():
    P, y = black_box(300, 3)
    search = GridSearchCV(ClassWeightPlugin(), {"method": ["cwplugin", "ascent", "clean"]}, scoring="f1_macro").fit(
        P, y
    )
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


def test_set_output_hands_over_tables_with_names(rows):
    X, y = rows
    table = pd.DataFrame(X, columns=[f"x{k}" for k in range(X.shape[1])])
    pipeline = make_pipeline(StandardScaler(), PluginClassifierCV(LogisticRegression())).set_output(transform="pandas")
    pipeline.fit(table, y)
    assert pipeline[-1].feature_names_in_.tolist() == table.columns.tolist()
    assert (pipeline.predict(table) == make_pipeline(*pipeline).predict(table)).all()


def test_row_weights_reach_classifier_and_metric(rows):
    X, y = rows
    weights = np.where(y == 2, 5.0, 1.0)
    model = PluginClassifierCV(LogisticRegression(), cv=3).fit(X, y, sample_weight=weights)
    full = LogisticRegression().fit(X, y, sample_weight=weights)
    assert np.allclose(model.estimator_.coef_, full.coef_)
    assert model.plugin_.report_.rows == len(y)
    assert model.model_ != PluginClassifierCV(LogisticRegression(), cv=3).fit(X, y).model_


def test_metadata_is_routed_to_splitter_and_classifier(rows):
    X, y = rows
    groups = np.arange(len(y)) % 7
    with sklearn.config_context(enable_metadata_routing=True):
        inner = LogisticRegression().set_fit_request(sample_weight=True)
        model = PluginClassifierCV(inner, cv=GroupKFold(4).set_split_request(groups=True))
        model.fit(X, y, sample_weight=np.ones(len(y)), groups=groups)
    assert model.scores_.fitted >= model.scores_.clean
    with pytest.raises(InputError, match="metadata routing"):
        PluginClassifierCV(LogisticRegression(), cv=GroupKFold(4)).fit(X, y, groups=groups)


def test_a_classifier_without_probabilities_raises_an_error_with_a_hint(rows):
    with pytest.raises(InputError, match="CalibratedClassifierCV"):
        PluginClassifierCV(LinearSVC()).fit(*rows)


@pytest.mark.parametrize(
    ("scorer", "metric"),
    [
        ("accuracy", "accuracy"),
        ("balanced_accuracy", "balanced-accuracy"),
        ("matthews_corrcoef", "mcc"),
        (make_scorer(cohen_kappa_score), "cohen-kappa"),
        ("f1_macro", "macro-f1"),
        (make_scorer(f1_score, average="macro"), "macro-f1"),
        ("f1_weighted", "weighted-f1"),
        ("precision_macro", "macro-precision"),
        ("recall_macro", "macro-recall"),
        ("jaccard_macro", "macro-jaccard"),
    ],
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_scorers_that_the_library_has_are_its_own(scorer, metric):
    P, y = black_box(60, 3, labels=["a", "b", "c"])
    plugin = ClassWeightPlugin(scorer, method="ascent").fit(P, y)
    assert plugin.report_.metric == metric
    scorer = get_scorer(scorer) if isinstance(scorer, str) else scorer
    slow = ScorerOfCounts(scorer, np.array(["a", "b", "c"]))
    rng = np.random.default_rng(0)
    for _ in range(20):
        counts = rng.integers(0, 4, (3, 3)).astype(float)
        counts[0, 0] += 1
        found = evaluate(*rows_of(counts), metrics=metric, classes=["a", "b", "c"], resamples=2)
        assert slow(counts) == pytest.approx(found.metrics[metric].clean.value, abs=1e-12)


def rows_of(counts):
    """Rows of a black box with this confusion matrix."""
    cells = [(truth, predicted) for (truth, predicted), n in np.ndenumerate(counts) for _ in range(int(n))]
    return np.eye(3)[[predicted for _, predicted in cells]], np.array(["a", "b", "c"])[[truth for truth, _ in cells]]


def test_other_scorers_need_predictions_only():
    P, y = black_box(40, 3, labels=["a", "b", "c"])
    scorer = make_scorer(fbeta_score, beta=2, average="macro")
    theirs = ClassWeightPlugin(scorer, method="cwplugin").fit(P, y)
    ours = ClassWeightPlugin("macro-f-beta:2", method="cwplugin").fit(P, y)
    assert theirs.report_.metric == "scorer:fbeta_score(average=macro, beta=2)"
    assert theirs.scores_.to_dict() == pytest.approx(ours.scores_.to_dict(), abs=1e-12)
    assert (theirs.weights_ == ours.weights_).all()
    with pytest.raises(InputError, match="needs more than predictions"):
        ClassWeightPlugin("neg_log_loss", method="ascent").fit(P, y)


def test_a_scorer_without_sample_weight_sees_every_row():
    def exact(y_true, y_pred):
        return float(np.mean(np.asarray(y_true) == np.asarray(y_pred)))

    P, y = black_box(30, 3, labels=["a", "b", "c"])
    theirs = ClassWeightPlugin(make_scorer(exact), method="ascent").fit(P, y)
    assert theirs.scores_.clean == ClassWeightPlugin("accuracy", method="ascent").fit(P, y).scores_.clean
    with pytest.raises(InputError, match="does not support sample_weight"):
        ClassWeightPlugin(make_scorer(exact), method="ascent").fit(P, y, sample_weight=np.linspace(0.1, 1, 30))


def test_names_of_scikit_learn_are_understood_or_answered():
    P, y = [[0.9, 0.1], [0.7, 0.3], [0.6, 0.4], [0.2, 0.8]] * 10, [0, 1, 1, 1] * 10
    fit = ClassWeightPlugin(metric="f1_macro", method="ascent").fit
    assert fit(P, y).report_.metric == "macro-f1"
    for name, answer in [("fbeta_score", "macro-f-beta:BETA"), ("f1", "f1:CLASS")]:
        with pytest.raises(ValueError, match=answer):
            ClassWeightPlugin(metric=name).fit(P, y)
    with pytest.raises(ValueError, match="did you mean bagged"):
        ClassWeightPlugin(method="baged").fit(P, y)
