"""Overhead of the Python package over the same calls from Rust, in one run, and docs/benchmarks-python.md.

    python benches/python.py [--quick] [WHEEL]

`make bench-python` builds the wheel with optimisation, installs it and runs this. Every figure is a ratio or a difference of
medians over runs that take turns, since these machines are noisy.
"""

import argparse
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from cwplugin import ClassWeightPlugin, Model, _core, _labels, _rows

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks-python.md"


def black_box(n: int, m: int) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities of a black box that is too fond of the first class, and labels."""
    rng = np.random.default_rng(0)
    truth = rng.integers(m, size=n)
    P = rng.random((n, m)) + 0.6 * np.eye(m)[truth]
    P[:, 0] += 0.3
    return P / P.sum(axis=1, keepdims=True), truth


def turns(ours: Callable[[], float], theirs: Callable[[], float], runs: int) -> tuple[list[float], list[float]]:
    """Seconds of both, one after the other; the first turn warms up."""
    ours(), theirs()
    both = [(ours(), theirs()) for _ in range(runs)]
    return [one for one, _ in both], [other for _, other in both]


def seconds(call: Callable[[], object]) -> float:
    """Seconds of a call."""
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun


def rows(P: np.ndarray, y: np.ndarray | None) -> _rows.Rows:
    """What the Rust side is given."""
    names = [str(k) for k in range(P.shape[1])]
    return _rows.Rows(P, names, labels=None if y is None else _labels.encode(y, np.arange(P.shape[1])))


def measure(n: int, m: int, method: str, runs: int) -> list[str]:
    """A line of the table for a fit and one for a prediction."""
    P, y = black_box(n, m)
    plugin = ClassWeightPlugin(method=method)
    wish = plugin._request(np.arange(m))
    fits = turns(lambda: seconds(lambda: plugin.fit(P, y)), lambda: _core._time_fit(rows(P, y), wish), runs)
    core = plugin.fit(P, y).model_._core
    predictions = turns(lambda: seconds(lambda: plugin.predict(P)), lambda: _core._time_predict(rows(P, None), core), runs)
    lines = []
    for what, (ours, theirs) in ((f"fit, {method}", fits), ("predict", predictions)):
        one, other = statistics.median(ours), statistics.median(theirs)
        ratio = statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
        beyond = f"{1e6 * (one - other):+.0f} µs"
        lines.append(f"| {what} | {n:,} × {m} | {1e3 * one:.2f} ms | {1e3 * other:.2f} ms | {ratio:.2f} | {beyond} |")
    return lines


def small(runs: int) -> str:
    """A line for the smallest call: ten rows with an existing model."""
    P, _ = black_box(10, 3)
    model = Model(["a", "b", "c"], [1, 2, 3])
    ours, theirs = turns(
        lambda: seconds(lambda: model.apply(P)), lambda: _core._time_predict(rows(P, None), model._core), runs
    )
    one, other = statistics.median(ours), statistics.median(theirs)
    beyond = f"{1e6 * (one - other):+.0f} µs"
    return f"| `Model.apply` | 10 × 3 | {1e3 * one:.4f} ms | {1e3 * other:.4f} ms | | {beyond} |"


def import_milliseconds(runs: int) -> tuple[float, float]:
    """Milliseconds of `import cwplugin`, and of an import with the estimators."""

    def median(code: str) -> float:
        timed = f"import time; begun = time.perf_counter(); {code}; print(time.perf_counter() - begun)"
        found = [float(subprocess.run([sys.executable, "-c", timed], capture_output=True, text=True, check=True).stdout)
                 for _ in range(runs)]
        return 1e3 * statistics.median(found)

    return median("import cwplugin"), median("from cwplugin import ClassWeightPlugin")


def main() -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser()
    parser.add_argument("wheel", nargs="?", type=Path)
    parser.add_argument("--quick", action="store_true", help="small sizes, and no page")
    arguments = parser.parse_args()
    runs = 3 if arguments.quick else 15
    sizes = [(1_000, 10, "cwplugin")] if arguments.quick else [
        (100, 3, "cwplugin"), (1_000, 10, "cwplugin"), (100_000, 10, "cwplugin"), (1_000_000, 10, "cwplugin"),
        (1_000_000, 10, "ascent"),
    ]
    lines = [small(20 * runs)]
    for n, m, method in sizes:
        lines += measure(n, m, method, runs if n < 1_000_000 else max(5, runs // 2))
    bare, whole = import_milliseconds(runs)
    size = "" if arguments.wheel is None else f"The wheel has {arguments.wheel.stat().st_size / 1e6:.1f} MB.\n"
    page = f"""# Overhead of the Python package

Calls of the Python package compared with the same calls of the Rust library, in one run. `make bench-python` measures this and
writes the page. Both start with numbers in memory, check them, and end with a model or with classes. Rust has probabilities in its own
memory and labels as indices; Python has a C-contiguous float64 array and int64 labels. Medians of alternating runs.

| call | rows × classes | Python | Rust | ratio | overhead |
| --- | --- | ---: | ---: | ---: | ---: |
{chr(10).join(lines)}

`import cwplugin` takes {bare:.0f} ms (with a warm interpreter) and imports only the standard library. The first use of an
estimator also imports scikit-learn: {whole:.0f} ms. {size}
Python {platform.python_version()}, NumPy {np.__version__}, {platform.machine()}, 2 threads.
"""
    print(page)
    if not arguments.quick:
        PAGE.write_text(page)


if __name__ == "__main__":
    main()
