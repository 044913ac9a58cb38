//! Compiler: turns parts into a program and checks which values are scalars and which are per class.

use super::names::{Operator, Reduction, Unary};
use super::parser::{Part, What};
use super::problem::{FormulaProblem, ParseError};
use super::program::{MOST_MEMORY, Program, Stage, Step};

/// Maximum number of steps of all stages together; bounds the evaluation time.
const MOST_STEPS: usize = 8192;

/// An operand: the index of its first step, and the offset in the formula of its first value per class, if any.
struct Operand {
    steps_from: usize,
    per_class: Option<usize>,
}

/// The value of a bound name.
enum Binding {
    /// A scalar in a slot that is filled once.
    Scalar(usize),
    /// Values per class with their storage place; their steps run again in every stage over the classes that uses them.
    PerClass(usize, Vec<Step>),
}

#[derive(Default)]
struct Compiler {
    steps: Vec<Step>,
    operands: Vec<Operand>,
    bindings: Vec<Binding>,
    stages: Vec<Stage>,
    slots: usize,
    stored: usize,
    n_steps: usize,
}

pub(super) fn compile(parts: &[Part]) -> Result<Program, ParseError> {
    let mut compiler = Compiler::default();
    for part in parts {
        compiler.part(part);
    }
    if let Some(at) = compiler.operands.pop().and_then(|operand| operand.per_class) {
        return Err(ParseError::at(at, FormulaProblem::NotAScalar));
    }
    compiler.stage(0, None);
    let most_operands = compiler.stages.iter().map(|stage| operands(&stage.steps)).max().unwrap_or_default();
    let memory = compiler.slots + compiler.stored + most_operands;
    let limits = [("stored numbers", memory, MOST_MEMORY), ("steps", compiler.n_steps, MOST_STEPS)];
    for (what, found, most) in limits {
        if found > most {
            return Err(ParseError::at(0, FormulaProblem::TooLarge { what, most }));
        }
    }
    Ok(Program { stages: compiler.stages, stored: compiler.stored, memory })
}

/// The maximum stack depth of the steps, plus one: the first push saves the initial register.
fn operands(steps: &[Step]) -> usize {
    let mut held = 0_isize;
    let most = steps.iter().map(|step| {
        held += step.growth();
        held.unsigned_abs()
    });
    most.max().unwrap_or_default() + 1
}

impl Compiler {
    fn part(&mut self, part: &Part) {
        match part.what {
            What::Number(value) => self.push(Step::Number(value), None),
            What::Total => self.push(Step::Total, None),
            What::Classes => self.push(Step::Classes, None),
            What::Each(quantity) => self.push(Step::Each(quantity), Some(part.at)),
            What::Of(quantity, class) => self.push(Step::Of(quantity, class), None),
            What::Cell(truth, predicted) => self.push(Step::Cell(truth, predicted), None),
            What::Bound(number) => match self.bindings.get(number) {
                Some(&Binding::Scalar(slot)) => self.push(Step::Slot(slot), None),
                Some(&Binding::PerClass(place, _)) => self.push(Step::Load(place), Some(part.at)),
                None => {} // the parser knows all bindings
            },
            What::Unary(function) => self.steps.push(Step::Unary(function)),
            What::Binary(operator) => self.binary(operator),
            What::Choice => {
                self.merge();
                self.merge();
                self.steps.push(Step::Choice);
            }
            What::Reduce(reduction) => self.reduce(reduction),
            What::Bind => self.bind(),
        }
    }

    fn push(&mut self, step: Step, per_class: Option<usize>) {
        self.operands.push(Operand { steps_from: self.steps.len(), per_class });
        self.steps.push(step);
    }

    /// Merges the last two operands into one.
    fn merge(&mut self) {
        let last = self.operands.pop();
        if let (Some(before), Some(last)) = (self.operands.last_mut(), last) {
            before.per_class = before.per_class.or(last.per_class);
        }
    }

    fn binary(&mut self, operator: Operator) {
        self.merge();
        let squares = operator == Operator::Power && self.steps.last() == Some(&Step::Number(2.0));
        if squares {
            self.steps.pop(); // a product is rounded correctly, unlike a power, and faster
        }
        self.steps.push(if squares { Step::Unary(Unary::Square) } else { Step::Binary(operator) });
    }

    /// Moves the steps of the last operand into a separate stage and replaces the operand by the slot of that stage.
    fn reduce(&mut self, reduction: Reduction) {
        let Some(operand) = self.operands.pop() else { return };
        if operand.per_class.is_some() {
            let slot = self.stage(operand.steps_from, Some(reduction));
            self.push(Step::Slot(slot), None);
            return;
        }
        if reduction == Reduction::GMean {
            self.steps.push(Step::Number(0.0)); // also of a scalar, a geometric mean is at least 0
            self.steps.push(Step::Binary(Operator::Greatest));
        }
        self.operands.push(operand);
    }

    fn bind(&mut self) {
        let per_class = self.operands.pop().and_then(|operand| operand.per_class);
        let binding = if per_class.is_some() {
            self.stored += 1;
            Binding::PerClass(self.stored - 1, std::mem::take(&mut self.steps))
        } else {
            Binding::Scalar(self.stage(0, None))
        };
        self.bindings.push(binding);
    }

    /// Ends a stage with the steps from `from` on, preceded by the per-class bindings that they need; returns its slot.
    fn stage(&mut self, from: usize, reduction: Option<Reduction>) -> usize {
        let body = self.steps.split_off(from);
        let mut steps = Vec::new();
        for (place, definition) in self.needed(&body) {
            steps.extend(definition);
            steps.push(Step::Store(place));
        }
        steps.extend(body);
        self.n_steps += steps.len();
        self.slots += 1;
        if self.n_steps <= MOST_STEPS {
            self.stages.push(Stage { steps, reduction, slot: self.slots - 1 });
        }
        self.slots - 1
    }

    /// The per-class bindings that the steps use directly or indirectly, in the order of their definition.
    fn needed(&self, body: &[Step]) -> Vec<(usize, &Vec<Step>)> {
        let mut loaded = vec![false; self.stored];
        let mark = |loaded: &mut Vec<bool>, steps: &[Step]| {
            for step in steps {
                if let Step::Load(place) = *step {
                    loaded[place] = true;
                }
            }
        };
        mark(&mut loaded, body);
        let mut needed = Vec::new();
        for binding in self.bindings.iter().rev() {
            if let Binding::PerClass(place, definition) = binding
                && loaded[*place]
            {
                mark(&mut loaded, definition);
                needed.push((*place, definition));
            }
        }
        needed.reverse();
        needed
    }
}
