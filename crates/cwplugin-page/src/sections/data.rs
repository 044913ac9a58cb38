//! The rows that were looked at, and the doubts.

use cwplugin::{Error, Metric, Rule, Sample};
use serde_json::{Value, json};

use crate::fit_page::FitPage;
use crate::number::{self, percent};

pub(crate) fn section<M: Metric>(page: &FitPage<M>) -> Result<Value, Error> {
    let mut tables = vec![table(page, &page.words.data, page.rows)?];
    if let (Some(test), Some(name)) = (page.test, page.words.test.as_deref()) {
        tables.push(table(page, name, test)?);
    }
    let warnings: Vec<&str> = page
        .record()
        .map_or_else(Vec::new, |record| record.warnings.iter().map(|doubt| doubt.message.as_str()).collect());
    Ok(json!({"tables": tables, "warnings": warnings, "is_known": page.record().is_some()}))
}

/// How many rows of each class there are, and how many the black box takes there to be.
fn table<M: Metric>(page: &FitPage<M>, name: &str, sample: &Sample) -> Result<Value, Error> {
    let (m, n) = (sample.n_classes(), sample.n_rows());
    let mut believed = vec![0.0; m];
    for row in 0..n {
        for (sum, p) in believed.iter_mut().zip(sample.probabilities().row(row)) {
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
            "believed": share(believed[class], n as f64),
            "clean": share(clean[class] as f64, n as f64),
            "fitted": share(fitted[class] as f64, n as f64),
        })
    };
    Ok(json!({
        "name": name,
        "rows": number::rows(n as u64),
        "labelled": number::rows(sample.n_labelled()),
        "is_weighted": sample.weights().is_some(),
        "classes": (0..m).map(class).collect::<Vec<_>>(),
    }))
}
