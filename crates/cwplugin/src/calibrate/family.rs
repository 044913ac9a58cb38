//! The calibrators by name: temperature, bcts, vector, dirichlet.

use nalgebra::DMatrix;

use super::form::{Biases, Form, Slopes};
use super::select::{Choice, Prior, Task, participants};
use super::{AffineMap, Calibrated, LogLoss, MapInput, Select, Slope, Strength};
use crate::{Error, Sample};

/// The strengths that are tried for λ and for μ, the strongest first.
const STRENGTHS: [f64; 5] = [1e-1, 1e-2, 1e-3, 1e-4, 1e-5];

/// Draws what has no penalty of its own towards the identity: a sample that can be separated has no optimum otherwise.
const TINY: f64 = 1e-9;

/// The smallest slope of a temperature: nearly uniform probabilities, in the order of the black box.
const SMALLEST_SLOPE: f64 = 1e-6;

/// Which slopes and biases a calibrator has.
///
/// Each minimises the weighted mean log loss of the labelled rows, plus 1e-9 times the squared distance of whatever has
/// no penalty of its own to slopes of 1 and biases of 0, so that there always is an optimum.
///
/// A class without labelled rows would get a bias of minus infinity. So the softmax of the fit runs over the other
/// classes only; the absent class keeps slope 1 and bias 0, beside biases of the others that have the mean 0. If only
/// one class is present there is nothing to learn: the map is the identity.
///
/// ```
/// use cwplugin::{Family, Probabilities, Sample, Select};
///
/// let p = Probabilities::new([0.9, 0.1].repeat(10), 2)?;
/// let labels = (0..10).map(|row| Some(usize::from(row < 3))).collect(); // 7 of 10, not 9 of 10
/// let fitted = Family::Temperature.fit(&Sample::new(p.clone(), labels)?, Select::InSample, 0)?;
/// assert!((fitted.map.apply(&p)?.get(0, 0) - 0.7).abs() < 1e-6);
/// # Ok::<(), cwplugin::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// `softmax(t·log b)` with `t > 0`. If the best t is not above 0, the black box is worse than none and t is 1e-6.
    Temperature,
    /// Bias-corrected temperature scaling: `softmax(t·log b + c)`; t may have any sign.
    Bcts,
    /// Vector scaling: `softmax(s∘x + c)` on log-probabilities or on probabilities.
    Vector(MapInput),
    /// `softmax(s∘log b + c)` with the penalty `μ·Σ c_j²`.
    DirichletDiag,
    /// `softmax(A·log b + c)` with the penalty `λ·Σ_{i≠j} A_ij² + μ·Σ c_j²` (ODIR).
    DirichletFull,
}

impl Family {
    /// Learns the map from a sample.
    ///
    /// `select` says how λ and μ are chosen among 0.1, 0.01, …, 0.00001, and the seed how rows are put into folds.
    ///
    /// # Errors
    ///
    /// If no row has a label and a weight above 0, a vector is to take features, or a fixed penalty is not usable.
    pub fn fit(self, sample: &Sample, select: Select, seed: u64) -> Result<Calibrated, Error> {
        if self == Self::Vector(MapInput::Features) {
            return Err(Error::MapTakes { expected: "probabilities", found: "features" });
        }
        let strengths = self.strengths(select)?;
        let m = sample.n_classes();
        let task = self.task(sample)?;
        let prior = |strength: &Strength| self.prior(*strength);
        let chains: Vec<Vec<Prior>> =
            strengths.iter().map(|chain| chain.iter().map(prior).collect()).collect();
        let absent: Vec<usize> = (0..m).filter(|&class| sample.n_rows_of(class) == 0).collect();
        let choice = if absent.len() + 1 < m {
            task.choose(&chains, (select == Select::CrossValidation).then_some(seed))
        } else {
            None // one class only
        };
        let before = AffineMap::identity(m)?.log_loss(sample);
        let Some(choice) = choice else {
            let (map, log_loss) = (AffineMap::identity(m)?, LogLoss { before, after: before });
            return Ok(Calibrated { map, log_loss, penalty: None, iterations: 0, converged: true, absent });
        };
        let map = self.map(&choice, m)?;
        let log_loss = LogLoss { before, after: map.log_loss(sample) };
        let penalty = self.has_penalty().then(|| strengths[choice.place.0][choice.place.1]);
        let (iterations, converged) = (choice.iterations, choice.optimum.converged);
        Ok(Calibrated { map, log_loss, penalty, iterations, converged, absent })
    }

