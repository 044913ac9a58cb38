"""Adapt a black-box classifier: one weight per class, so that your metric is maximised.

>>> import numpy as np
>>> from cwplugin import ClassWeightPlugin
>>> P = np.array([[0.9, 0.1], [0.7, 0.3], [0.6, 0.4], [0.2, 0.8]] * 10)
>>> y = np.array(["ham", "spam", "spam", "spam"] * 10)
>>> plugin = ClassWeightPlugin(metric="macro-f1").fit(P, y)
>>> plugin.predict([[0.65, 0.35]])
array(['spam'], dtype='<U4')

Submodules and dependencies are imported on first use: ``import cwplugin`` takes milliseconds.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cwplugin import elicit as elicit
    from cwplugin import plot as plot
    from cwplugin import spark as spark
    from cwplugin._compare import compare as compare

    __version__: str
    from cwplugin._errors import FitWarning as FitWarning
    from cwplugin._errors import InputError as InputError
    from cwplugin._evaluate import Evaluation as Evaluation
    from cwplugin._evaluate import evaluate as evaluate
    from cwplugin._metrics import Cost as Cost
    from cwplugin._metrics import LinearFractional as LinearFractional
    from cwplugin._metrics import method_names as method_names
    from cwplugin._metrics import metric_names as metric_names
    from cwplugin._model import Model as Model
    from cwplugin._replies import Replies as Replies
    from cwplugin._replies import read_replies as read_replies
    from cwplugin._statistics import Statistics as Statistics
    from cwplugin.classifier import PluginClassifierCV as PluginClassifierCV
    from cwplugin.plugin import ClassWeightPlugin as ClassWeightPlugin
    from cwplugin.report import Report as Report

#: The module of each name.
_MODULE_OF = {
    "ClassWeightPlugin": "plugin",
    "PluginClassifierCV": "classifier",
    "Model": "_model",
    "Statistics": "_statistics",
    "Report": "report",
    "Evaluation": "_evaluate",
    "evaluate": "_evaluate",
    "Replies": "_replies",
    "read_replies": "_replies",
    "compare": "_compare",
    "Cost": "_metrics",
    "LinearFractional": "_metrics",
    "metric_names": "_metrics",
    "method_names": "_metrics",
    "InputError": "_errors",
    "FitWarning": "_errors",
}
_MODULES = ("elicit", "plot", "spark")

__all__ = [
    "ClassWeightPlugin",
    "Cost",
    "Evaluation",
    "FitWarning",
    "InputError",
    "LinearFractional",
    "Model",
    "PluginClassifierCV",
    "Replies",
    "Report",
    "Statistics",
    "__version__",
    "compare",
    "elicit",
    "evaluate",
    "method_names",
    "metric_names",
    "plot",
    "read_replies",
    "spark",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"cwplugin.{name}")
    if name == "__version__":
        return importlib.import_module("cwplugin._core").VERSION
    if name in _MODULE_OF:
        value = getattr(importlib.import_module(f"cwplugin.{_MODULE_OF[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'cwplugin' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
