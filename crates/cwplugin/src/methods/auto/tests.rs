//! The verdict and the explanation agree with the table of candidates, whatever the numbers are.

use rand::{Rng, RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::alternatives::alternatives as all_alternatives;
use super::cross_validation::CrossValidation;
use super::decide::{Decision, decide};
use super::scored::Scored;
use super::{AutoReport, METHOD, Reason, SHRINKAGES, Standing, conclude};
use crate::data::{Probabilities, Sample};
use crate::methods::method::{Method, Options};
use crate::metric::MacroF1;
use crate::report::estimate::Expectation;
use crate::report::{Estimate, FitReport};

/// Replicates of each score.
const REPLICATES: usize = 24;

/// Random numbers; half of them are near 0.
fn spread(rng: &mut impl Rng, most: f64) -> f64 {
    let power = if rng.random_bool(0.5) { 5 } else { 1 };
    most * (2.0 * rng.random::<f64>() - 1.0).powi(power)
}

fn scored(rng: &mut ChaCha8Rng, score: f64, sd: f64) -> Scored {
    let score = score.clamp(0.0, 1.0);
    Scored::of_replicates(score, (0..REPLICATES).map(|_| score + spread(rng, 2.0 * sd)).collect())
}

/// A cross-validation and forecasts, as they may come from any rows and black box.
fn numbers(rng: &mut ChaCha8Rng) -> (CrossValidation, Vec<Expectation>, Vec<Estimate>, u64) {
    let sd = spread(rng, 0.1).abs();
    let clean: f64 = rng.random();
    let near = |rng: &mut ChaCha8Rng| {
        let score = clean + spread(rng, 0.4);
        scored(rng, score, sd)
    };
    let is_fitted = rng.random_bool(0.95);
    let shrunken: Vec<Scored> = SHRINKAGES.iter().filter(|_| is_fitted).map(|_| near(rng)).collect();
    let mut alternatives = Vec::new();
    for alternative in all_alternatives() {
        if rng.random_bool(0.95) {
            alternatives.push((alternative.name, near(rng)));
        }
    }
    let mut estimates =
        || SHRINKAGES.map(|_| Estimate { mean: spread(rng, 0.3), sd: spread(rng, 0.1).abs() });
    let (forecasts, gains) = (estimates(), estimates());
    let of_gain = |gain| Expectation::of_gain(Estimate { mean: clean, sd: sd + 0.01 }, gain, (-1.0, 2.0));
    let forecasts = forecasts.map(of_gain).to_vec();
    let gains = gains.into_iter().filter(|_| is_fitted).collect();
    let clean = scored(rng, clean, sd);
    let cv = CrossValidation::of_scores(clean, shrunken, alternatives);
    (cv, forecasts, gains, rng.random_range(4..5_000))
}

/// What is expected of the chosen rule.
fn expected_of(decision: &Decision, cv: &CrossValidation) -> Expectation {
    let gain = decision.gain_of_choice(cv).unwrap_or(Estimate { mean: 0.0, sd: 0.0 });
    Expectation::of_gain(Estimate { mean: 0.5, sd: 0.1 }, gain, (-1.0, 2.0))
}

fn check(auto: &AutoReport, estimated: Estimate, report: &FitReport) {
    let verdict = report.verdict().unwrap();
    let explanation = report.explanation().unwrap();
    let context = format!("{verdict}\n{explanation}\n{auto:#?}");

    let chosen: Vec<&str> = auto
        .candidates
        .iter()
        .filter(|candidate| candidate.standing == Some(Standing::Chosen))
        .map(|candidate| &*candidate.method)
        .collect();
    let has_row = auto.candidates.iter().any(|candidate| candidate.method == auto.chosen);
    assert!(has_row || auto.chosen == "expected", "{context}");
    assert_eq!(chosen.len(), usize::from(has_row), "{context}");
    assert!(chosen.iter().all(|method| *method == auto.chosen), "{context}");
    for candidate in &auto.candidates {
        assert!(candidate.standing.is_some(), "{context}");
        for name in [&candidate.method, candidate.name()] {
            assert!(Method::by_name(name).is_ok(), "{name}\n{context}");
        }
    }

    let is_significant = |gain: f64, sd: f64| Estimate { mean: gain, sd }.interval().0 > 0.0;
    let significant: Vec<_> =
        auto.candidates.iter().filter(|row| is_significant(row.gain, row.gain_sd)).collect();
    let is_changed = auto.chosen != "clean";
    assert_eq!(verdict.starts_with("no "), !is_changed, "{context}");
    if verdict.starts_with("no sign of a gain") {
        assert!(significant.is_empty() && auto.estimated_gain.unwrap().mean <= 0.0, "{context}");
    }
    assert!(!is_changed || estimated.mean > 0.0, "a gain is claimed without an estimated gain\n{context}");

    // Every row that looks better than the choice is explained, by name or among several of the same kind.
    let score = auto.candidates.iter().find(|row| row.method == auto.chosen).map(|row| row.cv_score);
    let higher = auto.candidates.iter().filter(|row| score.is_some_and(|score| row.cv_score > score));
    let unexplained = if is_changed { Vec::new() } else { significant };
    for row in higher.chain(unexplained) {
        let alone = "Cross-validation alone shows";
        let is_explained = explanation.contains(&format!("{} has a higher", row.method))
            || explanation.contains(" methods have a higher CV score")
            || ["clean", "expected"].contains(&&*row.method) && explanation.contains(alone);
        // A row that is better than the unadjusted black box, but not than `expected`, has a lower score than that.
        assert!(is_explained, "{}\n{context}", row.method);
    }

    let is_undecided = report.gain().unwrap().interval().0 <= 0.0;
    assert_eq!(verdict.contains(" label"), is_undecided || !is_changed, "{context}");
}

/// Decides on random numbers.
fn check_random(cases: u64) -> [usize; 3] {
    let mut seen = [0; 3];
    for seed in 0..cases {
        let (cv, forecasts, gains, rows) = numbers(&mut ChaCha8Rng::seed_from_u64(seed));
        let decision = decide(&cv, &forecasts, &gains, rows);
        let auto = conclude(&decision, &cv);
        let expectation = expected_of(&decision, &cv);
        let report = FitReport {
            method: "auto".into(),
            metric: Some("macro-f1".into()),
            rows: Some(rows),
            forecast: Some(expectation.into()),
            ..FitReport::default()
        };
        check(&auto, expectation.gain, &report.with_details(&auto));
        let reasons = [Reason::Gain, Reason::BetterAlternative, Reason::NoReliableGain];
        seen[reasons.iter().position(|reason| *reason == auto.reason).unwrap()] += 1;
    }
    seen
}

/// A few rows of a black box that is more or less wrong.
fn sample(rng: &mut ChaCha8Rng) -> Sample {
    let (m, n) = (rng.random_range(2..5), rng.random_range(8..60));
    let shares: Vec<f64> = (0..m).map(|_| 0.1 + rng.random::<f64>()).collect();
    let noise = rng.random::<f64>();
    let (mut values, mut labels) = (Vec::new(), Vec::new());
    for _ in 0..n {
        let row: Vec<f64> = (0..m).map(|_| rng.random::<f64>() + 0.01).collect();
        let best = (0..m).max_by(|&a, &b| (row[a] * shares[a]).total_cmp(&(row[b] * shares[b])));
        let label = best.filter(|_| !rng.random_bool(noise)).unwrap_or_else(|| rng.random_range(0..m));
        let sum: f64 = row.iter().sum();
        values.extend(row.into_iter().map(|value| value / sum));
        labels.push(Some(label).filter(|_| rng.random_bool(0.9)));
    }
    Sample::new(Probabilities::new(values, m).unwrap(), labels).unwrap()
}

/// More fits with the environment variable `CWPLUGIN_FITS`.
#[test]
fn the_texts_of_small_fits_agree_with_their_candidates() {
    let fits = std::env::var("CWPLUGIN_FITS").ok().and_then(|n| n.parse().ok()).unwrap_or(200);
    for seed in 0..fits {
        let sample = sample(&mut ChaCha8Rng::seed_from_u64(seed));
        let Ok(fitted) = METHOD.fit(&sample, &MacroF1, &Options { seed, ..Options::default() }) else {
            continue;
        };
        let auto = fitted.report.details::<AutoReport>().unwrap();
        if !auto.candidates.is_empty() {
            let gain = fitted.expectation.unwrap().gain;
            check(&auto, gain, &fitted.report);
        }
    }
}

#[test]
fn the_texts_agree_with_the_candidates() {
    let seen = check_random(5_000);
    assert!(seen.iter().all(|&n| n > 100), "every reason occurs: {seen:?}");
}

#[test]
#[ignore = "takes a minute: `cargo nextest run --run-ignored all texts_agree`"]
fn the_texts_agree_with_a_million_candidates() {
    check_random(1_000_000);
}
