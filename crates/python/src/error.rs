//! What goes wrong, as Python exceptions whose sentence names the culprit.

use emilia_record::PositionError;
use emilia_rules::{GridPosition, IllegalMove, MoveTextError, Point, SizeError};
use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

create_exception!(emilia, EngineError, PyRuntimeError, "A player cannot answer.");
create_exception!(emilia, IllegalMoveError, PyValueError, "A move that the rules forbid.");
create_exception!(emilia, InvalidMoveError, PyValueError, "A text that is no move.");
create_exception!(emilia, WorkFailedError, PyRuntimeError, "Shared work that cannot go on as it is.");
create_exception!(emilia, RecordError, PyValueError, "A game or position that cannot be read or written.");

pub(crate) fn illegal(error: IllegalMove<Point>, position: &GridPosition) -> PyErr {
    IllegalMoveError::new_err(format!("{error} in {position}"))
}

pub(crate) fn invalid(error: &MoveTextError) -> PyErr {
    InvalidMoveError::new_err(error.to_string())
}

pub(crate) fn bad_position(error: &PositionError) -> PyErr {
    RecordError::new_err(error.to_string())
}

pub(crate) fn bad_size(error: SizeError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
