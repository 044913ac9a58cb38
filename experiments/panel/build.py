"""Build the panel: one Parquet file per task.

    python experiments/panel/build.py OUT [--tasks dev|confirm|all|NAME,NAME,…]

Nine tasks need the prediction files of the experiments, in the folder that CWPLUGIN_DATA names; without it they are
left out, and said to be.
"""

import argparse
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import generated  # noqa: F401 (the five modules enter their tasks in MAKERS)
import real_common  # noqa: F401
import real_keel  # noqa: F401
import real_predictions  # noqa: F401
import real_r  # noqa: F401
from halves import ACCURACY, HALVES
from sklearn.exceptions import ConvergenceWarning
from tables import Missing
from task import MAKERS, Task, write
from threadpoolctl import threadpool_limits

SAME_ACCURACY = 0.005


def chosen(which: str) -> set[str]:
    """The names of `dev`, `confirm`, `all`, or a list of tasks."""
    names = set(ACCURACY) if which == "all" else set(HALVES.get(which, which.split(",")))
    if unknown := names - set(ACCURACY):
        raise argparse.ArgumentTypeError(f"no such task: {', '.join(sorted(unknown))}")
    return names


def make(names: set[str]) -> Iterator[Task]:
    """The tasks of these names; those that cannot be made are named on standard error."""
    for made, maker in MAKERS.items():
        if wanted := names.intersection(made):
            try:
                yield from (task for task in maker() if task.name in wanted)
            except Missing as missing:
                print(f"left out: {', '.join(sorted(wanted))}: {missing}", file=sys.stderr)


def main() -> None:
    """Make, write, and compare the accuracy with that of the panel on which the rule was chosen."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=Path, metavar="OUT", help="folder of the files made")
    parser.add_argument("--tasks", type=chosen, default="all", metavar="WHICH", help="(default: all)")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    warnings.simplefilter("ignore", ConvergenceWarning)  # the boxes are meant to be imperfect
    written = 0
    with threadpool_limits(1):  # sums in the same order on every machine
        for task in make(options.tasks):
            found, described = write(task, options.output), ACCURACY[task.name]
            differs = abs(found - described) > SAME_ACCURACY
            print(f"{task.name}: clean accuracy {found:.3f}" + f", but {described:.3f} described" * differs, flush=True)
            written += 1
    print(f"{written} of {len(options.tasks)} tasks written to {options.output}")


if __name__ == "__main__":
    main()
