//! The input of a fit: rows that are kept, rows that are only counted, or statistics.

use anyhow::Context as _;
use cwplugin::model::InputOptions;
use cwplugin::plugin;
use cwplugin::{
    Error, LearningCurve, Model, Outcomes, Reference, Sample, ScorePair, Search, Side, Statistics,
};
use rayon::prelude::*;

use super::pass::Pass;
use super::seen::Seen;
use super::settings::Settings;
use crate::args::Fit;
use crate::input::statistics_file;
use crate::input::{Chunks, Input, Labels, Needs};
use crate::output::{Progress, Screen};
use crate::table::{changed, is_read_once};
use crate::user_error::UserError;

/// MiB of rows that are kept by default.
const BUFFER: u32 = 128;

/// Numbers in a MiB.
const NUMBERS_PER_MIB: usize = (1 << 20) / size_of::<f64>();

/// If the reference is known only at the end, statistics are counted for every class, up to this many counters: 64 MiB.
const MOST_COUNTERS: usize = 1 << 23;

/// Where the rows come from.
pub(super) enum Source {
    Table(Box<Input>),
    Statistics { name: String, statistics: Box<Statistics> },
}

/// The result of a fit.
pub(super) struct Fitting {
    pub(super) model: Model,
    /// Labelled rows of each class.
    pub(super) rows: Vec<u64>,
    /// Why the rows were not scored.
    pub(super) why_unscored: Option<&'static str>,
    /// The predictions on the labelled rows, before and after, if they were made.
    pub(super) outcomes: Option<Outcomes>,
    /// Classes, columns and labels of the input.
    pub(super) description: String,
    /// The reader has warned about the values of the probabilities.
    pub(super) has_warned_of_values: bool,
}

impl Fitting {
    /// A fit whose input is described later.
    fn new(model: Model, rows: Vec<u64>) -> Self {
        let (outcomes, description) = (None, String::new());
        Self { model, rows, why_unscored: None, outcomes, description, has_warned_of_values: false }
    }
}

impl Source {
    pub(super) fn open(args: &Fit, screen: &Screen) -> anyhow::Result<Self> {
        match (&args.stats, &args.path) {
            (Some(path), _) => {
                let statistics = Box::new(statistics_file::read(path)?);
                Ok(Self::Statistics { name: path.display().to_string(), statistics })
            }
            (None, Some(path)) => {
                let labels = if args.options.get("source-priors").is_some() {
                    Labels::Optional
                } else {
                    Labels::Needed
                };
                let needs = Needs { labels, features: &args.features, ..Needs::LABELLED };
                Ok(Self::Table(Box::new(Input::open(path, &args.data, needs, screen)?)))
            }
            (None, None) => {
                Err(UserError::usage("no table and no --stats").hint("name a table, e.g. data.csv").into())
            }
        }
    }

    pub(super) fn name(&self) -> &str {
        match self {
            Self::Table(input) => input.name(),
            Self::Statistics { name, .. } => name,
        }
    }

    pub(super) fn classes(&self) -> &[String] {
        match self {
            Self::Table(input) => input.classes(),
            Self::Statistics { statistics, .. } => statistics.classes(),
        }
    }

    pub(super) fn fit(self, settings: &Settings, args: &Fit, screen: &Screen) -> anyhow::Result<Fitting> {
        let (conversion, description) = match &self {
            Self::Table(input) => (Some(input.conversion.clone()), input.conversion.description()),
            Self::Statistics { statistics, .. } => {
                (None, format!("{} classes (statistics)", statistics.classes().len()))
            }
        };
        let fitting = self.fit_rows(settings, args, screen)?;
        // All rows are read now, so that the facts about them are complete.
        let input =
            conversion.as_ref().map_or(Ok(InputOptions::default()), |conversion| conversion.options())?;
        let has_warned_of_values = conversion.is_some_and(|conversion| conversion.has_warned());
        Ok(Fitting { model: fitting.model.with_input(input), description, has_warned_of_values, ..fitting })
    }

    fn fit_rows(self, settings: &Settings, args: &Fit, screen: &Screen) -> anyhow::Result<Fitting> {
        match (self, settings.plugin) {
            (Self::Table(input), Some(plugin)) => fit_plugin(*input, settings, plugin, args, screen),
            (Self::Table(input), None) => fit_method(*input, settings, args, screen),
            (Self::Statistics { statistics, .. }, _) => Ok(Fitting {
                why_unscored: Some("statistics do not hold the rows; run `cwplugin eval` on them"),
                ..Fitting::new(settings.fit.fit_statistics(&statistics)?, rows(&statistics))
            }),
        }
    }
}

