//! Statistics as a JSON document with stable bytes.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::Statistics;
use crate::error::Error;
use crate::numeric::exact_sum::ExactSum;
use crate::numeric::tally::Tally;
use crate::plugin::Step;
use crate::stable_json::{self, ReadError};

const FORMAT: &str = "cwplugin-statistics";
const VERSION: u64 = 1;

/// Why a text or a table is not valid statistics.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StatisticsError {
    /// The text is not JSON, or a field is missing or of the wrong type.
    #[error("{reason}")]
    NotStatistics {
        /// The message of the JSON parser, with line and column if known.
        reason: String,
    },
    /// The text is JSON in another format.
    #[error("field \"format\" is {found}, not \"cwplugin-statistics\"")]
    WrongFormat {
        /// The value found.
        found: String,
    },
    /// The version is not supported.
    #[error("the file has version {found}; this cwplugin reads version 1")]
    UnknownVersion {
        /// The version in the file.
        found: String,
    },
    /// A line of the table is invalid.
    #[error("line {line}: {reason}")]
    BadLine {
        /// The line number, from 1.
        line: usize,
        /// What is wrong with the line.
        reason: String,
    },
    /// The counters are inconsistent, for example because lines are missing.
    #[error("{reason}")]
    Contradiction {
        /// Which counters disagree.
        reason: String,
    },
    /// Classes, reference or grid are invalid.
    #[error(transparent)]
    Invalid(#[from] Error),
}

#[derive(Serialize, Deserialize)]
struct File {
    format: String,
    version: u64,
    cwplugin: String,
    classes: Vec<String>,
    reference: String,
    step: f64,
    bins: usize,
    rows: u64,
    unlabelled: u64,
    totals: Vec<Total>,
    pairs: Vec<PairCounters>,
}

/// A class and its number of rows.
#[derive(Serialize, Deserialize)]
struct Total {
    class: String,
    rows: u64,
    /// Terms of the exact sum of the row weights; missing if every row weighs 1.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    weight: Option<Vec<f64>>,
    /// Whether any labelled row gives the class a positive probability.
    probable: bool,
}

/// The counters of a class against the reference; empty bins are omitted.
#[derive(Serialize, Deserialize)]
struct PairCounters {
    class: String,
    /// Bin, rows of the class, rows of the reference.
    cuts: Vec<(usize, u64, u64)>,
    /// Bin, terms of the weight of the rows of the class and of the reference; missing if every row weighs 1.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    weights: Option<Vec<BinWeights>>,
}

/// A bin, and the terms of the weight of the rows of the class and of the reference.
type BinWeights = (usize, Vec<f64>, Vec<f64>);

impl Statistics {
    /// The document: one line per class and per pair; equal statistics give equal bytes.
    pub fn to_json(&self) -> String {
        let total = |(class, name): (usize, &String)| Total {
            class: name.clone(),
            rows: self.class_totals.rows(class),
            weight: self.class_totals.classes.exact_weight(class).map(ExactSum::parts),
            probable: self.class_totals.probable[class],
        };
        let file = File {
            format: FORMAT.into(),
            version: VERSION,
            cwplugin: env!("CARGO_PKG_VERSION").into(),
            classes: self.classes.clone(),
            reference: self.classes[self.reference].clone(),
            step: self.step.epsilon(),
            bins: self.step.points(),
            rows: self.n_labelled(),
            unlabelled: self.n_unlabelled(),
            totals: self.classes.iter().enumerate().map(total).collect(),
            pairs: self.pair_classes().map(|class| self.pair_counters(class)).collect(),
        };
        stable_json::write(&file)
    }

    fn pair_counters(&self, class: usize) -> PairCounters {
        let tally = &self.bins.tally;
        let places = |bin| [0, 1].map(|side| self.bins.place(class, side, bin));
        let has_rows = |bin: &usize| places(*bin).iter().any(|&place| tally.rows(place) > 0);
        let bins: Vec<usize> = (0..=self.bins.points()).filter(has_rows).collect();
        let cuts = bins.iter().map(|&bin| {
            let [of_class, of_reference] = places(bin).map(|place| tally.rows(place));
            (bin, of_class, of_reference)
        });
        let weights = bins.iter().map(|&bin| {
            let [of_class, of_reference] = places(bin).map(|place| tally.exact_weight(place));
            Some((bin, of_class?.parts(), of_reference?.parts()))
        });
        let weights = weights.collect::<Option<Vec<_>>>().filter(|_| tally.is_weighted());
        PairCounters { class: self.classes[class].clone(), cuts: cuts.collect(), weights }
    }

