use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::error::Error;
use matrices::matrix;
use reference::{CLASSES, Written};

fn names(m: usize) -> Vec<String> {
    CLASSES[..m].iter().map(ToString::to_string).collect()
}

/// Equality up to the sign of zero and the bits of NaN.
fn same(a: f64, b: f64) -> bool {
    (a + 0.0).to_bits() == (b + 0.0).to_bits() || (a.is_nan() && b.is_nan())
}

/// Any text is either compiled and evaluated, or rejected with a valid column.
fn survives(text: &str) {
    match Formula::new(text, &names(3)) {
        Ok(formula) => {
            let mut rng = ChaCha8Rng::seed_from_u64(1);
            formula.score(&matrix(&mut rng, 3, true));
        }
        Err(Error::Formula { column, problem, .. }) => {
            assert!((1..=text.chars().count() + 1).contains(&column), "{text}: {column}: {problem}");
            assert!(!problem.to_string().contains('\n'), "{text}: {problem}");
        }
        Err(other) => panic!("{text}: {other}"),
    }
}

const PIECES: [&str; 40] = [
    "(", ")", "[", "]", ",", ";", "=", "==", "<", "<=", "!=", "+", "-", "*", "/", "^", "\"", "\\", " ", "\n",
    "é", "×", "𝔉", "\0", "1", "2.5", ".", "1e9", "e", "C", "tp", "recall", "n", "m", "mean(", "min(", "if(",
    "a", "b-1", "x0",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_program_gives_the_bits_of_the_reference_evaluator(seed in any::<u64>(), whole_counts in any::<bool>()) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let m = rng.random_range(1..=CLASSES.len());
        let written = Written::random(&mut rng, m);
        let text = written.text(&mut rng);
        let formula = Formula::new(&text, &names(m)).unwrap();
        for _ in 0..4 {
            let c = matrix(&mut rng, m, whole_counts);
            let (found, expected) = (formula.score(&c), written.score(&c));
            prop_assert!(same(found, expected), "{text}: {found} {expected} on {c:?}");
        }
    }

    #[test]
    fn a_formula_by_class_ignores_off_diagonal_cells(seed in any::<u64>()) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let written = Written::random(&mut rng, 3);
        let formula = Formula::new(&written.text(&mut rng), &names(3)).unwrap();
        let full = matrix(&mut rng, 3, true);
        let mut bare = full.clone();
        for (i, j) in [(0, 1), (1, 0)] {
            bare.set_cell(i, j, 1000.0);
        }
        if formula.is_by_class() {
            prop_assert!(same(formula.score(&full), formula.score(&bare)), "{}", formula.name());
        }
    }

    #[test]
    fn any_text_is_accepted_or_rejected(text in "\\PC{0,80}") {
        survives(&text);
    }

    #[test]
    fn any_order_of_pieces_is_accepted_or_rejected(pieces in proptest::collection::vec(0..PIECES.len(), 0..40)) {
        survives(&pieces.into_iter().map(|k| PIECES[k]).collect::<String>());
    }

    #[test]
    fn a_corrupted_formula_is_accepted_or_rejected(seed in any::<u64>()) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut text: Vec<char> = Written::random(&mut rng, 3).text(&mut rng).chars().collect();
        for _ in 0..rng.random_range(1..4) {
            let at = rng.random_range(0..text.len().max(1)).min(text.len());
            let piece: Vec<char> = PIECES[rng.random_range(0..PIECES.len())].chars().collect();
            let removed = rng.random_range(0..3).min(text.len() - at);
            text.splice(at..at + removed, piece);
        }
        survives(&text.into_iter().collect::<String>());
    }
}

#[test]
fn depth_and_length_do_not_exhaust_the_stack() {
    let body = || {
        for piece in
            PIECES.iter().chain(&["-(", "1^", "1+", "1<", "x=", "sqrt(", "2*(", "1^-", "if(1,", "C[a,"])
        {
            for times in [10, 64, 65, 1000, 4096, 100_000] {
                survives(&piece.repeat(times));
                survives(&format!("{}n", piece.repeat(times)));
            }
        }
        let nested =
            |open: &str, close: &str, times| format!("{}tp{}", open.repeat(times), close.repeat(times));
        for times in [63, 64] {
            survives(&nested("1+2*3^(", ")", times));
            survives(&nested("if(1<2+3*4,1,1-2*", ")", times));
            survives(&nested("mean(tp-", ")", times));
        }
    };
    let small = std::thread::Builder::new().stack_size(256 * 1024);
    small.spawn(body).unwrap().join().unwrap();
}
