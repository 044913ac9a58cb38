//! Rows per class, and warnings.

use cwplugin::{Error, Metric, Rule, Sample};
use serde_json::{Value, json};

use crate::fit_page::FitPage;
use crate::number::{self, percent};

pub(crate) fn section<M: Metric>(page: &FitPage<M>) -> Result<Value, Error> {
    let mut tables = vec![table(page, &page.provenance.data, page.rows)?];
    if let (Some(test), Some(name)) = (page.test, page.provenance.test.as_deref()) {
        tables.push(table(page, name, test)?);
    }
    let report = page.report();
    let warnings: Vec<&str> =
        report.iter().flat_map(|report| &report.warnings).map(|warning| warning.message.as_str()).collect();
    Ok(json!({"tables": tables, "warnings": warnings, "has_report": report.is_some()}))
}

/// Labelled and predicted rows per class.
fn table<M: Metric>(page: &FitPage<M>, name: &str, sample: &Sample) -> Result<Value, Error> {
    let (m, n) = (sample.n_classes(), sample.n_rows());
    let mut probability = vec![0.0; m];
    for row in 0..n {
        for (sum, p) in probability.iter_mut().zip(sample.probabilities().row(row)) {
            *sum += p;
        }
    }
    let predicted = |rule: &Rule| -> Result<Vec<usize>, Error> {
        let mut counts = vec![0; m];
        rule.predict(sample)?.into_iter().for_each(|class| counts[class] += 1);
        Ok(counts)
    };
    let (clean, fitted) = (predicted(&Rule::clean(m)?)?, predicted(page.model.rule())?);
    let share = |rows: f64, all: f64| if all > 0.0 { percent(rows / all) } else { "–".into() };
    let class = |class: usize| {
        let labelled = sample.n_rows_of(class);
        json!({
            "class": page.class(class),
            "labelled": number::count(labelled as f64),
            "share": share(labelled as f64, sample.n_labelled() as f64),
            "probability": share(probability[class], n as f64),
            "clean": share(clean[class] as f64, n as f64),
            "fitted": share(fitted[class] as f64, n as f64),
        })
    };
    Ok(json!({
        "name": name,
        "rows": number::rows(n as u64),
        "labelled": number::count(sample.n_labelled() as f64),
        "is_weighted": sample.weights().is_some(),
        "classes": (0..m).map(class).collect::<Vec<_>>(),
    }))
}
