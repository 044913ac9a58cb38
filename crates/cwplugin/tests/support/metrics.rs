//! Every metric of the catalogue, with parameters filled in.

use cwplugin::Metric;
use cwplugin::metric::{self, CATALOGUE, Cost, LinearFractional};

pub(crate) fn class_names(m: usize) -> Vec<String> {
    (0..m).map(|k| format!("c{k}")).collect()
}

/// One metric for each line of the catalogue; a line added there is tested here. Programs are the command line's.
pub(crate) fn every_metric(m: usize) -> Vec<Box<dyn Metric>> {
    let ours = CATALOGUE.iter().filter(|entry| !entry.name.starts_with("command"));
    ours.enumerate().map(|(i, entry)| filled_in(entry.name, i, m)).collect()
}

fn filled_in(pattern: &str, i: usize, m: usize) -> Box<dyn Metric> {
    if pattern.starts_with("cost:") {
        // Asymmetric; a right answer costs something too, but never more than a wrong one.
        let cost = |cell: usize| {
            let (truth, predicted) = (cell / m, cell % m);
            if truth == predicted {
                0.25 * truth as f64
            } else {
                1.0 + ((3 * truth + 5 * predicted) % 7) as f64
            }
        };
        return Box::new(Cost::new(pattern, (0..m * m).map(cost).collect(), m).unwrap());
    }
    if pattern.starts_with("linear-fractional:") {
        // Right answers of some classes are measured by less, and none lowers the ratio.
        let a = (0..m).map(|k| 1.0 + k as f64).collect();
        let c = (0..m).map(|k| -0.25 * (k % 3) as f64).collect();
        return Box::new(LinearFractional::new(pattern, a, 0.5, c, 1.5).unwrap());
    }
    let beta: Vec<String> = (0..m).map(|k| (k + 1).to_string()).collect();
    let name = pattern
        .replace("BETA", if i.is_multiple_of(2) { "2" } else { "0.5" })
        .replace("CLASS", &format!("c{}", i % m))
        .replace("B1,B2,…", &beta.join(","))
        .replace("FORMULA", "0.5*min(recall) + C[c0,c0]/n - 0.25*C[c0,c1]/n + gmean(precision)");
    metric::by_name(&name, &class_names(m)).unwrap()
}
