//! Where to stand next.

use super::Best;
use super::line::Place;
use super::pass::Look;
use crate::error::Error;
use crate::methods::Start;
use crate::rule::Weights;

/// From this closeness on a look that finds nothing better is the last one: its buckets are half a per cent wide.
const CLOSE: u32 = 1;

/// No look is closer: a weight is then known to a hundredth of a per cent.
const CLOSEST: u32 = 3;

/// The parts of the way to all best places at once that are tried. Where two classes stand against each other, each
/// goes the whole way on its own line, and half of it is right for both.
const PARTS: [f64; 2] = [1.0, 0.5];

/// Weights to look at, and where they come from.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Move {
    pub(super) weights: Weights,
    pub(super) start: Start,
}

/// What to do next.
#[derive(Debug)]
pub(super) enum Next {
    /// Count all rows with these weights.
    Stand(Vec<Weights>, Look),
    /// Nothing better is near.
    Arrived,
}

/// The moves that are being tried.
#[derive(Debug, Default)]
pub(super) struct Route {
    most: usize,
    /// A start that is known too late to be among the others.
    late: Option<Move>,
    /// Where the weights of the last pass come from, if not from the best ones before them.
    last: Option<(usize, Start)>,
    /// The best score when a move was last made.
    left: f64,
}

impl Route {
    /// So many weights may be looked at in one pass.
    pub(super) fn limit(&mut self, most: usize) {
        (self.most, self.left) = (most, f64::NEG_INFINITY);
    }

    /// Look at these weights too, at the next occasion.
    pub(super) fn also(&mut self, late: Move) {
        self.late = Some(late);
    }

    /// Where each of the weights of the last pass began.
    pub(super) fn starts(&self, stands: usize, start: Start) -> Vec<Start> {
        let of = |i| self.last.filter(|(late, _)| *late == i).map_or(start, |(_, start)| start);
        (0..stands).map(of).collect()
    }

    /// The next weights, from the best places of all lines.
    pub(super) fn next(&mut self, best: &Best, places: &[Place], tolerance: f64) -> Result<Next, Error> {
        let gain = |place: &Place| (place.score - best.score).max(0.0);
        let promised: f64 = places.iter().map(gain).sum();
        let is_stuck = best.score <= self.left; // the moves of the last pass were none
        self.left = best.score;
        self.last = None;
        let look = &best.look;
        let late = self.late.take();
        if promised <= tolerance || is_stuck {
            if late.is_none() && (look.zoom >= CLOSE && !is_stuck || look.zoom >= CLOSEST) {
                return Ok(Next::Arrived);
            }
            self.left = f64::NEG_INFINITY; // a closer look is no move
            let mut stands = vec![best.weights.clone()];
            self.add_late(&mut stands, late);
            return Ok(Next::Stand(stands, if look.zoom < CLOSEST { look.closer() } else { look.clone() }));
        }
        let best_alone = places.iter().max_by(|a, b| a.score.total_cmp(&b.score));
        let mut stands = Vec::new();
        for part in PARTS {
            stands.push(moved(&best.weights, places.iter().filter(|place| gain(place) > 0.0), part)?);
        }
        let alone = moved(&best.weights, best_alone, 1.0)?;
        if !stands.contains(&alone) {
            stands.push(alone);
        }
        // Alone it does what it promises: that one is never left out.
        stands.reverse();
        stands.truncate(self.most);
        self.add_late(&mut stands, late);
        let farthest = places
            .iter()
            .filter(|place| gain(place) > 0.0)
            .map(|place| place.log_factor.abs())
            .fold(0.0, f64::max);
        let closer = look.closer();
        let is_near = look.zoom < CLOSEST && farthest < 0.5 * closer.reach();
        // A place at the end of what can be seen may be far behind it.
        let is_far = look.zoom > 0 && farthest > 0.9 * look.reach();
        let wider = || Look { zoom: look.zoom - 1, ..look.clone() };
        Ok(Next::Stand(
            stands,
            if is_near {
                closer
            } else if is_far {
                wider()
            } else {
                look.clone()
            },
        ))
    }

    fn add_late(&mut self, stands: &mut Vec<Weights>, late: Option<Move>) {
        if let Some(late) = late {
            stands.truncate(self.most.saturating_sub(1).max(1));
            self.last = Some((stands.len(), late.start));
            stands.push(late.weights);
        }
    }
}

/// Weights with some of them moved a part of the way.
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
