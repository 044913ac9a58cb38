//! Statistics as a table: the result of the SQL query, or the content of a Parquet or CSV file.
//!
//! | kind | class | label | bin | rows | each |
//! |---|---|---|---|---|---|
//! | `class` | name | | position | labelled rows that give it a positive probability | |
//! | `reference` | name | | number of bins | labelled rows | |
//! | `unlabelled` | | | | rows without a label | |
//! | `cut` | class of the pair | class of the rows | bin | rows | weight of each |
//! | `weight` | class of the pair | class of the rows | bin | | weight to add to this bin |
//!
//! Lines may come in any order, and several lines may refer to the same bin.

use std::collections::HashMap;

use super::Statistics;
use super::json::{StatisticsError, add, class_of, contradiction, places_of};
use crate::plugin::Step;

/// A line of the table; fields that do not apply are `None`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StatisticsLine {
    /// `class`, `reference`, `unlabelled`, `cut` or `weight`.
    pub kind: String,
    /// The class, or the class of the pair.
    pub class: Option<String>,
    /// The label of the rows.
    pub label: Option<String>,
    /// The bin; for a class its position, for the reference the number of bins.
    pub bin: Option<i64>,
    /// The number of rows.
    pub rows: Option<i64>,
    /// The weight of each row.
    pub each: Option<f64>,
}

impl StatisticsLine {
    fn new(kind: &str) -> Self {
        Self { kind: kind.into(), ..Self::default() }
    }
}

impl Statistics {
    /// Converts the statistics to a table.
    pub fn to_lines(&self) -> Vec<StatisticsLine> {
        let mut lines = Vec::new();
        for (class, name) in self.classes.iter().enumerate() {
            lines.push(StatisticsLine {
                class: Some(name.clone()),
                bin: Some(class as i64),
                rows: Some(i64::from(self.class_totals.probable[class])),
                ..StatisticsLine::new("class")
            });
        }
        let rows = Some(self.class_totals.unlabelled as i64);
        lines.push(StatisticsLine { rows, ..StatisticsLine::new("unlabelled") });
        for class in self.pair_classes() {
            for (side, of) in [class, self.reference].into_iter().enumerate() {
                for bin in 0..=self.bins.points() {
                    self.push_bin(&mut lines, class, (side, of), bin);
                }
            }
        }
        // Comes last, so that a truncated file always lacks it.
        lines.push(StatisticsLine {
            class: Some(self.classes[self.reference].clone()),
            bin: Some(self.bins.points() as i64),
            rows: Some(self.n_labelled() as i64),
            ..StatisticsLine::new("reference")
        });
        lines
    }

    fn push_bin(
        &self,
        lines: &mut Vec<StatisticsLine>,
        class: usize,
        (side, of): (usize, usize),
        bin: usize,
    ) {
        let (tally, place) = (&self.bins.tally, self.bins.place(class, side, bin));
        if tally.rows(place) == 0 {
            return;
        }
        let line = StatisticsLine {
            class: Some(self.classes[class].clone()),
            label: Some(self.classes[of].clone()),
            bin: Some(bin as i64),
            ..StatisticsLine::new("cut")
        };
        let rows = Some(tally.rows(place) as i64);
        let Some(weight) = tally.exact_weight(place) else {
            lines.push(StatisticsLine { rows, each: Some(1.0), ..line });
            return;
        };
        lines.push(StatisticsLine { rows, each: Some(0.0), ..line.clone() });
        lines.extend(weight.parts().into_iter().map(|part| StatisticsLine {
            kind: "weight".into(),
            each: Some(part),
            ..line.clone()
        }));
    }

    /// Parses the table.
    ///
    /// # Errors
    ///
    /// If a line is invalid, or the lines are inconsistent.
    pub fn from_lines(lines: &[StatisticsLine]) -> Result<Self, StatisticsError> {
        let mut statistics = Self::of_head(lines)?;
        let is_weighted = |line: &StatisticsLine| {
            line.kind == "weight" || line.each.is_some_and(|each| each.to_bits() != 1.0_f64.to_bits())
        };
        if lines.iter().any(is_weighted) {
            statistics.check_weighted()?;
        }
        let classes = statistics.classes.clone();
        let places = places_of(&classes);
        for (number, line) in (1..).zip(lines) {
            statistics.read_line(line, &places).map_err(|error| match error {
                StatisticsError::Contradiction { reason } => {
                    StatisticsError::BadLine { line: number, reason }
                }
                error => error,
            })?;
        }
        statistics.count_classes();
        statistics.check_totals()?;
        let labelled = lines.iter().filter(|line| line.kind == "reference").find_map(|line| line.rows);
        if labelled.is_some_and(|rows| rows != statistics.n_labelled() as i64) {
            let (rows, counted) = (labelled.unwrap_or_default(), statistics.n_labelled());
            return contradiction(format!("the lines contain only {counted} of {rows} labelled rows"));
        }
        Ok(statistics)
    }