    /// Parses a document written by [`Statistics::to_json`].
    ///
    /// # Errors
    ///
    /// If the text has another format, a field twice, or is inconsistent.
    pub fn from_json(text: &str) -> Result<Self, StatisticsError> {
        let file: File = stable_json::read(text, FORMAT, VERSION).map_err(|error| match error {
            ReadError::Json(reason) => StatisticsError::NotStatistics { reason },
            ReadError::Format(found) => StatisticsError::WrongFormat { found },
            ReadError::Version(found) => StatisticsError::UnknownVersion { found },
        })?;
        let step = Step::try_from(file.step)?;
        let places = places_of(&file.classes);
        let position = |name: &str| class_of(&places, name);
        let mut statistics = Self::new(file.classes.clone(), position(&file.reference)?, step)?;
        statistics.class_totals.unlabelled = file.unlabelled;
        if file.pairs.iter().any(|pair| pair.weights.is_some()) {
            statistics.check_weighted()?;
        }
        for total in &file.totals {
            let class = position(&total.class)?;
            statistics.class_totals.probable[class] = total.probable;
            let classes = &mut statistics.class_totals.classes;
            add(classes, class, total.rows, total.weight.as_deref());
        }
        for pair in &file.pairs {
            statistics.read_pair(position(&pair.class)?, pair)?;
        }
        if statistics.n_labelled() != file.rows || step.points() != file.bins {
            return contradiction(format!(
                "the totals are {} rows and {} bins, but \"rows\" is {} and \"bins\" {}",
                statistics.n_labelled(),
                step.points(),
                file.rows,
                file.bins
            ));
        }
        statistics.check_totals()?;
        Ok(statistics)
    }

    fn read_pair(&mut self, class: usize, pair: &PairCounters) -> Result<(), StatisticsError> {
        let bins = pair.cuts.iter().map(|cut| cut.0);
        if class == self.reference || bins.clone().any(|bin| bin > self.bins.points()) {
            let name = &pair.class;
            return contradiction(format!("pair \"{name}\" has a bin beyond the grid, or is the reference"));
        }
        if let Some(weights) = &pair.weights
            && !weights.iter().map(|weight| weight.0).eq(bins)
        {
            let name = &pair.class;
            return contradiction(format!("pair \"{name}\" has different bins in \"weights\" and \"cuts\""));
        }
        for (i, &(bin, of_class, of_reference)) in pair.cuts.iter().enumerate() {
            let parts = pair.weights.as_ref().map(|weights| &weights[i]);
            for (side, rows) in [of_class, of_reference].into_iter().enumerate() {
                let place = self.bins.place(class, side, bin);
                let parts = parts.map(|parts| if side == 0 { &parts.1[..] } else { &parts.2[..] });
                add(&mut self.bins.tally, place, rows, parts);
            }
        }
        Ok(())
    }

    /// Checks that the counters add up to the rows of the classes.
    pub(super) fn check_totals(&self) -> Result<(), StatisticsError> {
        for class in self.pair_classes() {
            for (side, of) in [class, self.reference].into_iter().enumerate() {
                let first = self.bins.place(class, side, 0);
                let places = first..=first + self.bins.points();
                let is_empty = |place: &usize| self.bins.tally.rows(*place) == 0;
                if let Some(place) =
                    places.clone().filter(is_empty).find(|&place| self.bins.tally.weight(place).abs() > 0.0)
                {
                    return contradiction(format!(
                        "bin {} of \"{}\" has the weight {} of \"{}\", but no rows",
                        place - first,
                        self.classes[class],
                        self.bins.tally.weight(place),
                        self.classes[of],
                    ));
                }
                let (rows, weight) = self.bins.tally.sum(places);
                let is_same = rows == self.class_totals.rows(of)
                    && weight.value().to_bits() == self.class_totals.weight(of).to_bits();
                if !is_same {
                    return contradiction(format!(
                        "the counters of \"{}\" contain {rows} rows of \"{}\" (weight {}), but there are {} (weight {})",
                        self.classes[class],
                        self.classes[of],
                        weight.value(),
                        self.class_totals.rows(of),
                        self.class_totals.weight(of)
                    ));
                }
            }
        }
        Ok(())
    }

    /// All classes but the reference.
    pub(super) fn pair_classes(&self) -> impl Iterator<Item = usize> + use<> {
        let reference = self.reference;
        (0..self.classes.len()).filter(move |&class| class != reference)
    }
}

/// Adds rows whose weight is the sum of these parts, or rows of weight 1.
pub(super) fn add(tally: &mut Tally, place: usize, rows: u64, parts: Option<&[f64]>) {
    tally.add_rows(place, rows, if parts.is_some() { 0.0 } else { 1.0 });
    parts.into_iter().flatten().for_each(|&part| tally.add_weight(place, part));
}

/// The place of every class; of a name that occurs twice, which is an error of its own, the first.
pub(super) fn places_of(classes: &[String]) -> HashMap<&str, usize> {
    classes.iter().enumerate().rev().map(|(place, name)| (name.as_str(), place)).collect()
}

pub(super) fn class_of(places: &HashMap<&str, usize>, name: &str) -> Result<usize, StatisticsError> {
    let class = places.get(name).copied();
    class.map_or_else(|| contradiction(format!("unknown class \"{name}\"")), Ok)
}

pub(super) fn contradiction<T>(reason: impl Into<String>) -> Result<T, StatisticsError> {
    Err(StatisticsError::Contradiction { reason: reason.into() })
}
