//! Formulas on the command line: where one ends in a list, and what is said about one that cannot be read.

use cwplugin::FormulaProblem;
use cwplugin::metric::Formula;
use unicode_width::UnicodeWidthStr as _;

use super::columns::quoted;
use crate::refusal::Refusal;

/// Columns of a formula that are shown; a longer one is cut on either side of the place in question.
const SHOWN: usize = 96;

/// How much of a list the formula at its beginning takes: up to a comma outside parentheses, brackets and quotes.
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

/// What is wrong, the formula with a mark under the place, and the cure.
pub(super) fn refuse(
    what: String,
    formula: &str,
    column: usize,
    problem: &FormulaProblem,
    classes: &[String],
) -> Refusal {
    let refusal = Refusal::usage(what).hint(match problem {
        FormulaProblem::UnknownClass { .. } => {
            format!("the classes are {}", quoted(classes.iter().map(String::as_str)))
        }
        FormulaProblem::UnknownFunction { name } if Formula::names().any(|known| known == name) => {
            format!("{name} is a number: write {name}[CLASS], or {name} for one number per class")
        }
        FormulaProblem::UnknownName { name } | FormulaProblem::UnknownFunction { name } => nearest(name),
        FormulaProblem::NotAScalar => {
            "mean(…) is the mean over the classes, NAME[CLASS] the number of one class".to_string()
        }
        _ => "`cwplugin metrics` says what a formula is made of; e.g. expr:mean(recall)".to_string(),
    });
    if formula.trim().is_empty() { refusal } else { refusal.pointing_at(excerpt(formula, column)) }
}

fn nearest(name: &str) -> String {
    let near = |known: &str| strsim::jaro_winkler(known, name);
    let nearest = Formula::names().max_by(|a, b| near(a).total_cmp(&near(b)));
    match nearest.filter(|nearest| near(nearest) > 0.8) {
        Some(nearest) => format!("did you mean {nearest}? {}", names()),
        None => names(),
    }
}

fn names() -> String {
    format!("a formula knows {}", Formula::names().collect::<Vec<_>>().join(" "))
}

/// The formula on one line, and a caret under a character of it (the first is 1).
fn excerpt(formula: &str, column: usize) -> [String; 2] {
    // Line feeds and signs that turn the text would tear caret and character apart.
    let turns_text = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let shown = |c: char| if c.is_control() || turns_text(c) { ' ' } else { c };
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
    fn a_formula_ends_at_a_comma_of_its_own_level() {
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
    fn the_caret_stands_under_its_character() {
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
