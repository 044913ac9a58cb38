//! A fingerprint of the labelled rows of a fit, to recognise them in an evaluation.
//!
//! It keeps the smallest hashes of the rows with the number of rows of each. Which hashes are kept depends neither on the
//! order of the rows nor on how they are divided. Rows whose hash is not above the largest kept one are a random sample of
//! any rows; the share of the kept hashes among them estimates the share of rows that were fitted. With at most
//! [`Fingerprint::SIZE`] different rows every hash is kept, and the share is exact.
//!
//! A black box with few different outputs gives new rows that equal fitted ones. So only rows that occur once in the fit
//! are looked for, and their share has to exceed what Good and Turing expect by chance.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::data::Sample;

/// Bits of a hash, written in twelve hexadecimal digits.
const BITS: u32 = 48;
const DIGITS: usize = 12;

/// Probabilities are rounded to multiples of 1/STEPS: single precision and printed digits make no difference.
const STEPS: f64 = 1e6;

/// More rows of one hash are not counted.
const MOST_COUNTED: u8 = 3;

/// The smallest hashes of the labelled rows of a fit, with the number of rows of each.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Fingerprint {
    /// Labelled rows of positive weight.
    pub rows: u64,
    /// The smallest hashes in increasing order, and how many rows have each, at most three.
    #[serde(serialize_with = "write_hashes", deserialize_with = "read_hashes")]
    hashes: BTreeMap<u64, u8>,
    /// The largest kept hash, if larger ones were dropped; without it the fingerprint has every row.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    limit: Option<u64>,
}

impl Fingerprint {
    /// Hashes that are kept.
    pub const SIZE: usize = 128;

    /// Rows from which a fit stores no fingerprint: its score on the same rows is then hardly optimistic.
    pub const MAX_ROWS: u64 = 65_536;

    /// Adds the labelled rows of a sample; none beyond [`Fingerprint::MAX_ROWS`], where it is not used.
    pub fn add(&mut self, sample: &Sample) {
        for row in labelled(sample) {
            self.rows += 1;
            if self.rows >= Self::MAX_ROWS {
                continue;
            }
            let hash = hash(sample, row);
            if self.limit.is_none_or(|limit| hash <= limit) {
                count(&mut self.hashes, hash);
            }
            if self.hashes.len() > Self::SIZE {
                self.hashes.pop_last();
                self.limit = self.hashes.last_key_value().map(|(&hash, _)| hash);
            }
        }
    }

    /// The fingerprint, unless there are so many rows that it is not needed, or none.
    pub fn if_useful(self) -> Option<Self> {
        (1..Self::MAX_ROWS).contains(&self.rows).then_some(self)
    }

    /// The share of new rows that equal a row of the fit by chance, among those that equal none or one. By Good and
    /// Turing, a new row is as likely to equal one that occurs once as a row of the fit is to occur twice. One more pair is
    /// assumed, because few rows may have none.
    fn share_by_chance(&self) -> f64 {
        let occurring = |times: u8| self.hashes.values().filter(|&&rows| rows == times).count() as f64;
        let in_pairs = 2.0 * (occurring(2) + 1.0);
        in_pairs / (occurring(1) + in_pairs)
    }
}

fn count(hashes: &mut BTreeMap<u64, u8>, hash: u64) {
    let rows = hashes.entry(hash).or_default();
    *rows = (*rows + 1).min(MOST_COUNTED);
}

/// How many of the rows of an evaluation were fitted.
///
/// ```
/// use cwplugin::data::{Fingerprint, Overlap};
/// use cwplugin::Sample;
///
/// let rows = |values: [[f64; 2]; 2]| Sample::from_rows(values, &["a", "b"])?.labels(["a", "b"]);
/// let mut fitted = Fingerprint::default();
/// fitted.add(&rows([[0.7, 0.3], [0.2, 0.8]])?);
/// let mut overlap = Overlap::new(fitted);
/// overlap.add(&rows([[0.7, 0.3], [0.2, 0.8]])?);
/// assert_eq!(overlap.share(), Some(1.0));
/// # Ok::<(), cwplugin::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overlap {
    fingerprint: Fingerprint,
    /// Rows that were looked up, and those of them that were found.
    looked_up: u64,
    found: u64,
}

impl Overlap {
    /// Share of rows above that by chance from which it is reported.
    const MIN_SHARE: f64 = 0.05;

    /// Looks rows up in this fingerprint.
    pub fn new(fingerprint: Fingerprint) -> Self {
        Self { fingerprint, looked_up: 0, found: 0 }
    }

    /// Looks up the labelled rows of a sample.
    pub fn add(&mut self, sample: &Sample) {
        let Fingerprint { hashes, limit, .. } = &self.fingerprint;
        let hashed = labelled(sample).map(|row| hash(sample, row));
        for hash in hashed.filter(|hash| limit.is_none_or(|limit| *hash <= limit)) {
            let rows = hashes.get(&hash).copied().unwrap_or_default();
            self.looked_up += u64::from(rows <= 1);
            self.found += u64::from(rows == 1);
        }
    }

    /// Adds rows that were looked up elsewhere in the same fingerprint.
    pub fn merge(&mut self, other: &Self) {
        self.looked_up += other.looked_up;
        self.found += other.found;
    }

    /// The estimated share of the rows that were fitted; `None` if it is small, or if new rows may be as similar.
    pub fn share(&self) -> Option<f64> {
        let share = self.found as f64 / (self.looked_up.max(1) as f64);
        (share > self.fingerprint.share_by_chance() + Self::MIN_SHARE).then_some(share)
    }

