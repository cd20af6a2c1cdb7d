//! Why the right move works: what can be counted on the board, beside another move. Nothing here is guessed.

use emilia_classic::{Stability, View};
use emilia_rules::{Bitboard, Playable, Square, SquareSet};

use crate::theme::{corners, given_corners, region};
use crate::{Puzzle, Theme};

/// Something that speaks for the right move, with the squares to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The opponent has no move and must pass.
    Pass,
    /// The opponent has fewer moves than after the other move.
    Mobility {
        /// Where the opponent can play after the right move.
        replies: Bitboard,
        /// How many places there would be after the other move.
        instead: u32,
    },
    /// It goes into a region with an odd number of empty squares, and the other move does not: who enters an odd region can
    /// also move last in it.
    Parity {
        /// The empty squares of the region.
        region: Bitboard,
        /// How many squares the region of the other move has.
        instead: u32,
    },
    /// More own discs can never be turned again than after the other move.
    Stable {
        /// Those after the right move.
        discs: Bitboard,
        /// How many there would be after the other move.
        instead: u32,
    },
    /// It takes a corner.
    Corner,
    /// It gives up these corners, and still nothing is better.
    Sacrifice {
        /// The corners that the opponent can take now.
        corners: Bitboard,
    },
    /// It turns fewer discs than any other move.
    Quiet {
        /// The discs that it turns.
        turned: Bitboard,
    },
}

impl Puzzle {
    /// What speaks for the right move, beside the move that was tried or, if there is none, beside the next best.
    #[must_use]
    pub fn reasons(&self, tried: Option<Square>) -> Vec<Reason> {
        let Some(right) = self.right() else { return Vec::new() };
        let next = self.scores.get(1).map(|(square, _)| *square);
        let Some(other) = tried.filter(|square| *square != right).or(next) else { return Vec::new() };
        let position = &self.position;
        let mut reasons = Vec::new();
        if corners(position).contains(right) {
            reasons.push(Reason::Corner);
        }
        let given = given_corners(position, right);
        if !given.is_empty() {
            reasons.push(Reason::Sacrifice { corners: given });
        }
        let replies = |square: Square| position.placed(square).placements();
        if self.themes.contains(&Theme::Pass) {
            reasons.push(Reason::Pass);
        } else if replies(right).count() < replies(other).count() {
            reasons.push(Reason::Mobility { replies: replies(right), instead: replies(other).count() });
        }
        let around = |square: Square| region(position.empties(), square);
        if around(right).count() % 2 == 1 && around(other).count() % 2 == 0 {
            reasons.push(Reason::Parity { region: around(right), instead: around(other).count() });
        }
        let stable = |square: Square| Stability::both(&View::new(&position.placed(square))).1.stable;
        if stable(right).count() > stable(other).count() {
            reasons.push(Reason::Stable { discs: stable(right), instead: stable(other).count() });
        }
        if self.themes.contains(&Theme::Quiet) {
            reasons.push(Reason::Quiet { turned: position.flips(right) });
        }
        reasons
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each reason is counted once more, square by square, by the rules alone.
    #[test]
    fn reasons_are_what_can_be_counted_on_the_board() {
        let mut kinds = [0; 7];
        for puzzle in Puzzle::shipped().step_by(15) {
            let (position, right) = (&puzzle.position, puzzle.right().unwrap());
            for (tried, _) in &puzzle.scores[1..] {
                let (after, instead_of) = (position.placed(right), position.placed(*tried));
                for reason in puzzle.reasons(Some(*tried)) {
                    let kind = match reason {
                        Reason::Pass => {
                            assert!(after.placements().is_empty() && !after.is_over());
                            0
                        }
                        Reason::Mobility { replies, instead } => {
                            assert_eq!(replies, after.placements());
                            assert_eq!(instead, instead_of.placements().count());
                            assert!(replies.count() < instead);
                            1
                        }
                        Reason::Parity { region, instead } => {
                            assert!(region.contains(right) && region.count() % 2 == 1 && instead % 2 == 0);
                            assert!((region - position.empties()).is_empty());
                            2
                        }
                        Reason::Stable { discs, instead } => {
                            // Nothing that follows turns them: not in any game from here, tried by walking at random.
                            assert!((discs - after.opponent()).is_empty() && discs.count() > instead);
                            assert!(survive(after, discs));
                            3
                        }
                        Reason::Corner => {
                            assert_eq!(position.empties().count() - after.empties().count(), 1);
                            assert!([0, position.size().get() - 1].contains(&right.column()));
                            assert!([0, position.size().get() - 1].contains(&right.row()));
                            4
                        }
                        Reason::Sacrifice { corners } => {
                            let before = position.passed().placements();
                            let new = corners.into_iter().all(|corner| {
                                after.placements().contains(corner) && !before.contains(corner)
                            });
                            assert!(new && !corners.is_empty());
                            5
                        }
                        Reason::Quiet { turned } => {
                            let fewest =
                                puzzle.scores.iter().map(|(square, _)| position.flips(*square).count());
                            assert_eq!(Some(turned.count()), fewest.min());
                            6
                        }
                    };
                    kinds[kind] += 1;
                }
            }
        }
        assert!(kinds.iter().all(|count| *count > 3), "{kinds:?}");
    }

    /// Whether these discs of the side that has just moved keep their colour in games that go the first way, and the last.
    fn survive(position: emilia_rules::Position, discs: Bitboard) -> bool {
        let owner = !position.turn();
        [true, false].into_iter().all(|first| {
            let mut position = position;
            loop {
                let moves: Vec<_> = position.moves().collect();
                let Some(mv) = (if first { moves.first() } else { moves.last() }) else { break };
                position = position.played(*mv);
            }
            (discs - position.discs(owner)).is_empty()
        })
    }
}
