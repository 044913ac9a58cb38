//! What a disturbed run has left: all of its output, what was there before, or something wrong.

use std::process::Output;

use super::injection::Effect;
use super::operations::Scene;

/// What became of the outputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    /// As in an undisturbed run.
    Whole,
    /// At least one is as before; the others are whole.
    Kept,
    Wrong(String),
}

/// Causes of errors as they are told, besides the system's own words.
const TOLD_CAUSES: [&str; 2] = ["ends too early", "is empty"];

impl Outcome {
    /// Judges a run with a fault that happened.
    pub(super) fn of(scene: &Scene, effect: Effect, output: &Output) -> Self {
        let (stderr, code) = (String::from_utf8_lossy(&output.stderr), output.status.code());
        let wrong =
            |what: String| Self::Wrong(format!("{}: {what}; exit {code:?}\n{stderr}", scene.operation.name));
        let outcome = match Self::of_outputs(scene) {
            Self::Wrong(what) => return wrong(what),
            outcome => outcome,
        };
        let is_killed = effect == Effect::Kill;
        if is_killed != code.is_none() {
            return wrong("killed, or not killed".into());
        }
        if !is_killed && has_leftovers(scene) {
            return wrong(format!("a temporary file is left: {:?}", scene.folder.names()));
        }
        match code {
            Some(0) if outcome != Self::Whole => return wrong("success without the output".into()),
            Some(0) if output.stdout != scene.stdout => return wrong("success with another text".into()),
            Some(0) | None => {}
            Some(_) if effect.is_harmless() => return wrong("a harmless fault is an error".into()),
            Some(1) => {
                let error = stderr.lines().find_map(|line| line.strip_prefix("cwplugin: error: "));
                let Some(error) = error else { return wrong("no message".into()) };
                let names_a_file = error.contains("<stdout>")
                    || scene.folder.names().iter().any(|name| error.contains(name.as_str()))
                    || scene.operation.outputs.iter().any(|name| error.contains(name));
                let names_the_cause =
                    error.contains("(os error ") || TOLD_CAUSES.iter().any(|cause| error.contains(cause));
                if !names_a_file || !names_the_cause || !stderr.contains("  hint: ") {
                    return wrong("the message lacks the file, the cause or the cure".into());
                }
            }
            Some(_) => return wrong("an unusual exit code".into()),
        }
        outcome
    }

    /// Judges the outputs alone.
    fn of_outputs(scene: &Scene) -> Self {
        let mut outcome = Self::Whole;
        for (name, whole) in scene.operation.outputs.iter().zip(&scene.whole) {
            let found = std::fs::read(scene.folder.path(name)).ok();
            if found.as_ref() == Some(whole) {
                continue;
            }
            if found.as_deref() != scene.old() {
                return Self::Wrong(format!("{name} is torn"));
            }
            outcome = Self::Kept;
        }
        outcome
    }

    /// Judges a run that was killed at some moment, or ended before.
    pub(super) fn of_killed(scene: &Scene, is_killed: bool) -> Self {
        let left = scene.folder.names().iter().filter(|name| name.starts_with(".cwplugin-")).count();
        match Self::of_outputs(scene) {
            Self::Kept if !is_killed => Self::Wrong("success without the output".into()),
            _ if left > usize::from(is_killed) => Self::Wrong(format!("{left} temporary files are left")),
            outcome => outcome,
        }
    }

    /// Judges an undisturbed run after one that was killed: it finishes the work, and removes what was left.
    pub(super) fn of_next(scene: &Scene) -> Self {
        let run = scene.folder.run(scene.operation.args);
        // A session that was started cannot be started again.
        let is_done = run.code == 0 || (run.code == 2 && run.stderr.contains("the file exists"));
        if !is_done || Self::of_outputs(scene) != Self::Whole || has_leftovers(scene) && run.code == 0 {
            let names = scene.folder.names();
            return Self::Wrong(format!("the run after a kill: {names:?}: {}", run.stderr));
        }
        Self::Whole
    }
}

/// Whether a temporary file is in the folder.
pub(super) fn has_leftovers(scene: &Scene) -> bool {
    scene.folder.names().iter().any(|name| name.starts_with(".cwplugin-"))
}
