//! Templates, style and script: the one place where data becomes HTML.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use serde_json::Value;

use crate::sha256;

const TEMPLATES: [(&str, &str); 4] = [
    ("shell.html", include_str!("templates/shell.html")),
    ("parts.html", include_str!("templates/parts.html")),
    ("fit.html", include_str!("templates/fit.html")),
    ("compare.html", include_str!("templates/compare.html")),
];

const STYLE: [&str; 2] = [include_str!("assets/page.css"), include_str!("assets/live/live.css")];
/// The script of every page.
const SCRIPT: &str = include_str!("assets/page.js");
/// The script of the interactive section: each file uses those before it.
const LIVE: [&str; 6] = [
    include_str!("assets/live/rows.js"),
    include_str!("assets/live/programs.js"),
    include_str!("assets/live/elements.js"),
    include_str!("assets/live/controls.js"),
    include_str!("assets/live/tables.js"),
    include_str!("assets/live/live.js"),
];

/// Renders a page from its template; `live` is the data of the interactive section, if it has one.
///
/// Templates escape all text. Not escaped: plots, which escape their own text, style, script, and the JSON data, in which
/// no character can end the script element.
pub(crate) fn render(template: &str, context: &Value, live: Option<&Value>) -> String {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
    let data = live.map(|live| script_safe(&live.to_string()));
    let mut script = SCRIPT.to_string();
    if live.is_some() {
        script += &LIVE.concat();
    }
    let style = format!("{}{}", crate::draw::style(), STYLE.concat());
    let whole = minijinja::context! {
        // Only this script and this style apply. Plots set their width in an attribute, which a hash does not cover.
        style_source => sha256::source(&style),
        script_source => sha256::source(&script),
        page => Serde(context),
        style => style,
        script => script,
        data => data,
        version => env!("CARGO_PKG_VERSION"),
    };
    let rendered = syntax
        .map(|syntax| environment.set_syntax(syntax))
        .and_then(|()| TEMPLATES.iter().try_for_each(|(name, text)| environment.add_template(name, text)))
        .and_then(|()| environment.get_template(template)?.render(whole));
    match rendered {
        Ok(page) => page,
        // The templates are compiled in, and a test renders each of them.
        Err(error) => unreachable!("{error:#}"),
    }
}

/// JSON without characters that are special in HTML.
fn script_safe(json: &str) -> String {
    json.replace('&', "\\u0026")
        .replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_cannot_end_its_script_element() {
        let text = r#"["</script><script>alert(1)</script>", "<!--", "&amp;", "a\u2028b"]"#;
        let safe = script_safe(text);
        assert!(!safe.contains(['<', '>', '&']));
        let [read, expected]: [Value; 2] = [&safe, text].map(|json| serde_json::from_str(json).unwrap());
        assert_eq!(read, expected);
    }

    #[test]
    fn scripts_and_styles_do_not_end_their_elements() {
        for text in [SCRIPT].iter().chain(&LIVE).chain(&STYLE) {
            assert!(!text.contains("</"), "{text}");
        }
    }
}
