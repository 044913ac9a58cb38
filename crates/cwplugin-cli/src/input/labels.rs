//! Classes by name.

use std::collections::HashMap;

use cwplugin::data::{classes_hint, quoted};

/// Up to this many names, a linear search is faster than hashing.
const FEW: usize = 16;

/// Places of guesses.
const PLACES: usize = 256;

/// The class names, to look labels up.
#[derive(Debug)]
pub(super) struct Names {
    all: Vec<String>,
    /// For the [`place`] of a text, the number of a name that it may be.
    guesses: [u32; PLACES],
    /// Empty if the names are few.
    by_name: HashMap<String, usize>,
    options: LabelOptions,
}

/// How labels are matched to classes.
#[derive(Debug, Default)]
pub(super) struct LabelOptions {
    /// An integer label that is not a name is a position, from 0: the file does not name its class columns.
    pub(super) by_position: bool,
    /// Labels are positions, counted from this number.
    pub(super) first: Option<usize>,
    pub(super) ignore_case: bool,
    /// Other texts for labels.
    pub(super) map: HashMap<String, String>,
}

impl Names {
    pub(super) fn new(names: &[String], options: LabelOptions) -> Self {
        let many = if names.len() > FEW { names } else { &[] };
        let by_name = many.iter().enumerate().map(|(k, name)| (name.clone(), k)).collect();
        let mut guesses = [u32::MAX; PLACES];
        (0..).zip(names).for_each(|(k, name)| guesses[place(name)] = k);
        Self { all: names.to_vec(), guesses, by_name, options }
    }

    /// All names, in the order of the classes.
    pub(super) fn all(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(String::as_str)
    }

    /// The class of a label: by name, with or without spaces around it; as an integer that pandas wrote as 1.0; as a spelling
    /// of true or false; or by position.
    pub(super) fn class(&self, label: &str, is_bool: bool) -> Option<usize> {
        if self.options.map.is_empty()
            && self.options.first.is_none()
            && let found @ Some(_) = self.get(label)
        {
            return found; // nearly always
        }
        let label = self.options.map.get(label.trim()).map_or(label, String::as_str);
        if let Some(first) = self.options.first {
            let position = whole_number(label)?.parse::<usize>().ok()?.checked_sub(first)?;
            return Some(position).filter(|&k| k < self.all.len());
        }
        let found = self.get(label).or_else(|| self.get(label.trim()));
        let number = || self.get(whole_number(label)?);
        let truth = || if is_bool { self.truth(label) } else { None };
        let position =
            || whole_number(label)?.parse().ok().filter(|&k| self.options.by_position && k < self.all.len());
        let any_case = || self.in_any_case(label).filter(|_| self.options.ignore_case);
        found.or_else(number).or_else(truth).or_else(position).or_else(any_case)
    }

    /// The hint for a label that is not a class.
    pub(super) fn cure(&self, label: &str) -> String {
        let classes = quoted(self.all());
        if let Some(first) = self.options.first {
            let last = self.all.len() - 1 + first;
            return format!(
                "--label-index {first} needs whole numbers from {first} to {last}; the classes are {classes}"
            );
        }
        match self.in_any_case(label) {
            Some(k) => format!("did you mean \"{}\"? --ignore-case matches labels in any case", self.all[k]),
            None if whole_number(label).is_some() => {
                format!("the classes are {classes}; for positions of the classes, use --label-index 0 or 1")
            }
            None => format!("{}; --label-map FILE maps other labels", classes_hint(label, &self.all)),
        }
    }

    /// The only class that is equal except for the case.
    fn in_any_case(&self, label: &str) -> Option<usize> {
        let label = label.trim().to_lowercase();
        let mut alike = (0..self.all.len()).filter(|&k| self.all[k].trim().to_lowercase() == label);
        alike.next().filter(|_| alike.next().is_none())
    }

    fn get(&self, name: &str) -> Option<usize> {
        let guess = self.guesses[place(name)] as usize;
        if self.all.get(guess).is_some_and(|guess| guess == name) {
            Some(guess)
        } else if self.by_name.is_empty() {
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

/// A number for a text that differs for most names.
fn place(text: &str) -> usize {
    let bytes = text.as_bytes();
    let [first, last] = [bytes.first(), bytes.last()].map(|byte| byte.copied().map_or(0, usize::from));
    (first + 31 * last + 7 * bytes.len()) % PLACES
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
            let names = Names::new(&names, LabelOptions { by_position: true, ..LabelOptions::default() });
            for k in 0..m {
                assert_eq!(names.class(&format!("class {k}"), false), Some(k));
                assert_eq!(names.class(&format!(" class {k} "), false), Some(k));
                assert_eq!(names.class(&format!("{k}.0"), false), Some(k));
            }
            assert_eq!(names.class(&format!("class {m}"), false), None);
            assert_eq!(names.class(&m.to_string(), false), None);
        }
    }

    fn ham_and_spam(options: LabelOptions) -> Names {
        Names::new(&["Ham".into(), "Spam".into()], options)
    }

    #[test]
    fn labels_match_in_any_case_if_asked_and_the_hint_says_so() {
        let names = ham_and_spam(LabelOptions::default());
        assert_eq!(names.class("SPAM ", false), None);
        assert_eq!(names.cure("SPAM "), "did you mean \"Spam\"? --ignore-case matches labels in any case");
        let names = ham_and_spam(LabelOptions { ignore_case: true, ..LabelOptions::default() });
        assert_eq!(names.class("SPAM ", false), Some(1));
    }

    #[test]
    fn positions_count_from_0_or_1() {
        for first in [0, 1] {
            let names = ham_and_spam(LabelOptions { first: Some(first), ..LabelOptions::default() });
            let class = |label: usize| names.class(&label.to_string(), false);
            assert_eq!((class(first), class(first + 1), class(first + 2)), (Some(0), Some(1), None));
            assert_eq!(names.class("Ham", false), None, "a name is not a position");
        }
    }

    #[test]
    fn a_map_replaces_labels() {
        let map = HashMap::from([("0".to_string(), "Ham".to_string())]);
        let names = ham_and_spam(LabelOptions { map, ..LabelOptions::default() });
        assert_eq!((names.class("0", false), names.class("Spam", false)), (Some(0), Some(1)));
    }
}