fn fit_method(input: Input, settings: &Settings, args: &Fit, screen: &Screen) -> anyhow::Result<Fitting> {
    let method = settings.method;
    let mut progress = screen.progress("reading");
    let conversion = input.conversion.clone();
    let sample = input.read_all(&mut progress)?;
    drop(progress);
    if sample.n_labelled() == 0 && args.options.get("source-priors").is_none() {
        let error = conversion.no_labelled_rows();
        return Err(if conversion.layout.id.is_some() {
            error // the labels are elsewhere
        } else if method.option("source-priors").is_some() {
            error.hint("label some rows, or give the class priors of the training data: --source-priors CLASS=PRIOR,…")
        } else if method.name == "auto" {
            error.hint(
                "label some rows; without labels, use --method label-shift --source-priors CLASS=PRIOR,…",
            )
        } else {
            error
        }
        .into());
    }
    if !conversion.has_labels() {
        screen.note(format_args!("note: no column \"{}\": every row is unlabelled", args.data.label));
    }
    fit_sample(settings, &sample, args, screen)
}

fn fit_plugin(
    input: Input,
    settings: &Settings,
    plugin: plugin::Settings,
    args: &Fit,
    screen: &Screen,
) -> anyhow::Result<Fitting> {
    let conversion = input.conversion.clone();
    let twice = args.path.as_deref().filter(|path| !is_read_once(path));
    let is_constrained = !args.subject_to.is_empty();
    // Constraints depend on all classes at once, so they need the rows.
    let candidates = candidates(input.classes(), plugin)?.filter(|_| !is_constrained);
    let buffer = args.buffer.unwrap_or(BUFFER) as usize * NUMBERS_PER_MIB;
    let limit = match candidates {
        None => usize::MAX,
        Some(_) if args.learning_curve => usize::MAX,
        Some(_) if input.has_more_than(buffer) => 0, // keeping the first rows would only take time
        Some(_) => buffer,
    };
    let mut progress = screen.progress("reading");
    let mut samples = input.samples()?;
    let (sample, is_all) = samples.read_rows(limit, &mut progress)?;
    let Some(candidates) = candidates.filter(|_| !is_all) else {
        drop(progress);
        if sample.n_labelled() == 0 {
            return Err(conversion.no_labelled_rows().into());
        }
        let is_large = sample.n_rows() * sample.n_classes() > buffer && buffer > 0;
        if plugin.search != Search::Exact && is_large && !is_constrained {
            screen.note("note: all rows are kept in memory, because the reference depends on them; use --reference NAME to count them instead");
        }
        return fit_sample(settings, &sample, args, screen);
    };
    let (statistics, seen, pass) = count(candidates, sample, samples, progress)?;
    let Some(statistics) = statistics.filter(|statistics| statistics.n_labelled() > 0) else {
        return Err(conversion.no_labelled_rows().into());
    };
    let (model, rows) = (settings.fit.fit_statistics(&statistics)?, rows(&statistics));
    let file = match twice {
        _ if args.unscored => Err("--unscored"),
        None => Err("a stream is read only once; run `cwplugin eval` on the same rows"),
        Some(path) => Ok(path),
    };
    let path = match file {
        Ok(path) => path,
        Err(why) => {
            let fitting = Fitting::new(seen.store_in(model), rows);
            return Ok(Fitting { why_unscored: Some(why), ..fitting });
        }
    };
    conversion.files.refuse_stale()?;
    let again = Input::open(path, &args.data, Needs::LABELLED, screen)
        .context("the table is read a second time for the scores; --unscored skips them")?;
    let again_conversion = again.conversion.clone();
    let scored = outcomes(again, &model, screen);
    // First, since an error in other rows would mislead.
    again_conversion.files.refuse_changed(&conversion.files)?;
    let (outcomes, second) = scored?;
    if second != pass || again_conversion.layout.classes != conversion.layout.classes {
        return Err(changed(&conversion.file).into());
    }
    let [clean, fitted] =
        [Side::Clean, Side::Fitted].map(|side| settings.metric.score(&outcomes.confusion(side)));
    if let Some(value) = [clean, fitted].into_iter().find(|score| !score.is_finite()) {
        return Err(Error::MetricNotFinite { metric: settings.metric.name().into(), value }.into());
    }
    let model = seen.store_in(model.with_score(ScorePair { clean, fitted }));
    Ok(Fitting { outcomes: Some(outcomes), ..Fitting::new(model, rows) })
}

