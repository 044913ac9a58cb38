//! The path of every recorded value in the output of the program: the only file to change if a field is renamed.
//!
//! A line of a table has the part and the name that a value was recorded under, and the path where it is found now. In a
//! path `*` stands for every element of a list and every value of an object, in their order. What is null or missing is
//! no value. `a@b` is the value at `a` of a document that has something at `b`. What fails is reported by part.

/// Words among the values that are spelled otherwise since they were recorded: present spelling, recorded spelling.
pub(super) const RENAMED: &[(&str, &str)] = &[("better-alternative", "rival")];

/// Present paths of numbers and words that are recorded nowhere; recording stops at any other that no field names.
pub(super) const NOT_RECORDED: &[&str] = &[
    "format",
    "version",
    "cwplugin",
    "fit.metric",
    "fit.warnings.*.message",
    "fit.constraints.*.constraint",
    "constraints.*.constraint",
    "cells.*.task",
    "cells.*.failures.*.error",
    "fit.options.*",
    "fit.evaluations",
    "fit.converged",
    "fit.mixture_score",
    "fit.estimated_gain.*",
    "input.*",
    "fit.forecast_gain.*",
    "fit.cv_rows",
    "fit.fingerprint.*",
    "fit.candidates.*.lead.*",
    "fit.candidates.*.standing",
    "fit.iterations",
    "fit.ignored_rows",
];

/// The new columns of `apply --scores-out`: the prediction, and the prefix of the class columns.
pub(super) const PREDICTION: &str = "prediction";
pub(super) const SCORE_PREFIX: &str = "score_";

/// Of a model: what decides which rows of `apply` count.
pub(super) const MODEL_CLASSES: &str = "classes.*";
pub(super) const MODEL_WEIGHTS: &str = "weights.*";
pub(super) const MODEL_CALIBRATION_KIND: &str = "calibration.kind";

/// Of `elicit ask --json`: what has to be answered.
pub(super) const ASKED_IDS: &str = "queries.*.id";
pub(super) const ASKED_QUERIES: &str = "queries.*";
pub(super) const ASKED_WEIGHTS: &str = "weights.*";

/// A model as `fit --json` or `elicit finish` writes it.
pub(super) const MODEL: &str = "\
weights classes             classes.*
weights weights             weights.*
calibration kind            calibration.kind
calibration input           calibration.input
calibration floor           calibration.floor
calibration tempering       calibration.tempering.*
calibration features        calibration.features.*
calibration diagonal        calibration.diagonal.*
calibration matrix          calibration.matrix.*.*
calibration bias            calibration.bias.*
calibration share           calibration.steps.*.share
calibration factors         calibration.steps.*.factors.*
score clean                 fit.score.clean
score fitted                fit.score.fitted
score log_loss_before       fit.log_loss.before
score log_loss_after        fit.log_loss.after
settings method             fit.method
settings reference          fit.reference
settings search             fit.search
settings ties               fit.ties
settings absent             fit.absent
settings rows               fit.rows
settings unlabelled         fit.unlabelled
settings seed               fit.seed
settings mixing             fit.mixing
settings mode               fit.mode
settings queries            fit.queries
found penalty_on_slopes     fit.penalty.lambda
found penalty_on_biases     fit.penalty.mu
found epsilon               fit.epsilon
found rounds                fit.iterations@fit.mixture_score
found target_priors         fit.target_priors.*
found source_priors         fit.source_priors.*
found start                 fit.start
found cycles                fit.cycles
forecast chosen             fit.chosen
forecast reason             fit.reason
forecast share              fit.shrinkage@fit.slopes
forecast freedom            fit.slopes
forecast floor              fit.floor
forecast clean              fit.forecast.clean
forecast fitted             fit.forecast.fitted
forecast low                fit.forecast.low
forecast high               fit.forecast.high
forecast gain               fit.forecast.gain
forecast gain_sd            fit.forecast.gain_sd
forecast probability        fit.forecast.probability_of_gain
forecast rows_needed        fit.rows_needed
trials method               fit.candidates.*.method
trials score                fit.candidates.*.cv_score
trials low                  fit.candidates.*.low
trials high                 fit.candidates.*.high
trials gain                 fit.candidates.*.gain
trials gain_sd              fit.candidates.*.gain_sd
pairs class                 fit.pairs.*.class
pairs alpha                 fit.pairs.*.alpha
pairs score                 fit.pairs.*.score
pairs plateau               fit.pairs.*.plateau.*
pairs evaluations           fit.pairs.*.evaluations
constraints value           fit.constraints.*.value
constraints margin          fit.constraints.*.margin
constraints probability     fit.constraints.*.probability
constraints repaired        fit.adjusted
bags bags                   fit.n_bootstrap
bags shrinkage              fit.shrinkage@fit.spread
bags low                    fit.spread.*.low
bags median                 fit.spread.*.median
bags high                   fit.spread.*.high
bags sd                     fit.spread.*.sd
bags rows                   fit.out_of_bag.rows
bags left_out               fit.out_of_bag.unscored_rows
bags clean                  fit.out_of_bag.clean
bags fitted                 fit.out_of_bag.fitted
bags gain                   fit.out_of_bag.gain.*
learning_curve rows         fit.learning_curve.points.*.rows
learning_curve clean        fit.learning_curve.points.*.clean
learning_curve fitted       fit.learning_curve.points.*.fitted
learning_curve gain         fit.learning_curve.points.*.gain
learning_curve gain_sd      fit.learning_curve.points.*.gain_sd
learning_curve limit        fit.learning_curve.limit
learning_curve slope        fit.learning_curve.slope
learning_curve rows_needed  fit.learning_curve.rows_needed
warnings kind               fit.warnings.*.kind
warnings class              fit.warnings.*.class
";

