//! The compiled form of a formula and its evaluation.
//!
//! Each reduction and each scalar binding is a stage: it fills a slot that later stages read. A stage over the classes
//! runs its steps on eight present classes at a time, one per lane. Slots, named values per class and operands are in
//! arrays on the stack; nothing is allocated.

use super::arithmetic::{Accumulator, Lanes, binary, choose, unary};
use super::names::{Operator, Quantity, Reduction, Unary};
use crate::metric::{ClassCounts, Confusion};

/// Maximum number of values of an evaluation; smaller formulas use smaller arrays, because clearing them takes time.
pub(super) const MOST_MEMORY: usize = 512;

/// Classes that a stage processes together.
const LANES: usize = 8;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Step {
    Number(f64),
    Total,
    Classes,
    /// The value of the current class.
    Each(Quantity),
    /// The value of one class; 0 if the matrix does not have it.
    Of(Quantity, usize),
    Cell(usize, usize),
    /// The value of a slot.
    Slot(usize),
    /// The values per class stored in this place.
    Load(usize),
    /// Pops the last operand and stores it.
    Store(usize),
    Unary(Unary),
    Binary(Operator),
    Choice,
}

impl Step {
    /// Change of the stack depth.
    pub(super) fn growth(self) -> isize {
        match self {
            Self::Unary(_) => 0,
            Self::Binary(_) | Self::Store(_) => -1,
            Self::Choice => -2,
            _ => 1,
        }
    }
}

/// Steps that fill one slot.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Stage {
    pub(super) steps: Vec<Step>,
    /// The reduction over the present classes; `None` if the steps run once.
    pub(super) reduction: Option<Reduction>,
    pub(super) slot: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Program {
    /// The last stage gives the score.
    pub(super) stages: Vec<Stage>,
    /// Number of bindings of values per class, stored below the operands.
    pub(super) stored: usize,
    /// Number of slots, stored bindings and operands at a time.
    pub(super) memory: usize,
    /// Classes named in the formula, in order.
    pub(super) named: Vec<usize>,
    /// Whether no cell off the diagonal is named.
    pub(super) is_by_class: bool,
}

impl Program {
    /// The value on a non-empty matrix; `total` is its weight.
    pub(super) fn run(&self, confusion: &Confusion, total: f64) -> f64 {
        match self.memory {
            0..=16 => self.run_in::<16>(confusion, total),
            17..=64 => self.run_in::<64>(confusion, total),
            _ => self.run_in::<MOST_MEMORY>(confusion, total),
        }
    }

    fn run_in<const N: usize>(&self, confusion: &Confusion, total: f64) -> f64 {
        let (mut slots, mut one, mut several) = ([0.0; N], [[0.0; 1]; N], [[0.0; LANES]; N]);
        let mut score = 0.0;
        for stage in &self.stages {
            score = match stage.reduction {
                None => {
                    let no_class = Classes { confusion, total, counts: [NO_CLASS; 1], used: 1 };
                    run_steps(&stage.steps, &slots, &mut one, self.stored, &no_class)[0]
                }
                Some(reduction) => {
                    let mut accumulator = Accumulator::default();
                    let mut present = confusion.per_class().filter(|class| !class.is_empty());
                    let mut classes = Classes { confusion, total, counts: [NO_CLASS; LANES], used: 0 };
                    while classes.refill(&mut present) {
                        let numbers = run_steps(&stage.steps, &slots, &mut several, self.stored, &classes);
                        accumulator.add(reduction, &numbers[..classes.used]);
                    }
                    accumulator.finish(reduction)
                }
            };
            slots[stage.slot] = score;
        }
        score
    }
}

/// The current classes of a matrix.
struct Classes<'c, const L: usize> {
    confusion: &'c Confusion,
    total: f64,
    counts: [ClassCounts; L],
    /// Number of counts in use.
    used: usize,
}

const NO_CLASS: ClassCounts = ClassCounts { truth: 0.0, predicted: 0.0, correct: 0.0 };

impl<const L: usize> Classes<'_, L> {
    /// Loads the next classes; false if there are none.
    fn refill(&mut self, present: &mut impl Iterator<Item = ClassCounts>) -> bool {
        self.used = 0;
        for (place, class) in self.counts.iter_mut().zip(present) {
            *place = class;
            self.used += 1;
        }
        self.used > 0
    }

    /// The value of one class; 0 if the matrix does not have it.
    fn of_class(&self, quantity: Quantity, class: usize) -> f64 {
        let position = self.confusion.position(class);
        position.map_or(0.0, |position| quantity.of(&[self.confusion.class(position)], self.total)[0])
    }

    fn cell(&self, truth: usize, predicted: usize) -> f64 {
        match (self.confusion.position(truth), self.confusion.position(predicted)) {
            (Some(truth), Some(predicted)) => self.confusion.get(truth, predicted),
            _ => 0.0,
        }
    }
}

/// Runs one list of steps. The top of the stack is in `last`, the rest in `memory` below `top`.
#[inline]
fn run_steps<const L: usize>(
    steps: &[Step],
    slots: &[f64],
    memory: &mut [Lanes<L>],
    mut top: usize,
    classes: &Classes<'_, L>,
) -> Lanes<L> {
    let mut last = [0.0; L];
    for &step in steps {
        let next = match step {
            Step::Number(value) => [value; L],
            Step::Total => [classes.total; L],
            Step::Classes => [classes.confusion.n_classes() as f64; L],
            Step::Each(quantity) => quantity.of(&classes.counts, classes.total),
            Step::Of(quantity, class) => [classes.of_class(quantity, class); L],
            Step::Cell(truth, predicted) => [classes.cell(truth, predicted); L],
            Step::Slot(slot) => [slots[slot]; L],
            Step::Load(place) => memory[place],
            Step::Store(place) => {
                memory[place] = last;
                top -= 1;
                last = memory[top];
                continue;
            }
            Step::Unary(function) => {
                unary(function, &mut last, classes.used);
                continue;
            }
            Step::Binary(operator) => {
                top -= 1;
                binary(operator, &memory[top], &mut last, classes.used);
                continue;
            }
            Step::Choice => {
                top -= 2;
                choose(&memory[top], &memory[top + 1], &mut last);
                continue;
            }
        };
        memory[top] = last;
        top += 1;
        last = next;
    }
    last
}
