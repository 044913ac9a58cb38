//! `cwplugin completions`: shells ask the program itself what can follow, so that it can look into the table.

mod candidates; // names of metrics, methods, columns and classes

use std::ffi::OsString;

use clap::CommandFactory as _;
use clap_complete::CompleteEnv;
use clap_complete::env::Shells;
use serde_json::json;

use super::deliver;
use crate::args::{Args, Common, Completions};
use crate::output::Screen;

/// Set by the scripts when they ask for completions.
const VARIABLE: &str = "CWPLUGIN_COMPLETE";

/// Completes words that bash splits: those with `:` and `=`.
const JOINED_WORDS: &str = include_str!("joined_words.bash");

/// Prints the script of a shell, which asks this program.
pub(crate) fn run(args: &Completions, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    let script = script(args.shell.name())?;
    let facts = json!({"shell": args.shell.name(), "script": String::from_utf8_lossy(&script)});
    deliver(&script, None, common.json.then_some(&facts), screen)
}

fn script(shell: &str) -> anyhow::Result<Vec<u8>> {
    let mut script = Vec::new();
    if let Some(completer) = Shells::builtins().completer(shell) {
        completer.write_registration(VARIABLE, "cwplugin", "cwplugin", "cwplugin", &mut script)?;
    }
    if shell == "bash" {
        script.extend_from_slice(JOINED_WORDS.as_bytes());
    }
    Ok(script)
}

/// Answers the script of a shell; `false` if the user started the program.
pub(crate) fn answer(words: &[OsString]) -> bool {
    let folder = std::env::current_dir().ok();
    let env = CompleteEnv::with_factory(|| candidates::added_to(Args::command())).var(VARIABLE);
    // A shell shows no error while the user types.
    env.try_complete(words.iter().cloned(), folder.as_deref()).unwrap_or(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shell_has_a_script_that_calls_the_program() {
        for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
            let script = String::from_utf8(script(shell).unwrap()).unwrap();
            assert!(script.contains("cwplugin") && script.contains(VARIABLE), "{shell}: {script}");
        }
    }
}
