//! What the user reads about a fit: the verdict, the scores, the weights, and the warnings.

use cwplugin::methods::{
    AscentReport, AutoReport, BaggedReport, CalibrationReport, ExpectedReport, LabelShiftReport, LogLoss,
    ProbingReport, Strength,
};
use cwplugin::{
    Absent, AffineMap, Calibration, ConstraintStatus, FitReport, Model, PluginReport, ScorePair, Slope,
    Warning,
};

use super::candidates::{candidates, class_rule, expected, learning_curve};
use crate::output::{Align, Screen, count_of, plain_table};

/// Of one kind of warning so many are spelled out.
const SHOWN_WARNINGS: usize = 3;

/// The fit as a text; `rows` are the labelled rows of each class.
pub(super) fn summary(model: &Model, rows: &[u64]) -> String {
    let Some(report) = model.report() else { return String::new() };
    let verdict = model.verdict().map_or_else(String::new, |verdict| format!("{verdict}\n\n"));
    let curve = report.learning_curve.as_ref().map_or_else(String::new, learning_curve);
    verdict
        + &candidates(report)
        + &headline(report)
        + &details(model, report, rows)
        + &expected(report)
        + &constraints(report)
        + &curve
}

/// Rows and score.
fn headline(report: &FitReport) -> String {
    let (labelled, unlabelled) = (report.rows.unwrap_or_default(), report.unlabelled.unwrap_or_default());
    if labelled == 0 {
        return format!("no labels; {}\n\n", count_of(unlabelled, "unlabelled row"));
    }
    let shift = report.details::<LabelShiftReport>();
    let uses_unlabelled = shift.is_some_and(|shift| shift.source_priors.is_some())
        || report.details::<AutoReport>().is_some()
        || report.details::<ExpectedReport>().is_some();
    let unlabelled = match unlabelled {
        0 => String::new(),
        n if uses_unlabelled => format!(" and {}", count_of(n, "unlabelled row")),
        n => format!(" ({} not used)", count_of(n, "unlabelled row")),
    };
    let score = report.score.map_or_else(String::new, |ScorePair { clean, fitted }| {
        format!(": {clean:.4} → {fitted:.4} ({:+.4})", fitted - clean)
    });
    let metric = report.metric.as_deref().unwrap_or("the metric");
    format!("{metric} on {}{unlabelled}{score}\n\n", count_of(labelled, "labelled row"))
}

/// The classes, as far as the method has something to say about each.
fn details(model: &Model, report: &FitReport, rows: &[u64]) -> String {
    if let Some(plugin) = report.details::<PluginReport>() {
        return pairs(model, &plugin, rows);
    }
    if let Some(found) = report.details::<BaggedReport>() {
        return class_spreads(model, rows, report, &found) + &refits(&found, report);
    }
    if report.details::<AutoReport>().is_some() || report.details::<ExpectedReport>().is_some() {
        return class_rule(model, rows);
    }
    if let Some(found) = report.details::<AscentReport>() {
        return class_weights(model, rows) + &ascent(&found);
    }
    if let Some(found) = report.details::<LabelShiftReport>() {
        return class_shares(model, rows, &found);
    }
    if let Some(found) = report.details::<ProbingReport>() {
        return class_rows(model, rows) + &probing(&found, model);
    }
    match (model.rule().calibration(), report.details::<CalibrationReport>()) {
        (Some(Calibration::Affine { map, .. }), Some(found)) => {
            class_maps(map, model, rows) + &calibration(&found)
        }
        _ => class_rows(model, rows),
    }
}

/// Whether the rule meets the constraints.
fn constraints(report: &FitReport) -> String {
    if report.constraints.is_empty() {
        return String::new();
    }
    let changed = match report.details::<BaggedReport>() {
        _ if report.adjusted != Some(true) => "",
        Some(_) => "\n  weights changed to meet the constraints; the refits are from before\n",
        None => "\n  weights changed to meet the constraints\n",
    };
    format!("\n{}{changed}", constraint_table(&report.constraints))
}

/// Every constraint, on the rows at hand and with its chance on new ones.
pub(crate) fn constraint_table(constraints: &[ConstraintStatus]) -> String {
    let columns = [
        ("subject to", Align::Left),
        ("on these rows", Align::Right),
        ("margin", Align::Right),
        ("holds on new rows", Align::Right),
    ];
    let table = constraints.iter().map(|status| {
        let ConstraintStatus { constraint, value, margin, probability, .. } = status;
        let percent = 100.0 * probability;
        vec![constraint.clone(), format!("{value:.4}"), format!("{margin:+.4}"), format!("{percent:.1}%")]
    });
    plain_table(&columns, table)
}

