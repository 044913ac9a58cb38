//! One Python module.

use cwplugin::{AffineMap, MapInput, Mixture, MixtureStep, Model, Slope};

use crate::literal::{bracketed, list, matrix, number, python_text, row};
use crate::parts::{Map, map_of};
use crate::{Error, header};

/// The text of a Python module (3.8 or newer, standard library only) with `CLASSES`, `scores(row)`, `predict(row)` and
/// `predict_all(rows)`; the arithmetic is the library's, in its order.
///
/// # Errors
///
/// If the model holds a calibration that is newer than this crate.
pub fn python(model: &Model) -> Result<String, Error> {
    let features = model.rule().n_features();
    let (columns, what) = match features {
        Some(d) => (d, "features"),
        None => (model.classes().len(), "probabilities"),
    };
    let (needs, data, outlook) = match map_of(model)? {
        Map::Plain => ("", String::new(), OF_PLAIN.to_string()),
        Map::Affine(map) => ("import math\n\n", affine_data(map), affine(map)),
        Map::Votes(votes) => ("import math\n\n", votes_data(votes), OF_VOTES.to_string()),
    };
    let classes = bracketed(model.classes().iter().map(|class| python_text(class)));
    let weights = list(model.weights().as_slice());
    let header = header::comment(model, "#");
    Ok(format!(
        "\
{header}#
#     predict(row) gives the class of one row of {columns} {what}{order}.

{needs}CLASSES = {classes}
WEIGHTS = {weights}
{data}
{outlook}

def scores(row):
    \"\"\"What the largest is taken of, one number per class.\"\"\"
    row = [float(value) for value in row]
    if len(row) != {columns}:
        raise ValueError(f\"a row has to have {columns} {what}, not {{len(row)}}\")
    return [value * weight for value, weight in zip(outlook(row), WEIGHTS)]


def predict(row):
    \"\"\"The class of one row; the first of equal ones.\"\"\"
    best, largest = 0, -float(\"inf\")
    for k, score in enumerate(scores(row)):
        if score > largest:
            best, largest = k, score
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
    format!("SLOPES = {slopes}\nBIAS = {}\n{floor}", list(map.bias()))
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
    OF_MAP.replace("{x}", x).replace("{logits}", logits)
}

fn votes_data(votes: &Mixture) -> String {
    let step = |step: &MixtureStep| format!("({}, {})", number(step.share), row(&step.factors));
    let steps = matrix(votes.steps().iter().map(step));
    format!("STEPS = {steps}\n")
}

const OF_PLAIN: &str = r#"
def outlook(row):
    """What the weights are applied to: the probabilities as they are."""
    return row
"#;

/// The library's own exponential, so that the last digit is the same; `sum` would add up in another way.
const OF_MAP: &str = r#"# 1/13!, 1/12!, ... 1/0!
TERMS = [1.0]
for i in range(1, 14):
    TERMS.insert(0, TERMS[0] / i)


def total(values):
    """Their sum, one after the other."""
    result = 0.0
    for value in values:
        result += value
    return result


def exp(x):
    """The exponential of a number that is not above 0."""
    if x < -708.0:
        return 0.0
    n = x * 1.4426950408889634 + 6755399441055744.0 - 6755399441055744.0
    r = x - n * 0.6931471803691238 - n * 1.9082149292705877e-10
    result = 0.0
    for term in TERMS:
        result = result * r + term
    return math.ldexp(result, int(n))


def outlook(row):
    """What the weights are applied to: the softmax of slopes and biases."""
    x = {x}
    logits = {logits}
    top = max(logits)
    exponentials = [exp(value - top) for value in logits]
    sum_of_all = total(exponentials)
    return [value / sum_of_all for value in exponentials]
"#;

const OF_VOTES: &str = r#"
def outlook(row):
    """What the weights are applied to: the shares that the steps give to the class of their largest product."""
    shares = [0.0] * len(CLASSES)
    for share, factors in STEPS:
        best, largest = 0, -float("inf")
        for k, factor in enumerate(factors):
            if row[k] * factor > largest:
                best, largest = k, row[k] * factor
        shares[best] += share
    return [math.floor(value * 2.0**36 + 0.5) / 2.0**36 for value in shares]
"#;
