//! `cwplugin metrics`: what can be maximised.

use cwplugin::metric::CATALOGUE;
use serde_json::json;

use crate::args::Common;
use crate::output::{Align, Screen, plain_table};

pub(crate) fn run(common: &Common, screen: &Screen) -> anyhow::Result<()> {
    if common.json {
        let metrics: Vec<_> = CATALOGUE
            .iter()
            .map(|entry| {
                json!({
                    "name": entry.name,
                    "summary": entry.summary,
                    "formula": entry.formula,
                    "quasi_concave": entry.quasi_concave,
                })
            })
            .collect();
        screen.json(&json!({ "metrics": metrics }))?;
        return Ok(());
    }
    let columns = [("metric", Align::Left), ("what, and its formula", Align::Left), ("binary", Align::Left)];
    let rows = CATALOGUE.iter().flat_map(|entry| {
        let binary = if entry.quasi_concave { "yes" } else { "" };
        let formula = format!("  {}", entry.formula);
        [[entry.name, entry.summary, binary], ["", &formula, ""]].map(|row| row.map(String::from).to_vec())
    });
    screen.print(plain_table(&columns, rows))?;
    screen.print(
        "\n  Of class k: t_k true, p_k predicted, c_k correct weight; n their total. Means are over classes with a\n  \
         true or a predicted row (balanced-accuracy and min-recall: with a true row); a ratio without a\n  \
         denominator is 0. binary: --search binary:EPS may be used (linear-fractional and cost: if no right answer\n  \
         lowers them).\n\n  \
         expr: of C[truth,predicted], n, m, and of tp fp fn tn support predicted precision recall f1 specificity, with\n  \
         a class in brackets (tp[spam]) or for every class; + - * / ^ < <= > >= == != sqrt log exp abs if min max;\n  \
         mean sum gmean min max over classes; NAME = …; in front binds a name.\n",
    )?;
    Ok(())
}
