"""One session of Spark in a process of its own: what its start costs, and every job on the rows.

    python benches/spark_jobs.py EXECUTORS RUNS FOLDER

`benches/spark.py` calls it; it prints one JSON document.
"""

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

import pyarrow as pa
import pyspark
from cwplugin import Model
from cwplugin import spark as on_spark
from pyspark.sql import DataFrame, SparkSession

from spark_processes import executor_seconds
from spark_rows import CLASSES, FEW, LARGE, REFERENCE

MEMORY = 2048  # MiB of an executor
ONE_RUN_IS_ENOUGH = 20.0  # seconds


def main() -> None:
    """Start, warm up, measure."""
    executors, runs, folder = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    with tempfile.TemporaryDirectory(dir=folder, ignore_cleanup_errors=True) as local:
        begun = time.perf_counter()
        session = start(executors, local)
        started = time.perf_counter()
        few = session.read.parquet(str(folder / FEW)).repartition(executors)
        model = on_spark.fit(few, reference=f"class:{REFERENCE}")
        on_spark.evaluate(few, model, metrics="macro-f1")
        discard(on_spark.apply(few, model))
        warm = time.perf_counter()
        found = measure(session, session.read.parquet(str(folder / LARGE)), model, runs)
        session.stop()
    print(json.dumps({"start": started - begun, "first": warm - started, **found}))


def start(executors: int, local: str) -> SparkSession:
    """A cluster on this machine: every executor is a process of its own with one processor."""
    os.environ["SPARK_HOME"] = os.path.dirname(pyspark.__file__)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    settings = {
        "spark.driver.host": "127.0.0.1",
        "spark.executor.memory": f"{MEMORY}m",
        "spark.local.dir": local,
        "spark.log.level": "ERROR",
        "spark.sql.warehouse.dir": f"{local}/warehouse",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    if "PYTHONPATH" in os.environ:
        settings["spark.executorEnv.PYTHONPATH"] = os.environ["PYTHONPATH"]
    builder = SparkSession.builder.master(f"local-cluster[{executors},1,{MEMORY}]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def measure(session: SparkSession, frame: DataFrame, model: Model, runs: int) -> dict[str, Any]:
    """Every job, in turns, and what was fitted; ``model`` is any one to predict with."""
    models: dict[str, str] = {}

    def fit(name: str, score: bool) -> None:
        models[name] = on_spark.fit(frame, reference=f"class:{REFERENCE}", score=score).to_json()

    def evaluate() -> None:
        on_spark.evaluate(frame, model, metrics="macro-f1")

    read = frame.select(*(f"p_{k}" for k in range(CLASSES)), "label")
    jobs: dict[str, Callable[[], object]] = {
        "read": lambda: discard(read),
        "arrow": lambda: read.mapInArrow(count_rows, "n long").collect(),
        "fit": lambda: fit("fit", score=False),
        "scored": lambda: fit("scored", score=True),
        "evaluate": evaluate,
        "apply": lambda: discard(on_spark.apply(frame, model)),
    }
    discard(read.limit(1000))
    taken: dict[str, list[dict[str, float]]] = {name: [] for name in jobs}
    for _ in range(runs):
        for name, job in jobs.items():
            if not any(one["wall"] > ONE_RUN_IS_ENOUGH for one in taken[name]):
                taken[name].append(timed(session, job))
    medians = {
        name: {key: median(one[key] for one in some) for key in some[0]} | {"runs": len(some)}
        for name, some in taken.items()
    }
    return {"jobs": medians, "models": models}


def discard(frame: DataFrame) -> None:
    """Compute all rows, and keep none."""
    frame.write.format("noop").mode("overwrite").save()


def count_rows(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """All that Python has to do to see the rows."""
    yield pa.record_batch({"n": [sum(batch.num_rows for batch in batches)]})


def timed(session: SparkSession, job: Callable[[], object]) -> dict[str, float]:
    """Seconds of a job, of all executors too, and the bytes that leave them."""
    before, cpu = len(stages(session)), executor_seconds()
    begun = time.perf_counter()
    job()
    wall = time.perf_counter() - begun
    cpu = executor_seconds() - cpu
    ended = stages(session)
    new = ended[: len(ended) - before]  # the latest come first
    return {
        "wall": wall,
        "cpu": cpu,
        "tasks": sum(one.numTasks() for one in new),
        "shuffled": sum(one.shuffleWriteBytes() for one in new),
        "collected": sum(one.resultSize() for one in new),
    }


def stages(session: SparkSession) -> list[Any]:
    """What Spark itself noted down of every stage so far."""
    context = session.sparkContext
    context._jsc.sc().listenerBus().waitUntilEmpty()
    jvm = context._jvm
    assert jvm is not None
    nothing = context._gateway.new_array(jvm.double, 0)
    listed = context._jsc.sc().statusStore().stageList(None, False, False, nothing, jvm.java.util.ArrayList())
    return [listed.apply(place) for place in range(listed.length())]


if __name__ == "__main__":
    main()
