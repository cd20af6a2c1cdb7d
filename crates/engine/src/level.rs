//! What a level asks of a search.

use emilia_query::{Level, Limits, Selectivity};
use emilia_rules::Size;

/// Positions that level 1 looks at on boards other than 8×8; each level looks at [`NODES_GROWTH`] times as many.
const NODES_OF_LEVEL_1: f64 = 3000.0;
/// See [`NODES_OF_LEVEL_1`]. Level 16 takes a few seconds on 26×26.
const NODES_GROWTH: f64 = 1.5;

/// Where levels stand on 8×8 on the scale of the players `human`. Birthplace: docs/arena.md, one scale for all.
const RATINGS: [(u32, u32); 14] = [
    (1, 1890),
    (2, 2160),
    (3, 2340),
    (4, 2450),
    (5, 2540),
    (6, 2770),
    (7, 2850),
    (8, 3000),
    (10, 3120),
    (12, 3260),
    (14, 3490),
    (16, 3600),
    (18, 3640),
    (20, 3750),
];

/// The rating of a level on 8×8, on the scale of the players `human`, if it was measured or lies between two that were.
#[must_use]
pub fn rating(level: Level) -> Option<u32> {
    let level = u32::from(level.get());
    let above = RATINGS.iter().position(|(known, _)| *known >= level)?;
    let ((low, less), (high, more)) = (RATINGS[above.saturating_sub(1)], RATINGS[above]);
    Some(more - (more - less) * (high - level) / (high - low).max(1))
}

/// When a player of this level ends the search of a board with so many empty squares.
#[must_use]
pub fn limits(level: Level, size: Size, empties: u32) -> Limits {
    if size == Size::EIGHT {
        return on_eight(level, empties);
    }
    let nodes = NODES_OF_LEVEL_1 * NODES_GROWTH.powi(i32::from(level.get()) - 1);
    let depth = if empties <= u32::from(level.get()) { None } else { Some(level.get().into()) };
    Limits { depth, nodes: Some(nodes as u64), ..Limits::default() }
}

/// From how many empty squares on a level sees the end of an 8×8 game: perfectly, and with growing doubt.
struct End {
    perfect: u32,
    high: u32,
    fair: u32,
    likely: u32,
}

const fn end([perfect, high, fair, likely]: [u32; 4]) -> End {
    End { perfect, high, fair, likely }
}

/// The ends of the levels from 11 on. Each level takes about 1.7 times as long as the one before, and what is searched to
/// the end about as long as a move before that; a proof, which is made once in a game, up to four times as long.
/// Birthplace: docs/arena.md, the table of levels.
const ENDS: [End; 20] = [
    end([11, 12, 13, 17]),
    end([12, 13, 14, 18]),
    end([15, 16, 17, 20]),
    end([16, 18, 19, 22]),
    end([18, 19, 20, 24]),
    end([19, 20, 21, 25]),
    end([21, 22, 24, 28]),
    end([22, 24, 26, 30]),
    end([23, 25, 28, 32]),
    end([24, 27, 30, 34]),
    end([24, 29, 32, 36]),
    end([25, 30, 34, 38]),
    end([26, 32, 36, 40]),
    end([27, 34, 37, 41]),
    end([28, 36, 39, 43]),
    end([29, 37, 41, 45]),
    end([29, 39, 43, 47]),
    end([30, 41, 45, 49]),
    end([31, 42, 47, 51]),
    STRONGEST,
];
/// The end of level 30.
const STRONGEST: End = end([32, 44, 49, 53]);
/// Up to this level nothing is left out before the end, …
const NOTHING_LEFT_OUT: u32 = 4;
/// … and up to this one a search may be wrong as often as the least sure one: more depth is worth more there than more
/// certainty (docs/tuning.md).
const LEAST_SURE: u32 = 16;

fn end_of(level: u32) -> End {
    match level {
        1..=10 => end([level, level, level, (2 * level).min(16).max(level)]),
        _ => ENDS.into_iter().nth(level as usize - 11).unwrap_or(STRONGEST),
    }
}

