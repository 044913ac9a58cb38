"""Processor time of the executors of Spark and of their Python workers, as Linux counts it."""

import os
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
EXECUTOR = "CoarseGrainedExecutorBackend"


def executor_seconds() -> float:
    """Seconds of all executors that this process started, whoever of their workers is still there."""
    found = {int(one.name): stat(one) for one in Path("/proc").iterdir() if one.name.isdigit()}
    children: dict[int, list[int]] = {}
    for pid, fields in found.items():
        if fields:
            children.setdefault(int(fields[1]), []).append(pid)
    ours = below(os.getpid(), children)
    executors = [pid for pid in ours if EXECUTOR in command(pid)]
    theirs = {pid for executor in executors for pid in [executor, *below(executor, children)]}
    # Time of the process itself, and of its children that have ended.
    return sum(int(ticks) for pid in theirs for ticks in found[pid][11:15]) / TICKS


def below(pid: int, children: dict[int, list[int]]) -> list[int]:
    """The children of a process, and theirs."""
    found: list[int] = []
    waiting = [pid]
    while waiting:
        some = children.get(waiting.pop(), [])
        found += some
        waiting += some
    return found


def stat(process: Path) -> list[str]:
    """The fields of a process behind its name: its state, its parent, …; none if it has ended."""
    try:
        return (process / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def command(pid: int) -> str:
    """The command line of a process."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""
