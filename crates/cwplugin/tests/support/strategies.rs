//! What the laws are tried on.

use cwplugin::{Metric, Search, Step, Ties};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::metrics::every_metric;
use super::tables::{KINDS, Kind, Table, random_table};

/// The same cases in every run; `PROPTEST_CASES=10000` tries that many others.
pub(crate) fn cases(cases: u32) -> ProptestConfig {
    let others = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if std::env::var_os("PROPTEST_CASES").is_some() {
        return others;
    }
    ProptestConfig { cases, rng_seed: RngSeed::Fixed(20_240_603), ..others }
}

/// A table of any kind with at least one labelled row that weighs something.
pub(crate) fn any_table() -> impl Strategy<Value = Table> {
    proptest::sample::select(KINDS.to_vec()).prop_flat_map(|kind| tables_of(kind, 0))
}

/// A table of one kind; `m` = 0 is any number of classes.
pub(crate) fn tables_of(kind: Kind, m: usize) -> impl Strategy<Value = Table> {
    any::<u64>()
        .prop_map(move |seed| random_table(seed, kind, m))
        .prop_filter("nothing to learn from", |table| table.counted().next().is_some())
}

/// A line of the catalogue.
pub(crate) fn any_choice() -> impl Strategy<Value = usize> {
    0..every_metric(2).len()
}

/// The metric in that line, for the table's classes.
pub(crate) fn metric(table: &Table, choice: usize) -> Box<dyn Metric> {
    every_metric(table.m).swap_remove(choice)
}

pub(crate) fn any_search() -> impl Strategy<Value = Search> {
    prop_oneof![Just(Search::Exact), any_step().prop_map(Search::Grid), any_step().prop_map(Search::Binary)]
}

pub(crate) fn any_step() -> impl Strategy<Value = Step> {
    (0.005..0.5_f64).prop_map(|epsilon| Step::try_from(epsilon).unwrap())
}

pub(crate) fn any_ties() -> impl Strategy<Value = Ties> {
    proptest::sample::select(vec![Ties::First, Ties::NearestHalf, Ties::Middle])
}

/// The numbers below `n` in another order.
pub(crate) fn shuffled(n: usize, seed: u64) -> Vec<usize> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut order: Vec<usize> = (0..n).collect();
    for i in (1..n).rev() {
        order.swap(i, rng.random_range(0..=i));
    }
    order
}
