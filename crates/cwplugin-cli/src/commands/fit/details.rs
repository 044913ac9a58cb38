//! What a method reports about the classes.

use cwplugin::methods::{
    AscentReport, AutoReport, BaggedReport, CalibrationReport, ExpectedReport, LabelShiftReport, LogLoss,
    ProbingReport, SlopeStructure, Strength,
};
use cwplugin::report::PairReport;
use cwplugin::{Calibration, FitReport, Model, PluginReport, Slope, Warning};

use crate::output::{Align, count_of, plain_table};

/// A table of the classes, and a few lines below it.
pub(super) fn details(model: &Model, report: &FitReport, rows: &[u64]) -> String {
    let mut table = ClassTable { model, rows, columns: Vec::new() };
    let notes = if let Some(found) = report.details::<PluginReport>() {
        plugin(&mut table, &found)
    } else if let Some(found) = report.details::<BaggedReport>() {
        bagged(&mut table, report, &found)
    } else if report.details::<AutoReport>().is_some() {
        table.calibration();
        table.weights();
        String::new()
    } else if let Some(found) = report.details::<ExpectedReport>() {
        table.calibration();
        table.weights();
        expected(&found)
    } else if let Some(found) = report.details::<AscentReport>() {
        table.weights();
        let evaluations = count_of(found.evaluations as u64, "evaluation");
        format!("\n  {} from {}, {evaluations}\n", count_of(found.cycles as u64, "cycle"), found.start)
    } else if let Some(found) = report.details::<LabelShiftReport>() {
        label_shift(&mut table, &found)
    } else if let Some(found) = report.details::<ProbingReport>() {
        probing(&found, model)
    } else if let Some(found) = report.details::<CalibrationReport>() {
        table.calibration();
        calibration(&found)
    } else {
        String::new()
    };
    table.text() + &notes
}

/// A row for each class.
struct ClassTable<'a> {
    model: &'a Model,
    /// Labelled rows of each class.
    rows: &'a [u64],
    columns: Vec<(&'static str, Align, Vec<String>)>,
}

impl ClassTable<'_> {
    fn add(&mut self, title: &'static str, align: Align, cell: impl Fn(usize) -> String) {
        self.columns.push((title, align, (0..self.rows.len()).map(cell).collect()));
    }

    fn weights(&mut self) {
        let weights = self.model.weights().as_slice();
        self.add("weight", Align::Right, |class| format!("{:.6}", weights[class]));
    }

    /// Slope and bias, if there is a calibration map.
    fn calibration(&mut self) {
        let Some(Calibration::Affine { map, .. }) = self.model.rule().calibration() else { return };
        self.add("slope", Align::Right, |class| match map.slope() {
            Slope::Diagonal(slopes) => format!("{:.4}", slopes[class]),
            Slope::Matrix(_) => "matrix".into(),
        });
        self.add("bias", Align::Right, |class| format!("{:.4}", map.bias()[class]));
    }

    fn text(&self) -> String {
        let mut header = vec![("class", Align::Left), ("rows", Align::Right)];
        header.extend(self.columns.iter().map(|(title, align, _)| (*title, *align)));
        let table = self.model.classes().iter().enumerate().map(|(class, name)| {
            let cells = self.columns.iter().map(|(.., cells)| cells[class].clone());
            [name.clone(), self.rows[class].to_string()].into_iter().chain(cells).collect()
        });
        plain_table(&header, table)
    }
}

/// The search of each class against the reference.
fn plugin(table: &mut ClassTable, found: &PluginReport) -> String {
    let classes = table.model.classes();
    let pair = |class: usize| found.pairs.iter().find(|pair| pair.class == classes[class]);
    table.weights();
    let cell = |class, text: fn(&PairReport) -> String| pair(class).map(text).unwrap_or_default();
    table.add("alpha", Align::Right, |class| cell(class, |pair| format!("{:.6}", pair.alpha)));
    table.add("plateau", Align::Left, |class| match pair(class) {
        Some(pair) => format!("{:.4}–{:.4}", pair.plateau[0], pair.plateau[1]),
        None if classes[class] == found.reference => "fixed".into(),
        None => "not searched".into(),
    });
    table.add("pair score", Align::Right, |class| cell(class, |pair| format!("{:.4}", pair.score)));
    table.add("evaluations", Align::Right, |class| cell(class, |pair| pair.evaluations.to_string()));
    let PluginReport { reference, search, ties, absent, .. } = found;
    format!("\n  reference \"{reference}\", search {search}, ties {ties}, absent {absent}\n")
}

