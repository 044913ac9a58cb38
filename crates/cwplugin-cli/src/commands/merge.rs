//! `cwplugin merge`: add up statistics.

use cwplugin::{Error, Statistics};

use crate::args::{Common, Merge};
use crate::output::{Screen, count_of, refuse_replacing};
use crate::refusal::Refusal;
use crate::statistics_file::{self, StatisticsFile};
use crate::table::is_stream;

pub(crate) fn run(args: &Merge, common: &Common, screen: &Screen) -> anyhow::Result<()> {
    let inputs: Vec<_> = args.files.iter().map(|path| (path.as_path(), "the statistics")).collect();
    refuse_replacing(args.output.as_deref(), &inputs)?;
    if let Some((place, path)) =
        (0..).zip(&args.files).find(|(place, path)| args.files[..*place].contains(path))
    {
        let first = args.files[..place].iter().position(|other| other == path).unwrap_or_default();
        let what = format!(
            "{} is both file {} and file {}: its rows would count twice",
            path.display(),
            first + 1,
            place + 1
        );
        return Err(Refusal::usage(what).hint("name every part once").into());
    }
    let file = StatisticsFile::create(args.output.as_deref())?;
    let mut merged: Option<Statistics> = None;
    for path in &args.files {
        let statistics = statistics_file::read(path)?;
        match &mut merged {
            None => merged = Some(statistics),
            Some(merged) => merged.merge(&statistics).map_err(|error| {
                let (first, this) = (args.files[0].display(), path.display());
                let Error::StatisticsDiffer { what, ours, theirs } = error else {
                    return Refusal::new(format!("{this}: {error}"));
                };
                Refusal::new(format!("{first} and {this} differ in their {what}: {ours} and {theirs}"))
                    .hint("count every part with the same --classes, --reference and --bins")
            })?,
        }
    }
    if let Some(merged) = merged {
        file.write(&merged, common.json, screen)?;
        let rows = count_of(merged.n_labelled(), "labelled row");
        screen.note(format_args!("{rows} in {}", count_of(args.files.len(), "file")));
        if let Some(path) = args.output.as_deref().filter(|path| !is_stream(path)) {
            screen.note(format_args!("wrote {}", path.display()));
        }
    }
    Ok(())
}