    /// Parses classes, reference and grid.
    fn of_head(lines: &[StatisticsLine]) -> Result<Self, StatisticsError> {
        let of_kind = |kind: &'static str| lines.iter().filter(move |line| line.kind == kind);
        let mut classes: Vec<(i64, &String)> =
            of_kind("class").filter_map(|line| line.bin.zip(line.class.as_ref())).collect();
        classes.sort_unstable();
        if !classes.iter().map(|class| class.0).eq(0..classes.len() as i64) {
            return contradiction("the positions of the classes are not 0, 1, 2, …");
        }
        let classes: Vec<String> = classes.into_iter().map(|(_, name)| name.clone()).collect();
        let mut references = of_kind("reference").filter_map(|line| line.class.as_ref().zip(line.bin));
        let (Some((reference, bins)), None) = (references.next(), references.next()) else {
            return contradiction(
                "there must be one line of kind \"reference\", with a class and a number of bins",
            );
        };
        let reference = class_of(&places_of(&classes), reference)?;
        let step = Step::bins(usize::try_from(bins).unwrap_or(0))?;
        Ok(Self::new(classes, reference, step)?)
    }

    fn read_line(
        &mut self,
        line: &StatisticsLine,
        places: &HashMap<&str, usize>,
    ) -> Result<(), StatisticsError> {
        let class = || match &line.class {
            Some(name) => class_of(places, name),
            None => contradiction("no class"),
        };
        let rows = || match line.rows.map(u64::try_from) {
            Some(Ok(rows)) => Ok(rows),
            _ => contradiction("\"rows\" is not a number of rows"),
        };
        match line.kind.as_str() {
            "reference" => {}
            "class" => {
                let (class, rows) = (class()?, rows()?);
                self.class_totals.probable[class] |= rows > 0;
            }
            "unlabelled" => {
                self.class_totals.unlabelled = self.class_totals.unlabelled.saturating_add(rows()?);
            }
            "cut" => {
                let (place, rows) = (self.place_of(class()?, line, places)?, rows()?);
                self.bins.tally.add_rows(place, rows, weight(line)?);
            }
            "weight" => {
                let place = self.place_of(class()?, line, places)?;
                // The remainder of a rounded sum may be negative.
                let Some(part) = line.each.filter(|part| part.is_finite()) else {
                    return contradiction("\"each\" is not a weight");
                };
                self.bins.tally.add_weight(place, part);
            }
            "unknown" => {
                let label = line.label.as_deref().unwrap_or_default();
                return contradiction(format!("{} rows have the unknown label \"{label}\"", rows()?));
            }
            "bad" => {
                let rows = rows()?;
                return contradiction(format!(
                    "{rows} rows have a missing or negative probability, or do not sum to 1"
                ));
            }
            kind => return contradiction(format!("unknown kind \"{kind}\"")),
        }
        Ok(())
    }

    /// The index of the counter that a line refers to.
    fn place_of(
        &self,
        class: usize,
        line: &StatisticsLine,
        places: &HashMap<&str, usize>,
    ) -> Result<usize, StatisticsError> {
        let label = class_of(places, line.label.as_deref().unwrap_or_default())?;
        let side = match label {
            _ if class == self.reference => {
                return contradiction("the reference cannot be paired with itself");
            }
            label if label == class => 0,
            label if label == self.reference => 1,
            _ => return contradiction("the label is neither the class nor the reference"),
        };
        match line.bin.map(usize::try_from) {
            Some(Ok(bin)) if bin <= self.bins.points() => Ok(self.bins.place(class, side, bin)),
            _ if line.bin == Some(-1) => contradiction(
                "rows have probabilities below 1e-290, whose bin SQL cannot compute: round them to 0",
            ),
            _ => contradiction("the bin is not on the grid"),
        }
    }

    /// Computes the rows of every class from the counters of its pair; rows of the reference are in every pair.
    fn count_classes(&mut self) {
        let places =
            |class, side| self.bins.place(class, side, 0)..=self.bins.place(class, side, self.bins.points());
        let any_class = usize::from(self.reference == 0);
        let counted: Vec<_> = (0..self.classes.len())
            .map(|class| if class == self.reference { places(any_class, 1) } else { places(class, 0) })
            .map(|places| self.bins.tally.sum(places))
            .collect();
        for (class, (rows, weight)) in counted.into_iter().enumerate() {
            let parts = self.bins.tally.is_weighted().then(|| weight.parts());
            add(&mut self.class_totals.classes, class, rows, parts.as_deref());
        }
    }
}

/// The weight of each row of a line, 1 if not given; it must be finite and not negative.
fn weight(line: &StatisticsLine) -> Result<f64, StatisticsError> {
    match line.each.unwrap_or(1.0) {
        each if each.is_finite() && each >= 0.0 => Ok(each),
        _ => contradiction("\"each\" is not a weight"),
    }
}
