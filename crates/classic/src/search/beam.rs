use emilia_query::Report;
use emilia_rules::{Kernel, Move, Playable, Point, SquareSet};

use super::MAX_DEPTH;
use super::walk::{Cutoff, Pruning, Walk};
use crate::Dice;
use crate::control::Stopped;
use crate::listener::Lot;

/// A child waiting to be drawn.
pub(super) struct Ranked<P: Playable> {
    /// What it looks like to the side that moves there.
    value: f64,
    /// Its place in the order of moves.
    place: u32,
    square: P::Square,
    drawn: bool,
}

impl<P: Playable> Clone for Ranked<P> {
    fn clone(&self) -> Ranked<P> {
        Ranked { ..*self }
    }
}

impl<P: Playable, K: Kernel> Walk<'_, '_, '_, '_, P, K> {
    /// Alpha-beta on a tree in which each node keeps at most `width` moves.
    pub(super) fn beam(&mut self, position: &P, depth: u32, width: u32) -> Report {
        self.width = width.max(1) as usize;
        self.fixed_depth(position, depth.min(MAX_DEPTH), Pruning::On)
    }

    /// A node whose moves are ranked: the best looking first, and if there are more than are kept, only those drawn.
    pub(super) fn visit_ranked(
        &mut self,
        position: &P,
        placements: P::Set,
        depth: u32,
        ply: usize,
        window: (f64, f64),
    ) -> Result<f64, Stopped> {
        let kernel = self.kernel;
        kernel.enter(
            #[inline(always)]
            || self.visit_some(position, placements, depth, ply, window),
        )
    }

    #[inline(always)]
    fn visit_some(
        &mut self,
        position: &P,
        placements: P::Set,
        depth: u32,
        ply: usize,
        (mut alpha, beta): (f64, f64),
    ) -> Result<f64, Stopped> {
        let start = self.ranked.len();
        self.rank(position, placements)?;
        let end = self.choose(start);
        let mut best = f64::NEG_INFINITY;
        for child in start..end {
            let (square, mv) = (self.ranked[child].square, self.ranked[child].mv());
            let first = child == start;
            let value = self.child(&position.placed(square), mv, first, depth, ply, (alpha, beta))?;
            if value > best {
                best = value;
                if best > alpha {
                    self.keep_line(ply, mv, best);
                }
                self.note_best(best);
            }
            if self.pruning == Pruning::Off {
                continue;
            }
            alpha = alpha.max(best);
            if alpha >= beta {
                let untried = match self.listener {
                    Some(_) => self.ranked[child + 1..end].iter().map(Ranked::mv).collect(),
                    None => Vec::new(),
                };
                self.ranked.truncate(start);
                return Ok(self.leave(best, Cutoff::Drawn(untried)));
            }
        }
        self.ranked.truncate(start);
        Ok(self.leave(best, Cutoff::None))
    }

    /// Draws among the children ranked from here on if they are too many, and forgets the others; returns where they end.
    fn choose(&mut self, start: usize) -> usize {
        let children = &mut self.ranked[start..];
        if children.len() <= self.width {
            if let Some(listener) = &mut self.listener {
                listener.ranked(&mut children.iter().map(|child| (child.mv(), child.value)));
            }
            return self.ranked.len();
        }
        let ranked = if self.listener.is_some() { children.to_vec() } else { Vec::new() };
        let drawn = draw(children, self.width, self.dice);
        if let Some(listener) = &mut self.listener {
            let kept: Vec<Move<Point>> = children[..drawn].iter().map(Ranked::mv).collect();
            let lots_of = |place: usize| (ranked.len() - place) as u32;
            let lot = |(place, child): (usize, &Ranked<P>)| Lot {
                mv: child.mv(),
                looks: child.value,
                lots: lots_of(place),
                drawn: kept.contains(&child.mv()),
            };
            listener.drawn(&ranked.iter().enumerate().map(lot).collect::<Vec<_>>());
        }
        self.ranked.truncate(start + drawn);
        start + drawn
    }

