//! The completions of real shells.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{Folder, is_installed};

/// A shell in the folder that finds the program.
fn shell(folder: &Folder, name: &str) -> Command {
    let program = Path::new(crate::PROGRAM).parent().unwrap().to_str().unwrap();
    let path = format!("{program}:{}", std::env::var("PATH").unwrap());
    let mut shell = Command::new(name);
    shell.env("PATH", path).current_dir(folder.path(".")).stdin(Stdio::null());
    shell
}

/// A folder with a table, a model, and the script of a shell; `None` without the shell.
fn folder_of(name: &str) -> Option<Folder> {
    let folder = Folder::with_model();
    folder.write("script", folder.ok(&["completions", name]).stdout);
    is_installed(name).then_some(folder)
}

fn lines(command: &mut Command) -> Vec<String> {
    let run = command.output().unwrap();
    assert!(run.stderr.is_empty(), "{}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8(run.stdout).unwrap().lines().map(String::from).collect()
}

/// The words of a line as bash splits them.
fn words_of_bash(line: &str) -> Vec<String> {
    let is_end = |c: char| c == ':' || c == '=';
    let mut words = Vec::new();
    for word in line.split(' ') {
        let parts = word.chars().collect::<Vec<_>>();
        let parts = parts.chunk_by(|&a, &b| is_end(a) == is_end(b)).map(|part| part.iter().collect());
        let before = words.len();
        words.extend(parts);
        if words.len() == before {
            words.push(String::new());
        }
    }
    words
}

/// The completions of a line; the last word is completed.
fn completed_by_bash(folder: &Folder, line: &str) -> Vec<String> {
    let words = words_of_bash(line);
    let (last, before) = (words.last().unwrap(), &words[words.len() - 2]);
    let last = if last.chars().all(|c| c == ':' || c == '=') { "" } else { last };
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    let code = format!(
        "source ./script; registered=$(complete -p cwplugin); [[ $registered =~ -F\\ ([^ ]+) ]]; \
         COMP_WORDS=({}); COMP_CWORD={}; ${{BASH_REMATCH[1]}} cwplugin '{last}' '{before}'; \
         printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        quoted.join(" "),
        words.len() - 1,
    );
    lines(shell(folder, "bash").args(["-c", &code]))
}

#[test]
fn bash_completes_commands_metrics_methods_columns_and_classes() {
    let Some(folder) = folder_of("bash") else { return };
    let completed = |line: &str| completed_by_bash(&folder, line);
    assert_eq!(completed("cwplugin ev"), ["eval"]);
    assert_eq!(completed("cwplugin fit data.csv --met"), ["--metric", "--metric-timeout", "--method"]);
    assert_eq!(completed("cwplugin fit data.csv --metric mcc,balanced"), ["mcc,balanced-accuracy"]);
    assert_eq!(completed("cwplugin fit data.csv --method exp"), ["expected"]);
    assert_eq!(completed("cwplugin fit data.csv --label l"), ["label"]);
    assert_eq!(completed("cwplugin fit data.csv --weight p_"), ["p_a", "p_b", "p_c"]);
    assert_eq!(completed("cwplugin eval model.json data.csv --classes a,"), ["a,a", "a,b", "a,c"]);
    assert_eq!(completed("cwplugin fit da"), ["data.csv"]);
    // bash replaces only what follows the last `:` or `=`.
    assert_eq!(completed("cwplugin fit data.csv --metric f1:"), ["a", "b", "c"]);
    assert_eq!(completed("cwplugin fit data.csv --metric mcc,recall:b"), ["b"]);
    assert_eq!(completed("cwplugin fit data.csv --method cwplugin:l"), ["last"]);
    assert_eq!(completed("cwplugin fit data.csv --metric=balanced"), ["balanced-accuracy"]);
    assert_eq!(completed("cwplugin fit data.csv --metric=f1:"), ["a", "b", "c"]);
    assert_eq!(completed("cwplugin fit data.csv --metric f1:a --method exp"), ["expected"]);
}

#[test]
fn fish_completes_commands_metrics_methods_columns_and_classes() {
    let Some(folder) = folder_of("fish") else { return };
    let completed = |line: &str| -> Vec<String> {
        let code = format!("source script; complete --do-complete '{line}'");
        let found = lines(shell(&folder, "fish").args(["--no-config", "-c", &code]));
        found.iter().map(|line| line.split('\t').next().unwrap().to_string()).collect()
    };
    assert_eq!(completed("cwplugin ev"), ["eval"]);
    assert_eq!(completed("cwplugin fit data.csv --met"), ["--metric", "--metric-timeout", "--method"]);
    assert_eq!(completed("cwplugin fit data.csv --metric mcc,balanced"), ["mcc,balanced-accuracy"]);
    assert_eq!(completed("cwplugin fit data.csv --method exp"), ["expected"]);
    assert_eq!(completed("cwplugin fit data.csv --label l"), ["label"]);
    assert_eq!(completed("cwplugin fit data.csv --metric f1:"), ["f1:a", "f1:b", "f1:c"]);
    assert_eq!(completed("cwplugin fit da"), ["data.csv"]);
}

/// Completes every line of the file `lines` in the line editor and writes what it becomes.
const ZSHRC: &str = r#"
autoload -Uz compinit && compinit -u -D
source script
zle-line-init() {
    for BUFFER in "${(@f)$(<lines)}"; do
        CURSOR=$#BUFFER
        zle complete-word
        print -r -- "$BUFFER" >> completed
    done
    exit
}
zle -N zle-line-init
"#;

#[test]
#[cfg(target_os = "linux")]
fn zsh_completes_commands_metrics_methods_columns_and_classes() {
    let Some(folder) = folder_of("zsh").filter(|_| is_installed("script")) else { return };
    let expected = [
        ("cwplugin ev", "cwplugin eval "),
        ("cwplugin fit data.csv --meth", "cwplugin fit data.csv --method "),
        ("cwplugin fit data.csv --metric mcc,bal", "cwplugin fit data.csv --metric mcc,balanced-accuracy "),
        ("cwplugin fit data.csv --method exp", "cwplugin fit data.csv --method expected "),
        ("cwplugin fit data.csv --method cwplugin:l", "cwplugin fit data.csv --method cwplugin:last "),
        ("cwplugin fit data.csv --label l", "cwplugin fit data.csv --label label "),
        ("cwplugin fit data.csv --metric f1:b", "cwplugin fit data.csv --metric f1:b "),
        ("cwplugin fit da", "cwplugin fit data.csv "),
    ];
    folder.write("lines", expected.map(|(line, _)| line).join("\n"));
    folder.write(".zshrc", ZSHRC);
    let mut script = shell(&folder, "script");
    script.args(["-qec", "zsh -i", "/dev/null"]).env("ZDOTDIR", folder.path(".")).env("TERM", "xterm");
    let shown = String::from_utf8_lossy(&script.output().unwrap().stdout).into_owned();
    let completed = folder.names().contains(&"completed".into()).then(|| folder.text("completed"));
    let completed = completed.unwrap_or_else(|| panic!("the script was not loaded: {shown}"));
    assert_eq!(completed.lines().collect::<Vec<_>>(), expected.map(|(_, line)| line), "{shown}");
}

#[test]
fn every_shell_has_a_script() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = folder.ok(&["completions", shell]).text();
        let json = folder.ok(&["completions", shell, "--json"]).json();
        assert!(script.contains("cwplugin") && json["script"].as_str() == Some(&script), "{shell}");
    }
}
