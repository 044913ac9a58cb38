//! Programs that are metrics or oracles. They add up term by term: Python's `sum` rounds differently since 3.12.

use crate::support::Folder;

/// Half the accuracy, and the recall of the worst class.
const METRIC: &str = "\
import json, sys
for line in sys.stdin:
    C = json.loads(line)['confusion']
    n = right = 0.0
    worst = 1.0
    for k in range(len(C)):
        true = 0.0
        for count in C[k]:
            true += count
        n += true
        right += C[k][k]
        if true > 0:
            worst = min(worst, C[k][k] / true)
    print(repr(0.5 * right / n + worst), flush=True)
";

/// The more, the nearer the odds of the weights are to those of [`BEST`].
const ORACLE: &str = "\
import json, sys
best = [0.1, 0.6, 0.3]
for line in sys.stdin:
    w = json.loads(line)['weights']
    worth = 1.0
    for k in (0, 1):
        if w[k] + w[2] > 0:
            worth -= abs(w[k] / (w[k] + w[2]) - best[k] / (best[k] + best[2]))
    print(repr(worth), flush=True)
";

const BEST: [f64; 3] = [0.1, 0.6, 0.3];

pub(super) fn write(folder: &Folder) {
    folder.write("metric.py", METRIC);
    folder.write("oracle.py", ORACLE);
}

/// The answers of the oracle, for `elicit tell`.
pub(super) fn worth(weights: &[f64]) -> f64 {
    let mut worth = 1.0;
    for k in 0..2 {
        if weights[k] + weights[2] > 0.0 {
            worth -= (weights[k] / (weights[k] + weights[2]) - BEST[k] / (BEST[k] + BEST[2])).abs();
        }
    }
    worth
}
