//! A formula as a list of steps, and a walk along it.
//!
//! Each reduction and each binding of one number is a stage: it fills a slot that later stages read. A stage over the
//! classes runs its steps on eight present classes at a time, with their numbers side by side. Slots, numbers per class
//! that have a name, and operands lie in arrays on the stack; nothing is allocated.

use super::arithmetic::{Gathered, Lanes, binary, choose, unary};
use super::names::{Operator, Quantity, Reduction, Unary};
use crate::metric::{ClassCounts, Confusion};

/// Numbers that an evaluation may keep; smaller formulas get by with less, as clearing it takes time.
pub(super) const MOST_MEMORY: usize = 512;

/// Classes that a stage looks at together.
const LANES: usize = 8;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Step {
    Number(f64),
    Total,
    Classes,
    /// The number of the class at hand.
    Each(Quantity),
    /// That of one class; 0 in a matrix that is not over it.
    Of(Quantity, usize),
    Cell(usize, usize),
    /// What a slot holds.
    Slot(usize),
    /// The numbers per class that were stored here.
    Load(usize),
    /// Takes the last operand away and stores it.
    Store(usize),
    Unary(Unary),
    Binary(Operator),
    Choice,
}

impl Step {
    /// How many operands there are more after the step.
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
    /// How the numbers of the present classes become one; none if the steps are run once.
    pub(super) reduction: Option<Reduction>,
    pub(super) slot: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Program {
    /// The last stage gives the score.
    pub(super) stages: Vec<Stage>,
    /// How many bindings of numbers per class are stored in front of the operands.
    pub(super) stored: usize,
    /// Slots, what is stored, and the most operands at a time.
    pub(super) memory: usize,
}

impl Program {
    /// The value on a matrix that is not empty; `total` is its weight.
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
                    let nobody = Classes { confusion, total, counts: [NO_CLASS; 1], used: 1 };
                    run_steps(&stage.steps, &slots, &mut one, self.stored, &nobody)[0]
                }
                Some(reduction) => {
                    let mut gathered = Gathered::default();
                    let mut present = confusion.per_class().filter(|class| !class.is_empty());
                    let mut classes = Classes { confusion, total, counts: [NO_CLASS; LANES], used: 0 };
                    while classes.refill(&mut present) {
                        let numbers = run_steps(&stage.steps, &slots, &mut several, self.stored, &classes);
                        gathered.add(reduction, &numbers[..classes.used]);
                    }
                    gathered.finish(reduction)
                }
            };
            slots[stage.slot] = score;
        }
        score
    }
}

/// The classes at hand, out of a matrix.
struct Classes<'c, const L: usize> {
    confusion: &'c Confusion,
    total: f64,
    counts: [ClassCounts; L],
    /// How many of the counts are those of a class.
    used: usize,
}

const NO_CLASS: ClassCounts = ClassCounts { truth: 0.0, predicted: 0.0, correct: 0.0 };

impl<const L: usize> Classes<'_, L> {
    /// Takes the next classes; whether there are any.
    fn refill(&mut self, present: &mut impl Iterator<Item = ClassCounts>) -> bool {
        self.used = 0;
        for (place, class) in self.counts.iter_mut().zip(present) {
            *place = class;
            self.used += 1;
        }
        self.used > 0
    }

    /// The number of one class; 0 in a matrix that is not over it.
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

/// Runs one list of steps; the operand that came last is kept aside, those before it from `top` on.
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
