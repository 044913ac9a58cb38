//! ONNX files of `--append-to`: refused, or the bytes stay a prefix of the result, which can be appended to again.

use cwplugin::{Model, Scores, Weights};
use cwplugin_export::Error;
use cwplugin_export::onnx::{Element, Options, Order, append_to, model};

use super::models::models;
use crate::Door;
use crate::bytes::Bytes;
use crate::corpus::joined;

pub(super) const DOOR: Door =
    Door { name: "onnx", title: "ONNX files to append to", longest: 4 << 10, check, seeds };

/// Input: the options, the bytes.
fn check(input: &[u8]) {
    let mut bytes = Bytes::new(input);
    let flags = bytes.byte();
    let mut options = Options::default().scores(Scores::ALL[usize::from(flags >> 4) % Scores::ALL.len()]);
    if flags & 1 == 1 {
        options = options.order(Order::ByPosition);
    }
    if flags & 2 == 2 {
        options = options.output("scores");
    }
    let (rule, existing) = (appended_model(2 + usize::from(flags >> 2 & 1)), bytes.rest());
    match append_to(&rule, existing, &options) {
        Err(error) => assert!(!error.to_string().is_empty() && !error.cure().is_empty()),
        Ok(appended) => {
            assert!(appended.bytes.starts_with(existing), "the classifier is unchanged");
            let options = Options::default().output(&appended.tensor).order(Order::ByPosition);
            match append_to(&rule, &appended.bytes, &options) {
                Ok(again) => assert_ne!(again.outputs, appended.outputs, "names are new"),
                Err(error) => assert!(!matches!(error, Error::NotOnnx { .. }), "{error}"),
            }
        }
    }
}

fn appended_model(m: usize) -> Model {
    let names = ["ham", "spam", "eggs"][..m].iter().map(ToString::to_string).collect();
    Model::new(names, Weights::new(vec![1.0; m]).unwrap()).unwrap()
}

fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    let (two, three) = (appended_model(2), appended_model(3));
    for (flags, rule) in [(0, &two), (2, &two), (4, &three), (7, &three), (0x13, &two), (0x24, &three)] {
        let plain = model(rule, &Options::default()).unwrap();
        if let Ok(appended) =
            append_to(rule, &plain, &Options::default().output("scores").order(Order::ByPosition))
        {
            seeds.push(joined(&[flags], &appended.bytes));
        }
        seeds.push(joined(&[flags], &plain));
        seeds.push(joined(
            &[flags],
            &model(rule, &Options::default().element(Element::Float).scores(Scores::Logits)).unwrap(),
        ));
    }
    let fitted = models().into_iter().filter_map(|fitted| model(&fitted, &Options::default()).ok());
    seeds.extend(fitted.map(|bytes| joined(&[4], &bytes)));
    seeds.retain(|seed| seed.len() <= DOOR.longest);
    seeds
}
