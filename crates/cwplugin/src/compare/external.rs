//! Predictions of methods outside the library.

use std::collections::BTreeMap;

use super::cell::Score;
use super::test_bootstrap::TestBootstrap;
use crate::data::{Probabilities, Sample};
use crate::error::{Error, ExternalProblem};
use crate::metric::{Metric, checked_score};
use crate::rule::Weights;

/// Predictions of a method outside the library, for every draw of a comparison: scored on the test rows like any method.
///
/// ```
/// use cwplugin::compare::External;
/// use cwplugin::{Comparison, Method, Probabilities, Sample, metric::Accuracy};
///
/// let pool = Sample::new(Probabilities::new([0.9, 0.1, 0.6, 0.4].repeat(50), 2)?, [Some(0), Some(1)].repeat(50))?;
/// let comparison = Comparison::new(vec![Method::by_name("clean")?], vec![20]).repeats(2);
/// let mut constant = External::new("constant");
/// for draw in comparison.draws(&pool)? {
///     constant = constant.predictions(draw.size, draw.repeat, None, vec![1; pool.n_rows()]);
/// }
/// let cells = comparison.external(constant).run(&pool, &pool, &[Accuracy], |_| {})?;
/// assert_eq!((cells[1].method.as_str(), cells[1].mean()), ("constant", Some(0.5)));
/// # Ok::<(), cwplugin::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct External {
    name: String,
    /// Predicted classes of the test rows by size, repeat, and the metric they are for.
    predictions: BTreeMap<(usize, usize, Option<String>), Vec<u32>>,
}

impl External {
    /// A method of this name, without predictions.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), predictions: BTreeMap::new() }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Adds the predicted class of every test row for one draw: for one metric, or for all that have none of their own.
    /// Predictions that were added before for the same draw and metric are replaced.
    #[allow(clippy::needless_pass_by_value)] // the caller has no more use for them
    pub fn predictions(
        mut self,
        size: usize,
        repeat: usize,
        metric: Option<&str>,
        classes: Vec<usize>,
    ) -> Self {
        // An index beyond 32 bits is out of range anyway.
        let classes = classes.iter().map(|&class| u32::try_from(class).unwrap_or(u32::MAX)).collect();
        self.predictions.insert((size, repeat, metric.map(String::from)), classes);
        self
    }

    /// Whether there are predictions for this draw and metric; `None` stands for all metrics.
    pub fn has(&self, size: usize, repeat: usize, metric: Option<&str>) -> bool {
        self.predictions.contains_key(&(size, repeat, metric.map(String::from)))
    }

    pub(super) fn error(&self, problem: ExternalProblem) -> Error {
        Error::External { name: self.name.clone(), problem }
    }

    /// The score of one draw on the test rows for the metric of this index.
    pub(super) fn score(
        &self,
        (size, repeat): (usize, usize),
        (number, metric): (usize, &dyn Metric),
        test: &Sample,
        bootstrap: &TestBootstrap<'_>,
    ) -> Result<Score, Error> {
        let classes = self.of(size, repeat, metric.name(), test)?;
        let m = test.n_classes();
        // The argmax of these rows is the prediction, so that it is counted like that of any rule.
        let mut one_hot = vec![0.0; classes.len() * m];
        classes.iter().zip(one_hot.chunks_exact_mut(m)).for_each(|(&class, row)| row[class] = 1.0);
        let [confusion] = test.confusions_of(&Probabilities::new(one_hot, m)?, [&Weights::uniform(m)?])?;
        let value = checked_score(metric, &confusion)?;
        Ok(Score { value, differences: bootstrap.differences(&classes, number, metric) })
    }

    /// The checked predictions for one draw and metric.
    pub(super) fn of(
        &self,
        size: usize,
        repeat: usize,
        metric: &str,
        test: &Sample,
    ) -> Result<Vec<usize>, Error> {
        let own = self.predictions.get(&(size, repeat, Some(metric.into())));
        let found = own
            .or_else(|| self.predictions.get(&(size, repeat, None)))
            .ok_or_else(|| self.error(ExternalProblem::Missing { size, repeat, metric: metric.into() }))?;
        let (found, expected): (&[u32], usize) = (found, test.n_rows());
        if found.len() != expected {
            let found = found.len();
            return Err(self.error(ExternalProblem::WrongLength { size, repeat, found, expected }));
        }
        match found.iter().position(|&class| class as usize >= test.n_classes()) {
            Some(row) => {
                let class = found[row] as usize;
                Err(self.error(ExternalProblem::NoSuchClass { size, repeat, row, class }))
            }
            None => Ok(found.iter().map(|&class| class as usize).collect()),
        }
    }
}
