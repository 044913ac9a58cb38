//! The layers of the library: every import goes up the list in `src/lib.rs`, and no two modules import each other.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A module by its path, e.g. `["methods", "ascent"]`, and the paths of its imports.
type Imports = BTreeMap<Vec<String>, BTreeSet<Vec<String>>>;

/// The layers from top to bottom, as `lib.rs` lists them.
fn layers() -> Vec<String> {
    let map = fs::read_to_string(source().join("lib.rs")).unwrap();
    let name = |line: &str| {
        let line = line.strip_prefix("pub ").unwrap_or(line);
        Some(line.strip_prefix("mod ")?.split(';').next()?.to_string())
    };
    map.lines().filter_map(name).collect()
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Every file below `folder` with the path of its module.
fn files(folder: &Path, module: &[String], found: &mut Vec<(Vec<String>, PathBuf)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap().to_string();
        let mut inner = module.to_vec();
        if path.is_dir() {
            inner.push(stem);
            files(&path, &inner, found);
        } else if stem != "lib" {
            if stem != "mod" {
                inner.push(stem);
            }
            found.push((inner, path));
        }
    }
}

/// The code of a file without comments and without the tests at its end.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().take_while(|line| *line != "mod tests {" && *line != "mod tests;");
    let code = lines.map(|line| line.split("//").next().unwrap_or_default());
    code.collect::<Vec<_>>().join("\n")
}

/// Every path after `crate::`, `self::` or `super::` in a piece of code, with braces expanded.
fn paths(code: &str, module: &[String], is_folder: bool) -> BTreeSet<Vec<String>> {
    let mut found = BTreeSet::new();
    let parent = |levels: usize| -> Vec<String> {
        let own = module.len() + usize::from(is_folder);
        module[..own.saturating_sub(levels).min(module.len())].to_vec()
    };
    for (start, base) in [("crate::", Vec::new()), ("super::super::", parent(2)), ("super::", parent(1))] {
        for (at, _) in code.match_indices(start) {
            let before = code[..at].chars().next_back();
            if before.is_some_and(|before| before.is_alphanumeric() || "_:$".contains(before)) {
                continue; // a part of a longer path
            }
            expand(&code[at + start.len()..], &base, &mut found);
        }
    }
    found
}

/// Follows one path, into braces where there are any.
fn expand(rest: &str, base: &[String], found: &mut BTreeSet<Vec<String>>) {
    let mut path = base.to_vec();
    let mut rest = rest.trim_start();
    loop {
        if let Some(inside) = rest.strip_prefix('{') {
            let (mut depth, mut from) = (0, 0);
            for (at, sign) in inside.char_indices() {
                match sign {
                    '{' => depth += 1,
                    '}' if depth > 0 => depth -= 1,
                    ',' | '}' if depth == 0 => {
                        expand(&inside[from..at], &path, found);
                        from = at + 1;
                        if sign == '}' {
                            return;
                        }
                    }
                    _ => {}
                }
            }
            return;
        }
        let end = rest.find(|sign: char| !sign.is_alphanumeric() && sign != '_').unwrap_or(rest.len());
        if end == 0 {
            break;
        }
        path.push(rest[..end].to_string());
        match rest[end..].strip_prefix("::") {
            Some(more) => rest = more,
            None => break,
        }
    }
    if path.len() > base.len() {
        found.insert(path);
    }
}

