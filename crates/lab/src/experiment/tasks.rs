//! The tasks: file, black box, label shift and noise. All were fixed before any method was run, except for those with a noisy
//! target, which repeat the noise tasks in the other reading of the paper.

use cwplugin::compare::NoiseIn;

use super::generated::Generated;

/// One experiment.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) black_box: &'static str,
    pub(super) rows: Rows,
    /// `CLASS,…:SHARE`: rows to delete from the pool and the test rows.
    pub(super) shift: Option<&'static str>,
    /// `CLASS,…:SHARE`: labels to change.
    pub(super) noise: Option<&'static str>,
    /// Which labels: the paper's text allows both readings.
    pub(super) noise_in: NoiseIn,
}

/// Where the rows of a task come from.
#[derive(Debug)]
pub(super) enum Rows {
    /// Stored predictions with a column `split`, and features for `logistic`.
    Predictions { file: &'static str, embeddings: Embeddings },
    /// A census table: the black box is trained on one state and used in another.
    Census { file: &'static str, features: &'static [&'static str] },
    /// No file: generated rows.
    Generated(Generated),
}

/// Sentence embeddings, row by row.
#[derive(Debug)]
pub(super) enum Embeddings {
    None,
    /// One sentence per row.
    Of(&'static str),
    /// Two sentences u and v per row: [u, v, |u−v|, u·v], as in the black box.
    OfPair(&'static str, &'static str),
}

impl Embeddings {
    pub(super) fn files(&self) -> Vec<&'static str> {
        match self {
            Self::None => Vec::new(),
            Self::Of(file) => vec![file],
            Self::OfPair(first, second) => vec![first, second],
        }
    }
}

const SPACY: &str = "eng-spacysentiment 2.3.0, a third party's bag-of-words classifier";
const AIRLINES: &str = "logistic regression on sentence embeddings, trained on tweets about airlines";
const GO_EMOTIONS: &str = "logistic regression on sentence embeddings, trained on GoEmotions";
const EMOTIONS: &str = "logistic regression on sentence embeddings, trained on GoEmotions, ISEAR and other rows of the target's source";
const NLI: &str = "a small network on sentence embeddings, trained on MultiNLI and ANLI";
const ANLI: [&str; 3] = [
    "stored predictions of the ANLI authors' RoBERTa-large",
    "stored predictions of the ANLI authors' BART-large",
    "stored predictions of the ANLI authors' XLNet-large",
];
const CALIFORNIA: &str = "multinomial logistic regression on standardised features, trained on California";

const POSTERIOR: &str = "the exact posterior of the mixture that the rows are drawn from, under the source's shares of the classes";
const OVERCONFIDENT: &str = "the same exact posterior, its logarithms doubled and renormalised";

/// Two of three classes lose four fifths of their rows.
const SHIFT: Option<&str> = Some("entailment,neutral:0.8");

/// Three fifths of one class have a wrong label.
const NOISE: Option<&str> = Some("entailment:0.6");

const TWEETS: Embeddings = Embeddings::Of("lmtweets.emb.npy");
const EMOTION: Embeddings = Embeddings::Of("lmemotions.emb.npy");

const fn plain(name: &'static str, title: &'static str, black_box: &'static str, rows: Rows) -> Task {
    Task { name, title, black_box, rows, shift: None, noise: None, noise_in: NoiseIn::Sample }
}

const fn predictions(
    name: &'static str,
    title: &'static str,
    black_box: &'static str,
    file: &'static str,
    embeddings: Embeddings,
) -> Task {
    plain(name, title, black_box, Rows::Predictions { file, embeddings })
}

const fn shifted(task: Task) -> Task {
    Task { shift: SHIFT, ..task }
}

const fn noisy(task: Task) -> Task {
    Task { noise: NOISE, ..task }
}

/// The same share of wrong labels in the pool and the test rows: the target itself is noisy.
const fn noisy_target(task: Task) -> Task {
    Task { noise: NOISE, noise_in: NoiseIn::Everywhere, ..task }
}

const fn census(
    name: &'static str,
    title: &'static str,
    file: &'static str,
    features: &'static [&'static str],
) -> Task {
    plain(name, title, CALIFORNIA, Rows::Census { file, features })
}

/// Ten classes; with this many dimensions all draws of the centres are about equally hard.
const TEN: Generated =
    Generated { stream: 1, classes: 10, dimensions: 16, spread: 0.55, source: 0.0, target: 0.5, slope: 1.0 };

/// Fifty classes, further apart so that they are about as easy to distinguish.
const FIFTY: Generated = Generated { stream: 5, classes: 50, spread: 0.8, source: 0.5, target: 0.0, ..TEN };

const fn generated(
    name: &'static str,
    title: &'static str,
    black_box: &'static str,
    rows: Generated,
) -> Task {
    plain(name, title, black_box, Rows::Generated(rows))
}

/// Every task: those of the paper in its order, then those that need no files.
pub(super) const TASKS: &[Task] = &[
    census(
        "acs-income-8feat",
        "Income of Texans, eight features",
        "acs-income-8feat.parquet",
        &["AGEP", "COW", "SCHL", "MAR", "OCCP", "POBP", "SEX", "RAC1P"],
    ),
    census(
        "acs-income-linked",
        "Income of Texans, ten features",
        "acs-income-linked.parquet",
        &["AGEP", "COW", "SCHL", "MAR", "OCCP", "POBP", "RELP", "WKHP", "SEX", "RAC1P"],
    ),
    predictions("lmtweets", "Sentiment of tweets", SPACY, "lmtweets.parquet", TWEETS),
    predictions("lmtweets-minilm", "Sentiment of tweets", AIRLINES, "lmtweets-minilm.parquet", TWEETS),
    predictions("lmemotions", "Emotion of messages", EMOTIONS, "lmemotions.parquet", EMOTION),
    predictions("lmemotions-ood", "Emotion of messages", GO_EMOTIONS, "lmemotions-ood.parquet", EMOTION),
    shifted(anli("anli-shift-roberta", "ANLI, shifted labels", 0)),
    shifted(anli("anli-shift-bart", "ANLI, shifted labels", 1)),
    shifted(anli("anli-shift-xlnet", "ANLI, shifted labels", 2)),
    noisy(anli("anli-noise-roberta", "ANLI, noisy labels", 0)),
    noisy(anli("anli-noise-bart", "ANLI, noisy labels", 1)),
    noisy(anli("anli-noise-xlnet", "ANLI, noisy labels", 2)),
    noisy_target(anli("anli-noise-target-roberta", "ANLI, noisy target", 0)),
    noisy_target(anli("anli-noise-target-bart", "ANLI, noisy target", 1)),
    noisy_target(anli("anli-noise-target-xlnet", "ANLI, noisy target", 2)),
    shifted(predictions(
        "snli-shift",
        "SNLI, shifted labels",
        NLI,
        "snli-test.parquet",
        Embeddings::OfPair("snli-test.emb_u.npy", "snli-test.emb_v.npy"),
    )),
    noisy(snli("snli-noise", "SNLI, noisy labels")),
    noisy_target(snli("snli-noise-target", "SNLI, noisy target")),
    generated("generated-10-mild", "Ten generated classes, uniform to somewhat skewed", POSTERIOR, TEN),
    generated(
        "generated-10-severe",
        "Ten generated classes, the most frequent become the rarest",
        POSTERIOR,
        Generated { stream: 2, source: 1.0, target: -1.0, ..TEN },
    ),
    generated(
        "generated-10-overconfident",
        "Ten generated classes, uniform to somewhat skewed, over-confident",
        OVERCONFIDENT,
        Generated { stream: 3, slope: 2.0, ..TEN },
    ),
    generated(
        "generated-10-none",
        "Ten generated classes, somewhat skewed, no shift",
        POSTERIOR,
        Generated { stream: 4, source: 0.5, ..TEN },
    ),
    generated("generated-50-mild", "Fifty generated classes, somewhat skewed to uniform", POSTERIOR, FIFTY),
    generated(
        "generated-50-severe",
        "Fifty generated classes, the most frequent become the rarest",
        POSTERIOR,
        Generated { stream: 6, source: 1.0, target: -1.0, ..FIFTY },
    ),
];

const fn anli(name: &'static str, title: &'static str, model: usize) -> Task {
    const FILES: [&str; 3] =
        ["anli-roberta-large.parquet", "anli-bart-large.parquet", "anli-xlnet-large.parquet"];
    predictions(name, title, ANLI[model], FILES[model], Embeddings::None)
}

const fn snli(name: &'static str, title: &'static str) -> Task {
    let sentences = Embeddings::OfPair("snli-extra.emb_u.npy", "snli-extra.emb_v.npy");
    predictions(name, title, NLI, "snli-extra.parquet", sentences)
}

/// The tasks of a name: one, those whose names start with it, or all.
pub(super) fn by_name(name: &str) -> Vec<&'static Task> {
    let exact = TASKS.iter().find(|task| task.name == name);
    let begins = |task: &&Task| task.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('-'));
    match (name, exact) {
        ("all", _) => TASKS.iter().collect(),
        (_, Some(task)) => vec![task],
        _ => TASKS.iter().filter(begins).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_task_a_group_or_all() {
        let names = |name: &str| by_name(name).iter().map(|task| task.name).collect::<Vec<_>>();
        assert_eq!(names("lmtweets"), ["lmtweets"]);
        assert_eq!(names("acs-income"), ["acs-income-8feat", "acs-income-linked"]);
        assert_eq!((names("anli-noise").len(), names("anli-noise-target").len()), (6, 3));
        assert_eq!(names("snli-noise"), ["snli-noise"]);
        assert_eq!(names("all").len(), TASKS.len());
        assert_eq!((names("generated").len(), names("generated-50").len()), (6, 2));
        assert!(names("lm").is_empty() && names("").is_empty());
    }
}
