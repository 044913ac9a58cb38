//! No program and nothing that it started outlives `cwplugin`, however that ends.

use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::support::Folder;

/// A program that starts another, notes both numbers, and does neither read nor answer.
const HANGS: &str = "command:sh -c 'sleep 1000 & echo $! $$ > new.txt; mv new.txt pids.txt; wait'";

/// Notes its number, and answers until its input ends, or beyond.
fn answers(beyond: &str) -> String {
    format!("echo $$ > new.txt; mv new.txt pids.txt\nwhile read -r line; do echo 0.5; done\n{beyond}\n")
}

/// Whether a process runs; one that has ended and waits to be noticed does not.
fn runs(pid: &str) -> bool {
    let output = Command::new("ps").args(["-o", "stat=", "-p", pid]).output().unwrap();
    let state = String::from_utf8(output.stdout).unwrap();
    !state.trim().is_empty() && !state.trim().starts_with('Z')
}

fn await_until(what: &str, is_so: impl Fn() -> bool) {
    for _ in 0..6000 {
        if is_so() {
            return;
        }
        sleep(Duration::from_millis(10));
    }
    panic!("never: {what}");
}

/// All that `pids.txt` names has ended.
fn assert_gone(folder: &Folder) {
    let pids = folder.text("pids.txt");
    assert!(!pids.trim().is_empty());
    for pid in pids.split_whitespace() {
        await_until(&format!("{pid} ends"), || !runs(pid));
    }
}

/// The time goes into waiting for programs that do not end.
fn side_by_side(cases: &[&str], check: impl Fn(&str) + Sync) {
    std::thread::scope(|scope| {
        for case in cases {
            scope.spawn(|| check(case));
        }
    });
}

#[test]
fn nothing_is_left_after_success() {
    side_by_side(&["", "exec sleep 1000", "exec sleep 1000 1>&-"], |beyond| {
        let folder = Folder::with_model().with("good.sh", answers(beyond));
        let run = folder.ok(&["eval", "data.csv", "--metric", "command:sh good.sh", "--resamples", "5"]);
        assert!(run.text().contains("0.5000"), "{}", run.text());
        assert_gone(&folder);
    });
}

#[test]
fn nothing_is_left_after_a_time_out() {
    side_by_side(&[HANGS, &HANGS.replacen("command:", "command-once:", 1)], |metric| {
        let folder = Folder::with_model();
        let run = folder.run(&["eval", "data.csv", "--metric", metric, "--metric-timeout", "1"]);
        assert_eq!(run.code, 1, "{}", run.stderr);
        assert!(run.stderr.contains("did not answer within 1 seconds"), "{}", run.stderr);
        assert_gone(&folder);
    });
}

#[test]
fn nothing_is_left_after_another_error() {
    // The table is refused after the program was started.
    let folder = Folder::with_model().with("good.sh", answers("exec sleep 1000"));
    let table = folder.text("data.csv") + "r8,a,0.9,0.9,0.9\n";
    folder.write("data.csv", table);
    let run = folder.run(&["eval", "data.csv", "--metric", "command:sh good.sh"]);
    assert!(run.code == 1 && run.stderr.contains("row 8"), "{}", run.stderr);
    // It may have been killed before it could note its number.
    if folder.path("pids.txt").exists() {
        assert_gone(&folder);
    }
}

#[test]
fn what_a_program_started_ends_with_it() {
    let folder = Folder::with_model();
    let metric = "command-once:sh -c 'sleep 1000 > /dev/null 2>&1 & echo $! > pids.txt; echo 0.5'";
    folder.ok(&["eval", "data.csv", "--metric", metric, "--resamples", "1"]);
    assert_gone(&folder);
}

fn start(folder: &Folder) -> Child {
    let args = ["eval", "data.csv", "--metric", HANGS, "--metric-timeout", "1000"];
    let child = folder.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    await_until("the program is started", || folder.path("pids.txt").exists());
    child
}

#[test]
fn nothing_is_left_after_an_interruption() {
    // Under `nohup` the last one is ignored.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")?.trim().chars().last());
    let has_hangup = ignored.is_none_or(|digit| digit.to_digit(16).is_some_and(|bits| bits & 1 == 0));
    let signals = [("-INT", 130), ("-TERM", 143), ("-HUP", 129)];
    for (signal, code) in signals.into_iter().filter(|(signal, _)| *signal != "-HUP" || has_hangup) {
        let folder = Folder::with_model();
        let child = start(&folder);
        let killed = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(killed.success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{signal}");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{signal}");
        assert_gone(&folder);
    }
}

/// As under `nohup`: the terminal may be closed.
#[test]
#[cfg(target_os = "linux")]
fn a_hangup_that_is_ignored_from_the_start_stays_ignored() {
    let script = "echo $$ > new.txt; mv new.txt pids.txt; while [ ! -e go ]; do sleep 0.02; done; echo 0.5";
    let folder = Folder::with_model().with("wait.sh", script);
    let line = format!(
        "trap '' HUP; exec '{}' eval data.csv --metric 'command-once:sh wait.sh' --resamples 1",
        crate::PROGRAM
    );
    let mut shell = Command::new("sh");
    let shell = shell.args(["-c", &line]).current_dir(folder.path("."));
    let child = shell.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    await_until("the program is started", || folder.path("pids.txt").exists());
    let killed = Command::new("kill").args(["-HUP", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    sleep(Duration::from_millis(50));
    folder.write("go", "");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}
