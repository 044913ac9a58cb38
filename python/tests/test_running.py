"""Long work: threads, Ctrl-C, progress, and what an import costs."""

from __future__ import annotations

import json
import multiprocessing
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
import warnings

import numpy as np
import pytest
from support import black_box

import cwplugin
from cwplugin import ClassWeightPlugin, FitWarning, InputError, compare, evaluate


def python(code: str) -> str:
    """What a fresh interpreter prints."""
    paths = os.pathsep.join(sys.path)
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": paths},
    )
    return done.stdout


def test_an_import_brings_nothing_heavy_along():
    code = "import json, sys, cwplugin; print(json.dumps([name.split('.')[0] for name in sys.modules]))"
    brought = set(json.loads(python(code))) - set(json.loads(python(code.replace(", cwplugin", ""))))
    assert brought - sys.stdlib_module_names == {"cwplugin"}
    code = "import sys, cwplugin; cwplugin.Model(['a', 'b'], [1, 2]).apply([[0.5, 0.5]]); print(sorted(sys.modules))"
    modules = python(code)
    for heavy in ("sklearn", "pandas", "matplotlib", "scipy", "polars", "pyarrow"):
        assert f"'{heavy}'" not in modules


def test_every_public_name_is_there():
    for name in cwplugin.__all__:
        assert getattr(cwplugin, name) is not None
    assert set(dir(cwplugin)) == set(cwplugin.__all__)
    with pytest.raises(AttributeError, match="no attribute"):
        _ = cwplugin.nothing
    assert cwplugin.__version__.count(".") == 2


INTERRUPTED = """
import signal, sys, time
import numpy as np
from cwplugin import ClassWeightPlugin
from support import black_box

signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever started this may not want to be interrupted

def slow(confusion):
    time.sleep(0.002)
    return float(np.trace(confusion) / confusion.sum())

metric, rows = {"function": (slow, 200), "built in": ("macro-f1", 50_000)}[sys.argv[1]]
P, y = black_box(rows, 4)
plugin = ClassWeightPlugin(metric, method="bagged", n_bootstrap=100_000)
print("ready", flush=True)
try:
    plugin.fit(P, y)
except KeyboardInterrupt:
    assert not hasattr(plugin, "model_")
    print(ClassWeightPlugin(method="ascent").fit(P[:100], y[:100]).weights_.shape)  # and the next one works
"""


@pytest.mark.parametrize("metric", ["function", "built in"])
def test_ctrl_c_ends_a_long_fit(metric):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", INTERRUPTED, metric]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as child:
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.5)
        child.send_signal(signal.SIGINT)
        try:
            rest, _ = child.communicate(timeout=60)  # the fit alone would take hours
        except subprocess.TimeoutExpired:
            child.kill()
            raise
    assert rest == "(4,)\n"


def test_other_threads_run_while_a_fit_does():
    P, y = black_box(200_000, 6)
    ticks, is_done = [], threading.Event()

    def tick():
        while not is_done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    ticker = threading.Thread(target=tick)
    ticker.start()
    begun = time.monotonic()
    ClassWeightPlugin(method="ascent").fit(P, y)
    ended = time.monotonic()
    is_done.set()
    ticker.join()
    during = [moment for moment in ticks if begun < moment < ended]
    assert len(during) > 3, f"{len(during)} ticks in {ended - begun:.2f} s: the lock was held"


def test_several_fits_at_once_give_what_one_gives():
    P, y = black_box(300, 3)
    expected = ClassWeightPlugin().fit(P, y).model_.to_json()
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(ClassWeightPlugin().fit(P, y).model_.to_json())) for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 6


@pytest.mark.parametrize("n_jobs", [1, 2, 5, -1])
def test_the_number_of_threads_changes_nothing(n_jobs):
    P, y = black_box(400, 5)
    for method in ("auto", "bagged", "ascent"):
        expected = ClassWeightPlugin(method=method).fit(P, y).model_.to_json()
        assert ClassWeightPlugin(method=method, n_jobs=n_jobs).fit(P, y).model_.to_json() == expected


def fit_in_child(queue, P, y):
    queue.put(ClassWeightPlugin(method="bagged").fit(P, y).model_.to_json())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_forked_child_fits_too():
    P, y = black_box(50_000, 3)
    expected = ClassWeightPlugin(method="bagged").fit(P, y).model_.to_json()
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    with warnings.catch_warnings(action="ignore"):
        child = context.Process(target=fit_in_child, args=(queue, P, y))
        child.start()
    assert queue.get(timeout=120) == expected
    child.join(timeout=30)
    assert child.exitcode == 0


def test_verbose_tells_how_far_it_is(capfd):
    P, y = black_box(14, 3)

    def slow(confusion):
        time.sleep(0.003)
        return float(np.trace(confusion) / confusion.sum())

    ClassWeightPlugin(slow, method="ascent", verbose=1).fit(P, y)
    said = capfd.readouterr().err
    lines = [re.fullmatch(r"\[cwplugin\] (tuning|ascending): (\d+)%, \d+ s", line) for line in said.splitlines()]
    assert all(lines), said
    assert any(0 < int(line[2]) <= 100 for line in lines), said
    ClassWeightPlugin(slow, method="ascent").fit(P[:5], y[:5])
    assert capfd.readouterr().err == ""


