use super::*;
use crate::metric::LinearDiagonal;
use proptest::prelude::*;

fn made(a: &[f64], b: f64, c: &[f64], d: f64) -> Result<LinearFractional, Error> {
    LinearFractional::new("linear-fractional:x.json", a.to_vec(), b, c.to_vec(), d)
}

#[test]
fn worked_by_hand_on_an_asymmetric_matrix() {
    let c = Confusion::from_rows(&[[6.0, 3.0, 1.0], [0.0, 4.0, 0.0], [2.0, 0.0, 0.0]]);
    let metric = made(&[1.0, 2.0, 8.0], 0.5, &[0.5, -0.25, 4.0], 1.0).unwrap();
    let expected = (6.0 + 2.0 * 4.0 + 0.5 * 16.0) / (0.5 * 6.0 - 0.25 * 4.0 + 16.0);
    assert!((metric.score(&c) - expected).abs() < 1e-15);
    assert!(metric.score(&Confusion::zeros(3)).abs() < 1e-15);
}

#[test]
fn a_pair_has_shares_of_its_own_rows_and_its_own_coefficients() {
    let mut pair = Confusion::pair(2, 0);
    pair.set_pair([1.0, 2.0], [4.0, 5.0]); // 1 of 4 rows of class 2 and 3 of 5 rows of class 0 are correct
    let metric = made(&[1.0, 9.0, 2.0], 0.25, &[-0.5, 9.0, 0.0], 1.0).unwrap();
    let expected = (2.0 / 9.0 + 3.0 / 9.0 + 0.25) / (1.0 - 0.5 * 3.0 / 9.0);
    assert!((metric.score(&pair) - expected).abs() < 1e-15);
}

#[test]
fn denominators_that_can_be_zero_and_invalid_numbers_are_rejected() {
    for (a, b, c, d) in [
        (vec![1.0, 1.0], 0.0, vec![0.0, 0.0], 0.0),
        (vec![1.0, 1.0], 0.0, vec![1.0, 1.0], 0.0), // zero if no row is correct
        (vec![1.0, 1.0], 0.0, vec![-1.0, 0.0], 1.0),
        (vec![1.0, 1.0], 0.0, vec![-1.0, 0.0], 1.0 + 1e-13),
        (vec![1.0, 1.0], 0.0, vec![0.0, -3.0], 2.0),
        (vec![1.0, 1.0], 0.0, vec![1.0, 1.0], -1.0),
        (vec![1.0], 0.0, vec![1.0, 1.0], 1.0),
        (vec![], 0.0, vec![], 1.0),
        (vec![f64::NAN, 1.0], 0.0, vec![1.0, 1.0], 1.0),
        (vec![1.0, 1.0], f64::INFINITY, vec![1.0, 1.0], 1.0),
        (vec![1.0, 1.0], 0.0, vec![1e101, 1.0], 1.0),
        (vec![1.0, 1.0], 0.0, vec![1.0, 1.0], f64::NAN),
    ] {
        assert!(made(&a, b, &c, d).is_err(), "{a:?} {b} {c:?} {d}");
    }
    assert!(made(&[1.0, 1.0], 0.0, &[-1.0, 0.0], 1.001).is_ok());
}

#[test]
fn it_is_quasi_concave_if_no_correct_row_lowers_it() {
    for (a, b, c, d, rises) in [
        (vec![1.0, 1.0], 0.0, vec![-1.0, -1.0], 2.0, true),
        (vec![1.0, 0.0], 0.0, vec![0.0, 1.0], 1.0, false), // the second class only increases the denominator
        (vec![0.0, 0.0], 1.0, vec![-0.5, -0.5], 1.0, true),
        (vec![0.0, 0.0], -1.0, vec![-0.5, -0.5], 1.0, false),
        (vec![-1.0, 1.0], 0.0, vec![0.0, 0.0], 1.0, false),
        (vec![0.3, 0.3], 3.0, vec![0.1, 0.1], 1.0, true), // 3 everywhere, up to rounding
        (vec![2.0, 0.0], 0.0, vec![1.0, -1.0], 1.5, true), // F1 of one of two classes, smoothed
    ] {
        let metric = made(&a, b, &c, d).unwrap();
        assert_eq!(metric.is_quasi_concave(), rises, "{a:?} {b} {c:?} {d}");
        assert_eq!(metric.is_monotone(), rises && metric.is_well_conditioned);
    }
    let steep = made(&[1e7, 1.0], 0.0, &[0.0, 0.0], 1.0).unwrap();
    assert!(steep.is_quasi_concave() && !steep.is_monotone() && !steep.is_monotone_by_class());
}

