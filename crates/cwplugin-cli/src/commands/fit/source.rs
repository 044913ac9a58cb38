//! What is fitted: few rows, which are kept; many rows, which are counted and forgotten; or statistics.

use std::path::PathBuf;

use anyhow::Context as _;
use cwplugin::plugin::Settings;
use cwplugin::{
    Error, LearningCurve, Model, Outcomes, Reference, Sample, ScorePair, Search, Side, Statistics, Step,
};
use rayon::prelude::*;

use super::recipe::Recipe;
use crate::args::{Data, Fit};
use crate::input::{Chunks, Input, Labels, Want};
use crate::output::{Progress, Screen};
use crate::refusal::Refusal;
use crate::statistics_file;
use crate::table::is_stream;

/// MiB of rows that are kept unless the user says otherwise.
const BUFFER: u32 = 64;

/// Numbers in a MiB.
const NUMBERS_PER_MIB: usize = (1 << 20) / size_of::<f64>();

/// If the fixed class is known only at the end, every class is counted as if it were it; up to so many counters: 64 MiB.
const MOST_COUNTERS: usize = 1 << 23;

/// Where the rows come from.
pub(super) enum Source {
    Table(Box<Table>),
    Statistics { name: String, statistics: Box<Statistics> },
}

/// A table that may be read again.
pub(super) struct Table {
    path: PathBuf,
    data: Data,
    input: Input,
}

/// What came out of it.
pub(super) struct Fitting {
    pub(super) model: Model,
    /// Labelled rows of each class.
    pub(super) rows: Vec<u64>,
    /// Why there are no scores, if there are none.
    pub(super) why_unscored: Option<&'static str>,
}

impl Source {
    pub(super) fn open(args: &Fit) -> anyhow::Result<Self> {
        match (&args.stats, &args.path) {
            (Some(path), _) => {
                let statistics = Box::new(statistics_file::read(path)?);
                Ok(Self::Statistics { name: path.display().to_string(), statistics })
            }
            (None, Some(path)) => {
                let labels = if args.options.0.contains_key("source-priors") {
                    Labels::Welcome
                } else {
                    Labels::Needed
                };
                let want = Want { labels, features: &args.features, ..Want::LABELLED };
                let input = Input::open(path, &args.data, want)?;
                Ok(Self::Table(Box::new(Table { path: path.clone(), data: args.data.clone(), input })))
            }
            (None, None) => Err(Refusal::usage("neither a table nor --stats was given").into()),
        }
    }

    pub(super) fn name(&self) -> &str {
        match self {
            Self::Table(table) => table.input.name(),
            Self::Statistics { name, .. } => name,
        }
    }

    pub(super) fn classes(&self) -> &[String] {
        match self {
            Self::Table(table) => table.input.classes(),
            Self::Statistics { statistics, .. } => statistics.classes(),
        }
    }

    /// Fits, within constraints if there are any.
    pub(super) fn fit(self, recipe: &Recipe, args: &Fit, screen: &Screen) -> anyhow::Result<Fitting> {
        match (self, recipe.settings) {
            (Self::Table(table), Some(settings)) => table.fit_plugin(recipe, settings, args, screen),
            (Self::Table(table), None) => table.fit_method(recipe, args, screen),
            (Self::Statistics { statistics, .. }, _) => Ok(Fitting {
                model: recipe.fit.fit_statistics(&statistics)?,
                rows: rows(&statistics),
                why_unscored: Some("statistics do not tell it; `cwplugin eval` on the rows does"),
            }),
        }
    }
}

impl Table {
    fn fit_method(self, recipe: &Recipe, args: &Fit, screen: &Screen) -> anyhow::Result<Fitting> {
        let method = recipe.method;
        let mut progress = screen.progress("reading");
        let (conversion, has_labels) = (self.input.conversion(), self.input.has_labels());
        let sample = self.input.read_all(&mut progress)?;
        drop(progress);
        if sample.n_labelled() == 0 && !args.options.0.contains_key("source-priors") {
            let refusal = conversion.no_labelled_rows();
            return Err(if method.option("source-priors").is_some() {
                refusal.hint(
                    "label some rows, or say what the black box learned from: --source-priors CLASS=SHARE,…",
                )
            } else if method.name == "auto" {
                refusal.hint(
                    "label some rows with a class name; without any, use --method label-shift --source-priors CLASS=SHARE,…",
                )
            } else {
                refusal
            }
            .into());
        }
        if !has_labels {
            screen.note(format_args!("note: no column \"{}\": every row is unlabelled", self.data.label));
        }
        fit_kept(recipe, &sample, args, screen)
    }

