//! The names at the crate's root: few enough to read.

/// What `src/lib.rs` exports: its public modules, and the names of `pub use`.
fn names() -> Vec<String> {
    let map = include_str!("../src/lib.rs");
    let code: Vec<&str> = map.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let mut names = Vec::new();
    for item in code.join("\n").split(';').map(str::trim) {
        if let Some(module) = item.strip_prefix("pub mod ") {
            names.push(module.to_string());
        } else if let Some(path) = item.strip_prefix("pub use ") {
            let list = path.rsplit_once("::").unwrap().1;
            let list = path.split_once('{').map_or(list, |(_, list)| list.trim_end_matches('}'));
            names.extend(list.split(',').map(|name| name.trim().to_string()).filter(|name| !name.is_empty()));
        }
    }
    names
}

#[test]
fn the_root_has_at_most_sixty_names() {
    let names = names();
    for name in ["methods", "prelude", "Sample", "Fit", "Model", "METHODS"] {
        assert!(names.iter().any(|found| found == name), "{name} was not found");
    }
    assert!(!names.iter().any(|name| name == "*"), "a glob hides its names");
    assert!(names.len() <= 60, "{} names: {}", names.len(), names.join(", "));
}
