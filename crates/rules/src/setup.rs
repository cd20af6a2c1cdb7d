use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::{Color, Grid, GridPosition, Playable, Point, Size, SquareSet};

/// A board being edited: any discs, any side to move. [`Setup::position`] checks it.
///
/// ```
/// use emilia_rules::{Color, Point, Setup, Size};
/// let mut setup = Setup::empty(Size::EIGHT);
/// assert_eq!(setup.position().unwrap_err().to_string(), "the board has no disc");
/// setup.put(Point::new(0, 0).unwrap(), Some(Color::White)).unwrap();
/// assert!(setup.position().is_ok());
///
/// let text: Setup = "---- -OX- -XO- ---- O".parse().unwrap();
/// assert_eq!(text.turn, Color::White);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    size: Size,
    black: Grid,
    white: Grid,
    /// Whose turn it is to be.
    pub turn: Color,
}

/// Why a set-up board is no position, or a text no board.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SetupError {
    /// Nothing stands on the board.
    #[error("the board has no disc")]
    NoDiscs,
    /// The point is not on this board.
    #[error("{0} is not on a board of {1}")]
    OffBoard(Point, Size),
    /// A character that is neither a disc nor an empty square.
    #[error("{character:?} at character {at} is neither a disc nor an empty square")]
    BadCell {
        /// The character.
        character: char,
        /// Its place in the text, from 1.
        at: usize,
    },
    /// The number of cells is not that of any board.
    #[error("{0} squares are not a board: 16 make 4×4, 36 make 6×6, 64 make 8×8, and so on to 26×26")]
    BadLength(usize),
    /// The side to move is not one.
    #[error("{0:?} is not a side to move; write X or O, B or W")]
    BadTurn(String),
}

impl Setup {
    /// A board without discs, Black to move.
    #[must_use]
    pub fn empty(size: Size) -> Setup {
        Setup { size, black: Grid::EMPTY, white: Grid::EMPTY, turn: Color::Black }
    }

    /// The side of the board.
    #[must_use]
    pub fn size(&self) -> Size {
        self.size
    }

    /// What stands on this square.
    #[must_use]
    pub fn disc(&self, point: Point) -> Option<Color> {
        if self.black.contains(point) {
            Some(Color::Black)
        } else if self.white.contains(point) {
            Some(Color::White)
        } else {
            None
        }
    }

    /// Puts a disc on this square, or takes away what stands there.
    pub fn put(&mut self, point: Point, disc: Option<Color>) -> Result<(), SetupError> {
        if !self.size.contains(point) {
            return Err(SetupError::OffBoard(point, self.size));
        }
        let square = Grid::only(point);
        self.black = self.black - square;
        self.white = self.white - square;
        match disc {
            Some(Color::Black) => self.black |= square,
            Some(Color::White) => self.white |= square,
            None => {}
        }
        Ok(())
    }

    /// The position, if there is at least one disc.
    pub fn position(&self) -> Result<GridPosition, SetupError> {
        if (self.black | self.white).is_empty() {
            return Err(SetupError::NoDiscs);
        }
        Ok(GridPosition::from_checked(self.black, self.white, self.turn, self.size))
    }
}

impl From<GridPosition> for Setup {
    fn from(position: GridPosition) -> Setup {
        Setup {
            size: position.size(),
            black: position.discs(Color::Black),
            white: position.discs(Color::White),
            turn: position.turn(),
        }
    }
}

/// A character as a cell: `Some(None)` is an empty square, `None` no cell at all.
fn cell(character: char) -> Option<Option<Color>> {
    match character {
        'X' | 'x' | '*' | 'B' | 'b' | '●' => Some(Some(Color::Black)),
        'O' | 'o' | '0' | 'W' | 'w' | '○' => Some(Some(Color::White)),
        '-' | '.' | '_' | 'U' | 'u' | '+' | '·' => Some(None),
        _ => None,
    }
}

impl FromStr for Setup {
    type Err = SetupError;

    /// Reads n² cells in row-major order, in one piece or in lines, and after them the side to move (Black if it
    /// is missing).
    ///
    /// Black is any of `X x * B b ●`, White any of `O o 0 W w ○`, an empty square any of `- . _ U u + ·`. Blanks
    /// only separate; a disc that stands apart at the end is the side to move, never a square.
    fn from_str(text: &str) -> Result<Setup, SetupError> {
        let (text, mut turn) = split_turn(text);
        let mut cells = Vec::new();
        for (at, character) in text.chars().enumerate().filter(|(_, character)| !character.is_whitespace()) {
            cells.push(cell(character).ok_or(SetupError::BadCell { character, at: at + 1 })?);
            if cells.len() > Size::MAX.cells() + 1 {
                return Err(SetupError::BadLength(text.chars().filter(|c| !c.is_whitespace()).count()));
            }
        }
        if turn.is_none()
            && let Some((last, squares)) = cells.split_last()
            && Size::with_cells(squares.len()).is_some()
        {
            let written = || text.trim_end().chars().last().map(String::from).unwrap_or_default();
            turn = Some(last.ok_or_else(|| SetupError::BadTurn(written()))?);
            cells.pop();
        }
        let size = Size::with_cells(cells.len()).ok_or(SetupError::BadLength(cells.len()))?;
        let mut setup = Setup { turn: turn.unwrap_or(Color::Black), ..Setup::empty(size) };
        for (point, disc) in size.points().zip(cells) {
            setup.put(point, disc)?;
        }
        Ok(setup)
    }
}

/// Takes the side to move off the end of the text where it stands apart from the squares: as a word, as a disc after a
/// piece of several squares, or as a disc alone on its line below several squares.
fn split_turn(text: &str) -> (&str, Option<Color>) {
    let text = text.trim_end();
    for color in Color::BOTH {
        let word = color.to_string();
        if let Some(at) = text.len().checked_sub(word.len())
            && text.get(at..).is_some_and(|end| end.eq_ignore_ascii_case(&word))
        {
            return (&text[..at], Some(color));
        }
    }
    let several = |piece: &str| piece.trim().chars().nth(1).is_some();
    if let Some((before, last)) = text.rsplit_once(char::is_whitespace)
        && !several(last)
        && let Some(Some(color)) = last.chars().next().and_then(cell)
    {
        let squares = before.trim_end();
        let gap = &text[squares.len()..];
        let piece = if gap.contains('\n') {
            squares.lines().next_back()
        } else {
            squares.split_whitespace().next_back()
        };
        if piece.is_some_and(several) {
            return (squares, Some(color));
        }
    }
    (text, None)
}

impl fmt::Display for Setup {
    /// The cells in row-major order as `X`, `O` and `-`, a blank, and the side to move.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for point in self.size.points() {
            write!(f, "{}", self.disc(point).map_or('-', Color::symbol))?;
        }
        write!(f, " {}", self.turn.symbol())
    }
}
