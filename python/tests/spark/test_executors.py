"""Executors come and go, have one processor for a task, and need no pandas."""

from __future__ import annotations

import importlib
import os
import signal
import threading
import time

import pyarrow as pa
import pytest
from counting import parent, start
from pyspark.sql import functions
from tables import N, arrow

from cwplugin import spark as on_spark
from cwplugin.spark import _columns, _passes


@pytest.mark.parametrize("partitions", [3, 70])
def test_any_counter_counts_on_one_thread_wherever_it_is_merged(spark, partitions):
    frame = spark.createDataFrame(arrow()).repartition(partitions, "id")
    found = _columns.find(frame, label="label")
    counted = _passes.count(frame, found.projected(frame), found.reading, start, skips_bad=False)
    assert [(counter.rows, counter.threads) for counter in counted.counters] == [(N, {1}), (N, {1})]


def test_executors_have_no_pandas(spark):
    def look(batches):
        try:
            importlib.import_module("pandas")
        except ImportError as error:
            yield pa.record_batch({"text": [str(error)]})
        yield from ()

    lines = spark.range(2).mapInArrow(look, "text string").collect()
    assert {line["text"] for line in lines} == {"executors must do without pandas"}


def executors(spark) -> dict[str, bool]:
    """Every executor there was, and whether it is alive."""
    listed = spark.sparkContext._jsc.sc().statusStore().executorList(False)
    every = [listed.apply(place) for place in range(listed.length())]
    return {one.id(): one.isActive() for one in every if one.id() != "driver"}


def test_an_executor_that_is_killed_changes_nothing(spark, tmp_path):
    frame = spark.createDataFrame(arrow()).repartition(6, "id")
    expected = on_spark.fit(frame, metric="mcc", weight="w").to_json()
    before = executors(spark)
    told = str(tmp_path / "pid")

    @functions.udf("double")
    def slowly(value):
        if not os.path.exists(told):
            with open(f"{told}.{os.getpid()}", "w") as file:
                file.write(str(parent(parent(os.getpid()))))
            os.replace(f"{told}.{os.getpid()}", told)
        time.sleep(0.02)
        return value

    killed = []

    def kill() -> None:
        while not os.path.exists(told):
            time.sleep(0.05)
        with open(told) as file:
            pid = int(file.read())
        with open(f"/proc/{pid}/cmdline") as file:
            assert "CoarseGrainedExecutorBackend" in file.read()
        os.kill(pid, signal.SIGKILL)
        killed.append(pid)

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    slow = frame.withColumn("p_joy", slowly("p_joy"))
    assert on_spark.fit(slow, metric="mcc", weight="w").to_json() == expected
    killer.join(timeout=5)
    assert len(killed) == 1
    end = time.monotonic() + 60
    while time.monotonic() < end:
        after = executors(spark)
        if len(set(after) - set(before)) == 1 and sum(after.values()) == 2:
            break
        time.sleep(0.2)
    lost = [one for one in before if not after[one] and before[one]]
    assert len(lost) == 1
    assert len(set(after) - set(before)) == 1
