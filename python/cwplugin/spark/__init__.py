"""Fit, apply and evaluate on the executors of Apache Spark.

>>> from cwplugin import spark  # doctest: +SKIP
>>> model = spark.fit(df, label="label", metric="macro-f1")  # doctest: +SKIP
>>> spark.apply(df, model).show()  # doctest: +SKIP

Executors send counters, not rows. A model has the same bytes as that of the program on the same rows, whatever the
partitions. :class:`ClassWeightPlugin` is an estimator for pipelines.
"""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cwplugin.spark.ml import ClassWeightPlugin as ClassWeightPlugin
    from cwplugin.spark.ml import ClassWeightPluginModel as ClassWeightPluginModel

if importlib.util.find_spec("pyspark") is None or importlib.util.find_spec("pyarrow") is None:
    raise ImportError("cwplugin.spark needs PySpark and pyarrow\n  hint: pip install 'cwplugin[spark]'")

from cwplugin.spark._apply import apply
from cwplugin.spark._evaluate import evaluate
from cwplugin.spark._fit import fit

__all__ = ["ClassWeightPlugin", "ClassWeightPluginModel", "apply", "evaluate", "fit"]


def __getattr__(name: str) -> Any:
    if name in ("ClassWeightPlugin", "ClassWeightPluginModel"):  # not needed on executors
        from cwplugin.spark import ml

        return getattr(ml, name)
    raise AttributeError(f"module 'cwplugin.spark' has no attribute {name!r}")
