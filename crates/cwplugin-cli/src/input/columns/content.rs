//! The class columns of a table that does not name them: numbers that sum to 1.

use arrow_array::RecordBatch;
use arrow_schema::Schema;
use cwplugin::Scores;
use cwplugin::data::quoted;

use super::{INDEX_COLUMNS, Request};
use crate::args::From;
use crate::input::values;
use crate::output::shown;
use crate::user_error::UserError;

/// Names, and endings after `_`, of columns that identify rows.
const IDS: [&str; 12] =
    ["id", "ids", "idx", "index", "key", "no", "nr", "row", "rowid", "seq", "timestamp", "uuid"];

/// Rows that are looked at.
const LOOKED_AT: usize = 1000;

/// A column of numbers that may be a class.
struct Candidate {
    name: String,
    column: usize,
    numbers: Vec<f64>,
}

impl Candidate {
    /// Whether the values are whole numbers other than 0 and 1: counts or ids, not probabilities.
    fn is_whole(&self) -> bool {
        let known = || self.numbers.iter().filter(|number| !number.is_nan());
        known().all(|number| number.fract().abs() < f64::EPSILON)
            && known().any(|&number| !(0.0..=1.0).contains(&number))
    }

    fn is_constant(&self) -> bool {
        self.numbers.len() > 1 && self.numbers.windows(2).all(|pair| pair[0].total_cmp(&pair[1]).is_eq())
    }
}

