//! Bootstrap spread of the weights.

use cwplugin::methods::BaggedReport;
use cwplugin::{FitReport, Rule, quantile};

/// Fewer refits do not show a spread.
const FEWEST: usize = 5;

/// The central 95% of the refitted weights of every class, on the scale of the model's weights.
#[derive(Debug, Clone, PartialEq)]
pub struct Spread {
    /// Number of refits.
    pub(crate) refits: usize,
    /// The 2.5% quantile of every class.
    pub(crate) low: Vec<f64>,
    /// The 97.5% quantile of every class.
    pub(crate) high: Vec<f64>,
}

impl Spread {
    /// The spread of rules fitted on bootstrap samples, see [`cwplugin::Fit::bootstrap`]; `None` for fewer than five.
    pub fn of_refits(rules: &[Rule]) -> Option<Self> {
        let n_classes = rules.get(FEWEST - 1)?.n_classes();
        let (low, high) = (0..n_classes)
            .map(|class| {
                let mut weights: Vec<f64> =
                    rules.iter().map(|rule| rule.weights().as_slice()[class]).collect();
                weights.sort_by(f64::total_cmp);
                let at = |share| quantile(&weights, share).unwrap_or_default(); // there are at least five
                (at(0.025), at(0.975))
            })
            .unzip();
        Some(Self { refits: rules.len(), low, high })
    }

    /// The spread that `bagged` stored in the model file; `None` if it is for another number of classes, as files may be
    /// edited.
    pub fn of_report(report: &FitReport, n_classes: usize) -> Option<Self> {
        let bagged = report.details::<BaggedReport>().filter(|bagged| bagged.spread.len() == n_classes)?;
        let (low, high) = bagged.spread.iter().map(|class| (class.low, class.high)).unzip();
        Some(Self { refits: bagged.n_bootstrap, low, high })
    }

    /// Whether any two refits differ.
    pub(crate) fn is_wide(&self) -> bool {
        self.low.iter().zip(&self.high).any(|(low, high)| low < high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cwplugin::Weights;

    #[test]
    fn the_spread_is_the_central_95_percent() {
        let rules: Vec<Rule> = (0..=100)
            .map(|i| Weights::new(vec![f64::from(i), 100.0 - f64::from(i)]).unwrap().into())
            .collect();
        let spread = Spread::of_refits(&rules).unwrap();
        assert!((spread.low[0] - 0.025).abs() < 1e-12 && (spread.high[0] - 0.975).abs() < 1e-12);
        assert_eq!(spread.refits, 101);
        assert_eq!(Spread::of_refits(&rules[..4]), None);
        assert!(spread.is_wide() && !Spread::of_refits(&vec![rules[1].clone(); 9]).unwrap().is_wide());
    }
}
