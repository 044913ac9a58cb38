//! The picture of the README matches the library.

#[path = "../examples/before_after_svg.rs"]
#[allow(dead_code)] // its `main` prints what is compared here
mod before_after_svg;

#[test]
fn the_committed_picture_is_what_the_example_prints() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/images/before-after.svg");
    let committed = std::fs::read_to_string(path).unwrap();
    let drawn = before_after_svg::picture().unwrap();
    // Not `assert_eq`, which would print both pictures.
    let first = committed.lines().zip(drawn.lines()).position(|(old, new)| old != new);
    assert!(
        committed == drawn,
        "docs/images/before-after.svg is out of date from line {}: \
         cargo run --example before_after_svg > docs/images/before-after.svg",
        first.map_or(committed.lines().count().min(drawn.lines().count()), |line| line) + 1
    );
}

#[test]
fn the_picture_needs_nothing_else() {
    let drawn = before_after_svg::picture().unwrap();
    for word in ["<title", "<desc", "role=\"img\"", "viewBox"] {
        assert!(drawn.contains(word), "{word}");
    }
    for word in ["href", "<style", "<script", "url(", "@import", "<image"] {
        assert!(!drawn.contains(word), "{word}");
    }
}
