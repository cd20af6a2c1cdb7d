use std::collections::HashSet;

use emilia_record::thor::{Archive, Record};
use emilia_rules::{Board, Move, Playable, Position, Size, Square, SquareSet, Status};
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What kinds of boards games begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// After a random number of random moves.
    Random,
    /// Somewhere in a tournament game, at times with a few random moves more.
    Wthor,
    /// Every position of the first moves, one after the other.
    Openings,
    /// Some of each.
    Mix,
}

/// The boards that games of self-play begin with.
#[derive(Debug)]
pub struct Starts {
    kind: Kind,
    /// Every board of the first plies, one of those that differ only by symmetry.
    openings: Vec<Board>,
    /// Tournament games, and how many there are in all.
    archives: Vec<Archive>,
    games: usize,
}

/// Why there are no such starts.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StartsError {
    /// Starts from tournament games need some.
    #[error("starts from tournament games need files of the WTHOR database")]
    NoGames,
    /// Nothing may be learnt from a year that tests what was learnt.
    #[error("games of {0} are kept for tests, as those of every year divisible by 5")]
    TestYear(u16),
}

/// Whether games of this year are kept for tests and never learnt from.
#[must_use]
pub fn is_test_year(year: u16) -> bool {
    year.is_multiple_of(5)
}

/// Plies of the longest opening: 80,000 boards up to symmetry, enough for a start of their own in millions of games.
const OPENING_PLIES: usize = 8;
/// Random plies at most before a game; the rest is what the exact search takes over soon.
const RANDOM_PLIES: usize = 40;
/// First and last ply at which a tournament game is left.
const LEAVE_PLIES: (usize, usize) = (6, 44);
/// Random plies at most after a tournament game was left, in every second game.
const ASTRAY_PLIES: usize = 4;
/// An odd number near the golden section of 64 bits: steps of this size through a list meet every part of it early.
const STRIDE: u64 = 0x9e37_79b9_7f4a_7c15;

impl Starts {
    /// Starts of this kind, those from tournament games out of these files.
    pub fn new(kind: Kind, archives: Vec<Archive>) -> Result<Starts, StartsError> {
        let archives: Vec<Archive> =
            archives.into_iter().filter(|archive| archive.size() == Size::EIGHT).collect();
        if let Some(archive) = archives.iter().find(|archive| is_test_year(archive.header().played)) {
            return Err(StartsError::TestYear(archive.header().played));
        }
        let games = archives.iter().map(Archive::len).sum();
        if kind == Kind::Wthor && games == 0 {
            return Err(StartsError::NoGames);
        }
        Ok(Starts { kind, openings: openings(), archives, games })
    }

    /// Tournament games to begin from.
    #[must_use]
    pub fn games(&self) -> usize {
        self.games
    }

    /// The board with which the game of this number begins: the side to move can move.
    #[must_use]
    pub fn board(&self, number: u64, random: &mut ChaCha8Rng) -> Board {
        let kind = match (self.kind, number % 8) {
            (Kind::Mix, 0..3) => Kind::Random,
            (Kind::Mix, 3..6) if self.games > 0 => Kind::Wthor,
            (Kind::Mix, 3..5) => Kind::Random,
            (Kind::Mix, _) => Kind::Openings,
            (kind, _) => kind,
        };
        loop {
            let (board, plies) = match kind {
                Kind::Wthor => self.tournament_board(random),
                Kind::Openings | Kind::Mix => {
                    // Numbers times the stride are spread evenly over all words, and words over the list.
                    let spread = u128::from(number.wrapping_mul(STRIDE)) * self.openings.len() as u128;
                    (self.openings[(spread >> 64) as usize], 0)
                }
                Kind::Random => (Board::START, random.random_range(0..=RANDOM_PLIES)),
            };
            if let Some(board) = astray(board, plies, random) {
                return board;
            }
        }
    }

