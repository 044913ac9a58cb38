//! The protocol of the paper: fixed test rows, and several samples of each size to fit every method on.

use std::collections::BTreeMap;

use super::cell::Score;
use super::draws::{Drawing, Draws};
use super::noise::Part;
use super::test_bootstrap::TestBootstrap;
use crate::compare::{Cell, Draw, External, Noise, NoiseIn};
use crate::data::Sample;
use crate::error::{Error, ExternalProblem};
use crate::methods::Method;
use crate::methods::method::Options;
use crate::methods::same_sample::SameSample;
use crate::metric::{Metric, check_size, checked_score};
use crate::numeric::parallel;
use crate::rule::Rule;

/// A comparison of methods on samples of several sizes.
///
/// ```
/// use cwplugin::{Comparison, Method, Probabilities, Sample, metric::MacroF1};
///
/// let p = Probabilities::new([0.9, 0.1, 0.6, 0.4].repeat(50), 2)?;
/// let pool = Sample::new(p, [Some(0), Some(1)].repeat(50))?;
/// let methods = vec![Method::by_name("clean")?, Method::by_name("cwplugin")?];
/// let cells = Comparison::new(methods, vec![20]).run(&pool, &pool, &[MacroF1], |_| {})?;
/// assert!(cells[1].mean() > cells[0].mean());
/// # Ok::<(), cwplugin::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Comparison {
    methods: Vec<&'static Method>,
    drawing: Drawing,
    external: Vec<External>,
    options: BTreeMap<String, String>,
}

impl Comparison {
    /// Compares these methods on samples of these sizes; five samples of each, as in the paper.
    pub fn new(methods: Vec<&'static Method>, sizes: Vec<usize>) -> Self {
        let drawing = Drawing {
            sizes,
            repeats: 5,
            noise: Vec::new(),
            noise_in: NoiseIn::Sample,
            unlabelled: 0,
            seed: 0,
        };
        Self { methods, drawing, external: Vec::new(), options: BTreeMap::new() }
    }

    /// Sets the number of samples of each size.
    pub fn repeats(mut self, repeats: usize) -> Self {
        self.drawing.repeats = repeats;
        self
    }

    /// Adds label noise, to the samples unless [`Comparison::noise_in`] is set. The last of several for one class applies.
    pub fn noise(mut self, noise: Vec<Noise>) -> Self {
        self.drawing.noise = noise;
        self
    }

    /// Sets which labels the noise changes [default: those of the samples].
    pub fn noise_in(mut self, noise_in: NoiseIn) -> Self {
        self.drawing.noise_in = noise_in;
        self
    }

    /// Adds up to this many other rows of the pool without their labels to every sample, for methods that use unlabelled rows.
    ///
    /// Rows without a label in the pool come first. Samples of one repeat share them, as far as the pool is large enough. The
    /// labelled rows of the samples do not change, nor do the results of methods that use only labelled rows.
    pub fn unlabelled(mut self, rows: usize) -> Self {
        self.drawing.unlabelled = rows;
        self
    }

    /// Sets the seed of draws and fits [default: 0].
    pub fn seed(mut self, seed: u64) -> Self {
        self.drawing.seed = seed;
        self
    }

    /// Sets an option for the methods that support it.
    #[allow(clippy::needless_pass_by_value)] // numbers and names, as they are written
    pub fn option(mut self, name: &str, value: impl ToString) -> Self {
        self.options.insert(name.into(), value.to_string());
        self
    }

    /// Adds predictions from outside, which are scored like those of a method; see [`Comparison::draws`].
    pub fn external(mut self, external: External) -> Self {
        self.external.push(external);
        self
    }

    /// The rows of every sample that the methods are fitted on, by size and repeat.
    ///
    /// # Errors
    ///
    /// If a size is 0 or larger than the labelled rows of the pool.
    pub fn draws(&self, pool: &Sample) -> Result<Vec<Draw>, Error> {
        let draws = Draws::new(&self.drawing, pool)?;
        self.drawing.all().map(|(size, repeat)| draws.draw(size, repeat)).collect()
    }

    /// The test rows as they are scored: with [`NoiseIn::Everywhere`], some labels are others.
    ///
    /// # Errors
    ///
    /// If the rows cannot be copied with other labels, which checked rows always can.
    pub fn test_rows(&self, test: &Sample) -> Result<Sample, Error> {
        Ok(self.drawing.noisy(test, Part::Test)?.into_owned())
    }

    /// The number of samples, each fitted by all methods; the unit of `progress`.
    pub fn n_samples(&self) -> usize {
        self.drawing.sizes.len() * self.drawing.repeats
    }

