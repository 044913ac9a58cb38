//! Names of metrics in scikit-learn and imbalanced-learn.

use super::{CATALOGUE, head, plain_names};
use crate::error::{nearest, normalised};

/// What a name of another library means here.
enum Meaning {
    /// The same number on every confusion matrix.
    Equal(&'static str),
    /// No metric of its own: what to use instead.
    Advice(&'static str),
}

use Meaning::{Advice, Equal};

const ONE_F1: &str = "use macro-f1 for the mean over classes, or f1:CLASS for one class";
const ONE_PRECISION: &str = "use macro-precision for the mean over classes, or precision:CLASS for one class";
const ONE_RECALL: &str = "use macro-recall for the mean over classes, or recall:CLASS for one class";
const F_BETA: &str = "use macro-f-beta:BETA for the mean over classes, or f-beta:BETA:CLASS for one class";
const IS_ACCURACY: &str = "it equals accuracy if every row has one class: use accuracy";
const LIKE_ACCURACY: &str = "it is best where accuracy is: use accuracy";
const RANKS: &str = "it depends on scores, not on predicted classes; use a metric of the confusion matrix, e.g. macro-f1 or mcc";

/// Scorers and functions of `sklearn.metrics` and `imblearn.metrics`, with their default parameters.
const FOREIGN: &[(&str, Meaning)] = &[
    ("accuracy_score", Equal("accuracy")),
    ("balanced_accuracy_score", Equal("balanced-accuracy")),
    ("f1_macro", Equal("macro-f1")),
    ("f1_weighted", Equal("weighted-f1")),
    ("precision_macro", Equal("macro-precision")),
    ("recall_macro", Equal("macro-recall")),
    ("jaccard_macro", Equal("macro-jaccard")),
    ("matthews_corrcoef", Equal("mcc")),
    ("cohen_kappa_score", Equal("cohen-kappa")),
    ("fowlkes_mallows_score", Equal("pair-fowlkes-mallows")),
    ("geometric_mean_score", Equal("g-mean")),
    ("f1", Advice(ONE_F1)),
    ("f1_score", Advice(ONE_F1)),
    ("f1_samples", Advice(ONE_F1)),
    ("precision", Advice(ONE_PRECISION)),
    ("precision_score", Advice(ONE_PRECISION)),
    ("recall", Advice(ONE_RECALL)),
    ("recall_score", Advice(ONE_RECALL)),
    ("sensitivity_score", Advice(ONE_RECALL)),
    ("jaccard", Advice("use macro-jaccard")),
    ("jaccard_score", Advice("use macro-jaccard")),
    ("fbeta_score", Advice(F_BETA)),
    ("f_beta", Advice(F_BETA)),
    ("specificity_score", Advice("use expr:mean(specificity), or expr:specificity[CLASS] for one class")),
    ("f1_micro", Advice(IS_ACCURACY)),
    ("precision_micro", Advice(IS_ACCURACY)),
    ("recall_micro", Advice(IS_ACCURACY)),
    ("recall_weighted", Advice(IS_ACCURACY)),
    ("jaccard_micro", Advice(LIKE_ACCURACY)),
    ("hamming_loss", Advice(LIKE_ACCURACY)),
    ("zero_one_loss", Advice(LIKE_ACCURACY)),
    ("precision_weighted", Advice("use expr:sum(support*precision)/n")),
    ("jaccard_weighted", Advice("use expr:sum(support*tp/(tp+fp+fn))/n")),
    (
        "fowlkes_mallows",
        Advice(
            "use pair-fowlkes-mallows for two clusterings, or macro-fowlkes-mallows for the mean over classes",
        ),
    ),
    ("roc_auc", Advice(RANKS)),
    ("roc_auc_score", Advice(RANKS)),
    ("roc_auc_ovr", Advice(RANKS)),
    ("roc_auc_ovo", Advice(RANKS)),
    ("roc_auc_ovr_weighted", Advice(RANKS)),
    ("roc_auc_ovo_weighted", Advice(RANKS)),
    ("average_precision", Advice(RANKS)),
    ("average_precision_score", Advice(RANKS)),
    ("neg_log_loss", Advice(RANKS)),
    ("log_loss", Advice(RANKS)),
    ("neg_brier_score", Advice(RANKS)),
    ("brier_score_loss", Advice(RANKS)),
    ("top_k_accuracy", Advice(RANKS)),
    ("top_k_accuracy_score", Advice(RANKS)),
];

fn meaning(name: &str) -> Option<&'static Meaning> {
    let name = normalised(name);
    FOREIGN.iter().find(|(foreign, _)| normalised(foreign) == name).map(|(_, meaning)| meaning)
}

/// The metric without parameters that a name means: its own name in any spelling (`Macro_F1`), or the name of the same metric
/// in scikit-learn (`f1_macro`) or imbalanced-learn.
pub fn canonical(name: &str) -> Option<&'static str> {
    let own = plain_names().find(|plain| *plain == normalised(name));
    own.or_else(|| match meaning(name)? {
        Equal(metric) => Some(*metric),
        Advice(_) => None,
    })
}

