//! The paper's protocol: fixed test rows, and for each size several samples to fit every method on.

use std::collections::BTreeMap;

use super::cell::Score;
use super::chance::Chance;
use super::{draw, unlabelled};
use crate::compare::{Cell, Noise};
use crate::data::Sample;
use crate::error::Error;
use crate::methods::Method;
use crate::methods::method::Options;
use crate::metric::{Metric, check_size, checked_score};
use crate::numeric::parallel;
use crate::rule::Rule;

/// Which methods to compare, on how many rows, how often.
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
    /// Compares these methods on samples of these sizes: five of each, the paper's number.
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

    /// Draws so many samples of each size.
    pub fn repeats(self, repeats: usize) -> Self {
        Self { repeats, ..self }
    }

    /// Spoils some labels of every sample; never those of the test rows.
    pub fn noise(self, noise: Vec<Noise>) -> Self {
        Self { noise, ..self }
    }

    /// Adds to every sample up to so many other rows of the pool without their labels, for methods that use such rows.
    ///
    /// Rows that never had a label come first. Samples of one repeat share them, as far as the pool is large enough; the labelled
    /// rows of the samples stay as they are, and so do the results of methods that look at labelled rows only.
    pub fn unlabelled(self, rows: usize) -> Self {
        Self { unlabelled: rows, ..self }
    }

    /// Seed of the draws and of the fits [default: 0].
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Sets an option for the methods that support it.
    #[allow(clippy::needless_pass_by_value)] // numbers and names, as they are written
    pub fn option(mut self, name: &str, value: impl ToString) -> Self {
        self.options.insert(name.into(), value.to_string());
        self
    }

    /// How many fits of all methods there will be: what `progress` is counted in.
    pub fn n_samples(&self) -> usize {
        self.sizes.len() * self.repeats
    }

    /// Fits every method for every metric on every sample and scores it on the test rows.
    ///
    /// All methods see the same samples, and a larger sample of a repeat contains the smaller ones. `progress` is told how
    /// many samples are done. A fit that fails is put down in its cell. Cells come by size, metric and method.
    ///
    /// # Errors
    ///
    /// If a size is 0 or larger than the labelled rows of the pool, there is no labelled test row, or a metric is for
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
        let chance = Chance::new(test, metrics, seed)?;
        let orders: Vec<Vec<usize>> =
            (0..self.repeats).map(|repeat| draw::shuffled(&labelled, seed, repeat)).collect();
        let bare: Vec<Vec<usize>> =
            (0..self.repeats).map(|repeat| unlabelled::bare(pool, self.unlabelled, seed, repeat)).collect();
        // The largest first: two threads then end at about the same time.
        let mut sizes: Vec<usize> = (0..self.sizes.len()).collect();
        sizes.sort_by_key(|&size| std::cmp::Reverse(self.sizes[size]));
        let jobs: Vec<(usize, usize)> =
            sizes.into_iter().flat_map(|size| (0..self.repeats).map(move |repeat| (size, repeat))).collect();
        let done = std::sync::atomic::AtomicUsize::new(0);
        let scored = parallel::map(jobs, |(size, repeat)| {
            let (rows, rest) = orders[repeat].split_at(self.sizes[size]);
            let sample = draw::spoiled(&pool.select(rows), &self.noise, seed, repeat)?;
            let sample = unlabelled::joined(sample, pool, &bare[repeat], rest, self.unlabelled)?;
            let scores = self.methods.iter().map(|method| {
                let options = self.options_of(method, seed.wrapping_add(repeat as u64));
                scores(method, &sample, test, metrics, &options, &chance)
            });
            let scores: Vec<_> = scores.collect();
            progress(done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1);
            Ok((size, repeat, scores))
        });
        let scored = scored.into_iter().collect::<Result<Vec<_>, Error>>()?;
        Ok(self.cells(metrics, &scored))
    }

    /// The options that a method supports.
    fn options_of(&self, method: &Method, seed: u64) -> Options {
        let supported = self.options.iter().filter(|(name, _)| method.option(name).is_some());
        let values = supported.map(|(name, value)| (name.clone(), value.clone())).collect();
        Options { values, seed, unscored: false }
    }

    /// Sorts the scores into cells.
    fn cells<M: Metric>(&self, metrics: &[M], scored: &[(usize, usize, Vec<Scores>)]) -> Vec<Cell> {
        let mut cells = Vec::new();
        for (i, &size) in self.sizes.iter().enumerate() {
            for (j, metric) in metrics.iter().enumerate() {
                for (k, method) in self.methods.iter().enumerate() {
                    let mut cell = Cell::new(method.name, metric.name(), size);
                    // Samples of a size come in the order of their repeats.
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

/// For each metric what was reached on the test rows.
type Scores = Vec<Result<Score, Error>>;

fn scores<M: Metric>(
    method: &Method,
    sample: &Sample,
    test: &Sample,
    metrics: &[M],
    options: &Options,
    chance: &Chance<'_>,
) -> Scores {
    let fit = |metric: &M| method.fit(sample, metric, options).map(|fitted| fitted.rule);
    let score = |(number, rule): (usize, Result<Rule, Error>)| {
        let (rule, metric) = (rule?, &metrics[number]);
        let value = checked_score(metric, &rule.confusion(test)?)?;
        Ok(Score { value, gaps: chance.gaps(&rule.predict(test)?, number, metric) })
    };
    match metrics {
        // One fit serves all metrics if it does not ask for them.
        [first, ..] if !method.uses_metric => {
            // The metric of the fit scores it on the sample, which may fail where another one does not.
            let rule = metrics.iter().map(fit).find(Result::is_ok).unwrap_or_else(|| fit(first));
            (0..metrics.len()).map(|number| score((number, rule.clone()))).collect()
        }
        _ => metrics.iter().map(fit).enumerate().map(score).collect(),
    }
}
