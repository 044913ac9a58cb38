//! One Python module.

use cwplugin::rule::MixtureStep;
use cwplugin::{AffineMap, MapInput, Mixture, Model, Slope};

use crate::literal::{bracketed, list, matrix, number, python_text, row};
use crate::parts::{Map, map_of};
use crate::{Error, header};

/// The text of a Python module (3.8 or newer, standard library only) with `CLASSES`, `scores(row)`, `predict(row)` and
/// `predict_all(rows)`; the same arithmetic in the same order as the library.
///
/// # Errors
///
/// If the calibration of the model is unknown to this crate.
pub fn python(model: &Model) -> Result<String, Error> {
    let features = model.rule().n_features();
    let (columns, what) = match features {
        Some(d) => (d, "features"),
        None => (model.classes().len(), "probabilities"),
    };
    let (imports, data, calibrated) = match map_of(model)? {
        Map::Identity => ("", String::new(), IDENTITY.to_string()),
        Map::Affine(map) => ("import math\n\n", affine_data(map), affine(map)),
        Map::Mixture(mixture) => ("import math\n\n", mixture_data(mixture), MIXTURE.to_string()),
    };
    let classes = bracketed(model.classes().iter().map(|class| python_text(class)));
    let weights = list(model.weights().as_slice());
    let header = header::comment(model, "#");
    Ok(format!(
        "\
{header}#
#     predict(row) gives the class of one row of {columns} {what}{order}.

{imports}CLASSES = {classes}
WEIGHTS = {weights}
{data}
{calibrated}

def total(values):
    \"\"\"The sum from left to right; the built-in sum rounds differently.\"\"\"
    result = 0.0
    for value in values:
        result += value
    return result


def products(row):
    \"\"\"Calibrated probability times weight of every class.\"\"\"
    row = [float(value) for value in row]
    if len(row) != {columns}:
        raise ValueError(f\"expected {columns} {what}, got {{len(row)}}\")
    return [value * weight for value, weight in zip(calibrated(row), WEIGHTS)]


def scores(row):
    \"\"\"The score of every class: products divided by their sum; all equal if the sum is 0.\"\"\"
    values = products(row)
    divisor = total(values)
    return [value / divisor if divisor > 0.0 else 1.0 / len(CLASSES) for value in values]


def predict(row):
    \"\"\"The class with the largest product; ties go to the first class.\"\"\"
    best, largest = 0, -float(\"inf\")
    for k, product in enumerate(products(row)):
        if product > largest:
            best, largest = k, product
    return CLASSES[best]


def predict_all(rows):
    \"\"\"The class of every row.\"\"\"
    return [predict(row) for row in rows]
",
        order = if features.is_some() { "" } else { ", in the order of CLASSES" },
    ))
}

fn affine_data(map: &AffineMap) -> String {
    let d = map.n_inputs();
    let slopes = match map.slope() {
        Slope::Diagonal(slopes) => list(slopes),
        Slope::Matrix(slopes) => matrix(slopes.chunks(d.max(1)).map(row)),
    };
    let floor = match map.input() {
        MapInput::LogProbability => format!("FLOOR = {}\n", number(map.floor())),
        _ => String::new(),
    };
    let tempering = map.tempering().map_or_else(String::new, |step| {
        format!("TEMPERING_SLOPE = {}\nUNIFORM = {}\n", number(step.slope()), number(step.uniform()))
    });
    format!("SLOPES = {slopes}\nBIAS = {}\n{floor}{tempering}", list(map.bias()))
}

fn affine(map: &AffineMap) -> String {
    let x = match map.input() {
        MapInput::LogProbability => "[math.log(max(value, FLOOR)) for value in row]",
        MapInput::Probability | MapInput::Features => "row",
    };
    let logits = match map.slope() {
        Slope::Diagonal(_) => "[bias + slope * value for bias, slope, value in zip(BIAS, SLOPES, x)]",
        Slope::Matrix(_) => {
            "[bias + total(slope * value for slope, value in zip(slopes, x)) for bias, slopes in zip(BIAS, SLOPES)]"
        }
    };
    let (step, x) = match map.tempering() {
        Some(_) => (TEMPERED, format!("tempered({x})")),
        None => ("", x.to_string()),
    };
    AFFINE.replace("{step}", step).replace("{x}", &x).replace("{logits}", logits)
}

fn mixture_data(mixture: &Mixture) -> String {
    let step = |step: &MixtureStep| format!("({}, {})", number(step.share), row(&step.factors));
    let steps = matrix(mixture.steps().iter().map(step));
    format!("STEPS = {steps}\n")
}

const IDENTITY: &str = r#"
def calibrated(row):
    """The probabilities, unchanged."""
    return row
"#;

/// With the exponential of the library, so that results are equal to the last bit.
const AFFINE: &str = r#"# 1/13!, 1/12!, ... 1/0!
TERMS = [1.0]
for i in range(1, 14):
    TERMS.insert(0, TERMS[0] / i)


def exp(x):
    """The exponential of x <= 0."""
    if x < -708.0:
        return 0.0
    n = x * 1.4426950408889634 + 6755399441055744.0 - 6755399441055744.0
    r = x - n * 0.6931471803691238 - n * 1.9082149292705877e-10
    result = 0.0
    for term in TERMS:
        result = result * r + term
    return math.ldexp(result, int(n))

{step}
def calibrated(row):
    """softmax(SLOPES * x + BIAS)."""
    x = {x}
    logits = {logits}
    top = max(logits)
    exponentials = [exp(value - top) for value in logits]
    divisor = total(exponentials)
    return [value / divisor for value in exponentials]
"#;

/// The temperature step before the map, in the order of the library.
const TEMPERED: &str = r#"
def tempered(x):
    """The logarithms after temperature scaling and mixing with the uniform distribution."""
    top = max(x)
    exponentials = [exp((value - top) * TEMPERING_SLOPE) for value in x]
    divisor = total(exponentials)
    kept, each = 1.0 - UNIFORM, UNIFORM / len(x)
    return [math.log(kept * (value / divisor) + each) for value in exponentials]

"#;

const MIXTURE: &str = r#"
def calibrated(row):
    """The share of the steps in which each class has the largest product."""
    shares = [0.0] * len(CLASSES)
    for share, factors in STEPS:
        best, largest = 0, -float("inf")
        for k, factor in enumerate(factors):
            if row[k] * factor > largest:
                best, largest = k, row[k] * factor
        shares[best] += share
    return [math.floor(value * 2.0**36 + 0.5) / 2.0**36 for value in shares]
"#;
