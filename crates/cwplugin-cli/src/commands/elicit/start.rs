//! `cwplugin elicit start`.

use cwplugin::Session;

use super::request::Request;
use crate::args::{Common, Start};
use crate::atomic::write_file;
use crate::output::Screen;
use crate::refusal::Refusal;

pub(super) fn run(args: &Start, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    if args.output.exists() {
        return Err(Refusal::usage(format!("-o {}: it exists, and may hold answers", args.output.display()))
            .hint("give the session a name of its own")
            .into());
    }
    let request = Request {
        predictions: args.predictions.as_deref(),
        data: &args.data,
        budget: args.budget,
        reference: args.reference.as_deref(),
        asking: &args.asking,
    };
    let session = request.session(screen)?;
    write_file(&args.output, session.to_json().as_bytes())?;
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

/// What it will take.
pub(crate) fn plan(session: &Session) -> String {
    let recipe = session.recipe();
    let fixed = &session.classes()[recipe.fixed()];
    let (budget, others) = (recipe.budget(), session.classes().len() - 1);
    let classes = if others == 1 { "1 class".to_string() } else { format!("{others} classes") };
    match recipe.count() {
        Some(count) if count < budget => {
            format!("{classes} against \"{fixed}\": {count} queries, {} for each\n", count / others)
        }
        Some(_) => format!(
            "{classes} against \"{fixed}\": all of the {budget} queries, about {} for each, and alpha less \
             precisely than was asked for\n",
            budget / others
        ),
        None => format!("{classes} against \"{fixed}\": at most {budget} queries\n"),
    }
}
