//! Algorithm 1: how it searches, what it keeps fixed, how it breaks ties.

use crate::same_results::run::{Fit, fit};

const TIES: [&str; 3] = ["first", "nearest-half", "middle"];

/// A search, and the metric that it is for: a binary search needs one with a single peak.
const SEARCHES: [(&str, &str); 3] =
    [("exact", "macro-f1"), ("grid:0.02", "macro-f1"), ("binary:0.02", "balanced-accuracy")];

/// Every search, rule for ties and reference.
pub(crate) fn settings() -> Vec<Fit> {
    let mut fits = Vec::new();
    for (table, references) in
        [("six", &["last", "largest", "best", "c"][..]), ("cents", &["class:b", "best"])]
    {
        for (search, metric) in SEARCHES {
            for ties in TIES {
                for reference in references {
                    fits.push(fit(
                        format!("{table}/{search}/{ties}/{reference}"),
                        format!("{table}.csv --search {search} --metric {metric} --ties {ties} --reference {reference}"),
                    ));
                }
            }
        }
    }
    fits
}

/// Classes without rows, weights of rows, and every size of table.
pub(crate) fn tables() -> Vec<Fit> {
    let mut fits = Vec::new();
    for absent in ["keep", "drop"] {
        for (search, metric) in SEARCHES {
            for reference in ["last", "largest", "best"] {
                let flags =
                    format!("--search {search} --metric {metric} --absent {absent} --reference {reference}");
                fits.push(fit(
                    format!("absent/{absent}/{search}/{reference}"),
                    format!("absent.csv {flags}"),
                ));
            }
            let flags = format!("--search {search} --metric {metric} --absent {absent}");
            fits.push(fit(format!("never/{absent}/{search}"), format!("never.csv {flags}")));
            fits.push(fit(format!("mute/{absent}/{search}"), format!("mute.csv {flags}")));
            fits.push(fit(format!("oneclass/{absent}/{search}"), format!("oneclass.csv {flags}")));
        }
    }
    for table in ["two", "three", "twelve", "cents6", "holes", "partly", "tiny", "few"] {
        for (search, metric) in SEARCHES {
            let flags = format!("{table}.csv --search {search} --metric {metric}");
            fits.push(fit(format!("plain/{table}/{search}"), &*flags));
            fits.push(fit(format!("weighted/{table}/{search}"), format!("{flags} --weight w")));
        }
    }
    for table in ["two", "three", "six", "twelve", "cents", "cents6", "holes", "absent", "never", "partly"] {
        let flags = format!("{table}.csv --method cwplugin:published --weight w");
        fits.push(fit(format!("published/{table}"), flags));
    }
    fits
}

/// Options that change how rows are read, or the resolution of the search.
pub(crate) fn ways() -> Vec<Fit> {
    [
        ("coarse", "six.csv --search grid:0.25"),
        ("fine", "six.csv --search grid:0.001"),
        ("halves", "cents.csv --search grid:0.5 --ties nearest-half"),
        ("fine-binary", "six.csv --search binary:0.001 --metric g-mean"),
        ("forced", "six.csv --search binary:0.01 --metric macro-f1 --force"),
        ("forced-mcc", "cents.csv --search binary:0.05 --metric mcc --force --ties first --weight w"),
        ("counted", "six.csv --search grid:0.01 --buffer 0"),
        ("counted-weighted", "holes.csv --search grid:0.01 --buffer 0 --weight w --reference last"),
        ("counted-binary", "twelve.csv --search binary:0.01 --buffer 0 --metric min-recall"),
        ("unscored", "six.csv --search grid:0.01 --unscored"),
        ("unscored-exact", "six.csv --unscored --weight w"),
        ("one-thread", "twelve.csv --method cwplugin --reference best --threads 1"),
        ("default", "six.csv --method cwplugin"),
    ]
    .map(|(name, flags)| fit(name, flags))
    .into()
}
