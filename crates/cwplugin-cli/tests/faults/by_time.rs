//! Processes that are killed at any moment.

use std::os::unix::fs::symlink;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde_json::json;

use super::operations::{APPLY, Before, FIT, Operation, Scene};
use super::outcome::Outcome;
use super::table::Table;
use crate::support::Folder;

/// Kills a third of the rounds in each of `fit`, `apply` and `elicit tell`.
pub(super) fn kill(rounds: usize, seed: u64, table: &Table) {
    kill_operation(FIT, rounds / 3, seed, table);
    kill_operation(APPLY, rounds / 3, seed + 1, table);
    kill_tells(rounds - rounds / 3 * 2, seed + 2, table);
}

/// As in the table.
pub(super) const FAULT: &str = "any moment: killed";

/// The moment of a kill in an operation that takes so long, or a little later.
fn moment(rng: &mut ChaCha8Rng, duration: Duration) -> Duration {
    duration.mul_f64(rng.random_range(0.0..1.2))
}

/// Whether it was killed, and did not end before.
fn kill_after(child: &mut Child, pause: Duration) -> bool {
    sleep(pause);
    child.kill().unwrap();
    child.wait().unwrap().signal().is_some()
}

fn kill_operation(operation: Operation, rounds: usize, seed: u64, table: &Table) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let scenes = [Before::Absent, Before::Old].map(|before| Scene::new(operation, before));
    let start = Instant::now();
    scenes[0].folder.ok(operation.args);
    let duration = start.elapsed();
    for round in 0..rounds {
        let scene = &scenes[round % 2];
        scene.reset();
        let mut command = scene.folder.command(operation.args);
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let is_killed = kill_after(&mut child.unwrap(), moment(&mut rng, duration));
        let outcome = Outcome::of_killed(scene, is_killed);
        table.add(operation.name, FAULT, &format!("round {round} of seed {seed}"), outcome);
        // Not after every round: the next disturbed run removes it as well.
        if round % 8 == 7
            && let wrong @ Outcome::Wrong(_) = Outcome::of_next(scene)
        {
            table.add(operation.name, FAULT, &format!("after round {round} of seed {seed}"), wrong);
        }
    }
}

/// Two processes tell at once through different names, and one is killed.
fn kill_tells(rounds: usize, seed: u64, table: &Table) {
    const QUERIES: usize = 60;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut done = 0;
    while done < rounds {
        let folder = Folder::new();
        let classes = (0..=QUERIES).map(|class| class.to_string()).collect::<Vec<_>>().join(",");
        let start = ["elicit", "start", "--classes", &classes, "--mode", "restricted", "--budget", "1000"];
        folder.ok(&[&start[..], &["-o", "s.json"]].concat());
        folder.ok(&["elicit", "ask", "s.json", "--batch", &QUERIES.to_string()]);
        symlink("s.json", folder.path("link.json")).unwrap();
        let tell = |name: &str, id: usize| {
            let value = (id as f64 / 100.0).to_string();
            let mut command = folder.command(&["elicit", "tell", name, &id.to_string(), &value]);
            command.stderr(Stdio::null()).spawn().unwrap()
        };
        let begun = Instant::now();
        tell("s.json", 1).wait().unwrap();
        let duration = begun.elapsed() * 2;
        let mut acknowledged = vec![1];
        for id in (2..QUERIES).step_by(2).take(rounds - done) {
            let (mut killed, mut other) = (tell("link.json", id), tell("s.json", id + 1));
            let was_killed = kill_after(&mut killed, moment(&mut rng, duration));
            let is_told = other.wait().unwrap().success();
            acknowledged.push(id + 1);
            acknowledged.extend((!was_killed).then_some(id));
            let session = folder.json("s.json");
            let has = |id: &usize| session["queries"][*id - 1]["value"] == json!(*id as f64 / 100.0);
            let lost: Vec<_> = acknowledged.iter().filter(|id| !has(id)).collect();
            let hidden = folder.names().iter().filter(|name| name.starts_with(".cwplugin-")).count();
            let outcome = if !is_told || !lost.is_empty() || hidden > 1 {
                let state = format!("told {is_told}, lost {lost:?}, {hidden} temporary files");
                Outcome::Wrong(state)
            } else if has(&id) {
                Outcome::Whole
            } else {
                Outcome::Kept
            };
            table.add("`elicit tell`", FAULT, &format!("query {id} of seed {seed}"), outcome);
            done += 1;
        }
        folder.ok(&["elicit", "tell", "s.json", &QUERIES.to_string(), "0.5"]);
        assert_eq!(folder.names(), ["link.json", "s.json", "s.json.lock"], "the last run cleans up");
    }
}

#[test]
fn killed_at_any_moment_nothing_is_torn_or_lost() {
    let table = Table::default();
    kill(24, 7, &table);
    table.assert_nothing_wrong();
}
