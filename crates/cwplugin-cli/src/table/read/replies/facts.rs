//! What the user should know about the replies.

use std::collections::BTreeMap;
use std::sync::Mutex;

use cwplugin::data::quoted;
use cwplugin_replies::{Kind, Rows, Votes};

use crate::user_error::count_of;

/// Share of `other` above which there is a warning.
const MUCH: f64 = 0.05;

/// Facts about the rows that were read, on any thread.
#[derive(Debug, Default)]
pub(crate) struct ReplyFacts(Mutex<Counts>);

#[derive(Debug, Default)]
struct Counts {
    rows: usize,
    other: f64,
    /// Rows that do not list all classes.
    incomplete: usize,
    /// Rows that do not list a class, by class; only those that are missing somewhere.
    missing: BTreeMap<u32, usize>,
    /// Rows of scores that do not sum to 1.
    independent: usize,
    /// Rows by their number of votes.
    votes: BTreeMap<u64, u64>,
    /// Replies that were left out: how many, the first, and its error.
    skipped: BTreeMap<&'static str, (usize, usize, String)>,
}

impl ReplyFacts {
    pub(super) fn add(&self, rows: &Rows) {
        let Ok(mut counts) = self.0.lock() else { return };
        for row in rows.iter() {
            counts.rows += 1;
            counts.other += row.other;
            counts.incomplete += usize::from(row.n_missing > 0);
            counts.independent += usize::from(row.kind == Kind::Independent);
        }
        for class in rows.missing() {
            *counts.missing.entry(*class).or_default() += 1;
        }
    }

    pub(super) fn add_votes(&self, rows: &[Votes]) {
        let Ok(mut counts) = self.0.lock() else { return };
        counts.rows += rows.len();
        counts.other += rows.iter().map(Votes::share_of_other).sum::<f64>();
        for row in rows {
            *counts.votes.entry(row.total()).or_default() += 1;
        }
    }

    /// Rows by their number of votes; none if the replies are not votes.
    pub(crate) fn votes(&self) -> BTreeMap<u64, u64> {
        self.0.lock().map(|counts| counts.votes.clone()).unwrap_or_default()
    }

    /// Counts a reply that is left out; `kind` is the cause in one word.
    pub(super) fn skip(&self, number: usize, kind: &'static str, error: &dyn std::fmt::Display) {
        let Ok(mut counts) = self.0.lock() else { return };
        let skipped = counts.skipped.entry(kind).or_insert_with(|| (0, number, error.to_string()));
        skipped.0 += 1;
        if number < skipped.1 {
            (skipped.1, skipped.2) = (number, error.to_string());
        }
    }

    /// Notes and warnings, when all rows are read.
    pub(super) fn remarks(&self, classes: &[String]) -> (Vec<String>, Vec<String>) {
        let Ok(counts) = self.0.lock() else { return Default::default() };
        let (mut notes, mut warnings) = (Vec::new(), Vec::new());
        for (n, first, error) in counts.skipped.values() {
            notes.push(format!("{} left out, first row {first}: {error}", count_of(*n, "reply")));
        }
        let of_rows = format!("of {}", count_of(counts.rows, "row"));
        if counts.incomplete > 0 {
            let n = counts.incomplete;
            notes.push(format!("in {n} {of_rows} a class is not listed; --missing sets what it gets"));
        }
        if counts.independent > 0 {
            let n = counts.independent;
            warnings.push(format!(
                "{n} {of_rows} have scores that do not exclude each other; they were divided by their sum"
            ));
        }
        let never = counts.missing.iter().filter(|(_, n)| **n == counts.rows);
        let never = quoted(never.filter_map(|(class, _)| classes.get(*class as usize)));
        if !never.is_empty() {
            warnings.push(format!(
                "no reply lists {never}: check the spelling of the class, or name its texts with --class NAME=TEXT"
            ));
        }
        let share = counts.other / counts.rows.max(1) as f64;
        if share > MUCH {
            let by = if counts.votes.is_empty() { ", by probability," } else { "" };
            warnings.push(format!(
                "{:.0}% of the answers{by} match no class; add their texts with --class NAME=TEXT",
                100.0 * share
            ));
        }
        (notes, warnings)
    }
}
