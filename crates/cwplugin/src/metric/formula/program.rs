//! A formula as a list of steps, and what a step does.
//!
//! Each reduction and each binding of one number is a stage: it fills a slot that later stages read. A stage over the
//! classes runs its steps once per present class, with that class's numbers. Numbers lie in one array on the stack:
//! the slots, then the operands; nothing is allocated.

use super::arithmetic::{binary, choose, reduce, unary};
use super::names::{Operator, Quantity, Reduction, Unary};
use crate::{ClassCounts, Confusion};

/// Numbers that an evaluation may keep; smaller formulas get by with less, as clearing it takes time.
pub(super) const MOST_MEMORY: usize = 512;

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
    Load(usize),
    /// Takes the last operand away, into a slot.
    Store(usize),
    Unary(Unary),
    Binary(Operator),
    Choice,
}

impl Step {
    /// How many operands there are more after the step.
    pub(super) fn growth(self) -> isize {
        match self {
            Self::Number(_) | Self::Total | Self::Classes | Self::Load(_) => 1,
            Self::Each(_) | Self::Of(..) | Self::Cell(..) => 1,
            Self::Unary(_) => 0,
            Self::Binary(_) | Self::Store(_) => -1,
            Self::Choice => -2,
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
    pub(super) stages: Vec<Stage>,
    /// How many slots there are; the last stage fills the one of the score.
    pub(super) slots: usize,
    /// Slots and the most operands at a time.
    pub(super) memory: usize,
}

impl Program {
    /// The value on a matrix that is not empty; `total` is its weight.
    pub(super) fn run(&self, confusion: &Confusion, total: f64) -> f64 {
        match self.memory {
            0..=16 => self.run_in(&mut [0.0; 16], confusion, total),
            17..=64 => self.run_in(&mut [0.0; 64], confusion, total),
            _ => self.run_in(&mut [0.0; MOST_MEMORY], confusion, total),
        }
    }

    fn run_in(&self, memory: &mut [f64], confusion: &Confusion, total: f64) -> f64 {
        let mut score = 0.0;
        for stage in &self.stages {
            let mut once = |class| run_steps(&stage.steps, memory, self.slots, (confusion, total, class));
            score = match stage.reduction {
                None => once(NO_CLASS),
                Some(reduction) => {
                    reduce(reduction, confusion.per_class().filter(|class| !class.is_empty()).map(once))
                }
            };
            memory[stage.slot] = score;
        }
        score
    }
}

const NO_CLASS: ClassCounts = ClassCounts { truth: 0.0, predicted: 0.0, correct: 0.0 };

/// Runs one list of steps; the operand that came last is kept aside, those before it from `top` on.
#[inline]
fn run_steps(
    steps: &[Step],
    memory: &mut [f64],
    mut top: usize,
    (confusion, total, class): (&Confusion, f64, ClassCounts),
) -> f64 {
    let mut last = 0.0;
    for &step in steps {
        let next = match step {
            Step::Number(value) => value,
            Step::Total => total,
            Step::Classes => confusion.n_classes() as f64,
            Step::Each(quantity) => quantity.of(class, total),
            Step::Of(quantity, class) => of_class(confusion, quantity, class, total),
            Step::Cell(truth, predicted) => cell(confusion, truth, predicted),
            Step::Load(slot) => memory[slot],
            Step::Store(slot) => {
                memory[slot] = last;
                top -= 1;
                last = memory[top];
                continue;
            }
            Step::Unary(function) => {
                last = unary(function, last);
                continue;
            }
            Step::Binary(operator) => {
                top -= 1;
                last = binary(operator, memory[top], last);
                continue;
            }
            Step::Choice => {
                top -= 2;
                last = choose(memory[top], memory[top + 1], last);
                continue;
            }
        };
        memory[top] = last;
        top += 1;
        last = next;
    }
    last
}

fn of_class(confusion: &Confusion, quantity: Quantity, class: usize, total: f64) -> f64 {
    confusion.position(class).map_or(0.0, |position| quantity.of(confusion.class(position), total))
}

fn cell(confusion: &Confusion, truth: usize, predicted: usize) -> f64 {
    match (confusion.position(truth), confusion.position(predicted)) {
        (Some(truth), Some(predicted)) => confusion.get(truth, predicted),
        _ => 0.0,
    }
}
