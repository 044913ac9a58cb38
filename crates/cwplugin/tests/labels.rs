//! Samples from rows: labels are names, indices, or options of either.

use cwplugin::data::Label;
use cwplugin::{Error, Sample};

const CLASSES: [&str; 2] = ["ham", "spam"];
const ROWS: [[f64; 2]; 3] = [[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]];

fn labelled<L: Label>(labels: impl IntoIterator<Item = L>) -> Result<Sample, Error> {
    Sample::from_rows(ROWS, &CLASSES)?.labels(labels)
}

#[test]
fn every_kind_of_label_gives_the_same_sample() {
    let names = labelled(["ham", "spam", "spam"]).unwrap();
    assert_eq!((0..3).map(|row| names.label(row)).collect::<Vec<_>>(), [Some(0), Some(1), Some(1)]);
    for same in [
        labelled(vec![String::from("ham"), "spam".into(), "spam".into()]),
        labelled(["ham", "spam", "spam"].map(Some)),
        labelled(["ham", "spam", "spam"].iter()),
        labelled([0, 1, 1]),
        labelled([0, 1, 1].map(Some)),
    ] {
        assert_eq!(same.unwrap(), names);
    }
}

#[test]
fn a_row_without_a_label_is_unlabelled() {
    let some = labelled([Some("ham"), None, Some("spam")]).unwrap();
    assert_eq!((some.n_labelled(), some.n_unlabelled(), some.label(1)), (2, 1, None));
    let none = Sample::from_rows(ROWS.map(Vec::from), &CLASSES.map(String::from)).unwrap();
    assert_eq!((none.n_labelled(), none.n_unlabelled()), (0, 3));
    assert_eq!(none.classes(), CLASSES);
}

#[test]
fn a_label_that_is_not_a_class_is_named_with_its_row() {
    let unknown = labelled(["ham", "eggs", "spam"]).unwrap_err();
    assert_eq!(unknown, Error::UnknownLabel { row: 1, label: "eggs".into() });
    assert_eq!(unknown.to_string(), "row 1: unknown class \"eggs\"");
    assert_eq!(labelled([0, 1, 2]).unwrap_err(), Error::LabelOutOfRange { row: 2, label: 2, classes: 2 });
    let short = Error::LengthMismatch { what: "labels", found: 2, expected: 3 };
    assert_eq!(labelled(["ham", "spam"]).unwrap_err(), short);
}

#[test]
fn rows_and_names_that_do_not_fit_are_errors() {
    let short = Sample::from_rows([vec![0.5, 0.5], vec![1.0]], &CLASSES).unwrap_err();
    assert_eq!(short, Error::LengthMismatch { what: "probabilities in a row", found: 1, expected: 2 });
    let sum = Sample::from_rows([[0.5, 0.5], [0.5, 0.75]], &CLASSES).unwrap_err();
    assert_eq!(sum, Error::RowSum { row: 1, sum: 1.25 });
    let twice = Sample::from_rows([[0.5, 0.5]], &["a", "a"]).unwrap_err();
    assert_eq!(twice, Error::DuplicateClass { name: "a".into() });
    let names = Sample::from_rows(ROWS, &CLASSES).unwrap().with_classes(vec!["a".to_string()]).unwrap_err();
    assert_eq!(names, Error::LengthMismatch { what: "class names", found: 1, expected: 2 });
}

#[test]
fn names_stay_with_the_rows() {
    let sample = labelled(["ham", "spam", "spam"]).unwrap();
    assert_eq!(sample.select(&[2, 0]).classes(), CLASSES);
    let (train, test) = sample.split(0.4, 0).unwrap();
    assert_eq!((train.classes(), test.classes()), (sample.classes(), sample.classes()));
    let renamed = sample.with_classes(["a", "b"].map(String::from).to_vec()).unwrap();
    assert_eq!((renamed.classes()[1].as_str(), renamed.label(1)), ("b", Some(1)));
}
