use std::fmt;

use emilia_rules::{Board, GridPosition, IllegalMove, Move, MoveTextError, Point, Size, Square, SquareSet};

use super::Directory;
use crate::tree::{START, Tree};
use crate::{Fault, Game, GameResult, tag};

/// Bytes before the moves.
const HEAD: usize = 8;

/// A game as WTHOR keeps it: 68 bytes on 8×8, 104 on 10×10.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    size: Size,
    bytes: &'a [u8],
}

impl<'a> Record<'a> {
    /// Bytes of a record on a board of this size, if there are such records.
    #[must_use]
    pub const fn length(size: Size) -> Option<usize> {
        match size.get() {
            8 => Some(HEAD + 60),
            10 => Some(HEAD + 96),
            _ => None,
        }
    }

    /// Looks at a record; `None` if the number of bytes is wrong.
    #[must_use]
    pub fn new(size: Size, bytes: &'a [u8]) -> Option<Record<'a>> {
        (Record::length(size) == Some(bytes.len())).then_some(Record { size, bytes })
    }

    fn number(&self, at: usize) -> u16 {
        u16::from_le_bytes([self.bytes[at], self.bytes[at + 1]])
    }

    /// Number of the tournament.
    #[must_use]
    pub fn tournament(&self) -> u16 {
        self.number(0)
    }

    /// Number of the black player.
    #[must_use]
    pub fn black(&self) -> u16 {
        self.number(2)
    }

    /// Number of the white player.
    #[must_use]
    pub fn white(&self) -> u16 {
        self.number(4)
    }

    /// Black's discs at the end, empty squares given to the winner.
    #[must_use]
    pub fn score(&self) -> u8 {
        self.bytes[6]
    }

    /// Black's discs under perfect play from the depth that the header states.
    #[must_use]
    pub fn theory(&self) -> u8 {
        self.bytes[7]
    }

    /// The bytes of the moves that were made, one each.
    #[must_use]
    pub fn move_bytes(&self) -> &'a [u8] {
        let moves = &self.bytes[HEAD..];
        let length = moves.iter().position(|byte| *byte == 0).unwrap_or(moves.len());
        &moves[..length]
    }

    /// The squares in the order in which they were taken; `None` for a byte that is no square. Passes are not kept.
    pub fn squares(&self) -> impl Iterator<Item = Option<Point>> {
        let size = self.size;
        self.move_bytes().iter().map(move |byte| decode(*byte, size))
    }

    /// Replays the game and makes a [`Game`] of it, with passes, tags and result.
    pub fn to_game(&self, directory: &Directory) -> Result<Game, Fault> {
        let mut game = if self.size == Size::EIGHT { self.small_game() } else { self.large_game() }?;
        let tags = &mut game.tags;
        tags.set(tag::EVENT, &directory.tournament(self.tournament()).unwrap_or_default());
        tags.set(tag::BLACK, &directory.player(self.black()).unwrap_or_default());
        tags.set(tag::WHITE, &directory.player(self.white()).unwrap_or_default());
        tags.set(tag::EVENT_NUMBER, &self.tournament().to_string());
        tags.set(tag::BLACK_NUMBER, &self.black().to_string());
        tags.set(tag::WHITE_NUMBER, &self.white().to_string());
        tags.set(tag::THEORY, &self.theory().to_string());
        game.result = Some(GameResult::counted(2 * i32::from(self.score()) - self.size.cells() as i32));
        Ok(game)
    }

    /// The moves on 8×8, in 64-bit words.
    fn small_game(&self) -> Result<Game, Fault> {
        let mut tree = Tree::with_capacity(self.move_bytes().len() + 2);
        let mut here = START;
        let mut board = Board::START;
        for (ply, byte) in (1..).zip(self.move_bytes()) {
            let square =
                decode(*byte, self.size).and_then(Point::square).ok_or_else(|| bad_byte(ply, *byte))?;
            if !placeable(board, square) {
                board = board.pass();
                if !placeable(board, square) || !board.pass().moves().is_empty() {
                    return Err(illegal(ply, square, board.pass()));
                }
                here = tree.add(here, Move::Pass);
            }
            board = board.play(square);
            here = tree.add(here, Move::Place(square.into()));
        }
        Ok(Game::from_tree(GridPosition::default(), tree))
    }

    fn large_game(&self) -> Result<Game, Fault> {
        let mut game = Game::new(self.size);
        for (ply, byte) in (1..).zip(self.move_bytes()) {
            let point = decode(*byte, self.size).ok_or_else(|| bad_byte(ply, *byte))?;
            game.follow(Move::Place(point)).map_err(|source| Fault::Illegal {
                ply,
                text: point.to_string(),
                source,
            })?;
        }
        game.to_start();
        Ok(game)
    }
}

fn bad_byte(ply: usize, byte: u8) -> Fault {
    Fault::NotAMove { ply, source: MoveTextError::Unreadable(format!("byte {byte}")) }
}

fn illegal(ply: usize, square: Square, board: Board) -> Fault {
    let point = Point::from(square);
    let source = if board.moves().is_empty() && board.pass().moves().is_empty() {
        IllegalMove::GameOver
    } else if board.occupied().contains(square) {
        IllegalMove::Occupied(point)
    } else {
        IllegalMove::FlipsNothing(point)
    };
    Fault::Illegal { ply, text: point.to_string(), source }
}

/// Whether a disc may be placed there: the square is empty and something flips.
fn placeable(board: Board, square: Square) -> bool {
    board.empties().contains(square) && !board.flips(square).is_empty()
}

/// The byte of a square: ten (twelve on 10×10) times the row plus the column, both from 1.
pub(super) fn encode(point: Point, size: Size) -> u8 {
    (size.get() + 2) * (point.row() + 1) + point.column() + 1
}

/// The square of a byte.
pub(super) fn decode(byte: u8, size: Size) -> Option<Point> {
    let width = size.get() + 2;
    let point = Point::new((byte % width).checked_sub(1)?, (byte / width).checked_sub(1)?)?;
    size.contains(point).then_some(point)
}

impl fmt::Display for Record<'_> {
    /// The moves as a transcript; a byte that is no square as `??`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.squares().try_for_each(|square| match square {
            Some(point) => point.fmt(f),
            None => f.write_str("??"),
        })
    }
}
