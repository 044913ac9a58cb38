//! Every method, on every table.

use crate::same_results::run::{Fit, fit};

const TABLES: [&str; 12] =
    ["two", "three", "six", "twelve", "cents", "holes", "absent", "never", "partly", "tiny", "mute", "few"];

/// Methods that use the labels only.
const CALIBRATORS: [&str; 10] = [
    "clean",
    "label-shift",
    "temperature",
    "bcts",
    "vector",
    "vector:probability",
    "dirichlet-diag",
    "dirichlet-full",
    "svs",
    "sms",
];

/// Calibrators; every other table with weights of rows.
pub(crate) fn calibrators() -> Vec<Fit> {
    let mut fits = Vec::new();
    for method in CALIBRATORS {
        for (i, table) in TABLES.into_iter().enumerate() {
            if method == "dirichlet-full" && table == "twelve" {
                continue; // it takes almost a second
            }
            let weights = if i % 2 == 0 { "" } else { " --weight w" };
            fits.push(fit(format!("{method}/{table}"), format!("{table}.csv --method {method}{weights}")));
        }
    }
    fits
}

/// Penalties chosen on held-out rows, and models on features.
pub(crate) fn cross_validated() -> Vec<Fit> {
    let select = "--select cv --method";
    [
        ("diag/three", format!("three.csv {select} dirichlet-diag")),
        ("diag/weighted", format!("three.csv {select} dirichlet-diag --weight w --seed 7")),
        ("diag/absent", format!("absent.csv {select} dirichlet-diag")),
        ("full/two", format!("two.csv {select} dirichlet-full")),
        ("full/weighted", format!("cents.csv {select} dirichlet-full --weight w --seed 3")),
        ("logistic/three", "three.csv --method logistic --features x,y".into()),
        ("logistic/weighted", "three.csv --method logistic --features y,x --weight w".into()),
        ("logistic/seed", "six.csv --method logistic --features x --seed 5".into()),
        ("logistic/absent", "absent.csv --method logistic --features x,y".into()),
        ("logistic/partly", "partly.csv --method logistic --features x,y --metric mcc".into()),
    ]
    .map(|(name, flags)| fit(name, flags))
    .into_iter()
    .chain([fit("logistic/file", "three.csv --method logistic --features three-x.npy")
        .applied_to("three-test.csv --features three-test-x.npy")])
    .collect()
}

/// Label shift with the shares that the black box learned from, with labels, with few and with none.
pub(crate) fn label_shift() -> Vec<Fit> {
    let mut fits = Vec::new();
    for table in ["three", "cents", "partly", "bare", "tiny", "oneclass"] {
        for (name, priors) in [
            ("list", "0.5,0.3,0.2"),
            ("names", "c=0.1,a=0.8,b=0.1"),
            ("csv", "priors.csv"),
            ("json", "priors.json"),
        ] {
            let weights = if matches!(name, "names" | "json") { " --weight w" } else { "" };
            let flags = format!("{table}.csv --method label-shift --source-priors {priors}{weights}");
            fits.push(fit(format!("{table}/{name}"), flags));
        }
    }
    fits
}

/// Searches over all classes at once.
pub(crate) fn searches() -> Vec<Fit> {
    let mut fits = Vec::new();
    for method in ["ascent", "probing"] {
        for (i, table) in TABLES.into_iter().enumerate() {
            let weights = if i % 2 == 1 { "" } else { " --weight w" };
            fits.push(fit(format!("{method}/{table}"), format!("{table}.csv --method {method}{weights}")));
        }
    }
    for seed in [1, 2, 1_u64 << 40] {
        let flags = format!("six.csv --method probing --metric g-mean --seed {seed}");
        fits.push(fit(format!("probing/seed-{seed}"), flags));
    }
    fits
}
