//! Programs that are metrics or oracles.

use crate::support::Folder;

/// Half the accuracy, and the recall of the worst class.
const METRIC: &str = r#"$| = 1;
while (<STDIN>) {
    my @C = map { [split /,/] } /\[([^\[\]"]+)\]/g;
    my ($n, $right, $worst) = (0, 0, 1);
    for my $k (0 .. $#C) {
        my $true = 0;
        $true += $_ for @{$C[$k]};
        $n += $true;
        $right += $C[$k][$k];
        my $recall = $true > 0 ? $C[$k][$k] / $true : 1;
        $worst = $recall if $recall < $worst;
    }
    printf "%.17g\n", 0.5 * $right / $n + $worst;
}
"#;

/// The more, the nearer the odds of the weights are to those of [`BEST`].
const ORACLE: &str = r#"$| = 1;
my @best = (0.1, 0.6, 0.3);
while (<STDIN>) {
    my @w = split /,/, (/"weights": *\[(.*?)\]/)[0];
    my $worth = 1;
    for my $k (grep { $w[$_] + $w[2] > 0 } 0, 1) {
        $worth -= abs($w[$k] / ($w[$k] + $w[2]) - $best[$k] / ($best[$k] + $best[2]));
    }
    printf "%.17g\n", $worth;
}
"#;

const BEST: [f64; 3] = [0.1, 0.6, 0.3];

pub(super) fn write(folder: &Folder) {
    folder.write("metric.pl", METRIC);
    folder.write("oracle.pl", ORACLE);
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
