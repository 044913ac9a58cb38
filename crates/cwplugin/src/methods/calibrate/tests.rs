//! Properties of the problem and its optimum, on random rows.

use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;

use super::form::{Form, Slopes};
use super::newton::{Accuracy, minimise};
use super::softmax::{Penalty, Softmax};
use crate::numeric::solve::factor;
use crate::progress::Stage;

/// The data of a problem, and a point to evaluate it at.
#[derive(Debug)]
struct Setup {
    inputs: DMatrix<f64>,
    labels: Vec<u32>,
    weights: Vec<f64>,
    form: Form,
    penalty: Penalty,
    theta: DVector<f64>,
}

impl Setup {
    fn problem(&self) -> Softmax<'_> {
        let Self { inputs, labels, weights, form, penalty, .. } = self;
        Softmax { inputs, labels, weights, form, penalty: penalty.clone() }
    }

    /// The problem with these rows in this order.
    fn with_rows(&self, order: &[usize], share: f64) -> Self {
        Self {
            inputs: self.inputs.select_rows(order),
            labels: order.iter().map(|&row| self.labels[row]).collect(),
            weights: order.iter().map(|&row| self.weights[row] * share).collect(),
            form: self.form.clone(),
            penalty: self.penalty.clone(),
            theta: self.theta.clone(),
        }
    }
}

fn numbers(size: usize, range: std::ops::Range<f64>) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(range, size)
}

/// Every form, over some of the classes, including rows of weight 0; sometimes several blocks.
fn setups() -> impl Strategy<Value = Setup> {
    let slopes = prop::sample::select(vec![Slopes::Shared, Slopes::PerClass, Slopes::Matrix]);
    let classes = prop::sample::subsequence((0..5).collect::<Vec<usize>>(), 2..=5);
    let n = prop_oneof![8 => 1_usize..30, 2 => 120_usize..140, 1 => 510_usize..530];
    (slopes, any::<bool>(), classes, n).prop_flat_map(|(slopes, has_biases, present, n)| {
        let classes = present.len() as u32;
        let form = Form { slopes, has_biases, inputs: 5, present };
        let size = form.n_parameters();
        let weight = prop_oneof![1 => Just(0.0), 4 => 0.1..2.0];
        (
            numbers(n * 5, -3.0..3.0),
            prop::collection::vec(0..classes, n),
            prop::collection::vec(weight, n),
            (numbers(size, 0.01..1.0), numbers(size, -1.0..1.0), numbers(size, -1.0..1.0)),
        )
            .prop_map(move |(inputs, labels, weights, (strength, centre, theta))| {
                let mass: f64 = weights.iter().sum::<f64>().max(0.1);
                Setup {
                    inputs: DMatrix::from_row_slice(n, 5, &inputs),
                    labels,
                    weights: weights.iter().map(|w| w / mass).collect(),
                    form: form.clone(),
                    penalty: Penalty { strength: strength.into(), centre: centre.into() },
                    theta: theta.into(),
                }
            })
    })
}

fn gradient_of(problem: &Softmax<'_>, theta: &DVector<f64>) -> (f64, DVector<f64>) {
    let (value, gradient, _) = problem.derivatives(theta, 0);
    (value, gradient)
}

/// The full Hessian from its lower triangle.
fn hessian_of(problem: &Softmax<'_>, theta: &DVector<f64>) -> DMatrix<f64> {
    let (_, _, own) = problem.derivatives(theta, usize::MAX);
    let lower = own.unwrap_or_else(|| problem.matrix_hessian(theta));
    DMatrix::from_fn(lower.nrows(), lower.ncols(), |i, j| lower[(i.max(j), i.min(j))])
}

