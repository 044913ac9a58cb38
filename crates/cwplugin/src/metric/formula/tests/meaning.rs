use super::*;

#[track_caller]
fn means(text: &str, expected: f64) {
    assert_eq!(value(text).to_bits(), expected.to_bits(), "{text} = {}", value(text));
}

#[test]
fn operators_have_the_usual_precedence() {
    for (text, expected) in [
        ("1+2*3", 7.0),
        ("(1+2)*3", 9.0),
        ("10-4-3", 3.0),
        ("24/4/2", 3.0),
        ("2^3^2", 512.0),
        ("-2^2", -4.0),
        ("2^-2", 0.25),
        ("2^-1*4", 2.0),
        ("2*-3", -6.0),
        ("- -3", 3.0),
        ("1--3", 4.0),
        ("1+2 < 2*2", 1.0),
        ("(1 < 2) + (2 <= 2) + (3 > 3) + (3 >= 3) + (1 == 1) + (1 != 1)", 4.0),
        (".5 + 1e-1 + 5.", 5.6),
        ("if(0, 1, 2) + 10*if(-1, 1, 2)", 12.0),
        ("abs(-3) + sqrt(4) + exp(0) + log(1)", 6.0),
    ] {
        means(text, expected);
    }
}

#[test]
fn values_per_class_are_by_truth_and_prediction() {
    for (text, expected) in [
        ("C[a,b]", 3.0),
        ("C[b,a]", 0.0),
        ("C[ \"c\" , a ]", 2.0),
        ("tp[a]", 6.0),
        ("fp[a]", 2.0),
        ("fn[a]", 4.0),
        ("tn[a]", 8.0),
        ("support[a]", 10.0),
        ("predicted[a]", 8.0),
        ("precision[a]", 6.0 / 8.0),
        ("recall[a]", 6.0 / 10.0),
        ("f1[a]", 12.0 / 18.0),
        ("specificity[a]", 8.0 / 10.0),
        ("n", 20.0),
        ("m", 3.0),
    ] {
        means(text, expected);
    }
}

#[test]
fn reductions_are_over_classes_and_keep_scalars() {
    for (text, expected) in [
        ("sum(tp)", 13.0),
        ("mean(tp)", 13.0 / 3.0),
        ("min(tp)", 3.0),
        ("max(tp)", 6.0),
        ("min(tp[a], tp[b], 5)", 4.0),
        ("max(min(fp, fn))", 2.0),
        ("sum(min(tp, 4))", 11.0),
        ("sum(tp - mean(support) > 0)", 0.0),
        ("sum((tp - min(tp)) * max(fp))", 12.0),
        ("cost=5; sum(C[a,b]*cost)", 15.0),
        ("mean(7) + min(7) + max(7) + gmean(7)", 28.0),
        ("gmean(-7)", 0.0),
        ("half = 1/2; mid = half*fp + half*fn; worst = max(mid); worst - min(mid)", 1.0),
        ("sum(1)", 1.0),
        ("sum(tp*0+1)", 3.0),
    ] {
        means(text, expected);
    }
}

#[test]
fn edge_cases_follow_the_documentation() {
    for (text, expected) in [
        ("1/0", 0.0),
        ("0/0", 0.0),
        ("1/-2", -0.5),
        ("sqrt(-4)", 0.0),
        ("log(0)", f64::MIN_POSITIVE.ln()),
        ("log(-1)", f64::MIN_POSITIVE.ln()),
        ("gmean(fn)", f64::exp((4f64.ln() + 1f64.ln() + 2f64.ln()) / 3.0)),
        ("gmean(tp-4)", 0.0),
        ("gmean(C[b,a]*tp)", 0.0),
        ("-C[b,a]", 0.0),
        ("if(n > 1000, exp(n^3), 1)", 1.0),
    ] {
        means(text, expected);
    }
    for text in [
        "exp(1000)",
        "1/exp(1000)",
        "(-2)^0.5",
        "0^-1",
        "1^exp(1000)",
        "exp(1000)^0",
        "exp(1000)/0",
        "min(1, exp(1000))",
        "exp(1000) > 1",
        "if(exp(1000), 1, 1)",
        "max(exp(1000)*tp)",
        "gmean((tp-6)*exp(1000)*0 + tp-3)",
        "1e308*10",
        "sqrt((-2)^0.5)",
        "log((-2)^0.5)",
    ] {
        assert!(value(text).is_nan(), "{text}");
    }
}

#[test]
fn an_empty_matrix_scores_zero_and_a_pair_has_two_classes() {
    assert_eq!(formula("1 + n").score(&Confusion::zeros(3)).to_bits(), 0);
    let mut pair = Confusion::pair(2, 0); // c against a
    pair.set_pair([1.0, 2.0], [4.0, 5.0]);
    for (text, expected) in [
        ("C[c,c]", 1.0),
        ("C[c,a]", 3.0),
        ("C[a,c]", 2.0),
        ("tp[b] + fp[b] + fn[b] + tn[b] + support[b] + predicted[b] + f1[b] + specificity[b] + C[a,b]", 0.0),
        ("m", 2.0),
        ("n", 9.0),
        ("sum(support)", 9.0),
        ("mean(recall)", f64::midpoint(1.0 / 4.0, 3.0 / 5.0)),
    ] {
        assert_eq!(formula(text).score(&pair).to_bits(), f64::to_bits(expected), "{text}");
    }
}

#[test]
fn a_formula_knows_which_cells_and_classes_it_uses() {
    for (text, by_class, n_classes) in [
        ("mean(recall)", true, None),
        ("m*n", true, None),
        ("recall[a]", true, Some(3)),
        ("C[a,a]", true, Some(3)),
        ("C[a,b]", false, Some(3)),
        ("x = C[b,a]; mean(tp)", false, Some(3)),
    ] {
        let formula = formula(text);
        assert_eq!((formula.is_by_class(), formula.n_classes()), (by_class, n_classes), "{text}");
        assert!(!formula.is_monotone() && !formula.is_quasi_concave() && !formula.is_monotone_by_class());
        assert_eq!(formula.name(), format!("expr:{text}"));
    }
}

#[test]
fn classes_are_found_by_name_bare_or_quoted() {
    let classes = ["1", "b-1", "so \"so\"", "x\\y", "größe.2"].map(String::from);
    let mut c = Confusion::zeros(5);
    for k in 0..5 {
        c.add(k, k, (k + 1) as f64);
    }
    for (text, expected) in [
        ("tp[1]", 1.0),
        ("tp[\"1\"]", 1.0),
        ("tp[b-1]", 2.0),
        ("tp[ b-1 ]-tp[1]", 1.0),
        ("tp[\"so \\\"so\\\"\"]", 3.0),
        ("tp[\"x\\\\y\"]", 4.0),
        ("C[größe.2,größe.2]", 5.0),
    ] {
        assert_eq!(
            Formula::new(text, &classes).unwrap().score(&c).to_bits(),
            f64::to_bits(expected),
            "{text}"
        );
    }
}
