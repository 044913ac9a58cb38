"""An evaluation on executors is that of the rows here, intervals included."""

from __future__ import annotations

import numpy as np
import pytest
from tables import NAMES, P, W, Y, arrow

from cwplugin import ClassWeightPlugin, InputError, Model, evaluate
from cwplugin import spark as on_spark

CASES = [
    (Model(NAMES, [1.0, 2.0, 0.5]), {}),
    (Model(NAMES, [1.0, 2.0, 0.5]), {"weight": "w", "metrics": ["mcc", "f1:joy"], "random_state": 3, "resamples": 100}),
    (None, {"weight": "w", "metrics": "accuracy"}),
    (ClassWeightPlugin(method="ascent", subject_to="precision:joy>=0.7", classes=NAMES), {"metrics": "macro-f1"}),
]


@pytest.mark.filterwarnings("ignore::cwplugin.FitWarning")
@pytest.mark.parametrize(("model", "settings"), CASES, ids=["plain", "weighted", "black box", "constraints"])
def test_an_evaluation_is_that_of_the_rows_here(spark, model, settings):
    if isinstance(model, ClassWeightPlugin):
        model.fit(P, np.array(Y, dtype=object))
    here = {key: value for key, value in settings.items() if key != "weight"}
    weights = W if "weight" in settings else None
    expected = evaluate(P, np.array(Y, dtype=object), model, sample_weight=weights, classes=NAMES, **here)
    found = on_spark.evaluate(spark.createDataFrame(arrow()).repartition(40, "id"), model, **settings)
    # Rows on executors are not compared with the fingerprint of the fitted rows.
    of_overlap = ("overlap", "warnings")
    assert found.to_dict() == {key: value for key, value in expected.to_dict().items() if key not in of_overlap}


def test_rows_without_labels_are_not_enough(spark):
    with pytest.raises(InputError, match=r'^column "label": '):
        on_spark.evaluate(spark.createDataFrame(arrow()).where("label is null"), metrics="accuracy")
