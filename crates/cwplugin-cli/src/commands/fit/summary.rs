//! What the user reads of a fit: the scores, the weights, and the doubts.

use cwplugin::{
    AffineMap, AscentReport, BaggedReport, Calibrated, Calibration, Details, Fitted, Kept, LabelShiftReport,
    LogLoss, Model, PairReport, PluginReport, ProbingReport, Report, ScorePair, Slope, Strength, Warning,
};

use super::trials::{class_rule, expected, learning_curve, trials};
use crate::output::{Align, Screen, count_of, plain_table};

/// Of one kind of warning so many are spelled out.
const SHOWN_WARNINGS: usize = 3;

/// The fit as a text; `rows` are the labelled rows of each class.
pub(super) fn summary(model: &Model, fitted: &Fitted, rows: &[u64]) -> String {
    let report = fitted.report();
    let uses_unlabelled = match &report.details {
        Details::LabelShift(shift) => shift.source.is_some(),
        Details::Auto(_) | Details::Expected(_) => true,
        _ => false,
    };
    let unlabelled = match report.unlabelled {
        0 => String::new(),
        n if uses_unlabelled => format!(" and {}", count_of(n, "unlabelled row")),
        n => format!(" ({} not used)", count_of(n, "unlabelled row")),
    };
    let score = report.score.map_or_else(String::new, |ScorePair { clean, fitted, .. }| {
        format!(": {clean:.4} → {fitted:.4} ({:+.4})", fitted - clean)
    });
    let labelled = count_of(report.rows, "labelled row");
    let head = if report.rows == 0 {
        format!("no labels; {}\n\n", count_of(report.unlabelled, "unlabelled row"))
    } else {
        format!("{} on {labelled}{unlabelled}{score}\n\n", report.metric)
    };
    let details = match &report.details {
        Details::Plugin(plugin) => pairs(model, plugin, rows),
        Details::Calibration(fitted) => class_maps(&fitted.map, model, rows) + &calibration(fitted),
        Details::Ascent(report) => class_weights(model, rows) + &ascent(report, model),
        Details::Bagged(bagged) => {
            class_spreads(model, rows, report, bagged) + &refits(bagged, &report.metric)
        }
        Details::Probing(report) => class_rows(model, rows) + &probing(report, model),
        Details::LabelShift(shift) => class_shares(model, rows, shift),
        Details::Auto(_) | Details::Expected(_) => class_rule(model, rows),
        _ => class_rows(model, rows),
    };
    let verdict = model.verdict().map_or_else(String::new, |verdict| format!("{verdict}\n\n"));
    let curve = fitted.learning_curve().map_or_else(String::new, learning_curve);
    verdict + &trials(fitted) + &head + &details + &expected(report) + &constraints(fitted) + &curve
}

/// How far the rule keeps to the constraints.
fn constraints(fitted: &Fitted) -> String {
    if fitted.constraints().is_empty() {
        return String::new();
    }
    let moved = match &fitted.report().details {
        _ if !fitted.is_repaired() => "",
        Details::Bagged(_) => {
            "\n  weights moved for the sake of the constraints; what is said of the refits is from before\n"
        }
        _ => "\n  weights moved from what the method found, for the sake of the constraints\n",
    };
    format!("\n{}{moved}", constraint_table(fitted.constraints()))
}

/// Every constraint, on the rows at hand and with its chance on others.
pub(crate) fn constraint_table(kept: &[Kept]) -> String {
    let columns = [
        ("subject to", Align::Left),
        ("on these rows", Align::Right),
        ("margin", Align::Right),
        ("holds on new rows", Align::Right),
    ];
    let table = kept.iter().map(|kept| {
        let Kept { constraint, value, margin, probability, .. } = kept;
        let percent = 100.0 * probability;
        vec![constraint.clone(), format!("{value:.4}"), format!("{margin:+.4}"), format!("{percent:.1} %")]
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
        let pair = plugin.pairs.iter().find(|pair| pair.class == class);
        let mut row =
            vec![name.clone(), rows[class].to_string(), format!("{:.6}", model.weights().as_slice()[class])];
        row.extend(match pair {
            Some(PairReport { peak, .. }) => [
                format!("{:.6}", peak.alpha),
                format!("{:.4} … {:.4}", peak.plateau[0], peak.plateau[1]),
                format!("{:.4}", peak.score),
                peak.evaluations.to_string(),
            ],
            None if class == plugin.reference => ["", "fixed", "", ""].map(String::from),
            None => ["", "not searched", "", ""].map(String::from),
        });
        row
    });
    let settings = format!(
        "\n  reference \"{}\", search {}, ties {}, absent {}\n",
        model.classes()[plugin.reference],
        plugin.search,
        plugin.ties,
        plugin.absent
    );
    plain_table(&columns, table) + &settings
}

