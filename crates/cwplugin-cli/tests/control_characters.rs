//! No command lets a name from a file, or of a file, control the terminal.
#![cfg(unix)]

use std::fmt::Write as _;

use crate::support::{Folder, model};

/// Escape sequences, a bell, a return, eight-bit controls, a deletion, and controls of the direction of text.
const HOSTILE: &str = "x\u{1b}[2J\u{1b}]0;t\u{7}\r\u{9b}5m\u{90}\u{7f}\u{8}\u{202e}\u{2066}\u{202a}y";

/// Words of a command line: `T` is the table, `L` one without labels, `B` a bad one, `M` the model, `S` statistics, `E` a session,
/// `O` an output, `D` a folder, `C` a class, `N` no file at all.
fn words(line: &str) -> Vec<String> {
    let name = |name: &str, ending: &str| format!("{name}{HOSTILE}{ending}");
    let word = |word: &str| match word {
        "T" => name("t", ".csv"),
        "L" => name("l", ".csv"),
        "B" => name("b", ".csv"),
        "M" => name("m", ".json"),
        "S" => name("s", ".json"),
        "E" => name("e", ".json"),
        "O" => name("o", ".json"),
        "P" => name("o", ".parquet"),
        "D" => name("d", ""),
        "N" => name("n", ".csv"),
        "C" => HOSTILE.to_string(),
        word => word.replace("{C}", HOSTILE).replace('·', " "),
    };
    line.split(' ').map(word).collect()
}

/// Commands that succeed, in the order of their inputs.
const GOOD: [&str; 33] = [
    "fit T",
    "fit T -o M",
    "fit T --verbose --method cwplugin",
    "fit T --method cwplugin --reference class:{C}",
    "fit T --method cwplugin --subject-to recall:{C}>=0.01",
    "fit T --search grid:0.1 --buffer 0",
    "fit T --metric f1:{C} --method ascent",
    "fit T --method bcts --verbose --learning-curve",
    "eval T",
    "eval M T",
    "eval M T --full --resamples 10",
    "apply M L -o O --to csv",
    "apply M T -o P",
    "stats T -o S",
    "fit --stats S",
    "merge S -o O",
    "export M -o O --to python",
    "report M T --refits 0 --resamples 5 -o O",
    "compare T --methods cwplugin,clean --metrics f1:{C},accuracy --sizes 20 --repeats 1",
    "compare T --methods cwplugin --metrics accuracy --sizes 20 --repeats 1 --draws-out O --plot D",
    "compare T --methods cwplugin --metrics accuracy --sizes 20 --repeats 1 --csv O --shift {C}:0.2 --noise {C}:0.1",
    "elicit start --classes {C},b,c --budget 40 -o E",
    "elicit ask E",
    "elicit tell E 1 0.5",
    "elicit tell E 1 0.5",
    "elicit status E",
    "elicit finish E",
    "elicit finish E -o O",
    "elicit run command-once:echo·0.5 --classes {C},b,c --budget 9",
    "demo --save D",
    "demo -o O",
    "man --dir D",
    "methods",
];

/// Commands that are refused, with names in the message.
const BAD: [&str; 32] = [
    "fit N",
    "fit B",
    "fit L",
    "fit D",
    "fit T -o D",
    "fit T -o {C}/{C}",
    "fit T --label N",
    "fit T --label-map N",
    "fit T --label {C}",
    "fit T --weight {C}",
    "fit T --classes {C}",
    "fit T --features {C}",
    "fit T --metric {C}",
    "fit T --metric f1:{C}{C}",
    "fit T --metric cost:N",
    "fit T --metric expr:{C}",
    "fit T --metric command:{C}",
    "fit T --method {C}",
    "fit T --subject-to {C}",
    "fit T --reference {C}{C}",
    "fit T --from {C}",
    "fit T --threads {C}",
    "fit T {C}",
    "fit --{C} T",
    "{C}",
    "eval N T",
    "eval T M",
    "apply M B",
    "merge T T",
    "export N -o O.sql",
    "elicit ask M",
    "elicit tell E 99 0.5",
];

fn folder() -> Folder {
    let folder = Folder::new();
    let header = format!("label,\"p_{HOSTILE}\",p_b,p_c\n");
    let (mut rows, mut unlabelled) = (header.clone(), header);
    let quoted = format!("\"{HOSTILE}\"");
    for i in 0..60_usize {
        let label = [&*quoted, "b", "c"][i % 3];
        let share = 0.1 + (i * 7 % 60) as f64 / 100.0;
        writeln!(rows, "{label},{share:.2},{:.2},0.1", 0.9 - share).unwrap();
        writeln!(unlabelled, ",{share:.2},{:.2},0.1", 0.9 - share).unwrap();
    }
    let name = |letter: &str| words(letter).remove(0);
    folder.write(&name("B"), format!("{rows}{HOSTILE},0.{HOSTILE},0.5,0.5\n"));
    folder.write(&name("T"), rows);
    folder.write(&name("L"), unlabelled);
    folder.write(&name("M"), model(&[HOSTILE, "b", "c"], &[0.2, 0.3, 0.5]));
    std::fs::create_dir(folder.path(&name("D"))).unwrap();
    folder
}

/// What must not reach a terminal.
fn is_control(c: char) -> bool {
    (c.is_control() && c != '\n') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[test]
fn names_are_escaped_by_every_command() {
    let folder = folder();
    let run = |line: &str, more: &[&str]| {
        let words = words(line);
        let args: Vec<&str> = words.iter().map(String::as_str).chain(more.iter().copied()).collect();
        folder.command(&args).output().unwrap()
    };
    let (mut raw, mut named) = (Vec::new(), 0);
    let mut check = |line: &str, stream: &str, bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        if let Some(found) = text.chars().position(is_control) {
            let before: String = text.chars().take(found + 1).collect();
            let shown: String = before.chars().rev().take(60).collect::<Vec<_>>().into_iter().rev().collect();
            raw.push(format!("{line}: {stream}: {shown:?}"));
        }
        ["\\u{1b}", "\\u{9b}"].iter().any(|escaped| text.contains(escaped))
    };
    for (is_good, line) in GOOD.iter().map(|line| (true, line)).chain(BAD.iter().map(|line| (false, line))) {
        let output = run(line, &[]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.success(), is_good, "{line}: {stderr:?}");
        let is_escaped = [check(line, "stdout", &output.stdout), check(line, "stderr", &output.stderr)];
        named += usize::from(is_escaped.contains(&true));
    }
    // JSON escapes by itself all that ASCII calls a control character.
    for line in ["fit T", "eval M T", "stats T", "elicit status E", "apply M T"] {
        let output = run(line, &["--json"]);
        assert!(output.status.success(), "{line}");
        assert!(!output.stdout.iter().any(|&byte| byte < b' ' && byte != b'\n'), "{line}");
        check(line, "stderr", &output.stderr);
    }
    assert!(named > 50, "only {named} commands have printed a name");
    assert!(raw.is_empty(), "{} raw:\n{}", raw.len(), raw.join("\n"));
}

/// Data is not words: the text of a table passes through unchanged.
#[test]
fn data_is_written_as_it_is() {
    let folder = folder();
    let [m, t] = ["M", "T"].map(|letter| words(letter).remove(0));
    let table = folder.ok(&["apply", &m, &t]).text();
    assert!(table.starts_with(&format!("label,\"p_{HOSTILE}\",p_b,p_c,prediction\n")), "{table:?}");
}
