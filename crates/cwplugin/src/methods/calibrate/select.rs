//! The choice of the penalty along a path of strengths.

use std::str::FromStr;

use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};

use super::form::{Form, Slopes};
use super::newton::{Accuracy, minimise};
use super::softmax::{Penalty, Softmax};
use crate::data::Sample;
use crate::data::folds::stratified;
use crate::error::Error;
use crate::numeric::newton::Optimum;
use crate::numeric::parallel;
use crate::progress::{Observer, Stage};

/// Relative difference below which losses are equal.
const SAME: f64 = 1e-12;

/// The strength of a penalty on the mean log loss.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Strength {
    /// λ, on squared slopes: those off the diagonal for a Dirichlet map; λ/2 on all slopes for a logistic model.
    pub lambda: f64,
    /// μ, on squared biases.
    pub mu: f64,
}

impl Strength {
    pub(crate) fn check(self) -> Result<(), Error> {
        match [self.lambda, self.mu].into_iter().find(|value| !(0.0..f64::INFINITY).contains(value)) {
            None => Ok(()),
            Some(value) => Err(Error::BadPenalty { value }),
        }
    }
}

/// How the strength of a penalty is chosen; ignored by families without their own penalty.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Select {
    /// By the log loss of the training rows, as in the paper. A weaker penalty fits those rows better, so this nearly always
    /// takes the weakest.
    InSample,
    /// By the log loss in five stratified folds, then a fit on all rows. Ties go to the stronger penalty; with too few rows
    /// for two folds, the strongest is taken.
    CrossValidation,
    /// This strength.
    Fixed(Strength),
}

impl FromStr for Select {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "in-sample" => Ok(Self::InSample),
            "cv" => Ok(Self::CrossValidation),
            _ => Err(Error::UnknownOption { option: "select", value: text.into() }),
        }
    }
}

/// A quadratic penalty for slopes of any form.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Prior {
    /// The centre of the slopes on a class's own input; all other slopes are centred on 0.
    pub(crate) centre: f64,
    /// Strength on slopes on a class's own input.
    pub(crate) own: f64,
    /// Strength on the other slopes.
    pub(crate) other: f64,
    /// Strength on the biases.
    pub(crate) bias: f64,
}

impl Prior {
    fn penalty(&self, form: &Form) -> Penalty {
        let size = form.n_parameters();
        let mut strength = DVector::from_element(size, self.bias);
        let mut centre = DVector::zeros(size);
        for (p, own) in form.own_inputs().into_iter().enumerate() {
            (strength[p], centre[p]) = if own { (self.own, self.centre) } else { (self.other, 0.0) };
        }
        Penalty { strength, centre }
    }
}

/// The rows used for fitting, and the form of the regression.
#[derive(Debug, Clone)]
pub(crate) struct Task {
    /// One row per row used.
    pub(crate) inputs: DMatrix<f64>,
    pub(crate) labels: Vec<usize>,
    pub(crate) weights: Vec<f64>,
    pub(crate) n_classes: usize,
    pub(crate) slopes: Slopes,
    pub(crate) has_biases: bool,
}

/// A fit and the indices of its prior: chain, position.
#[derive(Debug, Clone)]
pub(crate) struct Choice {
    pub(crate) place: (usize, usize),
    pub(crate) form: Form,
    pub(crate) optimum: Optimum,
    /// Newton steps over all fits.
    pub(crate) iterations: usize,
}

/// The prior to fit on all rows, and where to start.
struct Chosen {
    /// Chain, position.
    place: (usize, usize),
    start: Option<DVector<f64>>,
    /// Newton steps of the choice.
    iterations: usize,
}

/// The rows with a label and a positive weight.
pub(crate) fn training_rows(sample: &Sample) -> Result<Vec<usize>, Error> {
    let rows = sample.labelled_rows();
    if rows.is_empty() { Err(Error::NoLabelledRows) } else { Ok(rows) }
}

impl Task {
    /// Fits chains of priors, strongest first, and keeps the best: by cross-validation with a seed, by training loss with
    /// `None`. There is no fit if all rows are of one class.
    pub(crate) fn choose(
        &self,
        chains: &[Vec<Prior>],
        held_out: Option<u64>,
        observer: Observer<'_>,
    ) -> Option<Choice> {
        let form = self.form(|_| true);
        if form.classes() < 2 {
            return None;
        }
        let n_priors = chains.iter().map(Vec::len).sum::<usize>();
        let begin = |fits: usize| observer.begin_parts("calibrating", fits + 1);
        let first = Chosen { place: (0, 0), start: None, iterations: 0 };
        let (chosen, stage) = match held_out {
            _ if n_priors == 1 => (first, begin(0)),
            None => {
                let stage = begin(n_priors);
                (self.choose_in_sample(chains, &form, &stage)?, stage)
            }
            Some(seed) => match stratified(&self.labels, self.n_classes, seed) {
                None => (first, begin(0)),
                Some((fold, count)) => {
                    let stage = begin(count * n_priors);
                    (self.choose_in_folds(chains, &fold, count, &stage)?, stage)
                }
            },
        };
        let Chosen { place, start, iterations } = chosen;
        let prior = &chains[place.0][place.1..=place.1];
        let optimum = self.path(prior, start, &form, |_| true, Accuracy::Full, &stage).next()?;
        Some(Choice { place, form, iterations: iterations + optimum.iterations, optimum })
    }

