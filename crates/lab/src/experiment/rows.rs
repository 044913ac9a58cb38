//! The rows of a task, from its files or from a generator.

use std::path::Path;

use anyhow::Context as _;
use cwplugin::methods::Logistic;
use cwplugin::{Features, Probabilities, Sample};
use cwplugin_cli::compare::read_split;
use cwplugin_cli::{Screen, UserError, for_each_row};

use super::tasks::{Embeddings, Rows};

/// Share of test rows of a census table; stored predictions have a column for the split.
const TEST_SHARE: f64 = 0.2;

const INCOMES: [&str; 3] = ["up to 30,000", "30,001 to 50,000", "above 50,000"];

/// Class names, the rows to draw from and the test rows.
pub(super) type Loaded = (Vec<String>, Sample, Sample);

impl Rows {
    /// The file with the rows, if they are in one.
    pub(super) fn file(&self) -> Option<&'static str> {
        match self {
            Self::Predictions { file, .. } | Self::Census { file, .. } => Some(file),
            Self::Generated(_) => None,
        }
    }

    /// All files, the one with the rows first.
    pub(super) fn files(&self) -> Vec<&'static str> {
        let mut files: Vec<&str> = self.file().into_iter().collect();
        if let Self::Predictions { embeddings, .. } = self {
            files.extend(embeddings.files());
        }
        files
    }

    pub(super) fn read(&self, folder: &Path, seed: u64, screen: &Screen) -> anyhow::Result<Loaded> {
        match self {
            Self::Predictions { file, embeddings } => {
                predictions(&folder.join(file), embeddings, folder, screen)
            }
            Self::Census { file, features } => census(&folder.join(file), features, seed),
            Self::Generated(generated) => generated.rows(seed),
        }
    }
}

fn predictions(
    path: &Path,
    embeddings: &Embeddings,
    folder: &Path,
    screen: &Screen,
) -> anyhow::Result<Loaded> {
    let features: Vec<String> =
        embeddings.files().iter().map(|file| folder.join(file).to_string_lossy().into_owned()).collect();
    let (classes, pool, test) = read_split(path, ("split", "test"), &features, screen)?;
    match embeddings {
        Embeddings::OfPair(..) => Ok((classes, compared(pool)?, compared(test)?)),
        _ => Ok((classes, pool, test)),
    }
}

/// Two sentences u and v, side by side, become [u, v, |u−v|, u·v].
fn compared(sample: Sample) -> anyhow::Result<Sample> {
    let features = sample.features().context("pairs of sentences have embeddings")?;
    let width = features.n_columns() / 2;
    let mut all = Vec::with_capacity(features.n_rows() * width * 4);
    for row in 0..features.n_rows() {
        let row: Vec<f64> = features.row(row).collect();
        let (u, v) = row.split_at(width);
        let pairs = || u.iter().zip(v);
        let numbers = u.iter().chain(v).copied();
        let numbers = numbers.chain(pairs().map(|(u, v)| (u - v).abs())).chain(pairs().map(|(u, v)| u * v));
        all.extend(numbers.map(|number| number as f32)); // stored in half precision
    }
    Ok(sample.with_features(Features::from_f32(all, width * 4)?)?)
}

/// Trains a black box on California and predicts Texas.
fn census(path: &Path, names: &[&str], seed: u64) -> anyhow::Result<Loaded> {
    let table = People::read(path, names)?;
    let (california, texas) = (table.of_state("CA")?, table.of_state("TX")?);
    let n = california.labels.len();
    let uniform = Probabilities::new(vec![1.0 / 3.0; n * INCOMES.len()], INCOMES.len())?;
    let source = Sample::new(uniform, california.labels)?;
    // As scikit-learn's C = 1: a ridge of 1 on the sum of the losses.
    let black_box = Logistic::with_lambda(1.0 / n as f64)?.learn(&source, &california.features, seed)?;
    let probabilities = black_box.map.apply_to_features(&texas.features)?;
    let sample = Sample::new(probabilities, texas.labels)?.with_features(texas.features)?;
    let (pool, test) = sample.split(TEST_SHARE, seed)?;
    Ok((INCOMES.map(String::from).to_vec(), pool, test))
}

/// A census table: state, class and features of every person.
struct People {
    file: String,
    names: Vec<String>,
    states: Vec<String>,
    labels: Vec<Option<usize>>,
    numbers: Vec<f64>,
}

/// The people of one state.
struct State {
    labels: Vec<Option<usize>>,
    features: Features,
}

impl People {
    fn read(path: &Path, names: &[&str]) -> anyhow::Result<Self> {
        const HINT: &str = "experiments/README.md describes the census tables";
        let mut people = Self {
            file: path.display().to_string(),
            names: names.iter().map(|name| (*name).to_string()).collect(),
            states: Vec::new(),
            labels: Vec::new(),
            numbers: Vec::new(),
        };
        let columns = [&["state", "y3"], names].concat();
        for_each_row(path, &columns, HINT, |row, cells| {
            let refuse = |name: &str, fact: String| {
                UserError::new(format!("{}: row {}, column \"{name}\": {fact}", path.display(), row + 1))
                    .hint(HINT)
            };
            let (state, income) = (cells[0], cells[1]);
            let class = income.parse().ok().filter(|class: &usize| *class < INCOMES.len());
            if class.is_none() && !income.is_empty() {
                return Err(refuse("y3", format!("\"{income}\" is not 0, 1 or 2")).into());
            }
            people.states.push(state.to_string());
            people.labels.push(class);
            for (name, text) in names.iter().zip(&cells[2..]) {
                let number = text.parse().ok().filter(|number: &f64| number.is_finite());
                let refuse = || refuse(name, format!("\"{text}\" is not a finite number"));
                people.numbers.push(number.ok_or_else(refuse)?);
            }
            Ok(())
        })?;
        Ok(people)
    }

    fn of_state(&self, state: &str) -> anyhow::Result<State> {
        let d = self.names.len();
        let rows = (0..self.states.len()).filter(|&row| self.states[row] == state);
        let (labels, numbers): (Vec<_>, Vec<_>) =
            rows.map(|row| (self.labels[row], &self.numbers[row * d..(row + 1) * d])).unzip();
        if labels.is_empty() {
            let what = format!("{}: no row has \"{state}\" in column \"state\"", self.file);
            return Err(UserError::new(what).hint("a census table has rows of CA and of TX").into());
        }
        Ok(State { labels, features: Features::new(numbers.concat(), d)?.with_names(self.names.clone())? })
    }
}
