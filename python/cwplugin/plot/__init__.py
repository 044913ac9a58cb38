"""Plots of fits, drawn with matplotlib like scikit-learn's displays.

Every display has ``from_estimator`` and ``from_predictions``, keeps its numbers, and can be drawn again with ``plot``.
A display of several panels takes one ``ax`` to replace, or one axes per panel.

* :class:`ConfusionChangeDisplay`: confusion matrices before and after.
* :class:`AlphaCurveDisplay`: the metric against α, the number that Algorithm 1 searches for each class.
* :class:`WeightsDisplay`: the weights, and their range over refits on bootstrap samples.
* :class:`LearningCurveDisplay`: the gain against the number of labels.

matplotlib is imported when a plot is drawn: ``pip install "cwplugin[plot]"``.
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
