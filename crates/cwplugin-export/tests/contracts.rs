//! Contracts of all exports: same bytes, no panic, errors with a cure.

use cwplugin::rule::MapKind;
use cwplugin::{AffineMap, Calibration, MapInput, Model, Rule, Slope, Weights};
use cwplugin_export::onnx::{self, Options};
use cwplugin_export::{Dialect, Error, SqlOptions, python, rust, sql};
use proptest::prelude::*;

use crate::support::cases;

fn plain(names: &[&str]) -> Model {
    let names: Vec<String> = names.iter().map(ToString::to_string).collect();
    let weights = Weights::uniform(names.len()).unwrap();
    Model::new(names, weights).unwrap()
}

#[test]
fn public_types_go_between_threads() {
    fn check<T: Send + Sync>() {}
    check::<(Dialect, Error, SqlOptions, Options, onnx::Appended)>();
}

#[test]
fn features_need_names_in_sql() {
    let map = AffineMap::new(MapInput::Features, Slope::Matrix(vec![1.0; 6]), vec![0.0; 2]);
    let of = |features: Option<Vec<String>>| {
        let kind = MapKind::Logistic;
        let calibration = Calibration::Affine { kind, map: map.clone().unwrap(), features };
        Model::new(vec!["a".into(), "b".into()], Rule::calibrated(calibration).unwrap()).unwrap()
    };
    let options = SqlOptions::default();
    let names = ["x", "y", "z"].map(String::from).to_vec();
    assert_eq!(sql(&of(None), Dialect::Duckdb, &options), Err(Error::UnnamedFeatures { features: 3 }));
    assert!(sql(&of(Some(names.clone())), Dialect::Duckdb, &options).unwrap().contains("\"z\""));
    let given = options.clone().columns(names[..2].to_vec());
    assert_eq!(sql(&of(None), Dialect::Duckdb, &given), Err(Error::WrongColumns { found: 2, expected: 3 }));
    assert_eq!(onnx::append_to(&of(None), &[], &Options::default()), Err(Error::TakesFeatures));
}

#[test]
fn a_matrix_of_a_thousand_classes_is_too_long_for_sql_alone() {
    let m = 1000;
    let map = AffineMap::new(MapInput::Probability, Slope::Matrix(vec![1.0; m * m]), vec![0.0; m]).unwrap();
    let calibration = Calibration::Affine { kind: MapKind::Dirichlet, map, features: None };
    let names = (0..m).map(|k| k.to_string()).collect();
    let model = Model::new(names, Rule::calibrated(calibration).unwrap()).unwrap();
    let refused = sql(&model, Dialect::Duckdb, &SqlOptions::default());
    assert_eq!(refused, Err(Error::TooLong { terms: 1_000_000 }));
    assert!(
        onnx::model(&model, &Options::default()).is_ok() && python(&model).is_ok() && rust(&model).is_ok()
    );
}

#[test]
fn bytes_that_are_not_a_classifier_are_refused_with_a_cure() {
    let model = plain(&["a", "b"]);
    let refused = |bytes: &[u8]| onnx::append_to(&model, bytes, &Options::default()).unwrap_err();
    for bytes in [&b""[..], b"\0", b"garbage", b"\x08\x07", b"\x3a\x00", &[0xff; 64]] {
        assert!(matches!(refused(bytes), Error::NotOnnx { .. }), "{bytes:?}");
        assert!(!refused(bytes).cure().is_empty());
    }
}

#[test]
fn a_model_is_appended_to_a_model() {
    // The scores of one are the probabilities of the next.
    let model = plain(&["a", "b", "c"]);
    let alone = onnx::model(&model, &Options::default()).unwrap();
    let twice = onnx::append_to(&model, &alone, &Options::default()).unwrap();
    assert_eq!((twice.tensor.as_str(), twice.is_order_known), ("scores", false));
    assert_eq!(twice.outputs, ["cwplugin_label", "cwplugin_scores"]);
    assert!(twice.bytes.starts_with(&alone));
    let error = onnx::append_to(&model, &twice.bytes, &Options::default()).unwrap_err();
    assert!(matches!(&error, Error::WhichOutput { outputs, .. } if outputs.len() == 4), "{error}");
    let named = Options::default().output("scores");
    let third = onnx::append_to(&model, &twice.bytes, &named).unwrap();
    assert_eq!(third.outputs[0], "cwplugin2_label");
    assert!(matches!(
        onnx::append_to(&model, &alone, &Options::default().output("label")),
        Err(Error::WrongShape { .. })
    ));
    assert!(matches!(
        onnx::append_to(&model, &alone, &Options::default().output("nothing")),
        Err(Error::NoSuchOutput { .. })
    ));
    assert!(matches!(
        onnx::append_to(&plain(&["a", "b"]), &alone, &Options::default()),
        Err(Error::WhichOutput { .. })
    ));
}

proptest! {
    #[test]
    fn the_same_model_gives_the_same_bytes(case in cases()) {
        let model = &case.model;
        prop_assert_eq!(onnx::model(model, &Options::default()), onnx::model(model, &Options::default()));
        prop_assert_eq!(python(model), python(model));
        prop_assert_eq!(rust(model), rust(model));
    }

    #[test]
    fn any_bytes_are_refused_or_kept(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(appended) = onnx::append_to(&plain(&["a", "b"]), &bytes, &Options::default()) {
            prop_assert!(appended.bytes.starts_with(&bytes));
        }
    }

    #[test]
    fn a_truncated_or_damaged_file_is_refused_or_kept(
        cut in any::<prop::sample::Index>(),
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
    ) {
        let model = plain(&["a", "b"]);
        let mut bytes = onnx::model(&model, &Options::default()).unwrap();
        let whole = bytes.len();
        bytes.truncate(cut.index(whole + 1));
        for (place, byte) in damage.iter().filter(|_| !bytes.is_empty()).collect::<Vec<_>>() {
            let place = place.index(bytes.len());
            bytes[place] = *byte;
        }
        let result = onnx::append_to(&model, &bytes, &Options::default());
        if damage.is_empty() && bytes.len() < whole {
            prop_assert!(result.is_err());
        }
    }
}
