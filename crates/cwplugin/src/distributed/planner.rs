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

/// The moves of the next pass and its resolution, from the maxima of all lines; `None` if the search has converged.
///
/// `last_score` is the best score before the last moves, and `late` a start that was found after the others were counted.
pub(super) fn next_moves(
    best: &Best,
    places: &[Place],
    late: Option<Move>,
    last_score: &mut f64,
    tolerance: f64,
) -> Result<Option<(Vec<Move>, Resolution)>, Error> {
    let resolution = &best.resolution;
    let gain = |place: &Place| (place.score - best.score).max(0.0);
    let predicted_gain: f64 = places.iter().map(gain).sum();
    let is_stuck = best.score <= *last_score; // no move of the last pass was accepted
    *last_score = best.score;
    let (mut points, resolution) = if predicted_gain <= tolerance || is_stuck {
        if late.is_none() && (resolution.zoom >= FINE && !is_stuck || resolution.zoom >= FINEST) {
            return Ok(None);
        }
        *last_score = f64::NEG_INFINITY; // a refinement is not a move
        let finer = if resolution.zoom < FINEST { resolution.finer() } else { resolution.clone() };
        (vec![best.weights.clone()], finer)
    } else {
        let gaining: Vec<&Place> = places.iter().filter(|place| gain(place) > 0.0).collect();
        let best_alone = places.iter().max_by(|a, b| a.score.total_cmp(&b.score));
        let mut points = Vec::new();
        for part in PARTS {
            points.push(moved(&best.weights, gaining.iter().copied(), part)?);
        }
        let alone = moved(&best.weights, best_alone, 1.0)?;
        if !points.contains(&alone) {
            points.push(alone);
        }
        // A single step reaches its predicted score, so it is never dropped.
        points.reverse();
        points.truncate(resolution.max_points());
        let farthest = gaining.iter().map(|place| place.log_factor.abs()).fold(0.0, f64::max);
        (points, next_resolution(resolution, farthest))
    };
    if late.is_some() {
        points.truncate(resolution.max_points().saturating_sub(1).max(1));
    }
    let moves = points.into_iter().map(|weights| Move { weights, start: best.start });
    Ok(Some((moves.chain(late).collect(), resolution)))
}

/// Finer if all maxima are near, and wider if one may be outside the range.
fn next_resolution(resolution: &Resolution, farthest: f64) -> Resolution {
    let finer = resolution.finer();
    if resolution.zoom < FINEST && farthest < 0.5 * finer.reach() {
        finer
    } else if resolution.zoom > 0 && farthest > 0.9 * resolution.reach() {
        Resolution { zoom: resolution.zoom - 1, ..resolution.clone() }
    } else {
        resolution.clone()
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