    /// Whether every row was looked up, so that the share is not an estimate.
    pub fn is_exact(&self) -> bool {
        self.fingerprint.limit.is_none()
    }
}

/// The labelled rows of positive weight.
fn labelled(sample: &Sample) -> impl Iterator<Item = usize> {
    (0..sample.n_rows()).filter(|&row| sample.label(row).is_some() && sample.weight(row) > 0.0)
}

/// A hash of the probabilities and the label of a row.
fn hash(sample: &Sample, row: usize) -> u64 {
    let label = sample.label(row).map_or(u64::MAX, |label| label as u64);
    let mixed = sample.probabilities().row(row).fold(mix(label), |hash, value| {
        #[allow(clippy::cast_sign_loss)] // probabilities are not negative
        mix(hash ^ (value * STEPS).round() as u64)
    });
    mixed >> (u64::BITS - BITS)
}

/// A bijection in which every bit of the result depends on all bits (the finaliser of `SplitMix64`).
pub(super) fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// Twelve digits each; the hash of several rows is repeated.
fn write_hashes<S: Serializer>(hashes: &BTreeMap<u64, u8>, serializer: S) -> Result<S::Ok, S::Error> {
    let repeated = |(hash, &rows): (&u64, &u8)| format!("{hash:0DIGITS$x}").repeat(usize::from(rows));
    serializer.serialize_str(&hashes.iter().map(repeated).collect::<String>())
}

fn read_hashes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<u64, u8>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let mut hashes = BTreeMap::new();
    for digits in text.as_bytes().chunks(DIGITS) {
        let digits = std::str::from_utf8(digits).ok().filter(|digits| digits.len() == DIGITS);
        let hash = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
        let wrong = || D::Error::custom("hashes: not twelve hexadecimal digits each");
        count(&mut hashes, hash.ok_or_else(wrong)?);
    }
    Ok(hashes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Probabilities;

    /// Rows `from..to` of a black box with `outputs` different outputs.
    fn rows(from: u64, to: u64, outputs: u64) -> Sample {
        let chance = |row: u64| 0.01 + 0.98 * (mix(row % outputs) >> 11) as f64 / (1_u64 << 53) as f64;
        let values = (from..to).flat_map(|row| [chance(row), 1.0 - chance(row)]).collect();
        let labels = (from..to).map(|row| Some((row % outputs % 2) as usize)).collect();
        Sample::new(Probabilities::new(values, 2).unwrap(), labels).unwrap()
    }

    fn fingerprint(sample: &Sample) -> Fingerprint {
        let mut fingerprint = Fingerprint::default();
        fingerprint.add(sample);
        fingerprint
    }

    fn share(fitted: &Sample, evaluated: &Sample) -> Option<f64> {
        let mut overlap = Overlap::new(fingerprint(fitted));
        overlap.add(evaluated);
        overlap.share()
    }

    #[test]
    fn the_order_and_the_parts_of_the_rows_make_no_difference() {
        let all = rows(0, 500, u64::MAX);
        let mut parts = fingerprint(&rows(200, 500, u64::MAX));
        parts.add(&rows(0, 200, u64::MAX));
        assert_eq!(parts, fingerprint(&all));
        assert_eq!((parts.hashes.len(), parts.rows), (Fingerprint::SIZE, 500));
        let text = serde_json::to_string(&parts).unwrap();
        assert!(text.len() < 1_700, "{}", text.len());
        assert_eq!(serde_json::from_str::<Fingerprint>(&text).unwrap(), parts);
        let single: Vec<f32> =
            (0..500).flat_map(|row| all.probabilities().row(row)).map(|p| p as f32).collect();
        let single = Probabilities::from_f32(single, 2).unwrap();
        let single = Sample::new(single, (0..500).map(|row| all.label(row)).collect()).unwrap();
        assert!(share(&all, &single) > Some(0.98), "single precision is recognised");
    }

    #[test]
    fn the_share_is_exact_for_few_rows_and_near_for_many() {
        for (n, tolerance) in [(100, 0.0), (128, 0.0), (4_000, 0.15)] {
            let fitted = rows(0, n, u64::MAX);
            assert_eq!(share(&fitted, &fitted), Some(1.0));
            assert_eq!(share(&fitted, &rows(n, 3 * n, u64::MAX)), None);
            let half = share(&fitted, &rows(n / 2, n + n / 2, u64::MAX)).unwrap();
            assert!((half - 0.5).abs() <= tolerance, "{n}: {half}");
        }
    }

    #[test]
    fn a_black_box_with_few_outputs_gives_no_false_alarm() {
        for outputs in [2, 20, 60, 200] {
            let seed = |start: u64| (start..start + 100).map(|row| mix(row) % outputs).collect::<Vec<_>>();
            let sample = |start| {
                let mut sample = rows(0, 0, outputs);
                for row in seed(start) {
                    sample.append(rows(row, row + 1, outputs)).unwrap();
                }
                sample
            };
            assert_eq!(share(&sample(0), &sample(1_000)), None, "{outputs} outputs");
        }
    }

    #[test]
    fn rows_without_label_or_weight_do_not_count_and_many_rows_need_no_fingerprint() {
        let sample = rows(0, 4, u64::MAX).with_weights(vec![1.0, 0.0, 2.0, 1.0]).unwrap();
        assert_eq!(fingerprint(&sample).rows, 3);
        let many = Fingerprint { rows: Fingerprint::MAX_ROWS, ..Fingerprint::default() };
        assert_eq!(many.if_useful(), None);
        assert_eq!(Fingerprint::default().if_useful(), None);
        assert!(serde_json::from_str::<Fingerprint>(r#"{"rows": 1, "hashes": "00"}"#).is_err());
    }
}
