"""A classifier with one weight per class, learned from its out-of-fold probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import check_cv, cross_val_predict
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d, has_fit_parameter

from cwplugin._errors import InputError
from cwplugin._labels import refuse_masked
from cwplugin._rows import row_weights
from cwplugin.plugin import ClassWeightPlugin
from cwplugin.report import Record, Report


class PluginClassifierCV(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """A classifier with one weight per class, so that your metric is maximised.

    The weights are learned from out-of-fold probabilities; then the classifier is fitted on all rows. A classifier that
    is already fitted (``FrozenEstimator``, or ``cv="prefit"``) is not fitted again: pass rows to :meth:`fit` that are
    not its training data.

    Parameters
    ----------
    estimator : estimator
        A classifier with ``predict_proba``.
    metric : str, Cost, callable or scorer, default="macro-f1"
        Metric to maximise, as for :class:`ClassWeightPlugin`.
    method : str, default="ascent"
        As for :class:`ClassWeightPlugin`. The default maximises the metric on the labelled rows, which suits the
        hundreds of rows or more that a classifier is trained on; with few rows ``"auto"`` is safer.
    cv : int, splitter, iterable of splits or "prefit", default=5
        Cross-validation; an integer is the number of stratified folds.
    reference, search, ties, random_state, n_jobs, absent, subject_to, source_priors, n_bootstrap, mixing, select, \
