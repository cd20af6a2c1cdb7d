use emilia_rules::{Grid, GridPosition, Move, Objective, Playable, Point, SquareSet};

use crate::{Line, region_of};

/// Something that can be counted on the board and sets a move apart from the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merit {
    /// It takes a corner.
    TakesCorner,
    /// The other side has to pass.
    LeavesNoReply,
    /// The other side cannot take a corner next.
    GivesNoCorner {
        /// How many of the other moves let it.
        others: u32,
    },
    /// The other side has few moves to reply with.
    FewReplies {
        /// How many.
        replies: u32,
        /// How many it has after a middling other move.
        usual: u32,
    },
    /// More own discs are safe for good.
    SafeDiscs {
        /// How many.
        discs: u32,
        /// How many before.
        before: u32,
    },
    /// It goes into a region with an odd number of empty squares, where the side can move last.
    OddRegion {
        /// Its empty squares.
        squares: u32,
    },
    /// It flips few discs.
    FewFlips {
        /// How many.
        flips: u32,
        /// How many a middling other move flips.
        usual: u32,
    },
}

/// By how many replies a move must be better than a middling one.
const REPLIES: u32 = 2;
/// How many discs must become safe.
const SAFE: u32 = 2;
/// Regions are counted once so few squares are empty, as where reasons are given for bad moves.
const PARITY_EMPTIES: u32 = 20;
/// By how many flips a move must be quieter than a middling one, and how many squares must be empty: later discs count.
const FLIPS: u32 = 2;
const QUIET_EMPTIES: u32 = 21;

impl Merit {
    /// What speaks for placing a disc here, the most telling first; nothing if it is not legal, or where the fewest discs win,
    /// because corners and moves are good for the other side there.
    #[must_use]
    pub fn of(before: &GridPosition, square: Point, objective: Objective) -> Vec<Merit> {
        let line = |square: Point| Line::new(before, &[Move::Place(square)]);
        let (Some(own), Objective::Most) = (line(square), objective) else { return Vec::new() };
        let others: Vec<Line> =
            before.placements().into_iter().filter(|other| *other != square).filter_map(line).collect();
        let merits = [
            is_corner(before, square).then_some(Merit::TakesCorner),
            own.leaves_no_reply().then_some(Merit::LeavesNoReply),
            gives_no_corner(before, &own, &others),
            few_replies(&own, &others),
            safe_discs(before, &own),
            odd_region(before, square, &others),
            few_flips(before, &own, &others),
        ];
        merits.into_iter().flatten().collect()
    }

    /// Its word in messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Merit::TakesCorner => "takes_corner",
            Merit::LeavesNoReply => "leaves_no_reply",
            Merit::GivesNoCorner { .. } => "gives_no_corner",
            Merit::FewReplies { .. } => "few_replies",
            Merit::SafeDiscs { .. } => "safe_discs",
            Merit::OddRegion { .. } => "odd_region",
            Merit::FewFlips { .. } => "few_flips",
        }
    }

    /// What was counted: how many, and how many otherwise.
    #[must_use]
    pub const fn counts(self) -> (u32, u32) {
        match self {
            Merit::TakesCorner | Merit::LeavesNoReply => (0, 0),
            Merit::GivesNoCorner { others } => (0, others),
            Merit::FewReplies { replies, usual } => (replies, usual),
            Merit::SafeDiscs { discs, before } => (discs, before),
            Merit::OddRegion { squares } => (squares, 0),
            Merit::FewFlips { flips, usual } => (flips, usual),
        }
    }
}

fn is_corner(position: &GridPosition, square: Point) -> bool {
    let last = position.size().get() - 1;
    [square.column(), square.row()].iter().all(|line| [0, last].contains(line))
}

/// Whether the other side can take a corner next that it could not take anyway.
fn gives_corner(before: &GridPosition, line: &Line) -> bool {
    let new: Grid = line.replies() - before.passed().placements();
    new.into_iter().any(|square| is_corner(before, square))
}

fn gives_no_corner(before: &GridPosition, own: &Line, others: &[Line]) -> Option<Merit> {
    let giving = others.iter().filter(|other| gives_corner(before, other)).count() as u32;
    (giving > 0 && !gives_corner(before, own)).then_some(Merit::GivesNoCorner { others: giving })
}

/// The middle one; of an even number the lower of two.
fn middle(mut counts: Vec<u32>) -> Option<u32> {
    counts.sort_unstable();
    counts.get(counts.len().checked_sub(1)? / 2).copied()
}

