//! `cwplugin methods`: the methods with their options.

use cwplugin::data::did_you_mean;
use cwplugin::methods::OptionSpec;
use cwplugin::{METHODS, Method};
use serde_json::json;

use crate::args::Common;
use crate::output::{Align, Screen, plain_table};
use crate::user_error::UserError;

/// Finds a method by its name.
///
/// # Errors
///
/// If it is unknown.
pub fn by_name(name: &str) -> Result<&'static Method, UserError> {
    Method::by_name(name).map_err(|error| {
        let names: Vec<_> = METHODS.iter().map(|method| method.name).collect();
        let all = format!("the methods are {}", names.join(", "));
        UserError::usage(error.to_string()).hint(did_you_mean(name, &names, &all))
    })
}

/// The error of a method that needs features, if there are none.
pub(crate) fn lacks_features(method: &Method) -> UserError {
    UserError::usage(format!("--method {} needs features", method.name))
        .hint("name them: --features COLUMN,COLUMN or --features FILE.npy")
}

pub(crate) fn run(common: &Common, screen: &Screen) -> anyhow::Result<()> {
    if common.json {
        let option = |option: &OptionSpec| json!({"name": option.name, "value": option.value, "default": option.default, "help": option.help});
        let method = |method: &Method| {
            let options: Vec<_> = method.options.iter().map(option).collect();
            json!({"name": method.name, "summary": method.summary, "options": options})
        };
        let methods: Vec<_> = METHODS.iter().map(method).collect();
        return screen.json(&json!({ "methods": methods }));
    }
    let row = |method: &Method| {
        let options: Vec<String> = method.options.iter().map(|option| format!("--{}", option.name)).collect();
        vec![method.name.to_string(), method.summary.to_string(), options.join(" ")]
    };
    let columns = [("method", Align::Left), ("what it does", Align::Left), ("options", Align::Left)];
    screen.print(plain_table(&columns, METHODS.iter().map(row)))
}
