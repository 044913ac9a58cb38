//! The report of Algorithm 1.

use serde::{Deserialize, Serialize};

use crate::data::class_totals::ClassTotals;
use crate::plugin::{Absent, Peak, Search, Ties};
use crate::report::{PairReport, Warning};
use crate::stable_json::text;

/// The report of Algorithm 1: reference, settings and one entry per pair.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PluginReport {
    /// The reference class.
    pub reference: String,
    /// The search over α.
    #[serde(with = "text")]
    pub search: Search,
    /// The tie rule.
    #[serde(with = "text")]
    pub ties: Ties,
    /// The rule for classes without labelled rows.
    #[serde(with = "text")]
    pub absent: Absent,
    /// One entry for each tuned class, in class order.
    pub pairs: Vec<PairReport>,
}

impl Peak {
    pub(super) fn report(&self, class: &str) -> PairReport {
        let Self { alpha, score, plateau, evaluations, .. } = *self;
        PairReport { class: class.into(), alpha, score, plateau, evaluations }
    }
}

/// Warnings about the tuned classes and the reference.
pub(super) fn warnings(
    class_totals: &ClassTotals,
    reference: usize,
    peaks: &[(usize, Peak)],
) -> Vec<Warning> {
    let mut classes: Vec<usize> = peaks.iter().map(|(class, _)| *class).chain([reference]).collect();
    classes.sort_unstable();
    let few = classes.into_iter().filter_map(|class| Warning::few_rows(class_totals, class));
    let flat = peaks.iter().filter(|(_, peak)| peak.is_flat);
    let flat = flat.map(|(class, _)| Warning::flat_curve(class_totals.name(*class)));
    let at_border = peaks.iter().filter(|(_, peak)| peak.at_border);
    let at_border = at_border.map(|(class, peak)| Warning::at_border(class_totals.name(*class), peak.alpha));
    few.chain(flat).chain(at_border).collect()
}
