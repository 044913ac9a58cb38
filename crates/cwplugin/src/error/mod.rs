//! Errors for invalid input.

mod cure; // what a user can do about an error
mod external; // errors in predictions from outside
mod fact; // row, class and description of an error
mod formula; // errors in a formula
mod names; // names in messages, and suggestions for misspelled ones

pub use external::ExternalProblem;
pub use formula::FormulaProblem;
pub(crate) use names::normalised;
pub use names::{classes_hint, did_you_mean, nearest, quoted};

/// Why an input is invalid. Rows and classes are counted from 0.
///
/// Variants carry values, so that a caller that knows file and column names can build its own message.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The rows or their counters are larger than the memory.
    #[error("{bytes} bytes do not fit into memory")]
    OutOfMemory {
        /// The bytes that were needed.
        bytes: usize,
    },
    /// A classifier needs at least two classes.
    #[error("at least 2 classes are needed, {found} given")]
    TooFewClasses {
        /// Number of classes given.
        found: usize,
    },
    /// A confusion matrix of this many classes would use too much memory.
    #[error("{found} classes given, at most {most} are supported")]
    TooManyClasses {
        /// Number of classes given.
        found: usize,
        /// The limit.
        most: usize,
    },
    /// Two classes have the same name.
    #[error("duplicate class \"{name}\"")]
    DuplicateClass {
        /// The repeated name.
        name: String,
    },
    /// The number of values is not a whole number of rows.
    #[error("{values} values cannot be split into rows of {classes} classes")]
    RaggedMatrix {
        /// Values given.
        values: usize,
        /// Number of classes (columns).
        classes: usize,
    },
    /// A label is not the name of a class.
    #[error("row {row}: unknown class \"{label}\"")]
    UnknownLabel {
        /// The row.
        row: usize,
        /// The label.
        label: String,
    },
    /// Two inputs that must have equal length do not.
    #[error("expected {expected} {what}, found {found}")]
    LengthMismatch {
        /// What is counted: labels, weights, classes or names.
        what: &'static str,
        /// The number given.
        found: usize,
        /// The number expected.
        expected: usize,
    },
    /// A score is infinite or not a number.
    #[error("row {row}, class {class}: {value} is not finite")]
    NotFinite {
        /// Row of the value.
        row: usize,
        /// Class of the value.
        class: usize,
        /// The value.
        value: f64,
    },
    /// A probability is negative.
    #[error("row {row}, class {class}: {value} is negative")]
    Negative {
        /// Row of the value.
        row: usize,
        /// Class of the value.
        class: usize,
        /// The value.
        value: f64,
    },
    /// A log-probability is above 0.
    #[error("row {row}, class {class}: log-probability {value} is above 0")]
    AboveZero {
        /// Row of the value.
        row: usize,
        /// Class of the value.
        class: usize,
        /// The value.
        value: f64,
    },
    /// The probabilities of a row do not sum to one.
    #[error("row {row}: the probabilities sum to {}, not to 1", fact::rounded(*.sum))]
    RowSum {
        /// The row.
        row: usize,
        /// The sum of its values.
        sum: f64,
    },
    /// A column of probabilities holds a number above one.
    #[error("row {row}, class {class}: probability {value} is above 1")]
    AboveOne {
        /// The row.
        row: usize,
        /// The class.
        class: usize,
        /// The value.
        value: f64,
    },
    /// The percentages of a row do not sum to 100.
    #[error("row {row}: the percentages sum to {}, not to 100", fact::rounded(*.sum))]
    PercentSum {
        /// The row.
        row: usize,
        /// The sum of its values.
        sum: f64,
    },
    /// A row of zeros cannot be scaled to sum to one.
    #[error("row {row}: every probability is 0, so the row cannot be normalised")]
    ZeroRow {
        /// The row.
        row: usize,
    },
    /// A label is not the index of a class.
    #[error("row {row}: label {label} is out of range for {classes} classes")]
    LabelOutOfRange {
        /// The row.
        row: usize,
        /// Its label.
        label: usize,
        /// Number of classes.
        classes: usize,
    },
    /// A row weight is negative, not a number, or outside the supported range.
    #[error("row {row}: weight {value} must be 0 or between 1e-100 and 1e100")]
    BadRowWeight {
        /// The row.
        row: usize,
        /// Its weight.
        value: f64,
    },
    /// No row has both a label and a positive weight.
    #[error("no row has a label and a weight above 0")]
    NoLabelledRows,
    /// The query budget is too small.
    #[error("a budget of {budget} queries is too small: at least {least} are needed")]
    BadBudget {
        /// The budget given.
        budget: usize,
        /// The smallest valid budget.
        least: usize,
    },
    /// The precision is out of range.
    #[error("precision {value} is not a number from 1e-9 to 0.5")]
    BadPrecision {
        /// The precision given.
        value: f64,
    },
    /// An oracle's answer is not finite, or its standard error is invalid.
    #[error("invalid answer {value}: values must be finite, and standard errors finite and >= 0")]
    BadAnswer {
        /// The invalid number.
        value: f64,
    },
    /// The reference class has no labelled rows.
    #[error("reference class {class} has no labelled rows in the sample")]
    EmptyReference {
        /// The requested class.
        class: usize,
    },
    /// The reference is not a class of the sample.
    #[error("reference class {class} is out of range for {classes} classes")]
    UnknownReference {
        /// The requested class.
        class: usize,
        /// Number of classes.
        classes: usize,
    },
    /// Statistics cannot be merged because their settings differ.
    #[error("the statistics differ in their {what}: {ours} and {theirs}")]
    StatisticsDiffer {
        /// The setting that differs: classes, grid or reference.
        what: &'static str,
        /// Its value in the first.
        ours: String,
        /// Its value in the second.
        theirs: String,
    },
    /// Counters for this many classes and bins would use too much memory.
    #[error("{classes} classes with {bins} bins each exceed the limit of {most} counters")]
    TooManyCounters {
        /// Number of classes.
        classes: usize,
        /// Number of bins.
        bins: usize,
        /// The limit.
        most: usize,
    },
    /// Binary search was requested for a metric that may have several peaks.
    #[error("metric {metric} is not known to be quasi-concave on a pair, which binary search needs")]
    NotQuasiConcave {
        /// The metric's name.
        metric: String,
    },
    /// A constraint cannot be parsed.
    #[error("invalid constraint \"{text}\"")]
    BadConstraint {
        /// The text given.
        text: String,
    },
    /// The method does not search weights, so it does not support constraints.
    #[error("method {method} does not support constraints: it does not search weights")]
    NotConstrainable {
        /// The method.
        method: String,
    },
    /// Unknown method.
    #[error("unknown method \"{name}\"")]
    UnknownMethod {
        /// The name given.
        name: String,
    },
    /// The name of the reference is not a class.
    #[error("unknown reference class \"{name}\"")]
    UnknownReferenceName {
        /// The name given.
        name: String,
    },
    /// Only Algorithm 1 can be fitted from counts of cuts.
    #[error("method {method} needs the rows; only method cwplugin can be fitted from statistics")]
    NeedsRows {
        /// The method.
        method: String,
    },
    /// The method does not support this option.
    #[error("{option} is not supported by method {method}")]
    UnsupportedOption {
        /// The option.
        option: String,
        /// The method.
        method: String,
    },
    /// The value of an option is invalid.
    #[error("invalid value \"{value}\" for {option}")]
    UnknownOption {
        /// The option, e.g. `ties`.
        option: &'static str,
        /// The value given.
        value: String,
    },
    /// The step of a search is out of range.
    #[error("step {value} is not a number from 0.000001 to 0.5")]
    BadStep {
        /// The step given.
        value: f64,
    },
    /// Unknown metric.
    #[error("unknown metric \"{name}\"")]
    UnknownMetric {
        /// The name given.
        name: String,
    },
    /// The parameter of a metric is missing or invalid.
    #[error("metric \"{name}\": {expected}")]
    MetricParameter {
        /// The full name as given.
        name: String,
        /// What is expected.
        expected: &'static str,
    },
    /// A metric names an unknown class.
    #[error("metric \"{name}\": unknown class \"{class}\"")]
    MetricClass {
        /// The full name as given.
        name: String,
        /// The unknown class.
        class: String,
    },
    /// A formula cannot be parsed.
    #[error("formula, column {column}: {problem}")]
    Formula {
        /// The formula, without `expr:`.
        formula: String,
        /// Position of the problem in characters, counted from 1.
        column: usize,
        /// The problem.
        problem: FormulaProblem,
    },
    /// A metric is for another number of classes.
    #[error("metric {metric} is for {expected} classes, the sample has {found}")]
    MetricClasses {
        /// The metric's name.
        metric: String,
        /// Number of classes of the metric.
        expected: usize,
        /// Number of classes of the sample.
        found: usize,
    },
    /// A metric is not finite.
    #[error("metric {metric} is {value}, not a finite number")]
    MetricNotFinite {
        /// The metric's name.
        metric: String,
        /// Its value.
        value: f64,
    },
    /// A class weight is negative or not finite.
    #[error("class {class}: weight {value} is not a finite number >= 0")]
    BadWeight {
        /// The class.
        class: usize,
        /// Its weight.
        value: f64,
    },
    /// All class weights are zero.
    #[error("every class weight is 0")]
    ZeroWeights,
    /// The sample size is larger than the number of rows, or zero.
    #[error("a sample of {size} rows cannot be drawn from {rows} labelled rows")]
    SampleSize {
        /// The requested size.
        size: usize,
        /// Labelled rows to draw from.
        rows: usize,
    },
    /// Predictions from outside cannot be compared.
    #[error("external method \"{name}\": {problem}")]
    External {
        /// The name of the method.
        name: String,
        /// What is wrong.
        problem: ExternalProblem,
    },
    /// A share is not from 0 to 1.
    #[error("share {value} is not a number from 0 to 1")]
    BadShare {
        /// The share given.
        value: f64,
    },
    /// One side of a split would be empty.
    #[error("a test share of {share} leaves no rows on one side of a split of {rows} labelled rows")]
    EmptySplit {
        /// Share of the test rows.
        share: f64,
        /// Labelled rows to split.
        rows: usize,
    },
    /// A class has no rows left after a shift.
    #[error("class {class} has no rows left")]
    ClassGone {
        /// The class.
        class: usize,
    },
    /// The share of a mixture step is not above 0.
    #[error("step {step}: share {value} is not a finite number > 0")]
    BadStepShare {
        /// The step.
        step: usize,
        /// Its share.
        value: f64,
    },
    /// A factor of a mixture is not finite.
    #[error("step {step}, class {class}: factor {value} is not finite")]
    BadFactor {
        /// The step.
        step: usize,
        /// The class.
        class: usize,
        /// The factor.
        value: f64,
    },
    /// The shares of the mixture steps do not sum to one.
    #[error("the shares of the steps sum to {sum}, not to 1")]
    ShareSum {
        /// Their sum.
        sum: f64,
    },
    /// A slope or bias of a calibration map is not finite.
    #[error("{what} {place} of the calibration map is {value}, not a finite number")]
    MapNotFinite {
        /// Slope or bias.
        what: &'static str,
        /// Its index.
        place: usize,
        /// The value.
        value: f64,
    },
    /// A map got the wrong kind of input.
    #[error("the calibration map expects {expected}, found {found}")]
    MapTakes {
        /// The kind of input the map takes.
        expected: &'static str,
        /// The kind of input given.
        found: &'static str,
    },
    /// The number of features is not a whole number of rows.
    #[error("{values} values cannot be split into rows of {columns} features")]
    RaggedFeatures {
        /// Values given.
        values: usize,
        /// Number of features (columns).
        columns: usize,
    },
    /// A feature is not a number, or too large.
    #[error("row {row}, feature {column}: {value} is not a number from -1e100 to 1e100")]
    BadFeature {
        /// Row of the value.
        row: usize,
        /// Column of the value.
        column: usize,
        /// The value.
        value: f64,
    },
    /// The floor of a map is not above 0 and below 1.
    #[error("floor {value} is not a number above 0 and below 1")]
    BadFloor {
        /// The floor given.
        value: f64,
    },
    /// The temperature step of a map has a slope that is not finite and above 0, or a share that is not between 0 and 1.
    #[error("{what} {value} of the temperature step is not a number above 0{}", if *what == "slope" { "" } else { " and below 1" })]
    BadTempering {
        /// `slope` or `uniform`.
        what: &'static str,
        /// The value.
        value: f64,
    },
    /// The strength of a penalty is negative or not finite.
    #[error("penalty {value} is not a finite number >= 0")]
    BadPenalty {
        /// The strength given.
        value: f64,
    },
    /// A source prior is not a finite number above 0.
    #[error("class {class}: source prior {value} is not a number above 0")]
    BadPrior {
        /// The class.
        class: usize,
        /// The prior given.
        value: f64,
    },
    /// The source priors do not sum to one.
    #[error("the source priors sum to {sum}, not to 1")]
    PriorSum {
        /// Their sum.
        sum: f64,
    },
    /// Neither labels nor source priors are given, so a shift cannot be estimated.
    #[error("no row has a label and a weight above 0, and no source priors are given")]
    NoSourcePriors,
    /// Too few refits to estimate a variance.
    #[error("at least 2 refits are needed, {found} requested")]
    TooFewBags {
        /// The number requested.
        found: usize,
    },
    /// No row, labelled or not, has a positive weight.
    #[error("no row has a weight above 0")]
    NoRows,
    /// A method or rule needs features, and the rows have none.
    #[error("features are required, but the rows have none")]
    NoFeatures,
}
