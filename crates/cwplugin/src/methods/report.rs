//! What was tried, found and doubted.

use crate::data::class_totals::Census;
use crate::evaluate::Kept;
use crate::methods::{
    AutoReport, BaggedReport, Calibrated, ExpectedReport, LabelShiftReport, ProbingReport, Reason, Start,
};
use crate::model::ScorePair;
use crate::numeric::tolerance::is_as_good;
use crate::plugin::{Absent, Peak, Search, Ties};
use crate::report::Forecast;

/// Below this many labelled rows a class's α hangs on single rows.
const FEW_ROWS: u64 = 10;

/// How a fit came about.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// Name of the metric.
    pub metric: String,
    /// Labelled rows used.
    pub rows: u64,
    /// Rows without a label.
    pub unlabelled: u64,
    /// The metric on the whole sample before and after; `None` if the rows were not scored.
    pub score: Option<ScorePair>,
    /// What only this kind of method has to tell.
    pub details: Details,
    /// Doubts, kind by kind.
    pub warnings: Vec<Warning>,
}

/// What only one kind of method has to tell.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Details {
    /// Nothing was learned.
    Clean,
    /// Algorithm 1.
    Plugin(PluginReport),
    /// Coordinate ascent.
    Ascent(AscentReport),
    /// Bagging.
    Bagged(BaggedReport),
    /// A calibration, or a fresh model.
    Calibration(Calibrated),
    /// The best for all that the labels leave possible.
    Expected(ExpectedReport),
    /// The method for everybody.
    Auto(Box<AutoReport>),
    /// The probing classifier.
    Probing(ProbingReport),
    /// Label shift.
    LabelShift(LabelShiftReport),
}

/// How Algorithm 1 went.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PluginReport {
    /// The class that stayed fixed.
    pub reference: usize,
    /// Which α were tried.
    pub search: Search,
    /// Which of equally good α were taken.
    pub ties: Ties,
    /// What became of classes without labelled rows.
    pub absent: Absent,
    /// One entry per class that was searched, in order of class.
    pub pairs: Vec<PairReport>,
}

/// How coordinate ascent went.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct AscentReport {
    /// The start from which the best weights were reached.
    pub start: Start,
    /// The metric that they reach on the rows.
    pub score: f64,
    /// Rounds over all classes from that start.
    pub cycles: usize,
    /// How often the metric was evaluated, from all starts.
    pub evaluations: usize,
    /// Whether a last round over the classes found nothing better for any of them; else the rounds were used up.
    ///
    /// On many rows (more than 65,536 probabilities) it is enough that the last line of every class gained little, all
    /// together: at most 0.02/√n of what the start is worth, against predicting the heaviest class always. That is
    /// far below the difference that other rows would make.
    pub converged: bool,
}

impl Report {
    /// What a method other than Algorithm 1 has to tell of rows that were not scored.
    pub(crate) fn unscored(metric: &str, census: &Census, details: Details) -> Self {
        Self {
            metric: metric.into(),
            rows: census.n_labelled(),
            unlabelled: census.unlabelled,
            score: None,
            warnings: Warning::doubts_of(census, &details),
            details,
        }
    }

    /// What Algorithm 1 has to tell, if it was at work.
    pub fn plugin(&self) -> Option<&PluginReport> {
        if let Details::Plugin(plugin) = &self.details { Some(plugin) } else { None }
    }

    /// What the metric is expected to be on new rows, if the method says so.
    pub fn outlook(&self) -> Option<Forecast> {
        match &self.details {
            Details::Auto(auto) => Some(auto.outlook),
            Details::Expected(expected) => Some(expected.forecast),
            _ => None,
        }
    }

    /// How `expected` went, if it was at work or `auto` learned its rule.
    pub fn expected(&self) -> Option<&ExpectedReport> {
        match &self.details {
            Details::Auto(auto) => auto.expected.as_ref(),
            Details::Expected(expected) => Some(expected),
            _ => None,
        }
    }

    /// What `auto` has to tell, if it was at work.
    pub fn auto(&self) -> Option<&AutoReport> {
        if let Details::Auto(auto) = &self.details { Some(auto) } else { None }
    }

    /// One entry per class that was searched, in order of class; none for other methods than Algorithm 1.
    pub fn pairs(&self) -> &[PairReport] {
        self.plugin().map_or(&[], |plugin| &plugin.pairs)
    }
}

/// What was found for one class against the reference.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct PairReport {
    /// The class.
    pub class: usize,
    /// Its best α.
    pub peak: Peak,
}

