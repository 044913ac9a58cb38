"""Where the figures were taken: a time without its machine and versions says little."""

import os
import platform
import subprocess
from importlib.metadata import version
from pathlib import Path

import ours

PACKAGES = (
    "numpy",
    "scikit-learn",
    "scipy",
    "optimal-classification-cutoffs",
    "numba",
    "pyarrow",
    "pandas",
    "duckdb",
    "polars",
)


def machine() -> dict[str, str | int | float]:
    """Processor, cores and memory, as Linux reports them."""
    processor = field(Path("/proc/cpuinfo"), "model name")
    kilobytes = int(field(Path("/proc/meminfo"), "MemTotal").split()[0])
    return {
        "processor": processor,
        "cores": len(os.sched_getaffinity(0)),
        "memory_gib": round(kilobytes / 2**20, 1),
        "system": f"{platform.system()} {platform.machine()}",
    }


def versions() -> dict[str, str]:
    """Of everything that is timed, and of what compiled or runs it."""
    found = {"cwplugin": ours.version().split()[-1], "rustc": ours.output("rustc", "--version").split()[1]}
    return {**found, "Python": platform.python_version(), **{name: version(name) for name in PACKAGES}}


def commit() -> str:
    """The commit that was measured, marked if files differed from it."""

    def git(*arguments: str) -> str:
        return subprocess.run(
            ["git", "-C", str(ours.ROOT), *arguments], capture_output=True, text=True, check=False
        ).stdout.strip()

    name = git("rev-parse", "--short=10", "HEAD") or "unknown"
    return f"{name} with changes" if git("status", "--porcelain", "--untracked-files=no") else name


def field(path: Path, name: str) -> str:
    """One `name: value` of a file in /proc."""
    for line in path.read_text().splitlines():
        key, _, value = line.partition(":")
        if key.strip() == name:
            return value.strip()
    return "unknown"
