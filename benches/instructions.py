"""Count the instructions of a fit, step by step, and write them into docs/benchmarks.md.

    python benches/instructions.py           `make bench-profile` runs this; it needs valgrind

The loops over rows are inlined into one function, so instructions are counted by source line (callgrind) and summed by
the function that contains the line. Instructions of Rust's standard library (iterators, slices) cannot be assigned to
steps. Counts do not depend on the load of the machine; the times are those of the fastest fit.
"""

import json
import os
import re
import subprocess
import tempfile
from bisect import bisect_right
from collections import Counter
from pathlib import Path

import environment
import ours
import page

RESULTS = ours.ROOT / "benches" / "results.json"
PAGE = ours.ROOT / "docs" / "benchmarks.md"
TARGET = ours.ROOT / "target" / "profile"
EXAMPLE = TARGET / "release" / "examples" / "profile"
SOURCE = ours.ROOT / "crates" / "cwplugin" / "src"
KERNEL = "*run_avx2*"  # one is made for every loop over rows
ROWS = {"grid": 32_768, "exact": 300_000}  # one piece of the matrix; enough rows not to sort them all
LARGE = 4_000_000  # rows that no cache holds

ONE_THREAD = {**os.environ, "RAYON_NUM_THREADS": "1"}
LIBRARY = "standard library, inlined"
STEPS = {
    "kernel.rs:gather": "labels and two probabilities of each row",
    "kernel.rs:count_all": "counters",
    "pairs.rs:map_block": "quotients and indices",
    "pairs.rs": "copying rows of the reference",
    "probabilities.rs": "labels and two probabilities of each row",
    "grid.rs": "quotients and indices",
    "buckets.rs": "quotients and indices",
    "cuts.rs": "quotients and indices",
    "tally.rs": "counters",
    "kernel.rs:count_and_list": "counters",
    "collect.rs": "collecting cuts",
    "count_cuts.rs": "loop over blocks",
}


def main() -> None:
    """Build, count, write."""
    debug = ("--config", "profile.release.debug=1", "--config", "profile.release.strip=false")
    build = ("cargo", "build", "--quiet", "--release", "--locked", "-p", "cwplugin", "--example", "profile")
    subprocess.run([*build, *debug, "--target-dir", TARGET], cwd=ours.ROOT, check=True)
    searches = {}
    for search, rows in ROWS.items():
        steps = {step: count / rows for step, count in count_steps(search, rows).items()}
        whole = (count_all(search, rows, 3) - count_all(search, rows, 1)) / 2 / rows
        times = {str(n): nanoseconds(search, n, repeats) for n, repeats in ((rows, 200), (LARGE, 20))}
        searches[search] = {"rows": rows, "steps": steps, "whole": whole, "ns": times}
    results = json.loads(RESULTS.read_text())
    results["profile"] = {"commit": environment.commit(), "searches": searches}
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")
    page.rebuild(PAGE, PAGE, results)


def count_all(search: str, rows: int, repeats: int) -> int:
    """Instructions of a whole process."""
    done = callgrind("--callgrind-out-file=/dev/null", search=search, rows=rows, repeats=repeats)
    return int(re.search(r"Collected : (\d+)", done)[1])


def count_steps(search: str, rows: int) -> Counter[str]:
    """Instructions of the loops over rows, by step."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        options = (f"--toggle-collect={KERNEL}", "--compress-strings=no", "--compress-pos=no")
        callgrind(*options, f"--callgrind-out-file={out}", search=search, rows=rows, repeats=1)
        lines = out.read_text().splitlines()
    steps: Counter[str] = Counter()
    file, function, is_call = "", "", False
    for line in lines:
        key, _, value = line.partition("=")
        if key in ("fl", "fi", "fe"):
            file = value
        elif key == "fn":
            function = value
        elif key == "calls":
            is_call = True  # the next line is what the call cost inside
        elif cost := re.fullmatch(r"(\d+) (\d+)", line):
            if not is_call:
                steps[step(file, int(cost[1]), function)] += int(cost[2])
            is_call = False
    return steps


def step(file: str, line: int, function: str) -> str:
    """What a line of the source is there for."""
    path = Path(file)
    if path.name == "sse.rs":
        return "prefetching"
    if not path.is_relative_to(SOURCE):
        return LIBRARY if "run_avx2" in function else "calls of other functions"
    texts = enumerate(path.read_text().splitlines(), 1)
    starts = [(i, name[1]) for i, text in texts if (name := re.search(r"\bfn (\w+)", text))]
    before = bisect_right(starts, line, key=lambda start: start[0])
    inside = starts[before - 1][1] if before else ""
    return STEPS.get(f"{path.name}:{inside}") or STEPS.get(path.name, LIBRARY)


def callgrind(*options: str, search: str, rows: int, repeats: int) -> str:
    """What callgrind says of one process."""
    command = ("valgrind", "--tool=callgrind", *options, str(EXAMPLE), search, str(rows), str(repeats))
    return subprocess.run(command, capture_output=True, text=True, check=True, env=ONE_THREAD).stderr


def nanoseconds(search: str, rows: int, repeats: int) -> float:
    """Per row, of the fastest of several fits on one thread."""
    command = (str(EXAMPLE), search, str(rows), str(repeats))
    return float(subprocess.run(command, capture_output=True, text=True, check=True, env=ONE_THREAD).stdout)


if __name__ == "__main__":
    main()
