//! The program `cwplugin`: adapt a classifier that you can only query.
#![allow(dead_code, unused_imports)] // until the commands call what is here

mod refusal; // what it says when it will not go on
mod atomic; // files that are written whole or not at all
mod table; // every file format as one stream of Arrow batches

fn main() {}