force, learning_curve, verbose
        As for :class:`ClassWeightPlugin`; ``n_jobs`` is also the number of folds that are fitted in parallel.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels, in increasing order.
    estimator_ : estimator
        The classifier, fitted on all rows.
    plugin_ : ClassWeightPlugin
        The weights, fitted on the out-of-fold probabilities.
    weights_, scores_, report_, calibration_, model_
        As for :class:`ClassWeightPlugin`.
    n_features_in_ : int
        Number of features, if the classifier has it.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the features, if the classifier has them.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.linear_model import LogisticRegression
    >>> from cwplugin import PluginClassifierCV
    >>> X, y = make_classification(500, weights=[0.9], flip_y=0.05, random_state=0)
    >>> model = PluginClassifierCV(LogisticRegression(), metric="macro-f1").fit(X, y)
    >>> print(f"{model.scores_.clean:.3f} → {model.scores_.fitted:.3f} out of fold")
    0.788 → 0.800 out of fold
    """

    def __init__(
        self,
        estimator: Any,
        *,
        metric: Any = "macro-f1",
        method: str = "ascent",
        cv: Any = 5,
        reference: Any = None,
        search: str | None = None,
        ties: str | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        absent: str | None = None,
        subject_to: Any = (),
        source_priors: Any = None,
        n_bootstrap: int | None = None,
        mixing: float | None = None,
        select: str | None = None,
        force: bool = False,
        learning_curve: bool = False,
        verbose: int = 0,
    ) -> None:
        self.estimator = estimator
        self.metric = metric
        self.method = method
        self.cv = cv
        self.reference = reference
        self.search = search
        self.ties = ties
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.absent = absent
        self.subject_to = subject_to
        self.source_priors = source_priors
        self.n_bootstrap = n_bootstrap
        self.mixing = mixing
        self.select = select
        self.force = force
        self.learning_curve = learning_curve
        self.verbose = verbose

    def _is_prefit(self) -> bool:
        is_named = isinstance(self.cv, str) and self.cv == "prefit"
        return is_named or isinstance(self.estimator, FrozenEstimator)

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None, **params: Any) -> PluginClassifierCV:
        """Fit the classifier and the weights.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features)
            Rows for the classifier.
        y : array-like of shape (n_rows,)
            True labels.
        sample_weight : array-like of shape (n_rows,), default=None
            Row weights, for the metric and, if it supports them, for the classifier.
        **params : dict
            Metadata for the classifier's ``fit`` and the splitter, if metadata routing is enabled.

        Returns
        -------
        PluginClassifierCV
            The fitted estimator.
        """
        if y is None:
            raise InputError("requires y to be passed, but the target y is None")
        if not hasattr(self.estimator, "predict_proba"):
            raise InputError(
                f"{type(self.estimator).__name__} has no predict_proba\n"
                "  hint: wrap it in sklearn.calibration.CalibratedClassifierCV"
            )
        refuse_masked(y, "labels")
        weights = row_weights(sample_weight)
        if self._is_prefit():
            if params:
                names = ", ".join(sorted(params))
                raise InputError(f"fit takes no {names}: the classifier is already fitted\n  hint: leave it out")
            check_is_fitted(self.estimator)
            self.estimator_ = self.estimator
            labels = column_or_1d(np.asarray(y), warn=True)
            probabilities = self.estimator_.predict_proba(X)
            self.classes_ = np.asarray(self.estimator_.classes_)
        else:
            labels = column_or_1d(np.asarray(y), warn=True)
            check_classification_targets(labels)
            self.classes_ = np.unique(labels)
            if len(self.classes_) < 2:
                raise InputError(f"at least 2 classes are needed, {len(self.classes_)} class given")
            for_fit, for_split = self._routed(sample_weight, weights, params)
            folds = check_cv(self.cv, labels, classifier=True)
            splits = list(folds.split(X, labels, **for_split))
            probabilities = cross_val_predict(
                clone(self.estimator), X, labels, cv=splits, method="predict_proba", n_jobs=self.n_jobs, params=for_fit
            )
            self.estimator_ = clone(self.estimator).fit(X, labels, **for_fit)
        settings = self.get_params(deep=False)
        of_plugin = ClassWeightPlugin().get_params(deep=False).keys() & settings.keys()
        self.plugin_ = ClassWeightPlugin(classes=self.classes_, **{name: settings[name] for name in of_plugin})
        # Frequencies of a forest may be off in the last digit of a float32.
        self.plugin_.set_params(normalize=True).fit(np.asarray(probabilities), labels, sample_weight=weights)
        self.weights_, self.model_ = self.plugin_.weights_, self.plugin_.model_
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        return self

    @property
    def report_(self) -> Report:
        """The report of the fit; notebooks show it as tables."""
        return self.plugin_.report_

    @property
    def scores_(self) -> Record | None:
        """The metric on the out-of-fold probabilities: ``clean`` unadjusted, ``fitted`` with the weights."""
        return self.plugin_.scores_

    @property
    def calibration_(self) -> dict[str, Any] | None:
        """The calibration map, as in the model file."""
        return self.plugin_.calibration_

    def _routed(
        self, sample_weight: Any, weights: NDArray[np.float64] | None, params: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """The metadata of the classifier's ``fit`` and of the splitter."""
        from sklearn import get_config

        if get_config()["enable_metadata_routing"]:
            if sample_weight is not None:
                params = {**params, "sample_weight": sample_weight}
            routed = process_routing(self, "fit", **params)
            return dict(routed.estimator.fit), dict(routed.splitter.split)
        if params:
            names = ", ".join(sorted(params))
            raise InputError(
                f"fit takes {names} only if metadata routing is enabled\n"
                "  hint: sklearn.set_config(enable_metadata_routing=True), and set_fit_request on the classifier"
            )
        takes = weights is not None and has_fit_parameter(self.estimator, "sample_weight")
        return ({"sample_weight": weights} if takes else {}), {}

    def get_metadata_routing(self) -> MetadataRouter:
        """The metadata routing of this estimator.

        Returns
        -------
        MetadataRouter
            Routes metadata to the classifier and the splitter.
        """
        return (
            MetadataRouter(owner=type(self).__name__)
            .add_self_request(self)
            .add(estimator=self.estimator, method_mapping=MethodMapping().add(caller="fit", callee="fit"))
            .add(
                splitter=self.cv if hasattr(self.cv, "split") else check_cv(5 if self._is_prefit() else self.cv),
                method_mapping=MethodMapping().add(caller="fit", callee="split"),
            )
        )

    def _probabilities(self, X: Any) -> NDArray[Any]:
        check_is_fitted(self, "plugin_")
        return np.asarray(self.estimator_.predict_proba(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class of every row.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features)
            Rows for the classifier.

        Returns
        -------
        ndarray of shape (n_rows,)
            Labels.
        """
        probabilities = self._probabilities(X)
        return self.plugin_.predict(probabilities)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """The score of every class: weighted probabilities, every row divided by its sum. They are not calibrated.

        :meth:`predict` gives the class with the largest score. ``estimator_.predict_proba`` gives the unadjusted
        probabilities.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features)
            Rows for the classifier.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            ``w_k · cal(b)_k``, every row divided by its sum.
        """
        probabilities = self._probabilities(X)
        return self.plugin_.predict_proba(probabilities)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.input_tags.sparse = inner.input_tags.sparse
        tags.input_tags.pairwise = inner.input_tags.pairwise
        tags.input_tags.allow_nan = inner.input_tags.allow_nan
        return tags
