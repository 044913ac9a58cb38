//! How well expected shares predict counts: Pólya's urn.

/// The logarithm of the probability of counts under a Dirichlet-multinomial distribution, whose parameters are the expected
/// shares times `trust`.
pub(super) fn urn_evidence(counts: &[f64], expected: &[f64], trust: f64) -> f64 {
    let (n, sum): (f64, f64) = (counts.iter().sum(), expected.iter().sum());
    if sum <= 0.0 {
        return 0.0;
    }
    let of_class = |(count, expected): (&f64, &f64)| {
        let alpha = (trust * expected / sum).max(1e-12);
        if *count > 0.0 { ln_gamma(alpha + count) - ln_gamma(alpha) } else { 0.0 }
    };
    ln_gamma(trust) - ln_gamma(trust + n) + counts.iter().zip(expected).map(of_class).sum::<f64>()
}

/// The logarithm of the gamma function, by Stirling's series after a shift.
fn ln_gamma(x: f64) -> f64 {
    let (mut x, mut shift) = (x, 0.0);
    while x < 8.0 {
        shift -= x.ln();
        x += 1.0;
    }
    let square = 1.0 / (x * x);
    let series = (1.0 / 12.0 - square * (1.0 / 360.0 - square * (1.0 / 1260.0 - square / 1680.0))) / x;
    shift + (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gamma_function_of_whole_numbers_is_a_factorial() {
        let mut factorial = 0.0_f64;
        for n in 1..40_u32 {
            assert!((ln_gamma(f64::from(n)) - factorial).abs() < 1e-9 * (1.0 + factorial), "{n}");
            factorial += f64::from(n).ln();
        }
        assert!((ln_gamma(0.5) - 0.5 * std::f64::consts::PI.ln()).abs() < 1e-9);
    }

    /// Drawn one by one, each class with the probability of the urn as it is then.
    #[test]
    fn the_evidence_is_that_of_drawing_one_by_one() {
        let (expected, trust) = ([0.6, 0.3, 0.1], 5.0);
        let mut counts = [0.0; 3];
        let mut log = 0.0_f64;
        for class in [0, 2, 0, 1, 0, 2, 2] {
            let n: f64 = counts.iter().sum();
            log += ((trust * expected[class] + counts[class]) / (trust + n)).ln();
            counts[class] += 1.0;
        }
        assert!((urn_evidence(&counts, &expected.map(|share| 7.0 * share), trust) - log).abs() < 1e-9);
    }
}
