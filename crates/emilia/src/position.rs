use std::str::FromStr;

use emilia_record::{Fault, transcript};
use emilia_rules::{GridPosition, Setup, SetupError, Size, SizeError};

/// A position given on the command line: the squares of a board, or the moves that lead to it.
#[derive(Clone, Debug)]
pub(crate) struct PositionArg(pub(crate) GridPosition);

/// Why a text is no position.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum PositionArgError {
    #[error(transparent)]
    Board(#[from] SetupError),
    #[error(transparent)]
    Moves(#[from] Fault),
}

impl FromStr for PositionArg {
    type Err = PositionArgError;

    fn from_str(text: &str) -> Result<PositionArg, PositionArgError> {
        if text.contains(';') || begins_with_a_square(text) {
            let mut game = transcript::parse(text)?;
            game.to_end();
            return Ok(PositionArg(*game.position()));
        }
        Ok(PositionArg(text.parse::<Setup>()?.position()?))
    }
}

/// A letter and a digit: no board has digits other than 0.
fn begins_with_a_square(text: &str) -> bool {
    let mut bytes = text.trim_start().bytes();
    bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic())
        && bytes.next().is_some_and(|byte| (b'1'..=b'9').contains(&byte))
}

/// A board size given on the command line: `8` or `8x8`.
pub(crate) fn parse_size(text: &str) -> Result<Size, SizeArgError> {
    let side = match text.split_once(['x', 'X', '×']) {
        Some((columns, rows)) if columns == rows => columns,
        Some(_) => return Err(SizeArgError::NotANumber),
        None => text,
    };
    Ok(Size::new(side.parse().map_err(|_| SizeArgError::NotANumber)?)?)
}

/// Why a text is no board size.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum SizeArgError {
    #[error("a board size is one number, such as 8")]
    NotANumber,
    #[error(transparent)]
    Size(#[from] SizeError),
}