fn fit_sample(settings: &Settings, sample: &Sample, args: &Fit, screen: &Screen) -> anyhow::Result<Fitting> {
    let stages = screen.spinner("fitting");
    let mut model = settings.fit.fit_with_progress(sample, &stages)?;
    drop(stages);
    if args.learning_curve {
        let bar = screen.steps("learning curve", LearningCurve::n_fits(sample));
        let curve = settings.fit.learning_curve(&model, sample, |done| bar.done(done))?;
        model = model.with_learning_curve(curve);
    }
    let why = if sample.n_labelled() == 0 { "no row has a label" } else { "--unscored" };
    let is_scored = model.report().is_some_and(|report| report.score.is_some());
    let rows = (0..sample.n_classes()).map(|class| sample.n_rows_of(class)).collect();
    let outcomes = is_scored.then(|| {
        let mut outcomes = Outcomes::new(sample.n_classes());
        outcomes.add_sample(sample, model.rule()).map(|()| outcomes)
    });
    let why_unscored = (!is_scored).then_some(why);
    Ok(Fitting { why_unscored, outcomes: outcomes.transpose()?, ..Fitting::new(model, rows) })
}

/// Empty statistics for every class that may be the reference; `None` if the rows must be kept.
fn candidates(classes: &[String], plugin: plugin::Settings) -> Result<Option<Vec<Statistics>>, Error> {
    let (Search::Grid(step) | Search::Binary(step)) = plugin.search else {
        return Ok(None); // an exact search needs every cut
    };
    let m = classes.len();
    let references = match plugin.reference {
        Reference::Class(class) => class..class + 1,
        Reference::Last => m - 1..m,
        Reference::Largest => 0..m,
        _ => return Ok(None), // `best` scores the rows with each class
    };
    let counters = m.saturating_mul(2 * (step.points() + 1));
    if counters.saturating_mul(references.len()) > MOST_COUNTERS {
        return Ok(None);
    }
    let empty = |reference| Statistics::new(classes.to_vec(), reference, step);
    references.map(empty).collect::<Result<_, _>>().map(Some)
}

/// Counts the rows that were read and the remaining ones; returns the statistics for the reference, what the model keeps of
/// the rows, and what a second reading must find.
fn count(
    mut candidates: Vec<Statistics>,
    sample: Sample,
    mut samples: Chunks<Sample>,
    mut progress: Progress,
) -> anyhow::Result<(Option<Statistics>, Seen, Pass)> {
    let (mut seen, mut pass) = (Seen::default(), Pass::default());
    add_rows(&mut candidates, &sample)?;
    seen.add(&sample);
    pass.add(&sample);
    drop(sample);
    while let Some(sample) = samples.next(&mut progress)? {
        add_rows(&mut candidates, &sample)?;
        seen.add(&sample);
        pass.add(&sample);
    }
    let largest = candidates[0].largest_class();
    let is_only = candidates.len() == 1;
    let is_wanted = |statistics: &Statistics| is_only || Some(statistics.reference()) == largest;
    Ok((candidates.into_iter().find(is_wanted), seen, pass))
}

/// The predictions before and after, and what the reading has found.
fn outcomes(input: Input, model: &Model, screen: &Screen) -> anyhow::Result<(Outcomes, Pass)> {
    let (mut outcomes, mut pass) = (Outcomes::new(input.classes().len()), Pass::default());
    let mut progress = screen.progress("scoring");
    let mut samples = input.samples()?;
    while let Some(sample) = samples.next(&mut progress)? {
        outcomes.add_sample(&sample, model.rule())?;
        pass.add(&sample);
    }
    Ok((outcomes, pass))
}

fn add_rows(candidates: &mut [Statistics], sample: &Sample) -> Result<(), Error> {
    match candidates {
        [only] => only.add_rows(sample),
        several => several.par_iter_mut().try_for_each(|statistics| statistics.add_rows(sample)),
    }
}

fn rows(statistics: &Statistics) -> Vec<u64> {
    (0..statistics.classes().len()).map(|class| statistics.n_rows_of(class)).collect()
}
