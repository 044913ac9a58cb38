//! A folder to work in, runs of the program there, and their results. The tests of `crates/lab` use it too.

pub(crate) mod metrics; // one of each, for classes a, b, c and d
pub(crate) mod rows; // random tables in several formats
pub(crate) mod samples; // rows that every method can be fitted on
pub(crate) mod transcripts; // pages whose console blocks are run

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use serde_json::Value;
use tempfile::TempDir;

/// Three classes, with one row that the weights can win.
pub(crate) const TABLE: &str = "\
id,label,p_a,p_b,p_c
r1,a,0.7,0.2,0.1
r2,a,0.6,0.35,0.05
r3,b,0.5,0.4,0.1
r4,b,0.45,0.45,0.1
r5,c,0.2,0.2,0.6
r6,c,0.5,0.1,0.4
r7,,0.1,0.3,0.6
";

/// Weights 1, 2 and 4 for `a`, `b` and `c`, before they are divided by their sum.
pub(crate) const WEIGHTS: [f64; 3] = [1.0 / 7.0, 2.0 / 7.0, 4.0 / 7.0];

/// A temporary folder; the program runs in it, so that messages name files without a path.
pub(crate) struct Folder(TempDir);

impl Folder {
    /// In memory where that can be: the program waits until a file is on the disk, and a test need not.
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap())
    }

    /// A folder with `data.csv` ([`TABLE`]) and `model.json` ([`WEIGHTS`]).
    pub(crate) fn with_model() -> Self {
        Self::new().with("data.csv", TABLE).with("model.json", model(&["a", "b", "c"], &WEIGHTS))
    }

    /// The folder with one more file.
    pub(crate) fn with(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        self.write(name, content);
        self
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    pub(crate) fn json(&self, name: &str) -> Value {
        serde_json::from_slice(&self.read(name)).unwrap()
    }

    /// Names of all files in the folder, hidden ones too.
    pub(crate) fn names(&self) -> Vec<String> {
        let names = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<_> =
            names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The program with these arguments, not yet started.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(crate::PROGRAM);
        command.args(args).current_dir(self.0.path()).stdin(Stdio::null());
        // The user's own terminal has no say in what the tests see.
        for name in ["NO_COLOR", "CLICOLOR_FORCE", "COLUMNS", "RUST_BACKTRACE"] {
            command.env_remove(name);
        }
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Run {
        self.run_on(args, &[])
    }

    /// Runs the program with these bytes on standard input.
    pub(crate) fn run_on(&self, args: &[&str], stdin: &[u8]) -> Run {
        self.finish(args, self.command(args), stdin)
    }

    /// Runs this command, which is the program with these arguments.
    pub(crate) fn finish(&self, args: &[&str], mut command: Command, stdin: &[u8]) -> Run {
        let pipes = (Stdio::piped(), Stdio::piped(), Stdio::piped());
        let mut child = command.stdin(pipes.0).stdout(pipes.1).stderr(pipes.2).spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        let output = thread::scope(|scope| {
            scope.spawn(move || pipe.write_all(stdin)); // fails if the program ends before it reads
            child.wait_with_output().unwrap()
        });
        let run = Run {
            line: args.join(" "),
            code: output.status.code().unwrap_or(-1),
            stdout: output.stdout,
            stderr: String::from_utf8(output.stderr).unwrap(),
        };
        assert!(!run.stderr.contains("panicked"), "{}: {}", run.line, run.stderr);
        assert!(!run.stderr.contains('\u{1b}'), "colours without a terminal: {}", run.line);
        run
    }

    /// Runs the program and expects it to succeed.
    pub(crate) fn ok(&self, args: &[&str]) -> Run {
        self.run(args).ok()
    }

    /// Expects exit 1, `error` after the name of the program, a hint that contains `hint`, and no output.
    pub(crate) fn refuses(&self, args: &[&str], error: &str, hint: &str) {
        self.run(args).refused(1, error, hint);
        if writes(args) {
            self.keeps_the_old_file(args, error, hint);
        }
    }

    /// The same, with an output that is there already.
    fn keeps_the_old_file(&self, args: &[&str], error: &str, hint: &str) {
        let with_output: Vec<&str> = args.iter().copied().chain(["-o", "out.csv"]).collect();
        self.write("out.csv", "old");
        let before = self.names();
        self.run(&with_output).refused(1, error, hint);
        assert_eq!(self.names(), before, "a refused {} leaves no file", with_output.join(" "));
        assert_eq!(self.text("out.csv"), "old", "a refused {} keeps the old file", with_output.join(" "));
        fs::remove_file(self.path("out.csv")).unwrap();
    }

    /// The same of every verb that reads a table: `fit`, `eval`, and `eval` and `apply` with `model.json`.
    pub(crate) fn all_refuse(&self, data: &[&str], error: &str, hint: &str) {
        let labelled = [&["fit"] as &[&str], &["eval"], &["eval", "model.json"]];
        self.refuse(labelled.into_iter().chain([&["apply", "model.json"] as &[&str]]), data, error, hint);
    }

    /// As [`Folder::all_refuse`], for verbs that read labels.
    pub(crate) fn labelled_refuse(&self, data: &[&str], error: &str, hint: &str) {
        self.refuse([&["fit"] as &[&str], &["eval"], &["eval", "model.json"]], data, error, hint);
    }

    /// Each verb once: that nothing is printed without `-o` either is seen wherever one verb refuses.
    fn refuse<'a>(
        &self,
        verbs: impl IntoIterator<Item = &'a [&'a str]>,
        data: &[&'a str],
        error: &str,
        hint: &str,
    ) {
        for verb in verbs {
            let args = [verb, data].concat();
            if writes(&args) {
                self.keeps_the_old_file(&args, error, hint);
            } else {
                self.run(&args).refused(1, error, hint);
            }
        }
    }
}

