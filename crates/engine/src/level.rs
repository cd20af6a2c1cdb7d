//! What a level asks of a search.

use emilia_query::{Level, Limits, Selectivity};
use emilia_rules::Size;

/// Positions that level 1 looks at on boards other than 8×8; each level looks at [`NODES_GROWTH`] times as many.
const NODES_OF_LEVEL_1: f64 = 3000.0;
/// See [`NODES_OF_LEVEL_1`]. Level 16 takes a few seconds on 26×26.
const NODES_GROWTH: f64 = 1.5;

/// When a player of this level ends the search of a board with so many empty squares.
#[must_use]
pub fn limits(level: Level, size: Size, empties: u32) -> Limits {
    if size == Size::EIGHT {
        return by_depth(u32::from(level.get()), empties);
    }
    let nodes = NODES_OF_LEVEL_1 * NODES_GROWTH.powi(i32::from(level.get()) - 1);
    let depth = if empties <= u32::from(level.get()) { None } else { Some(level.get().into()) };
    Limits { depth, nodes: Some(nodes as u64), ..Limits::default() }
}

/// On 8×8, level n looks n plies ahead in the middle of the game, leaving out what is unlikely to matter; the last n
/// empty squares are played perfectly, and some more are searched to the end with growing doubt. That a level is a
/// depth with such steps before the end is the convention of Edax; the steps are our own:
///
/// | level | perfect | to the end at 98 % | at 87 % | at 73 % | before |
/// |---|---|---|---|---|---|
/// | 1–10 | level | – | – | 2 × level, at most 16 | depth = level |
/// | 11–20 | level | level + 1 | level + 2 | level + 6 | depth = level at 73 % |
/// | 21–30 | level | level + 2 | level + 4 | level + 6 | depth = level at 73 % |
fn by_depth(level: u32, empties: u32) -> Limits {
    let (high, fair, likely) = match level {
        1..=10 => (level, level, (2 * level).min(16).max(level)),
        11..=20 => (level + 1, level + 2, level + 6),
        _ => (level + 2, level + 4, level + 6),
    };
    let (depth, selectivity) = if empties <= level {
        (empties, Selectivity::Certain)
    } else if empties <= high {
        (empties, Selectivity::High)
    } else if empties <= fair {
        (empties, Selectivity::Fair)
    } else if empties <= likely {
        (empties, Selectivity::Likely)
    } else if level <= 4 {
        (level, Selectivity::Certain)
    } else {
        (level, Selectivity::Likely)
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
    fn a_level_is_a_depth_and_more_near_the_end() {
        assert_eq!(of(21, Size::EIGHT, 40).depth, Some(21));
        assert_eq!(of(21, Size::EIGHT, 24).depth, Some(24));
        assert_eq!(of(21, Size::EIGHT, 21).selectivity, Some(Selectivity::Certain));
    }

    #[test]
    fn higher_levels_look_no_less_far() {
        for empties in 1..=60 {
            for level in 2..=30 {
                let (weaker, stronger) =
                    (of(level - 1, Size::EIGHT, empties), of(level, Size::EIGHT, empties));
                assert!(stronger.depth >= weaker.depth, "level {level}, {empties} empty");
                if stronger.depth == weaker.depth {
                    assert!(stronger.selectivity >= weaker.selectivity, "level {level}, {empties} empty");
                }
            }
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
