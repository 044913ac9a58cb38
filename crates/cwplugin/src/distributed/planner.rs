//! The weights of the next pass.

use super::Best;
use super::line::Place;
use super::pass::Resolution;
use crate::error::Error;
use crate::methods::Start;
use crate::rule::Weights;

/// Refinement from which a pass without gain is the last: its buckets are 0.5% wide.
const FINE: u32 = 1;

/// The finest refinement: a weight is then known to 0.01%.
const FINEST: u32 = 3;

/// Fractions of the step to all line maxima at once. If two classes compete, each line alone makes the whole step, and half
/// of it is right for both.
const PARTS: [f64; 2] = [1.0, 0.5];

/// Weights to count, and the start they come from.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Move {
    pub(super) weights: Weights,
    pub(super) start: Start,
}

/// The next step.
#[derive(Debug)]
pub(super) enum Next {
    /// Count all rows with these weights.
    Count(Vec<Weights>, Resolution),
    /// Converged.
    Converged,
}

/// The candidate steps.
#[derive(Debug, Default)]
pub(super) struct Planner {
    most: usize,
    /// A start found after the others were counted.
    late: Option<Move>,
    /// The start of one set of weights of the last pass, if it is not that of the best weights.
    last: Option<(usize, Start)>,
    /// The best score before the last step.
    last_score: f64,
}

impl Planner {
    /// Sets the maximum number of weights per pass.
    pub(super) fn limit(&mut self, most: usize) {
        (self.most, self.last_score) = (most, f64::NEG_INFINITY);
    }

    /// Adds a start to the next pass.
    pub(super) fn add_start(&mut self, late: Move) {
        self.late = Some(late);
    }

    /// The start of each set of weights of the last pass.
    pub(super) fn starts(&self, points: usize, start: Start) -> Vec<Start> {
        let of = |i| self.last.filter(|(late, _)| *late == i).map_or(start, |(_, start)| start);
        (0..points).map(of).collect()
    }

    /// The next weights, from the maxima of all lines.
    pub(super) fn next(&mut self, best: &Best, places: &[Place], tolerance: f64) -> Result<Next, Error> {
        let gain = |place: &Place| (place.score - best.score).max(0.0);
        let predicted_gain: f64 = places.iter().map(gain).sum();
        let is_stuck = best.score <= self.last_score; // no move of the last pass was accepted
        self.last_score = best.score;
        self.last = None;
        let resolution = &best.resolution;
        let late = self.late.take();
        if predicted_gain <= tolerance || is_stuck {
            if late.is_none() && (resolution.zoom >= FINE && !is_stuck || resolution.zoom >= FINEST) {
                return Ok(Next::Converged);
            }
            self.last_score = f64::NEG_INFINITY; // a refinement is not a move
            let mut points = vec![best.weights.clone()];
            self.add_late(&mut points, late);
            return Ok(Next::Count(
                points,
                if resolution.zoom < FINEST { resolution.finer() } else { resolution.clone() },
            ));
        }
        let best_alone = places.iter().max_by(|a, b| a.score.total_cmp(&b.score));
        let mut points = Vec::new();
        for part in PARTS {
            points.push(moved(&best.weights, places.iter().filter(|place| gain(place) > 0.0), part)?);
        }
        let alone = moved(&best.weights, best_alone, 1.0)?;
        if !points.contains(&alone) {
            points.push(alone);
        }
        // A single step reaches its predicted score, so it is never dropped.
        points.reverse();
        points.truncate(self.most);
        self.add_late(&mut points, late);
        let farthest = places
            .iter()
            .filter(|place| gain(place) > 0.0)
            .map(|place| place.log_factor.abs())
            .fold(0.0, f64::max);
        let finer = resolution.finer();
        let is_near = resolution.zoom < FINEST && farthest < 0.5 * finer.reach();
        // The maximum may be far outside the range if it is at its end.
        let is_far = resolution.zoom > 0 && farthest > 0.9 * resolution.reach();
        let wider = || Resolution { zoom: resolution.zoom - 1, ..resolution.clone() };
        Ok(Next::Count(
            points,
            if is_near {
                finer
            } else if is_far {
                wider()
            } else {
                resolution.clone()
            },
        ))
    }

    fn add_late(&mut self, points: &mut Vec<Weights>, late: Option<Move>) {
        if let Some(late) = late {
            points.truncate(self.most.saturating_sub(1).max(1));
            self.last = Some((points.len(), late.start));
            points.push(late.weights);
        }
    }
}

/// Weights with some of them moved by a fraction of the step.
fn moved<'a>(
    weights: &Weights,
    places: impl IntoIterator<Item = &'a Place>,
    part: f64,
) -> Result<Weights, Error> {
    let mut moved = weights.as_slice().to_vec();
    for place in places {
        moved[place.class] *= (part * place.log_factor).exp();
    }
    Weights::new(moved)
}