    /// Fits every method for every metric on every sample and scores it on the test rows.
    ///
    /// All methods get the same samples, and a larger sample of a repeat contains the smaller ones. `progress` is called with
    /// the number of finished samples. Failed fits are recorded in their cell. Cells are ordered by size, metric and method,
    /// external methods last.
    ///
    /// # Errors
    ///
    /// If a size is 0 or larger than the labelled rows of the pool, there is no labelled test row, a metric is defined for
    /// another number of classes, or an external method has a name in use or not one prediction per test row and draw.
    pub fn run<M: Metric>(
        &self,
        pool: &Sample,
        test: &Sample,
        metrics: &[M],
        progress: impl Fn(usize) + Send + Sync,
    ) -> Result<Vec<Cell>, Error> {
        let draws = Draws::new(&self.drawing, pool)?;
        let test = &*self.drawing.noisy(test, Part::Test)?;
        if test.n_labelled() == 0 {
            return Err(Error::NoLabelledRows);
        }
        for metric in metrics {
            check_size(metric, test.n_classes())?;
        }
        self.check_external(test, metrics)?;
        let Drawing { sizes: all_sizes, repeats, seed, .. } = &self.drawing;
        let (repeats, seed) = (*repeats, *seed);
        let bootstrap = TestBootstrap::new(test, metrics, seed)?;
        // Largest first, for a better balance of the threads.
        let mut sizes: Vec<usize> = (0..all_sizes.len()).collect();
        sizes.sort_by_key(|&size| std::cmp::Reverse(all_sizes[size]));
        let jobs: Vec<(usize, usize)> =
            sizes.into_iter().flat_map(|size| (0..repeats).map(move |repeat| (size, repeat))).collect();
        let done = std::sync::atomic::AtomicUsize::new(0);
        let scored = parallel::map(jobs, |(size, repeat)| {
            let sample = draws.sample(all_sizes[size], repeat)?;
            let same_sample = SameSample::default();
            let scores = self.methods.iter().map(|method| {
                let options = self.options_of(method, seed.wrapping_add(repeat as u64));
                let options = Options { same_sample: Some(&same_sample), ..options };
                scores(method, &sample, test, metrics, &options, &bootstrap)
            });
            let external = self.external.iter().map(|external| {
                let draw = (all_sizes[size], repeat);
                let score = |(number, metric)| external.score(draw, (number, metric), test, &bootstrap);
                metrics.iter().map(|metric| metric as &dyn Metric).enumerate().map(score).collect()
            });
            let scores: Vec<Scores> = scores.chain(external).collect();
            progress(done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1);
            Ok((size, repeat, scores))
        });
        let scored = scored.into_iter().collect::<Result<Vec<_>, Error>>()?;
        Ok(self.cells(metrics, &scored))
    }

    /// The names of all methods, external ones last.
    fn names(&self) -> impl Iterator<Item = &str> {
        let own = self.methods.iter().map(|method| method.name);
        own.chain(self.external.iter().map(External::name))
    }

    /// Refuses external methods before the work.
    fn check_external<M: Metric>(&self, test: &Sample, metrics: &[M]) -> Result<(), Error> {
        for (i, external) in self.external.iter().enumerate() {
            let is_other = |other: &External| other.name() == external.name();
            if Method::by_name(external.name()).is_ok() || self.external[..i].iter().any(is_other) {
                return Err(external.error(ExternalProblem::NameInUse));
            }
            for (size, repeat) in self.drawing.all() {
                for metric in metrics {
                    external.of(size, repeat, metric.name(), test)?;
                }
            }
        }
        Ok(())
    }

    /// The options that a method supports.
    fn options_of(&self, method: &Method, seed: u64) -> Options<'static> {
        let supported = self.options.iter().filter(|(name, _)| method.option(name).is_some());
        let values = supported.map(|(name, value)| (name.clone(), value.clone())).collect();
        Options { values, seed, ..Options::default() }
    }

    /// Groups the scores into cells.
    fn cells<M: Metric>(&self, metrics: &[M], scored: &[(usize, usize, Vec<Scores>)]) -> Vec<Cell> {
        let mut cells = Vec::new();
        for (i, &size) in self.drawing.sizes.iter().enumerate() {
            for (j, metric) in metrics.iter().enumerate() {
                for (k, method) in self.names().enumerate() {
                    let mut cell = Cell::new(method, metric.name(), size);
                    // Samples of a size are in the order of the repeats.
                    for (_, repeat, scores) in scored.iter().filter(|(of, _, _)| *of == i) {
                        cell.add(*repeat, scores[k][j].clone());
                    }
                    cells.push(cell);
                }
            }
        }
        cells
    }
}

/// One score on the test rows per metric.
type Scores = Vec<Result<Score, Error>>;

fn scores<M: Metric>(
    method: &Method,
    sample: &Sample,
    test: &Sample,
    metrics: &[M],
    options: &Options<'_>,
    bootstrap: &TestBootstrap<'_>,
) -> Scores {
    let fit = |metric: &M| method.fit(sample, metric, options).map(|fitted| fitted.rule);
    let score = |(number, rule): (usize, Result<Rule, Error>)| {
        let (rule, metric) = (rule?, &metrics[number]);
        let value = checked_score(metric, &rule.confusion(test)?)?;
        Ok(Score { value, differences: bootstrap.differences(&rule.predict(test)?, number, metric) })
    };
    match metrics {
        // A fit that does not depend on the metric serves all metrics.
        [first, ..] if !method.uses_metric => {
            // The fit also scores the sample by its metric, which may fail for one metric and not for another.
            let rule = metrics.iter().map(fit).find(Result::is_ok).unwrap_or_else(|| fit(first));
            (0..metrics.len()).map(|number| score((number, rule.clone()))).collect()
        }
        _ => metrics.iter().map(fit).enumerate().map(score).collect(),
    }
}
