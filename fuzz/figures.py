"""Print the figures of the last `make fuzz` as a table in Markdown, from the logs of libFuzzer in fuzz/logs.

`python3 -B fuzz/figures.py FILE.md` writes it between the markers `<!-- fuzz -->` and `<!-- /fuzz -->` of a page instead.
"""

import re
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
# After the failure of an input that is fast when it is run alone.
PASSED = "PASSED AGAIN"
START, END = "<!-- fuzz -->\n", "<!-- /fuzz -->"
HEAD = ["target", "executions", "exec/s", "corpus", "edges", "peak memory", "slowest input", "failures"]


def row(name: str) -> list[str] | None:
    """The figures of one target; `None` if it was not run."""
    path = FOLDER / "logs" / f"{name}.log"
    if not path.exists():
        return None
    log = path.read_text(errors="replace")

    # A target is started again after a failure.
    def stats(field: str) -> list[int]:
        return [int(number) for number in re.findall(rf"^stat::{field}:\s*(\d+)", log, re.M)] or [0]

    def most(field: str) -> int:
        return max((int(number) for number in re.findall(rf"\b{field}: (\d+)", log)), default=0)

    failures = len(re.findall(r"^SUMMARY: libFuzzer:", log, re.M)) - log.count(PASSED)
    executions, slowest = sum(stats("number_of_executed_units")), max(stats("slowest_unit_time_sec"))
    return [
        f"`{name}`",
        f"{executions:,}",
        f"{stats('average_exec_per_sec')[-1]:,}",
        f"{most('corp'):,}",
        f"{most('cov'):,}",
        f"{max(stats('peak_rss_mb'))} MB",
        f"{slowest} s" if slowest else "below 1 s",
        str(failures),
    ]


def table(names: list[str]) -> str:
    """The table of these targets."""
    rows = [found for name in names if (found := row(name))]
    lines = [HEAD, ["---", *["---:"] * (len(HEAD) - 1)], *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def main() -> None:
    """All targets that have a log."""
    text = table(sorted(path.stem for path in (FOLDER / "logs").glob("*.log")))
    if len(sys.argv) < 2:
        print(text, end="")
        return
    page = Path(sys.argv[1])
    before, rest = page.read_text().split(START)
    page.write_text(f"{before}{START}{text}{END}{rest.split(END)[1]}")


if __name__ == "__main__":
    main()