/// Whether the verb takes an output, and has none yet.
fn writes(args: &[&str]) -> bool {
    matches!(args[0], "fit" | "apply") && !args.contains(&"-o")
}

/// Whether a program can be started; a test that needs another one is skipped, with a message.
pub(crate) fn is_installed(program: &str) -> bool {
    let version = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    #[allow(clippy::print_stderr)]
    if version.is_err() {
        eprintln!("{program} is not installed: skipped");
    }
    version.is_ok()
}

/// A model without the options of its fit, since flags may spell out defaults, and without what only rows tell.
pub(crate) fn without_options(mut model: Value) -> Value {
    if let Some(fit) = model["fit"].as_object_mut() {
        fit.shift_remove("options");
        fit.shift_remove("fingerprint");
        let is_known = |warning: &Value| {
            !["one-hot", "two-valued", "labels-as-predicted", "uneven-weights", "repeated-rows"]
                .contains(&warning["kind"].as_str().unwrap())
        };
        fit["warnings"].as_array_mut().unwrap().retain(is_known);
    }
    model
}

/// A run of the program.
pub(crate) struct Run {
    line: String,
    pub(crate) code: i32,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl Run {
    pub(crate) fn ok(self) -> Self {
        assert_eq!(self.code, 0, "{}: {}", self.line, self.stderr);
        self
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.stdout.clone()).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.stdout).unwrap_or_else(|error| panic!("{}: {error}", self.line))
    }

    /// Expects one line that says what is wrong, one with a cure, and nothing else.
    pub(crate) fn refused(&self, code: i32, error: &str, hint: &str) {
        let Self { line, stderr, .. } = self;
        assert_eq!(self.code, code, "{line}: {stderr}");
        assert!(self.stdout.is_empty(), "{line}: {}", self.text());
        let name = Path::new(crate::PROGRAM).file_stem().unwrap().display();
        let lines: Vec<&str> = stderr.lines().collect();
        assert_eq!(lines.len(), 2, "{line}: one line of error and one of hint:\n{stderr}");
        assert_eq!(lines[0], format!("{name}: error: {error}"), "{line}");
        assert!(
            lines[1].starts_with("  hint: ") && lines[1].contains(hint),
            "{line}: not {hint:?}: {}",
            lines[1]
        );
    }
}

/// A model file of these classes and weights.
pub(crate) fn model(classes: &[&str], weights: &[f64]) -> String {
    let model = serde_json::json!({
        "format": "cwplugin-model", "version": 1, "cwplugin": "0.1.0",
        "classes": classes, "calibration": null, "weights": weights, "fit": null,
    });
    model.to_string()
}

/// A file of `testdata/`.
pub(crate) fn testdata(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name).to_str().unwrap().to_string()
}

/// The cells of a CSV text, header first.
pub(crate) fn cells(csv: &[u8]) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(csv);
    reader.records().map(|row| row.unwrap().iter().map(String::from).collect()).collect()
}

/// A column of a CSV text, without its header.
pub(crate) fn column(csv: &[u8], name: &str) -> Vec<String> {
    let rows = cells(csv);
    let place =
        rows[0].iter().position(|header| header == name).unwrap_or_else(|| panic!("no column {name}"));
    rows[1..].iter().map(|row| row[place].clone()).collect()
}
