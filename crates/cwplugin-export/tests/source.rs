//! The Python and Rust sources agree with the library, in one run of all models.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::TestRunner;

use crate::support::{Case, all_zero_cases, cases};

const MODELS: usize = 60;

fn all_cases() -> Vec<Case> {
    let mut runner = TestRunner::deterministic();
    let random = (0..MODELS).map(|_| cases().new_tree(&mut runner).unwrap().current());
    random.chain(all_zero_cases()).collect()
}

/// The class and the scores of every row; programs print the class and the bits of the scores.
fn expected(cases: &[Case]) -> Vec<(usize, Vec<f64>)> {
    let lines = |case: &Case| case.predicted.clone().into_iter().zip(case.scores.clone()).collect::<Vec<_>>();
    cases.iter().flat_map(lines).collect()
}

fn compare(printed: &str, cases: &[Case]) {
    let expected = expected(cases);
    assert_eq!(printed.lines().count(), expected.len());
    for (line, (class, expected)) in printed.lines().zip(expected) {
        let mut words = line.split(' ');
        let found: usize = words.next().unwrap().parse().unwrap();
        let scores: Vec<f64> = words.map(|word| f64::from_bits(word.parse().unwrap())).collect();
        // Only logarithms may differ between machines, in the last digit.
        let is_close = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-13 * b.abs();
        assert!(
            scores.len() == expected.len() && scores.iter().zip(&expected).all(is_close),
            "{line}: {expected:?}"
        );
        let differs = scores.iter().zip(&expected).any(|(a, b)| a.to_bits() != b.to_bits());
        assert!(found == class || differs, "{line}: {class}");
    }
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn rust_agrees_with_the_library() {
    let cases = all_cases();
    let (mut text, mut main) = (String::from("#![deny(warnings)]\n"), String::from("fn main() {\n"));
    for (i, case) in cases.iter().enumerate() {
        // `#![deny(warnings)]` is not about functions that the test does not call.
        writeln!(text, "#[allow(dead_code)]\nmod m{i} {{\n{}}}", cwplugin_export::rust(&case.model).unwrap())
            .unwrap();
        let d = case.rows[0].len();
        writeln!(main, "let rows: [[f64; {d}]; {}] = {:?};", case.rows.len(), case.rows).unwrap();
        writeln!(main, "for row in rows.iter() {{\nprint!(\"{{}}\", m{i}::predict(row));").unwrap();
        writeln!(main, "for s in m{i}::scores(row) {{ print!(\" {{}}\", s.to_bits()); }}\nprintln!();\n}}")
            .unwrap();
        for (k, name) in case.model.classes().iter().enumerate() {
            // Names are equal byte for byte.
            writeln!(main, "assert_eq!(m{i}::CLASSES[{k}].as_bytes(), &{:?});", name.as_bytes()).unwrap();
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let (source, program) = (folder.path().join("main.rs"), folder.path().join("main"));
    std::fs::write(&source, format!("{text}{main}}}\n")).unwrap();
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    run(Command::new(rustc).args(["--edition", "2021", "-o"]).arg(&program).arg(&source));
    compare(&run(&mut Command::new(program)), &cases);
}

#[test]
fn python_agrees_with_the_library() {
    if Command::new("python3").arg("--version").output().is_err() {
        return; // no Python here
    }
    let cases = all_cases();
    let folder = tempfile::tempdir().unwrap();
    let mut main = String::from("import struct\nfrom importlib import import_module\n");
    main += "bits = lambda x: struct.unpack('<Q', struct.pack('<d', x))[0]\n";
    for (i, case) in cases.iter().enumerate() {
        write(folder.path(), &format!("m{i}.py"), &cwplugin_export::python(&case.model).unwrap());
        let names: Vec<&[u8]> = case.model.classes().iter().map(String::as_bytes).collect();
        writeln!(main, "m = import_module('m{i}')").unwrap();
        writeln!(main, "assert [list(c.encode()) for c in m.CLASSES] == {names:?}").unwrap();
        writeln!(main, "rows = {:?}", case.rows).unwrap();
        main += "assert m.predict_all(rows) == [m.predict(row) for row in rows]\n";
        main += "for row in rows:\n    print(m.CLASSES.index(m.predict(row)), *map(bits, m.scores(row)))\n";
    }
    write(folder.path(), "main.py", &main);
    compare(&run(Command::new("python3").arg("-B").arg(folder.path().join("main.py"))), &cases);
}

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).unwrap();
}
