//! Tables that are read with the options of a command line, for `fuzz/`.

use std::ffi::OsString;
use std::path::Path;

use clap::Parser;
use cwplugin::{Model, Sample};

use super::{Columns, Input, Labels, Needs};
use crate::args::{Common, Data};
use crate::output::Screen;

/// The input options of a command line, such as `--from openai --classes ham,spam`.
#[derive(Debug, Clone, Parser)]
#[command(no_binary_name = true)]
pub struct GivenOptions {
    #[command(flatten)]
    data: Data,
    #[command(flatten)]
    common: Common,
}

impl GivenOptions {
    /// Parses the options.
    ///
    /// # Errors
    ///
    /// What is wrong with them.
    pub fn parse(words: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> anyhow::Result<Self> {
        Ok(Self::try_parse_from(words)?)
    }

    /// All rows of a table, with or without labels, and the names of the classes; `model`, from this file, was fitted on such
    /// a table.
    ///
    /// # Errors
    ///
    /// If the table cannot be read.
    pub fn read(&self, path: &Path, model: Option<(&Model, &Path)>) -> anyhow::Result<(Sample, Vec<String>)> {
        let needs = Needs { labels: Labels::Optional, columns: Columns::Meaningful, model, features: &[] };
        let screen = Screen::new("cwplugin", &self.common);
        let input = Input::open(path, &self.data, needs, &screen)?;
        let classes = input.classes().to_vec();
        Ok((input.read_all(&mut screen.progress("reading"))?, classes))
    }
}
