//! `cwplugin methods`: what can learn weights.

use cwplugin::{Absent, Reference, Search, Step, Ties};
use serde_json::json;

use crate::args::Common;
use crate::output::{Align, Screen, plain_table};
use crate::refusal::Refusal;

/// A named set of settings of Algorithm 1.
#[derive(Debug)]
pub(crate) struct Method {
    pub(crate) name: &'static str,
    summary: &'static str,
    pub(crate) reference: Reference,
    pub(crate) search: Search,
    pub(crate) ties: Ties,
    pub(crate) absent: Absent,
}

fn methods() -> Vec<Method> {
    let mut methods = vec![Method {
        name: "cwplugin",
        summary: "tune every class against one fixed class: every cut, middle of the widest best stretch (default)",
        reference: Reference::Largest,
        search: Search::Exact,
        ties: Ties::Middle,
        absent: Absent::Keep,
    }];
    methods.extend(Step::try_from(0.01).map(|step| Method {
        name: "cwplugin:published",
        summary: "the same as the paper prints it: grid:0.01, last class fixed, first of ties, absent classes dropped",
        reference: Reference::Last,
        search: Search::Grid(step),
        ties: Ties::First,
        absent: Absent::Drop,
    }));
    methods
}

/// Finds a method by its name.
pub(crate) fn by_name(name: &str) -> Result<Method, Refusal> {
    methods().into_iter().find(|method| method.name == name).ok_or_else(|| {
        let names: Vec<_> = methods().iter().map(|method| method.name).collect();
        Refusal::usage(format!("no method is called \"{name}\""))
            .hint(format!("write {}", names.join(" or ")))
    })
}

pub(crate) fn run(common: &Common, screen: &Screen) -> anyhow::Result<()> {
    if common.json {
        let methods: Vec<_> =
            methods().iter().map(|method| json!({"name": method.name, "summary": method.summary})).collect();
        screen.json(&json!({ "methods": methods }))?;
        return Ok(());
    }
    let rows = methods().into_iter().map(|method| vec![method.name.to_string(), method.summary.to_string()]);
    screen.print(plain_table(&[("method", Align::Left), ("what it does", Align::Left)], rows))?;
    Ok(())
}