/// On 8×8, a level looks some plies ahead in the middle of the game, leaving out what is unlikely to matter; the last
/// empty squares are played perfectly, and some more are searched to the end with growing doubt. That a level is a depth
/// with such steps before the end is the convention of Edax; the numbers are our own. Levels up to 12 are their depth.
fn on_eight(level: Level, empties: u32) -> Limits {
    let number = u32::from(level.get());
    let end = end_of(number);
    let (depth, selectivity) = match empties {
        _ if empties <= end.perfect => (empties, Selectivity::Certain),
        _ if empties <= end.high => (empties, Selectivity::High),
        _ if empties <= end.fair => (empties, Selectivity::Fair),
        _ if empties <= end.likely => (empties, Selectivity::Likely),
        _ if number <= NOTHING_LEFT_OUT => (level.plies().into(), Selectivity::Certain),
        _ if number <= LEAST_SURE => (level.plies().into(), Selectivity::Likely),
        _ => (level.plies().into(), Selectivity::Fair),
    };
    Limits { selectivity: Some(selectivity), ..Limits::depth(depth) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(level: u32, size: Size, empties: u32) -> Limits {
        limits(Level::new(level).unwrap(), size, empties)
    }

    #[test]
    fn ratings_grow_with_levels_as_far_as_they_were_measured() {
        let ratings: Vec<_> = (1..=30).map(|level| rating(Level::new(level).unwrap())).collect();
        assert_eq!(
            (ratings[0], ratings[8], ratings[10], ratings[15]),
            (Some(1890), Some(3060), Some(3190), Some(3600))
        );
        assert!(ratings[..20].is_sorted_by(|low, high| low < high));
        assert!(ratings[20..].iter().all(Option::is_none));
    }

    #[test]
    fn a_level_is_a_depth_and_more_near_the_end() {
        let seen = |level, empties| {
            let Limits { depth, selectivity, .. } = of(level, Size::EIGHT, empties);
            (depth.unwrap(), selectivity.unwrap())
        };
        assert_eq!(seen(10, 40), (10, Selectivity::Likely));
        assert_eq!(seen(10, 16), (16, Selectivity::Likely));
        assert_eq!(seen(10, 10), (10, Selectivity::Certain));
        assert_eq!(seen(16, 40), (19, Selectivity::Likely));
        assert_eq!(seen(17, 40), (20, Selectivity::Fair));
        assert_eq!(seen(30, 54), (51, Selectivity::Fair));
        assert_eq!(seen(30, 53), (53, Selectivity::Likely));
        assert_eq!(seen(30, 49), (49, Selectivity::Fair));
        assert_eq!(seen(30, 44), (44, Selectivity::High));
        assert_eq!(seen(30, 32), (32, Selectivity::Certain));
    }

    #[test]
    fn higher_levels_look_no_less_far() {
        for empties in 1..=60 {
            for level in 2..=30 {
                let (weaker, stronger) =
                    (of(level - 1, Size::EIGHT, empties), of(level, Size::EIGHT, empties));
                assert!(stronger.depth >= weaker.depth, "level {level}, {empties} empty");
                // What sees the end with doubt is more than what sees less with less doubt.
                if stronger.depth == weaker.depth && level > NOTHING_LEFT_OUT + 1 {
                    assert!(stronger.selectivity >= weaker.selectivity, "level {level}, {empties} empty");
                }
            }
        }
    }

    /// No level searches a whole 8×8 game but for its end, or it would not be done in minutes.
    #[test]
    fn what_is_seen_grows_step_by_step() {
        for level in 2..=30 {
            let (before, this) = (end_of(level - 1), end_of(level));
            let steps = [
                (before.perfect, this.perfect),
                (before.high, this.high),
                (before.fair, this.fair),
                (before.likely, this.likely),
            ];
            assert!(steps.iter().all(|(before, this)| before <= this && this - before <= 4), "level {level}");
            assert!(this.perfect <= this.high && this.high <= this.fair && this.fair <= this.likely);
            assert!(u32::from(Level::new(level).unwrap().plies()) <= this.likely, "level {level}");
        }
    }

    /// Without such an end a search of a large board would go on for hours.
    #[test]
    fn every_level_ends_on_every_other_board() {
        for side in [4, 6, 10, 20, 26] {
            let nodes = |level| of(level, Size::new(side).unwrap(), 300).nodes;
            assert!(
                (2..=30).all(|level| nodes(level).is_some() && nodes(level) > nodes(level - 1)),
                "{side}"
            );
        }
    }
}
