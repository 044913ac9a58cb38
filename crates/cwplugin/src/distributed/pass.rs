//! What is counted in one pass over all rows.

use serde::{Deserialize, Serialize};

use super::PassError;
use crate::error::Error;
use crate::model::Model;
use crate::numeric::buckets::LogBuckets;
use crate::plugin::Step;
use crate::rule::Weights;

/// Counters of all lines together, at most: 64 MiB.
const MOST_COUNTERS: usize = 1 << 23;

/// Octaves, on either side of the present weight, that the buckets of the widest look reach over.
const OCTAVES: u32 = 8;

/// … with so many buckets at most, and with so many at least.
const BUCKETS: [usize; 2] = [256, 32];

/// A closer look sees an eighth of the range, eight times as finely.
const ZOOM: u32 = 3;

/// What to count of every partition of the rows, each on its own: [`PassCounts`](super::PassCounts) add up.
///
/// It is a small document, so that it travels to wherever the rows are.
#[derive(Debug, Clone, PartialEq)]
pub struct Pass {
    pub(super) classes: Vec<String>,
    /// What is made of a row before any weight, if anything; its own weights do not matter.
    pub(super) behind: Option<Model>,
    /// The class against which cuts are counted, for Algorithm 1, if they are.
    pub(super) reference: Option<usize>,
    /// The weights at which all lines are counted.
    pub(super) stands: Vec<Weights>,
    pub(super) look: Look,
}

/// How lines are looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Look {
    /// The classes that have a line.
    pub(super) is_free: Vec<bool>,
    /// Whether the metric looks at no cell off the diagonal.
    pub(super) is_by_class: bool,
    /// Buckets of cuts for each line.
    pub(super) buckets: usize,
    /// How often it was looked closer.
    pub(super) zoom: u32,
    /// A power of two of which all weights of rows are taken to be multiples, so that no order of adding them matters.
    pub(super) unit: f64,
}

impl Look {
    /// The widest look with as many buckets as the memory allows.
    pub(super) fn new(is_free: Vec<bool>, is_by_class: bool, unit: f64) -> Result<Self, Error> {
        let [most, least] = BUCKETS;
        let mut look = Self { is_free, is_by_class, buckets: most, zoom: 0, unit };
        while look.counters() > MOST_COUNTERS && look.buckets > least {
            look.buckets /= 2;
        }
        if look.counters() > MOST_COUNTERS {
            let (classes, bins) = (look.is_free.len(), look.buckets);
            return Err(Error::TooManyCounters { classes, bins, most: MOST_COUNTERS });
        }
        Ok(look)
    }

    /// What a row that moves may be to the class that it goes to or comes from: of that class, of its rival, neither; or,
    /// for a metric that looks at all cells, of any class.
    pub(super) fn kinds(&self) -> usize {
        if self.is_by_class { 3 } else { self.is_free.len() }
    }

    /// Counters of the lines of one stand.
    pub(super) fn counters(&self) -> usize {
        let m = self.is_free.len();
        m.saturating_mul(m).saturating_mul(self.buckets).saturating_mul(self.kinds())
    }

    /// How many stands fit into the memory at once.
    pub(super) fn most_stands(&self) -> usize {
        (MOST_COUNTERS / self.counters().max(1)).max(1)
    }

    pub(super) fn cuts(&self) -> LogBuckets {
        let digits = (self.buckets / 2).ilog2() - OCTAVES.ilog2() + ZOOM * self.zoom;
        LogBuckets::around_one(digits, self.buckets)
    }

    /// The logarithm of the factor at which the outermost bucket begins.
    pub(super) fn reach(&self) -> f64 {
        f64::from(OCTAVES) * std::f64::consts::LN_2 / f64::from(1 << (ZOOM * self.zoom))
    }

    /// The same, closer.
    pub(super) fn closer(&self) -> Self {
        Self { zoom: self.zoom + 1, ..self.clone() }
    }
}

/// A pass as it travels.
#[derive(Serialize, Deserialize)]
struct Document {
    classes: Vec<String>,
    behind: Option<String>,
    reference: Option<usize>,
    stands: Vec<Vec<f64>>,
    look: Look,
}

impl Pass {
    /// The step of the grid on which cuts are counted: the paper's.
    pub(super) const STEP: Step = Step::HUNDREDTH;

    /// The pass as text.
    pub fn to_json(&self) -> String {
        let document = Document {
            classes: self.classes.clone(),
            behind: self.behind.as_ref().map(Model::to_json),
            reference: self.reference,
            stands: self.stands.iter().map(|weights| weights.as_slice().to_vec()).collect(),
            look: self.look.clone(),
        };
        serde_json::to_string(&document).unwrap_or_default() // names and finite numbers
    }

    /// Reads a pass.
    ///
    /// # Errors
    ///
    /// If the text is none.
    pub fn from_json(text: &str) -> Result<Self, PassError> {
        let wrong = |reason: String| PassError::Unreadable { reason };
        let document: Document = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
        let behind = document.behind.as_deref().map(Model::from_json).transpose();
        let stands = document.stands.into_iter().map(Weights::from_file).collect::<Result<Vec<_>, _>>()?;
        let m = document.classes.len();
        let fits = document.look.is_free.len() == m
            && document.reference.is_none_or(|reference| reference < m)
            && stands.iter().all(|weights| weights.n_classes() == m)
            && BUCKETS[1] <= document.look.buckets
            && document.look.counters() <= MOST_COUNTERS
            && document.look.zoom < 10;
        if !fits {
            return Err(wrong("its parts are for different numbers of classes".into()));
        }
        let behind = behind.map_err(|error| wrong(error.to_string()))?;
        Ok(Self {
            classes: document.classes,
            behind,
            reference: document.reference,
            stands,
            look: document.look,
        })
    }
}
