"""Probabilities in: one weight per class, learned from labelled rows of a black box."""

from __future__ import annotations

import dataclasses
import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from cwplugin import _core, _labels, _metrics, _page, _rows, _wish
from cwplugin._errors import FitWarning, InputError
from cwplugin._model import Model
from cwplugin.report import Report, Scores

#: Doubts that are warned of at once; the others wait in ``report_.warnings``.
_SERIOUS = ("unmet", "not-converged")


class ClassWeightPlugin(ClassifierMixin, BaseEstimator):
    """One weight per class, so that ``argmax_k w_k · b_k`` maximises your metric.

    ``X`` are the class probabilities of a black box: a vendor's API, an LLM's log-probabilities, a model that you may
    not retrain. It takes 50 to 500 labelled rows; rows without a label (None or NaN in ``y``) help some methods too.

    Parameters
    ----------
    metric : str, Cost, callable or scorer, default="macro-f1"
        What is maximised: a name out of :func:`cwplugin.metric_names` or a formula ``"expr:…"``; a matrix of costs; a
        function ``f(confusion) -> float`` of the matrix of shape (n_classes, n_classes), truth by row; or a scorer of
        scikit-learn that needs predictions only, also by its name. A function sees all classes; while a pair of them is
        tuned, the others have no rows.
    method : str, default="auto"
        How: a name out of :func:`cwplugin.method_names`. ``"auto"`` takes the best that the labels support, or keeps
        the black box as it is, and makes a forecast; ``"cwplugin"`` is Algorithm 1 of the paper.
    reference : {"largest", "last", "best"} or label, default="largest"
        Which class stays fixed in Algorithm 1.
    search : str, default="exact"
        Which α Algorithm 1 tries: ``"exact"``, ``"grid:STEP"`` or ``"binary:STEP"``.
    ties : {"middle", "first", "nearest-half"}, default="middle"
        Which of equally good α Algorithm 1 takes.
    classes : array-like of shape (n_classes,), default=None
        The labels that the columns of ``X`` stand for. If None, columns of a table that are called like the labels (or
        ``p_`` and the label) are those classes; those of an array are the labels of ``y`` in increasing order. Say it
        if a class may have no labelled row.
    random_state : int, Generator, RandomState or None, default=None
        Seed of everything random; None is 0, so that equal inputs give equal models.
    n_jobs : int, default=None
        Threads; one per processor if None. The result does not depend on it.
    absent : {"keep", "drop"}, default="keep"
        What Algorithm 1 does with a class without labelled rows: weight 1, or 0.
    subject_to : sequence of str or (metric, {">=", "<="}, float), default=()
        Limits that the rule must keep to on the labelled rows: ``["precision:fraud>=0.9"]``.
    source_priors : mapping or array-like of shape (n_classes,), default=None
        The shares of the classes that the black box learned from, for ``"label-shift"``.
    bags : int, default=None
        How often ``"bagged"`` refits.
    mixing : float, default=0.0
        What a label counts for in ``"expected"``, beside the mended probabilities.
    select : {"in-sample", "cv"}, default="in-sample"
        How ``"dirichlet-diag"`` and ``"dirichlet-full"`` choose their penalty.
    scores : {"probabilities", "logits", "logprobs"}, default="probabilities"
        What the numbers of ``X`` are.
    normalize : bool, default=False
        Whether to divide every row by its sum, rather than to refuse one that does not sum to 1.
    force : bool, default=False
        Whether a binary search may be used for a metric with several peaks.
    learning_curve : bool, default=False
        Whether to find out what more labels would bring; ``report_.learning_curve`` has it.
    verbose : int, default=0
        Whether to print progress to standard error.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels, in the order of the columns.
    weights_ : ndarray of shape (n_classes,)
        One weight per class; they sum to 1.
    scores_ : Scores or None
        The metric on the labelled rows ``(clean, fitted)``: before and after.
    report_ : Report
        What was tried, found and doubted; notebooks show it as a page.
    calibration_ : dict or None
        What is made of a row before the weights, as it stands in the model file.
    model_ : Model
        The rule, to save and to apply elsewhere.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of shape (n_classes,)
        Names of the columns, if they have any.

    See Also
    --------
    PluginClassifierCV : The same around a classifier.
    cwplugin.evaluate : Before and after on other rows, with intervals.

    Notes
    -----
    Values of ``reference``, ``search``, ``ties`` and ``absent`` other than the defaults change a method's own settings:
    ``method="cwplugin:published"`` keeps the paper's unless they are given.

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
        reference: Any = "largest",
        search: str = "exact",
        ties: str = "middle",
        classes: ArrayLike | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        absent: str = "keep",
        subject_to: Any = (),
        source_priors: Any = None,
        bags: int | None = None,
        mixing: float = 0.0,
        select: str = "in-sample",
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
        self.bags = bags
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
        """Learn the weights.

        Parameters
        ----------
        X : array-like or table of shape (n_rows, n_classes)
            Probabilities of the black box: an array of float32 or float64 in C order is read where it is; tables of
            pandas, polars and pyarrow, and whatever else offers Arrow columns, are taken too.
        y : array-like of shape (n_rows,)
            True labels of any kind; None and NaN for rows without one.
        sample_weight : array-like of shape (n_rows,), default=None
            Row weights, 0 or from 1e-100 to 1e100.
        features : array-like of shape (n_rows, n_features), default=None
            What else is known of the rows, for method ``"logistic"``.

        Returns
        -------
        ClassWeightPlugin
            Itself.

        Raises
        ------
        InputError
            If a row, a label or a setting is wrong; it names the place.
        """
        if y is None:
            raise InputError("requires y to be passed, but the target y is None")
        rows, classes = self._labelled(X, y, sample_weight, features, reset=True)
        core = _core.fit(rows, self._wish(classes))
        self.classes_ = classes
        self.model_ = Model._of(core, classes)
        self.weights_ = self.model_.weights
        self._fitted_rows = rows if _page.is_small(rows) else None
        for kind, message in core.doubts:
            if kind in _SERIOUS:
                warnings.warn(message, FitWarning, stacklevel=2)
        return self

    @property
    def report_(self) -> Report:
        """What was tried, found and doubted; notebooks show it as a page."""
        rows = getattr(self, "_fitted_rows", None)
        origin = _page.Origin(self.model_, rows, self.metric, self.__repr__, self.scores, self.normalize)
        return dataclasses.replace(self.model_._report(), _origin=origin)

    def __getstate__(self) -> dict[str, Any]:
        # The rows of the fit are kept for a page, not for a file.
        state: dict[str, Any] = super().__getstate__()
        return {name: value for name, value in state.items() if name != "_fitted_rows"}

    @property
    def scores_(self) -> Scores | None:
        """The metric on the labelled rows ``(clean, fitted)``: before and after."""
        score = self.model_._core.score
        return None if score is None else Scores(*score)

    @property
    def calibration_(self) -> dict[str, Any] | None:
        """What is made of a row before the weights, as it stands in the model file."""
        return self.model_.calibration

    def _labelled(
        self, X: Any, y: Any, sample_weight: Any = None, features: Any = None, *, reset: bool = False
    ) -> tuple[_rows.Rows, NDArray[Any]]:
        """Rows with their labels, and the classes; ``reset`` if these rows are to tell what the classes are."""
        table, columns = self._columns(X, reset=reset)
        array = _labels.as_array(y)
        _refuse_numbers(array)
        labels = _labels.factors(array)
        if not reset:
            classes = self.classes_
        elif self.classes is None:
            classes = _rows.classes_of(X, self.n_features_in_, labels, columns)
        else:
            classes = np.asarray(self.classes)
            names = [_labels.name_of(_labels.item(label)) for label in classes]
            if self.n_features_in_ is not None and len(names) != self.n_features_in_:
                raise InputError(f"classes= has {len(names)} labels, but there are {self.n_features_in_} columns")
            _rows.refuse_other_order(columns, names)
        column = str(getattr(y, "name", None) or "label")
        rows = _rows.Rows(
            table,
            [_labels.name_of(_labels.item(label)) for label in classes],
            labels=_labels.number(labels, classes, column),
            weights=_rows.row_weights(sample_weight),
            features=None if features is None else _rows.matrix(features, "features").astype(np.float64),
            feature_names=None if features is None else _rows.column_names(features),
            columns=columns or [],
            label=column,
            scores=self.scores,
            normalize=self.normalize,
        )
        return rows, classes

    def _wish(self, classes: NDArray[Any]) -> _wish.Wish:
        _wish.refuse_idle(self.method, vars(self))

        def limit(wanted: Any) -> Any:
            if isinstance(wanted, str):
                return wanted
            metric, bound, value = wanted
            return _metrics.wish(metric, classes), bound, float(value)

        return _wish.Wish(
            metric=_metrics.wish(self.metric, classes),
            method=self.method,
            reference=_wish.reference(self.reference),
            search=_wish.given(self.search, "exact"),
            ties=_wish.given(self.ties, "middle"),
            absent=_wish.given(self.absent, "keep"),
            force=bool(self.force),
            select=self.select,
            mixing=float(self.mixing),
            source_priors=_wish.priors(self.source_priors, classes),
            bags=self.bags,
            subject_to=[limit(wanted) for wanted in _wish.limits(self.subject_to)],
            learning_curve=bool(self.learning_curve),
            seed=_wish.seed(self.random_state),
            jobs=_wish.jobs(self.n_jobs),
            verbose=bool(self.verbose),
        )

    def _columns(self, X: Any, *, reset: bool) -> tuple[Any, list[str] | None]:
        """The table to read, and the names of its columns; scikit-learn sees to it that they stay the same."""
        table = _rows.matrix(X)
        columns = _rows.column_names(X)
        if isinstance(table, np.ndarray):
            if table.shape[1] == 0:
                raise InputError(f"0 feature(s) (shape={table.shape}) while a minimum of 2 is required.")
            if table.shape[1] == 1:
                raise InputError(
                    "n_features = 1, that is one class: probabilities have one column per class, two at least"
                )
            if table.shape[0] == 0:
                raise InputError(
                    f"Found array with 0 sample(s) (shape={table.shape}) while a minimum of 1 is required."
                )
            if isinstance(X, np.ndarray) and not hasattr(self, "feature_names_in_"):
                self._count_columns(table.shape[1], reset=reset)  # what scikit-learn would do, without its 50 µs
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
        return _rows.Rows(
            table,
            self.model_._core.classes,
            features=None if features is None else _rows.matrix(features, "features").astype(np.float64),
            columns=columns or [],
            scores=self.scores,
            normalize=self.normalize,
        )

    def predict(self, X: Any, features: ArrayLike | None = None) -> NDArray[Any]:
        """Predict the class of every row.

        Parameters
        ----------
        X : array-like or table of shape (n_rows, n_classes)
            Probabilities of the black box.
        features : array-like of shape (n_rows, n_features), default=None
            What else is known of the rows, for method ``"logistic"``.

        Returns
        -------
        ndarray of shape (n_rows,)
            Labels.
        """
        check_is_fitted(self)
        codes = self.model_._core.predict(self._rows(X, features), _wish.jobs(self.n_jobs))
        return np.take(self.classes_, codes)

    def predict_proba(self, X: Any, features: ArrayLike | None = None) -> NDArray[np.float64]:
        """Re-weighted probabilities, every row divided by its sum. They are not calibrated.

        The largest of a row is what :meth:`predict` gives. Their size says how far the rule leans to a class, for the
        sake of the metric; it is not the chance that the class is right. For that, look at what the black box said.

        Parameters
        ----------
        X : array-like or table of shape (n_rows, n_classes)
            Probabilities of the black box.
        features : array-like of shape (n_rows, n_features), default=None
            What else is known of the rows, for method ``"logistic"``.

        Returns
        -------
        ndarray of shape (n_rows, n_classes)
            ``w_k · cal(b)_k``, every row divided by its sum.
        """
        check_is_fitted(self)
        return self.model_._core.scores(self._rows(X, features))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = False
        return tags


def _refuse_numbers(labels: NDArray[Any]) -> None:
    """Refuse a target of a regression; of floats only, for others are no numbers."""
    if labels.dtype.kind == "f":
        check_classification_targets(labels[~np.isnan(labels)])
    elif labels.dtype.kind == "c":
        raise ValueError("Complex data not supported")
