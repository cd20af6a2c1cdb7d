//! A game as the database keeps it.

use arrayvec::ArrayVec;
use emilia_record::thor::{Directory, Record};
use emilia_record::{Fault, Game, GameResult, tag};
use emilia_rules::{
    Board, Color, GridPosition, Move, Objective, Playable, Size, Square, SquareSet, Start, Status, Symmetry,
};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::spot::turned;

/// A game of 8×8 Othello from the usual start: who, where, when, and the squares in the order in which they were taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Who played Black; empty if that is not known.
    pub black: String,
    /// Who played White; empty if that is not known.
    pub white: String,
    /// The tournament or occasion; empty if that is not known.
    pub event: String,
    /// When.
    pub year: Option<u16>,
    /// How it ended.
    pub ended: Ended,
    /// The squares; passes are left out, because they are always forced.
    pub(crate) squares: ArrayVec<Square, 60>,
}

/// How a game ended, as far as that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Black's discs less White's, empty squares given to the winner.
    Counted(i8),
    /// Somebody won, or nobody, and the score is not known.
    Decided(Option<Color>),
    /// The record does not say.
    Unknown,
}

/// Why a game that can be read is not for the database.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LeftOut {
    /// The database is of the usual board.
    #[error("played on {0}, and the explorer knows 8×8")]
    Size(Size),
    /// Games that begin elsewhere have other openings.
    #[error("does not begin with the usual start")]
    Start,
    /// Another game with the same moves.
    #[error("the fewest discs win there")]
    Objective,
    /// There is nothing to remember.
    #[error("has no moves")]
    Empty,
}

impl Played {
    /// The main line of a game.
    pub fn of_game(game: &Game) -> Result<Played, LeftOut> {
        if game.size() != Size::EIGHT {
            return Err(LeftOut::Size(game.size()));
        }
        if game.objective != Objective::Most {
            return Err(LeftOut::Objective);
        }
        let symmetry = [
            (GridPosition::start_as(Size::EIGHT, Start::Standard), Symmetry::Identity),
            (GridPosition::start_as(Size::EIGHT, Start::Mirrored), Symmetry::MirrorColumns),
        ]
        .into_iter()
        .find_map(|(start, symmetry)| (start == *game.start()).then_some(symmetry))
        .ok_or(LeftOut::Start)?;
        let squares: ArrayVec<Square, 60> = game
            .main_line()
            .filter_map(Move::square)
            .filter_map(|point| Square::from_index(turned(point.square()?, symmetry)))
            .take(60)
            .collect();
        let value = |name| game.tags.value(name).unwrap_or_default().trim().to_owned();
        let mut played = Played {
            black: value(tag::BLACK),
            white: value(tag::WHITE),
            event: value(tag::EVENT),
            year: game.tags.value(tag::DATE).and_then(year),
            ended: Ended::Unknown,
            squares,
        };
        played.ended = played.ending(game.result.as_ref());
        if played.squares.is_empty() { Err(LeftOut::Empty) } else { Ok(played) }
    }

    /// A game of the WTHOR database, whose file states the year; one with an illegal move is refused.
    pub fn of_record(record: &Record<'_>, year: u16, directory: &Directory) -> Result<Played, Fault> {
        let mut squares = ArrayVec::new();
        for (ply, square) in (1..).zip(record.squares().take(60)) {
            let square = square.and_then(emilia_rules::Point::square);
            squares.push(square.ok_or_else(|| no_square(ply))?);
        }
        let name = |names: &Option<emilia_record::thor::Names>, number| {
            names.as_ref().and_then(|names| names.name(number)).unwrap_or_default().trim().to_owned()
        };
        let played = Played {
            black: name(&directory.players, record.black()),
            white: name(&directory.players, record.white()),
            event: name(&directory.tournaments, record.tournament()),
            year: (year > 0).then_some(year),
            ended: Ended::of_margin(2 * i32::from(record.score()) - 64),
            squares,
        };
        // Only a game with a fault is looked at once more, to say what it is.
        let legal = played.walk(|_, _, _| {});
        if legal { Ok(played) } else { Err(record.to_game(directory).err().unwrap_or_else(|| no_square(1))) }
    }

    /// The squares in the order in which they were taken.
    #[must_use]
    pub fn squares(&self) -> &[Square] {
        &self.squares
    }

    /// What tells this game from others: the same moves by the same players in the same year, with the same result, are
    /// one game, whichever way the board was turned and however the occasion is spelt.
    pub(crate) fn identity(&self) -> u64 {
        let mut digest = Sha256::new();
        for name in [&self.black, &self.white] {
            digest.update(name.to_lowercase());
            digest.update([0]);
        }
        digest.update(self.year.unwrap_or(0).to_le_bytes());
        digest.update([self.ended.code() as u8]);
        digest.update(self.upright());
        let digest = digest.finalize();
        digest.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
    }

    /// The squares as that of the four images of the game has them which comes last: the same for all four.
    fn upright(&self) -> Vec<u8> {
        let images = [Symmetry::Identity, Symmetry::Transpose, Symmetry::Rotate180, Symmetry::AntiTranspose];
        let image =
            |symmetry: Symmetry| self.squares.iter().map(|square| turned(*square, symmetry)).collect();
        images.into_iter().map(image).max().unwrap_or_default()
    }

    /// Goes through the positions of the game: the board before each move, whose turn it is, and the move; at the end the
    /// last board, with no move. Whether every move was legal.
    pub(crate) fn walk(&self, visit: impl FnMut(Board, Color, Option<Square>)) -> bool {
        walk(&self.squares, visit)
    }

