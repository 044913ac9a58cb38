//! The program `cwplugin`: adapt a classifier that you can only query.

mod refusal; // what it says when it will not go on

fn main() {}