    fn fit_plugin(
        self,
        recipe: &Recipe,
        settings: Settings,
        args: &Fit,
        screen: &Screen,
    ) -> anyhow::Result<Fitting> {
        let Self { path, data, input } = self;
        let conversion = input.conversion();
        // Constraints are about all classes at once: that takes the rows.
        let candidates = candidates(input.classes(), settings)?.filter(|_| !recipe.is_constrained);
        let buffer = args.buffer.unwrap_or(BUFFER) as usize * NUMBERS_PER_MIB;
        let limit = if candidates.is_some() && !args.learning_curve { buffer } else { usize::MAX };
        let mut progress = screen.progress("reading");
        let mut samples = input.samples()?;
        let (sample, is_all) = samples.read_rows(limit, &mut progress)?;
        let Some(candidates) = candidates.filter(|_| !is_all) else {
            drop(progress);
            if sample.n_labelled() == 0 {
                return Err(conversion.no_labelled_rows().into());
            }
            let is_large = sample.n_rows() * sample.n_classes() > buffer && buffer > 0;
            if settings.search != Search::Exact && is_large && !recipe.is_constrained {
                screen.note("note: all rows are kept in memory, because the fixed class depends on them; --reference NAME counts them instead");
            }
            return fit_kept(recipe, &sample, args, screen);
        };
        let statistics = count(candidates, sample, samples, progress)?;
        let Some(statistics) = statistics.filter(|statistics| statistics.n_labelled() > 0) else {
            return Err(conversion.no_labelled_rows().into());
        };
        let model = recipe.fit.fit_statistics(&statistics)?;
        let rows = rows(&statistics);
        if args.unscored {
            return Ok(Fitting { model, rows, why_unscored: Some("--unscored") });
        }
        if is_stream(&path) || !path.is_file() {
            let why = "a stream is read once; `cwplugin eval` on the same rows tells it";
            return Ok(Fitting { model, rows, why_unscored: Some(why) });
        }
        let again = Input::open(&path, &data, Want::LABELLED)
            .context("the table is read a second time for the scores; --unscored leaves them out")?;
        let outcomes = outcomes(again, &model, screen)?;
        let [clean, fitted] =
            [Side::Clean, Side::Fitted].map(|side| recipe.metric.score(&outcomes.confusion(side)));
        if let Some(value) = [clean, fitted].into_iter().find(|score| !score.is_finite()) {
            return Err(Error::MetricNotFinite { metric: recipe.metric.name().into(), value }.into());
        }
        Ok(Fitting { model: model.with_score(ScorePair { clean, fitted }), rows, why_unscored: None })
    }
}

fn fit_kept(recipe: &Recipe, sample: &Sample, args: &Fit, screen: &Screen) -> anyhow::Result<Fitting> {
    let spinner = screen.spinner("fitting");
    let mut model = recipe.fit.fit(sample)?;
    drop(spinner);
    if args.learning_curve {
        let bar = screen.steps("learning curve", LearningCurve::n_fits(sample));
        let curve = recipe.fit.learning_curve(&model, sample, |done| bar.done(done))?;
        model = model.with_learning_curve(curve);
    }
    let why = if sample.n_labelled() == 0 { "no row has a label" } else { "--unscored" };
    let is_scored = model.report().is_some_and(|report| report.score.is_some());
    Ok(Fitting { model, rows: rows_of(sample), why_unscored: (!is_scored).then_some(why) })
}

/// Empty statistics for every class that may turn out to be the fixed one; `None` if rows must be kept.
fn candidates(classes: &[String], settings: Settings) -> Result<Option<Vec<Statistics>>, Error> {
    let (Search::Grid(step) | Search::Binary(step)) = settings.search else {
        return Ok(None); // every cut is looked at
    };
    let m = classes.len();
    let references = match settings.reference {
        Reference::Class(class) => class..class + 1,
        Reference::Last => m - 1..m,
        Reference::Largest => 0..m,
        _ => return Ok(None), // the best one is found by scoring the rows with each
    };
    if counters(m, step).saturating_mul(references.len()) > MOST_COUNTERS {
        return Ok(None);
    }
    let empty = |reference| Statistics::new(classes.to_vec(), reference, step);
    references.map(empty).collect::<Result<_, _>>().map(Some)
}

/// Counts the rows that were read, and all that follow; returns the statistics against the right class.
fn count(
    mut candidates: Vec<Statistics>,
    sample: Sample,
    mut samples: Chunks<Sample>,
    mut progress: Progress,
) -> anyhow::Result<Option<Statistics>> {
    add_rows(&mut candidates, &sample)?;
    drop(sample); // counted, and not needed again
    while let Some(sample) = samples.next(&mut progress)? {
        add_rows(&mut candidates, &sample)?;
    }
    let largest = candidates[0].largest_class();
    let is_only = candidates.len() == 1;
    Ok(candidates.into_iter().find(|statistics| is_only || Some(statistics.reference()) == largest))
}

/// The predictions before and after.
fn outcomes(input: Input, model: &Model, screen: &Screen) -> anyhow::Result<Outcomes> {
    let mut outcomes = Outcomes::new(input.classes().len());
    let mut progress = screen.progress("scoring");
    let mut samples = input.samples()?;
    while let Some(sample) = samples.next(&mut progress)? {
        outcomes.add_sample(&sample, model.rule())?;
    }
    Ok(outcomes)
}

fn counters(m: usize, step: Step) -> usize {
    m.saturating_mul(2 * (step.points() + 1))
}

fn add_rows(candidates: &mut [Statistics], sample: &Sample) -> Result<(), Error> {
    match candidates {
        [only] => only.add_rows(sample),
        several => several.par_iter_mut().try_for_each(|statistics| statistics.add_rows(sample)),
    }
}

fn rows_of(sample: &Sample) -> Vec<u64> {
    (0..sample.n_classes()).map(|class| sample.n_rows_of(class)).collect()
}

fn rows(statistics: &Statistics) -> Vec<u64> {
    (0..statistics.classes().len()).map(|class| statistics.n_rows_of(class)).collect()
}
