//! Metrics and constraints by name, and the files of metrics: cost matrices and coefficients.

use cwplugin::metric::{self, CATALOGUE};
use cwplugin::{Confusion, Constraint, Metric};
use cwplugin_cli::metric_by_name;

use super::tables::check_error;
use crate::Door;
use crate::bytes::Bytes;
use crate::corpus::joined;
use crate::files::file;

pub(super) const DOOR: Door =
    Door { name: "metrics", title: "names of metrics and constraints", longest: 1 << 10, check, seeds };

pub(super) const FILES: Door = Door {
    name: "metric_files",
    title: "cost matrices and coefficients",
    longest: 4 << 10,
    check: check_file,
    seeds: file_seeds,
};

const CLASSES: [&str; 3] = ["a", "so, so", "größe"];

fn check(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    if let Ok((name, bound, limit)) = Constraint::split(text)
        && let Ok(metric) = metric::by_name(name, &classes(3))
    {
        let constraint = Constraint::new(metric, bound, limit).unwrap();
        assert!(constraint.to_string().contains(constraint.metric().name()), "{text}");
    }
    match metric::by_name(text, &classes(3)) {
        Ok(metric) => {
            assert!(
                metric::by_name(metric.name(), &classes(3)).is_ok(),
                "{text} is called {}",
                metric.name()
            );
            check_scores(&*metric, 3);
        }
        Err(error) => drop((error.to_string(), error.cure(&classes(3)), metric::hint(text, "all"))),
    }
}

fn classes(m: usize) -> Vec<String> {
    CLASSES[..m].iter().map(ToString::to_string).collect()
}

/// A score is finite, except that of a formula or of huge costs, which a fit refuses.
fn check_scores(metric: &dyn Metric, m: usize) {
    let may_overflow = ["expr:", "cost:"].iter().any(|head| metric.name().starts_with(head));
    let mut confusion = Confusion::zeros(m);
    for (step, cell) in (0..m * m).cycle().take(3 * m * m).enumerate() {
        let score = metric.score(&confusion);
        assert!(score.is_finite() || may_overflow, "{}: {score}", metric.name());
        confusion.add(cell / m, cell % m, [1.0, 0.25, 1e6][step % 3]);
    }
}

/// Input: the kind of file, the number of classes, the bytes.
fn check_file(input: &[u8]) {
    let mut bytes = Bytes::new(input);
    let (kind, m) = (bytes.pick(&["cost", "linear-fractional"]), 2 + bytes.below(2));
    let path = file("metric", bytes.rest());
    match metric_by_name(&format!("{kind}:{}", path.display()), &classes(m), None) {
        Ok(metric) => check_scores(&metric, m),
        Err(error) => check_error(&error),
    }
}

fn seeds() -> Vec<Vec<u8>> {
    let names = CATALOGUE.iter().map(|entry| entry.name.replace("CLASS", "so, so").replace("BETA", "2"));
    let more = [
        "f1:a",
        "recall:größe>=0.5",
        "accuracy<=0.9",
        "macro-f-beta:0.5 ≥ 1e-3",
        "linear-diagonal:1,0.5,2",
        "f1_macro",
        "expr:recall[a]>=0.1>=1",
    ];
    names.chain(more.map(String::from)).map(String::into_bytes).collect()
}

fn file_seeds() -> Vec<Vec<u8>> {
    let files: [(u8, u8, &str); 5] = [
        (0, 0, "0,1\n5,0\n"),
        (0, 1, ",a,\"so, so\",größe\na,0,1,2\ngröße,1.5,1e3,-0.5\n\"so, so\",3,0,1\n"),
        (1, 0, "{\"a\": [1, 2], \"b\": 0.5, \"c\": [-0.25, 0], \"d\": 1}"),
        (1, 1, "{\"a\": {\"größe\": 1}, \"c\": {\"a\": -0.5}, \"d\": 1e3}"),
        (1, 1, "\u{feff}{\"a\": [1e100, 1, 1], \"c\": [0, 0, 0], \"d\": 1e-100}"),
    ];
    files.map(|(kind, m, text)| joined(&[kind, m], text.as_bytes())).to_vec()
}
