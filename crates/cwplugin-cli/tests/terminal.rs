//! Width, colour, progress and manual pages, where the environment decides.

use std::io::{Read as _, Write as _};
use std::process::{Command, Output, Stdio};

use crate::support::{Folder, TABLE, is_installed};

/// The program with these variables.
fn run_with(folder: &Folder, args: &[&str], variables: &[(&str, &str)]) -> Output {
    folder.command(args).envs(variables.iter().copied()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn columns_limits_the_width_and_files_have_no_limit() {
    let folder = Folder::with_model();
    for args in [&["metrics"] as &[&str], &["methods"], &["eval", "model.json", "data.csv"]] {
        let narrow = text(&run_with(&folder, args, &[("COLUMNS", "60")]).stdout);
        assert!(narrow.lines().all(|line| line.chars().count() <= 60), "{narrow}");
        let unlimited = folder.ok(args).text();
        assert!(unlimited.lines().any(|line| line.chars().count() > 80), "{unlimited}");
    }
    let json = |variables: &[(&str, &str)]| {
        run_with(&folder, &["eval", "model.json", "data.csv", "--json"], variables).stdout
    };
    assert_eq!(json(&[("COLUMNS", "60")]), json(&[]));
}

#[test]
fn colours_are_chosen_by_the_flag_and_the_environment() {
    let folder = Folder::with_model();
    let eval = ["eval", "model.json", "data.csv"];
    let has_colours = |flags: &[&str], variables: &[(&str, &str)]| {
        let run = run_with(&folder, &[&eval[..], flags].concat(), variables);
        assert!(run.status.success());
        text(&run.stdout).contains('\u{1b}')
    };
    assert!(!has_colours(&[], &[]) && has_colours(&["--color", "always"], &[]));
    assert!(has_colours(&[], &[("CLICOLOR_FORCE", "1")]));
    assert!(!has_colours(&["--color=never"], &[("CLICOLOR_FORCE", "1")]));
    let error = |args: &[&str]| text(&run_with(&folder, args, &[]).stderr);
    let refused = error(&["eval", "missing.csv", "--color", "always"]);
    assert!(refused.starts_with("\u{1b}[1;31mcwplugin: error:\u{1b}[0m"), "{refused:?}");
    assert!(error(&["--color", "always", "evaluate"]).contains('\u{1b}'), "a message of the parser");
    assert!(!error(&["evaluate"]).contains('\u{1b}'));
}

#[test]
fn names_cannot_control_the_terminal() {
    let table = TABLE.replace("p_a", "p_\u{1b}[2J").replace(",a,", ",\u{1b}[2J,");
    let folder = Folder::new().with("da\u{1b}]ta.csv", &table);
    for args in [
        &["fit", "da\u{1b}]ta.csv", "-o", "mo\u{1b}del.json"] as &[&str],
        &["eval", "da\u{1b}]ta.csv"],
        &["eval", "mo\u{1b}del.json", "da\u{1b}]ta.csv"],
        &["fit", "da\u{1b}]ta.csv", "--method", "cwplugin"],
        &["eval", "mo\u{1b}del.csv"],
    ] {
        let run = run_with(&folder, args, &[]);
        let printed = text(&run.stdout) + &text(&run.stderr);
        assert!(!printed.contains('\u{1b}') && printed.contains("\\u{1b}"), "{args:?}: {printed:?}");
    }
}

/// A metric that takes a while.
const SLOW: &str = "while read -r line; do sleep 0.03; echo 0.5; done";

/// The program with these arguments in a pseudo-terminal.
#[cfg(target_os = "linux")]
fn on_a_terminal(folder: &Folder, args: &str) -> Command {
    let mut script = Command::new("script");
    let line = format!("exec '{}' {args}", crate::PROGRAM);
    script.args(["-qec", &line, "/dev/null"]).current_dir(folder.path("."));
    script.env_remove("NO_COLOR").env("TERM", "xterm").stdin(Stdio::null());
    script
}

#[test]
#[cfg(target_os = "linux")]
fn long_work_shows_its_stage_and_the_time_left_on_a_terminal() {
    if !is_installed("script") {
        return;
    }
    let folder = Folder::with_model().with("slow.sh", SLOW);
    let shown = |flags: &str| {
        let eval = format!("eval data.csv --metric 'command:sh slow.sh' --resamples 20 {flags}");
        text(&on_a_terminal(&folder, &eval).output().unwrap().stdout)
    };
    let progress = shown("");
    assert!(
        progress.contains("resampling  ━") && progress.contains("% ") && progress.contains("s left"),
        "{progress:?}"
    );
    assert!(progress.contains("\r\u{1b}[K6 labelled rows"), "the line is removed first: {progress:?}");
    assert!(!shown("--quiet").contains("resampling"));
}

/// Whether a stage was shown with its bar, fraction and time left.
#[cfg(target_os = "linux")]
fn shows(printed: &str, stage: &str) -> bool {
    let is_shown = |line: &str| {
        let line = line.strip_prefix("\u{1b}[K").and_then(|line| line.strip_prefix(stage));
        line.is_some_and(|line| {
            line.starts_with("  ━")
                && line.contains("% ")
                && line.contains(" rows  ")
                && line.contains("s left")
        })
    };
    printed.split('\r').any(is_shown)
}

/// Without `--classes`, replies are read twice; votes are read before the first row.
#[test]
#[cfg(target_os = "linux")]
fn the_first_pass_over_replies_shows_its_progress() {
    if !is_installed("script") {
        return;
    }
    let folder = Folder::new();
    let label = |i: usize| ["ham", "spam"][i % 2];
    let reply = |i: usize| {
        let scores = "[{\"label\":\"ham\",\"score\":0.75},{\"label\":\"spam\",\"score\":0.25}]";
        format!("{{\"label\":\"{}\",\"response\":{scores}}}\n", label(i))
    };
    let vote = |i: usize| {
        let (id, label) = (i % 100, label(i));
        format!("{{\"id\":{id},\"label\":\"{label}\",\"answer\":\"{label}\"}}\n")
    };
    for flags in ["--from huggingface --reply response", "--from votes"] {
        let line = |i: usize| if flags.contains("votes") { vote(i) } else { reply(i) };
        // As many rows as this machine needs for half a second in each stage.
        let mut rows = 50_000;
        loop {
            folder.write("r.jsonl", (0..rows).map(line).collect::<String>());
            let printed = text(
                &on_a_terminal(&folder, &format!("eval r.jsonl {flags} --metric accuracy --resamples 10"))
                    .output()
                    .unwrap()
                    .stdout,
            );
            assert!(printed.contains("labelled rows"), "{printed}");
            if ["finding classes", "reading"].iter().all(|stage| shows(&printed, stage)) {
                break;
            }
            assert!(rows < 3_200_000, "{flags}: {printed:?}");
            rows *= 2;
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn ctrl_c_removes_the_progress() {
    if !is_installed("script") {
        return;
    }
    let folder = Folder::with_model().with("slow.sh", SLOW);
    let mut script = on_a_terminal(&folder, "fit data.csv --method ascent --metric 'command:sh slow.sh'");
    let mut script = script.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut keys, mut screen) = (script.stdin.take().unwrap(), script.stdout.take().unwrap());
    let mut shown = Vec::new();
    while !text_so_far(&shown).contains("s left") {
        let mut more = [0; 4096];
        let n = screen.read(&mut more).unwrap();
        assert!(n > 0, "the work ended too soon: {}", text_so_far(&shown));
        shown.extend_from_slice(&more[..n]);
    }
    keys.write_all(b"\x03").unwrap();
    screen.read_to_end(&mut shown).unwrap();
    let shown = text_so_far(&shown);
    assert_eq!(script.wait().unwrap().code(), Some(130), "{shown:?}");
    assert!(shown.contains("tuning  ━") && shown.ends_with("\r\u{1b}[K"), "{shown:?}");
}

/// A screen may have been read up to the middle of a character.
#[cfg(target_os = "linux")]
fn text_so_far(shown: &[u8]) -> String {
    String::from_utf8_lossy(shown).into_owned()
}

#[test]
fn manual_pages_are_written_and_can_be_shown() {
    let folder = Folder::new();
    folder.ok(&["man", "--dir", "pages"]);
    let fit = folder.text("pages/cwplugin-fit.1");
    assert_eq!(fit, folder.ok(&["man", "fit"]).text());
    folder.run(&["man", "fti"]).refused(2, "unknown command fti", "did you mean fit?");
    if is_installed("man") {
        let mut man = Command::new("man");
        man.args(["--warnings", "-E", "UTF-8", "-l", "pages/cwplugin-fit.1"]).current_dir(folder.path("."));
        let run = man.env("MANWIDTH", "80").stdin(Stdio::null()).output().unwrap();
        if run.status.success() {
            assert!(run.stderr.is_empty(), "{}", text(&run.stderr));
            assert!(text(&run.stdout).contains("SYNOPSIS"));
        }
    }
}
