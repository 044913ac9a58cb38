//! `cwplugin elicit run`: a whole session with a program that measures weights.

use cwplugin::Session;

use super::file::SessionFile;
use super::{finish_session, settings, show};
use crate::args::{Common, Run};
use crate::atomic::write_file;
use crate::command::CommandOracle;
use crate::output::{Screen, refuse_replacing};
use crate::user_error::UserError;

pub(super) fn run(args: &Run, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    let mut inputs = Vec::new();
    inputs.extend(args.session.predictions.as_deref().map(|path| (path, "the table")));
    inputs.extend(args.file.as_deref().map(|path| (path, "the session")));
    refuse_replacing(args.output.as_deref(), &inputs)?;
    let session = settings::session(&args.session, &args.data, screen)?;
    let mut file = open(session, args)?;
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
fn open(session: Session, args: &Run) -> anyhow::Result<SessionFile> {
    let Some(path) = &args.file else { return Ok(SessionFile::in_memory(session)) };
    if !path.exists() {
        write_file(path, session.to_json().as_bytes())?;
    }
    let file = SessionFile::open(path)?;
    let stored = &file.session;
    if (stored.classes(), stored.recipe()) != (session.classes(), session.recipe()) {
        let what = format!("{}: the session has other classes, rows or flags", path.display());
        return Err(UserError::new(what).hint("repeat the same flags, or use another --session").into());
    }
    Ok(file)
}