fn coefficients() -> impl Strategy<Value = (Vec<f64>, f64, Vec<f64>, f64)> {
    let small = || (-8..=8_i32).prop_map(|number| f64::from(number) / 4.0);
    let class = || (small(), small());
    (proptest::collection::vec(class(), 2..5), small(), small()).prop_map(|(classes, b, d)| {
        let (a, c) = classes.into_iter().unzip();
        (a, b, c, d)
    })
}

fn pair(classes: [usize; 2], right: [f64; 2], totals: [f64; 2]) -> Confusion {
    let mut pair = Confusion::pair(classes[0], classes[1]);
    pair.set_pair([right[0], totals[1] - right[1]], totals);
    pair
}

proptest! {
    #[test]
    fn without_a_denominator_it_is_linear_diagonal(
        beta in proptest::collection::vec(0.125..4.0_f64, 3),
        cells in proptest::collection::vec(0..9_u32, 9),
    ) {
        let sum: f64 = beta.iter().sum();
        let beta: Vec<f64> = beta.into_iter().map(|b| b / sum).collect();
        let ratio = made(&beta, 0.0, &[0.0; 3], 1.0).unwrap();
        let linear = LinearDiagonal::new(beta).unwrap();
        let c = Confusion::from_cells(3, |i, j| f64::from(cells[3 * i + j]));
        prop_assert!((ratio.score(&c) - linear.score(&c)).abs() < 1e-14);
        prop_assert!(ratio.is_quasi_concave() && ratio.is_monotone_by_class());
    }

    #[test]
    fn accepted_metrics_have_positive_denominators_and_finite_scores(
        (a, b, c, d) in coefficients(),
        cells in proptest::collection::vec(0..9_u32, 16),
    ) {
        let m = a.len();
        let least = least_denominator(&c, d);
        let metric = made(&a, b, &c, d);
        prop_assert_eq!(metric.is_ok(), least > 0.0);
        let confusion = Confusion::from_cells(m, |i, j| f64::from(cells[m * i + j]));
        let n = confusion.total();
        if let (Ok(metric), true) = (metric, n > 0.0) {
            let below: f64 = c.iter().zip(confusion.per_class()).map(|(c, k)| c * k.correct / n).sum();
            prop_assert!(below + d >= least - 1e-12);
            prop_assert!(metric.score(&confusion).is_finite());
        }
    }

    /// Both directions: a quasi-concave metric never falls with a diagonal cell, and any other one falls on some pair.
    #[test]
    fn it_is_quasi_concave_exactly_if_no_correct_row_lowers_it((a, b, c, d) in coefficients()) {
        let Ok(metric) = made(&a, b, &c, d) else { return Ok(()) };
        let mut falls = false;
        for (k, r) in (0..a.len()).flat_map(|k| (0..a.len()).map(move |r| (k, r))).filter(|(k, r)| k != r) {
            for (t, u) in [(1.0, 999.0), (500.0, 500.0), (999.0, 1.0)] {
                for (x, y) in [(0.0, 0.0), (t - 1.0, 0.0), (0.0, u), (t - 1.0, u)] {
                    let score = |right| metric.score(&pair([k, r], right, [t, u]));
                    falls |= score([x + 1.0, y]) < score([x, y]) - 1e-12;
                }
            }
        }
        prop_assert_eq!(metric.is_quasi_concave(), !falls);
    }

    /// A concave path: correct rows of the class are gained fast, then slowly; those of the reference are lost slowly, then
    /// fast.
    #[test]
    fn along_a_concave_path_it_has_one_peak(
        (a, b, c, d) in coefficients(),
        mut steps in proptest::collection::vec((0..5_u32, 1..5_u32), 2..12),
    ) {
        let Ok(metric) = made(&a, b, &c, d) else { return Ok(()) };
        if metric.is_quasi_concave() {
            steps.sort_by(|x, y| (y.0 * x.1).cmp(&(x.0 * y.1)));
            let totals = steps.iter().fold([1.0, 1.0], |[t, u], &(gain, loss)| {
                [t + f64::from(gain), u + f64::from(loss)]
            });
            let mut right = [0.0, totals[1]];
            let mut scores = vec![metric.score(&pair([1, 0], right, totals))];
            for &(gain, loss) in &steps {
                right = [right[0] + f64::from(gain), right[1] - f64::from(loss)];
                scores.push(metric.score(&pair([1, 0], right, totals)));
            }
            let peak = (0..scores.len()).fold(0, |best, i| if scores[i] > scores[best] { i } else { best });
            prop_assert!(scores[..=peak].windows(2).all(|w| w[0] <= w[1] + 1e-12), "{:?}", scores);
            prop_assert!(scores[peak..].windows(2).all(|w| w[0] + 1e-12 >= w[1]), "{:?}", scores);
        }
    }
}
