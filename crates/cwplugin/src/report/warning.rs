//! Warnings about the data or the fit.

use serde::{Deserialize, Serialize};

use crate::data::class_totals::ClassTotals;
use crate::data::{Copies, RowChecks};
use crate::evaluate::ConstraintStatus;
use crate::numeric::tolerance::is_as_good;
use crate::report::ScorePair;
use crate::report::words::grouped;

/// Below this number of labelled rows, the weight of a class depends on single rows.
const FEW_ROWS: u64 = 10;

/// A warning about the data or the fit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Warning {
    /// Stable name of the kind, e.g. `few-rows`.
    pub kind: String,
    /// The class concerned, if any.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub class: Option<String>,
    /// The message.
    pub message: String,
}

impl Warning {
    /// Kind of [`Warning::below_clean`].
    pub(crate) const BELOW_CLEAN: &'static str = "below-clean";

    /// Kind of the warning about a class with few labelled rows.
    pub const FEW_ROWS: &'static str = "few-rows";

    pub(crate) fn new(kind: &str, message: String) -> Self {
        Self { kind: kind.into(), class: None, message }
    }

    fn of_class(kind: &str, class: &str, message: &str) -> Self {
        let message = format!("class \"{class}\" {message}");
        Self { class: Some(class.into()), ..Self::new(kind, message) }
    }

    /// A class without labelled rows keeps weight 1.
    pub(crate) fn absent_kept(class: &str) -> Self {
        Self::of_class("absent-class", class, "has no labelled rows: it keeps the weight of the reference")
    }

    /// A class without labelled rows gets weight 0.
    pub(crate) fn absent_dropped(class: &str) -> Self {
        let message = "has no labelled rows: its weight is 0 and it is never predicted";
        Self::of_class("absent-class", class, message)
    }

    /// A class without labelled rows gets the geometric mean of the other weights.
    pub(crate) fn absent_averaged(class: &str) -> Self {
        let message = "has no labelled rows: it gets the mean weight of the other classes, or keeps its starting weight \
                       if the mean would score lower";
        Self::of_class("absent-class", class, message)
    }

    /// A calibration or a mixture has no labelled rows of a class.
    pub(crate) fn unknown_class(class: &str) -> Self {
        Self::of_class("unknown-class", class, "has no labelled rows: nothing is learned about it")
    }

    /// No labelled row gives the class a positive probability.
    pub(crate) fn never_probable(class: &str) -> Self {
        let message = "has probability 0 in every labelled row: no weight changes its predictions there";
        Self::of_class("never-probable", class, message)
    }

    /// A class with labelled rows has few of them.
    pub(crate) fn few_rows(class_totals: &ClassTotals, class: usize) -> Option<Self> {
        let rows = Some(class_totals.rows(class)).filter(|rows| (1..FEW_ROWS).contains(rows))?;
        let rows = if rows == 1 { "1 labelled row".into() } else { format!("{rows} labelled rows") };
        let message = format!("has only {rows}: what is learned about it may be due to chance");
        Some(Self::of_class(Self::FEW_ROWS, class_totals.name(class), &message))
    }

    /// Cross-validation used a random subset of the labelled rows.
    pub(crate) fn cv_subset(rows: u64, labelled: u64) -> Self {
        let message = format!(
            "cross-validation used {} of {} labelled rows, drawn at random, to save time",
            grouped(rows),
            grouped(labelled)
        );
        Self::new("cv-subset", message)
    }

    /// Rows repeat others.
    pub(crate) fn copies(copies: &Copies) -> Self {
        let message = format!(
            "{}: each counts once, with the weight of its copies, so that no estimate takes them for new rows; check how the \
             table was made, and leave copies out",
            copies.message()
        );
        Self::new("repeated-rows", message)
    }

    /// The probabilities only name a class, the labels are predictions, or a few rows outweigh all others.
    pub(crate) fn of_checks(checks: &RowChecks) -> impl Iterator<Item = Self> {
        let values = checks.values.warning().map(|(kind, message)| Self::new(kind, message.into()));
        let labels = checks.labels_warning().map(|message| Self::new("labels-as-predicted", message.into()));
        let weights = checks.weights_warning().map(|message| Self::new("uneven-weights", message));
        [values, labels, weights].into_iter().flatten()
    }

    /// The metric does not depend on α.
    pub(crate) fn flat_curve(class: &str) -> Self {
        let message = "does not affect the metric: any weight above 0 gives the same score on these rows";
        Self::of_class("flat-curve", class, message)
    }

    /// The best α is the smallest or the largest that was tried.
    pub(crate) fn at_border(class: &str, alpha: f64) -> Self {
        let how = if alpha < 0.5 { "almost never" } else { "almost always" };
        let message = format!(
            "has its best weight at the end of the searched range (alpha {alpha:.4}), where it is {how} preferred to the reference"
        );
        Self::of_class("at-border", class, &message)
    }

    /// The optimiser used up its iterations.
    pub(crate) fn not_converged() -> Self {
        Self::new("not-converged", "the optimiser stopped before it converged".into())
    }

    /// All labels are of one class.
    pub(crate) fn one_class(class: &str) -> Self {
        let message = format!(
            "every label is \"{class}\": only the black box tells which rows belong to other classes"
        );
        Self { class: Some(class.into()), ..Self::new("one-class", message) }
    }

    /// No class has two labelled rows.
    pub(crate) fn too_few_rows(rows: u64) -> Self {
        let message = format!(
            "too few rows: none of the {rows} labelled rows share a class, so cross-validation is impossible and \
             predictions are left unchanged"
        );
        Self::new("too-few-rows", message)
    }

    /// Some constraints do not hold on the labelled rows.
    pub(crate) fn unmet(constraints: &[ConstraintStatus]) -> Option<Self> {
        let gaps = constraints.iter().filter(|status| !status.is_met()).map(|status| -status.margin);
        let (unmet, gap) = gaps.fold((0, 0.0_f64), |(unmet, most), gap| (unmet + 1, most.max(gap)));
        let all = if constraints.len() == 1 { "the constraint" } else { "all constraints" };
        let are = if unmet == 1 { "is" } else { "are" };
        let message = format!(
            "no weights were found that meet {all} on these rows: {unmet} of {} {are} violated, by at most {gap:.4}",
            constraints.len()
        );
        (unmet > 0).then(|| Self::new("unmet", message))
    }

    /// The rule scores below the unadjusted black box on the rows it was fitted on.
    pub(crate) fn below_clean(score: ScorePair) -> Option<Self> {
        let ScorePair { clean, fitted } = score;
        let message = format!(
            "the fitted rule scores below the unadjusted black box on the rows it was fitted on ({fitted:.4} < {clean:.4})"
        );
        (!is_as_good(fitted, clean)).then(|| Self::new(Self::BELOW_CLEAN, message))
    }
}