/// What a map does to each class.
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

/// How a map was found.
fn calibration(fitted: &Calibrated) -> String {
    let LogLoss { before, after } = fitted.log_loss;
    let penalty = match fitted.penalty {
        None => String::new(),
        // A method that has only one of them has 0 for the other.
        Some(Strength { lambda, mu }) if lambda <= 0.0 => format!(", penalty mu {mu}"),
        Some(Strength { lambda, mu }) if mu <= 0.0 => format!(", penalty lambda {lambda}"),
        Some(Strength { lambda, mu }) => format!(", penalty lambda {lambda}, mu {mu}"),
    };
    format!("\n  log loss {before:.4} → {after:.4}{penalty}\n")
}

/// How a mixture was found.
fn probing(report: &ProbingReport, model: &Model) -> String {
    let voters = match model.rule().calibration() {
        Some(Calibration::Mixture(mixture)) => mixture.steps().len(),
        _ => 0,
    };
    let epsilon = report.epsilon.map_or_else(String::new, |epsilon| format!("epsilon {epsilon}, "));
    let rounds = count_of(report.iterations as u64, "round");
    format!("\n  {epsilon}{rounds}, {} of factors that vote\n", count_of(voters as u64, "list"))
}

/// The share of each class then and now.
fn class_shares(model: &Model, rows: &[u64], shift: &LabelShiftReport) -> String {
    let mut columns = vec![("class", Align::Left), ("labelled rows", Align::Right)];
    columns.extend(shift.source.as_ref().map(|_| ("source prior", Align::Right)));
    columns.extend([("target prior", Align::Right), ("weight", Align::Right)]);
    let table = model.classes().iter().enumerate().map(|(class, name)| {
        let mut row = vec![name.clone(), rows[class].to_string()];
        row.extend(shift.source.as_ref().map(|source| format!("{:.4}", source[class])));
        row.push(format!("{:.4}", shift.target[class]));
        row.push(format!("{:.6}", model.weights().as_slice()[class]));
        row
    });
    let steps = (shift.iterations > 0).then(|| count_of(shift.iterations as u64, "Newton step"));
    let left_out = (shift.left_out > 0).then(|| {
        let rows = count_of(shift.left_out, "labelled row");
        format!("{rows} left out, whose label has probability 0")
    });
    let words: Vec<String> = steps.into_iter().chain(left_out).collect();
    let words = if words.is_empty() { String::new() } else { format!("\n  {}\n", words.join(", ")) };
    plain_table(&columns, table) + &words
}

/// How a climb went.
fn ascent(report: &AscentReport, model: &Model) -> String {
    let start = report.start.describe(model.classes());
    let evaluations = count_of(report.evaluations as u64, "evaluation");
    format!("\n  {} from {start}, {evaluations}\n", count_of(report.cycles as u64, "round"))
}

/// The weight of each class, and how far the refits are apart.
fn class_spreads(model: &Model, rows: &[u64], report: &Report, bagged: &BaggedReport) -> String {
    let columns = [
        ("class", Align::Left),
        ("rows", Align::Right),
        ("weight", Align::Right),
        ("95 % range", Align::Left),
    ];
    let weights = model.weights().as_slice();
    let table = model.classes().iter().enumerate().map(|(class, name)| {
        let spread = bagged.spread[class];
        let is_searched = rows[class] > 0 && !report.warnings.contains(&Warning::NeverProbable { class });
        let range = format!("{:.6} … {:.6}", spread.low, spread.high);
        let range = if is_searched { range } else { "not searched".into() };
        vec![name.clone(), rows[class].to_string(), format!("{:.6}", weights[class]), range]
    });
    plain_table(&columns, table)
}

