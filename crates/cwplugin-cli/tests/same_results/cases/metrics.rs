//! Every metric, with the methods that use one.

use crate::same_results::run::{Fit, fit};

/// Name in the record, name for `--metric`; `#` stands for the number of classes.
const METRICS: [(&str, &str); 30] = [
    ("accuracy", "accuracy"),
    ("balanced-accuracy", "balanced-accuracy"),
    ("macro-f1", "macro-f1"),
    ("weighted-f1", "weighted-f1"),
    ("macro-f-beta", "macro-f-beta:2"),
    ("macro-f-half", "macro-f-beta:0.5"),
    ("macro-precision", "macro-precision"),
    ("macro-recall", "macro-recall"),
    ("macro-g-mean", "macro-g-mean"),
    ("g-mean", "g-mean"),
    ("mcc", "mcc"),
    ("cohen-kappa", "cohen-kappa"),
    ("macro-jaccard", "macro-jaccard"),
    ("macro-fowlkes-mallows", "macro-fowlkes-mallows"),
    ("pair-fowlkes-mallows", "pair-fowlkes-mallows"),
    ("min-recall", "min-recall"),
    ("f1", "f1:b"),
    ("precision", "precision:c"),
    ("recall", "recall:b"),
    ("f-beta", "f-beta:2:c"),
    ("linear-diagonal", "linear-diagonal"),
    ("linear-fractional", "linear-fractional:ratio#.json"),
    ("cost", "cost:cost#.csv"),
    ("formula-of-a-class", "expr:tp[b]/(tp[b]+fp[b]+5*fn[b])"),
    ("formula-over-classes", "expr:min(recall)+0.1*mean(f1)"),
    ("formula-of-cells", "expr:(C[a,a]+2*C[b,b])/n-0.5*C[c,a]/n"),
    ("formula-of-functions", "expr:gmean(recall)*sqrt(max(precision))-log(1+fp[a]/n)"),
    ("formula-with-names", "expr:cover=sum(if(recall>0.5,1,0))/m;cover+sum(tp)/n"),
    ("formula-of-powers", "expr:exp(-abs(mean(specificity)-0.9))*mean(precision)^2"),
    ("formula-of-support", "expr:sum(support*f1)/n"),
];

/// The methods, with the tables for which they are quick, and their number of classes.
const METHODS: [(&str, &str, usize); 5] = [
    ("exact", "three.csv --method cwplugin --weight w", 3),
    ("grid", "six.csv --search grid:0.05 --reference last", 6),
    ("published", "cents.csv --method cwplugin:published --weight w", 3),
    ("ascent", "cents.csv --method ascent", 3),
    ("probing", "three.csv --method probing --weight w", 3),
];

fn spelled_out(metric: &str, n_classes: usize) -> String {
    let coefficients = if n_classes == 3 { "1,2,3" } else { "1,2,3,3,2,1" };
    match metric {
        "linear-diagonal" => format!("{metric}:{coefficients}"),
        _ => metric.replace('#', &n_classes.to_string()),
    }
}

/// Every metric by one of the methods.
fn by(method: usize) -> impl Iterator<Item = Fit> {
    let (method, flags, n_classes) = METHODS[method];
    METRICS.into_iter().map(move |(name, metric)| {
        let metric = spelled_out(metric, n_classes);
        fit(format!("{method}/{name}"), format!("{flags} --metric '{metric}'"))
    })
}

pub(crate) fn by_algorithm1() -> Vec<Fit> {
    (0..3).flat_map(by).collect()
}

pub(crate) fn by_search() -> Vec<Fit> {
    (3..5).flat_map(by).collect()
}

/// Expectations have formulas of their own for many metrics.
pub(crate) fn by_expectation() -> Vec<Fit> {
    let fits = METRICS.into_iter().map(|(name, metric)| {
        let metric = spelled_out(metric, 3);
        fit(format!("expected/{name}"), format!("partly.csv --method expected --metric '{metric}'"))
    });
    fits.collect()
}

/// Metrics that are programs.
pub(crate) fn by_program() -> Vec<Fit> {
    [
        ("exact", "three.csv --method cwplugin --metric 'command:perl metric.pl'"),
        ("grid", "six.csv --search grid:0.1 --weight w --metric 'command:perl metric.pl'"),
        ("ascent", "three.csv --method ascent --weight w --metric 'command:perl metric.pl'"),
        ("probing", "three.csv --method probing --metric 'command:perl metric.pl'"),
        ("once", "tiny.csv --search grid:0.5 --metric 'command-once:perl metric.pl'"),
        ("limit", "three.csv --method ascent --subject-to 'command:perl metric.pl>=0.9'"),
    ]
    .map(|(name, flags)| fit(format!("program/{name}"), flags))
    .into()
}
