use emilia_rules::{MoveTextError, Point, Size, parse_move};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;

use crate::error::{bad_size, invalid};

/// A square such as f5, on any board.
#[pyclass(module = "emilia", frozen, eq, ord, hash, from_py_object)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Square(pub(crate) Point);

/// A move or square by its plain name, without a board that would say how large it is: a letter and a number, or a pass.
pub(crate) fn plain_move(text: &str) -> PyResult<emilia_rules::Move<Point>> {
    let word = text.trim();
    let named =
        word.as_bytes().get(1).is_some_and(u8::is_ascii_digit) && word.as_bytes()[0].is_ascii_alphabetic();
    if !named && !word.eq_ignore_ascii_case("pass") {
        return Err(invalid(&MoveTextError::Unreadable(word.chars().take(24).collect())));
    }
    parse_move(word, Size::MAX).map_err(|error| invalid(&error))
}

#[pymethods]
impl Square {
    #[new]
    fn new(name: &str) -> PyResult<Square> {
        let square = plain_move(name)?.square().map(Square);
        square.ok_or_else(|| PyValueError::new_err("a pass has no square"))
    }

    /// The square of this column and row, both counted from 0.
    #[staticmethod]
    fn at(column: u8, row: u8) -> PyResult<Square> {
        let point = Point::new(column, row).map(Square);
        point.ok_or_else(|| PyIndexError::new_err(format!("column {column}, row {row} is on no board")))
    }

    /// The square of this index, counted row by row from 0.
    #[staticmethod]
    #[pyo3(signature = (index, size=8))]
    fn from_index(index: usize, size: usize) -> PyResult<Square> {
        let size = Size::new(size).map_err(bad_size)?;
        let point = Point::from_index(index, size).map(Square);
        point.ok_or_else(|| PyIndexError::new_err(format!("a board of {size} has no square {index}")))
    }

    /// Its index on a board of this size, counted row by row from 0.
    #[pyo3(signature = (size=8))]
    fn index(&self, size: usize) -> PyResult<usize> {
        let size = Size::new(size).map_err(bad_size)?;
        if size.contains(self.0) {
            return Ok(self.0.index(size));
        }
        Err(PyIndexError::new_err(format!("{} is not on a board of {size}", self.0)))
    }

    #[getter]
    fn name(&self) -> String {
        self.0.to_string()
    }

    #[getter]
    fn column(&self) -> u8 {
        self.0.column()
    }

    #[getter]
    fn row(&self) -> u8 {
        self.0.row()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Square('{}')", self.0)
    }

    fn __getnewargs__(&self) -> (String,) {
        (self.0.to_string(),)
    }
}
