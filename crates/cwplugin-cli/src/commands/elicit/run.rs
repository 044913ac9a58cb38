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
    let mut storage = Storage::open(session, args)?;
    let mut program = CommandOracle::new(&args.program, args.timeout)?;
    if !common.json {
        screen.note(show::plan(storage.session()).trim_end());
    }
    let bar = screen.steps("asking", storage.session().recipe().budget());
    while let Some(query) = storage.change(|session| Ok(session.ask(1)?.into_iter().next()))? {
        bar.done(show::answered(storage.session()));
        let answer = program.measure(storage.session().classes(), &query).map_err(|error| {
            match (&storage, error.cure()) {
                (Storage::Memory(_), Some(cure)) => {
                    let cure = format!("{cure}; use --session FILE to keep the answers");
                    error.hint(cure)
                }
                _ => error,
            }
        })?;
        storage.change(|session| Ok(session.tell(query.id, answer.value, answer.se)?))?;
    }
    drop(bar);
    program.finish()?;
    finish_session(storage.session(), args.output.as_deref(), common, screen)
}

/// A session in a file or in memory.
enum Storage {
    File(SessionFile),
    Memory(Session),
}

impl Storage {
    /// Continues the session file of the user, or starts it.
    fn open(session: Session, args: &Run) -> anyhow::Result<Self> {
        let Some(path) = &args.file else {
            return Ok(Self::Memory(session));
        };
        if !path.exists() {
            write_file(path, session.to_json().as_bytes())?;
        }
        let file = SessionFile::open(path)?;
        let stored = &file.session;
        if (stored.classes(), stored.recipe()) != (session.classes(), session.recipe()) {
            let what = format!("{}: the session has other classes, rows or flags", path.display());
            return Err(UserError::new(what).hint("repeat the same flags, or use another --session").into());
        }
        Ok(Self::File(file))
    }

    fn session(&self) -> &Session {
        match self {
            Self::File(file) => &file.session,
            Self::Memory(session) => session,
        }
    }

    /// Changes the session and saves it immediately.
    fn change<T>(&mut self, change: impl FnOnce(&mut Session) -> anyhow::Result<T>) -> anyhow::Result<T> {
        match self {
            Self::Memory(session) => change(session),
            Self::File(file) => {
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