/// The value from the formula.
fn plain_value(setup: &Setup, theta: &DVector<f64>) -> f64 {
    let form = &setup.form;
    let (slopes, biases) = theta.as_slice().split_at(form.n_slopes());
    let mut value = 0.0;
    for (i, &label) in setup.labels.iter().enumerate() {
        let logit = |j: usize| {
            let own = setup.inputs[(i, form.present[j])];
            let bias = biases.get(j).copied().unwrap_or(0.0);
            bias + match form.slopes {
                Slopes::Shared => slopes[0] * own,
                Slopes::PerClass => slopes[j] * own,
                Slopes::Matrix => (0..5).map(|q| slopes[j * 5 + q] * setup.inputs[(i, q)]).sum(),
            }
        };
        let sum: f64 = (0..form.classes()).map(|j| logit(j).exp()).sum();
        value += setup.weights[i] * (sum.ln() - logit(label as usize));
    }
    for p in 0..theta.len() {
        value += setup.penalty.strength[p] * (theta[p] - setup.penalty.centre[p]).powi(2);
    }
    value
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn value_is_the_formula(setup in setups()) {
        let (value, _) = gradient_of(&setup.problem(), &setup.theta);
        prop_assert!((value - plain_value(&setup, &setup.theta)).abs() <= 1e-11 * value.abs().max(1.0));
        let loss = setup.problem().loss(&setup.theta);
        prop_assert!((value - loss - setup.penalty.value(&setup.theta)).abs() <= 1e-12 * value.max(1.0));
    }

    #[test]
    fn gradient_and_hessian_are_those_of_finite_differences(setup in setups()) {
        let problem = setup.problem();
        let (_, gradient) = gradient_of(&problem, &setup.theta);
        let hessian = hessian_of(&problem, &setup.theta);
        let h = 1e-5;
        for p in 0..setup.theta.len() {
            let at = |sign: f64| {
                let mut theta = setup.theta.clone();
                theta[p] += sign * h;
                gradient_of(&problem, &theta)
            };
            let ((above, gradient_above), (below, gradient_below)) = (at(1.0), at(-1.0));
            prop_assert!(((above - below) / (2.0 * h) - gradient[p]).abs() < 1e-7);
            let column = (gradient_above - gradient_below) / (2.0 * h);
            prop_assert!((column - hessian.column(p)).amax() < 1e-6);
        }
    }

    #[test]
    fn the_product_without_a_matrix_is_that_with_it(setup in setups()) {
        let problem = setup.problem();
        let hessian = hessian_of(&problem, &setup.theta);
        let p = problem.probabilities(&setup.theta);
        let product = problem.hessian_times(&p, &setup.penalty.centre);
        prop_assert!((product - hessian * &setup.penalty.centre).amax() < 1e-11);
    }

    #[test]
    fn the_optimum_is_stationary_and_a_local_minimum(setup in setups()) {
        let problem = setup.problem();
        let optimum = minimise(&problem, setup.theta.clone(), Accuracy::Full, &Stage::default());
        prop_assert!(optimum.converged);
        prop_assert!(gradient_of(&problem, &optimum.parameters).1.amax() < 1e-9);
        prop_assert!(optimum.value <= gradient_of(&problem, &setup.penalty.centre).0 + 1e-12);
        prop_assert!(optimum.value <= gradient_of(&problem, &setup.theta).0 + 1e-12);
    }

    #[test]
    fn the_order_of_the_rows_does_not_matter(setup in setups(), step in 1_usize..1000) {
        let n = setup.labels.len();
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by_key(|row| (row * step) % 1009);
        let other = setup.with_rows(&order, 1.0);
        let one = minimise(&setup.problem(), setup.theta.clone(), Accuracy::Full, &Stage::default());
        let other = minimise(&other.problem(), setup.theta.clone(), Accuracy::Full, &Stage::default());
        prop_assert!((one.parameters - other.parameters).amax() < 1e-8);
    }

    #[test]
    fn a_row_of_twice_the_weight_is_a_row_twice(setup in setups()) {
        let n = setup.labels.len();
        let twice: Vec<usize> = (0..n).chain(0..n).collect();
        let once = minimise(&setup.problem(), setup.theta.clone(), Accuracy::Full, &Stage::default());
        let twice = minimise(&setup.with_rows(&twice, 0.5).problem(), setup.theta.clone(), Accuracy::Full, &Stage::default());
        prop_assert!((once.parameters - twice.parameters).amax() < 1e-8);
    }
}

/// With too many parameters for a dense matrix, conjugate gradients find the same optimum.
#[test]
fn many_parameters_have_the_same_optimum() {
    let (n, classes, inputs) = (40, 7, 100);
    let noise = |i: usize, j: usize| ((i * 7919 + j * 104_729 + i * j * 31) % 1000) as f64 / 500.0 - 1.0;
    let x = DMatrix::from_fn(n, inputs, noise);
    let form = Form { slopes: Slopes::Matrix, has_biases: true, inputs, present: (0..classes).collect() };
    let size = form.n_parameters();
    let labels: Vec<u32> = (0..n).map(|i| (i % classes) as u32).collect();
    let weights = vec![1.0 / n as f64; n];
    let penalty = Penalty { strength: DVector::from_element(size, 1e-3), centre: DVector::zeros(size) };
    let problem = Softmax { inputs: &x, labels: &labels, weights: &weights, form: &form, penalty };
    let optimum = minimise(&problem, DVector::zeros(size), Accuracy::Full, &Stage::default());
    assert!(size > 600 && optimum.converged);
    // The decrease that a Newton step with the dense matrix would still give.
    let gradient = gradient_of(&problem, &optimum.parameters).1;
    assert!(gradient.amax() < 1e-9);
    let step = factor(&hessian_of(&problem, &optimum.parameters)).solve(&gradient);
    assert!(gradient.dot(&step) < 1e-12 && step.amax() < 1e-6, "{} {}", gradient.dot(&step), step.amax());
}