/// What every module imports; a path that ends in a name counts for the module that defines it, even if it is
/// re-exported by the layer.
fn imports() -> Imports {
    let mut found = Vec::new();
    files(&source(), &[], &mut found);
    found.retain(|(module, _)| !module.iter().any(|part| part == "tests"));
    let modules: BTreeSet<Vec<String>> = found.iter().map(|(module, _)| module.clone()).collect();
    let re_exports: BTreeMap<Vec<String>, Vec<String>> = found
        .iter()
        .filter(|(module, path)| module.len() == 1 && path.ends_with("mod.rs"))
        .flat_map(|(module, path)| re_exports(&code(path), module))
        .collect();
    let mut imports = Imports::new();
    for (module, path) in &found {
        let is_folder = path.ends_with("mod.rs");
        let entry = imports.entry(module.clone()).or_default();
        for target in paths(&code(path), module, is_folder) {
            let mut target = re_exports.get(target.get(..2).unwrap_or(&target)).cloned().unwrap_or(target);
            while !target.is_empty() && !modules.contains(&target) {
                target.pop();
            }
            entry.insert(target);
        }
    }
    imports
}

/// From the name that a layer re-exports to the path of its definition.
fn re_exports(code: &str, layer: &[String]) -> Vec<(Vec<String>, Vec<String>)> {
    let uses = code.split(';').filter_map(|statement| statement.trim().split_once("use "));
    let mut defined = BTreeSet::new();
    uses.for_each(|(_, path)| expand(path, layer, &mut defined));
    let named = |path: Vec<String>| Some(([layer, path.last().map(std::slice::from_ref)?].concat(), path));
    defined.into_iter().filter_map(named).collect()
}

#[test]
fn every_import_goes_up_the_list_of_layers() {
    let layers = layers();
    let place = |name: &str| layers.iter().position(|layer| layer == name);
    let mut wrong = Vec::new();
    for (module, targets) in imports() {
        let Some(own) = place(&module[0]) else { panic!("{module:?} is not in lib.rs") };
        for target in targets {
            let Some(layer) = target.first() else {
                wrong.push(format!("{} imports through the crate's root", module.join("::")));
                continue;
            };
            if place(layer).is_none_or(|layer| layer > own) {
                wrong.push(format!("{} imports {}", module.join("::"), target.join("::")));
            }
        }
    }
    assert!(wrong.is_empty(), "{} imports go down the list:\n{}", wrong.len(), wrong.join("\n"));
}

/// The parts of a layer are its files and folders; a folder is one part.
#[test]
fn no_parts_of_a_layer_import_each_other_in_a_cycle() {
    let mut edges: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (module, targets) in imports() {
        let [layer, part, ..] = &module[..] else { continue };
        for target in targets {
            if let [other_layer, other, ..] = &target[..]
                && (other_layer, true) == (layer, other != part)
            {
                edges.entry(format!("{layer}::{part}")).or_default().insert(format!("{layer}::{other}"));
            }
        }
    }
    let cycles: Vec<String> = edges.keys().filter_map(|part| cycle_through(part, &edges)).collect();
    assert!(cycles.is_empty(), "import cycles:\n{}", cycles.join("\n"));
}

/// A cycle that begins and ends at `start`, the shortest one.
fn cycle_through(start: &str, edges: &BTreeMap<String, BTreeSet<String>>) -> Option<String> {
    let mut ways = vec![vec![start.to_string()]];
    let mut seen = BTreeSet::new();
    while let Some(way) = (!ways.is_empty()).then(|| ways.remove(0)) {
        for next in edges.get(way.last()?).into_iter().flatten() {
            if next == start {
                return Some([way, vec![start.to_string()]].concat().join(" → "));
            }
            if seen.insert(next.clone()) {
                ways.push([way.clone(), vec![next.clone()]].concat());
            }
        }
    }
    None
}

#[test]
fn imports_are_found_in_every_way_that_they_are_written() {
    let module = ["methods".to_string(), "ascent".to_string()];
    let found = paths(
        "use crate::{data::Sample, metric::{self, Metric as M}};\nuse super::bagged::draw;\nlet x = crate::error::Error::X;",
        &module,
        false,
    );
    let found: Vec<String> = found.iter().map(|path| path.join("::")).collect();
    assert_eq!(
        found,
        ["data::Sample", "error::Error::X", "methods::bagged::draw", "metric::Metric", "metric::self"]
    );
}
