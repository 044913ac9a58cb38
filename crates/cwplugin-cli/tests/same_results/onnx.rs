//! The nodes and constants of an ONNX file, read from its bytes: names of tensors become numbers.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::values::Parts;

/// A field of a protobuf message: its number, and what it holds.
enum Content<'a> {
    /// A whole number, or the bits of a float.
    Number(u64),
    Bytes(&'a [u8]),
}

/// Operators with their wiring, and the items of all constants.
pub(super) fn parts(model: &[u8]) -> Parts {
    let (mut operators, mut numbers) = (String::new(), String::new());
    let mut names = HashMap::new();
    let mut place = |name: &[u8]| {
        let next = names.len();
        *names.entry(name.to_vec()).or_insert(next)
    };
    for graph in all(model, 7) {
        for initializer in all(graph, 5) {
            let _ = write!(numbers, "{}={}; ", place(all(initializer, 8)[0]), tensor(initializer));
        }
        for node in all(graph, 1) {
            let wires = |field: usize, place: &mut dyn FnMut(&[u8]) -> usize| {
                all(node, field).iter().map(|name| place(name).to_string()).collect::<Vec<_>>().join(",")
            };
            let (inputs, outputs) = (wires(1, &mut place), wires(2, &mut place));
            let op = String::from_utf8_lossy(all(node, 4)[0]).into_owned();
            let _ = write!(operators, "{op}({inputs})->{outputs}");
            for attribute in all(node, 5) {
                let name = String::from_utf8_lossy(all(attribute, 1)[0]).into_owned();
                let _ = write!(operators, " {name}={}", scalars(attribute, &[2, 3, 7, 8]));
                for constant in all(attribute, 5) {
                    let _ = write!(numbers, "{outputs}={}; ", tensor(constant));
                }
            }
            operators += "; ";
        }
    }
    vec![("operators".into(), operators), ("numbers".into(), numbers)]
}

/// Shape, type and items of a tensor.
fn tensor(message: &[u8]) -> String {
    let mut text = scalars(message, &[1, 2]);
    for items in [4, 5, 6, 7, 9, 10] {
        for (number, content) in fields(message) {
            match content {
                Content::Bytes(bytes) if number == items => {
                    for byte in bytes {
                        write!(text, "{byte:02x}").unwrap();
                    }
                    text += " ";
                }
                Content::Number(value) if number == items => write!(text, "{value:x} ").unwrap(),
                _ => {}
            }
        }
    }
    text
}

/// The numbers in these fields, one by one or packed.
fn scalars(message: &[u8], wanted: &[usize]) -> String {
    let mut text = String::new();
    for (number, content) in fields(message).into_iter().filter(|(number, _)| wanted.contains(number)) {
        match content {
            Content::Number(value) => write!(text, "{number}:{value:x} ").unwrap(),
            Content::Bytes(bytes) => write!(text, "{number}:{bytes:x?} ").unwrap(),
        }
    }
    text
}

/// The texts and messages in a field.
fn all(message: &[u8], wanted: usize) -> Vec<&[u8]> {
    let bytes = |(number, content)| match content {
        Content::Bytes(bytes) if number == wanted => Some(bytes),
        _ => None,
    };
    fields(message).into_iter().filter_map(bytes).collect()
}

fn fields(mut message: &[u8]) -> Vec<(usize, Content<'_>)> {
    let mut fields = Vec::new();
    while !message.is_empty() {
        let key = varint(&mut message) as usize;
        let content = match key & 7 {
            0 => Content::Number(varint(&mut message)),
            1 => Content::Number(fixed(&mut message, 8)),
            2 => {
                let length = varint(&mut message) as usize;
                let (bytes, rest) = message.split_at(length);
                message = rest;
                Content::Bytes(bytes)
            }
            5 => Content::Number(fixed(&mut message, 4)),
            kind => panic!("protobuf has no such kind of field: {kind}"),
        };
        fields.push((key >> 3, content));
    }
    fields
}

fn varint(message: &mut &[u8]) -> u64 {
    let length = 1 + message.iter().position(|byte| byte & 0x80 == 0).unwrap();
    let (bytes, rest) = message.split_at(length);
    *message = rest;
    bytes.iter().rev().fold(0, |number, byte| number << 7 | u64::from(byte & 0x7f))
}

fn fixed(message: &mut &[u8], length: usize) -> u64 {
    let (bytes, rest) = message.split_at(length);
    *message = rest;
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}
