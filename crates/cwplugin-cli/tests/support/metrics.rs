//! One metric of each kind that the list names, for the classes `a`, `b`, `c` and `d`.

use super::Folder;

impl Folder {
    /// The folder with the files that [`spelled_out`] names.
    pub(crate) fn with_metric_files(self) -> Self {
        self.with("costs.csv", "0,1,1,1\n5,0,1,1\n1,1,0,1\n1,1,1,0\n")
            .with("ratio.json", r#"{"a": [1, 2, 3, 4], "c": {"b": -0.5}, "d": 1}"#)
    }
}

/// A name of the list with values instead of the words in capitals.
pub(crate) fn spelled_out(name: &str) -> String {
    name.replace("CLASS", "b")
        .replace("BETA", "2")
        .replace("B1,B2,…", "1,2,3,4")
        .replace("FILE.csv", "costs.csv")
        .replace("FILE.json", "ratio.json")
        .replace("FORMULA", "min(recall) + recall[b]")
        .replace("command:PROGRAM", "command:sh -c 'while read -r line; do echo 0.5; done'")
        .replace("command-once:PROGRAM", "command-once:echo 0.5")
}
