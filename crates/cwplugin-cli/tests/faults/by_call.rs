//! Every call of every operation goes wrong once.

use super::injection::{EDQUOT, EINTR, EIO, EMFILE, ENOLCK, ENOSPC, Effect, Fault, library, run};
use super::operations::{ALL, Scene};
use super::outcome::Outcome;
use super::table::Table;

/// The kinds of calls, and how they go wrong.
const FAULTS: [(&str, &[Effect]); 6] = [
    ("open", &[EMFILE, EIO, ENOSPC, EDQUOT, EINTR]),
    ("read", &[EIO, EINTR, Effect::Short]),
    ("write", &[ENOSPC, EIO, EDQUOT, EINTR, Effect::Short]),
    ("sync", &[EIO, ENOSPC, EDQUOT, EINTR]),
    ("rename", &[EIO, ENOSPC, EDQUOT, EINTR]),
    ("lock", &[EIO, ENOLCK, EINTR]),
];

/// Runs the operation with a fault; `None` if there are fewer calls of this kind.
fn outcome(scene: &Scene, fault: Fault) -> Option<Outcome> {
    scene.reset();
    let (output, has_happened) = run(&scene.folder, scene.operation.args, fault, library()?);
    if !has_happened {
        return None;
    }
    let outcome = Outcome::of(scene, fault.effect, &output);
    let next = if fault.effect == Effect::Kill { Outcome::of_next(scene) } else { Outcome::Whole };
    Some(if let Outcome::Wrong(_) = next { next } else { outcome })
}

/// Runs the operation with a fault at these calls.
fn at_calls(
    scene: &Scene,
    call: &'static str,
    effect: Effect,
    calls: impl Iterator<Item = usize>,
    table: &Table,
) {
    for n in calls {
        let Some(outcome) = outcome(scene, Fault { call, effect, n }) else { return };
        table.add(
            scene.operation.name,
            &format!("{call}: {effect}"),
            &format!("call {n}, {:?}", scene.before),
            outcome,
        );
    }
}

/// Every call in turn, then all at once if the operation must succeed all the same.
pub(super) fn every_fault(scene: &Scene, table: &Table) {
    for (call, effects) in FAULTS {
        for &effect in effects {
            at_calls(scene, call, effect, 1.., table);
            if effect.is_harmless() {
                at_calls(scene, call, effect, 0..1, table);
            }
        }
    }
    at_calls(scene, "any", Effect::Kill, 1.., table);
}

fn check(test: impl Fn(&Scene, &Table) + Sync) {
    if library().is_none() {
        return;
    }
    let table = Table::default();
    for operation in ALL {
        test(&Scene::all_of(operation)[0], &table);
    }
    table.assert_nothing_wrong();
}

#[test]
fn interrupted_and_short_calls_change_nothing() {
    check(|scene, table| {
        for effect in [EINTR, Effect::Short] {
            at_calls(scene, "any", effect, 0..1, table);
        }
    });
}

#[test]
fn a_failed_call_leaves_the_output_whole_or_as_before_and_says_why() {
    check(|scene, table| {
        for (call, effects) in FAULTS {
            let calls = if matches!(call, "open" | "read") { 3..=3 } else { 1..=2 };
            at_calls(scene, call, effects[0], calls, table);
        }
    });
}

#[test]
fn a_killed_run_leaves_no_torn_output_and_the_next_one_cleans_up() {
    check(|scene, table| {
        at_calls(scene, "any", Effect::Kill, (9..).step_by(23), table);
        for call in ["sync", "rename"] {
            at_calls(scene, call, Effect::Kill, 1..=1, table);
        }
    });
}
