use super::*;
use crate::error::Error;

/// The column and the message of the error.
fn error_of(text: &str) -> (usize, String) {
    match Formula::new(text, &classes()) {
        Err(Error::Formula { formula, column, problem }) => {
            assert_eq!(formula, text);
            (column, problem.to_string())
        }
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn every_problem_has_its_column_and_message() {
    let operand = "expected a number, a name or \"(\"";
    for (text, column, says) in [
        ("", 1, "the formula is empty".to_string()),
        (" \t\n", 1, "the formula is empty".into()),
        ("1 +", 4, format!("found the end, {operand}")),
        ("1 + * 2", 5, format!("found \"*\", {operand}")),
        ("(1 + 2", 7, "found the end, expected an operator or \")\"".into()),
        ("1 + 2)", 6, "found \")\", expected an operator or the end".into()),
        ("2 tp[a]", 3, "found \"tp\", expected an operator or the end".into()),
        ("1;", 2, "found \";\", expected the end; only a definition, NAME = …, ends with \";\"".into()),
        (
            "tp[a] = 1",
            7,
            "found \"=\", expected \"==\" to compare; definitions, NAME = …;, come first".into(),
        ),
        ("2 × n", 3, "found \"×\", expected an operator or the end".into()),
        ("tp[\"é\"] + 1", 4, "unknown class \"é\"".into()),
        ("é + 1", 1, "unknown name \"é\"".into()),
        ("tp[a] * é2", 9, "unknown name \"é2\"".into()),
        ("1 \u{1b}", 3, "found \"\\u{1b}\", expected an operator or the end".into()),
        ("1e999", 1, "number 1e999 is too large".into()),
        ("mean(recal)", 6, "unknown name \"recal\"".into()),
        ("avg(recall)", 1, "unknown function \"avg\"".into()),
        ("1 + tp(a)", 5, "unknown function \"tp\"".into()),
        ("tp[spam]", 4, "unknown class \"spam\"".into()),
        ("C[a,d]", 5, "unknown class \"d\"".into()),
        ("tp[a", 5, "found the end, expected \"]\": one class".into()),
        ("tp[a,b]", 5, "found \",\", expected \"]\": one class".into()),
        (
            "tp[]",
            4,
            "found \"]\", expected a class; put a name with characters other than letters, digits, _ - . in double quotes".into(),
        ),
        ("tp[a+1]", 5, "found \"+\", expected \"]\": one class".into()),
        ("tp[a b]", 6, "found \"b\", expected \"]\": one class".into()),
        ("C[a]", 4, "found \"]\", expected \",\" and the predicted class".into()),
        ("C[a,b,c]", 6, "found \",\", expected \"]\": two classes".into()),
        ("C + 1", 3, "found \"+\", expected C[TRUTH,PREDICTED], one cell".into()),
        ("C", 2, "found the end, expected C[TRUTH,PREDICTED], one cell".into()),
        ("tp[\"a]", 4, "unclosed quote".into()),
        ("tp[\"a\\", 4, "unclosed quote".into()),
        ("tp[\"a\\n\"]", 6, "unknown escape; only \\\" and \\\\ are supported".into()),
        ("n[a]", 2, "\"n\" cannot be indexed by class".into()),
        ("x = tp; sum(x[a])", 14, "\"x\" cannot be indexed by class".into()),
        ("mean", 5, "found the end, expected \"(\" after a function".into()),
        ("mean[a]", 5, "found \"[\", expected \"(\" after a function".into()),
        ("mean()", 1, "mean takes 1 argument, found 0".into()),
        ("1 + sqrt(1,2)", 5, "sqrt takes 1 argument, found 2".into()),
        ("mean(tp,fp)", 1, "mean takes 1 argument, found 2".into()),
        ("if(1,2)", 1, "if takes 3 arguments, if(CONDITION,THEN,ELSE), found 2".into()),
        ("min()", 1, "min takes 1 argument or more, found 0".into()),
        ("min(1,)", 7, format!("found \")\", {operand}")),
        ("min(1 2)", 7, "found \"2\", expected an operator, \",\" or \")\"".into()),
        ("tp = 5; n", 1, "\"tp\" is a built-in name and cannot be redefined".into()),
        ("x = 5; mean = 2; n", 8, "\"mean\" is a built-in name and cannot be redefined".into()),
        ("C = 5; n", 1, "\"C\" is a built-in name and cannot be redefined".into()),
        ("x = 1; x = 2; x", 8, "\"x\" is defined twice".into()),
        ("x = x + 1; x", 5, "unknown name \"x\"".into()),
        ("x = 1", 6, "found the end, expected an operator or \";\" after the definition".into()),
        ("x = 1;", 7, "found the end, expected a formula after the definitions".into()),
        ("x = 1 y = 2; x", 7, "found \"y\", expected an operator or \";\" after the definition".into()),
        ("0 < n < 9", 7, "comparisons cannot be chained; use parentheses".into()),
        ("2 * recall", 5, NOT_A_SCALAR.into()),
        ("x = tp / n; 1 + x", 17, NOT_A_SCALAR.into()),
        ("min(precision, mean(recall))", 5, NOT_A_SCALAR.into()),
        ("if(n > 1, 1, tp)", 14, NOT_A_SCALAR.into()),
    ] {
        assert_eq!(error_of(text), (column, says), "{text}");
    }
}

const NOT_A_SCALAR: &str =
    "this is one number per class, but a score is one number; write mean(…), min(…) or another reduction";

#[test]
fn formulas_that_are_too_long_deep_or_large_are_rejected() {
    let long = format!("1{}", "+1".repeat(2048));
    assert_eq!(error_of(&long), (4097, "the formula has 4097 characters, more than 4096".into()));
    assert!(Formula::new(&long[2..], &classes()).is_ok(), "2048 terms are not deep");

    let deep = |n: usize| format!("{}n{}", "(".repeat(n), ")".repeat(n));
    assert!(Formula::new(&deep(64), &classes()).is_ok());
    assert_eq!(error_of(&deep(65)), (65, "nested more than 64 levels deep".into()));
    for (text, column) in [("-".repeat(4000), 65), ("2^".repeat(2000), 130), ("sqrt(".repeat(800), 321)] {
        assert_eq!(error_of(&text), (column, "nested more than 64 levels deep".into()), "{}", &text[..9]);
    }

    let reductions = (0..511).map(|_| "sum(tp)").collect::<Vec<_>>().join("+");
    assert!(error_of(&reductions).1.starts_with("the formula is too large: more than 512 stored numbers"));
    // Each binding doubles the expanded size of the previous one; the program must not grow with it.
    let doubled: Vec<String> = (1..200).map(|k| format!("x{k}=x{}+x{};", k - 1, k - 1)).collect();
    let doubled = format!("x0=tp;{}", doubled.concat());
    assert!(Formula::new(&format!("{doubled}sum(x199)"), &classes()).is_ok());
    let often = vec!["sum(x199)"; 60].join("+");
    assert!(
        error_of(&format!("{doubled}{often}"))
            .1
            .starts_with("the formula is too large: more than 8192 steps")
    );
}

#[test]
fn the_error_is_one_line() {
    let error = Formula::new("mean(recal)", &classes()).unwrap_err();
    assert_eq!(error.to_string(), "formula, column 6: unknown name \"recal\"");
}
