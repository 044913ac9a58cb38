//! One page per comparison: every metric against the size of the sample, method by method.

use crate::draw::LinePlot;
use serde_json::{Value, json};

use crate::sections::wide_and_narrow;
use crate::shell;

/// The contents of a page about a comparison.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ComparePage {
    /// Title of the page.
    pub title: String,
    /// The result in one sentence.
    pub lead: String,
    /// How the methods were compared: a sentence each.
    pub about: Vec<String>,
    /// Failed fits: a sentence each.
    pub failures: Vec<String>,
    /// Labelled rows per sample.
    pub sizes: Vec<usize>,
    /// One table per metric.
    pub metrics: Vec<MetricTable>,
    /// The command that reproduces the page.
    pub command: String,
}

/// The results of one metric.
#[derive(Debug, Clone, PartialEq)]
pub struct MetricTable {
    /// Its name.
    pub name: String,
    /// The metric against the number of labelled rows.
    pub picture: LinePlot,
    /// One row per method.
    pub rows: Vec<MethodRow>,
}

/// The results of one method.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MethodRow {
    /// Its name.
    pub method: String,
    /// For every size the mean, if a fit succeeded, and the text of the cell.
    pub cells: Vec<(Option<f64>, String)>,
}

impl ComparePage {
    /// The page as one self-contained file; the same contents give the same bytes.
    pub fn to_html(&self) -> String {
        let cell = |(value, text): &(Option<f64>, String)| json!({"value": value, "text": text, "is_best": text.ends_with('*')});
        let row = |row: &MethodRow| json!({"method": row.method, "cells": row.cells.iter().map(cell).collect::<Vec<Value>>()});
        let metric = |table: &MetricTable| {
            let picture = wide_and_narrow(|width| {
                let height = if width < 400 { 560 } else { 440 }; // on a phone the names stand above the lines
                table.picture.clone().size(width, height).to_inline_svg()
            });
            json!({"name": table.name, "picture": picture, "rows": table.rows.iter().map(row).collect::<Vec<_>>()})
        };
        let context = json!({
            "title": self.title,
            "lead": self.lead,
            "about": self.about,
            "failures": self.failures,
            "sizes": self.sizes,
            "metrics": self.metrics.iter().map(metric).collect::<Vec<_>>(),
            "commands": self.command,
        });
        shell::render("compare.html", &context, None)
    }
}
