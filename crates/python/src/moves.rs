use emilia_rules::{Point, Size, parse_move};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::error::invalid;
use crate::square::{Square, plain_move};

/// A disc on a square, or a pass.
#[pyclass(module = "emilia", frozen, eq, ord, hash, from_py_object)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Move(pub(crate) emilia_rules::Move<Point>);

#[pymethods]
impl Move {
    #[new]
    fn new(name: &str) -> PyResult<Move> {
        plain_move(name).map(Move)
    }

    /// The pass.
    #[classattr]
    const PASS: Move = Move(emilia_rules::Move::Pass);

    /// Where the disc goes; nothing for a pass.
    #[getter]
    fn square(&self) -> Option<Square> {
        self.0.square().map(Square)
    }

    #[getter]
    fn is_pass(&self) -> bool {
        self.0 == emilia_rules::Move::Pass
    }

    /// Whether it places a disc.
    fn __bool__(&self) -> bool {
        !self.is_pass()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Move('{}')", self.0)
    }

    fn __getnewargs__(&self) -> (String,) {
        (self.0.to_string(),)
    }
}

/// What Python may give for a move: a `Move`, a `Square`, or a text in any notation, on a board of this size.
pub(crate) fn move_like(given: &Bound<'_, PyAny>, size: Size) -> PyResult<emilia_rules::Move<Point>> {
    if let Ok(mv) = given.cast::<Move>() {
        return Ok(mv.get().0);
    }
    if let Ok(square) = given.cast::<Square>() {
        return Ok(emilia_rules::Move::Place(square.get().0));
    }
    if let Ok(text) = given.extract::<String>() {
        return parse_move(&text, size).map_err(|error| invalid(&error));
    }
    let kind = given.get_type();
    let kind = kind.name()?;
    Err(PyTypeError::new_err(format!("a move is a Move, a Square or a text such as 'f5', not {kind}")))
}
