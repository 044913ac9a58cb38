//! From flags to a session.

use std::path::Path;

use cwplugin::data::quoted;
use cwplugin::{Elicitation, Error, Mode, Probabilities, Reference, Session};

use crate::args::{Data, SessionArgs};
use crate::input::{Columns, Input, Labels, Needs};
use crate::output::Screen;
use crate::user_error::UserError;

/// Rows of the table that the session stores, at most.
const POPULATION: usize = 1_000;

/// A new session.
pub(super) fn session(args: &SessionArgs, data: &Data, screen: &Screen) -> anyhow::Result<Session> {
    let (classes, population) = match &args.predictions {
        Some(path) => predictions(path, data, screen)?,
        None => (data.classes.clone().unwrap_or_default(), None),
    };
    let session =
        elicitation(args, &classes, population).and_then(|recipe| Session::start(classes.clone(), recipe));
    Ok(session.map_err(|error| user_error(&error, args, &classes))?)
}

fn elicitation(
    args: &SessionArgs,
    classes: &[String],
    population: Option<Probabilities>,
) -> Result<Elicitation, Error> {
    let mode = args.mode.unwrap_or(Mode::Safe);
    let mut recipe = Elicitation::new(classes.len(), mode, args.budget as usize)?
        .quasi_concave(args.quasi_concave)
        .repeats(args.repeats.unwrap_or(1).into());
    if let Some(name) = &args.reference {
        let unknown = || Error::UnknownReference { class: classes.len(), classes: classes.len() };
        let place = match Reference::by_name(name, classes)? {
            Reference::Last => classes.len().checked_sub(1),
            Reference::Class(class) => Some(class),
            _ => None, // the other words need labels
        };
        recipe = recipe.reference(place.ok_or_else(unknown)?)?;
    }
    if let Some(precision) = args.precision {
        recipe = recipe.precision(precision)?;
    }
    match population {
        Some(population) => recipe.population(population),
        None => Ok(recipe),
    }
}

/// The classes of a table, and some of its rows, evenly spaced.
fn predictions(
    path: &Path,
    data: &Data,
    screen: &Screen,
) -> anyhow::Result<(Vec<String>, Option<Probabilities>)> {
    let needs = Needs { labels: Labels::Ignored, columns: Columns::Meaningful, ..Needs::LABELLED };
    let input = Input::open(path, data, needs, screen)?;
    let classes = input.classes().to_vec();
    let mut progress = screen.progress("reading");
    let sample = input.read_all(&mut progress)?;
    drop(progress);
    let n = sample.n_rows();
    let kept = n.min(POPULATION);
    let values = (0..kept).flat_map(|i| sample.probabilities().row(i * n / kept)).collect();
    let population = Probabilities::new(values, classes.len())?;
    Ok((classes, Some(population)))
}

fn user_error(error: &Error, args: &SessionArgs, classes: &[String]) -> UserError {
    match error {
        Error::BadBudget { least, .. } => UserError::usage(format!("--budget {}: {error}", args.budget))
            .hint(format!("give at least {least}")),
        Error::BadPrecision { value } => UserError::usage(format!("--precision {value}: {error}"))
            .hint("the defaults are 0.0005 for restricted and 0.01 for safe queries"),
        Error::UnknownReference { .. } | Error::UnknownReferenceName { .. } => {
            let name = args.reference.as_deref().unwrap_or_default();
            UserError::usage(format!("--reference {name}: unknown class")).hint(format!(
                "write last or one of {} (class:NAME for a class called last, largest or best)",
                quoted(classes)
            ))
        }
        Error::TooFewClasses { .. } => UserError::usage(format!("--classes: {error}"))
            .hint("name all classes, in the order of the weights"),
        _ => UserError::usage(error.to_string()).hint("name each class once: --classes a,b,c"),
    }
}
