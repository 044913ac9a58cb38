"""The constraints of a model are evaluated on other rows."""

import numpy as np

from cwplugin import ClassWeightPlugin, evaluate


def test_an_evaluation_has_the_status_of_the_constraints():
    rng = np.random.default_rng(0)
    table = rng.dirichlet(np.ones(2), 400)
    labels = np.where(rng.random(400) < table[:, 0], "a", "b")
    plugin = ClassWeightPlugin(method="ascent", subject_to="precision:a>=0.8").fit(table[:200], labels[:200])
    found = evaluate(table[200:], labels[200:], plugin, metrics="precision:a")
    (status,) = found.constraints
    assert status.constraint == "precision:a>=0.8"
    assert status.value == found.metrics["precision:a"].fitted.value
    assert status.is_met == (status.value >= 0.8)
    assert f"precision:a>=0.8: {status.value:.4f} on these rows" in str(found)
    assert evaluate(table, labels, metrics="precision:a").constraints == ()
