//! Inputs that are changed a little, the same in every run; libFuzzer, which sees the branches taken, finds more.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Numbers on which counters and lengths fail.
const NUMBERS: [&[u8]; 8] = [
    b"\xff\xff\xff\xff",
    b"\x00\x00\x00\x80",
    b"\xff\xff\xff\x7f",
    b"\x00\x00\x00\x00\x00\x00\x00\x80",
    b"18446744073709551616",
    b"-1",
    b"1e308",
    b"NaN",
];

/// Endless inputs, made of the first ones and of the words of a dictionary.
#[derive(Debug)]
pub struct Mutations {
    inputs: Vec<Vec<u8>>,
    words: Vec<Vec<u8>>,
    rng: ChaCha8Rng,
}

impl Mutations {
    /// Of these inputs, with these words.
    pub fn new(mut inputs: Vec<Vec<u8>>, mut words: Vec<Vec<u8>>) -> Self {
        inputs.push(Vec::new());
        words.extend(NUMBERS.map(<[u8]>::to_vec));
        Self { inputs, words, rng: ChaCha8Rng::seed_from_u64(1) }
    }

    /// One change; `at` and `end` are places in the input.
    fn change(&mut self, input: &mut Vec<u8>) {
        let (one, other) = (self.rng.random_range(0..=input.len()), self.rng.random_range(0..=input.len()));
        let at = one.min(other);
        let end = one.max(other).min(at + 64);
        match self.rng.random_range(0..7) {
            0 if at < input.len() => input[at] ^= 1 << self.rng.random_range(0..8),
            1 if at < input.len() => input[at] = self.rng.random(),
            2 => drop(input.drain(at..end)),
            3 => {
                let copy = input[at..end].to_vec();
                input.splice(at..at, copy);
            }
            4 => {
                let word = self.words[self.rng.random_range(0..self.words.len())].clone();
                input.splice(at..end.min(at + word.len()), word);
            }
            5 => {
                let word = self.words[self.rng.random_range(0..self.words.len())].clone();
                input.splice(at..at, word);
            }
            _ => {
                let other = &self.inputs[self.rng.random_range(0..self.inputs.len())];
                let from = self.rng.random_range(0..=other.len());
                let piece = other[from..other.len().min(from + 64)].to_vec();
                input.splice(at..end, piece);
            }
        }
    }
}

impl Iterator for Mutations {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        let mut input = self.inputs[self.rng.random_range(0..self.inputs.len())].clone();
        for _ in 0..self.rng.random_range(1..5) {
            self.change(&mut input);
        }
        Some(input)
    }
}
