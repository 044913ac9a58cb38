//! `cwplugin elicit run`: ask and tell in one command, where a program answers.

use cwplugin::Session;

use super::file::SessionFile;
use super::request::Request;
use super::{hand_over, start};
use crate::args::{Common, Run};
use crate::atomic::write_file;
use crate::command::CommandOracle;
use crate::output::{Screen, refuse_replacing};
use crate::refusal::Refusal;

/// Asks the program until nothing is left to ask or the budget is used up.
pub(super) fn run(args: &Run, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    let mut inputs = Vec::new();
    inputs.extend(args.predictions.as_deref().map(|path| (path, "the table")));
    inputs.extend(args.session.as_deref().map(|path| (path, "the session")));
    refuse_replacing(args.output.as_deref(), &inputs)?;
    let request = Request {
        predictions: args.predictions.as_deref(),
        data: &args.data,
        budget: args.budget,
        reference: args.reference.as_deref(),
        asking: &args.asking,
    };
    let mut talk = Talk::open(request.session(screen)?, args)?;
    let mut program = CommandOracle::new(&args.program, args.timeout)?;
    if !common.json {
        screen.note(start::plan(talk.session()).trim_end());
    }
    let bar = screen.steps("asking", talk.session().recipe().budget());
    while let Some(query) = talk.change(|session| Ok(session.ask(1)?.into_iter().next()))? {
        bar.done(super::show::answered(talk.session()));
        let measured = program.measure(talk.session().classes(), &query);
        let answer = measured.map_err(|refusal| match (&talk, refusal.cure()) {
            (Talk::Unsaved(_), Some(cure)) => {
                let cure = format!("{cure}; --session FILE would have kept the answers so far");
                refusal.hint(cure)
            }
            _ => refusal,
        })?;
        talk.change(|session| Ok(session.tell(query.id, answer.value, answer.se)?))?;
    }
    drop(bar);
    program.finish()?;
    hand_over(talk.session(), args.output.as_deref(), common, screen)
}

/// Queries and answers, in a file or only in memory.
enum Talk {
    Saved(SessionFile),
    Unsaved(Session),
}

impl Talk {
    /// Goes on with the file that the user names, if it is about the same, or begins it.
    fn open(session: Session, args: &Run) -> anyhow::Result<Self> {
        let Some(path) = &args.session else {
            return Ok(Self::Unsaved(session));
        };
        if !path.exists() {
            write_file(path, session.to_json().as_bytes())?;
        }
        let file = SessionFile::open(path)?;
        let known = &file.session;
        if (known.classes(), known.recipe()) != (session.classes(), session.recipe()) {
            let what = format!("{}: this session began with other classes, rows or flags", path.display());
            return Err(Refusal::new(what).hint("repeat those, or give another --session").into());
        }
        Ok(Self::Saved(file))
    }

    fn session(&self) -> &Session {
        match self {
            Self::Saved(file) => &file.session,
            Self::Unsaved(session) => session,
        }
    }

    /// Changes the session, and keeps it before anything else is done.
    fn change<T>(&mut self, change: impl FnOnce(&mut Session) -> anyhow::Result<T>) -> anyhow::Result<T> {
        match self {
            Self::Unsaved(session) => change(session),
            Self::Saved(file) => {
                let before = file.session.clone();
                let changed = change(&mut file.session)?;
                if file.session != before {
                    file.save()?;
                }
                Ok(changed)
            }
        }
    }
}
