"""Labels of a classifier come in many shapes."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import make_classification
from sklearn.exceptions import DataConversionWarning
from sklearn.linear_model import LogisticRegression

from cwplugin import PluginClassifierCV

X, CODES = make_classification(200, weights=[0.8], random_state=0)
LABELS = np.where(CODES == 1, "spam", "ham")


@pytest.mark.parametrize(
    "labels",
    [LABELS, LABELS.tolist(), pd.Series(LABELS), pd.Series(LABELS).astype("category"), pl.Series(LABELS)],
    ids=["numpy", "list", "pandas", "category", "polars"],
)
def test_labels_of_any_library_give_the_same_weights(labels):
    expected = PluginClassifierCV(LogisticRegression(), method="ascent").fit(X, LABELS)
    found = PluginClassifierCV(LogisticRegression(), method="ascent").fit(X, labels)
    assert found.classes_.tolist() == ["ham", "spam"]
    assert (found.weights_ == expected.weights_).all()


def test_a_column_of_labels_is_flattened_with_a_warning():
    classifier = PluginClassifierCV(LogisticRegression(), method="ascent")
    with pytest.warns(DataConversionWarning):
        classifier.fit(X, CODES[:, None])
    assert (classifier.predict(X) == classifier.fit(X, CODES).predict(X)).all()
