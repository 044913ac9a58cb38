//! The calibrators by name: temperature, bcts, vector, dirichlet.

use nalgebra::DMatrix;

use super::form::Slopes;
use super::select::{Choice, Prior, Task, training_rows};
use super::{AffineMap, Calibrated, MapInput, Select, Slope, Strength};
use crate::data::Sample;
use crate::error::Error;
use crate::progress::Observer;

/// The grid for λ and for μ, strongest first.
const STRENGTHS: [f64; 5] = [1e-1, 1e-2, 1e-3, 1e-4, 1e-5];

/// Weak penalty towards the identity on parameters without their own: separable samples have no optimum without it.
const TINY: f64 = 1e-9;

/// The smallest slope of a temperature: nearly uniform probabilities in the order of the black box.
const SMALLEST_SLOPE: f64 = 1e-6;

/// The slopes and biases of a calibrator.
///
/// Each minimises the weighted mean log loss of the labelled rows. Parameters without their own penalty get 1e-9 times the
/// squared distance to slopes of 1 and biases of 0, so that an optimum always exists.
///
/// A class without labelled rows would get a bias of minus infinity. The softmax of the fit therefore runs over the other
/// classes only. The absent class gets their mean slope, and the bias that keeps its mean distance to them. If only one
/// class is present, the map is the identity.
///
/// ```
/// use cwplugin::methods::{Family, Select};
/// use cwplugin::{Probabilities, Sample};
///
/// let p = Probabilities::new([0.9, 0.1].repeat(10), 2)?;
/// let labels = (0..10).map(|row| Some(usize::from(row < 3))).collect(); // 7 of 10, not 9 of 10
/// let fitted = Family::Temperature.learn(&Sample::new(p.clone(), labels)?, Select::InSample, 0)?;
/// assert!((fitted.map.apply(&p)?.get(0, 0) - 0.7).abs() < 1e-6);
/// # Ok::<(), cwplugin::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// `softmax(t·log b)` with `t > 0`. If the best t is not positive, the black box is worse than uniform and t is 1e-6.
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
    /// `select` chooses λ and μ among 0.1, 0.01, …, 0.00001; the seed assigns rows to folds.
    ///
    /// # Errors
    ///
    /// If no row has a label and a positive weight, the input is features, or a fixed penalty is invalid.
    pub fn learn(self, sample: &Sample, select: Select, seed: u64) -> Result<Calibrated, Error> {
        self.learn_with_progress(sample, select, seed, Observer::default())
    }

    pub(super) fn learn_with_progress(
        self,
        sample: &Sample,
        select: Select,
        seed: u64,
        observer: Observer<'_>,
    ) -> Result<Calibrated, Error> {
        if self == Self::Vector(MapInput::Features) {
            return Err(Error::MapTakes { expected: "probabilities", found: "features" });
        }
        let strengths = self.strengths(select)?;
        let task = self.task(sample)?;
        let chains: Vec<Vec<Prior>> =
            strengths.iter().map(|chain| chain.iter().map(prior).collect()).collect();
        let choice = task.choose(&chains, (select == Select::CrossValidation).then_some(seed), observer);
        let map = match &choice {
            Some(choice) => self.map(choice, &task)?,
            None => AffineMap::identity(sample.n_classes())?,
        };
        let loss = map.log_loss(sample);
        let has_penalty = matches!(self, Self::DirichletDiag | Self::DirichletFull);
        let strength = |choice: &Choice| has_penalty.then(|| strengths[choice.place.0][choice.place.1]);
        Calibrated::new(map, loss, choice.as_ref(), strength, sample)
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

    fn task(self, sample: &Sample) -> Result<Task, Error> {
        let rows = training_rows(sample)?;
        let slopes = match self {
            Self::Temperature | Self::Bcts => Slopes::Shared,
            Self::Vector(_) | Self::DirichletDiag => Slopes::PerClass,
            Self::DirichletFull => Slopes::Matrix,
        };
        let (m, p, input) = (sample.n_classes(), sample.probabilities(), self.input());
        let mut inputs = DMatrix::zeros(rows.len(), m);
        for (i, &row) in rows.iter().enumerate() {
            for (class, b) in p.row(row).enumerate() {
                inputs[(i, class)] = input.of(b, f64::EPSILON);
            }
        }
        let labels = rows.iter().filter_map(|&row| sample.label(row)).collect();
        let weights = rows.iter().map(|&row| sample.weight(row)).collect();
        Ok(Task { inputs, labels, weights, n_classes: m, slopes, has_biases: self != Self::Temperature })
    }

    /// The map over all m classes.
    ///
    /// An absent class gets the mean slope of the others on its own input, and the bias that keeps its mean distance to
    /// them, in units of that slope.
    fn map(self, choice: &Choice, task: &Task) -> Result<AffineMap, Error> {
        let (form, m) = (&choice.form, task.n_classes);
        let (slopes, biases) = choice.optimum.parameters.as_slice().split_at(form.n_slopes());
        let mut matrix = DMatrix::zeros(m, m);
        for (j, &class) in form.present.iter().enumerate() {
            match self {
                Self::Temperature => matrix[(class, class)] = slopes[0].max(SMALLEST_SLOPE),
                Self::Bcts => matrix[(class, class)] = slopes[0],
                Self::Vector(_) | Self::DirichletDiag => matrix[(class, class)] = slopes[j],
                Self::DirichletFull => {
                    let row = slopes[j * m..(j + 1) * m].iter();
                    matrix.row_mut(class).iter_mut().zip(row).for_each(|(to, from)| *to = *from);
                }
            }
        }
        let of_present = |f: &dyn Fn(usize) -> f64| {
            form.present.iter().map(|&class| f(class)).sum::<f64>() / form.classes() as f64
        };
        let mut bias = vec![0.0; m];
        form.present.iter().zip(biases).for_each(|(&class, c)| bias[class] = *c);
        let mean = of_present(&|class| bias[class]);
        form.present.iter().for_each(|&class| bias[class] -= mean);

        let x = task.mean_inputs();
        let slope = of_present(&|class| matrix[(class, class)]);
        let ahead = of_present(&|class| matrix.row(class).tr_dot(&x) + bias[class] - slope * x[class]);
        for class in (0..m).filter(|class| !form.present.contains(class)) {
            (matrix[(class, class)], bias[class]) = (slope, ahead);
        }
        let slope = if self == Self::DirichletFull {
            Slope::Matrix(matrix.transpose().as_slice().to_vec()) // kept column by column
        } else {
            Slope::Diagonal(matrix.diagonal().as_slice().to_vec())
        };
        AffineMap::new(self.input(), slope, bias)
    }
}

/// The prior for a penalty; every parameter has at least a weak one.
fn prior(&Strength { lambda, mu }: &Strength) -> Prior {
    Prior { centre: 1.0, own: TINY, other: lambda.max(TINY), bias: mu.max(TINY) }
}
