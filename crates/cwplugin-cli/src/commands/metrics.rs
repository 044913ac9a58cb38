//! `cwplugin metrics`: the metrics with their formulas.

use cwplugin::metric::{CATALOGUE, Entry};
use serde_json::json;

use crate::args::Common;
use crate::output::{Align, Screen, paragraph, plain_table};

const NOTES: [&str; 3] = [
    "For class k: t_k true, p_k predicted, c_k correct weight; n is the total. Means are over classes with a true or a \
     predicted row (balanced-accuracy and min-recall: with a true row); a ratio with denominator 0 is 0. binary: --search \
     binary:EPS is supported (linear-fractional and cost: if no correct prediction lowers them).",
    "expr: a formula of C[truth,predicted], n, m, and tp fp fn tn support predicted precision recall f1 specificity, of one \
     class (tp[spam]) or of every class; + - * / ^ < <= > >= == != sqrt log exp abs if min max; mean sum gmean min max over \
     classes; NAME = …; defines a name.",
    "Names of scikit-learn and imbalanced-learn for the same metric work too, e.g. f1_macro or matthews_corrcoef.",
];

pub(crate) fn run(common: &Common, screen: &Screen) -> anyhow::Result<()> {
    if common.json {
        let metric = |entry: &Entry| {
            let Entry { name, summary, formula, quasi_concave, .. } = entry;
            json!({"name": name, "summary": summary, "formula": formula, "quasi_concave": quasi_concave})
        };
        let metrics: Vec<_> = CATALOGUE.iter().map(metric).collect();
        return screen.json(&json!({ "metrics": metrics }));
    }
    let columns =
        [("metric", Align::Left), ("description and formula", Align::Left), ("binary", Align::Left)];
    let rows = CATALOGUE.iter().flat_map(|entry| {
        let binary = if entry.quasi_concave { "yes" } else { "" };
        let formula = format!("  {}", entry.formula);
        [[entry.name, entry.summary, binary], ["", &formula, ""]].map(|row| row.map(String::from).to_vec())
    });
    screen.print(plain_table(&columns, rows))?;
    for note in NOTES {
        screen.print(format_args!("\n{}", paragraph(note)))?;
    }
    Ok(())
}
