//! The protocol of the paper: fixed test rows, and several samples of each size to fit every method on.

use std::collections::BTreeMap;

use super::cell::Score;
use super::test_bootstrap::TestBootstrap;
use super::{draw, unlabelled};
use crate::compare::{Cell, Noise};
use crate::data::Sample;
use crate::error::Error;
use crate::methods::Method;
use crate::methods::method::Options;
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
    sizes: Vec<usize>,
    repeats: usize,
    noise: Vec<Noise>,
    unlabelled: usize,
    seed: u64,
    options: BTreeMap<String, String>,
}

impl Comparison {
    /// Compares these methods on samples of these sizes; five samples of each, as in the paper.
    pub fn new(methods: Vec<&'static Method>, sizes: Vec<usize>) -> Self {
        Self {
            methods,
            sizes,
            repeats: 5,
            noise: Vec::new(),
            unlabelled: 0,
            seed: 0,
            options: BTreeMap::new(),
        }
    }

    /// Sets the number of samples of each size.
    pub fn repeats(self, repeats: usize) -> Self {
        Self { repeats, ..self }
    }

    /// Adds label noise to every sample, never to the test rows.
    pub fn noise(self, noise: Vec<Noise>) -> Self {
        Self { noise, ..self }
    }

    /// Adds up to this many other rows of the pool without their labels to every sample, for methods that use unlabelled rows.
    ///
    /// Rows without a label in the pool come first. Samples of one repeat share them, as far as the pool is large enough. The
    /// labelled rows of the samples do not change, nor do the results of methods that use only labelled rows.
    pub fn unlabelled(self, rows: usize) -> Self {
        Self { unlabelled: rows, ..self }
    }

    /// Sets the seed of draws and fits [default: 0].
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Sets an option for the methods that support it.
    #[allow(clippy::needless_pass_by_value)] // numbers and names, as they are written
    pub fn option(mut self, name: &str, value: impl ToString) -> Self {
        self.options.insert(name.into(), value.to_string());
        self
    }

    /// The number of samples, each fitted by all methods; the unit of `progress`.
    pub fn n_samples(&self) -> usize {
        self.sizes.len() * self.repeats
    }

    /// Fits every method for every metric on every sample and scores it on the test rows.
    ///
    /// All methods get the same samples, and a larger sample of a repeat contains the smaller ones. `progress` is called with
    /// the number of finished samples. Failed fits are recorded in their cell. Cells are ordered by size, metric and method.
    ///
    /// # Errors
    ///
    /// If a size is 0 or larger than the labelled rows of the pool, there is no labelled test row, or a metric is defined for
    /// another number of classes.
    pub fn run<M: Metric>(
        &self,
        pool: &Sample,
        test: &Sample,
        metrics: &[M],
        progress: impl Fn(usize) + Send + Sync,
    ) -> Result<Vec<Cell>, Error> {
        let labelled = pool.labelled_rows();
        if let Some(&size) = self.sizes.iter().find(|size| !(1..=labelled.len()).contains(*size)) {
            return Err(Error::SampleSize { size, rows: labelled.len() });
        }
        if test.n_labelled() == 0 {
            return Err(Error::NoLabelledRows);
        }
        for metric in metrics {
            check_size(metric, test.n_classes())?;
        }
        let seed = self.seed;
        let bootstrap = TestBootstrap::new(test, metrics, seed)?;
        let orders: Vec<Vec<usize>> =
            (0..self.repeats).map(|repeat| draw::shuffled(&labelled, seed, repeat)).collect();
        let unlabelled_rows: Vec<Vec<usize>> = (0..self.repeats)
            .map(|repeat| unlabelled::unlabelled_rows(pool, self.unlabelled, seed, repeat))
            .collect();
        // Largest first, for a better balance of the threads.
        let mut sizes: Vec<usize> = (0..self.sizes.len()).collect();
        sizes.sort_by_key(|&size| std::cmp::Reverse(self.sizes[size]));
        let jobs: Vec<(usize, usize)> =
            sizes.into_iter().flat_map(|size| (0..self.repeats).map(move |repeat| (size, repeat))).collect();
        let done = std::sync::atomic::AtomicUsize::new(0);
        let scored = parallel::map(jobs, |(size, repeat)| {
            let (rows, rest) = orders[repeat].split_at(self.sizes[size]);
            let sample = draw::with_noise(&pool.select(rows), &self.noise, seed, repeat)?;
            let sample =
                unlabelled::with_unlabelled(sample, pool, &unlabelled_rows[repeat], rest, self.unlabelled)?;
            let scores = self.methods.iter().map(|method| {
                let options = self.options_of(method, seed.wrapping_add(repeat as u64));
                scores(method, &sample, test, metrics, &options, &bootstrap)
            });
            let scores: Vec<_> = scores.collect();
            progress(done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1);
            Ok((size, repeat, scores))
        });
        let scored = scored.into_iter().collect::<Result<Vec<_>, Error>>()?;
        Ok(self.cells(metrics, &scored))
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
        for (i, &size) in self.sizes.iter().enumerate() {
            for (j, metric) in metrics.iter().enumerate() {
                for (k, method) in self.methods.iter().enumerate() {
                    let mut cell = Cell::new(method.name, metric.name(), size);
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