/// What was found for each class against the fixed one.
fn pairs(model: &Model, plugin: &PluginReport, rows: &[u64]) -> String {
    let columns = [
        ("class", Align::Left),
        ("rows", Align::Right),
        ("weight", Align::Right),
        ("alpha", Align::Right),
        ("plateau", Align::Left),
        ("pair score", Align::Right),
        ("evaluations", Align::Right),
    ];
    let table = model.classes().iter().enumerate().map(|(class, name)| {
        let pair = plugin.pairs.iter().find(|pair| pair.class == *name);
        let mut row =
            vec![name.clone(), rows[class].to_string(), format!("{:.6}", model.weights().as_slice()[class])];
        row.extend(match pair {
            Some(pair) => [
                format!("{:.6}", pair.alpha),
                format!("{:.4}–{:.4}", pair.plateau[0], pair.plateau[1]),
                format!("{:.4}", pair.score),
                pair.evaluations.to_string(),
            ],
            None if *name == plugin.reference => ["", "fixed", "", ""].map(String::from),
            None => ["", "not searched", "", ""].map(String::from),
        });
        row
    });
    let settings = format!(
        "\n  reference \"{}\", search {}, ties {}, absent {}\n",
        plugin.reference, plugin.search, plugin.ties, plugin.absent
    );
    plain_table(&columns, table) + &settings
}

/// What a calibration does to each class.
fn class_maps(map: &AffineMap, model: &Model, rows: &[u64]) -> String {
    let columns =
        [("class", Align::Left), ("rows", Align::Right), ("slope", Align::Right), ("bias", Align::Right)];
    let slope = |class: usize| match map.slope() {
        Slope::Diagonal(slopes) => format!("{:.4}", slopes[class]),
        Slope::Matrix(_) => "matrix".into(),
    };
    let table = model.classes().iter().enumerate().map(|(class, name)| {
        vec![name.clone(), rows[class].to_string(), slope(class), format!("{:.4}", map.bias()[class])]
    });
    plain_table(&columns, table)
}

/// Log loss and penalty of a calibration.
fn calibration(found: &CalibrationReport) -> String {
    let LogLoss { before, after } = found.log_loss;
    let penalty = match found.penalty {
        None => String::new(),
        // A method that has only one of them has 0 for the other.
        Some(Strength { lambda, mu }) if lambda <= 0.0 => format!(", penalty mu {mu}"),
        Some(Strength { lambda, mu }) if mu <= 0.0 => format!(", penalty lambda {lambda}"),
        Some(Strength { lambda, mu }) => format!(", penalty lambda {lambda}, mu {mu}"),
    };
    format!("\n  log loss {before:.4} → {after:.4}{penalty}\n")
}

/// Size of a mixture.
fn probing(report: &ProbingReport, model: &Model) -> String {
    let lists = match model.rule().calibration() {
        Some(Calibration::Mixture(mixture)) => mixture.steps().len(),
        _ => 0,
    };
    let epsilon = report.epsilon.map_or_else(String::new, |epsilon| format!("epsilon {epsilon}, "));
    let iterations = count_of(report.iterations as u64, "iteration");
    format!("\n  {epsilon}{iterations}, a mixture of {}\n", count_of(lists as u64, "classifier"))
}

/// The share of each class, before and now.
fn class_shares(model: &Model, rows: &[u64], shift: &LabelShiftReport) -> String {
    let mut columns = vec![("class", Align::Left), ("labelled rows", Align::Right)];
    columns.extend(shift.source_priors.as_ref().map(|_| ("source prior", Align::Right)));
    columns.extend([("target prior", Align::Right), ("weight", Align::Right)]);
    let table = model.classes().iter().enumerate().map(|(class, name)| {
        let mut row = vec![name.clone(), rows[class].to_string()];
        row.extend(shift.source_priors.as_ref().map(|source| format!("{:.4}", source[class])));
        row.push(format!("{:.4}", shift.target_priors[class]));
        row.push(format!("{:.6}", model.weights().as_slice()[class]));
        row
    });
    let steps = (shift.iterations > 0).then(|| count_of(shift.iterations as u64, "Newton step"));
    let ignored = (shift.ignored_rows > 0).then(|| {
        let rows = count_of(shift.ignored_rows, "labelled row");
        format!("{rows} ignored: the label has probability 0")
    });
    let notes: Vec<String> = steps.into_iter().chain(ignored).collect();
    let notes = if notes.is_empty() { String::new() } else { format!("\n  {}\n", notes.join(", ")) };
    plain_table(&columns, table) + &notes
}

/// Start and length of coordinate ascent.
fn ascent(report: &AscentReport) -> String {
    let evaluations = count_of(report.evaluations as u64, "evaluation");
    format!("\n  {} from {}, {evaluations}\n", count_of(report.cycles as u64, "round"), report.start)
}

