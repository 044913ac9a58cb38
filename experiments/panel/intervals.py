"""Tabulate `lab forecasts`: how often the 95% intervals of fits contain the outcome, and how wide they are.

    lab forecasts target/panel/*.parquet -o target/panel/forecasts.jsonl
    python experiments/panel/intervals.py target/panel/forecasts.jsonl

The outcome is the score on all rows that the fit did not see. Intervals are for the score on infinitely many rows, so
the sampling error of the outcome is added to them in quadrature. Needs no packages.
"""

import argparse
import json
from collections.abc import Iterable, Sequence
from math import hypot
from pathlib import Path

from halves import HALVES

SURE = 1.96


def share(hits: Sequence[bool]) -> str:
    """A percentage."""
    return f"{100 * sum(hits) / len(hits):.1f} %" if hits else "–"


def ends(fit: dict) -> tuple[float, float]:
    """The interval of the score, with the sampling error of the outcome."""
    forecast, error = fit["forecast"], SURE * fit["score_error"]
    middle = forecast["fitted"]
    return middle - hypot(middle - forecast["low"], error), middle + hypot(forecast["high"] - middle, error)


def intervals(fits: Iterable[dict]) -> list[str]:
    """Coverage and mean width of the intervals of the score and of the gain, and the mean error of the gain."""
    scores, plain, gains, widths, errors = [], [], [], [[], []], []
    low, high = 0, 0
    for fit in fits:
        forecast = fit["forecast"]
        if forecast.get("low") is None:
            continue
        from_, to = ends(fit)
        scores.append(from_ <= fit["fitted"] <= to)
        plain.append(forecast["low"] <= fit["fitted"] <= forecast["high"])
        low += fit["fitted"] < from_
        high += fit["fitted"] > to
        widths[0].append(forecast["high"] - forecast["low"])
        if fit["chosen"] == "clean":
            continue  # nothing changes, and nothing is promised
        error = fit["fitted"] - fit["clean"] - forecast["gain"]
        gains.append(abs(error) <= SURE * hypot(forecast["gain_sd"], fit["gain_error"]))
        widths[1].append(2 * SURE * forecast["gain_sd"])
        errors.append(error)
    mean = [f"{sum(width) / len(width):.3f}" if width else "–" for width in widths]
    error = f"{sum(errors) / len(errors):+.4f}" if errors else "–"
    coverage = [str(len(scores)), share(scores), share(plain), mean[0], f"{low} / {high}"]
    return [*coverage, str(len(gains)), share(gains), mean[1], error]


HEADS = ["metric", "size", "fits", "score in CI", "without the error of the outcome", "width", "below / above"]
HEADS += ["changed", "gain in CI", "width", "gain − forecast"]


def reliability(fits: Iterable[dict]) -> str:
    """How often there was a gain, by the probability that the fit gave; only of fits that change predictions."""
    bins: dict[int, list[bool]] = {}
    for fit in fits:
        probability = fit["forecast"].get("probability_of_gain")
        if probability is not None and fit["chosen"] != "clean":
            bins.setdefault(min(int(10 * probability), 9), []).append(fit["fitted"] > fit["clean"])
    lines = ["", "| probability of a gain | fits | with a gain |", "|---|---|---|"]
    lines += [
        f"| {i / 10:.1f} to {(i + 1) / 10:.1f} | {len(hits)} | {share(hits)} |" for i, hits in sorted(bins.items())
    ]
    return "\n".join(lines) + "\n"


def report(title: str, fits: Sequence[dict]) -> str:
    """One table, a line for each metric and size, and the reliability of the probability of a gain."""
    lines = [f"## {title}: {len({fit['task'] for fit in fits})} tasks", "", f"| {' | '.join(HEADS)} |"]
    lines.append("|---" * len(HEADS) + "|")
    for metric in dict.fromkeys(fit["metric"] for fit in fits):
        for size in sorted({fit["size"] for fit in fits}):
            cell = [fit for fit in fits if fit["metric"] == metric and fit["size"] == size]
            lines.append(f"| {metric} | {size} | {' | '.join(intervals(cell))} |")
    for size in sorted({fit["size"] for fit in fits}):
        lines.append(f"| all | {size} | {' | '.join(intervals([fit for fit in fits if fit['size'] == size]))} |")
    return "\n".join(lines) + "\n" + reliability(fits)


def main() -> None:
    """Print a table for each half of the panel."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, metavar="FILE", help="what `lab forecasts` wrote")
    parser.add_argument("--method", default="auto", help="(default: auto)")
    options = parser.parse_args()
    fits = [json.loads(line) for line in options.file.read_text(encoding="utf-8").splitlines()]
    fits = [fit for fit in fits if fit["method"] == options.method]
    failed = [fit for fit in fits if "error" in fit]
    print("# Forecasts on the panel\n")
    print("Written by `make panel-forecasts`; [README.md](README.md) describes the columns.\n")
    print(f"{len(fits)} fits, {len(failed)} of them failed.\n")
    fits = [fit for fit in fits if "error" not in fit]
    halves = {half: [fit for fit in fits if fit["task"] in names] for half, names in HALVES.items()}
    print("\n".join(report(half, part) for half, part in halves.items() if part), end="")


if __name__ == "__main__":
    main()
