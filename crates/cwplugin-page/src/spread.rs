//! How far other labels would have moved the weights.

use cwplugin::methods::BaggedReport;
use cwplugin::{FitReport, Rule};

/// Fewer refits say nothing about a spread.
const FEWEST: usize = 5;

/// Where 95 % of the refits are, class by class, on the scale of the model's weights.
#[derive(Debug, Clone, PartialEq)]
pub struct Spread {
    /// Refits.
    pub(crate) refits: usize,
    /// From here …
    pub(crate) low: Vec<f64>,
    /// … to here.
    pub(crate) high: Vec<f64>,
}

impl Spread {
    /// Of rules that were fitted on bootstrap samples, see [`cwplugin::Fit::bootstrap`]; `None` of fewer than five.
    pub fn of_refits(rules: &[Rule]) -> Option<Self> {
        let n_classes = rules.get(FEWEST - 1)?.n_classes();
        let (low, high) = (0..n_classes)
            .map(|class| {
                let mut weights: Vec<f64> =
                    rules.iter().map(|rule| rule.weights().as_slice()[class]).collect();
                weights.sort_by(f64::total_cmp);
                (quantile(&weights, 0.025), quantile(&weights, 0.975))
            })
            .unzip();
        Some(Self { refits: rules.len(), low, high })
    }

    /// Of the refits of `bagged`, which the model file holds; the file may come from anybody, so the number of classes is
    /// checked.
    pub fn of_report(report: &FitReport, n_classes: usize) -> Option<Self> {
        let bagged = report.details::<BaggedReport>().filter(|bagged| bagged.spread.len() == n_classes)?;
        let (low, high) = bagged.spread.iter().map(|class| (class.low, class.high)).unzip();
        Some(Self { refits: bagged.n_bootstrap, low, high })
    }

    /// Whether the refits differ at all.
    pub(crate) fn is_wide(&self) -> bool {
        self.low.iter().zip(&self.high).any(|(low, high)| low < high)
    }
}

/// A quantile of sorted numbers, between the two that are nearest.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    below + (above - below) * place.fract()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cwplugin::Weights;

    #[test]
    fn the_spread_leaves_out_the_outermost() {
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