/// A doubt about a fit; classes are numbers, a face puts in the names.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// A class has no labelled rows.
    AbsentClass {
        /// The class.
        class: usize,
        /// Whether it kept weight 1 or was given weight 0.
        kept: bool,
    },
    /// A class has no labelled rows; a climb gave it the average weight, in logarithms, of the others.
    AveragedClass {
        /// The class.
        class: usize,
    },
    /// The black box gives a class no probability in any labelled row, so its weight says nothing.
    NeverProbable {
        /// The class.
        class: usize,
    },
    /// A class's weight hangs on few labelled rows.
    FewRows {
        /// The class.
        class: usize,
        /// How many it has.
        rows: u64,
    },
    /// The metric is the same for every α.
    FlatCurve {
        /// The class.
        class: usize,
    },
    /// The best α is the smallest or the largest: the class never, or always, wins against the reference.
    AtBorder {
        /// The class.
        class: usize,
        /// The α taken.
        alpha: f64,
    },
    /// A class has no labelled rows, so a map or a mixture learned nothing of it.
    UnknownClass {
        /// The class.
        class: usize,
    },
    /// The optimiser stopped before the slope of the loss had vanished.
    NotConverged,
    /// All labels are of one class: there is nothing to weigh it against.
    OneClass {
        /// The class.
        class: usize,
    },
    /// No class has two labelled rows, so that nothing could be tried on rows held out.
    TooFewRows {
        /// Labelled rows in all.
        rows: u64,
    },
    /// Constraints that no weights were found for.
    Unmet {
        /// How many.
        unmet: usize,
        /// … of so many.
        constraints: usize,
        /// The largest distance to a limit.
        gap: f64,
    },
    /// The fitted rule scores below the black box on the very sample it was fitted on.
    BelowClean {
        /// The metric with the black box as it is.
        clean: f64,
        /// The metric with the fitted weights.
        fitted: f64,
    },
}

impl Warning {
    /// Every doubt that the sample and the peaks themselves raise.
    pub(crate) fn doubts(census: &Census, reference: usize, pairs: &[PairReport]) -> Vec<Self> {
        let mut classes: Vec<usize> = pairs.iter().map(|pair| pair.class).chain([reference]).collect();
        classes.sort_unstable();
        let few = |class| Self::of_few_rows(census, class);
        let mut doubts: Vec<Self> = classes.into_iter().filter_map(few).collect();
        let flat = pairs.iter().filter(|pair| pair.peak.is_flat);
        doubts.extend(flat.map(|pair| Self::FlatCurve { class: pair.class }));
        let at_border = pairs.iter().filter(|pair| pair.peak.at_border);
        doubts.extend(at_border.map(|pair| Self::AtBorder { class: pair.class, alpha: pair.peak.alpha }));
        doubts
    }

    /// The doubt about a class with few rows.
    fn of_few_rows(census: &Census, class: usize) -> Option<Self> {
        let rows = Some(census.rows(class)).filter(|rows| (1..FEW_ROWS).contains(rows));
        rows.map(|rows| Self::FewRows { class, rows })
    }

    /// Every doubt about a rule that Algorithm 1 did not make.
    pub(crate) fn doubts_of(census: &Census, details: &Details) -> Vec<Self> {
        if *details == Details::Clean {
            return Vec::new();
        }
        // Where nothing was learned of any class, that is the one thing to say.
        match details {
            Details::Auto(auto) if auto.reason == Reason::OneClass => {
                let class = (0..census.n_classes()).find(|&class| census.rows(class) > 0);
                return class.map(|class| Self::OneClass { class }).into_iter().collect();
            }
            Details::Auto(auto) if auto.reason == Reason::TooFewRows => {
                return vec![Self::TooFewRows { rows: census.n_labelled() }];
            }
            _ => {}
        }
        // Against source priors a class without rows is one that has become rare.
        let knows_all = matches!(details, Details::LabelShift(report) if report.source.is_some());
        let classes = 0..census.n_classes();
        let absent = classes.clone().filter(|&class| census.rows(class) == 0 && !knows_all);
        let is_ascent = matches!(details, Details::Ascent(_) | Details::Bagged(_));
        let unknown = |class| {
            if is_ascent { Self::AveragedClass { class } } else { Self::UnknownClass { class } }
        };
        let mut doubts: Vec<Self> = absent.map(unknown).collect();
        if is_ascent {
            let never = classes.clone().filter(|&class| census.rows(class) > 0 && !census.probable[class]);
            doubts.extend(never.map(|class| Self::NeverProbable { class }));
            doubts.extend(classes.filter_map(|class| Self::of_few_rows(census, class)));
        }
        let is_unfinished = match details {
            Details::Calibration(fitted) => !fitted.converged,
            Details::LabelShift(report) => !report.converged,
            Details::Ascent(report) => !report.converged,
            _ => false,
        };
        if is_unfinished {
            doubts.push(Self::NotConverged);
        }
        doubts
    }

