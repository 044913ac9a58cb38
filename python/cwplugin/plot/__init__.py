"""Pictures of what a fit changed, found and doubts, drawn with matplotlib as scikit-learn's displays are.

Every display has ``from_estimator`` and ``from_predictions``, keeps the numbers that it shows, and can be drawn again
with ``plot``. A display of several panels takes an ``ax`` in whose place they are drawn, or one axes per panel.

* :class:`ConfusionChangeDisplay`: who is taken for whom, before and after.
* :class:`AlphaCurveDisplay`: the metric against the one number per class that Algorithm 1 searches.
* :class:`WeightsDisplay`: the weights, and how far other labels would have moved them.
* :class:`LearningCurveDisplay`: what more labels would bring.

matplotlib is imported when a picture is drawn: ``pip install "cwplugin[plot]"``.
"""

from __future__ import annotations

from cwplugin.plot._alpha import AlphaCurveDisplay
from cwplugin.plot._confusion import ConfusionChangeDisplay
from cwplugin.plot._curves import AlphaCurve
from cwplugin.plot._learning import LearningCurveDisplay
from cwplugin.plot._weights import WeightsDisplay

__all__ = [
    "AlphaCurve",
    "AlphaCurveDisplay",
    "ConfusionChangeDisplay",
    "LearningCurveDisplay",
    "WeightsDisplay",
]
