//! `cwplugin merge`: add up statistics.

use std::hash::{DefaultHasher, Hasher as _};
use std::path::PathBuf;

use cwplugin::{Error, Statistics};

use crate::args::{Common, Merge};
use crate::input::statistics_file::{self, StatisticsFile};
use crate::output::{Screen, count_of, is_same_file, refuse_replacing};
use crate::table::is_stream;
use crate::user_error::UserError;

pub(crate) fn run(args: &Merge, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    let inputs: Vec<_> = args.files.iter().map(|path| (path.as_path(), "the statistics")).collect();
    refuse_replacing("-o", args.output.as_deref(), &inputs)?;
    refuse_repeated(&args.files)?;
    let file = StatisticsFile::create(args.output.as_deref())?;
    let mut merged: Option<Statistics> = None;
    let mut hashes = Vec::new();
    for path in &args.files {
        let statistics = statistics_file::read(path)?;
        hashes.push((statistics.n_labelled() > 0).then(|| hash(&statistics)));
        match &mut merged {
            None => merged = Some(statistics),
            Some(merged) => merged.merge(&statistics).map_err(|error| {
                let (first, this) = (args.files[0].display(), path.display());
                let Error::StatisticsDiffer { what, ours, theirs } = error else {
                    return UserError::new(format!("{this}: {error}"));
                };
                UserError::new(format!("{first} and {this} differ in their {what}: {ours} and {theirs}"))
                    .hint("count every part with the same --classes, --reference and --bins")
            })?,
        }
    }
    warn_of_copies(&args.files, &hashes, screen);
    if let Some(merged) = merged {
        file.write(&merged, common.json, screen)?;
        let rows = count_of(merged.n_labelled(), "labelled row");
        screen.note(format_args!("{rows} in {}", count_of(args.files.len(), "file")));
        if let Some(path) = args.output.as_deref().filter(|path| !is_stream(path)) {
            screen.note_written(path);
        }
    }
    Ok(())
}

/// A hash of the counters, whatever the form of the file.
fn hash(statistics: &Statistics) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(statistics.to_json().as_bytes());
    hasher.finish()
}

/// Warns of files with the same counters. That is no error: different rows may have them, if there are few.
fn warn_of_copies(files: &[PathBuf], hashes: &[Option<u64>], screen: &Screen) {
    for (place, hash) in hashes.iter().enumerate().filter(|(_, hash)| hash.is_some()) {
        if let Some(first) = hashes[..place].iter().position(|other| other == hash) {
            let [one, other] = [first, place].map(|place| files[place].display());
            screen.warn(format_args!(
                "{one} and {other} have the same counters: if one is a copy of the other, its rows count twice; name only one of them"
            ));
        }
    }
}

/// Refuses a file that is given twice, even with different paths: its rows would count twice.
fn refuse_repeated(files: &[PathBuf]) -> Result<(), UserError> {
    for (place, path) in files.iter().enumerate() {
        let is_this = |other: &PathBuf| other == path || is_same_file(other, path);
        if let Some(first) = files[..place].iter().position(is_this) {
            let [one, other] =
                [first, place].map(|place| format!("{} ({})", place + 1, files[place].display()));
            let what = format!("files {one} and {other} are the same: its rows would count twice");
            return Err(UserError::usage(what).hint("name each file once"));
        }
    }
    Ok(())
}
