use std::str::FromStr;

use emilia_record::{PositionError, read_position};
use emilia_rules::{GridPosition, Size, SizeError};

/// A position given on the command line: a board, or a game whose last position is meant.
#[derive(Clone, Debug)]
pub(crate) struct PositionArg(pub(crate) GridPosition);

impl FromStr for PositionArg {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<PositionArg, PositionError> {
        read_position(text).map(PositionArg)
    }
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
