//! One Rust file.

use cwplugin::rule::MixtureStep;
use cwplugin::{AffineMap, MapInput, Mixture, Model, Slope};

use crate::literal::{bracketed, list, matrix, number, row, rust_text};
use crate::parts::{Map, map_of};
use crate::{Error, header};

/// The text of a Rust file (edition 2018 or newer, standard library only) with `CLASSES`, `scores` and `predict`; the
/// same arithmetic in the same order as the library.
///
/// # Errors
///
/// If the calibration of the model is unknown to this crate.
pub fn rust(model: &Model) -> Result<String, Error> {
    let m = model.classes().len();
    let (columns, what) = match model.rule().n_features() {
        Some(d) => (d, "features"),
        None => (m, "probabilities"),
    };
    let (data, calibrated) = match map_of(model)? {
        Map::Identity => (String::new(), IDENTITY.to_string()),
        Map::Affine(map) => (affine_data(map), affine(map)),
        Map::Mixture(mixture) => (mixture_data(mixture), MIXTURE.to_string()),
    };
    let classes = bracketed(model.classes().iter().map(|class| rust_text(class)));
    let weights = list(model.weights().as_slice());
    let header = header::comment(model, "//");
    let order = if what == "features" { "" } else { ", in the order of CLASSES" };
    Ok(format!(
        "\
{header}//
//     CLASSES[predict(&row)] is the class of one row of {columns} {what}{order}.

/// The classes, in the order of the weights.
pub const CLASSES: [&str; {m}] = {classes};
const WEIGHTS: [f64; {m}] = {weights};
{data}{calibrated}
/// Calibrated probability times weight of every class.
fn products(row: &[f64; {columns}]) -> [f64; {m}] {{
    let mut products = calibrated(row);
    for (product, weight) in products.iter_mut().zip(WEIGHTS.iter()) {{
        *product *= weight;
    }}
    products
}}

/// The score of every class: products divided by their sum; all equal if the sum is 0.
pub fn scores(row: &[f64; {columns}]) -> [f64; {m}] {{
    let mut scores = products(row);
    let sum: f64 = scores.iter().sum();
    for score in &mut scores {{
        *score = if sum > 0.0 {{ *score / sum }} else {{ 1.0 / CLASSES.len() as f64 }};
    }}
    scores
}}

/// The index in CLASSES of the class with the largest product; ties go to the first class.
pub fn predict(row: &[f64; {columns}]) -> usize {{
    let (mut best, mut largest) = (0, f64::NEG_INFINITY);
    for (k, product) in products(row).iter().enumerate() {{
        if *product > largest {{
            best = k;
            largest = *product;
        }}
    }}
    best
}}
",
        calibrated = calibrated.replace("{columns}", &columns.to_string()).replace("{m}", &m.to_string()),
    ))
}

fn affine_data(map: &AffineMap) -> String {
    let (m, d) = (map.n_classes(), map.n_inputs());
    let floor = match map.input() {
        MapInput::LogProbability => format!("const FLOOR: f64 = {};\n", number(map.floor())),
        _ => String::new(),
    };
    let slopes = match map.slope() {
        Slope::Diagonal(slopes) => format!("const SLOPES: [f64; {m}] = {};\n", list(slopes)),
        Slope::Matrix(slopes) => {
            format!("const SLOPES: [[f64; {d}]; {m}] = {};\n", matrix(slopes.chunks(d.max(1)).map(row)))
        }
    };
    let tempering = map.tempering().map_or_else(String::new, |step| {
        let (slope, uniform) = (number(step.slope()), number(step.uniform()));
        format!("const TEMPERING_SLOPE: f64 = {slope};\nconst UNIFORM: f64 = {uniform};\n")
    });
    format!("{slopes}const BIAS: [f64; {m}] = {};\n{floor}{tempering}", list(map.bias()))
}