def test_an_error_of_the_users_function_comes_through_whole():
    P, y = black_box(100, 3)

    class OutOfMoneyError(Exception):
        pass

    def broken(confusion):
        raise OutOfMoneyError("no answer")

    for call in (
        lambda: ClassWeightPlugin(broken).fit(P, y),
        lambda: ClassWeightPlugin(broken, method="cwplugin", n_jobs=1).fit(P, y),
        lambda: evaluate(P, y, metrics=broken),
        lambda: compare(P, y, metrics=broken, methods=["ascent"], sizes=[20]),
    ):
        with pytest.raises(OutOfMoneyError, match="no answer"):
            call()
    with pytest.raises(TypeError):
        ClassWeightPlugin(lambda confusion: "much").fit(P, y)
    with pytest.raises(InputError, match="is NaN, not a finite number"):
        ClassWeightPlugin(lambda confusion: float("nan")).fit(P, y)


def test_a_function_sees_all_classes_and_truth_by_row():
    P, y = black_box(80, 3)
    shapes, totals = set(), []

    def look(confusion):
        shapes.add((confusion.shape, confusion.dtype.name))
        totals.append(confusion.sum(axis=1).tolist())
        return float(np.trace(confusion) / confusion.sum())

    ClassWeightPlugin(look, method="cwplugin").fit(P, y)
    assert shapes == {((3, 3), "float64")}
    assert [float((y == k).sum()) for k in range(3)] in totals


def test_warnings_are_in_the_report_and_serious_ones_are_raised():
    P, y = black_box(60, 3)
    with pytest.warns(FitWarning, match="2 of 2 are violated"):
        plugin = ClassWeightPlugin(method="ascent", subject_to=["precision:1>=1", "recall:1>=1"]).fit(P, y)
    assert "unmet" in {warning.kind for warning in plugin.report_.warnings}
    assert not any(status.is_met for status in plugin.report_.constraints)


def test_reports_read_well_in_notebooks_and_hide_no_markup():
    P, y = black_box(300, 3, labels=["<script>alert(1)</script>", "b", "c"])
    for settings in (
        {},
        {"method": "cwplugin"},
        {"method": "bagged"},
        {"learning_curve": True, "subject_to": ["recall:b>=0.5"]},
    ):
        report = ClassWeightPlugin(**settings).fit(P, y).report_
        page = report._repr_html_()
        assert "<script>" not in page
        assert "&lt;script&gt;" in page
        assert page.count("<table>") == page.count("</table>") > 0
        assert report.headline in str(report)
        assert pickle.loads(pickle.dumps(report)) == report
    page = evaluate(P[150:], y[150:], ClassWeightPlugin(method="ascent").fit(P[:150], y[:150]))._repr_html_()
    assert page.count("<tr>") == 15


def test_an_evaluation_on_fitted_rows_is_warned_about():
    P, y = black_box(300, 3)
    plugin = ClassWeightPlugin().fit(P[:200], y[:200])
    with pytest.warns(FitWarning, match="^the model was fitted on all of these rows"):
        found = evaluate(P[:200], y[:200], plugin, metrics="accuracy")
    assert found.overlap == 1.0
    assert evaluate(P[200:], y[200:], plugin, metrics="accuracy").overlap is None
    chosen = [one.method for one in plugin.report_.candidates if one.standing == "chosen"]
    assert chosen == [plugin.report_.chosen]
    assert plugin.report_.explanation in str(plugin.report_)


def test_probabilities_that_only_name_a_class_are_warned_about():
    P = np.array([[0.9, 0.1], [0.1, 0.9], [0.9, 0.1], [0.9, 0.1]] * 10)
    y = np.array(["a", "b", "b", "a"] * 10)
    with pytest.warns(FitWarning, match="^the probabilities have at most two different values"):
        ClassWeightPlugin(method="ascent").fit(P, y)
    with pytest.warns(FitWarning, match="^every probability is 0 or 1"):
        ClassWeightPlugin(method="ascent").fit(P.round(), y)


def test_errors_survive_a_trip_between_processes():
    error = pickle.loads(pickle.dumps(InputError("row 3: wrong", 2, "p_a")))
    assert (str(error), error.row, error.column) == ("row 3: wrong", 2, "p_a")


def test_seeds_of_every_kind():
    P, y = black_box(200, 3)

    def fit(seed):
        return ClassWeightPlugin(method="bagged", random_state=seed).fit(P, y).model_.to_json()

    assert fit(None) == fit(0) == fit(np.int64(0)) != fit(1)
    assert fit(np.random.default_rng(3)) == fit(np.random.default_rng(3))
    assert fit(np.random.RandomState(3)) == fit(np.random.RandomState(3))
    with pytest.raises(TypeError, match="random_state"):
        fit("seed")
