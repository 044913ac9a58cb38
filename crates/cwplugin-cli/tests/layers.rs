//! Every module imports only modules above it in `src/lib.rs`.

use std::fs;
use std::path::{Path, PathBuf};

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn every_import_goes_up_the_list() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let map = fs::read_to_string(source.join("lib.rs")).unwrap();
    let layers: Vec<&str> =
        map.lines().filter_map(|line| line.strip_prefix("mod ")?.split(';').next()).collect();
    assert!(layers.len() > 5, "{layers:?}");
    let layer = |name: &str| layers.iter().position(|layer| *layer == name);
    let mut files = Vec::new();
    rust_files(&source, &mut files);
    for file in files {
        let name = file.strip_prefix(&source).unwrap().iter().next().unwrap().to_str().unwrap();
        let Some(own) = layer(name.trim_end_matches(".rs")) else { continue };
        for import in fs::read_to_string(&file).unwrap().split("crate::").skip(1) {
            let end = import.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(import.len());
            if let Some(other) = layer(&import[..end]) {
                assert!(other <= own, "{}: imports {}", file.display(), &import[..end]);
            }
        }
        let is_beside_folder = file.with_extension("").is_dir();
        assert!(!is_beside_folder, "{} is beside a folder of the same name", file.display());
    }
}
