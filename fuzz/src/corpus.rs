//! The first inputs: the fixtures of `testdata/`, and documents that the library writes itself.

use std::fs;
use std::path::{Path, PathBuf};

/// The files of a folder, in the order of their names; none if there is no such folder.
pub(crate) fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = entries.filter(|path| path.is_file()).collect();
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), fs::read(&path).unwrap())).collect()
}

/// The fixtures in a folder of `testdata/`, with their names.
pub(crate) fn fixtures(folder: &str) -> Vec<(String, Vec<u8>)> {
    let found = files(&crate::folder().join("../testdata").join(folder));
    assert!(!found.is_empty(), "testdata/{folder} is empty");
    let name = |path: PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    found.into_iter().map(|(path, content)| (name(path), content)).collect()
}

/// The head of an input, and the rest of it.
pub(crate) fn joined(head: &[u8], rest: &[u8]) -> Vec<u8> {
    [head, rest].concat()
}

/// Writes inputs, named by their content, so that writing them again adds nothing.
pub(crate) fn write(folder: &Path, inputs: &[Vec<u8>]) {
    fs::create_dir_all(folder).unwrap();
    for input in inputs {
        // FNV-1a, which is the same on every machine.
        let hash = input.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        });
        fs::write(folder.join(format!("{hash:016x}")), input).unwrap();
    }
}

/// The words of a dictionary of libFuzzer: `"text"` or `name="text"`, with `\\`, `\"` and `\xAB`; none if there is no such file.
pub(crate) fn words(path: &Path) -> Vec<Vec<u8>> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let quoted = |line: &str| Some(line[line.find('"')? + 1..line.rfind('"')?].to_owned());
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(quoted).map(|word| unescaped(&word)).collect()
}

fn unescaped(word: &str) -> Vec<u8> {
    let (mut bytes, mut rest) = (Vec::new(), word.as_bytes());
    while let Some((&first, after)) = rest.split_first() {
        rest = match (first, after) {
            (b'\\', [b'x', high, low, after @ ..]) => {
                let digits = [char::from(*high), char::from(*low)].map(|digit| digit.to_digit(16).unwrap());
                bytes.push((16 * digits[0] + digits[1]) as u8);
                after
            }
            (b'\\', [escaped, after @ ..]) => {
                bytes.push(*escaped);
                after
            }
            (byte, after) => {
                bytes.push(byte);
                after
            }
        };
    }
    bytes
}
