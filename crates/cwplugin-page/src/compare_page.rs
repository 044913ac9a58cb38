//! One page per comparison: every metric against the size of the sample, method by method.

use crate::draw::LinePlot;
use serde_json::{Value, json};

use crate::sections::for_desk_and_phone;
use crate::shell;

/// What a page about a comparison is made of.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ComparePage {
    /// What was compared on what: the name of the table.
    pub title: String,
    /// What was found, in a sentence.
    pub lead: String,
    /// How it was done, a sentence each.
    pub about: Vec<String>,
    /// What went wrong, a sentence each.
    pub failures: Vec<String>,
    /// Labelled rows of the samples.
    pub sizes: Vec<usize>,
    /// One table per metric.
    pub metrics: Vec<MetricTable>,
    /// The command that gives the page again.
    pub command: String,
}

/// One metric.
#[derive(Debug, Clone, PartialEq)]
pub struct MetricTable {
    /// Its name.
    pub name: String,
    /// It against the size of the sample.
    pub picture: LinePlot,
    /// The methods.
    pub rows: Vec<MethodRow>,
}

/// One method.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MethodRow {
    /// Its name.
    pub method: String,
    /// For every size the mean, if a fit succeeded, and what is to be read of it.
    pub cells: Vec<(Option<f64>, String)>,
}

impl ComparePage {
    /// The page: one file that needs no other, and the same bytes for the same contents.
    pub fn to_html(&self) -> String {
        let cell = |(value, text): &(Option<f64>, String)| json!({"value": value, "text": text, "is_best": text.ends_with('*')});
        let row = |row: &MethodRow| json!({"method": row.method, "cells": row.cells.iter().map(cell).collect::<Vec<Value>>()});
        let metric = |table: &MetricTable| {
            let picture = for_desk_and_phone(|width| {
                let height = if width < 400 { 560 } else { 440 }; // a phone has no room for names beside the lines
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
