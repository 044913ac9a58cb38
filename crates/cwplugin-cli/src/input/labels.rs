//! Classes by name.

use std::collections::HashMap;

/// Up to this many names, a linear search is faster than hashing.
const FEW: usize = 16;

/// The class names, to look labels up.
#[derive(Debug)]
pub(super) struct Names {
    all: Vec<String>,
    /// Empty if the names are few.
    by_name: HashMap<String, usize>,
    /// The file does not name its class columns, so an integer label is a position.
    by_position: bool,
}

impl Names {
    pub(super) fn new(names: &[String], by_position: bool) -> Self {
        let many = if names.len() > FEW { names } else { &[] };
        let by_name = many.iter().enumerate().map(|(k, name)| (name.clone(), k)).collect();
        Self { all: names.to_vec(), by_name, by_position }
    }

    /// All names, in the order of the classes.
    pub(super) fn all(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(String::as_str)
    }

    /// The class of a label: by name, with or without spaces around it; as an integer that pandas wrote as 1.0; as a spelling
    /// of true or false; or by position.
    pub(super) fn class(&self, label: &str, is_bool: bool) -> Option<usize> {
        let found = self.get(label).or_else(|| self.get(label.trim()));
        let number = || self.get(whole_number(label)?);
        let truth = || if is_bool { self.truth(label) } else { None };
        let position =
            || whole_number(label)?.parse().ok().filter(|&k| self.by_position && k < self.all.len());
        found.or_else(number).or_else(truth).or_else(position)
    }

    fn get(&self, name: &str) -> Option<usize> {
        if self.by_name.is_empty() {
            self.all.iter().position(|other| other == name)
        } else {
            self.by_name.get(name).copied()
        }
    }

    /// The class of a true or false: Python writes True, others TRUE or 1.
    fn truth(&self, label: &str) -> Option<usize> {
        let spellings = if label == "true" { ["True", "TRUE", "1"] } else { ["False", "FALSE", "0"] };
        spellings.iter().find_map(|spelling| self.get(spelling))
    }
}

/// `7` for `7`, `7.0` or ` 7.`; `None` for `v1.0`.
fn whole_number(text: &str) -> Option<&str> {
    let text = text.trim();
    let (whole, zeros) = text.split_once('.').unwrap_or((text, ""));
    (whole.parse::<i64>().is_ok() && zeros.bytes().all(|b| b == b'0')).then_some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_names_are_found_alike() {
        for m in [2, FEW, FEW + 1, 100] {
            let names: Vec<String> = (0..m).map(|k| format!("class {k}")).collect();
            let names = Names::new(&names, true);
            for k in 0..m {
                assert_eq!(names.class(&format!("class {k}"), false), Some(k));
                assert_eq!(names.class(&format!(" class {k} "), false), Some(k));
                assert_eq!(names.class(&format!("{k}.0"), false), Some(k));
            }
            assert_eq!(names.class(&format!("class {m}"), false), None);
            assert_eq!(names.class(&m.to_string(), false), None);
        }
    }
}
