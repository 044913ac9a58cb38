//! `cwplugin elicit`: weights from a number that only deploying them can tell.

mod file; // the session on the disk
mod show; // what the user reads
mod start; // the first step
mod request; // from flags to a session
mod run; // all steps in one, where a program answers

use std::path::Path;

use cwplugin::{Session, SessionError};
use serde_json::json;

use crate::args::{Ask, Common, Elicit, Finish, Status, Tell};
use crate::atomic::write_file;
use crate::output::{Screen, refuse_replacing};
use crate::refusal::Refusal;
use crate::table::is_stream;
use file::SessionFile;

pub(crate) fn run(elicit: &Elicit, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    match elicit {
        Elicit::Start(args) => start::run(args, common, screen),
        Elicit::Ask(args) => ask(args, common, screen),
        Elicit::Tell(args) => tell(args, common, screen),
        Elicit::Status(args) => status(args, common, screen),
        Elicit::Finish(args) => finish(args, common, screen),
        Elicit::Run(args) => run::run(args, common, screen),
    }
}

fn ask(args: &Ask, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    let mut file = SessionFile::open(&args.session)?;
    let asked = file.session.queries().len();
    let queries = file.session.ask(args.batch.into())?;
    if file.session.queries().len() > asked {
        file.save()?; // before anybody deploys it
    }
    if common.json {
        let list: Vec<_> = queries
            .iter()
            .map(|query| json!({"id": query.id, "weights": query.weights.as_slice(), "repeat": query.repeat}))
            .collect();
        return screen.json(&json!({
            "done": queries.is_empty(), "classes": file.session.classes(), "queries": list,
        }));
    }
    screen.print(show::queries(&file.session, &queries))?;
    let name = args.session.display();
    match queries.first() {
        Some(query) => screen.note(format_args!(
            "hint: deploy them, then say what they are worth: cwplugin elicit tell {name} {} VALUE",
            query.id
        )),
        None => {
            screen.note(format_args!("hint: cwplugin elicit finish {name} -o model.json writes the model"));
        }
    }
    Ok(())
}

fn tell(args: &Tell, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    let mut file = SessionFile::open(&args.session)?;
    let before = file.session.clone();
    file.session.tell(args.id, args.value, args.se).map_err(|error| refuse(&error, args))?;
    if file.session == before {
        screen.note(format_args!("query {} was told so before: it counts once", args.id));
    } else {
        file.save()?;
    }
    if common.json {
        screen.json(&show::status_json(&file.session)?)?;
    }
    Ok(())
}

fn status(args: &Status, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    let session = file::read(&args.session)?;
    if common.json {
        return screen.json(&show::status_json(&session)?);
    }
    screen.print(show::status(&session)?)
}

fn finish(args: &Finish, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    refuse_replacing(args.output.as_deref(), &[(&args.session, "the session")])?;
    let session = file::read(&args.session)?;
    if session.elicited()?.queries == 0 {
        return Err(Refusal::new(format!("{}: nothing was told yet", args.session.display()))
            .hint("`cwplugin elicit ask` says what to deploy, `cwplugin elicit tell` takes what it is worth")
            .into());
    }
    hand_over(&session, args.output.as_deref(), common, screen)
}

/// Writes and shows the model of a session.
fn hand_over(
    session: &Session,
    output: Option<&Path>,
    common: &Common,
    screen: &Screen,
) -> anyhow::Result<()> {
    let model = session.model()?;
    let to_stdout = output.is_some_and(is_stream);
    let output = output.filter(|path| !is_stream(path));
    if let Some(path) = output {
        write_file(path, model.to_json().as_bytes())?;
    }
    if common.json || to_stdout {
        screen.print(model.to_json())?;
    } else {
        screen.print(show::status(session)?)?;
    }
    warn_unfinished(session, session.elicited()?.is_done, screen);
    match output {
        Some(path) => screen.note(format_args!("wrote {}", path.display())),
        None if !common.json && !to_stdout => {
            screen.note("hint: -o model.json keeps the model for `cwplugin apply`");
        }
        None => (),
    }
    Ok(())
}

fn warn_unfinished(session: &Session, is_done: bool, screen: &Screen) {
    if is_done {
        return;
    }
    let (answered, budget) = (show::answered(session), session.recipe().budget());
    screen.warn(if answered >= budget {
        format!(
            "the budget of {budget} queries is used up before the weights are as precise as they were to be"
        )
    } else {
        format!("the search is not finished: {answered} of at most {budget} queries are answered")
    });
}

fn refuse(error: &SessionError, args: &Tell) -> Refusal {
    let name = args.session.display();
    let refusal = Refusal::new(format!("{name}: {error}"));
    match error {
        SessionError::UnknownQuery { open, .. } if open.is_empty() => {
            refusal.hint(format!("no query waits for an answer: cwplugin elicit ask {name}"))
        }
        SessionError::UnknownQuery { open, .. } => {
            let open: Vec<String> = open.iter().map(u64::to_string).collect();
            refusal.hint(format!("these wait for an answer: {}", open.join(", ")))
        }
        SessionError::ToldBefore { .. } => {
            refusal.hint("an answer counts once; for noisy answers give --se, or start with --repeats")
        }
        _ => refusal
            .hint("VALUE is a finite number, larger is better; --se is its standard error, not below 0"),
    }
}
