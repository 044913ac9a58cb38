//! Names in messages, and suggestions for misspelled ones.

/// Names that are less similar are no suggestion.
const SIMILAR: f64 = 0.8;

/// `"a", "b", "c"`, for a message; long lists are shortened.
pub fn quoted<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> String {
    const SHOWN: usize = 12;
    let names: Vec<String> = names.into_iter().map(|name| format!("\"{}\"", name.as_ref())).collect();
    match names.len().saturating_sub(SHOWN) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names[..SHOWN].join(", ")),
    }
}

/// The name that is most similar to what was written, if one is similar enough. Case, `-` and `_` do not count.
///
/// ```
/// use cwplugin::data::nearest;
///
/// assert_eq!(nearest("Macro_F1", ["accuracy", "macro-f1"]), Some("macro-f1"));
/// assert_eq!(nearest("spam", ["one", "two"]), None);
/// ```
pub fn nearest<S: AsRef<str>>(written: &str, known: impl IntoIterator<Item = S>) -> Option<S> {
    let written = normalised(written);
    let similar = known.into_iter().map(|name| (similarity(&normalised(name.as_ref()), &written), name));
    // The first of equally similar names.
    let best = similar.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.filter(|(similarity, _)| *similarity > SIMILAR).map(|(_, name)| name)
}

/// From 0 to 1. One slip of the fingers (`fti`) is similar, which Jaro–Winkler does not see in short words.
fn similarity(a: &str, b: &str) -> f64 {
    let is_slip = a.chars().count().min(b.chars().count()) > 2 && strsim::osa_distance(a, b) == 1;
    strsim::jaro_winkler(a, b).max(if is_slip { 0.9 } else { 0.0 })
}

/// The hint for an unknown name: the most similar one, if there is one, and where to find all.
pub fn did_you_mean<S: AsRef<str>>(written: &str, known: impl IntoIterator<Item = S>, all: &str) -> String {
    match nearest(written, known) {
        Some(name) => format!("did you mean {}? {all}", name.as_ref()),
        None => all.to_string(),
    }
}

/// The hint for an unknown class.
pub fn classes_hint(written: &str, classes: &[String]) -> String {
    let all = format!("the classes are {}", quoted(classes));
    match nearest(written, classes) {
        Some(class) => format!("did you mean \"{class}\"? {all}"),
        None => all,
    }
}

/// A name in lower case with `-` between words.
pub(crate) fn normalised(name: &str) -> String {
    let plain = |c: char| if c == '_' || c == ' ' { '-' } else { c };
    name.trim().to_lowercase().chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_similar_name_is_suggested() {
        assert_eq!(nearest("bageed", ["auto", "bagged", "bag"]), Some("bagged"));
        assert_eq!(nearest("LABEL", ["label", "labels"]), Some("label"));
        assert_eq!(nearest("fti", ["apply", "fit"]), Some("fit"));
        assert_eq!(nearest("x", ["a", "b"]), None);
        assert_eq!(nearest("x", Vec::<String>::new()), None);
        assert_eq!(nearest("ab", ["abc", "abd"]), Some("abc"), "the first of equals");
    }

    #[test]
    fn the_hint_of_a_class_lists_them_all() {
        let classes = ["ham", "spam"].map(String::from);
        assert_eq!(classes_hint("spma", &classes), r#"did you mean "spam"? the classes are "ham", "spam""#);
        assert_eq!(classes_hint("eggs", &classes), r#"the classes are "ham", "spam""#);
    }

    #[test]
    fn a_long_list_of_names_is_shortened() {
        assert_eq!(quoted(["a", "b c"]), r#""a", "b c""#);
        let many: Vec<String> = (0..14).map(|k| k.to_string()).collect();
        assert!(quoted(&many).ends_with(r#", "11" and 2 more"#));
    }
}