/// The hint for an unknown metric, or one without its parameter: advice on a name of another library or the most similar
/// name, and where to find `all`.
///
/// ```
/// use cwplugin::metric::hint;
///
/// assert_eq!(hint("macrof1", "see the docs"), "did you mean macro-f1? see the docs");
/// assert_eq!(hint("jaccard", "see the docs"), "use macro-jaccard; see the docs");
/// assert_eq!(hint("weather", "see the docs"), "see the docs");
/// ```
pub fn hint(name: &str, all: &str) -> String {
    if let Some(Advice(advice)) = meaning(name) {
        return format!("{advice}; {all}");
    }
    let foreign = FOREIGN.iter().filter(|(_, meaning)| matches!(meaning, Equal(_))).map(|(name, _)| *name);
    let near = nearest(head(name), CATALOGUE.iter().map(|entry| head(entry.name)).chain(foreign));
    // With its parameters, or the name it has here.
    let own = |near: &str| CATALOGUE.iter().map(|entry| entry.name).find(|own| head(own) == near);
    match near.and_then(|near| own(near).or_else(|| canonical(near))) {
        Some(near) => format!("did you mean {near}? {all}"),
        None => all.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::by_name;

    #[test]
    fn names_of_the_same_metric_are_understood() {
        let name = |written: &str| by_name(written, &[]).map(|metric| metric.name().to_string());
        for (written, expected) in [
            ("f1_macro", "macro-f1"),
            ("matthews_corrcoef", "mcc"),
            ("cohen_kappa_score", "cohen-kappa"),
            ("balanced_accuracy", "balanced-accuracy"),
            ("balanced_accuracy_score", "balanced-accuracy"),
            ("geometric_mean_score", "g-mean"),
            ("Macro_F1", "macro-f1"),
            ("MCC", "mcc"),
        ] {
            assert_eq!(name(written).as_deref(), Ok(expected), "{written}");
        }
        assert!(name("f1_micro").is_err() && name("f1").is_err());
    }

    #[test]
    fn every_equal_is_a_metric_and_every_advice_names_one() {
        for (foreign, meaning) in FOREIGN {
            match meaning {
                Equal(metric) => assert!(plain_names().any(|plain| plain == *metric), "{foreign}"),
                Advice(advice) => {
                    assert!(CATALOGUE.iter().any(|entry| advice.contains(head(entry.name))), "{foreign}");
                }
            }
            assert_eq!(FOREIGN.iter().filter(|(name, _)| name == foreign).count(), 1, "{foreign}");
        }
    }

    #[test]
    fn formulas_of_the_advice_are_valid() {
        let classes = ["CLASS", "b"].map(String::from);
        let formulas = FOREIGN.iter().filter_map(|(_, meaning)| match meaning {
            Advice(advice) => Some(advice),
            Equal(_) => None,
        });
        let words = formulas.flat_map(|advice| advice.split_whitespace());
        let formulas: Vec<&str> =
            words.filter(|word| word.starts_with("expr:")).map(|word| word.trim_end_matches(',')).collect();
        assert_eq!(formulas.len(), 4);
        for formula in formulas {
            assert!(by_name(formula, &classes).is_ok(), "{formula}");
        }
    }

    #[test]
    fn similar_names_are_suggested_with_their_parameters() {
        let hint = |name: &str| hint(name, "…");
        assert_eq!(hint("macro-fbeta"), "did you mean macro-f-beta:BETA? …");
        assert_eq!(hint("matthews_corcoef"), "did you mean mcc? …");
        assert_eq!(hint("kohen_kappa:2"), "did you mean cohen-kappa? …");
        assert!(hint("fbeta_score").contains("macro-f-beta:BETA"));
        assert!(hint("roc_auc").starts_with("it depends on scores"));
    }
}
