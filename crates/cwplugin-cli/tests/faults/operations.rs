//! Everything that writes a file, with its inputs and what it writes when nothing goes wrong.

use std::fmt::Write as _;
use std::fs;
use std::sync::OnceLock;

use crate::support::Folder;
use crate::support::samples::{csv, rows};

/// A run of the program that writes files.
#[derive(Debug, Clone, Copy)]
pub(super) struct Operation {
    pub(super) name: &'static str,
    pub(super) args: &'static [&'static str],
    pub(super) outputs: &'static [&'static str],
    /// How its outputs are before it, each in turn.
    befores: &'static [Before],
}

/// An output before an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    Absent,
    /// The result of something else.
    Old,
    /// An input too: a session.
    Input,
}

const NEW: &[Before] = &[Before::Absent, Before::Old];

const fn operation(
    name: &'static str,
    args: &'static [&'static str],
    outputs: &'static [&'static str],
) -> Operation {
    Operation { name, args, outputs, befores: NEW }
}

pub(super) const FIT: Operation =
    operation("`fit`", &["fit", "data.csv", "--method", "cwplugin", "-o", "out.json"], &["out.json"]);

pub(super) const APPLY: Operation =
    operation("`apply` to CSV", &["apply", "model.json", "long.csv", "-o", "out.csv"], &["out.csv"]);

/// In the order of a user's work.
pub(super) const ALL: [Operation; 16] = [
    FIT,
    operation(
        "`fit`, read twice",
        &["fit", "long.csv", "--search", "grid:0.1", "--buffer", "0", "-o", "out.json"],
        &["out.json"],
    ),
    APPLY,
    operation(
        "`apply` to CSV, gzip",
        &["apply", "model.json", "long.csv", "-o", "out.csv.gz"],
        &["out.csv.gz"],
    ),
    operation(
        "`apply` to Parquet",
        &["apply", "model.json", "long.csv", "-o", "out.parquet"],
        &["out.parquet"],
    ),
    operation("`apply` to Arrow", &["apply", "model.json", "in.parquet", "-o", "out.arrow"], &["out.arrow"]),
    operation("`stats`", &["stats", "data.csv", "-o", "out.json"], &["out.json"]),
    operation("`stats` to Parquet", &["stats", "data.csv", "-o", "out.parquet"], &["out.parquet"]),
    operation("`merge`", &["merge", "one.json", "two.parquet", "-o", "out.json"], &["out.json"]),
    operation("`export`", &["export", "model.json", "-o", "out.onnx"], &["out.onnx"]),
    operation(
        "`report`",
        &["report", "model.json", "data.csv", "--refits", "0", "--resamples", "10", "-o", "out.html"],
        &["out.html"],
    ),
    operation(
        "`compare`",
        &[
            "compare",
            "data.csv",
            "--methods",
            "cwplugin",
            "--metrics",
            "accuracy",
            "--sizes",
            "20",
            "--repeats",
            "1",
            "--draws-out",
            "draws.json",
            "--csv",
            "out.csv",
            "--html",
            "out.html",
        ],
        &["draws.json", "out.csv", "out.html"],
    ),
    Operation {
        befores: &[Before::Absent],
        ..operation(
            "`elicit start`",
            &["elicit", "start", "--classes", "a,b,c", "--budget", "50", "-o", "new.json"],
            &["new.json"],
        )
    },
    Operation {
        befores: &[Before::Input],
        ..operation("`elicit ask`", &["elicit", "ask", "s.json", "--batch", "2"], &["s.json"])
    },
    Operation {
        befores: &[Before::Input],
        ..operation("`elicit tell`", &["elicit", "tell", "link.json", "2", "0.25"], &["s.json"])
    },
    operation("`elicit finish`", &["elicit", "finish", "s.json", "-o", "out.json"], &["out.json"]),
];

/// An operation in a folder with its inputs, and what it writes there undisturbed.
pub(super) struct Scene {
    pub(super) operation: Operation,
    pub(super) folder: Folder,
    pub(super) before: Before,
    session: String,
    /// Its outputs, whole.
    pub(super) whole: Vec<Vec<u8>>,
    pub(super) stdout: Vec<u8>,
}

impl Scene {
    /// One for each state of the outputs before it.
    pub(super) fn all_of(operation: Operation) -> Vec<Self> {
        operation.befores.iter().map(|&before| Self::new(operation, before)).collect()
    }

    pub(super) fn new(operation: Operation, before: Before) -> Self {
        let folder = folder();
        let session = folder.text("s.json");
        let mut scene = Self { operation, folder, before, session, whole: Vec::new(), stdout: Vec::new() };
        scene.reset();
        scene.stdout = scene.folder.ok(operation.args).stdout;
        scene.whole = operation.outputs.iter().map(|output| scene.folder.read(output)).collect();
        scene
    }

    /// The outputs as they are before the operation.
    pub(super) fn reset(&self) {
        for output in self.operation.outputs {
            match self.before {
                Before::Absent => {
                    let _ = fs::remove_file(self.folder.path(output));
                }
                Before::Old => self.folder.write(output, "old"),
                Before::Input => self.folder.write(output, &self.session),
            }
        }
    }

    /// An output as it was before; `None` if it was absent.
    pub(super) fn old(&self) -> Option<&[u8]> {
        match self.before {
            Before::Absent => None,
            Before::Old => Some(b"old"),
            Before::Input => Some(self.session.as_bytes()),
        }
    }
}

/// A folder with the inputs of all operations, which are made once.
fn folder() -> Folder {
    static INPUTS: OnceLock<Vec<(String, Vec<u8>)>> = OnceLock::new();
    let folder = Folder::new();
    for (name, content) in INPUTS.get_or_init(inputs) {
        folder.write(name, content);
    }
    std::os::unix::fs::symlink("s.json", folder.path("link.json")).unwrap();
    folder
}

/// `long.csv` takes several reads and writes.
fn inputs() -> Vec<(String, Vec<u8>)> {
    let folder = Folder::new().with("data.csv", csv(&rows(60, 1)));
    // Long texts, which take calls and hardly any time.
    let (mut long, text) = (String::from("label,id,p_a,p_b,p_c\n"), "x".repeat(250));
    for row in 0..1200_usize {
        let (label, cents) = (["a", "b", "c"][row * 7 % 3], row * 13 % 97);
        writeln!(long, "{label},{text}{row},0.{cents:02},0.01,{:.2}", 0.99 - cents as f64 / 100.0).unwrap();
    }
    folder.write("long.csv", long);
    let session = ["--classes", "a,b,c", "--budget", "50", "--mode", "restricted", "-o", "s.json"];
    for args in [
        &["fit", "data.csv", "--method", "bcts", "-o", "model.json"] as &[&str],
        &["apply", "model.json", "long.csv", "-o", "in.parquet", "--prediction", "before"],
        &["stats", "data.csv", "-o", "one.json"],
        &["stats", "data.csv", "-o", "two.parquet"],
        &[&["elicit", "start"], &session[..]].concat(),
        &["elicit", "ask", "s.json", "--batch", "2"],
        &["elicit", "tell", "s.json", "1", "0.5"],
    ] {
        folder.ok(args);
    }
    folder.names().into_iter().map(|name| (name.clone(), folder.read(&name))).collect()
}