    /// Puts the children of a node on the list, the best looking first; those that look the same in the order of moves.
    #[inline(always)]
    fn rank(&mut self, position: &P, placements: P::Set) -> Result<(), Stopped> {
        let start = self.ranked.len();
        for group in 0..self.groups.len() {
            for square in placements & self.groups[group] {
                self.meter.work()?;
                let place = (self.ranked.len() - start) as u32;
                // Taken from 0 so that an even child is never -0, which would rank below 0.
                let value = 0.0 - self.first_sight(&position.placed(square));
                self.ranked.push(Ranked { value, place, square, drawn: false });
            }
        }
        self.ranked[start..]
            .sort_unstable_by(|a, b| b.value.total_cmp(&a.value).then_with(|| a.place.cmp(&b.place)));
        Ok(())
    }

    /// What a position looks like without looking ahead.
    #[inline(always)]
    fn first_sight(&self, position: &P) -> f64 {
        let placements = position.placements();
        if placements.is_empty() && position.passed().placements().is_empty() {
            return self.goal(self.ending.worth(position));
        }
        self.judgement(position, placements)
    }
}

impl<P: Playable> Ranked<P> {
    fn mv(&self) -> Move<Point> {
        Move::Place(self.square.into())
    }
}

/// Draws some of the children, given best first, and moves them to the front; returns how many.
///
/// Of n children the worst has 1 lot, the next 2, the best n. Each draw takes one child out.
fn draw<P: Playable>(children: &mut [Ranked<P>], width: usize, dice: &mut Dice) -> usize {
    let count = children.len();
    let lots_of = |place: usize| (count - place) as u32;
    let mut lots: u32 = (0..count).map(lots_of).sum();
    let wanted = width.min(count);
    for _ in 0..wanted {
        let mut lot = dice.below(lots);
        for (place, child) in children.iter_mut().enumerate().filter(|(_, child)| !child.drawn) {
            if lot < lots_of(place) {
                child.drawn = true;
                lots -= lots_of(place);
                break;
            }
            lot -= lots_of(place);
        }
    }
    let mut front = 0;
    for place in 0..count {
        if children[place].drawn {
            children[front..=place].rotate_right(1);
            front += 1;
        }
    }
    front
}

#[cfg(test)]
mod tests {
    use super::*;
    use emilia_rules::{GridPosition, Point};

    /// How often each of `count` children, worst first, is among three drawn.
    fn frequencies(count: usize, trials: u32) -> Vec<f64> {
        let mut dice = Dice::new(2024);
        let mut drawn = vec![0u32; count];
        for _ in 0..trials {
            let mut children: Vec<Ranked<GridPosition>> = (0..count)
                .map(|place| {
                    let square = Point::new(place as u8, 0).unwrap();
                    Ranked { value: 0.0, place: place as u32, square, drawn: false }
                })
                .collect();
            assert_eq!(draw(&mut children, 3, &mut dice), 3);
            assert!(children[..3].is_sorted_by_key(|child| child.place));
            for child in &children[..3] {
                drawn[count - 1 - child.place as usize] += 1;
            }
        }
        drawn.into_iter().map(|times| f64::from(times) / f64::from(trials)).collect()
    }

    #[test]
    fn children_are_drawn_as_often_as_their_rank_demands() {
        // Exact probabilities of drawing without replacement with weights 1…n, worst to best.
        let exact: [&[f64]; 3] = [
            &[0.4488, 0.7587, 0.8702, 0.9222],
            &[0.2683, 0.4904, 0.6561, 0.7594, 0.8258],
            &[0.0987, 0.1915, 0.2777, 0.3571, 0.4292, 0.4938, 0.5509, 0.6010],
        ];
        let trials = 200_000;
        for probabilities in exact {
            let measured = frequencies(probabilities.len(), trials);
            for (measured, exact) in measured.iter().zip(probabilities) {
                // Five standard deviations, and the last digit of the table.
                let tolerance = 5.0 * (exact * (1.0 - exact) / f64::from(trials)).sqrt() + 0.00005;
                assert!((measured - exact).abs() < tolerance, "{measured} instead of {exact}");
            }
        }
    }

    #[test]
    fn no_more_are_drawn_than_there_are() {
        let square = Point::new(0, 0).unwrap();
        let mut one = vec![Ranked::<GridPosition> { value: 0.0, place: 0, square, drawn: false }];
        assert_eq!(draw(&mut one, 3, &mut Dice::new(1)), 1);
        assert_eq!(draw::<GridPosition>(&mut [], 3, &mut Dice::new(1)), 0);
    }
}