    fn choose_in_folds(
        &self,
        chains: &[Vec<Prior>],
        fold: &[usize],
        count: usize,
        stage: &Stage<'_>,
    ) -> Option<Chosen> {
        let jobs = (0..count).flat_map(|out| (0..chains.len()).map(move |chain| (out, chain))).collect();
        let validated = parallel::map(jobs, |(out, chain)| {
            let form = self.form(|row| fold[row] != out);
            // A held-out row whose class is not in the training set is ignored.
            let (labels, weights, mass) = self.targets(&form, |row| fold[row] == out);
            let penalty = chains[chain][0].penalty(&form);
            let test =
                Softmax { inputs: &self.inputs, labels: &labels, weights: &weights, form: &form, penalty };
            let (mut losses, mut steps) = (Vec::new(), 0);
            let is_kept = |row: usize| fold[row] != out;
            for optimum in self.path(&chains[chain], None, &form, is_kept, Accuracy::Comparison, stage) {
                losses.push(mass * test.loss(&optimum.parameters));
                steps += optimum.iterations;
                if rises_twice(&losses) {
                    break;
                }
            }
            stage.skip_parts(chains[chain].len() - losses.len());
            losses.resize(chains[chain].len(), f64::INFINITY);
            (chain, losses, steps)
        });
        let mut losses: Vec<Vec<f64>> = chains.iter().map(|chain| vec![0.0; chain.len()]).collect();
        let mut iterations = 0;
        for (chain, fold_losses, steps) in validated {
            losses[chain].iter_mut().zip(fold_losses).for_each(|(sum, loss)| *sum += loss);
            iterations += steps;
        }
        Some(Chosen { place: best(&losses)?, start: None, iterations })
    }

    fn choose_in_sample(&self, chains: &[Vec<Prior>], form: &Form, stage: &Stage<'_>) -> Option<Chosen> {
        let fits = parallel::map(chains.iter().collect(), |chain: &Vec<Prior>| {
            let path = self.path(chain, None, form, |_| true, Accuracy::Comparison, stage);
            let optima: Vec<Optimum> = path.collect();
            let loss = |(prior, optimum): (&Prior, &Optimum)| {
                optimum.value - prior.penalty(form).value(&optimum.parameters)
            };
            (chain.iter().zip(&optima).map(loss).collect::<Vec<_>>(), optima)
        });
        let (losses, mut optima): (Vec<_>, Vec<_>) = fits.into_iter().unzip();
        let place = best(&losses)?;
        let iterations = optima.iter().flatten().map(|optimum| optimum.iterations).sum();
        let start = optima.swap_remove(place.0).swap_remove(place.1).parameters;
        Some(Chosen { place, start: Some(start), iterations })
    }

    /// The optimum for each prior, each started from the last one and a part of the stage. The first starts from the centre
    /// of its prior unless there is a start.
    fn path<'a>(
        &'a self,
        chain: &'a [Prior],
        start: Option<DVector<f64>>,
        form: &'a Form,
        keep: impl Fn(usize) -> bool,
        accuracy: Accuracy,
        stage: &'a Stage<'_>,
    ) -> impl Iterator<Item = Optimum> + 'a {
        let (labels, weights, _) = self.targets(form, keep);
        let mut last = start;
        chain.iter().map(move |prior| {
            let penalty = prior.penalty(form);
            let start = last.take().unwrap_or_else(|| penalty.centre.clone());
            let problem = Softmax { inputs: &self.inputs, labels: &labels, weights: &weights, form, penalty };
            let optimum = minimise(&problem, start, accuracy, stage);
            last = Some(optimum.parameters.clone());
            optimum
        })
    }

    /// The weighted mean of every input.
    pub(crate) fn mean_inputs(&self) -> DVector<f64> {
        let mass: f64 = self.weights.iter().sum();
        self.inputs.tr_mul(&DVector::from_column_slice(&self.weights)) / mass
    }

    /// The form over the classes of these rows.
    fn form(&self, keep: impl Fn(usize) -> bool) -> Form {
        let mut is_present = vec![false; self.n_classes];
        for (row, &label) in self.labels.iter().enumerate() {
            is_present[label] |= keep(row);
        }
        let present = (0..self.n_classes).filter(|&class| is_present[class]).collect();
        Form { slopes: self.slopes, has_biases: self.has_biases, inputs: self.inputs.ncols(), present }
    }

    /// The labels as classes of the form, the weights normalised to sum 1, and their total. Rows that are not selected or of
    /// another class get weight 0, so that no fold copies the inputs.
    fn targets(&self, form: &Form, keep: impl Fn(usize) -> bool) -> (Vec<u32>, Vec<f64>, f64) {
        let mut place = vec![None; self.n_classes];
        for (j, &class) in form.present.iter().enumerate() {
            place[class] = Some(j as u32);
        }
        let kept = |(row, &weight): (usize, &f64)| {
            if keep(row) && place[self.labels[row]].is_some() { weight } else { 0.0 }
        };
        let mut weights: Vec<f64> = self.weights.iter().enumerate().map(kept).collect();
        let mass: f64 = weights.iter().sum();
        if mass > 0.0 {
            for weight in &mut weights {
                *weight /= mass;
            }
        }
        let labels = self.labels.iter().map(|&label| place[label].unwrap_or(0)).collect();
        (labels, weights, mass)
    }
}

/// Whether the loss has increased twice in a row. Weaker penalties take longer and are then not tried.
fn rises_twice(losses: &[f64]) -> bool {
    matches!(losses, [.., a, b, c] if a < b && b < c)
}

/// The indices of the smallest loss; ties go to the first.
fn best(losses: &[Vec<f64>]) -> Option<(usize, usize)> {
    let mut best: Option<((usize, usize), f64)> = None;
    for (i, chain) in losses.iter().enumerate() {
        for (j, &loss) in chain.iter().enumerate() {
            if best.is_none_or(|(_, least)| loss < least - SAME * least.abs()) {
                best = Some(((i, j), loss));
            }
        }
    }
    best.map(|(place, _)| place)
}
