//! Affine calibration maps: `softmax(A·x + c)`.

use crate::data::class_names::check_count;
use crate::data::probabilities::{Real, with_values};
use crate::data::{Features, Probabilities, Sample, check_length};
use crate::error::Error;
use crate::numeric::exponential::exp_all;
use crate::numeric::parallel;
use crate::rule::Tempering;
use crate::rule::matrix_rows::add_products;

/// Values per task.
const PIECE: usize = 1 << 16;

/// The input x of a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MapInput {
    /// Natural logarithms of the probabilities, clipped from below at a floor [default: `f64::EPSILON`], so that a
    /// probability of zero does not dominate. (dirichletcal clips at 2e-308, a logarithm of -708.)
    LogProbability,
    /// The probabilities themselves.
    Probability,
    /// Features of the row instead of probabilities.
    Features,
}

impl MapInput {
    /// Name used in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::LogProbability => "log-probability",
            Self::Probability => "probability",
            Self::Features => "features",
        }
    }

    #[inline]
    pub(crate) fn of(self, value: f64, floor: f64) -> f64 {
        if self == Self::LogProbability { value.max(floor).ln() } else { value }
    }
}

/// The slopes A of a map.
#[derive(Debug, Clone, PartialEq)]
pub enum Slope {
    /// One slope per class, on the input of that class.
    Diagonal(Vec<f64>),
    /// Classes × inputs, in row-major order.
    Matrix(Vec<f64>),
}

/// A map from a row to probabilities: the softmax of an affine function.
///
/// ```text
/// q = softmax(A·x + c)        x = log b, b or features
/// ```
///
/// A [`Tempering`] may come before the logarithm.
///
/// Invariants: at least two classes; every slope and bias is finite; the number of slopes matches classes and inputs.
///
/// ```
/// use cwplugin::{AffineMap, MapInput, Probabilities, Slope};
///
/// let sharper = AffineMap::new(MapInput::LogProbability, Slope::Diagonal(vec![2.0; 2]), vec![0.0; 2])?;
/// let q = sharper.apply(&Probabilities::new(vec![0.75, 0.25], 2)?)?;
/// assert!((q.get(0, 0) - 0.9).abs() < 1e-12);
/// # Ok::<(), cwplugin::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct AffineMap {
    input: MapInput,
    slope: Slope,
    bias: Vec<f64>,
    floor: f64,
    tempering: Option<Tempering>,
}

impl AffineMap {
    /// A map with these slopes and one bias per class.
    ///
    /// # Errors
    ///
    /// Fewer than two or too many classes, a number that is not finite, a wrong number of slopes, or a diagonal on features (a feature
    /// does not belong to a class).
    pub fn new(input: MapInput, slope: Slope, bias: Vec<f64>) -> Result<Self, Error> {
        let m = bias.len();
        check_count(m)?;
        let (slopes, expected) = match &slope {
            Slope::Diagonal(_) if input == MapInput::Features => {
                return Err(Error::MapTakes { expected: "probabilities", found: "features" });
            }
            Slope::Diagonal(slopes) => (slopes, m),
            Slope::Matrix(slopes) if input == MapInput::Features => {
                (slopes, slopes.len().next_multiple_of(m).max(m))
            }
            Slope::Matrix(slopes) => (slopes, m * m),
        };
        check_length("slopes", slopes.len(), expected)?;
        for (what, values) in [("slope", slopes), ("bias", &bias)] {
            if let Some(place) = values.iter().position(|value| !value.is_finite()) {
                return Err(Error::MapNotFinite { what, place, value: values[place] });
            }
        }
        Ok(Self { input, slope, bias, floor: f64::EPSILON, tempering: None })
    }

    /// Sets the floor at which probabilities are clipped before the logarithm.
    ///
    /// # Errors
    ///
    /// If it is not above 0 and below 1.
    pub fn with_floor(self, floor: f64) -> Result<Self, Error> {
        if floor > 0.0 && floor < 1.0 {
            Ok(Self { floor, ..self })
        } else {
            Err(Error::BadFloor { value: floor })
        }
    }

    /// Puts a temperature step before the map.
    ///
    /// # Errors
    ///
    /// If the map does not take log-probabilities.
    pub fn with_tempering(self, tempering: Tempering) -> Result<Self, Error> {
        if self.input == MapInput::LogProbability {
            Ok(Self { tempering: Some(tempering), ..self })
        } else {
            Err(Error::MapTakes { expected: MapInput::LogProbability.name(), found: self.input.name() })
        }
    }

    /// The identity map.
    ///
    /// # Errors
    ///
    /// Fewer than two classes.
    pub fn identity(n_classes: usize) -> Result<Self, Error> {
        Self::new(MapInput::LogProbability, Slope::Diagonal(vec![1.0; n_classes]), vec![0.0; n_classes])
    }

    /// The kind of input.
    pub fn input(&self) -> MapInput {
        self.input
    }

    /// The slopes A.
    pub fn slope(&self) -> &Slope {
        &self.slope
    }

    /// The biases c.
    pub fn bias(&self) -> &[f64] {
        &self.bias
    }

