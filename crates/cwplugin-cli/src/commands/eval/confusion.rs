//! Confusion matrices, or the largest confusions of many classes.

use cwplugin::{Confusion, Evaluation, Side};

use super::tables::count;
use crate::output::{Align, Table, count_of, one_line, shortened};

/// Matrices of more classes are hard to read.
const MOST_CLASSES: usize = 12;

/// Confusions that are listed.
const LISTED: usize = 15;

/// Columns of the list beside both names: spaces, an arrow and numbers up to `12345 (100%)`.
const BESIDE_NAMES: usize = 34;

/// Both names together are not made shorter than this.
const SHORTEST_NAMES: usize = 16;

/// What is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    /// The whole matrices.
    Full,
    /// The largest confusions, if the matrices have many classes or are too wide.
    Largest,
}

/// The matrices before and after, or the largest confusions.
pub(super) fn text(evaluation: &Evaluation, shown: Shown, width: usize) -> String {
    let names = [("unadjusted", Side::Clean), ("fitted", Side::Fitted)];
    let sides = &names[..if evaluation.has_model { 2 } else { 1 }];
    let confusions: Vec<Confusion> =
        sides.iter().map(|(_, side)| evaluation.outcomes.confusion(*side)).collect();
    let list = || largest(&evaluation.classes, &confusions, width);
    if shown == Shown::Largest && evaluation.classes.len() > MOST_CLASSES {
        return list();
    }
    let tables = |names: Names| -> Vec<Table> {
        confusions.iter().map(|confusion| matrix(&evaluation.classes, confusion, names)).collect()
    };
    let fit = |tables: &[Table]| tables.iter().all(|table| table.fits(width));
    let mut tables_shown = tables(Names::Whole);
    if !fit(&tables_shown) {
        tables_shown = tables(Names::Short);
        if shown == Shown::Largest && !fit(&tables_shown) {
            return list();
        }
    }
    let titled = sides.iter().zip(tables_shown);
    let titled =
        titled.map(|((name, _), table)| format!("  confusion matrix, {name}\n{}", table.to_text(width)));
    titled.collect::<Vec<_>>().join("\n")
}

/// Names of classes in a matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Names {
    Whole,
    /// At most 10 columns wide, which is as much as a number may need.
    Short,
}

fn matrix(classes: &[String], confusion: &Confusion, names: Names) -> Table {
    let longest = if names == Names::Whole { usize::MAX } else { 10 };
    let titles: Vec<String> = classes.iter().map(|class| shortened(&one_line(class), longest)).collect();
    let mut columns = vec![("truth ╲ predicted", Align::Name)];
    columns.extend(titles.iter().map(|title| (title.as_str(), Align::Right)));
    let rows = classes.iter().zip(confusion.rows()).map(|(class, counts)| {
        let name = shortened(&one_line(class), longest.saturating_mul(2));
        std::iter::once(name).chain(counts.iter().map(|&n| count(n))).collect()
    });
    Table::new(&columns, rows)
}

/// The pairs of classes that are confused most, before or after.
fn largest(classes: &[String], confusions: &[Confusion], width: usize) -> String {
    let m = classes.len();
    let most = |truth: usize, predicted: usize| {
        confusions.iter().map(|confusion| confusion.get(truth, predicted)).fold(0.0, f64::max)
    };
    let pairs = (0..m).flat_map(|truth| (0..m).map(move |predicted| (truth, predicted)));
    let mut pairs: Vec<(usize, usize)> =
        pairs.filter(|&(truth, predicted)| truth != predicted && most(truth, predicted) > 0.0).collect();
    if pairs.is_empty() {
        return "  no confusions: every prediction is correct\n".into();
    }
    // A stable sort: equal counts stay in the order of the classes.
    pairs.sort_by(|a, b| most(b.0, b.1).total_cmp(&most(a.0, a.1)));
    let all = pairs.len();
    pairs.truncate(LISTED);

    let mut columns = vec![("truth", Align::Name), ("predicted", Align::Name)];
    columns
        .extend(["unadjusted", "fitted"].into_iter().take(confusions.len()).map(|side| (side, Align::Right)));
    let longest = width.saturating_sub(BESIDE_NAMES).max(SHORTEST_NAMES) / 2;
    let rows = pairs.iter().map(|&(truth, predicted)| {
        let name = |class: usize| shortened(&one_line(&classes[class]), longest);
        let mut row = vec![name(truth), format!("→ {}", name(predicted))];
        row.extend(confusions.iter().map(|confusion| {
            let n = confusion.get(truth, predicted);
            format!("{} ({:.0}%)", count(n), 100.0 * n / confusion.class(truth).truth)
        }));
        row
    });
    let table = Table::new(&columns, rows).to_text(width);
    let title = if pairs.len() < all { "largest confusions" } else { "confusions" };
    let listed = if pairs.len() < all { format!("{} of {all}", pairs.len()) } else { count_of(all, "pair") };
    let title = format!("{title}: rows and share of the true class");
    format!("  {title}\n{table}\n  {listed}; --full prints the {m} × {m} matrix\n")
}
