"""The part of docs/benchmarks.md on whole commands: which goals are met, and the figures."""

from collections.abc import Sequence
from typing import Any

from tables import milliseconds, table, times

START_GOAL = 5e-3  # seconds
# The process of the peer takes so much, at most.
FIT_GOALS = {"npy": 0.7, "npz": 0.7, "parquet": 0.5, "csv": 0.4}
# The peers are slower by this factor, at least.
TABLE_GOALS = {"csv": 2.0, "parquet": 1.0, "arrow": 1.0}
NAMES = {"npy": "NPY", "npz": "NPZ", "parquet": "Parquet", "csv": "CSV", "arrow": "Arrow IPC"}
PEERS = {"numpy": "numpy", "pandas": "pandas + numpy", "duckdb": "DuckDB", "polars": "polars"}


def commands(results: dict[str, Any]) -> str:
    """Start-up; fits of every format; `apply` and `eval` on tables."""
    measured = results["processes"]
    few = f"`fit` of {measured['few_rows']} rows (NPZ)"
    starts = [(measured["start"][task]["wall"], name) for task, name in (("version", "`--version`"), ("fit", few))]
    start = [(name, milliseconds(wall), f"≤ {1e3 * START_GOAL:g} ms", met(wall <= START_GOAL)) for wall, name in starts]
    fits = [fit_line(name, measured["fit"][name], goal) for name, goal in FIT_GOALS.items()]
    heads = ["`fit`", "ms", "peer", "its ms", "ratio", "goal", "met", "peak MB", "its peak MB"]
    lines = [
        table_line(command, name, peer, measured[command][name])
        for command in ("apply", "eval")
        for name in TABLE_GOALS
        for peer in ("duckdb", "polars")
    ]
    faster = ["command", "ms", "peer", "its ms", "faster by", "goal", "met", "peak MB", "its peak MB"]
    return "\n\n".join(
        [
            table(["start-up", "ms", "goal", "met"], start),
            f"{measured['rows']:,} rows:",
            table(heads, fits),
            table(faster, lines),
        ]
    )


def fit_line(name: str, cells: dict[str, Any], goal: float) -> Sequence[str]:
    """Our time as a multiple of the peer's."""
    own, other = cells["ours"], cells["theirs"]
    ratio = own["wall"] / other["wall"]
    return (
        NAMES[name],
        *both(own, PEERS[cells["peer"]], other),
        times(ratio),
        f"≤ {goal:g} ×",
        met(ratio <= goal),
        *peaks(own, other),
    )


def table_line(command: str, name: str, peer: str, cells: dict[str, Any]) -> Sequence[str]:
    """The peer's time as a multiple of ours."""
    own, other = cells["ours"], cells[peer]
    ratio, goal = other["wall"] / own["wall"], TABLE_GOALS[name]
    what = f"`{command}`, {NAMES[name]}"
    return what, *both(own, PEERS[peer], other), times(ratio), f"≥ {goal:g} ×", met(ratio >= goal), *peaks(own, other)


def both(own: dict[str, float], peer: str, other: dict[str, float]) -> Sequence[str]:
    """Both times, with the name of the peer between them."""
    return milliseconds(own["wall"]), peer, milliseconds(other["wall"])


def peaks(own: dict[str, float], other: dict[str, float]) -> Sequence[str]:
    """The largest resident memory of both, in MB."""
    return tuple(f"{cell['peak'] / 1e6:,.0f}" for cell in (own, other))


def met(is_met: bool) -> str:
    """Whether a goal is met."""
    return "yes" if is_met else "no"
