//! Formulas of metrics: any text is refused with a column or evaluated; a formula that is made of the input gives the bits of
//! the reference evaluator of the library's tests.

use std::convert::Infallible;

use cwplugin::metric::Formula;
use cwplugin::{Confusion, Error, Metric as _};
use rand::TryRng;

use crate::Door;
use crate::bytes::Bytes;
use crate::corpus::joined;

#[path = "../../../crates/cwplugin/src/metric/formula/tests/reference.rs"]
mod reference;

use reference::{CLASSES, Written};

pub(super) const DOOR: Door =
    Door { name: "formulas", title: "formulas of metrics", longest: 4 << 10, check, seeds };

/// Input: whether the rest is text or makes a formula, the confusion matrix, the rest.
fn check(input: &[u8]) {
    let mut bytes = Bytes::new(input);
    let (is_text, m) = (bytes.byte() & 1 == 0, 1 + bytes.below(CLASSES.len()));
    let confusion = confusion(&mut bytes, m);
    let classes = CLASSES[..m].iter().map(ToString::to_string).collect::<Vec<_>>();
    if is_text {
        let Some(text) = bytes.text() else { return };
        match Formula::new(text, &classes) {
            Ok(formula) => {
                let score = formula.score(&confusion);
                assert!(score.is_finite() || score.is_nan(), "{text}: {score}");
                drop(formula.to_json());
                let again = Formula::of_metric(&formula, &classes).unwrap();
                assert!(is_same(again.score(&confusion), score), "{text}: {score}");
            }
            Err(Error::Formula { column, problem, .. }) => {
                assert!((1..=text.chars().count() + 1).contains(&column), "{text}: {column}: {problem}");
                assert!(!problem.to_string().contains('\n'), "{text}: {problem}");
            }
            Err(other) => panic!("{text}: {other}"),
        }
        return;
    }
    let mut choices = Choices(bytes);
    let written = Written::random(&mut choices, m);
    let text = written.text(&mut choices);
    let Ok(formula) = Formula::new(&text, &classes) else {
        // Random formulas are valid, but may be too long or too deep.
        return;
    };
    let (found, expected) = (formula.score(&confusion), written.score(&confusion));
    assert!(is_same(found, expected), "{text}: {found} {expected} on {confusion:?}");
}

/// Equality up to the sign of zero and the bits of NaN.
fn is_same(a: f64, b: f64) -> bool {
    (a + 0.0).to_bits() == (b + 0.0).to_bits() || (a.is_nan() && b.is_nan())
}

fn confusion(bytes: &mut Bytes<'_>, m: usize) -> Confusion {
    let mut confusion = Confusion::zeros(m);
    for (truth, predicted) in (0..m).flat_map(|i| (0..m).map(move |j| (i, j))) {
        match bytes.byte() {
            0 => {}
            byte => confusion.add(truth, predicted, f64::from(byte) / 4.0),
        }
    }
    confusion
}

/// The bytes of the input as the choices of a random generator.
struct Choices<'a>(Bytes<'a>);

impl TryRng for Choices<'_> {
    type Error = Infallible;

    /// A byte in the highest place, which decides a choice among a few.
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(u32::from(self.0.byte()) << 24)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(u64::from(self.0.byte()) << 56)
    }

    fn try_fill_bytes(&mut self, dst: &mut [u8]) -> Result<(), Infallible> {
        dst.fill_with(|| self.0.byte());
        Ok(())
    }
}

fn seeds() -> Vec<Vec<u8>> {
    let texts = [
        "tp[a]/(tp[a]+fp[a]+5*fn[a])",
        "mean(recall)",
        "x = sum(f1); y = x/m; if(y > 0.5, y, -sqrt(x))",
        "C[a,\"b-1\"]^2 + log(C[1,1]) * min(precision, 0.5, n)",
        "gmean(specificity) - abs(max(support - predicted))/n != 1e-3",
        "mean(exp(-tn))",
    ];
    let head = |kind: u8| joined(&[kind, 3], &(1..=16).collect::<Vec<u8>>());
    let mut seeds: Vec<Vec<u8>> = texts.iter().map(|text| joined(&head(0), text.as_bytes())).collect();
    // Choices that make large formulas.
    for step in 1..20_u8 {
        let choices: Vec<u8> =
            (0..60).map(|i: u8| i.wrapping_mul(37).wrapping_mul(step).wrapping_add(131)).collect();
        seeds.push(joined(&head(1), &choices));
    }
    seeds
}