/// The weight of each class, and how far the refits are apart.
fn class_spreads(model: &Model, rows: &[u64], report: &FitReport, bagged: &BaggedReport) -> String {
    let columns = [
        ("class", Align::Left),
        ("rows", Align::Right),
        ("weight", Align::Right),
        ("95% of refits", Align::Left),
    ];
    let weights = model.weights().as_slice();
    let table = model.classes().iter().enumerate().map(|(class, name)| {
        let spread = bagged.spread[class];
        let is_never_probable =
            |warning: &Warning| warning.kind == "never-probable" && warning.class.as_ref() == Some(name);
        let is_searched = rows[class] > 0 && !report.warnings.iter().any(is_never_probable);
        let range = format!("{:.6}–{:.6}", spread.low, spread.high);
        let range = if is_searched { range } else { "not searched".into() };
        vec![name.clone(), rows[class].to_string(), format!("{:.6}", weights[class]), range]
    });
    plain_table(&columns, table)
}

/// The refits, and the score of the rows that they did not draw.
fn refits(bagged: &BaggedReport, report: &FitReport) -> String {
    let refits = count_of(bagged.n_bootstrap as u64, "bootstrap refit");
    let head = format!("\n  {refits}, shrinkage {:.4}\n", bagged.shrinkage);
    let Some(score) = bagged.out_of_bag else {
        return head + "  no out-of-bag score: every row was drawn by nearly all refits\n";
    };
    let ignored = match score.left_out {
        0 => String::new(),
        n => format!(", {} ignored", count_of(n, "row")),
    };
    let ([low, high], gain) = (score.gain, score.fitted - score.clean);
    head + &format!(
        "  out of bag, {} on {}: {:.4} → {:.4} (gain {gain:+.4}, 95% CI {low:+.4} to {high:+.4}){ignored}\n",
        report.metric.as_deref().unwrap_or("the metric"),
        count_of(score.rows, "row"),
        score.clean,
        score.fitted,
    )
}

/// The rows and the weight of each class.
pub(super) fn class_weights(model: &Model, rows: &[u64]) -> String {
    let classes = model.classes().iter().zip(rows).zip(model.weights().as_slice());
    let table =
        classes.map(|((name, rows), weight)| vec![name.clone(), rows.to_string(), format!("{weight:.6}")]);
    let columns = [("class", Align::Left), ("rows", Align::Right), ("weight", Align::Right)];
    plain_table(&columns, table)
}

/// The rows of each class.
fn class_rows(model: &Model, rows: &[u64]) -> String {
    let table = model.classes().iter().zip(rows).map(|(name, rows)| vec![name.clone(), rows.to_string()]);
    plain_table(&[("class", Align::Left), ("rows", Align::Right)], table)
}

/// Prints the warnings, kind by kind; many of one kind are cut short, the model file has them all.
pub(super) fn warn(screen: &Screen, model: &Model, tried_all: bool) {
    let Some(report) = model.report() else { return };
    for of_kind in report.warnings.chunk_by(|a, b| a.kind == b.kind) {
        let shown = if of_kind.len() > SHOWN_WARNINGS + 1 { SHOWN_WARNINGS } else { of_kind.len() };
        for warning in &of_kind[..shown] {
            screen.warn(format_args!("{}{}", warning.message, advice(warning, report, tried_all)));
        }
        if let Some(more) = of_kind.get(shown..).filter(|more| !more.is_empty()) {
            screen.warn(format_args!("… and {} more classes likewise ({})", more.len(), more[0].kind));
        }
    }
}

/// What to do about it.
fn advice(warning: &Warning, report: &FitReport, tried_all: bool) -> &'static str {
    let plugin = report.details::<PluginReport>();
    let is_reference =
        plugin.as_ref().is_some_and(|plugin| Some(&plugin.reference) == warning.class.as_ref());
    let is_dropped = plugin.as_ref().is_some_and(|plugin| plugin.absent == Absent::Drop);
    let is_shift = report.details::<LabelShiftReport>().is_some();
    match &*warning.kind {
        "absent-class" if is_dropped => "; --absent keep keeps its weight",
        "absent-class" | "unknown-class" => "; label some rows of it",
        "never-probable" if is_reference => "; as the reference it is useless: try another --reference",
        "never-probable" => "; is it the right column?",
        "few-rows" => "; label more rows of it",
        "unmet" => "; the weights are the closest: relax a constraint, or set fewer at once",
        "one-class" => "; label rows of other classes",
        "too-few-rows" => "; label more rows",
        "flat-curve" => "; for a metric about one class use --reference CLASS",
        "at-border" => "; try another --reference, or more rows",
        "not-converged" if is_shift => "; look for rows with a weight far above the others",
        "not-converged" => "; more rows, or --select cv, may help",
        "below-clean" if is_shift || report.details::<CalibrationReport>().is_some() => {
            "; the method does not optimise this metric"
        }
        "below-clean" if plugin.is_some() && tried_all => {
            ", because each class is tuned alone; try --ties nearest-half, or --method auto"
        }
        "below-clean" if plugin.is_some() => {
            ", because each class is tuned alone; try --reference best or --ties nearest-half"
        }
        "below-clean" => "; try another method, or leave the black box unadjusted",
        _ => "",
    }
}
