//! Small files that look like the real ones.

use std::fs;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float32Array, Int64Array, StringArray};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::{CENSUS, NLI, TWEETS};
use crate::support::Folder;
use crate::support::samples::{Row, npy, rows, write};

/// A file of predictions: label, split, and single-precision probabilities.
pub(crate) fn predictions(rows: &[Row], classes: [&str; 3]) -> Vec<u8> {
    let labels: StringArray = rows.iter().map(|row| row.label.map(|label| classes[label])).collect();
    let splits: StringArray = rows.iter().map(|row| Some(row.split)).collect();
    let mut columns: Vec<(String, ArrayRef)> =
        vec![("label".into(), Arc::new(labels)), ("split".into(), Arc::new(splits))];
    for (class, name) in classes.iter().enumerate() {
        let p: Float32Array = rows.iter().map(|row| Some(row.p[class] as f32)).collect();
        columns.push((format!("p_{name}"), Arc::new(p)));
    }
    write(columns)
}

/// Embeddings of half precision, as the real ones are: a multiple of 1/4 below 2 in every place.
pub(crate) fn half(quarters: &[i16], columns: usize) -> Vec<u8> {
    let bits = |&quarters: &i16| -> u16 {
        let sign = if quarters < 0 { 0x8000 } else { 0 };
        sign | [0x0000, 0x3400, 0x3800, 0x3a00, 0x3c00, 0x3d00, 0x3e00, 0x3f00]
            [usize::from(quarters.unsigned_abs())]
    };
    let mut bytes = npy(&vec![0.0; quarters.len()], columns);
    bytes.truncate(bytes.len() - 4 * quarters.len());
    let place = bytes.windows(3).position(|window| window == b"<f4").unwrap();
    bytes[place + 2] = b'2';
    bytes.extend(quarters.iter().flat_map(|number| bits(number).to_le_bytes()));
    bytes
}

/// Persons of two states, whose income goes with their age and not with anything else.
pub(crate) fn census(n: usize, columns: &[&str]) -> Vec<u8> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let incomes: Vec<i64> = (0..n).map(|_| rng.random_range(0..3)).collect();
    let states: StringArray = (0..n).map(|row| Some(["CA", "TX", "NY"][row % 5 % 3])).collect();
    let mut table: Vec<(String, ArrayRef)> =
        vec![("state".into(), Arc::new(states)), ("y3".into(), Arc::new(Int64Array::from(incomes.clone())))];
    for name in columns {
        let number = |income: &i64| {
            if *name == "AGEP" { 20 * income + rng.random_range(15..40) } else { rng.random_range(0..9) }
        };
        let numbers: Vec<i64> = incomes.iter().map(number).collect();
        table.push(((*name).into(), Arc::new(Int64Array::from(numbers))));
    }
    write(table)
}

/// A folder `data` with a file for one task of each kind.
pub(crate) fn folder() -> Folder {
    let folder = Folder::new();
    fs::create_dir(folder.path("data")).unwrap();
    let tweets = rows(100, 1);
    folder.write("data/lmtweets.parquet", predictions(&tweets, TWEETS));
    let embeddings: Vec<i16> =
        tweets.iter().flat_map(|row| [row.label.unwrap() as i16 * 3, (row.p[1] * 7.0) as i16 - 3]).collect();
    folder.write("data/lmtweets.emb.npy", half(&embeddings, 2));
    folder.write("data/anli-bart-large.parquet", predictions(&rows(200, 2), NLI));
    // Neither sentence alone tells the class, nor do both side by side: only their product does.
    for (name, pairs) in [("snli-extra", rows(150, 3)), ("snli-test", rows(300, 4))] {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for row in &pairs {
            let sign = if rng.random() { 3 } else { -3 };
            first.push(sign);
            second.push([sign, -sign, 0][row.label.unwrap()]);
        }
        folder.write(&format!("data/{name}.parquet"), predictions(&pairs, NLI));
        folder.write(&format!("data/{name}.emb_u.npy"), half(&first, 1));
        folder.write(&format!("data/{name}.emb_v.npy"), half(&second, 1));
    }
    folder.write("data/acs-income-8feat.parquet", census(400, &CENSUS));
    folder
}
