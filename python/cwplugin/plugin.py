"""The estimator of probabilities: one weight per class, learned from labelled rows."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from cwplugin import _core, _labels, _metrics, _page, _request, _rows
from cwplugin._errors import FitWarning, InputError
from cwplugin._model import Model
from cwplugin.report import Record, Report

#: Kinds of warnings that ``fit`` raises as Python warnings; the others are in ``report_.warnings`` only.
_SERIOUS = ("unmet", "not-converged", "one-hot", "two-valued", "labels-as-predicted", "uneven-weights", "repeated-rows")


class ClassWeightPlugin(ClassifierMixin, BaseEstimator):
    """One weight per class, so that ``argmax_k w_k · b_k`` maximises your metric.

    ``X`` holds the class probabilities of a black box: a vendor's API, an LLM's log-probabilities, a model that cannot
    be retrained. 50 to 500 labelled rows are enough; some methods also use unlabelled rows (None or NaN in ``y``).

    Parameters
    ----------
    metric : str, Cost, callable or scorer, default="macro-f1"
        Metric to maximise: a name of :func:`cwplugin.metric_names` or a formula ``"expr:…"``; a matrix of costs; a
        function ``f(confusion) -> float`` of the matrix of shape (n_classes, n_classes), truth by row; or a scorer of
        scikit-learn that needs predictions only, also by its name. A function always gets all classes; while a pair of
        classes is tuned, the others have no rows.
    method : str, default="auto"
        A name of :func:`cwplugin.method_names`. ``"auto"`` chooses among the methods by forecast and cross-validation,
        or leaves the predictions unchanged; ``"cwplugin"`` is Algorithm 1 of the paper.
    reference : {"largest", "last", "best"} or label, default=None
        The class that Algorithm 1 keeps fixed; ``"largest"`` if None.
    search : str, default=None
        The α that Algorithm 1 tries: ``"exact"``, ``"grid:STEP"`` or ``"binary:STEP"``; ``"exact"`` if None.
    ties : {"middle", "first", "nearest-half"}, default=None
        Which of equally good α Algorithm 1 takes; ``"middle"`` if None.
    classes : array-like of shape (n_classes,), default=None
        The labels of the columns of ``X``. If None, columns of a table that are named after the labels (with or without
        ``p_``) are those classes; columns of an array are the labels of ``y`` in increasing order. Pass it if a class
        may have no labelled row.
    random_state : int, Generator, RandomState or None, default=None
        Seed of everything random; None means 0, so that equal inputs give equal models.
    n_jobs : int, default=None
        Number of threads; one per processor if None. The result does not depend on it.
    absent : {"keep", "drop"}, default=None
        The weight that Algorithm 1 gives to a class without labelled rows: 1 (``"keep"``) or 0 (``"drop"``); ``"keep"``
        if None.
    subject_to : sequence of str or (metric, {">=", "<="}, float), default=()
        Constraints that the rule must meet on the labelled rows: ``["precision:fraud>=0.9"]``.
    source_priors : mapping or array-like of shape (n_classes,), default=None
        Class shares in the black box's training data, for ``"label-shift"``.
    n_bootstrap : int, default=None
        Refits of ``"bagged"``; 50 if None, fewer on very many rows.
    mixing : float, default=None
        How much ``"expected"`` counts a labelled row by its label, from 0 to 1, instead of by its calibrated
        probabilities; 0 if None.
    select : {"in-sample", "cv"}, default=None
        How ``"dirichlet-diag"`` and ``"dirichlet-full"`` choose their penalty; ``"in-sample"`` if None.
    scores : {"probabilities", "logits", "logprobs", "percentages", "votes"}, default="probabilities"
        What the numbers in ``X`` are. ``"votes"``: whole numbers, how often the black box answered with each class;
        they become probabilities as in :func:`read_replies`.
    normalize : bool, default=False
        Whether to divide every row by its sum, instead of refusing rows that do not sum to 1.
    force : bool, default=False
        Whether to allow binary search on a metric that may have several peaks.
    learning_curve : bool, default=False
        Whether to estimate the gain of more labels, see ``report_.learning_curve``.
    verbose : int, default=0
        Whether to print progress to standard error.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels, in the order of the columns.
    weights_ : ndarray of shape (n_classes,)
        One weight per class; they sum to 1.
    scores_ : Record or None
        The metric on the labelled rows: ``clean`` of the unadjusted black box, ``fitted`` of the rule.
    report_ : Report
        What the fit found; notebooks show it as tables.
    calibration_ : dict or None
        The calibration map, as in the model file.
    model_ : Model
        The decision rule, to save and to apply elsewhere.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_classes,)
        Names of the columns, if they have any.

    See Also
    --------
    PluginClassifierCV : A classifier with weights for its own probabilities.
    cwplugin.evaluate : Metrics before and after on other rows, with intervals.

    Notes
    -----
    An option that is None has the method's own default: ``method="cwplugin:published"`` has those of the paper. An
    option that the method does not support is an error.

    Examples
    --------
    >>> import numpy as np
    >>> from cwplugin import ClassWeightPlugin
    >>> P = np.array([[0.9, 0.1], [0.7, 0.3], [0.6, 0.4], [0.2, 0.8]] * 10)
    >>> y = np.array([0, 1, 1, 1] * 10)
    >>> plugin = ClassWeightPlugin(metric="macro-f1", method="cwplugin").fit(P, y)
    >>> plugin.weights_.round(3)
    array([0.179, 0.821])
    >>> plugin.predict([[0.65, 0.35], [0.85, 0.15]])
    array([1, 0])
    """

    def __init__(
        self,
        metric: Any = "macro-f1",
        *,
        method: str = "auto",
        reference: Any = None,
        search: str | None = None,
        ties: str | None = None,
        classes: ArrayLike | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        absent: str | None = None,
        subject_to: Any = (),
        source_priors: Any = None,
        n_bootstrap: int | None = None,
        mixing: float | None = None,
        select: str | None = None,
        scores: str = "probabilities",
        normalize: bool = False,
        force: bool = False,
        learning_curve: bool = False,
        verbose: int = 0,
    ) -> None:
        self.metric = metric
        self.method = method
        self.reference = reference
        self.search = search
        self.ties = ties
        self.classes = classes
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.absent = absent
        self.subject_to = subject_to
        self.source_priors = source_priors
        self.n_bootstrap = n_bootstrap
        self.mixing = mixing
        self.select = select
        self.scores = scores
        self.normalize = normalize
        self.force = force
        self.learning_curve = learning_curve
        self.verbose = verbose

    def fit(
        self, X: Any, y: Any, sample_weight: ArrayLike | None = None, features: ArrayLike | None = None
    ) -> ClassWeightPlugin:
        """Fit the weights.

        Parameters
        ----------
        X : array-like or table of shape (n_rows, n_classes)
            Probabilities of the black box. A read-only array of float32 or float64 in C order is not copied; tables of
            pandas, polars, pyarrow and others with an Arrow interface are accepted.
        y : array-like of shape (n_rows,)
            True labels of any type; None and NaN for unlabelled rows.
        sample_weight : array-like of shape (n_rows,), default=None
            Row weights, 0 or from 1e-100 to 1e100.
        features : array-like of shape (n_rows, n_features), default=None
            Features, for method ``"logistic"``.

        Returns
        -------
        ClassWeightPlugin
            The fitted estimator.

        Raises
        ------
        InputError
            If a row, a label or a setting is wrong.
        """
        if y is None:
            raise InputError("requires y to be passed, but the target y is None")
        rows, classes = self._labelled(X, y, sample_weight, features, reset=True)
        core = _core.fit(rows, self._request(classes))
        self.classes_ = classes
        self.model_ = Model._of(core, classes)
        self.weights_ = self.model_.weights
        self._fitted_rows = rows if _page.is_small(rows) else None
        # One vote per row was warned about when the rows were read.
        is_known = self.model_.input.get("votes", {}).get("max") == 1
        for kind, message in core.warnings:
            if kind in _SERIOUS and not (is_known and kind in ("one-hot", "two-valued")):
                warnings.warn(message, FitWarning, stacklevel=2)
        return self

    @property
    def report_(self) -> Report:
        """The report of the fit; notebooks show it as tables."""
        rows = getattr(self, "_fitted_rows", None)
        return Report(_page.PageSource(self.model_, rows, self.metric, self.__repr__, self.scores, self.normalize))

    def __getstate__(self) -> dict[str, Any]:
        # The rows of the fit are kept for a page, not for a file.
        state: dict[str, Any] = super().__getstate__()
        return {name: value for name, value in state.items() if name != "_fitted_rows"}

    @property
    def scores_(self) -> Record | None:
        """The metric on the labelled rows: ``clean`` of the unadjusted black box, ``fitted`` of the rule."""
        score: Record | None = self.report_.score
        return score

    @property
    def calibration_(self) -> dict[str, Any] | None:
        """The calibration map, as in the model file."""
        return self.model_.calibration

    def _labelled(
        self, X: Any, y: Any, sample_weight: Any = None, features: Any = None, *, reset: bool = False
    ) -> tuple[_rows.Rows, NDArray[Any]]:
        """Rows with their labels, and the classes; ``reset`` if the classes are taken from these rows."""
        table, columns = self._columns(X, reset=reset)
        array = _labels.as_array(y)
        _check_targets(array)
        factors = _labels.factorize(array)
        classes = _rows.resolve_classes(self.classes, self.n_features_in_, factors, columns) if reset else self.classes_
        rows = self._read(X, table, columns, _labels.names(classes), features)
        return rows.labelled(y, classes, sample_weight, factors), classes

    def _read(self, X: Any, table: Any, columns: list[str] | None, names: list[str], features: Any) -> _rows.Rows:
        rows = _rows.of(X, table, names, columns=columns, scores=self.scores, normalize=self.normalize)
        return rows.with_features(features)

    def _request(self, classes: NDArray[Any]) -> _request.FitRequest:
        return _request.FitRequest(
            metric=_metrics.spec(self.metric, classes),
            method=self.method,
            options=_request.options(vars(self), classes),
            subject_to=_request.constraints(self.subject_to, classes),
            learning_curve=bool(self.learning_curve),
            seed=_request.seed(self.random_state),
            jobs=_request.jobs(self.n_jobs),
            verbose=bool(self.verbose),
        )

    def _columns(self, X: Any, *, reset: bool) -> tuple[Any, list[str] | None]:
        """The table to read, and the names of its columns, which must stay the same after the fit."""
        table = _rows.matrix(X)
        columns = _rows.column_names(X)
        if isinstance(table, np.ndarray):
            if table.shape[1] == 0:
                raise InputError(f"0 feature(s) (shape={table.shape}) while a minimum of 2 is required.")
            if table.shape[1] == 1:
                raise InputError(
                    "n_features = 1, that is one class: probabilities need one column per class, and at least two"
                )
            if table.shape[0] == 0:
                raise InputError(
                    f"Found array with 0 sample(s) (shape={table.shape}) while a minimum of 1 is required."
                )
            if isinstance(X, np.ndarray) and not hasattr(self, "feature_names_in_"):
                self._count_columns(table.shape[1], reset=reset)  # as scikit-learn, which takes 50 µs
            else:
                validate_data(self, X if columns is not None else table, reset=reset, skip_check_array=True)
        elif reset:
            self.__dict__.pop("feature_names_in_", None)
            self.n_features_in_ = _rows.shape(table)[1]
            if columns is not None:
                self.feature_names_in_ = np.array(columns, dtype=object)
        elif columns is not None and hasattr(self, "feature_names_in_") and columns != list(self.feature_names_in_):
            raise InputError(
                f"the columns are {_labels.quoted(columns)}; those of the fit were "
                f"{_labels.quoted(list(self.feature_names_in_))}"
            )
        return table, columns

    def _count_columns(self, found: int, *, reset: bool) -> None:
        if reset:
            self.n_features_in_ = found
        elif found != self.n_features_in_:
            name, expected = type(self).__name__, self.n_features_in_
            raise InputError(f"X has {found} features, but {name} is expecting {expected} features as input")

    def _rows(self, X: Any, features: Any) -> _rows.Rows:
        table, columns = self._columns(X, reset=False)
        return self.model_._checked(self._read(X, table, columns, self.model_._core.classes, features))

    def predict(self, X: Any, features: ArrayLike | None = None) -> NDArray[Any]:
        """Predict the class of every row.

        Parameters
        ----------
        X : array-like or table of shape (n_rows, n_classes)
            Probabilities of the black box.
        features : array-like of shape (n_rows, n_features), default=None
            Features, for method ``"logistic"``.

        Returns
        -------
        ndarray of shape (n_rows,)
            Labels.
        """
        check_is_fitted(self)
        codes = self.model_._core.predict(self._rows(X, features), _request.jobs(self.n_jobs))
        return np.take(self.classes_, codes)

    def predict_proba(self, X: Any, features: ArrayLike | None = None) -> NDArray[np.float64]:
        """The score of every class: weighted probabilities, every row divided by its sum. They are not calibrated.

        :meth:`predict` gives the class with the largest score. Scores are weighted for the metric; they are not the
        probabilities that the classes are right.

        Parameters
        ----------
        X : array-like or table of shape (n_rows, n_classes)
            Probabilities of the black box.
        features : array-like of shape (n_rows, n_features), default=None
            Features, for method ``"logistic"``.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            ``w_k · cal(b)_k``, every row divided by its sum; ``1 / n_classes`` if the products are all zero.
        """
        check_is_fitted(self)
        return self.model_._core.scores(self._rows(X, features))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = False
        return tags


def _check_targets(labels: NDArray[Any]) -> None:
    """Refuse continuous targets."""
    if labels.dtype.kind == "f":
        check_classification_targets(labels[~np.isnan(labels)])
    elif labels.dtype.kind == "c":
        raise ValueError("Complex data not supported")
