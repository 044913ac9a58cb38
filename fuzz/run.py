"""Run every fuzz target with libFuzzer and print a table; `make fuzz` calls it.

The targets are built with the toolchain at hand: the flags of libFuzzer's counters are stable. Needs a C++ compiler, which
builds libFuzzer. Inputs that were found stay in fuzz/corpus, inputs that failed in fuzz/artifacts, logs in fuzz/logs.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TextIO

import figures

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent
# One branch has one counter; comparisons guide the mutations. These are the flags of cargo-fuzz without a sanitizer.
COUNTERS = [
    "-Cpasses=sancov-module",
    *(
        f"-Cllvm-args={argument}"
        for argument in [
            "-sanitizer-coverage-level=4",
            "-sanitizer-coverage-inline-8bit-counters",
            "-sanitizer-coverage-pc-table",
            "-sanitizer-coverage-trace-compares",
            "-simplifycfg-branch-fold-threshold=0",
        ]
    ),
    "--cfg",
    "fuzzing",
]
# A target is started again after this many failures, at most.
MOST_FAILURES = 10
LIMITS = ["-timeout=5", "-rss_limit_mb=1024"]


def targets() -> dict[str, int]:
    """The targets, and the longest input of each, from the list of doors."""
    source = FOLDER / "src" / "doors"
    text = "".join(path.read_text() for path in sorted(source.glob("*.rs")))
    doors = re.findall(r'name: "(\w+)",\s+title: "[^"]*",\s+longest: (\d+)(?: << (\d+))?', text)
    return {name: int(number) << int(bits or 0) for name, number, bits in doors}


def build() -> Path:
    """All targets; the folder of the programs."""
    host = next(
        line.split()[1]
        for line in subprocess.run(["rustc", "-vV"], capture_output=True, text=True, check=True).stdout.splitlines()
        if line.startswith("host:")
    )
    environment = os.environ | {
        "CARGO_ENCODED_RUSTFLAGS": "\x1f".join(COUNTERS),
        "RUSTC_WORKSPACE_WRAPPER": "",
    }
    command = ["cargo", "build", "--quiet", "--locked", "--package", "cwplugin-fuzz", "--bins"]
    command += ["--features", "libfuzzer", "--profile", "fuzz", "--target", host]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    return Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / host / "fuzz"


def passes_again(program: Path, artifacts: Path, log: TextIO) -> bool:
    """Whether the last failure is an input that was slow only because the machine was busy; then it is forgotten."""
    newest = max(artifacts.iterdir(), key=lambda path: path.stat().st_mtime, default=None)
    if newest is None or not newest.name.startswith(("timeout-", "slow-unit-")):
        return False
    command = [str(program), str(newest), "-timeout=5"]
    is_fast = subprocess.run(command, stdout=log, stderr=log, check=False).returncode == 0
    if is_fast:
        newest.unlink()
        print(figures.PASSED, file=log, flush=True)
    return is_fast


def run(program: Path, seconds: float, longest: int) -> bool:
    """One target, which goes on after a failure, but not forever; whether it failed."""
    name = program.name
    folders = {kind: FOLDER / kind / name for kind in ["corpus", "artifacts"]}
    logs = FOLDER / "logs"
    for folder in [*folders.values(), logs]:
        folder.mkdir(parents=True, exist_ok=True)
    command = [str(program), str(folders["corpus"]), f"-artifact_prefix={folders['artifacts']}/"]
    command += [f"-max_len={longest}", "-print_final_stats=1", *LIMITS]
    dictionary = FOLDER / "dictionaries" / f"{name}.dict"
    if dictionary.exists():
        command.append(f"-dict={dictionary}")
    memory = Path("/dev/shm")
    folder = tempfile.mkdtemp(prefix="fuzz-", dir=memory if memory.is_dir() else None)
    # Files of the target are in that folder, as libFuzzer ends without cleaning up.
    environment = os.environ | {"FUZZ_SEEDS": str(folders["corpus"]), "TMPDIR": folder}
    end, failures = time.monotonic() + seconds, 0
    try:
        with (logs / f"{name}.log").open("w") as log:
            while failures < MOST_FAILURES and (left := end - time.monotonic()) >= 1:
                limit = f"-max_total_time={left:.0f}"
                done = subprocess.run([*command, limit], env=environment, stdout=log, stderr=log, check=False)
                failures += done.returncode != 0 and not passes_again(program, folders["artifacts"], log)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return failures > 0


def main() -> None:
    """All targets, or some of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seconds", type=float, help="seconds for each target")
    parser.add_argument("targets", nargs="*", help="only these")
    arguments = parser.parse_args()
    longest = targets()
    chosen = arguments.targets or list(longest)
    if unknown := set(chosen) - set(longest):
        sys.exit(f"unknown targets {', '.join(sorted(unknown))}; they are {', '.join(longest)}")
    programs = build()
    failed = [name for name in chosen if run(programs / name, arguments.seconds, longest[name])]
    print(figures.table(chosen))
    for name in failed:
        print(f"\n{name} failed: the end of fuzz/logs/{name}.log says how; the input is in fuzz/artifacts/{name}")
    if failed:
        sys.exit(1)


if __name__ == "__main__":
    main()