    /// What the record says, or else what the last board says if the game is over there.
    fn ending(&self, stated: Option<&GameResult>) -> Ended {
        match stated {
            Some(GameResult::Margin { black, .. }) => return Ended::of_margin(black.round() as i32),
            Some(GameResult::Decided { winner, .. }) => return Ended::Decided(*winner),
            _ => {}
        }
        let mut last = None;
        self.walk(|board, turn, _| last = emilia_rules::Position::new(board, turn));
        match last {
            Some(last) if matches!(last.status(), Status::Over(_)) => {
                Ended::of_margin(last.counts().margin())
            }
            _ => Ended::Unknown,
        }
    }
}

/// The same for bare squares.
pub(crate) fn walk(squares: &[Square], mut visit: impl FnMut(Board, Color, Option<Square>)) -> bool {
    let (mut board, mut turn) = (Board::START, Color::Black);
    for square in squares {
        if !placeable(board, *square) {
            if !board.moves().is_empty() {
                return false;
            }
            (board, turn) = (board.pass(), !turn);
            if !placeable(board, *square) {
                return false;
            }
        }
        visit(board, turn, Some(*square));
        (board, turn) = (board.play(*square), !turn);
    }
    visit(board, turn, None);
    true
}

fn placeable(board: Board, square: Square) -> bool {
    board.empties().contains(square) && !board.flips(square).is_empty()
}

fn no_square(ply: usize) -> Fault {
    let text = "a byte that is no square".to_owned();
    Fault::NotAMove { ply, source: emilia_rules::MoveTextError::Unreadable(text) }
}

/// The first four digits in a row, which dates of every format have.
fn year(date: &str) -> Option<u16> {
    let digits = date.split(|character: char| !character.is_ascii_digit());
    let year = digits.filter(|run| run.len() == 4).find_map(|run| run.parse().ok());
    year.filter(|year| (1800..=9999).contains(year))
}

impl Ended {
    /// The score, which is never more than the board has squares.
    fn of_margin(margin: i32) -> Ended {
        Ended::Counted(margin.clamp(-64, 64) as i8)
    }

    /// Who won, nobody in a drawn game; `None` if that is not known.
    #[must_use]
    pub fn winner(self) -> Option<Option<Color>> {
        match self {
            Ended::Counted(0) => Some(None),
            Ended::Counted(margin) => Some(Some(if margin > 0 { Color::Black } else { Color::White })),
            Ended::Decided(winner) => Some(winner),
            Ended::Unknown => None,
        }
    }

    /// One byte for it.
    pub(crate) fn code(self) -> i8 {
        match self {
            Ended::Counted(margin) => margin,
            Ended::Decided(Some(Color::Black)) => 100,
            Ended::Decided(None) => 101,
            Ended::Decided(Some(Color::White)) => 102,
            Ended::Unknown => i8::MIN,
        }
    }

    pub(crate) fn of_code(code: i8) -> Ended {
        match code {
            100 => Ended::Decided(Some(Color::Black)),
            101 => Ended::Decided(None),
            102 => Ended::Decided(Some(Color::White)),
            -64..=64 => Ended::Counted(code),
            _ => Ended::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use emilia_record::transcript;

    use super::*;

    fn played(moves: &str) -> Played {
        Played::of_game(&transcript::parse(moves).unwrap()).unwrap()
    }

    #[test]
    fn turned_games_are_one_game_and_other_players_make_another() {
        let games: Vec<Played> = ["f5d6c3d3c4", "d3c5f6f5e6", "e6f4c3c4d3", "c4e3f6e6f5"].map(played).into();
        assert!(games.iter().all(|game| game.identity() == games[0].identity()));
        assert_ne!(played("f5d6c3d3").identity(), games[0].identity());
        let other = Played { black: "Ann".to_owned(), ..games[0].clone() };
        let spelt = Played { black: "ANN".to_owned(), ..games[0].clone() };
        assert_ne!(other.identity(), games[0].identity());
        assert_eq!(other.identity(), spelt.identity());
    }

    #[test]
    fn a_mirrored_start_is_the_usual_one_seen_from_behind() {
        let mut game = Game::with_start(Size::EIGHT, Start::Mirrored);
        for text in ["c5", "e6", "f3"] {
            game.play(emilia_rules::parse_move(text, Size::EIGHT).unwrap()).unwrap();
        }
        assert_eq!(Played::of_game(&game).unwrap().identity(), played("f5d6c3").identity());
    }

    #[test]
    fn results_are_stated_or_counted_or_not_known() {
        // The shortest game: Black has taken all.
        assert_eq!(played("e6f4e3f6g5d6e7f5c5").ended, Ended::Counted(64));
        assert_eq!(played("f5d6").ended, Ended::Unknown);
        for code in
            [Ended::Counted(-64), Ended::Decided(None), Ended::Decided(Some(Color::White)), Ended::Unknown]
        {
            assert_eq!(Ended::of_code(code.code()), code);
        }
    }

    #[test]
    fn years_are_found_in_dates_of_every_format() {
        assert_eq!(year("1985"), Some(1985));
        assert_eq!(year("2024.11.03"), Some(2024));
        assert_eq!(year("03/11/2024"), Some(2024));
        assert_eq!(year("12.3.85"), None);
    }

    #[test]
    fn what_is_not_usual_othello_is_left_out() {
        let small = Game::new(Size::new(6).unwrap());
        assert_eq!(Played::of_game(&small), Err(LeftOut::Size(Size::new(6).unwrap())));
        assert_eq!(Played::of_game(&Game::new(Size::EIGHT)), Err(LeftOut::Empty));
        let mut fewest = transcript::parse("f5").unwrap();
        fewest.objective = Objective::Fewest;
        assert_eq!(Played::of_game(&fewest), Err(LeftOut::Objective));
    }
}
