//! Compiler: collects steps in stages and checks which values are scalars and which are per class.

use super::names::{Operator, Reduction, Unary};
use super::program::{MOST_MEMORY, Program, Stage, Step};
use super::{FormulaProblem, ParseError};

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

/// Takes operands and operators in postfix order.
#[derive(Default)]
pub(super) struct Compiler {
    steps: Vec<Step>,
    operands: Vec<Operand>,
    bindings: Vec<Binding>,
    stages: Vec<Stage>,
    slots: usize,
    stored: usize,
    n_steps: usize,
    named: Vec<usize>,
    names_off_diagonal: bool,
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
    /// The program, if its value is a scalar and it is not too large.
    pub(super) fn finish(mut self) -> Result<Program, ParseError> {
        if let Some(at) = self.operands.pop().and_then(|operand| operand.per_class) {
            return Err(ParseError::at(at, FormulaProblem::NotAScalar));
        }
        self.stage(0, None);
        let most_operands = self.stages.iter().map(|stage| operands(&stage.steps)).max().unwrap_or_default();
        let memory = self.slots + self.stored + most_operands;
        for (what, found, most) in
            [("stored numbers", memory, MOST_MEMORY), ("steps", self.n_steps, MOST_STEPS)]
        {
            if found > most {
                return Err(ParseError::at(0, FormulaProblem::TooLarge { what, most }));
            }
        }
        self.named.sort_unstable();
        self.named.dedup();
        let Self { stages, stored, named, names_off_diagonal, .. } = self;
        Ok(Program { stages, stored, memory, named, is_by_class: !names_off_diagonal })
    }

    /// Adds an operand; `per_class` is its offset in the formula if it has one value per class.
    pub(super) fn push(&mut self, step: Step, per_class: Option<usize>) {
        match step {
            Step::Of(_, class) => self.named.push(class),
            Step::Cell(truth, predicted) => {
                self.named.extend([truth, predicted]);
                self.names_off_diagonal |= truth != predicted;
            }
            _ => {}
        }
        self.operands.push(Operand { steps_from: self.steps.len(), per_class });
        self.steps.push(step);
    }

    /// Adds the value of a binding.
    pub(super) fn bound(&mut self, number: usize, at: usize) {
        match self.bindings.get(number) {
            Some(&Binding::Scalar(slot)) => self.push(Step::Slot(slot), None),
            Some(&Binding::PerClass(place, _)) => self.push(Step::Load(place), Some(at)),
            None => {} // the parser knows all bindings
        }
    }

    /// Applies a function to the last operand.
    pub(super) fn unary(&mut self, function: Unary) {
        self.steps.push(Step::Unary(function));
    }

    /// `if` of the last three operands.
    pub(super) fn choice(&mut self) {
        self.merge();
        self.merge();
        self.steps.push(Step::Choice);
    }

    /// Merges the last two operands into one.
    fn merge(&mut self) {
        let last = self.operands.pop();
        if let (Some(before), Some(last)) = (self.operands.last_mut(), last) {
            before.per_class = before.per_class.or(last.per_class);
        }
    }

    /// Applies an operator to the last two operands.
    pub(super) fn binary(&mut self, operator: Operator) {
        self.merge();
        let squares = operator == Operator::Power && self.steps.last() == Some(&Step::Number(2.0));
        if squares {
            self.steps.pop(); // a product is rounded correctly, unlike a power, and faster
        }
        self.steps.push(if squares { Step::Unary(Unary::Square) } else { Step::Binary(operator) });
    }

    /// Moves the steps of the last operand into a separate stage and replaces the operand by the slot of that stage.
    pub(super) fn reduce(&mut self, reduction: Reduction) {
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

    /// Binds the last operand to the next name.
    pub(super) fn bind(&mut self) {
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
