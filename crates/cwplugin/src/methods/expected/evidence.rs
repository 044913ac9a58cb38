//! The labelled rows as input of a calibration map, and the map.

use super::prior::SlopeStructure;

/// The labelled rows as input of the calibration map.
#[derive(Debug, Clone)]
pub(super) struct Evidence {
    /// Log-probabilities, row by row.
    pub(super) logs: Vec<f64>,
    pub(super) labels: Vec<usize>,
    /// Row weights with mean 1.
    pub(super) weights: Vec<f64>,
    /// Mean log-probability of every class. The extra slopes act on the difference to it, so that they do not change the
    /// class shares.
    pub(super) centre: Vec<f64>,
    /// The logarithms of the class shares that the black box predicts, with mean 0.
    pub(super) shift: Vec<f64>,
}

impl Evidence {
    pub(super) fn new(logs: Vec<f64>, labels: Vec<usize>, weights: Vec<f64>, shift: Vec<f64>) -> Self {
        let m = logs.len() / labels.len().max(1);
        let total: f64 = weights.iter().sum();
        let mut centre = vec![0.0; m];
        for (row, weight) in logs.chunks_exact(m.max(1)).zip(&weights) {
            centre.iter_mut().zip(row).for_each(|(centre, log)| *centre += weight * log / total);
        }
        Self { logs, labels, weights, centre, shift }
    }

    pub(super) fn n_classes(&self) -> usize {
        self.centre.len()
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = (&[f64], usize, f64)> {
        let rows = self.logs.chunks_exact(self.n_classes()).zip(&self.labels).zip(&self.weights);
        rows.map(|((logs, &label), &weight)| (logs, label, weight))
    }

    /// The features of each class's logit; the first feature is the constant 1 and is not written.
    pub(super) fn fill_features(&self, structure: SlopeStructure, logs: &[f64], features: &mut [f64]) {
        let m = self.n_classes();
        let width = features.len() / m;
        for class in 0..m {
            let own = &mut features[class * width + 1..(class + 1) * width];
            match structure {
                SlopeStructure::Shared => {}
                SlopeStructure::PerClass => own[0] = logs[class] - self.centre[class],
                SlopeStructure::Matrix => {
                    let x = logs.iter().zip(&self.centre);
                    own.iter_mut().zip(x).for_each(|(own, (log, centre))| *own = log - centre);
                }
            }
        }
    }
}

/// The calibrated probabilities of a row, for parameters of any slope structure.
pub(super) fn apply<'q>(parameters: &[f64], logs: &[f64], centre: &[f64], q: &'q mut [f64]) -> &'q [f64] {
    let m = logs.len();
    let (biases, extra) = parameters[1..].split_at(m);
    let mut largest = f64::NEG_INFINITY;
    for (class, q) in q.iter_mut().enumerate() {
        let mut z = (1.0 + parameters[0]) * logs[class] + biases[class];
        if extra.len() == m {
            z += extra[class] * (logs[class] - centre[class]);
        } else if !extra.is_empty() {
            let row = extra[class * m..][..m].iter().zip(logs.iter().zip(centre));
            z += row.map(|(slope, (log, centre))| slope * (log - centre)).sum::<f64>();
        }
        *q = z;
        largest = largest.max(z);
    }
    for q in &mut *q {
        *q = (*q - largest).exp();
    }
    let sum: f64 = q.iter().sum();
    for q in &mut *q {
        *q /= sum;
    }
    q
}
