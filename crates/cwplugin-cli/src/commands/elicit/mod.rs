//! `cwplugin elicit`: learn weights for a metric that can only be measured by deploying them.

mod settings; // from flags to a session
mod file; // the session file
mod show; // its text and JSON

use std::path::Path;

use cwplugin::{Session, SessionError};
use serde_json::json;

use crate::args::{Ask, Common, Elicit, Finish, Run, Start, Tell};
use crate::atomic::write_file;
use crate::command::CommandOracle;
use crate::output::{Screen, refuse_replacing};
use crate::table::is_stream;
use crate::user_error::UserError;
use file::SessionFile;

pub(crate) fn run(elicit: &Elicit, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    match elicit {
        Elicit::Start(args) => start(args, common, screen),
        Elicit::Ask(args) => ask(args, common, screen),
        Elicit::Tell(args) => tell(args, common, screen),
        Elicit::Status { session } => status(session, common, screen),
        Elicit::Finish(args) => finish(args, common, screen),
        Elicit::Run(args) => run_program(args, common, screen),
    }
}

fn start(args: &Start, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    SessionFile::refuse_existing(&args.output)?; // before the work
    let session = settings::session(&args.session, &args.data, screen)?;
    SessionFile::create(&args.output, &session)?;
    if common.json {
        screen.json(&show::status_json(&session)?)?;
    } else {
        screen.print(show::plan(&session))?;
    }
    screen.note_written(&args.output);
    if !common.json {
        let name = args.output.display();
        screen.note(format_args!("hint: get the first weights with cwplugin elicit ask {name}"));
    }
    Ok(())
}

fn ask(args: &Ask, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    let mut file = SessionFile::open(&args.session)?;
    let queries = file.session.ask(args.batch.into())?;
    file.save()?; // before the weights are deployed
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
            "hint: deploy the weights, then record the measured value: cwplugin elicit tell {name} {} VALUE",
            query.id
        )),
        None => {
            screen
                .note(format_args!("hint: write the model with cwplugin elicit finish {name} -o model.json"));
        }
    }
    Ok(())
}

fn tell(args: &Tell, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    let mut file = SessionFile::open(&args.session)?;
    file.session.tell(args.id, args.value, args.se).map_err(|error| user_error(&error, args))?;
    if !file.save()? {
        screen.note(format_args!("query {} has this answer already", args.id));
    }
    if common.json {
        screen.json(&show::status_json(&file.session)?)?;
    }
    Ok(())
}

fn status(path: &Path, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    let session = file::read(path)?;
    if common.json {
        return screen.json(&show::status_json(&session)?);
    }
    screen.print(show::status(&session)?)
}

fn finish(args: &Finish, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    refuse_replacing("-o", args.output.as_deref(), &[(&args.session, "the session")])?;
    let session = file::read(&args.session)?;
    if session.elicited()?.queries == 0 {
        return Err(UserError::new(format!("{}: no query is answered yet", args.session.display()))
            .hint(
                "get weights with `cwplugin elicit ask`, and record their value with `cwplugin elicit tell`",
            )
            .into());
    }
    finish_session(&session, args.output.as_deref(), common, screen)
}

/// Runs a whole session with a program that measures weights.
fn run_program(args: &Run, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    let mut inputs = Vec::new();
    inputs.extend(args.session.predictions.as_deref().map(|path| (path, "the table")));
    inputs.extend(args.file.as_deref().map(|path| (path, "the session")));
    refuse_replacing("-o", args.output.as_deref(), &inputs)?;
    let session = settings::session(&args.session, &args.data, screen)?;
    let mut file = resume(session, args)?;
    let mut program = CommandOracle::new(&args.program, args.timeout)?;
    if !common.json {
        screen.note(show::plan(&file.session).trim_end());
    }
    let bar = screen.steps("asking", file.session.recipe().budget());
    loop {
        let query = file.session.ask(1)?.into_iter().next();
        file.save()?;
        let Some(query) = query else { break };
        bar.done(show::answered(&file.session));
        let answer = program.measure(file.session.classes(), &query).map_err(|error| match &error.cure {
            Some(cure) if args.file.is_none() => {
                let cure = format!("{cure}; use --session FILE to keep the answers");
                error.hint(cure)
            }
            _ => error,
        })?;
        file.session.tell(query.id, answer.value, answer.se)?;
        file.save()?;
    }
    drop(bar);
    program.finish()?;
    finish_session(&file.session, args.output.as_deref(), common, screen)
}

/// Continues the session file of the user, or starts one; without a file the session is only in memory.
fn resume(session: Session, args: &Run) -> anyhow::Result<SessionFile> {
    let Some(path) = &args.file else { return Ok(SessionFile::in_memory(session)) };
    let file = SessionFile::open_or_start(path, &session)?;
    let stored = &file.session;
    if (stored.classes(), stored.recipe()) != (session.classes(), session.recipe()) {
        let what = format!("{}: the session has other classes, rows or flags", path.display());
        return Err(UserError::new(what).hint("repeat the same flags, or use another --session").into());
    }
    Ok(file)
}

/// Writes and prints the model of a session.
fn finish_session(
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
        screen.print_bytes(model.to_json().as_bytes())?;
    } else {
        screen.print(show::status(session)?)?;
    }
    warn_unfinished(session, session.elicited()?.is_done, screen);
    match output {
        Some(path) => screen.note_written(path),
        None if !common.json && !to_stdout => {
            screen.note("hint: save the model for `cwplugin apply` with -o model.json");
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
        format!("the budget of {budget} queries is used up before the weights reach the requested precision")
    } else {
        format!("the search is not finished: {answered} of at most {budget} queries are answered")
    });
}

fn user_error(error: &SessionError, args: &Tell) -> UserError {
    let name = args.session.display();
    let user_error = UserError::new(format!("{name}: {error}"));
    match error {
        SessionError::UnknownQuery { open, .. } if open.is_empty() => {
            user_error.hint(format!("no query is open: run cwplugin elicit ask {name}"))
        }
        SessionError::UnknownQuery { open, .. } => {
            let open: Vec<String> = open.iter().map(u64::to_string).collect();
            user_error.hint(format!("the open queries are {}", open.join(", ")))
        }
        SessionError::ToldBefore { .. } => {
            user_error.hint("a query has one answer; for noisy answers use --se, or start with --repeats")
        }
        _ => user_error
            .hint("VALUE must be a finite number, larger is better; --se is its standard error, >= 0"),
    }
}