fn affine(map: &AffineMap) -> String {
    let x = match map.input() {
        MapInput::LogProbability => "row[i].max(FLOOR).ln()",
        MapInput::Probability | MapInput::Features => "row[i]",
    };
    let logit = match map.slope() {
        Slope::Diagonal(_) => "SLOPES[k] * x[k]",
        Slope::Matrix(_) => "SLOPES[k].iter().zip(x.iter()).fold(0.0, |sum, (slope, x)| sum + slope * x)",
    };
    let (call, step) =
        if map.tempering().is_some() { ("    let x = tempered(x);\n", TEMPERED) } else { ("", "") };
    AFFINE.replace("{tempered}", call).replace("{x}", x).replace("{logit}", logit) + step
}

fn mixture_data(mixture: &Mixture) -> String {
    let step = |step: &MixtureStep| format!("({}, {})", number(step.share), row(&step.factors));
    let steps = matrix(mixture.steps().iter().map(step));
    let (n, m) = (mixture.steps().len(), mixture.n_classes());
    format!("const STEPS: [(f64, [f64; {m}]); {n}] = {steps};\n")
}

const IDENTITY: &str = "
/// The probabilities, unchanged.
fn calibrated(row: &[f64; {columns}]) -> [f64; {m}] {
    *row
}
";

/// With the exponential of the library, so that results are equal to the last bit.
const AFFINE: &str = "
/// softmax(SLOPES * x + BIAS).
fn calibrated(row: &[f64; {columns}]) -> [f64; {m}] {
    let mut x = [0.0_f64; {columns}];
    for i in 0..{columns} {
        x[i] = {x};
    }
{tempered}    let mut q = [0.0_f64; {m}];
    for k in 0..{m} {
        q[k] = BIAS[k] + {logit};
    }
    let top = q.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    for q in &mut q {
        *q = exp(*q - top);
    }
    let sum: f64 = q.iter().sum();
    for q in &mut q {
        *q /= sum;
    }
    q
}

/// The exponential of x <= 0.
fn exp(x: f64) -> f64 {
    const ROUND: f64 = 6755399441055744.0;
    if x < -708.0 {
        return 0.0;
    }
    let rounded = x * std::f64::consts::LOG2_E + ROUND;
    let n = rounded - ROUND;
    let r = x - n * 0.6931471803691238 - n * 1.9082149292705877e-10;
    let mut terms = [1.0_f64; 14];
    for i in (1..14).rev() {
        terms[i - 1] = terms[i] / (14 - i) as f64;
    }
    let sum = terms[1..].iter().fold(terms[0], |sum, term| sum * r + term);
    sum * f64::from_bits(rounded.to_bits().wrapping_add(1023) << 52)
}
";

/// The temperature step before the map, in the order of the library.
const TEMPERED: &str = "
/// The logarithms after temperature scaling and mixing with the uniform distribution.
fn tempered(mut x: [f64; {columns}]) -> [f64; {columns}] {
    let top = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    for x in &mut x {
        *x = exp((*x - top) * TEMPERING_SLOPE);
    }
    let sum: f64 = x.iter().sum();
    let (kept, each) = (1.0 - UNIFORM, UNIFORM / {columns} as f64);
    for x in &mut x {
        *x = (kept * (*x / sum) + each).ln();
    }
    x
}
";

const MIXTURE: &str = "
/// The share of the steps in which each class has the largest product.
fn calibrated(row: &[f64; {columns}]) -> [f64; {m}] {
    let steps = (1_u64 << 36) as f64;
    let mut shares = [0.0; {m}];
    for (share, factors) in STEPS.iter() {
        let (mut best, mut largest) = (0, f64::NEG_INFINITY);
        for (k, factor) in factors.iter().enumerate() {
            if row[k] * factor > largest {
                best = k;
                largest = row[k] * factor;
            }
        }
        shares[best] += share;
    }
    for share in &mut shares {
        *share = (*share * steps).round() / steps;
    }
    shares
}
";
