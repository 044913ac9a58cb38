//! What one pass over all rows counts.

use serde::{Deserialize, Serialize};

use super::PassError;
use crate::error::Error;
use crate::model::Model;
use crate::numeric::buckets::LogBuckets;
use crate::plugin::Step;
use crate::rule::Weights;

/// Maximum number of counters of all lines together: 64 MiB.
const MAX_COUNTERS: usize = 1 << 23;

/// Octaves on either side of the current weight that the widest buckets cover.
const OCTAVES: u32 = 8;

/// Maximum and minimum number of buckets per line.
const BUCKETS: [usize; 2] = [256, 32];

/// Binary logarithm of the refinement: an eighth of the range, eight times as fine.
const ZOOM: u32 = 3;

/// What to count on every partition of the rows; [`PassCounts`](super::PassCounts) of the partitions are added.
///
/// A small document that is sent to where the rows are.
#[derive(Debug, Clone, PartialEq)]
pub struct Pass {
    pub(super) classes: Vec<String>,
    /// Model whose calibration is applied to the rows first; its weights are ignored.
    pub(super) model: Option<Model>,
    /// The class against which cuts are counted for Algorithm 1, if any.
    pub(super) reference: Option<usize>,
    /// The weights at which all lines are counted.
    pub(super) weights: Vec<Weights>,
    pub(super) resolution: Resolution,
}

/// The resolution of the lines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Resolution {
    /// The classes that have a line.
    pub(super) is_free: Vec<bool>,
    /// Whether the metric depends only on the diagonal and the marginals.
    pub(super) is_by_class: bool,
    /// Buckets per line.
    pub(super) buckets: usize,
    /// Number of refinements.
    pub(super) zoom: u32,
    /// A power of two of which all row weights are taken to be multiples, so that sums do not depend on the order.
    pub(super) unit: f64,
}

impl Resolution {
    /// The widest range, with as many buckets as memory allows.
    pub(super) fn new(is_free: Vec<bool>, is_by_class: bool, unit: f64) -> Result<Self, Error> {
        let [most, least] = BUCKETS;
        let mut resolution = Self { is_free, is_by_class, buckets: most, zoom: 0, unit };
        while resolution.counters() > MAX_COUNTERS && resolution.buckets > least {
            resolution.buckets /= 2;
        }
        if resolution.counters() > MAX_COUNTERS {
            let (classes, bins) = (resolution.is_free.len(), resolution.buckets);
            return Err(Error::TooManyCounters { classes, bins, most: MAX_COUNTERS });
        }
        Ok(resolution)
    }

    /// The number of kinds of a moving row: its label is the class, the competing class or neither; for a metric that needs
    /// all cells, one kind per class.
    pub(super) fn kinds(&self) -> usize {
        if self.is_by_class { 3 } else { self.is_free.len() }
    }

    /// Number of counters per set of weights.
    pub(super) fn counters(&self) -> usize {
        let m = self.is_free.len();
        m.saturating_mul(m).saturating_mul(self.buckets).saturating_mul(self.kinds())
    }

    /// Maximum number of sets of weights per pass.
    pub(super) fn max_points(&self) -> usize {
        (MAX_COUNTERS / self.counters().max(1)).max(1)
    }

    pub(super) fn cuts(&self) -> LogBuckets {
        let digits = (self.buckets / 2).ilog2() - OCTAVES.ilog2() + ZOOM * self.zoom;
        LogBuckets::around_one(digits, self.buckets)
    }

    /// The logarithm of the factor at which the outermost bucket begins.
    pub(super) fn reach(&self) -> f64 {
        f64::from(OCTAVES) * std::f64::consts::LN_2 / f64::from(1 << (ZOOM * self.zoom))
    }

    /// The next refinement.
    pub(super) fn finer(&self) -> Self {
        Self { zoom: self.zoom + 1, ..self.clone() }
    }
}

/// The JSON document.
#[derive(Serialize, Deserialize)]
struct Document {
    classes: Vec<String>,
    model: Option<String>,
    reference: Option<usize>,
    weights: Vec<Vec<f64>>,
    resolution: Resolution,
}

impl Pass {
    /// The step of the grid on which cuts are counted, as in the paper.
    pub(super) const STEP: Step = Step::HUNDREDTH;

    /// The pass as JSON.
    pub fn to_json(&self) -> String {
        let document = Document {
            classes: self.classes.clone(),
            model: self.model.as_ref().map(Model::to_json),
            reference: self.reference,
            weights: self.weights.iter().map(|weights| weights.as_slice().to_vec()).collect(),
            resolution: self.resolution.clone(),
        };
        serde_json::to_string(&document).unwrap_or_default() // names and finite numbers
    }

    /// Parses a pass.
    ///
    /// # Errors
    ///
    /// If the text is not valid.
    pub fn from_json(text: &str) -> Result<Self, PassError> {
        let wrong = |reason: String| PassError::Unreadable { reason };
        let document: Document = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
        let model = document.model.as_deref().map(Model::from_json).transpose();
        let weights = document.weights.into_iter().map(Weights::from_file).collect::<Result<Vec<_>, _>>()?;
        let m = document.classes.len();
        let fits = document.resolution.is_free.len() == m
            && document.reference.is_none_or(|reference| reference < m)
            && weights.iter().all(|weights| weights.n_classes() == m)
            && BUCKETS[1] <= document.resolution.buckets
            && document.resolution.counters() <= MAX_COUNTERS
            && document.resolution.zoom < 10;
        if !fits {
            return Err(wrong("its parts are for different numbers of classes".into()));
        }
        let model = model.map_err(|error| wrong(error.to_string()))?;
        Ok(Self {
            classes: document.classes,
            model,
            reference: document.reference,
            weights,
            resolution: document.resolution,
        })
    }
}
