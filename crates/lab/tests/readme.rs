//! The README shows what the program prints. `UPDATE_DOCS=1 cargo test -p cwplugin-lab readme` updates it.

use crate::support::transcripts::check_transcripts;

#[test]
fn the_readme_shows_what_the_program_prints() {
    check_transcripts("crates/lab/README.md", 4);
}
