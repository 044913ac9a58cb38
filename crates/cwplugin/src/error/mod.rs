//! Every way the input can be wrong.

mod fact; // the row, the class and the value that are wrong
mod formula; // what can be wrong with a formula

pub use formula::FormulaProblem;

/// Why an input was refused; rows and classes are counted from 0.
///
/// Each variant carries the facts. A face that knows more (a file's name, a column's name) builds its own sentence
/// from them.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A classifier needs at least two classes.
    #[error("at least 2 classes are needed, {found} given")]
    TooFewClasses {
        /// How many classes there were.
        found: usize,
    },
    /// Two classes bear one name.
    #[error("class \"{name}\" is named twice")]
    DuplicateClass {
        /// The name that occurs again.
        name: String,
    },
    /// The number of values is not a whole number of rows.
    #[error("{values} values do not fill rows of {classes} classes")]
    RaggedMatrix {
        /// Values given.
        values: usize,
        /// Classes, that is columns.
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
    /// Two things that belong together differ in number.
    #[error("{found} {what} given, {expected} expected")]
    LengthMismatch {
        /// What was counted: labels, weights, classes or names.
        what: &'static str,
        /// How many there were.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A score was infinite or not a number.
    #[error("row {row}, class {class}: {value} is not finite")]
    NotFinite {
        /// Row of the value.
        row: usize,
        /// Class of the value.
        class: usize,
        /// The value.
        value: f64,
    },
    /// A probability was negative.
    #[error("row {row}, class {class}: {value} is negative")]
    Negative {
        /// Row of the value.
        row: usize,
        /// Class of the value.
        class: usize,
        /// The value.
        value: f64,
    },
    /// A logarithm of a probability was above 0.
    #[error("row {row}, class {class}: {value} is above 0, which no log-probability is")]
    AboveZero {
        /// Row of the value.
        row: usize,
        /// Class of the value.
        class: usize,
        /// The value.
        value: f64,
    },
    /// The probabilities of a row do not sum to one.
    #[error("row {row}: the probabilities sum to {sum}, not to 1")]
    RowSum {
        /// The row.
        row: usize,
        /// What its values sum to.
        sum: f64,
    },
    /// A row of zeros cannot be scaled to sum to one.
    #[error("row {row}: every probability is 0, so the row cannot be normalised")]
    ZeroRow {
        /// The row.
        row: usize,
    },
    /// A label names no class.
    #[error("row {row}: label {label} is not one of the {classes} classes")]
    LabelOutOfRange {
        /// The row.
        row: usize,
        /// Its label.
        label: usize,
        /// How many classes there are.
        classes: usize,
    },
    /// A row weight was negative, not a number, or too large or small to compute with.
    #[error("row {row}: weight {value} is neither 0 nor a number from 1e-100 to 1e100")]
    BadRowWeight {
        /// The row.
        row: usize,
        /// Its weight.
        value: f64,
    },
    /// Nothing to learn from.
    #[error("no row has a label and a weight above 0")]
    NoLabelledRows,
    /// So few queries tell nothing.
    #[error("a budget of {budget} queries is too small: it takes at least {least}")]
    BadBudget {
        /// What was asked for.
        budget: usize,
        /// What it takes.
        least: usize,
    },
    /// A precision that no search can end with.
    #[error("precision {value} is not a number from 1e-9 to 0.5")]
    BadPrecision {
        /// What was asked for.
        value: f64,
    },
    /// An oracle's answer, or its standard error, is not a number to compute with.
    #[error("the answer {value} is not a finite number, or a standard error below 0")]
    BadAnswer {
        /// What was said.
        value: f64,
    },
    /// The fixed class has nothing to be compared on.
    #[error("reference class {class} has no labelled rows in the sample")]
    EmptyReference {
        /// The class asked for.
        class: usize,
    },
    /// The reference is not a class of the sample.
    #[error("reference class {class} is not one of the {classes} classes")]
    UnknownReference {
        /// The class asked for.
        class: usize,
        /// How many classes there are.
        classes: usize,
    },
    /// Statistics that do not belong together.
    #[error("the statistics differ in their {what}: {ours} and {theirs}")]
    StatisticsDiffer {
        /// In what: classes, grid or reference.
        what: &'static str,
        /// What it is in the one.
        ours: String,
        /// What it is in the other.
        theirs: String,
    },
    /// Counters for so many classes and bins would fill the memory.
    #[error("{classes} classes with {bins} bins each are more than {most} counters")]
    TooManyCounters {
        /// How many classes.
        classes: usize,
        /// How many bins.
        bins: usize,
        /// How many counters there may be.
        most: usize,
    },
    /// Binary search was asked for a metric that may have several peaks.
    #[error("metric {metric} does not declare that its restriction to a pair is quasi-concave")]
    NotQuasiConcave {
        /// The metric's name.
        metric: String,
    },
    /// A text is not a constraint.
    #[error("\"{text}\" is not a constraint")]
    BadConstraint {
        /// The text given.
        text: String,
    },
    /// The method has nothing to do with a metric, so constraints mean nothing to it.
    #[error("method {method} does not search weights, so it cannot keep to constraints")]
    NotConstrainable {
        /// Its name.
        method: String,
    },
    /// No method bears this name.
    #[error("no method is called \"{name}\"")]
    UnknownMethod {
        /// The name given.
        name: String,
    },
    /// A reference was named that is no class.
    #[error("there is no class \"{name}\" to keep fixed")]
    UnknownReferenceName {
        /// The name given.
        name: String,
    },
    /// Counts of cuts hold what Algorithm 1 needs, and nothing else.
    #[error("method {method} needs the rows: statistics serve Algorithm 1 alone")]
    NeedsRows {
        /// The method.
        method: String,
    },
    /// The method does not have this option.
    #[error("{option} is not supported by method {method}")]
    UnsupportedOption {
        /// The option.
        option: String,
        /// The method.
        method: String,
    },
    /// An option has no such value.
    #[error("\"{value}\" is not a value of {option}")]
    UnknownOption {
        /// The option, e.g. `ties`.
        option: &'static str,
        /// The value given.
        value: String,
    },
    /// The step of a search is not usable.
    #[error("step {value} is not a number from 0.000001 to 0.5")]
    BadStep {
        /// The step given.
        value: f64,
    },
    /// No metric bears this name.
    #[error("no metric is called \"{name}\"")]
    UnknownMetric {
        /// The name given.
        name: String,
    },
    /// A metric needs a parameter, or got one that it cannot use.
    #[error("metric \"{name}\": {expected}")]
    MetricParameter {
        /// The whole name as given.
        name: String,
        /// What should stand there.
        expected: &'static str,
    },
    /// A metric names a class that does not exist.
    #[error("metric \"{name}\": there is no class \"{class}\"")]
    MetricClass {
        /// The whole name as given.
        name: String,
        /// The class in it.
        class: String,
    },
    /// A formula cannot be read.
    #[error("formula, column {column}: {problem}")]
    Formula {
        /// The formula, without `expr:`.
        formula: String,
        /// Character at which the problem stands, counted from 1.
        column: usize,
        /// What is wrong there.
        problem: FormulaProblem,
    },
    /// A metric was made for another number of classes.
    #[error("metric {metric} is for {expected} classes, the sample has {found}")]
    MetricClasses {
        /// The metric's name.
        metric: String,
        /// Classes that it was made for.
        expected: usize,
        /// Classes of the sample.
        found: usize,
    },
    /// A metric gave something other than a finite number.
    #[error("metric {metric} gave {value}")]
    MetricNotFinite {
        /// The metric's name.
        metric: String,
        /// What it gave.
        value: f64,
    },
    /// Weights must be finite, not negative and not all zero.
    #[error("class {class}: weight {value} is not a finite number >= 0")]
    BadWeight {
        /// The class.
        class: usize,
        /// Its weight.
        value: f64,
    },
    /// Every weight is zero.
    #[error("every class weight is 0")]
    ZeroWeights,
    /// A sample of this size cannot be drawn.
    #[error("a sample of {size} rows cannot be drawn from {rows} labelled rows")]
    SampleSize {
        /// The size asked for.
        size: usize,
        /// Labelled rows to draw from.
        rows: usize,
    },
    /// A share is not from 0 to 1.
    #[error("share {value} is not a number from 0 to 1")]
    BadShare {
        /// The share given.
        value: f64,
    },
    /// Pool or test rows would be empty.
    #[error("a share of {share} of {rows} labelled rows leaves nothing on one side")]
    EmptySplit {
        /// Share of the test rows.
        share: f64,
        /// Labelled rows to split.
        rows: usize,
    },
    /// After a shift a class has no rows left.
    #[error("class {class} has no rows left")]
    ClassGone {
        /// The class.
        class: usize,
    },
    /// The share of a mixture's step must be above 0.
    #[error("step {step}: share {value} is not a finite number > 0")]
    BadStepShare {
        /// The step.
        step: usize,
        /// Its share.
        value: f64,
    },
    /// A factor of a mixture must be finite.
    #[error("step {step}, class {class}: factor {value} is not finite")]
    BadFactor {
        /// The step.
        step: usize,
        /// The class.
        class: usize,
        /// The factor.
        value: f64,
    },
    /// The shares of a mixture's steps do not sum to one.
    #[error("the shares of the steps sum to {sum}, not to 1")]
    ShareSum {
        /// What they sum to.
        sum: f64,
    },
    /// A slope or bias of a calibration map is infinite or not a number.
    #[error("{what} {place} of the map is {value}, not a finite number")]
    MapNotFinite {
        /// What it is: slope or bias.
        what: &'static str,
        /// Its place in the list.
        place: usize,
        /// The value.
        value: f64,
    },
    /// A map was given something other than what it was made for.
    #[error("the map takes {expected}, not {found}")]
    MapTakes {
        /// What the map takes.
        expected: &'static str,
        /// What it was given.
        found: &'static str,
    },
    /// The number of features is not a whole number of rows.
    #[error("{values} values do not fill rows of {columns} features")]
    RaggedFeatures {
        /// Values given.
        values: usize,
        /// Features, that is columns.
        columns: usize,
    },
    /// A feature was not a number, or too large to compute with.
    #[error("row {row}, feature {column}: {value} is not a number from -1e100 to 1e100")]
    BadFeature {
        /// Row of the value.
        row: usize,
        /// Column of the value.
        column: usize,
        /// The value.
        value: f64,
    },
    /// The floor of a map was not above 0 and below 1.
    #[error("floor {value} is not a number above 0 and below 1")]
    BadFloor {
        /// The floor given.
        value: f64,
    },
    /// The strength of a penalty was negative, infinite or not a number.
    #[error("penalty {value} is not a finite number >= 0")]
    BadPenalty {
        /// The strength given.
        value: f64,
    },
    /// A source prior is 0, negative, infinite or not a number.
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
        /// What they sum to.
        sum: f64,
    },
    /// Without labels nothing but source priors tells what has shifted.
    #[error("no row has a label and a weight above 0, and there are no source priors")]
    NoSourcePriors,
    /// From one refit no variance can be told.
    #[error("at least 2 refits are needed, {found} asked for")]
    TooFewBags {
        /// How many were asked for.
        found: usize,
    },
    /// There is no row to learn from, labelled or not.
    #[error("no row has a weight above 0")]
    NoRows,
    /// A method or rule looks at features, and the rows have none.
    #[error("the rows have no features, which are looked at instead of probabilities")]
    NoFeatures,
}
