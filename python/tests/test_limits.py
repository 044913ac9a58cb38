"""A model's limits are looked at again on other rows."""

import numpy as np

from cwplugin import ClassWeightPlugin, evaluate


def test_an_evaluation_says_whether_the_limits_hold():
    rng = np.random.default_rng(0)
    table = rng.dirichlet(np.ones(2), 400)
    labels = np.where(rng.random(400) < table[:, 0], "a", "b")
    plugin = ClassWeightPlugin(method="ascent", subject_to="precision:a>=0.8").fit(table[:200], labels[:200])
    found = evaluate(table[200:], labels[200:], plugin, metrics="precision:a")
    (limit,) = found.constraints
    assert limit.constraint == "precision:a>=0.8"
    assert limit.value == found.metrics["precision:a"].fitted.value
    assert f"precision:a>=0.8: {limit.value:.4f} on these rows" in str(found)
    assert evaluate(table, labels, metrics="precision:a").constraints == ()