/// What `eval --json` prints.
pub(super) const EVALUATION: &str = "\
metrics clean               metrics.*.clean
metrics fitted              metrics.*.fitted
metrics gain                metrics.*.gain
intervals low               metrics.*.low
intervals high              metrics.*.high
intervals clean             metrics.*.clean_interval.*
intervals gain              metrics.*.gain_interval.*
confusion classes           classes.*
confusion rows              rows
confusion unlabelled        unlabelled
confusion changed           changed
confusion clean             confusion.clean.*.*
confusion fitted            confusion.fitted.*.*
per_class class             per_class.*.class
per_class support           per_class.*.support
per_class clean_precision   per_class.*.clean.precision
per_class clean_recall      per_class.*.clean.recall
per_class clean_f1          per_class.*.clean.f1
per_class fitted_precision  per_class.*.fitted.precision
per_class fitted_recall     per_class.*.fitted.recall
per_class fitted_f1         per_class.*.fitted.f1
constraints value           constraints.*.value
constraints margin          constraints.*.margin
constraints probability     constraints.*.probability
";

/// What `compare --json` prints.
pub(super) const COMPARISON: &str = "\
cells method        cells.*.method
cells metric        cells.*.metric
cells size          cells.*.size
cells runs          cells.*.runs
cells failed        cells.*.failures.*.repeat
cells classes       classes.*
cells seed          seed
cells repeats       repeats
cells unlabelled    unlabelled
cells pool          rows.pool
cells test          rows.test
scores scores       cells.*.scores.*
summary mean        cells.*.mean
summary sd          cells.*.sd
summary test_error  cells.*.test_error
";

/// Statistics as `stats --json` and `merge --json` print them.
pub(super) const STATISTICS: &str = "\
grid classes                 classes.*
grid reference               reference
grid step                    step
grid bins                    bins
grid rows                    rows
grid unlabelled              unlabelled
totals class                 totals.*.class
totals rows                  totals.*.rows
totals weight                totals.*.weight.*
totals probable              totals.*.probable
counts class                 pairs.*.class
counts cuts                  pairs.*.cuts.*.*
counts weight_bins           pairs.*.weights.*.0
counts weights_of_class      pairs.*.weights.*.1.*
counts weights_of_reference  pairs.*.weights.*.2.*
";

/// What `elicit ask --json` prints.
pub(super) const ASKED: &str = "\
queries done     done
queries classes  classes.*
queries id       queries.*.id
queries weights  queries.*.weights.*
queries repeat   queries.*.repeat
";

/// What `elicit status --json` prints.
pub(super) const STATUS: &str = "\
session mode           mode
session classes        classes.*
session reference      reference
session quasi_concave  quasi_concave
session budget         budget
session count          count
session answered       answered
session open           open.*
session done           done
session converged      converged
estimates weights      weights.*
estimates clean        clean.value
estimates clean_se     clean.se
estimates fitted       fitted.value
estimates fitted_se    fitted.se
estimates class        lines.*.class
estimates alpha        lines.*.alpha
estimates low          lines.*.low
estimates high         lines.*.high
estimates value        lines.*.value
estimates answers      lines.*.answers
";