    /// A board of a tournament game and how many random plies are to follow.
    fn tournament_board(&self, random: &mut ChaCha8Rng) -> (Board, usize) {
        let mut number = random.random_range(0..self.games.max(1));
        let leave = random.random_range(LEAVE_PLIES.0..=LEAVE_PLIES.1);
        let plies = if random.random_bool(0.5) { random.random_range(1..=ASTRAY_PLIES) } else { 0 };
        for archive in &self.archives {
            match archive.record(number) {
                Some(record) => return (after(&record, leave), plies),
                None => number -= archive.len(),
            }
        }
        (Board::START, plies)
    }
}

/// The board after so many moves of a tournament game, or after fewer if one is illegal.
fn after(record: &Record<'_>, moves: usize) -> Board {
    let mut position = Position::default();
    for point in record.squares().take(moves) {
        let Some(next) =
            point.and_then(|point| point.square()).and_then(|square| position.play(Move::Place(square)).ok())
        else {
            break;
        };
        position = if next.status() == Status::MustPass { next.passed() } else { next };
    }
    position.board()
}

/// The board after so many random moves, on which the side to move can move; nothing if the game ends before.
fn astray(mut board: Board, mut plies: usize, random: &mut ChaCha8Rng) -> Option<Board> {
    loop {
        if board.moves().is_empty() {
            board = board.pass();
        }
        let moves = board.moves();
        if moves.is_empty() {
            return None;
        }
        if plies == 0 {
            return Some(board);
        }
        plies -= 1;
        board = board.play(pick(board, random)?);
    }
}

/// A random move.
pub(super) fn pick(board: Board, random: &mut ChaCha8Rng) -> Option<Square> {
    let moves = board.moves();
    let count = moves.count() as usize;
    (count > 0).then(|| random.random_range(0..count)).and_then(|number| moves.into_iter().nth(number))
}

/// Every board after one to [`OPENING_PLIES`] moves, one of those that differ only by symmetry, in a fixed order.
fn openings() -> Vec<Board> {
    let mut all = Vec::new();
    let mut layer = vec![Board::START];
    for _ in 0..OPENING_PLIES {
        let mut seen = HashSet::new();
        let next = layer.iter().flat_map(|board| board.moves().into_iter().map(|square| board.play(square)));
        layer = next
            .map(|board| if board.moves().is_empty() { board.pass() } else { board })
            .filter(|board| !board.moves().is_empty())
            .map(|board| board.canonical(Size::EIGHT).0)
            .filter(|board| seen.insert(*board))
            .collect();
        all.extend(&layer);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    /// Distinct positions after each ply, up to symmetry, are a published sequence: 1, 3, 14, 60, 322, 1773 …
    #[test]
    fn openings_are_all_there() {
        let openings = openings();
        let after =
            |plies: u32| openings.iter().filter(|board| board.occupied().count() == 4 + plies).count();
        assert_eq!([1, 2, 3, 4, 5, 6].map(after), [1, 3, 14, 60, 322, 1773]);
    }

    #[test]
    fn starts_can_be_played_from_and_depend_on_number_and_seed_alone() {
        let starts = Starts::new(Kind::Mix, Vec::new()).unwrap();
        let mut discs = HashSet::new();
        for number in 0..200 {
            let draw = || starts.board(number, &mut ChaCha8Rng::seed_from_u64(number));
            assert_eq!(draw(), draw());
            assert!(!draw().moves().is_empty());
            discs.insert(draw().occupied().count());
        }
        assert!(discs.len() > 20 && discs.iter().max() <= Some(&44), "{discs:?}");
    }

    #[test]
    fn starts_from_tournaments_need_games_of_training_years() {
        assert_eq!(Starts::new(Kind::Wthor, Vec::new()).err(), Some(StartsError::NoGames));
        let header = emilia_record::thor::Header { played: 2015, ..Default::default() };
        let archive = Archive::new(header, Size::EIGHT).unwrap();
        assert_eq!(Starts::new(Kind::Mix, vec![archive]).err(), Some(StartsError::TestYear(2015)));
    }
}
