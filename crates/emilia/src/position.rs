use std::str::FromStr;

use emilia_rules::{GridPosition, Setup, SetupError, Size, SizeError};

/// A position given on the command line.
#[derive(Clone, Debug)]
pub(crate) struct PositionArg(pub(crate) GridPosition);

impl FromStr for PositionArg {
    type Err = SetupError;

    fn from_str(text: &str) -> Result<PositionArg, SetupError> {
        text.parse::<Setup>()?.position().map(PositionArg)
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
