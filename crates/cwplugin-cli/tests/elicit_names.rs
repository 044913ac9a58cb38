//! One session under several names: answers told at once are kept, or refused.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Stdio;

use serde_json::json;

use crate::support::Folder;

const START: [&str; 7] = ["elicit", "start", "--classes", "a,b,c,d,e", "--budget", "200", "--mode"];

/// A session with so many open queries: one for every class but the last.
fn with_open_queries(folder: &Folder, n: usize) {
    let classes = (0..=n).map(|class| class.to_string()).collect::<Vec<_>>().join(",");
    let start = ["elicit", "start", "--classes", &classes, "--mode", "restricted", "--budget", "1000"];
    folder.ok(&[&start[..], &["-o", "s.json"]].concat());
    let asked = folder.ok(&["elicit", "ask", "s.json", "--batch", &n.to_string(), "--json"]).json();
    assert_eq!(asked["queries"].as_array().unwrap().len(), n);
}

#[test]
fn answers_told_at_once_through_different_names_are_all_kept() {
    let folder = Folder::new();
    with_open_queries(&folder, 30);
    fs::create_dir(folder.path("sub")).unwrap();
    symlink("s.json", folder.path("link.json")).unwrap();
    symlink("link.json", folder.path("link-of-link.json")).unwrap();
    symlink("../s.json", folder.path("sub/up.json")).unwrap();
    symlink(folder.path("sub"), folder.path("other")).unwrap();
    let absolute = folder.path("s.json");
    let names = [
        "s.json",
        "link.json",
        "link-of-link.json",
        "sub/up.json",
        "other/up.json",
        "sub/../s.json",
        absolute.to_str().unwrap(),
    ];
    let tell = |id: usize| {
        let (name, value) = (names[id % names.len()], (id as f64 / 100.0).to_string());
        let mut command = folder.command(&["elicit", "tell", name, &id.to_string(), &value]);
        command.stderr(Stdio::piped()).spawn().unwrap()
    };
    for ids in (1..=30).collect::<Vec<_>>().chunks(10) {
        for child in ids.iter().map(|&id| tell(id)).collect::<Vec<_>>() {
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
    }
    let session = folder.json("s.json");
    let lost: Vec<usize> =
        (1..=30).filter(|&id| session["queries"][id - 1]["value"] != json!(id as f64 / 100.0)).collect();
    assert!(lost.is_empty(), "acknowledged and lost: {lost:?}");
    assert!(folder.path("link.json").is_symlink() && folder.path("sub/up.json").is_symlink());
    let names: BTreeSet<String> = folder.names().into_iter().filter(|name| name.contains("lock")).collect();
    assert_eq!(names, BTreeSet::from(["s.json.lock".to_string()]), "one lock for all names");
}

#[test]
fn a_session_with_hard_links_is_refused() {
    let folder = Folder::new();
    with_open_queries(&folder, 2);
    fs::hard_link(folder.path("s.json"), folder.path("same.json")).unwrap();
    let before = folder.text("s.json");
    for name in ["s.json", "same.json"] {
        let error = format!("{name}: the file has 2 names (hard links)");
        for args in [&["elicit", "tell", name, "1", "0.5"][..], &["elicit", "ask", name]] {
            folder.run(args).refused(1, &error, "use symbolic links");
        }
    }
    assert_eq!((folder.text("s.json"), folder.text("same.json")), (before.clone(), before));
    folder.ok(&["elicit", "status", "same.json"]); // reading is harmless
    fs::remove_file(folder.path("same.json")).unwrap();
    folder.ok(&["elicit", "tell", "s.json", "1", "0.5"]);
}

#[test]
fn of_sessions_started_at_once_in_one_file_one_is_acknowledged() {
    for _ in 0..10 {
        let folder = Folder::new();
        symlink("s.json", folder.path("link.json")).unwrap();
        let start = |(k, name): (usize, &&str)| {
            let mode = ["restricted", "safe"][k % 2];
            let mut command = folder.command(&[&START[..], &[mode, "--json", "-o", name]].concat());
            (mode, command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap())
        };
        let children: Vec<_> =
            ["s.json", "link.json", "./s.json", "s.json"].iter().enumerate().map(start).collect();
        let ended = children.into_iter().map(|(mode, child)| (mode, child.wait_with_output().unwrap()));
        let started: Vec<&str> =
            ended.filter(|(_, output)| output.status.success()).map(|(mode, _)| mode).collect();
        assert_eq!(started.len(), 1, "{started:?}");
        assert_eq!(folder.json("s.json")["mode"], json!(started[0]));
    }
}