    fn has_penalty(self) -> bool {
        matches!(self, Self::DirichletDiag | Self::DirichletFull)
    }

    fn input(self) -> MapInput {
        if let Self::Vector(input) = self { input } else { MapInput::LogProbability }
    }

    /// The penalties to try, in chains from the strongest to the weakest λ, or μ if there is no λ.
    fn strengths(self, select: Select) -> Result<Vec<Vec<Strength>>, Error> {
        if let Select::Fixed(strength) = select {
            strength.check()?;
        }
        Ok(match (self, select) {
            (Self::DirichletFull, Select::Fixed(strength)) => vec![vec![strength]],
            (Self::DirichletDiag, Select::Fixed(strength)) => {
                vec![vec![Strength { lambda: 0.0, ..strength }]]
            }
            (Self::DirichletFull, _) => {
                let chain = |mu| STRENGTHS.map(|lambda| Strength { lambda, mu }).to_vec();
                STRENGTHS.map(chain).to_vec()
            }
            (Self::DirichletDiag, _) => vec![STRENGTHS.map(|mu| Strength { lambda: 0.0, mu }).to_vec()],
            _ => vec![vec![Strength { lambda: 0.0, mu: 0.0 }]],
        })
    }

    /// Nothing is quite without a penalty.
    fn prior(self, strength: Strength) -> Prior {
        let Strength { lambda, mu } = strength;
        Prior { centre: 1.0, own: TINY, other: lambda.max(TINY), bias: mu.max(TINY) }
    }

    fn task(self, sample: &Sample) -> Result<Task, Error> {
        let rows = participants(sample)?;
        let (slopes, biases) = match self {
            Self::Temperature => (Slopes::Shared, Biases::None),
            Self::Bcts => (Slopes::Shared, Biases::PerClass),
            Self::Vector(_) | Self::DirichletDiag => (Slopes::PerClass, Biases::PerClass),
            Self::DirichletFull => (Slopes::Matrix, Biases::PerClass),
        };
        let (m, p, input) = (sample.n_classes(), sample.probabilities(), self.input());
        let mut inputs = DMatrix::zeros(rows.len(), m);
        for (i, &row) in rows.iter().enumerate() {
            for (class, b) in p.row(row).enumerate() {
                inputs[(i, class)] = input.of(b);
            }
        }
        let labels = rows.iter().filter_map(|&row| sample.label(row)).collect();
        let weights = rows.iter().map(|&row| sample.weight(row)).collect();
        Ok(Task { inputs, labels, weights, n_classes: m, slopes, biases })
    }

    /// The map over all m classes, absent ones included.
    fn map(self, choice: &Choice, m: usize) -> Result<AffineMap, Error> {
        let form = &choice.form;
        let (slopes, biases) = choice.optimum.parameters.as_slice().split_at(form.n_slopes());
        let slope = if self == Self::DirichletFull {
            Slope::Matrix(matrix(form, slopes, m))
        } else {
            let mut diagonal = vec![1.0; m];
            for (j, &class) in form.present.iter().enumerate() {
                diagonal[class] = match self {
                    Self::Temperature => slopes[0].max(SMALLEST_SLOPE),
                    Self::Bcts => slopes[0],
                    _ => slopes[j],
                };
            }
            Slope::Diagonal(diagonal)
        };
        let mean = biases.iter().sum::<f64>() / form.classes() as f64;
        let mut bias = vec![0.0; m];
        for (&class, c) in form.present.iter().zip(biases) {
            bias[class] = c - mean;
        }
        AffineMap::new(self.input(), slope, bias)
    }
}

/// The slopes of the present classes, and the identity's of the others.
fn matrix(form: &Form, slopes: &[f64], m: usize) -> Vec<f64> {
    let mut matrix = vec![0.0; m * m];
    for class in 0..m {
        matrix[class * m + class] = 1.0;
    }
    for (&class, row) in form.present.iter().zip(slopes.chunks_exact(m)) {
        matrix[class * m..(class + 1) * m].copy_from_slice(row);
    }
    matrix
}
