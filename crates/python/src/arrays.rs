//! Arrays of numpy at the door: what is wrong with one is said in a sentence, what is right is borrowed without a copy.

use emilia_rules::batch::Words;
use emilia_rules::{Bitboard, Size};
use numpy::{
    Element, Ix1, Ix2, PyArray, PyArrayMethods, PyReadonlyArray, PyReadwriteArray, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::error::bad_size;

/// Boards that are looked at between two looks at the keyboard.
const PIECE: usize = 1 << 20;

pub(crate) fn compact(size: usize) -> PyResult<Size> {
    let size = Size::new(size).map_err(bad_size)?;
    if size.is_compact() {
        return Ok(size);
    }
    Err(PyValueError::new_err(format!("two words hold boards of at most 8×8, not {size}; use planes")))
}

/// What an array should have been and is not.
fn unlike(what: &str, expected: &str, given: &Bound<'_, PyAny>) -> PyErr {
    let word = |name| given.getattr(name).and_then(|value| Ok(value.str()?.to_string()));
    match (word("dtype"), word("shape")) {
        (Ok(dtype), Ok(shape)) => {
            PyTypeError::new_err(format!("{what} must be {expected}, not {dtype} of shape {shape}"))
        }
        _ => {
            let kind = given.get_type().to_string();
            PyTypeError::new_err(format!("{what} must be {expected}, not {kind}"))
        }
    }
}

/// An array of this element and so many dimensions, in one piece: the one given if it is, otherwise a copy.
pub(crate) fn whole<'py, T: Element, D: numpy::ndarray::Dimension>(
    what: &str,
    expected: &str,
    given: &Bound<'py, PyAny>,
) -> PyResult<PyReadonlyArray<'py, T, D>> {
    let typed = given.cast::<PyArray<T, D>>().map_err(|_| unlike(what, expected, given))?;
    let borrowed = |array: &Bound<'py, PyArray<T, D>>| {
        array.try_readonly().map_err(|_| PyValueError::new_err(format!("{what} is being written to")))
    };
    if typed.is_c_contiguous() {
        return borrowed(typed);
    }
    let copied = given.py().import("numpy")?.call_method1("ascontiguousarray", (given,))?;
    borrowed(copied.cast::<PyArray<T, D>>().map_err(|_| unlike(what, expected, given))?)
}

/// Boards of at most 8×8 that Python gave: each has two words, which share no square and lie on the board.
pub(crate) struct Boards<'py>(PyReadonlyArray<'py, u64, Ix2>);

const BOARDS: &str = "a uint64 array of shape (n, 2)";

impl<'py> Boards<'py> {
    pub(crate) fn new(given: &Bound<'py, PyAny>, size: Size) -> PyResult<Boards<'py>> {
        let array = whole("boards", BOARDS, given)?;
        if array.shape()[1] != 2 {
            return Err(unlike("boards", BOARDS, given));
        }
        let boards = Boards(array);
        let (outside, words) = (!Bitboard::region(size).0, boards.words()?);
        in_pieces(given.py(), words.len(), |from, to| {
            let unsound = |[own, opponent]: &Words| own & opponent | (own | opponent) & outside;
            // Most are sound: only when one is not, look which.
            if words[from..to].iter().fold(0, |all, board| all | unsound(board)) == 0 {
                return Ok(());
            }
            let at = from + words[from..to].iter().take_while(|board| unsound(board) == 0).count();
            let [own, opponent] = words[at];
            Err(if own & opponent == 0 {
                PyValueError::new_err(format!("board {at} has discs that are not on a board of {size}"))
            } else {
                PyValueError::new_err(format!("board {at} has a square with two discs"))
            })
        })?;
        Ok(boards)
    }

    pub(crate) fn words(&self) -> PyResult<&[Words]> {
        Ok(self.0.as_slice()?.as_chunks().0)
    }
}

/// Moves that Python gave: squares by index, 64 for a pass, one for each board.
pub(crate) struct Squares<'py>(PyReadonlyArray<'py, u8, Ix1>);

impl<'py> Squares<'py> {
    pub(crate) fn new(given: &Bound<'py, PyAny>, boards: usize) -> PyResult<Squares<'py>> {
        let array: PyReadonlyArray<'_, u8, Ix1> = whole("moves", "a uint8 array of shape (n,)", given)?;
        if array.len() != boards {
            let found = array.len();
            return Err(PyValueError::new_err(format!("{found} moves do not fit {boards} boards")));
        }
        Ok(Squares(array))
    }

    pub(crate) fn squares(&self) -> PyResult<&[u8]> {
        Ok(self.0.as_slice()?)
    }
}

/// An array to be written, of this shape: the one Python gave, or a new one.
pub(crate) fn output<'py, T: Element, D: numpy::ndarray::Dimension>(
    py: Python<'py>,
    given: Option<&Bound<'py, PyAny>>,
    dimensions: D,
) -> PyResult<Bound<'py, PyArray<T, D>>> {
    let Some(given) = given else {
        // Numpy itself says so where there is no memory for it.
        let shape = pyo3::types::PyTuple::new(py, dimensions.slice())?;
        let made = py.import("numpy")?.call_method1("zeros", (shape, numpy::dtype::<T>(py)))?;
        return Ok(made.cast_into::<PyArray<T, D>>()?);
    };
    let shape = dimensions.slice().iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let expected = format!("an array of shape ({shape}) and of the element that is returned without it");
    let array = given.cast::<PyArray<T, D>>().map_err(|_| unlike("out", &expected, given))?;
    if array.shape() != dimensions.slice() {
        return Err(unlike("out", &expected, given));
    }
    if !array.is_c_contiguous() {
        return Err(PyValueError::new_err("out must lie in one piece, as numpy.ascontiguousarray makes it"));
    }
    Ok(array.clone())
}

/// The right to write into an array.
pub(crate) fn writable<'py, T: Element, D: numpy::ndarray::Dimension>(
    array: &Bound<'py, PyArray<T, D>>,
) -> PyResult<PyReadwriteArray<'py, T, D>> {
    array.try_readwrite().map_err(|error| PyValueError::new_err(format!("out cannot be written: {error}")))
}

/// Does work piece by piece, with an ear for Ctrl-C; other threads of Python run meanwhile.
pub(crate) fn in_pieces(
    py: Python<'_>,
    length: usize,
    mut work: impl FnMut(usize, usize) -> PyResult<()> + Send,
) -> PyResult<()> {
    for from in (0..length).step_by(PIECE) {
        py.detach(|| work(from, length.min(from + PIECE)))?;
        py.check_signals()?;
    }
    Ok(())
}

/// Writes the squares of a word as zeros and ones, for a board of this side.
#[inline(always)]
pub(crate) fn spread(word: u64, side: usize, cells: &mut [i8]) {
    const EVERY_BYTE: u64 = 0x0101_0101_0101_0101;
    /// Bit n of byte n.
    const DIAGONAL: u64 = 0x8040_2010_0804_0201;
    for (row, cells) in cells.chunks_exact_mut(side).enumerate() {
        let copies = (word >> (8 * row) & 255) * EVERY_BYTE;
        // A byte that has kept its bit reaches the highest one when 127 is added; none spills into the next.
        let ones = ((copies & DIAGONAL) + 0x7f * EVERY_BYTE) >> 7 & EVERY_BYTE;
        for (cell, one) in cells.iter_mut().zip(ones.to_le_bytes()) {
            *cell = one as i8;
        }
    }
}
