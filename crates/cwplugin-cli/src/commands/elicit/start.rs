//! `cwplugin elicit start`.

use std::path::Path;

use cwplugin::{Elicitation, Error, Probabilities, Session};

use crate::args::{Common, Start};
use crate::atomic::AtomicFile;
use crate::input::{Columns, Input, Labels, Want, quoted};
use crate::output::Screen;
use crate::refusal::Refusal;

/// So many rows show where weights make a difference; the session holds them.
const CROWD: usize = 1_000;

pub(super) fn run(args: &Start, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    if args.output.exists() {
        return Err(Refusal::usage(format!("-o {}: it exists, and may hold answers", args.output.display()))
            .hint("give the session a name of its own")
            .into());
    }
    let (classes, crowd) = match &args.predictions {
        Some(path) => predictions(path, args, screen)?,
        None => (args.data.classes.clone().unwrap_or_default(), None),
    };
    let recipe = recipe(args, &classes, crowd).map_err(|error| refuse(&error, args, &classes))?;
    let session = Session::start(classes.clone(), recipe).map_err(|error| refuse(&error, args, &classes))?;
    AtomicFile::create(&args.output)?.write_whole(session.to_json().as_bytes())?;
    if common.json {
        screen.json(&super::show::status_json(&session)?)?;
    } else {
        screen.print(plan(&session))?;
    }
    screen.note(format_args!("wrote {}", args.output.display()));
    if !common.json {
        screen.note(format_args!(
            "hint: cwplugin elicit ask {} says what to deploy first",
            args.output.display()
        ));
    }
    Ok(())
}

fn recipe(args: &Start, classes: &[String], crowd: Option<Probabilities>) -> Result<Elicitation, Error> {
    let mut recipe = Elicitation::new(classes.len(), args.mode.into(), args.budget as usize)?
        .quasi_concave(args.quasi_concave)
        .repeats(args.repeats.into());
    if let Some(name) = &args.reference {
        let unknown = Error::UnknownReference { class: classes.len(), classes: classes.len() };
        let place = if name == "last" && !classes.contains(name) {
            Some(classes.len() - 1)
        } else {
            classes.iter().position(|class| class == name.strip_prefix("class:").unwrap_or(name))
        };
        recipe = recipe.reference(place.ok_or(unknown)?)?;
    }
    if let Some(precision) = args.precision {
        recipe = recipe.precision(precision)?;
    }
    if let Some(crowd) = crowd {
        recipe = recipe.crowd(crowd)?;
    }
    Ok(recipe)
}

/// The classes of a table, and some of its rows, evenly spread.
fn predictions(
    path: &Path,
    args: &Start,
    screen: &Screen,
) -> anyhow::Result<(Vec<String>, Option<Probabilities>)> {
    let want = Want { labels: Labels::Ignored, columns: Columns::Meaningful, ..Want::LABELLED };
    let input = Input::open(path, &args.data, want)?;
    let (name, classes) = (input.name().to_string(), input.classes().to_vec());
    let mut progress = screen.progress("reading");
    let sample = input.read_all(&mut progress)?;
    drop(progress);
    let n = sample.n_rows();
    if n == 0 {
        return Err(Refusal::new(format!("{name}: has no rows")).hint("name the --classes instead").into());
    }
    let kept = n.min(CROWD);
    let values = (0..kept).flat_map(|i| sample.probabilities().row(i * n / kept)).collect();
    let crowd = Probabilities::new(values, classes.len())?;
    Ok((classes, Some(crowd)))
}

/// What it will take.
fn plan(session: &Session) -> String {
    let recipe = session.recipe();
    let fixed = &session.classes()[recipe.fixed()];
    let (budget, others) = (recipe.budget(), session.classes().len() - 1);
    match recipe.count() {
        Some(count) if count < budget => {
            format!("{others} classes against \"{fixed}\": {count} queries, {} for each\n", count / others)
        }
        Some(_) => format!(
            "{others} classes against \"{fixed}\": all of the {budget} queries, about {} for each, and alpha less \
             precisely than was asked for\n",
            budget / others
        ),
        None => format!("{others} classes against \"{fixed}\": at most {budget} queries\n"),
    }
}

fn refuse(error: &Error, args: &Start, classes: &[String]) -> Refusal {
    let names = || quoted(classes.iter().map(String::as_str));
    match error {
        Error::BadBudget { least, .. } => Refusal::usage(format!("--budget {}: {error}", args.budget))
            .hint(format!("give at least {least}")),
        Error::BadPrecision { value } => Refusal::usage(format!("--precision {value}: {error}"))
            .hint("0.0005 is the default of restricted queries, 0.01 that of safe ones"),
        Error::UnknownReference { .. } => Refusal::usage(format!(
            "--reference {}: there is no such class",
            args.reference.as_deref().unwrap_or_default()
        ))
        .hint(format!("write last or one of {}", names())),
        Error::TooFewClasses { .. } => Refusal::usage(format!("--classes: {error}"))
            .hint("name all classes, in the order of the weights"),
        _ => Refusal::usage(error.to_string()).hint("name every class once: --classes a,b,c"),
    }
}
