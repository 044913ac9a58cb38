//! `cwplugin methods`: what can learn weights.

use cwplugin::{METHODS, Method};
use serde_json::json;

use crate::args::Common;
use crate::output::{Align, Screen, plain_table};
use crate::refusal::Refusal;

/// Finds a method by its name.
///
/// # Errors
///
/// If there is none; the hint lists the names.
pub fn by_name(name: &str) -> Result<&'static Method, Refusal> {
    Method::by_name(name).map_err(|error| {
        let names: Vec<_> = METHODS.iter().map(|method| method.name).collect();
        Refusal::usage(error.to_string()).hint(format!("write {}", names.join(" or ")))
    })
}

/// What is said of a method that learns from features, if there are none.
pub(crate) fn lacks_features(method: &Method) -> Refusal {
    Refusal::usage(format!("--method {} learns from features, and there are none", method.name))
        .hint("name them: --features COLUMN,COLUMN or --features FILE.npy")
}

pub(crate) fn run(common: &Common, screen: &Screen) -> anyhow::Result<()> {
    if common.json {
        let methods: Vec<_> =
            METHODS.iter().map(|method| json!({"name": method.name, "summary": method.summary})).collect();
        screen.json(&json!({ "methods": methods }))?;
        return Ok(());
    }
    let rows = METHODS.iter().map(|method| vec![method.name.to_string(), method.summary.to_string()]);
    screen.print(plain_table(&[("method", Align::Left), ("what it does", Align::Left)], rows))?;
    Ok(())
}
