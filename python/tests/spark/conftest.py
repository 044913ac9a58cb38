"""One session of Spark for all tests: two executors, each a process of its own."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))  # program.py and support.py

#: What executors find before anything that is installed.
WITHOUT_PANDAS = 'raise ImportError("executors must do without pandas")\n'


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    pyspark = pytest.importorskip("pyspark", reason="pyspark is missing: python/requirements-test.txt has it")
    java = Path(os.environ.get("JAVA_HOME", "/nowhere")) / "bin/java"
    if shutil.which("java") is None and not java.exists():
        pytest.skip("Java is missing: Spark needs Java 17 or newer")
    os.environ["SPARK_HOME"] = os.path.dirname(pyspark.__file__)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    folder = tmp_path_factory.mktemp("spark")
    (folder / "executors").mkdir()
    (folder / "executors" / "pandas.py").write_text(WITHOUT_PANDAS)
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local-cluster[2,1,1024]")
    settings = {
        "spark.driver.host": "127.0.0.1",
        # Jobs of a few rows are done before a compiler or another plan has made them faster.
        "spark.executor.extraJavaOptions": "-XX:TieredStopAtLevel=1",
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        "spark.sql.adaptive.enabled": "false",
        "spark.locality.wait": "0s",  # both executors are near to everything
        "spark.ui.enabled": "false",
        "spark.task.maxFailures": "2",  # a bad row stays bad; a lost executor is one failure
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.executorEnv.PYTHONPATH": os.pathsep.join(
            [str(folder / "executors"), str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])]
        ),
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.local.dir": str(folder),
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()