    /// The doubt that the score on the sample raises, if it does.
    pub(crate) fn doubt_of_score(score: ScorePair) -> Option<Self> {
        let ScorePair { clean, fitted } = score;
        (!is_as_good(fitted, clean)).then_some(Self::BelowClean { clean, fitted })
    }

    /// The doubt that constraints raise, if they do.
    pub(crate) fn unmet(constraints: &[Kept]) -> Option<Self> {
        let gaps = constraints.iter().filter(|kept| !kept.is_kept()).map(|kept| -kept.margin);
        let (unmet, gap) = gaps.fold((0, 0.0_f64), |(unmet, most), gap| (unmet + 1, most.max(gap)));
        (unmet > 0).then_some(Self::Unmet { unmet, constraints: constraints.len(), gap })
    }

    /// Stable name of the kind of doubt.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::AbsentClass { .. } | Self::AveragedClass { .. } => "absent-class",
            Self::NeverProbable { .. } => "never-probable",
            Self::FewRows { .. } => "few-rows",
            Self::FlatCurve { .. } => "flat-curve",
            Self::AtBorder { .. } => "at-border",
            Self::UnknownClass { .. } => "unknown-class",
            Self::NotConverged => "not-converged",
            Self::OneClass { .. } => "one-class",
            Self::TooFewRows { .. } => "too-few-rows",
            Self::Unmet { .. } => "unmet",
            Self::BelowClean { .. } => "below-clean",
        }
    }

    /// The class it is about, if it is about one.
    pub fn class(&self) -> Option<usize> {
        match *self {
            Self::AbsentClass { class, .. }
            | Self::AveragedClass { class }
            | Self::NeverProbable { class }
            | Self::FewRows { class, .. }
            | Self::FlatCurve { class }
            | Self::AtBorder { class, .. }
            | Self::UnknownClass { class }
            | Self::OneClass { class } => Some(class),
            Self::NotConverged | Self::TooFewRows { .. } | Self::Unmet { .. } | Self::BelowClean { .. } => {
                None
            }
        }
    }

    /// The doubt in words; what to do about it depends on the face that shows it.
    pub fn message(&self, classes: &[String]) -> String {
        let name = |class: usize| classes.get(class).map_or_else(|| class.to_string(), Clone::clone);
        match *self {
            Self::AbsentClass { class, kept: true } => {
                format!(
                    "class \"{}\" has no labelled rows: it keeps the weight of the reference",
                    name(class)
                )
            }
            Self::AbsentClass { class, kept: false } => format!(
                "class \"{}\" has no labelled rows: its weight is 0 and it will never be predicted",
                name(class)
            ),
            Self::AveragedClass { class } => format!(
                "class \"{}\" has no labelled rows: it gets the average weight of the others, or keeps that of \
                 the start if the average would score lower",
                name(class)
            ),
            Self::NeverProbable { class } => format!(
                "class \"{}\" has probability 0 in every labelled row: no weight can help it there",
                name(class)
            ),
            Self::FewRows { class, rows } => format!(
                "class \"{}\" has only {rows} labelled row{}: its weight may be chance",
                name(class),
                if rows == 1 { "" } else { "s" }
            ),
            Self::FlatCurve { class } => format!(
                "class \"{}\": the metric is the same for every weight above 0, so these rows say nothing about it",
                name(class)
            ),
            Self::AtBorder { class, alpha } => format!(
                "class \"{}\": the best weight is at the border (alpha {alpha:.4}), where the class {} wins \
                 against the reference",
                name(class),
                if alpha < 0.5 { "hardly ever" } else { "nearly always" }
            ),
            Self::UnknownClass { class } => {
                format!("class \"{}\" has no labelled rows: nothing is learned of it", name(class))
            }
            Self::NotConverged => "the optimiser stopped before the loss was at its lowest".into(),
            Self::OneClass { class } => format!(
                "every label is \"{}\": with one class there is nothing to weigh, so the black box stays as it is",
                name(class)
            ),
            Self::TooFewRows { rows } => format!(
                "no class has two rows among the {rows} labelled: nothing can be tried on rows held out, so the \
                 black box stays as it is"
            ),
            Self::Unmet { unmet, constraints, gap } => format!(
                "no weights were found that keep to {} on these rows: {unmet} of {constraints} {} not met, by {gap:.4} \
                 at most",
                if constraints == 1 { "the constraint" } else { "all constraints" },
                if unmet == 1 { "is" } else { "are" },
            ),
            Self::BelowClean { clean, fitted } => {
                format!("the fit scores below the black box on these very rows ({fitted:.4} < {clean:.4})")
            }
        }
    }
}
