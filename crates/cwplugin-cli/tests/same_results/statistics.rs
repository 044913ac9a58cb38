//! `stats`, `merge` and `fit --stats`.

use super::extract::STATISTICS;
use super::record::Group;
use super::run::{document, fit, run, run_fits};
use super::tables;
use super::values::parts;

/// Name, and the flags of `stats`.
const COUNTED: [(&str, &str); 9] = [
    ("six", "six.csv --bins 20"),
    ("six-weighted", "six.csv --bins 20 --weight w --reference c"),
    ("cents", "cents.csv --bins 100"),
    ("cents-weighted", "cents.csv --bins 10 --weight w --reference class:a"),
    ("holes", "holes.csv --bins 50 --reference last"),
    ("absent", "absent.csv --bins 20"),
    ("never", "never.csv --bins 20 --weight w"),
    ("partly", "partly.csv --bins 8"),
    ("f32", "six-f32.parquet --bins 20"),
];

#[test]
fn statistics_are_the_same() {
    let folder = tables::folder();
    let mut group = Group::new("statistics");
    let mut count = |name: &str, line: &str| {
        let printed = run(&folder, line);
        let document = document(&printed, STATISTICS, line);
        group.add(name, &format!("cwplugin {line}"), parts(&document, STATISTICS));
    };
    for (name, flags) in COUNTED {
        count(name, &format!("stats {flags} --json --quiet"));
    }
    for (name, flags) in [
        ("train.json", "six.csv --bins 20 --weight w"),
        ("test.csv", "six-test.csv --bins 20 --weight w"),
        ("unweighted.parquet", "six-test.csv --bins 20"),
    ] {
        run(&folder, &format!("stats {flags} -o {name} --quiet"));
    }
    count("merged", "merge train.json test.csv --json --quiet");
    count("merged-with-unweighted", "merge unweighted.parquet train.json test.csv --json --quiet");
    group.finish();
}

#[test]
fn fits_of_statistics_are_the_same() {
    let folder = tables::folder();
    run(&folder, "stats six.csv --bins 20 -o six.json --quiet");
    run(&folder, "stats six.csv --bins 50 --weight w --reference b -o six-w.parquet --quiet");
    run(&folder, "stats absent.csv --bins 10 --weight w -o absent-w.csv --quiet");
    let of = |name, flags, test| fit(name, flags).applied_to(test);
    let fits = vec![
        of("six", "--stats six.json", "six-test.csv"),
        of("six-first", "--stats six.json --ties first --metric mcc", "six-test.csv"),
        of("six-binary", "--stats six.json --search binary:0.05 --metric g-mean", "six-test.csv"),
        of("six-weighted", "--stats six-w.parquet --metric weighted-f1", "six-test.csv"),
        of("six-nearest-half", "--stats six-w.parquet --ties nearest-half", "six-test.csv"),
        of("absent", "--stats absent-w.csv", "absent-test.csv"),
        of("absent-dropped", "--stats absent-w.csv --absent drop --metric min-recall", "absent-test.csv"),
    ];
    run_fits("fit-stats", &folder, fits);
}
