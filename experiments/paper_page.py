"""docs/paper.md: what the paper says, what we see, and its printed tables beside ours."""

from typing import Any

from claims import CHANCE, SMALL, Claim, claims
from markdown import table
from printed import beside
from readings import readings
from scores import LEVEL, Task

PAPER_PAGE = "paper.md"
ABOUT = (
    "The claims of the [paper]({url}), and what our experiments show. Data and black boxes are not the paper's "
    "([experiments/README.md](../experiments/README.md)). `python3 experiments/page.py` writes this page from the "
    "result files; figures and verdicts are computed. [results.md](results.md) has every task, with a figure for each "
    "metric, and [the theory](results.md#the-theory)."
)
RULES = (
    "**Verdicts.** Algorithm 1 is `cwplugin:published`, the literal reading. Differences are means over tasks, each "
    f"the mean over its metrics and sizes; *few labels* are {', '.join(map(str, SMALL))}. A comparison of two methods "
    f"*holds* if a t-test over the tasks at {100 * LEVEL:.0f} % finds the mean difference above 0, *does not hold* if "
    "it is below 0, and else is *undecided*; tasks that share data or a black box are not independent, so the test is "
    f"optimistic. *Never harmful* holds if at most {100 * CHANCE:g} % of the cells are significantly below unadjusted, "
    "which chance alone gives, and the mean difference is positive; *in part* if only one is true. A printed table "
    "*holds* if Algorithm 1 is best in more than half of our columns, among the methods of the paper, and *in part* if "
    "it is within one standard error of the best in some. A theoretical law holds if all slopes agree with it, or are "
    "within an upper bound. Tasks with noise in S only are left out and given separately: their labels contradict the "
    "test rows on purpose."
)


def paper_page(tasks: list[Task], tuned: list[Task], proven: dict[str, Any] | None, paper: dict[str, Any]) -> list[str]:
    """The whole page; `tuned` are the tasks with fine-tuning, `proven` the results of the theory."""
    return [
        "# The paper, and what we see",
        ABOUT.format(url=paper["paper"]),
        summary(claims(tasks, tuned, proven, paper)),
        RULES,
        *readings(tasks, paper),
        *beside(tasks, paper),
    ]


def summary(found: list[Claim]) -> str:
    """One line per claim."""
    lines = [(claim.says, claim.sees, claim.verdict) for claim in found]
    return table(["the paper says", "we see", "verdict"], lines)
