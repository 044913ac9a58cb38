//! Fits that have to keep to limits.

use crate::same_results::run::{Fit, fit};

/// Every method that supports constraints, with one that is easy to meet, two together, and one that cannot be met.
pub(crate) fn limits() -> Vec<Fit> {
    let mut fits = Vec::new();
    for (method, flags) in [
        ("exact", "three.csv --method cwplugin --weight w"),
        ("exact-best", "cents.csv --search exact --reference best --ties first"),
        ("grid", "three.csv --search grid:0.05"),
        ("published", "cents.csv --method cwplugin:published"),
        ("ascent", "three.csv --method ascent"),
    ] {
        for (limit, limits) in [
            ("recall", "--subject-to 'recall:c>=0.6'"),
            ("two", "--subject-to 'precision:b>=0.5' --subject-to 'recall:b<=0.8'"),
            ("formula", "--subject-to 'expr:fp[a]/n<=0.1'"),
            ("cost", "--subject-to 'cost:cost3.csv>=-0.9'"),
            ("unmet", "--subject-to 'recall:c>=1' --subject-to 'precision:c>=0.99'"),
        ] {
            fits.push(fit(format!("{method}/{limit}"), format!("{flags} {limits}")));
        }
    }
    let others = [
        (
            "binary/recall",
            "six.csv --search binary:0.02 --metric balanced-accuracy --subject-to 'recall:d>=0.4'",
        ),
        (
            "six/two",
            "six.csv --search grid:0.1 --subject-to 'recall:d>=0.4' --subject-to 'precision:a>=0.6' --seed 6",
        ),
        ("absent/recall", "absent.csv --method cwplugin --subject-to 'recall:d>=0.7' --absent drop"),
        ("expected/recall", "three.csv --method expected --subject-to 'recall:c>=0.7' --weight w"),
        (
            "expected/two",
            "partly.csv --method expected --subject-to 'precision:b>=0.8' --subject-to 'mcc>=0.3'",
        ),
        ("bagged/recall", "three.csv --method bagged --n-bootstrap 4 --subject-to 'recall:c>=0.7'"),
        ("auto/recall", "two.csv --method auto --subject-to 'recall:b>=0.8'"),
    ];
    fits.extend(others.map(|(name, flags)| fit(name, flags)));
    fits
}
