//! The program of a formula as JSON: report pages recompute metrics in the browser.

use serde_json::{Value, json};

use super::names::{OPERATORS, Operator, QUANTITIES, Quantity};
use super::program::{Program, Stage, Step};

/// The whole program.
pub(super) fn of_program(program: &Program) -> Value {
    let stages: Vec<Value> = program.stages.iter().map(of_stage).collect();
    json!({"stored": program.stored, "stages": stages})
}

fn of_stage(stage: &Stage) -> Value {
    let steps: Vec<Value> = stage.steps.iter().map(of_step).collect();
    json!({"reduce": stage.reduction, "slot": stage.slot, "steps": steps})
}

fn of_step(step: &Step) -> Value {
    match *step {
        Step::Number(value) => json!(["number", value]),
        Step::Total => json!(["total"]),
        Step::Classes => json!(["classes"]),
        Step::Each(of) => json!(["each", quantity(of)]),
        Step::Of(of, class) => json!(["of", quantity(of), class]),
        Step::Cell(truth, predicted) => json!(["cell", truth, predicted]),
        Step::Slot(slot) => json!(["slot", slot]),
        Step::Load(place) => json!(["load", place]),
        Step::Store(place) => json!(["store", place]),
        Step::Unary(function) => json!([function]),
        Step::Binary(operator) => json!([binary(operator)]),
        Step::Choice => json!(["if"]),
    }
}

fn quantity(of: Quantity) -> &'static str {
    QUANTITIES.iter().find(|(_, known)| *known == of).map_or("", |(name, _)| name)
}

fn binary(operator: Operator) -> &'static str {
    match operator {
        Operator::Least => "least",
        Operator::Greatest => "greatest",
        _ => OPERATORS.iter().find(|(_, known, _)| *known == operator).map_or("", |(sign, ..)| sign),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Formula;
    use serde_json::json;

    #[test]
    fn the_program_is_written_step_by_step() {
        let classes = ["ham".to_string(), "spam".to_string()];
        let formula = Formula::new("r = recall; min(mean(r)^2, -tp[spam]/n, max(1,m))", &classes);
        assert_eq!(
            formula.map(|formula| formula.to_json()),
            Ok(json!({"stored": 1, "stages": [
                {"reduce": "mean", "slot": 0, "steps": [["each", "recall"], ["store", 0], ["load", 0]]},
                {"reduce": null, "slot": 1, "steps": [
                    ["slot", 0], ["square"], ["of", "tp", 1], ["negate"], ["total"], ["/"], ["least"],
                    ["number", 1.0], ["classes"], ["greatest"], ["least"],
                ]},
            ]}))
        );
    }
}
