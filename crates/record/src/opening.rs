//! What players call the openings.

use std::collections::HashMap;
use std::sync::LazyLock;

use emilia_rules::{GridPosition, Playable, Position, Size, parse_move};

use crate::Game;

/// An opening that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// What it is called in English; empty if it has no name there.
    pub english: &'static str,
    /// What it is called in Japanese; empty if it has no name there.
    pub japanese: &'static str,
    /// What it is called in Chinese; empty if it has no name there.
    pub chinese: &'static str,
}

/// Every named position, turned and mirrored so that all eight views of it are one.
static OPENINGS: LazyLock<HashMap<Position, Opening>> = LazyLock::new(|| {
    let mut openings = HashMap::new();
    for (moves, opening) in rows() {
        if let Some(key) = after(moves).and_then(|position| key(&position)) {
            // Of two lines to one position the one that stands first gives the name.
            openings.entry(key).or_insert(opening);
        }
    }
    openings
});

/// `moves <tab> English <tab> Japanese <tab> Chinese`; lines that begin with `#` say where the names come from.
fn rows() -> impl Iterator<Item = (&'static str, Opening)> {
    let rows = emilia_data::OPENING_NAMES.lines().filter(|line| !line.starts_with('#'));
    rows.filter_map(|line| {
        let mut fields = line.split('\t');
        let moves = fields.next()?;
        let mut name = || fields.next().unwrap_or("");
        let [english, japanese, chinese] = [name(), name(), name()];
        Some((moves, Opening { english, japanese, chinese }))
    })
}

/// The position after these moves of two letters each.
fn after(moves: &str) -> Option<GridPosition> {
    let start = GridPosition::default();
    (0..moves.len() / 2).try_fold(start, |position, ply| {
        let mv = parse_move(moves.get(2 * ply..2 * ply + 2)?, position.size()).ok()?;
        position.play(mv).ok()
    })
}

/// What a position is found by. Names are for the usual board.
fn key(position: &GridPosition) -> Option<Position> {
    let position = Position::try_from(position).ok()?;
    (position.size() == Size::EIGHT).then(|| position.canonical())
}

/// Plies of the longest line that has a name, and a few more.
const LONGEST: usize = 40;

impl Opening {
    /// Every line that has a name, with its moves.
    pub fn all() -> impl Iterator<Item = (&'static str, Opening)> {
        rows()
    }

    /// The name of exactly this position, whichever way it was reached and turned.
    #[must_use]
    pub fn at(position: &GridPosition) -> Option<Opening> {
        OPENINGS.get(&key(position)?).copied()
    }

    /// The names of the opening that a line of positions belongs to, each language with the last name it has: games
    /// keep the name of their opening after they have left it.
    ///
    /// ```
    /// use emilia_record::{Opening, transcript};
    ///
    /// let mut game = transcript::parse("c4e3f6e6f5c5")?;
    /// game.to_end();
    /// assert_eq!(Opening::of(&game).unwrap().english, "Tiger");
    /// # Ok::<(), emilia_record::Fault>(())
    /// ```
    #[must_use]
    pub fn of(game: &Game) -> Option<Opening> {
        let mut position = *game.start();
        let mut named = None;
        for mv in game.moves().take(LONGEST) {
            position = position.play(mv).ok()?;
            named = Opening::next(named, &position);
        }
        named
    }

    /// The names after one more move, for those who follow a game: this position's, or else those it had before.
    #[must_use]
    pub fn next(before: Option<Opening>, position: &GridPosition) -> Option<Opening> {
        let new = Opening::at(position);
        let (Some(new), Some(old)) = (new, before) else { return new.or(before) };
        let newest = |new: &'static str, old| if new.is_empty() { old } else { new };
        Some(Opening {
            english: newest(new.english, old.english),
            japanese: newest(new.japanese, old.japanese),
            chinese: newest(new.chinese, old.chinese),
        })
    }
}

#[cfg(test)]
mod tests {
    use emilia_rules::Symmetry;

    use super::*;
    use crate::transcript;

    #[test]
    fn every_row_is_a_line_of_legal_moves_with_a_name() {
        let mut count = 0;
        for (moves, opening) in rows() {
            assert!(moves.len() % 2 == 0 && moves.len() < 2 * LONGEST && after(moves).is_some(), "{moves}");
            assert!(!(opening.english.is_empty() && opening.japanese.is_empty()), "{moves}");
            count += 1;
        }
        assert!(count > 350, "{count}");
    }

    #[test]
    fn all_four_first_moves_lead_to_the_same_names() {
        let line = "f5d6c3d3c4";
        let tiger = Opening::of(&at_end(line)).unwrap();
        assert_eq!((tiger.english, tiger.japanese, tiger.chinese), ("Tiger", "虎定石", "老虎"));
        let mut found = 0;
        for symmetry in Symmetry::ALL {
            let size = Size::EIGHT;
            let turned: String = (0..line.len() / 2)
                .map(|ply| {
                    let mv = parse_move(&line[2 * ply..2 * ply + 2], size).unwrap();
                    mv.map(|point| symmetry.point(point, size)).to_string()
                })
                .collect();
            if let Ok(mut game) = transcript::parse(&turned) {
                game.to_end();
                assert_eq!(Opening::of(&game), Some(tiger), "{turned}");
                found += 1;
            }
        }
        // The other four views have Black and White changed.
        assert_eq!(found, 4);
    }

    #[test]
    fn a_game_keeps_its_name_and_other_boards_have_none() {
        let late = Opening::of(&at_end("f5d6c3d3c4f4f6f3e6e7d7c5")).unwrap();
        assert_eq!(late.english, "COMP'OTH");
        assert_eq!(Opening::of(&at_end("")), None);
        assert_eq!(Opening::of(&at_end("f5")), None);
        let small = GridPosition::start(Size::MIN);
        assert_eq!(Opening::at(&small), None);
    }

    fn at_end(moves: &str) -> Game {
        let mut game =
            if moves.is_empty() { Game::new(Size::EIGHT) } else { transcript::parse(moves).unwrap() };
        game.to_end();
        game
    }
}
