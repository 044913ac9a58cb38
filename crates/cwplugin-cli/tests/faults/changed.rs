//! Inputs that are replaced while they are read: the result is that of one of the two files, or there is none.

use super::injection::{library, run_while};
use crate::support::Folder;
use crate::support::rows::Rows;

/// Replies of a list of scores, whose names are the classes.
fn replies(classes: [&str; 2], n: usize, step: usize) -> String {
    let reply = |i: usize| {
        let share = 0.1 + (i * step % 80) as f64 / 100.0;
        let [one, other] = classes;
        let scores = format!(
            "[{{\"label\":\"{one}\",\"score\":{share:.2}}},{{\"label\":\"{other}\",\"score\":{:.2}}}]",
            1.0 - share
        );
        format!("{{\"label\":\"{}\",\"response\":{scores}}}\n", classes[i * step / 3 % 2])
    };
    (0..n).map(reply).collect()
}

/// Runs the arguments on both tables, and on the first while the second replaces it before any of its openings.
fn check(args: &[&str], name: &str, tables: &[String; 2]) {
    let Some(library) = library() else { return };
    let folder = Folder::new();
    let result = |table: &String| {
        folder.write(name, table);
        folder.ok(args).text()
    };
    let results = [result(&tables[0]), result(&tables[1])];
    assert_ne!(results[0], results[1], "{args:?}");
    for change in [format!("mv other {name}"), format!("cat other > {name}")] {
        let (mut n, mut refused) = (1, 0);
        loop {
            folder.write(name, &tables[0]);
            folder.write("other", &tables[1]);
            let (output, has_happened) = run_while(&folder, args, (name, n), &change, library);
            if !has_happened {
                break;
            }
            let (stdout, stderr) =
                (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
            match output.status.code() {
                Some(0) => assert!(results.contains(&stdout), "{args:?}, opening {n}: a mixture: {stdout}"),
                Some(1) => {
                    refused += 1;
                    assert!(stderr.contains(name) && stdout.is_empty(), "{args:?}, opening {n}: {stderr}");
                }
                code => panic!("{args:?}, opening {n}: {code:?} {stderr}"),
            }
            n += 1;
        }
        assert!(n > 2 && refused > 0, "{args:?}: {n} openings, {refused} refused");
    }
}

fn table(n: usize, seed: u64) -> String {
    let folder = Folder::new();
    Rows::random(n, &["a", "b", "c"], seed).write(&folder, "t.csv", &(0..n).collect::<Vec<_>>());
    folder.text("t.csv")
}

#[test]
fn a_replaced_table_of_a_grid_fit_is_never_scored_by_halves() {
    let args = ["fit", "t.csv", "--search", "grid:0.1", "--buffer", "0", "--json", "--quiet"];
    check(&args, "t.csv", &[table(400, 1), table(300, 2)]);
}

#[test]
fn replaced_replies_are_never_read_by_halves() {
    let both = || [replies(["ham", "spam"], 80, 7), replies(["ham", "spam"], 60, 11)];
    let flags = ["r.jsonl", "--from", "huggingface", "--reply", "response", "--json", "--quiet"];
    check(&[&["eval"], &flags[..], &["--metric", "accuracy"]].concat(), "r.jsonl", &both());
    check(&[&["fit"], &flags[..], &["--method", "cwplugin"]].concat(), "r.jsonl", &both());
    let votes = |n: usize| {
        let vote = |i: usize| {
            format!(
                "{{\"id\":{0},\"label\":\"{1}\",\"answer\":\"{2}\"}}\n",
                i / 3,
                ["x", "y"][i / 3 % 2],
                ["x", "y"][i * 5 / 3 % 2]
            )
        };
        (0..n).map(vote).collect::<String>()
    };
    let flags = ["v.jsonl", "--from", "votes", "--json", "--quiet"];
    check(&[&["fit"], &flags[..], &["--method", "cwplugin"]].concat(), "v.jsonl", &[votes(90), votes(120)]);
}

/// Replies in a folder: a file that is added between the two passes.
#[test]
fn a_reply_that_is_added_while_a_folder_is_read_is_refused() {
    let Some(library) = library() else { return };
    let folder = Folder::new();
    std::fs::create_dir(folder.path("replies")).unwrap();
    for (i, line) in replies(["ham", "spam"], 30, 7).lines().enumerate() {
        folder.write(&format!("replies/{i:02}.json"), line);
    }
    folder.write("new.json", replies(["ham", "spam"], 1, 7));
    let args = ["eval", "replies", "--from", "huggingface", "--reply", "response", "--metric", "accuracy"];
    folder.ok(&args);
    // The last file is opened once in each pass.
    let change = "cp new.json replies/990.json";
    let (output, has_happened) = run_while(&folder, &args, ("/29.json", 1), change, library);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(has_happened && output.status.code() == Some(1), "{stderr}");
    assert!(stderr.contains("was changed while it was read, which takes two passes"), "{stderr}");
}