/// How the refits went, and what rows say that they did not see.
fn refits(bagged: &BaggedReport, metric: &str) -> String {
    let fewer = if bagged.bags < bagged.asked {
        format!(" (not {}, for the rows are many: --bags {} insists)", bagged.asked, bagged.asked)
    } else {
        String::new()
    };
    let bags = count_of(bagged.bags as u64, "refit");
    let head = format!("\n  {bags}{fewer}, log-weights multiplied by {:.4}\n", bagged.shrinkage);
    let Some(score) = bagged.out_of_bag else {
        return head + "  out of bag: no score, for want of rows that refits did without\n";
    };
    let left_out = match score.left_out {
        0 => String::new(),
        n => format!(", {} left out", count_of(n, "row")),
    };
    let [low, high] = score.gain;
    let gain = score.fitted - score.clean;
    head + &format!(
        "  out of bag, {metric} on {}: {:.4} → {:.4} ({gain:+.4}, 95 % interval {low:+.4} … {high:+.4}){left_out}\n",
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

/// How many rows spoke for each class.
fn class_rows(model: &Model, rows: &[u64]) -> String {
    let table = model.classes().iter().zip(rows).map(|(name, rows)| vec![name.clone(), rows.to_string()]);
    plain_table(&[("class", Align::Left), ("rows", Align::Right)], table)
}

/// Prints the warnings, kind by kind; many of one kind are cut short, the model file has them all.
pub(super) fn warn(screen: &Screen, fitted: &Fitted, classes: &[String], tried_all: bool) {
    let report = fitted.report();
    for of_kind in report.warnings.chunk_by(|a, b| a.kind() == b.kind()) {
        let shown = if of_kind.len() > SHOWN_WARNINGS + 1 { SHOWN_WARNINGS } else { of_kind.len() };
        for warning in &of_kind[..shown] {
            screen.warn(format_args!("{}{}", warning.message(classes), advice(warning, report, tried_all)));
        }
        if let Some(more) = of_kind.get(shown..).filter(|more| !more.is_empty()) {
            screen.warn(format_args!("… and {} more classes likewise ({})", more.len(), more[0].kind()));
        }
    }
}

/// What to do about it here.
fn advice(warning: &Warning, report: &Report, tried_all: bool) -> &'static str {
    let reference = report.plugin().map(|plugin| plugin.reference);
    match *warning {
        Warning::AbsentClass { kept: true, .. }
        | Warning::AveragedClass { .. }
        | Warning::UnknownClass { .. } => "; label some rows of it",
        Warning::AbsentClass { kept: false, .. } => "; --absent keep leaves it in play",
        Warning::NeverProbable { class } if Some(class) == reference => {
            "; as the fixed class it says nothing: try another --reference"
        }
        Warning::NeverProbable { .. } => "; is it the right column?",
        Warning::FewRows { .. } => "; label more rows of it",
        Warning::Unmet { .. } => {
            "; the weights are those that come nearest: ask for less, or for fewer at once"
        }
        Warning::OneClass { .. } => "; label rows of other classes",
        Warning::TooFewRows { .. } => "; label more rows",
        Warning::FlatCurve { .. } => "; for a metric about one class use --reference CLASS",
        Warning::AtBorder { .. } => "; try another --reference, or more rows",
        Warning::NotConverged if matches!(report.details, Details::LabelShift(_)) => {
            "; look for rows with a weight far above the others"
        }
        Warning::NotConverged => "; more rows, or --select cv, may help",
        Warning::BelowClean { .. } => match report.details {
            Details::Calibration(_) | Details::LabelShift(_) => "; it was not made for this metric",
            Details::Plugin(_) if tried_all => {
                ", because each class is tuned alone; try --ties nearest-half, or keep the black box as it is"
            }
            Details::Plugin(_) => {
                ", because each class is tuned alone; try --reference best or --ties nearest-half"
            }
            _ => "; try another method, or keep the black box as it is",
        },
        _ => "",
    }
}