    /// The floor at which probabilities are clipped; ignored by maps without logarithms.
    pub fn floor(&self) -> f64 {
        self.floor
    }

    /// The temperature step before the map, if any.
    pub fn tempering(&self) -> Option<Tempering> {
        self.tempering
    }

    /// Number of classes.
    pub fn n_classes(&self) -> usize {
        self.bias.len()
    }

    /// Number of inputs per row.
    pub fn n_inputs(&self) -> usize {
        match &self.slope {
            Slope::Diagonal(slopes) => slopes.len(),
            Slope::Matrix(slopes) => slopes.len() / self.n_classes(),
        }
    }

    /// Maps the probabilities of every row.
    ///
    /// # Errors
    ///
    /// If the map is for another number of classes or takes features, or if slopes near the largest number overflow.
    pub fn apply(&self, probabilities: &Probabilities) -> Result<Probabilities, Error> {
        if self.input == MapInput::Features {
            return Err(Error::MapTakes { expected: "features", found: "probabilities" });
        }
        check_length("classes", probabilities.n_classes(), self.n_inputs())?;
        with_values!(probabilities, values => self.apply_to(values))
    }

    /// Maps the features of every row.
    ///
    /// # Errors
    ///
    /// If the map is for another number of features or takes probabilities, or if slopes near the largest number
    /// overflow.
    pub fn apply_to_features(&self, features: &Features) -> Result<Probabilities, Error> {
        if self.input != MapInput::Features {
            return Err(Error::MapTakes { expected: "probabilities", found: "features" });
        }
        check_length("features", features.n_columns(), self.n_inputs())?;
        with_values!(features, values => self.apply_to(values))
    }

    fn apply_to<T: Real>(&self, values: &[T]) -> Result<Probabilities, Error> {
        let (m, d) = (self.n_classes(), self.n_inputs());
        let mut mapped = vec![0.0; values.len() / d * m];
        let piece = (PIECE / d.max(m)).max(1);
        let pieces: Vec<_> = mapped.chunks_mut(piece * m).zip(values.chunks(piece * d)).collect();
        parallel::map(pieces, |(mapped, values)| {
            let mut x = vec![0.0; d];
            for (q, row) in mapped.chunks_exact_mut(m).zip(values.chunks_exact(d)) {
                self.logits(row, &mut x, q);
                subtract_largest(q);
            }
            exp_all(mapped);
            for q in mapped.chunks_exact_mut(m) {
                let sum: f64 = q.iter().sum();
                for q in q {
                    *q /= sum;
                }
            }
        });
        Probabilities::new(mapped, m)
    }

    /// `A·x + c` of a row; `x` is a scratch buffer.
    pub(crate) fn logits<T: Real>(&self, row: &[T], x: &mut [f64], logits: &mut [f64]) {
        for (x, &value) in x.iter_mut().zip(row) {
            *x = self.input.of(value.into(), self.floor);
        }
        if let Some(tempering) = self.tempering {
            tempering.apply(x);
        }
        logits.copy_from_slice(&self.bias);
        match &self.slope {
            Slope::Diagonal(slopes) => {
                for ((z, x), slope) in logits.iter_mut().zip(&*x).zip(slopes) {
                    *z += slope * x;
                }
            }
            Slope::Matrix(slopes) => add_products(slopes, x, logits),
        }
    }

    /// Weighted mean log loss on the labelled rows of a sample.
    pub(crate) fn log_loss(&self, sample: &Sample) -> f64 {
        with_values!(sample.probabilities(), values => self.log_loss_of(values, sample))
    }

    /// [`AffineMap::log_loss`] for a map that takes features.
    pub(crate) fn log_loss_on(&self, features: &Features, sample: &Sample) -> f64 {
        with_values!(features, values => self.log_loss_of(values, sample))
    }

    fn log_loss_of<T: Real>(&self, values: &[T], sample: &Sample) -> f64 {
        let (m, d) = (self.n_classes(), self.n_inputs());
        let piece = (PIECE / d.max(m)).max(1);
        let pieces = values.chunks(piece * d).enumerate().collect();
        let sums = parallel::map(pieces, |(i, values): (usize, &[T])| {
            let (mut x, mut z) = (vec![0.0; d], vec![0.0; m]);
            let (mut loss, mut mass) = (0.0, 0.0);
            for (row, values) in (i * piece..).zip(values.chunks_exact(d)) {
                let (Some(label), weight) = (sample.label(row), sample.weight(row)) else { continue };
                if weight > 0.0 {
                    self.logits(values, &mut x, &mut z);
                    let own = z[label];
                    let top = subtract_largest(&mut z);
                    exp_all(&mut z);
                    loss += weight * (top - own + z.iter().sum::<f64>().ln());
                    mass += weight;
                }
            }
            (loss, mass)
        });
        let (loss, mass) = sums.into_iter().fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
        loss / mass
    }
}

/// Subtracts the largest logit from all logits and returns it, so that the sum of exponentials is at least 1.
fn subtract_largest(logits: &mut [f64]) -> f64 {
    let top = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    for z in logits {
        *z -= top;
    }
    top
}
