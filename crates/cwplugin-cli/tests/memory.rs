//! Memory does not grow with the rows.

#![cfg(target_os = "linux")] // the kernel tells the peak

use std::io::Write as _;
use std::process::Stdio;

use crate::support::Folder;

/// The peak memory of the program, in kB, after few and after many rows on its standard input.
fn peaks(args: &[&str], header: &str, rows: &str, few: usize, more: usize) -> [u64; 2] {
    let folder = Folder::with_model();
    let args = [args, &["--quiet", "--threads", "2"]].concat();
    let mut child = folder.command(&args).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let peak = || -> u64 {
        let status = std::fs::read_to_string(&status).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    };
    // A pipe holds little: what has been written to it has been read, and all but a few blocks of it worked off.
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(header.as_bytes()).unwrap();
    (0..few).for_each(|_| stdin.write_all(rows.as_bytes()).unwrap());
    let after_few = peak();
    (0..more).for_each(|_| stdin.write_all(rows.as_bytes()).unwrap());
    let after_many = peak();
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0), "{args:?}");
    [after_few, after_many]
}

#[test]
fn predicted_rows_are_forgotten() {
    let args = ["apply", "model.json", "-", "-o", "/dev/null", "--to", "csv"];
    let [few, many] = peaks(&args, "p_a,p_b,p_c\n", &"0.2,0.3,0.5\n".repeat(20_000), 15, 30);
    // The text of the further 600,000 rows alone is 7.2 MB; as Arrow strings it is three times that.
    assert!(many < few + 6_000, "{few} kB after 300,000 rows, {many} kB after 900,000");
}

/// The peaks of a command that counts labelled rows.
fn labelled_peaks(args: &[&str]) -> [u64; 2] {
    let rows = "a,0.1,0.2,0.3,0.5\nb,0.3,0.3,0.4,0.3\nc,1,0.4,0.5,0.1\n".repeat(7_000);
    peaks(args, "label,w,p_a,p_b,p_c\n", &rows, 6, 10)
}

#[test]
fn counted_rows_are_forgotten() {
    for args in [
        &["fit", "-", "--search", "grid:0.01", "--buffer", "1", "-o", "m.json"][..],
        &["fit", "-", "--search", "grid:0.01", "--buffer", "0", "--reference", "last", "--weight", "w"],
        &["stats", "-", "--weight", "w", "-o", "s.json"],
    ] {
        let [few, many] = labelled_peaks(args);
        // The probabilities of the further 210,000 rows alone would be 5 MB.
        assert!(many < few + 4_000, "{args:?}: {few} kB after 126,000 rows, {many} kB after 336,000");
    }
}

#[test]
fn kept_rows_would_be_noticed() {
    let [few, many] = labelled_peaks(&["fit", "-", "--search", "grid:0.01"]);
    assert!(many > few + 4_000, "{few} kB after 126,000 rows, {many} kB after 336,000");
}