/// The variation of the weights, and the out-of-bag score.
fn bagged(table: &mut ClassTable, report: &FitReport, found: &BaggedReport) -> String {
    let (classes, rows) = (table.model.classes(), table.rows);
    table.weights();
    table.add("95% of refits", Align::Left, |class| {
        let is_never_probable = |warning: &Warning| {
            warning.kind == "never-probable" && warning.class.as_ref() == Some(&classes[class])
        };
        if rows[class] == 0 || report.warnings.iter().any(is_never_probable) {
            return "not searched".into();
        }
        format!("{:.6}–{:.6}", found.spread[class].low, found.spread[class].high)
    });
    let refits = count_of(found.n_bootstrap as u64, "bootstrap refit");
    let head = format!("\n  {refits}, shrinkage {:.4}\n", found.shrinkage);
    let Some(score) = found.out_of_bag else {
        return head + "  no out-of-bag score: nearly all refits drew every row\n";
    };
    let ignored = match score.unscored_rows {
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

/// The calibration of `expected`.
fn expected(found: &ExpectedReport) -> String {
    let ExpectedReport { slopes, floor, shrinkage, mixing, .. } = found;
    let slopes = match slopes {
        SlopeStructure::Shared => "one slope for all classes",
        SlopeStructure::PerClass => "one slope per class",
        SlopeStructure::Matrix => "a matrix of slopes",
    };
    let mixing = if *mixing > 0.0 { format!(", mixing {mixing}") } else { String::new() };
    format!("\n  {slopes}, probabilities clipped at {floor:.1e}, shrinkage {shrinkage}{mixing}\n")
}

/// The class priors before and now.
fn label_shift(table: &mut ClassTable, found: &LabelShiftReport) -> String {
    if let Some(priors) = &found.source_priors {
        table.add("source prior", Align::Right, |class| format!("{:.4}", priors[class]));
    }
    table.add("target prior", Align::Right, |class| format!("{:.4}", found.target_priors[class]));
    table.weights();
    let steps = (found.iterations > 0).then(|| count_of(found.iterations as u64, "Newton step"));
    let ignored = (found.ignored_rows > 0).then(|| {
        let rows = count_of(found.ignored_rows, "labelled row");
        format!("{rows} ignored: the label has probability 0")
    });
    let notes: Vec<String> = steps.into_iter().chain(ignored).collect();
    if notes.is_empty() { String::new() } else { format!("\n  {}\n", notes.join(", ")) }
}

/// The size of a mixture.
fn probing(found: &ProbingReport, model: &Model) -> String {
    let size = match model.rule().calibration() {
        Some(Calibration::Mixture(mixture)) => mixture.steps().len(),
        _ => 0,
    };
    let epsilon = found.epsilon.map_or_else(String::new, |epsilon| format!("epsilon {epsilon}, "));
    let iterations = count_of(found.iterations as u64, "iteration");
    format!("\n  {epsilon}{iterations}, a mixture of {}\n", count_of(size as u64, "classifier"))
}

/// Log loss and penalty of a calibration.
fn calibration(found: &CalibrationReport) -> String {
    let LogLoss { before, after } = found.log_loss;
    let penalty = match found.penalty {
        None => String::new(),
        // A method with one of them has 0 for the other.
        Some(Strength { lambda, mu }) if lambda <= 0.0 => format!(", penalty mu {mu}"),
        Some(Strength { lambda, mu }) if mu <= 0.0 => format!(", penalty lambda {lambda}"),
        Some(Strength { lambda, mu }) => format!(", penalty lambda {lambda}, mu {mu}"),
    };
    format!("\n  log loss {before:.4} → {after:.4}{penalty}\n")
}
