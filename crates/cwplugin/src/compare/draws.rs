//! The draws of a comparison: which rows of the pool every sample has.

use std::borrow::Cow;

use super::noise::{self, Part};
use super::{draw, unlabelled};
use crate::compare::{Noise, NoiseIn};
use crate::data::Sample;
use crate::error::Error;

/// One sample of a comparison, as rows of the pool.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Draw {
    /// Number of labelled rows.
    pub size: usize,
    /// Index among the samples of this size, from 0.
    pub repeat: usize,
    /// The labelled rows.
    pub labelled: Vec<usize>,
    /// Their labels, with the noise of the comparison.
    pub labels: Vec<usize>,
    /// The rows that are added without their labels.
    pub unlabelled: Vec<usize>,
}

/// What the draws depend on, besides the pool.
#[derive(Debug, Clone)]
pub(super) struct Drawing {
    pub(super) sizes: Vec<usize>,
    /// Samples of each size.
    pub(super) repeats: usize,
    pub(super) noise: Vec<Noise>,
    pub(super) noise_in: NoiseIn,
    /// Unlabelled rows of a sample, at most.
    pub(super) unlabelled: usize,
    pub(super) seed: u64,
}

impl Drawing {
    /// Size and repeat of every sample.
    pub(super) fn all(&self) -> impl Iterator<Item = (usize, usize)> {
        self.sizes.iter().flat_map(|&size| (0..self.repeats).map(move |repeat| (size, repeat)))
    }

    /// The rows with their noise, if it is everywhere.
    pub(super) fn noisy<'a>(&self, rows: &'a Sample, part: Part) -> Result<Cow<'a, Sample>, Error> {
        match self.noise_in {
            NoiseIn::Everywhere if !self.noise.is_empty() => {
                noise::everywhere(rows, &self.noise, self.seed, part).map(Cow::Owned)
            }
            _ => Ok(Cow::Borrowed(rows)),
        }
    }
}

/// All draws; the rows of one are listed when it is needed.
pub(super) struct Draws<'a> {
    /// With its noise, if that is everywhere.
    pool: Cow<'a, Sample>,
    drawing: &'a Drawing,
    /// The labelled rows of the pool in the order of each repeat.
    orders: Vec<Vec<usize>>,
    /// The unlabelled rows of the pool that come first in each repeat.
    unlabelled: Vec<Vec<usize>>,
    /// The labels of the largest sample of each repeat, if noise is in the samples.
    labels: Vec<Vec<u32>>,
}

impl<'a> Draws<'a> {
    pub(super) fn new(drawing: &'a Drawing, pool: &'a Sample) -> Result<Self, Error> {
        let &Drawing { ref sizes, repeats, unlabelled: most, seed, .. } = drawing;
        let labelled = pool.labelled_rows();
        if let Some(&size) = sizes.iter().find(|size| !(1..=labelled.len()).contains(*size)) {
            return Err(Error::SampleSize { size, rows: labelled.len() });
        }
        let pool = drawing.noisy(pool, Part::Pool)?;
        let orders: Vec<Vec<usize>> =
            (0..repeats).map(|repeat| draw::shuffled(&labelled, seed, repeat)).collect();
        let unlabelled =
            (0..repeats).map(|repeat| unlabelled::unlabelled_rows(&pool, most, seed, repeat)).collect();
        let largest = sizes.iter().copied().max().unwrap_or(0);
        let labels = match drawing.noise_in {
            NoiseIn::Sample if !drawing.noise.is_empty() => orders
                .iter()
                .enumerate()
                .map(|(repeat, order)| noise::nested(&pool, &order[..largest], &drawing.noise, seed, repeat))
                .collect(),
            _ => Vec::new(),
        };
        Ok(Self { pool, drawing, orders, unlabelled, labels })
    }

    /// The labelled rows of a sample, and those that are added without their labels.
    fn rows(&self, size: usize, repeat: usize) -> (&[usize], Vec<usize>) {
        let (rows, rest) = self.orders[repeat].split_at(size);
        (rows, unlabelled::added_rows(&self.unlabelled[repeat], rest, self.drawing.unlabelled))
    }

    /// These rows, with the noise of the repeat.
    fn labelled(&self, rows: &[usize], repeat: usize) -> Result<Sample, Error> {
        let sample = self.pool.select(rows);
        match self.labels.get(repeat) {
            Some(labels) => sample.relabelled(labels[..rows.len()].to_vec()),
            None => Ok(sample),
        }
    }

    /// The sample: the labelled rows, then the others.
    pub(super) fn sample(&self, size: usize, repeat: usize) -> Result<Sample, Error> {
        let (rows, added) = self.rows(size, repeat);
        unlabelled::with_unlabelled(self.labelled(rows, repeat)?, &self.pool, &added)
    }

    /// The rows of the sample, by index.
    pub(super) fn draw(&self, size: usize, repeat: usize) -> Result<Draw, Error> {
        let (rows, unlabelled) = self.rows(size, repeat);
        let sample = self.labelled(rows, repeat)?;
        let labels = (0..size).filter_map(|row| sample.label(row)).collect();
        Ok(Draw { size, repeat, labelled: rows.to_vec(), labels, unlabelled })
    }
}