fn few_replies(own: &Line, others: &[Line]) -> Option<Merit> {
    let usual = middle(others.iter().map(|other| other.replies().count()).collect())?;
    let replies = own.replies().count();
    (replies > 0 && replies + REPLIES <= usual).then_some(Merit::FewReplies { replies, usual })
}

fn safe_discs(before: &GridPosition, own: &Line) -> Option<Merit> {
    let (before_move, discs) = (own.stable(0).0.count(), own.stable(1).0.count());
    let holds = discs >= before_move + SAFE && !before.empties().is_empty();
    holds.then_some(Merit::SafeDiscs { discs, before: before_move })
}

fn odd_region(before: &GridPosition, square: Point, others: &[Line]) -> Option<Merit> {
    let squares = |square: Point| region_of(before, square).count();
    let (own, is_late) = (squares(square), before.empties().count() <= PARITY_EMPTIES);
    let even = others.iter().any(|other| squares(other.square()).is_multiple_of(2));
    (is_late && !own.is_multiple_of(2) && even).then_some(Merit::OddRegion { squares: own })
}

fn few_flips(before: &GridPosition, own: &Line, others: &[Line]) -> Option<Merit> {
    let usual = middle(others.iter().map(|other| other.flips().count()).collect())?;
    let flips = own.flips().count();
    let holds = before.empties().count() >= QUIET_EMPTIES && flips + FLIPS <= usual;
    holds.then_some(Merit::FewFlips { flips, usual })
}

#[cfg(test)]
mod tests {
    use emilia_rules::{Color, Size, parse_move};

    use super::*;

    /// Every merit counted once more by the rules alone, over games that go any way.
    #[test]
    fn merits_are_what_can_be_counted_on_the_board() {
        let mut seen = std::collections::BTreeMap::new();
        for (seed, side) in (0..6u64).zip([8, 6].into_iter().cycle()) {
            let mut position = GridPosition::start(Size::new(side).unwrap());
            let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
            loop {
                let moves: Vec<_> = position.moves().collect();
                if moves.is_empty() {
                    break;
                }
                for square in moves.iter().filter_map(|mv| mv.square()) {
                    for merit in Merit::of(&position, square, Objective::Most) {
                        check(&position, square, merit);
                        *seen.entry(merit.name()).or_insert(0) += 1;
                    }
                }
                random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(seed + 1);
                position = position.played(moves[(random >> 33) as usize % moves.len()]);
            }
        }
        assert_eq!(seen.len(), 7, "{seen:?}");
    }

    fn check(before: &GridPosition, square: Point, merit: Merit) {
        let after = before.played(Move::Place(square));
        let last = before.size().get() - 1;
        match merit {
            Merit::TakesCorner => {
                assert!([0, last].contains(&square.column()) && [0, last].contains(&square.row()))
            }
            Merit::LeavesNoReply => {
                assert!(after.placements().is_empty() && !after.passed().placements().is_empty());
            }
            Merit::GivesNoCorner { others } => assert!(others > 0),
            Merit::FewReplies { replies, usual } => {
                assert!(replies == after.placements().count() && replies < usual);
            }
            Merit::SafeDiscs { discs, before: earlier } => {
                // Nothing that the other side can do next flips so many that fewer are left.
                let mover = before.turn();
                let left = after.placements().into_iter().map(|reply| {
                    let next = after.played(Move::Place(reply));
                    if mover == Color::Black { next.counts().black } else { next.counts().white }
                });
                assert!(discs > earlier && left.min().is_none_or(|left| left >= discs));
            }
            Merit::OddRegion { squares } => assert!(squares % 2 == 1),
            Merit::FewFlips { flips, usual } => {
                assert!(flips == before.flips(square).count() && flips < usual)
            }
        }
    }

    #[test]
    fn nothing_speaks_for_what_is_not_legal_or_where_the_fewest_win() {
        let start = GridPosition::default();
        let square = |text: &str| parse_move(text, Size::EIGHT).unwrap().square().unwrap();
        assert_eq!(Merit::of(&start, square("a1"), Objective::Most), []);
        let cells = format!("-OX-----OOX-----XXX{}", "-".repeat(45));
        let position = format!("{cells} X").parse::<emilia_rules::Setup>().unwrap().position().unwrap();
        assert_eq!(Merit::of(&position, square("a1"), Objective::Most).first(), Some(&Merit::TakesCorner));
        assert_eq!(Merit::of(&position, square("a1"), Objective::Fewest), []);
    }
}