impl Request<'_> {
    /// Class names and columns by the first rows; one column may be enough for two classes. `notes` gets what is left out.
    pub(super) fn classes_by_content(
        &self,
        schema: &Schema,
        first: Option<&RecordBatch>,
        label: Option<usize>,
        taken: &[usize],
        notes: &mut Vec<String>,
    ) -> Result<Vec<(String, usize)>, UserError> {
        let is_free = |i: &usize| {
            let name = schema.field(*i).name();
            !taken.contains(i) && !self.data.id.contains(name) && !INDEX_COLUMNS.contains(&name.as_str())
        };
        let named = |i: usize| (schema.field(i).name().clone(), i);
        let columns: Vec<usize> = (0..schema.fields().len()).filter(is_free).collect();
        let Some(first) = first else { return Ok(columns.into_iter().map(named).collect()) };
        let first = first.slice(0, first.num_rows().min(LOOKED_AT));
        let labels = self.first_labels(Some(&first), label);
        // A column that is named after a label is a class, even if its first value is not a number.
        let may_be_class = |&i: &usize| values::is_numeric(&first, i) || labels.contains(&named(i).0);
        let (numeric, others): (Vec<usize>, Vec<usize>) = columns.into_iter().partition(may_be_class);
        if numeric.is_empty()
            && let Some((i, (value, cure))) =
                others.into_iter().find_map(|i| Some((i, values::why_not_numeric(&first, i)?)))
        {
            let (file, name) = (&self.file, schema.field(i).name());
            let what = format!("{file}: column \"{name}\": \"{}\" is not a number", shown(&value));
            return Err(UserError::new(what).hint(cure));
        }
        let has_comma = self
            .data
            .decimal
            .map_or_else(|| numeric.iter().any(|&i| values::has_comma(&first, i)), |decimal| decimal == ',');
        let numbers = |&i: &usize| {
            let (name, column) = named(i);
            Some(Candidate { name, column, numbers: values::plain_numbers(&first, i, has_comma)? })
        };
        self.check_count(numeric.len())?;
        // A value that is not a number is an error of its own, which names the cell.
        let Some(candidates) = numeric.iter().map(numbers).collect::<Option<Vec<_>>>() else {
            return Ok(numeric.into_iter().map(named).collect());
        };
        self.choose(&candidates, &labels, notes)
    }

    /// The classes among columns of numbers.
    fn choose(
        &self,
        candidates: &[Candidate],
        labels: &[String],
        notes: &mut Vec<String>,
    ) -> Result<Vec<(String, usize)>, UserError> {
        let all: Vec<&Candidate> = candidates.iter().filter(|candidate| !is_id(&candidate.name)).collect();
        let is_votes = self.data.replies.from == Some(From::Votes);
        let are_counts = is_votes || all.iter().all(|candidate| candidate.is_whole());
        let plain: Vec<&Candidate> =
            all.iter().copied().filter(|candidate| are_counts || !candidate.is_whole()).collect();
        let varying: Vec<&Candidate> =
            plain.iter().copied().filter(|candidate| !candidate.is_constant()).collect();
        let without = |left_out: usize| -> Vec<&Candidate> {
            let others = plain.iter().enumerate().filter(|(place, _)| *place != left_out);
            others.map(|(_, candidate)| *candidate).collect()
        };
        let possible = self.possible_rests(&plain);
        let one_less: Vec<Vec<&Candidate>> = (0..plain.len())
            .filter(|left_out| possible[*left_out])
            .map(without)
            .filter(|subset| self.is_certain(subset))
            .take(2) // with two, neither is the only one
            .collect();
        // Any columns would do.
        let is_free = self.data.normalize || self.data.replies.from.is_some();
        let is_label = |candidate: &&Candidate| labels.contains(&candidate.name);
        let are_labels = labels.is_empty() || plain.iter().all(is_label);
        let classes = if self.is_certain(&all) || !labels.is_empty() && all.iter().all(is_label) {
            all
        } else if self.is_certain(&plain) {
            plain
        } else if self.is_certain(&varying) {
            varying
        } else if let [only] = &one_less[..] {
            only.clone()
        } else if plain.len() == all.len() && (are_labels || !is_free) || plain.len() == 1 && !is_free {
            plain // if a row does not sum to 1, the error names it; one column is enough for two classes
        } else {
            return Err(self.uncertain(candidates, &plain, labels));
        };
        let is_left_out =
            |candidate: &&Candidate| classes.iter().all(|class| class.column != candidate.column);
        let left_out: Vec<&String> =
            candidates.iter().filter(is_left_out).map(|candidate| &candidate.name).collect();
        // For one column, the note is about its class.
        if !left_out.is_empty() && classes.len() > 1 {
            let names: Vec<&str> = classes.iter().map(|class| class.name.as_str()).collect();
            notes.push(format!(
                "the class columns are {}, not {}; --classes {} confirms it",
                quoted(&names),
                quoted(left_out),
                names.join(",")
            ));
        }
        Ok(classes.iter().map(|class| (class.name.clone(), class.column)).collect())
    }

    /// For every column, whether the others might be certain by their sums: a quick look, so that not all columns are added up for
    /// each of them.
    fn possible_rests(&self, columns: &[&Candidate]) -> Vec<bool> {
        let is_log = self.data.scores == Some(Scores::Logprobs);
        let value = |number: f64| match number {
            number if number.is_nan() => 0.0,
            number if is_log => number.exp(),
            number => number,
        };
        let n = columns.first().map_or(0, |column| column.numbers.len());
        let mut possible = vec![true; columns.len()];
        for row in 0..n {
            let sum: f64 = columns.iter().map(|column| value(column.numbers[row])).sum();
            let size: f64 = columns.iter().map(|column| value(column.numbers[row]).abs()).sum();
            let rounding = size * 1e-9;
            for (possible, column) in possible.iter_mut().zip(columns) {
                let rest = sum - value(column.numbers[row]);
                let is_near = |whole: f64, slack: f64| (rest - whole).abs() <= slack + rounding;
                *possible &= is_near(1.0, 0.02) || is_near(100.0, 1.0) || !rest.is_finite();
            }
        }
        possible
    }

    /// Whether these columns must be the classes: every row sums to 1, or to 100 for percentages.
    fn is_certain(&self, columns: &[&Candidate]) -> bool {
        let scores = self.data.scores;
        if columns.len() < 2 || self.data.normalize || scores == Some(Scores::Logits) {
            return false; // any columns would do
        }
        let value = |number: f64| if scores == Some(Scores::Logprobs) { number.exp() } else { number };
        let is_percent = matches!(scores, None | Some(Scores::Percentages));
        let is_one = scores != Some(Scores::Percentages);
        (0..columns[0].numbers.len()).all(|row| {
            let numbers = columns.iter().map(|column| value(column.numbers[row]));
            let sum: f64 = numbers.filter(|number| !number.is_nan()).sum();
            is_one && (sum - 1.0).abs() <= 0.02 || is_percent && (sum - 100.0).abs() <= 1.0
        })
    }

    fn uncertain(&self, candidates: &[Candidate], plain: &[&Candidate], labels: &[String]) -> UserError {
        let names = quoted(candidates.iter().map(|candidate| &candidate.name));
        let what = format!("{}: which of the columns {names} are classes is not certain", self.file);
        let has = |name: &str| candidates.iter().any(|candidate| candidate.name == name);
        let prefix = candidates.iter().find_map(|candidate| {
            let prefixes = labels.iter().filter_map(|label| candidate.name.strip_suffix(label.as_str()));
            let is_of_all = |prefix: &&str| labels.iter().all(|label| has(&format!("{prefix}{label}")));
            prefixes.into_iter().find(|prefix| !prefix.is_empty() && is_of_all(prefix))
        });
        if let Some(prefix) = prefix.filter(|_| labels.len() > 1) {
            return UserError::new(what)
                .hint(format!("name the beginning of the class columns: --prefix {prefix}"));
        }
        let labelled: Vec<&str> = labels.iter().map(String::as_str).filter(|label| has(label)).collect();
        let likely = match plain {
            _ if labelled.len() > 1 => labelled,
            [_, _, ..] => plain.iter().map(|class| class.name.as_str()).collect(),
            _ => vec!["A", "B"],
        };
        UserError::new(what).hint(format!("name the classes, for example --classes {}", likely.join(",")))
    }
}

/// Whether the name of a column says that it identifies rows: `id`, `user_id`, `rowId`.
fn is_id(name: &str) -> bool {
    let lower = name.to_lowercase();
    let is_camel = name.strip_suffix("Id").or(name.strip_suffix("ID")).is_some_and(|rest| !rest.is_empty());
    is_camel || IDS.contains(&lower.rsplit(['_', '-', ' ', '.']).next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::is_id;

    #[test]
    fn ids_are_recognised_by_name() {
        for name in ["id", "ID", "user_id", "rowId", "customer.key", "row"] {
            assert!(is_id(name), "{name}");
        }
        for name in ["paid", "spam", "idle", "a", "arrow"] {
            assert!(!is_id(name), "{name}");
        }
    }
}
