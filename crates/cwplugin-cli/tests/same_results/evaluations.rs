//! `eval` and `compare`.

use super::extract::{COMPARISON, EVALUATION};
use super::record::Group;
use super::run::{document, run};
use super::tables;
use super::values::parts;

/// Name, flags of the fit of the model, if there is one, and of `eval`.
const EVALUATIONS: [(&str, &str, &str); 9] = [
    ("clean", "", "six.csv"),
    ("clean-weighted", "", "holes.csv --weight w --resamples 50 --seed 3"),
    ("two", "two.csv --method cwplugin", "two-test.csv --resamples 100"),
    ("six", "six.csv --search grid:0.05", "six-test.csv --resamples 100"),
    ("weighted", "cents.csv --method ascent --weight w", "cents-test.csv --weight w --resamples 60 --seed 1"),
    ("calibrated", "three.csv --method vector", "partly.csv --metric macro-f1,mcc,f1:b,expr:min(recall)"),
    ("voted", "three.csv --method probing", "three-test.csv --metric cost:cost3.csv --resamples 200"),
    ("features", "three.csv --method logistic --features x,y", "three-test.csv --resamples 80"),
    (
        "limited",
        "three.csv --method ascent --subject-to 'recall:c>=0.6' --subject-to 'mcc>=0.1'",
        "three-test.csv --metric macro-f1 --seed 2",
    ),
];

#[test]
fn evaluations_are_the_same() {
    let folder = tables::folder();
    let mut group = Group::new("eval");
    for (name, fit, eval) in EVALUATIONS {
        let (fit, model) = if fit.is_empty() {
            (None, "")
        } else {
            (Some(format!("fit {fit} -o model.json --quiet")), "model.json ")
        };
        if let Some(fit) = &fit {
            run(&folder, fit);
        }
        let eval = format!("eval {model}{eval} --json --quiet");
        let document = document(&run(&folder, &eval), EVALUATION, &eval);
        let commands = fit.into_iter().chain([eval]).map(|line| format!("cwplugin {line}\n"));
        group.add(name, &commands.collect::<String>(), parts(&document, EVALUATION));
    }
    group.finish();
}

const QUICK: &str = "cwplugin,cwplugin:published,clean,label-shift,temperature,vector";

fn comparisons(name: &'static str, comparisons: &[(&str, String)]) {
    let folder = tables::folder();
    let mut group = Group::new(name);
    for (name, flags) in comparisons {
        let line = format!("compare {flags} --json --quiet");
        let document = document(&run(&folder, &line), COMPARISON, &line);
        group.add(name, &format!("cwplugin {line}"), parts(&document, COMPARISON));
    }
    group.finish();
}

#[test]
fn comparisons_are_the_same() {
    let few = "--metrics macro-f1,mcc --sizes 20,40 --repeats 2";
    comparisons(
        "compare",
        &[
            ("plain", format!("cents.csv --methods {QUICK} {few}")),
            (
                "shift",
                format!(
                    "six.csv --methods {QUICK} --shift a,b:0.5 --metrics accuracy --sizes 30 --repeats 3"
                ),
            ),
            ("noise", format!("cents.csv --methods {QUICK} --noise b:0.3 --noise c:0.2 {few} --seed 5")),
            (
                "noise-everywhere",
                format!("cents.csv --methods {QUICK} --noise b,c:0.3 --noise-in everywhere {few} --seed 5"),
            ),
            ("weighted", format!("three.csv --methods {QUICK},bcts --weight w {few} --test-share 0.3")),
            (
                "column",
                "six.csv --methods cwplugin,clean --test-column label=a --metrics accuracy --sizes 20".into(),
            ),
        ],
    );
}

#[test]
fn comparisons_of_slow_methods_are_the_same() {
    let few = "--metrics macro-f1 --sizes 30 --repeats 1";
    comparisons(
        "compare-slow",
        &[
            ("searches", format!("three.csv --methods ascent,probing,bagged {few}")),
            (
                "expected",
                "partly.csv --methods expected --metrics mcc --sizes 20 --repeats 1 --unlabelled 30".into(),
            ),
            (
                "features",
                format!("three.csv --methods logistic,dirichlet-diag --features x,y --select cv {few}"),
            ),
            (
                "priors",
                format!(
                    "three.csv --methods label-shift,clean --source-priors 0.5,0.3,0.2 {few} --unlabelled 20"
                ),
            ),
        ],
    );
}
