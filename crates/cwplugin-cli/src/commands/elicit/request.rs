//! From flags to a session: which classes, which rows to look at, and how to ask.

use std::path::Path;

use cwplugin::{Elicitation, Error, Mode, Probabilities, Session};

use crate::args::{Asking, Data};
use crate::input::{Columns, Input, Labels, Want, quoted};
use crate::output::Screen;
use crate::refusal::Refusal;

/// So many rows show where weights make a difference; the session holds them.
const POPULATION: usize = 1_000;

/// How a user wants to elicit weights.
pub(crate) struct Request<'a> {
    /// A table to look at; else the classes must be named.
    pub(crate) predictions: Option<&'a Path>,
    pub(crate) data: &'a Data,
    pub(crate) budget: u32,
    pub(crate) reference: Option<&'a str>,
    pub(crate) asking: &'a Asking,
}

impl Request<'_> {
    /// The session as it begins.
    pub(crate) fn session(&self, screen: &Screen) -> anyhow::Result<Session> {
        let (classes, population) = match self.predictions {
            Some(path) => self.predictions(path, screen)?,
            None => (self.data.classes.clone().unwrap_or_default(), None),
        };
        let recipe = self.recipe(&classes, population).map_err(|error| self.refuse(&error, &classes))?;
        Ok(Session::start(classes.clone(), recipe).map_err(|error| self.refuse(&error, &classes))?)
    }

    fn recipe(&self, classes: &[String], population: Option<Probabilities>) -> Result<Elicitation, Error> {
        let Asking { mode, quasi_concave, repeats, precision } = *self.asking;
        let mode = mode.map_or(Mode::Safe, Mode::from);
        let mut recipe = Elicitation::new(classes.len(), mode, self.budget as usize)?
            .quasi_concave(quasi_concave)
            .repeats(repeats.unwrap_or(1).into());
        if let Some(name) = self.reference {
            let unknown = Error::UnknownReference { class: classes.len(), classes: classes.len() };
            let place = if name == "last" && !classes.iter().any(|class| class == name) {
                Some(classes.len() - 1)
            } else {
                classes.iter().position(|class| class == name.strip_prefix("class:").unwrap_or(name))
            };
            recipe = recipe.reference(place.ok_or(unknown)?)?;
        }
        if let Some(precision) = precision {
            recipe = recipe.precision(precision)?;
        }
        if let Some(population) = population {
            recipe = recipe.population(population)?;
        }
        Ok(recipe)
    }

    /// The classes of a table, and some of its rows, evenly spread.
    fn predictions(
        &self,
        path: &Path,
        screen: &Screen,
    ) -> anyhow::Result<(Vec<String>, Option<Probabilities>)> {
        let want = Want { labels: Labels::Ignored, columns: Columns::Meaningful, ..Want::LABELLED };
        let input = Input::open(path, self.data, want)?;
        let (name, classes) = (input.name().to_string(), input.classes().to_vec());
        let mut progress = screen.progress("reading");
        let sample = input.read_all(&mut progress)?;
        drop(progress);
        let n = sample.n_rows();
        if n == 0 {
            return Err(Refusal::new(format!("{name}: has no rows"))
                .hint("name the --classes instead")
                .into());
        }
        let kept = n.min(POPULATION);
        let values = (0..kept).flat_map(|i| sample.probabilities().row(i * n / kept)).collect();
        let population = Probabilities::new(values, classes.len())?;
        Ok((classes, Some(population)))
    }

    fn refuse(&self, error: &Error, classes: &[String]) -> Refusal {
        let names = || quoted(classes.iter().map(String::as_str));
        match error {
            Error::BadBudget { least, .. } => Refusal::usage(format!("--budget {}: {error}", self.budget))
                .hint(format!("give at least {least}")),
            Error::BadPrecision { value } => Refusal::usage(format!("--precision {value}: {error}"))
                .hint("0.0005 is the default of restricted queries, 0.01 that of safe ones"),
            Error::UnknownReference { .. } => {
                Refusal::usage(format!("--reference {}: unknown class", self.reference.unwrap_or_default()))
                    .hint(format!("write last or one of {}", names()))
            }
            Error::TooFewClasses { .. } => Refusal::usage(format!("--classes: {error}"))
                .hint("name all classes, in the order of the weights"),
            _ => Refusal::usage(error.to_string()).hint("name every class once: --classes a,b,c"),
        }
    }
}
