//! Formulas on the command line: their end in a list, and their errors.

use cwplugin::FormulaProblem;
use cwplugin::data::{classes_hint, did_you_mean};
use cwplugin::metric::Formula;
use unicode_width::UnicodeWidthStr as _;

use crate::output::moves_text;
use crate::user_error::UserError;

/// Characters of a formula that are shown around an error.
const SHOWN: usize = 96;

/// The length of the formula at the beginning of a list: up to a comma outside parentheses, brackets and quotes.
pub(super) fn length(list: &str) -> usize {
    let (mut depth, mut in_quotes, mut escaped) = (0_usize, false, false);
    for (at, c) in list.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if in_quotes => escaped = true,
            '"' => in_quotes = !in_quotes,
            _ if in_quotes => {}
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => return at,
            _ => {}
        }
    }
    list.len()
}

/// The error, with a caret under the place in the formula.
pub(super) fn user_error(
    what: String,
    formula: &str,
    column: usize,
    problem: &FormulaProblem,
    classes: &[String],
) -> UserError {
    let mut error = UserError::usage(what).hint(match problem {
        FormulaProblem::UnknownClass { class } => classes_hint(class, classes),
        FormulaProblem::UnknownFunction { name } if Formula::names().any(|known| known == name) => {
            format!("{name} is a number: write {name}[CLASS], or {name} for one number per class")
        }
        FormulaProblem::UnknownName { name } | FormulaProblem::UnknownFunction { name } => {
            let all = format!("the names are {}", Formula::names().collect::<Vec<_>>().join(" "));
            did_you_mean(name, Formula::names(), &all)
        }
        FormulaProblem::NotAScalar => {
            "use mean(…) for the mean over the classes, or NAME[CLASS] for one class".to_string()
        }
        _ => "`cwplugin metrics` describes formulas; e.g. expr:mean(recall)".to_string(),
    });
    error.excerpt = (!formula.trim().is_empty()).then(|| excerpt(formula, column));
    error
}

/// The name of a metric without its parameter.
pub(super) fn head(name: &str) -> &str {
    name.split(':').next().unwrap_or_default()
}

/// The formula on one line, and a caret under one of its characters (the first is 1).
fn excerpt(formula: &str, column: usize) -> [String; 2] {
    let shown = |c: char| if moves_text(c) { ' ' } else { c };
    let text: Vec<char> = formula.chars().map(shown).collect();
    let place = column.saturating_sub(1).min(text.len());
    let (from, before) = if place > SHOWN * 2 / 3 { (place - SHOWN * 2 / 3, "…") } else { (0, "") };
    let to = text.len().min(from + SHOWN);
    let after = if to < text.len() { "…" } else { "" };
    let slice = |from: usize, to: usize| text[from..to].iter().collect::<String>();
    let indent = before.width() + slice(from, place).width();
    [format!("{before}{}{after}", slice(from, to)), format!("{}^", " ".repeat(indent))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_ends_at_a_comma_outside_parentheses() {
        for (list, formula) in [
            ("expr:min(1,2),macro-f1", "expr:min(1,2)"),
            ("expr:C[a,b]/n,accuracy", "expr:C[a,b]/n"),
            ("expr:tp[\"a,\\\"]\"],mcc", "expr:tp[\"a,\\\"]\"]"),
            ("expr:n)),mcc", "expr:n))"),
            ("expr:min(1,2,macro-f1", "expr:min(1,2,macro-f1"),
            ("expr:é", "expr:é"),
        ] {
            assert_eq!(&list[..length(list)], formula);
        }
    }

    #[test]
    fn the_caret_is_under_its_character() {
        assert_eq!(excerpt("1 + x", 5), ["1 + x", "    ^"]);
        assert_eq!(excerpt("é+\n×", 4), ["é+ ×", "   ^"]);
        assert_eq!(excerpt("tp[\"e\u{301}\"]+x", 10), ["tp[\"e\u{301}\"]+x", "        ^"]);
        assert_eq!(excerpt("tp[類]+x", 7), ["tp[類]+x", "       ^"]);
        assert_eq!(excerpt("1+", 3), ["1+", "  ^"]);
        let long = "1+".repeat(300) + "?";
        let [text, caret] = excerpt(&long, 601);
        assert_eq!(text.chars().nth(caret.chars().count() - 1), Some('?'));
        assert!(text.chars().count() < 100 && text.starts_with('…'));
    }
}
