//! Why `auto` chose a method, and not one with a higher cross-validated score.

use crate::methods::{AutoReport, CLEARLY_BETTER, Candidate, Reason, Standing};
use crate::report::words::plus_minus;
use crate::report::{Estimate, FitReport};

/// How the gain of `expected` is estimated.
const BOTH: &str = "by forecast and cross-validation";

impl FitReport {
    /// Why `auto` made its choice, and why a method with a higher cross-validated score was not chosen; `None` for other
    /// methods, and if no method could be tried.
    pub fn explanation(&self) -> Option<String> {
        let auto = self.details::<AutoReport>()?;
        let gain = auto.estimated_gain?;
        let why = match auto.reason {
            Reason::Gain => chosen_expected(&auto, gain),
            Reason::BetterAlternative => chosen_alternative(&auto),
            Reason::NoReliableGain => format!(
                "Left the predictions unchanged: the estimated gain of expected, {} {BOTH}, {}.",
                plus_minus(gain),
                auto.expected_falls_short()
            ),
            Reason::OneClass | Reason::TooFewRows => return None,
        };
        let adjusted =
            (self.adjusted == Some(true)).then(|| "The weights were changed to meet the constraints.".into());
        let sentences: Vec<String> = std::iter::once(why).chain(others(&auto)).chain(adjusted).collect();
        Some(sentences.join(" "))
    }
}

fn chosen_expected(auto: &AutoReport, gain: Estimate) -> String {
    let shrinkage = auto.expected.as_ref().map_or(1.0, |expected| expected.shrinkage);
    let part = if shrinkage < 1.0 { format!(" at shrinkage {shrinkage}") } else { String::new() };
    let why =
        format!("Chose expected{part}: its estimated gain, {} {BOTH}, is worth the risk.", plus_minus(gain));
    let forecast = auto.forecast_gain.map(plus_minus).unwrap_or_default();
    match auto.candidate("expected") {
        Some(tried) if tried.gain <= 0.0 => format!(
            "{why} Cross-validation alone shows {}; the forecast, {forecast}, outweighs it.",
            plus_minus(tried.gain_estimate())
        ),
        _ => why,
    }
}

fn chosen_alternative(auto: &AutoReport) -> String {
    let lead = auto.candidate(&auto.chosen).and_then(|candidate| candidate.lead);
    match lead {
        Some(lead) => format!(
            "Chose {}: in cross-validation it leads {} by {}, more than the {CLEARLY_BETTER} sd that an alternative needs.",
            auto.chosen,
            auto.baseline(),
            plus_minus(lead)
        ),
        None => format!("Chose {}: clearly better in cross-validation.", auto.chosen),
    }
}

/// Why the other methods with a higher score, or with a clear gain of their own, were not chosen: a sentence for each
/// reason, about the best of them.
fn others(auto: &AutoReport) -> Vec<String> {
    let score = auto.candidate(&auto.chosen).map_or(f64::INFINITY, |chosen| chosen.cv_score);
    let is_unchanged = auto.reason == Reason::NoReliableGain;
    let stands_out = |candidate: &&Candidate| {
        let is_significant = candidate.gain_estimate().interval().0 > 0.0;
        candidate.standing != Some(Standing::Chosen)
            && (candidate.cv_score > score || is_unchanged && is_significant)
    };
    let mut rows: Vec<&Candidate> = auto.candidates.iter().filter(stands_out).collect();
    rows.sort_by(|a, b| b.cv_score.total_cmp(&a.cv_score));
    let mut sentences = Vec::new();
    let alternatives = |candidate: &&&Candidate| !["expected", "clean"].contains(&&*candidate.method);
    for standing in [Standing::WithinNoise, Standing::NoGain] {
        let same: Vec<&&Candidate> = rows
            .iter()
            .filter(alternatives)
            .filter(|candidate| candidate.standing == Some(standing))
            .collect();
        sentences.extend(same.first().map(|best| about(best, same.len(), standing, auto)));
    }
    let expected = rows.iter().find(|candidate| candidate.method == "expected");
    sentences.extend(expected.map(|tried| {
        if is_unchanged {
            let forecast = auto.forecast_gain.map(plus_minus).unwrap_or_default();
            format!(
                "Cross-validation alone shows {} for expected, but the forecast is {forecast}.",
                plus_minus(tried.gain_estimate())
            )
        } else {
            let gain = auto.estimated_gain.map(plus_minus).unwrap_or_default();
            format!(
                "expected has a higher CV score, but its estimated gain, {gain} {BOTH}, {}.",
                auto.expected_falls_short()
            )
        }
    }));
    sentences
}

/// Why the best of so many alternatives of one standing was not chosen.
fn about(best: &Candidate, n: usize, standing: Standing, auto: &AutoReport) -> String {
    let (name, baseline) = (&best.method, auto.baseline());
    let lead = plus_minus(best.lead.unwrap_or(best.gain_estimate()));
    let (who, it) = match n {
        1 => (format!("{name} has a higher CV score"), "it".to_string()),
        _ => (format!("{n} methods have a higher CV score"), format!("the best, {name},")),
    };
    match standing {
        Standing::NoGain => {
            let gain = plus_minus(best.gain_estimate());
            format!("{who}, but {it} has no reliable gain over unadjusted in cross-validation, {gain}.")
        }
        _ => format!(
            "{who}, but {it} leads {baseline} by {lead}, within the {CLEARLY_BETTER} sd that an alternative must exceed: the \
             best of several often leads by chance."
        ),
    }
}

impl Candidate {
    fn gain_estimate(&self) -> Estimate {
        Estimate { mean: self.gain, sd: self.gain_sd }
    }
}

impl AutoReport {
    fn candidate(&self, method: &str) -> Option<&Candidate> {
        self.candidates.iter().find(|candidate| candidate.method == method)
    }

    /// What the alternatives were compared with.
    fn baseline(&self) -> &'static str {
        let standing = self.candidate("expected").and_then(|expected| expected.standing);
        match standing {
            Some(Standing::Chosen | Standing::Replaced) => "expected",
            None if self.reason == Reason::Gain => "expected",
            _ => "unadjusted",
        }
    }

    /// Why the estimated gain of `expected` does not suffice.
    fn expected_falls_short(&self) -> &'static str {
        let gain = self.estimated_gain.unwrap_or(Estimate { mean: 0.0, sd: 0.0 });
        if gain.mean <= 0.0 { "is not positive" } else { "is not worth the risk" }
    }
}
