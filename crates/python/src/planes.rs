//! Many boards of any size, as planes of zeros and ones: own discs, then the opponent's.

use emilia_rules::batch::Words;
use emilia_rules::{Color, Grid, GridPosition, Move, Playable, Point, Size, SquareSet};
use numpy::{Ix1, Ix2, Ix3, Ix4, PyArray, PyReadonlyArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{compact, in_pieces, output, whole, writable};
use crate::batch::symmetry_numbered;
use crate::board::canonical;
use crate::error::{IllegalMoveError, bad_size};

type Array<'py, T, D> = Bound<'py, PyArray<T, D>>;

/// Boards that Python gave as planes.
struct Planes<'py> {
    array: PyReadonlyArray<'py, u8, Ix4>,
    size: Size,
}

const PLANES: &str = "a uint8 or bool array of shape (n, 2, size, size)";

impl<'py> Planes<'py> {
    fn new(given: &Bound<'py, PyAny>) -> PyResult<Planes<'py>> {
        let array: PyReadonlyArray<'_, u8, Ix4> = whole("boards", PLANES, given)?;
        let [_, 2, rows, columns] = *array.shape() else {
            return Err(PyValueError::new_err(format!(
                "boards must be {PLANES}, not of shape {:?}",
                array.shape()
            )));
        };
        let size = Size::new(columns).map_err(bad_size)?;
        if rows != columns {
            return Err(PyValueError::new_err(format!(
                "boards are square, not {columns} wide and {rows} high"
            )));
        }
        Ok(Planes { array, size })
    }

    fn len(&self) -> usize {
        self.array.shape()[0]
    }

    /// Makes something of each board, with an ear for Ctrl-C.
    fn each(
        &self,
        py: Python<'_>,
        mut work: impl FnMut(usize, GridPosition) -> PyResult<()> + Send,
    ) -> PyResult<()> {
        let (cells, size) = (self.size.cells(), self.size);
        let planes = self.array.as_slice()?;
        in_pieces(py, self.len(), |from, to| {
            for at in from..to {
                let (own, opponent) = planes[2 * cells * at..2 * cells * (at + 1)].split_at(cells);
                let position =
                    GridPosition::new(packed(own, size), packed(opponent, size), Color::Black, size);
                let unsound = || {
                    PyValueError::new_err(format!("board {at} has a square with two discs, or none at all"))
                };
                work(at, position.ok_or_else(unsound)?)?;
            }
            Ok(())
        })
    }
}

/// The squares of a plane that are not zero.
fn packed(plane: &[u8], size: Size) -> Grid {
    let row = |cells: &[u8]| {
        let bits = cells.iter().enumerate().map(|(column, cell)| u32::from(*cell != 0) << column);
        bits.fold(0, |row, bit| row | bit)
    };
    Grid::from_rows(plane.chunks_exact(usize::from(size.get())).map(row))
}

/// Writes a set as a plane of zeros and ones.
fn unpack(set: Grid, size: Size, plane: &mut [u8]) {
    plane.fill(0);
    for point in set {
        plane[point.index(size)] = 1;
    }
}

#[pyfunction]
pub(crate) fn planes_moves<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
) -> PyResult<Array<'py, u8, Ix3>> {
    let planes = Planes::new(boards)?;
    masks(py, &planes, |_, position| Ok(position.placements()))
}

#[pyfunction]
pub(crate) fn planes_flips<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    squares: &Bound<'py, PyAny>,
) -> PyResult<Array<'py, u8, Ix3>> {
    let planes = Planes::new(boards)?;
    let squares = Places::new(squares, &planes)?;
    let squares = squares.0.as_slice()?;
    let size = planes.size;
    masks(py, &planes, |at, position| {
        let point =
            Point::from_index(usize::from(squares[at]), size).filter(|point| position.disc(*point).is_none());
        Ok(point.map_or(Grid::EMPTY, |point| position.flips(point)))
    })
}

/// Moves that Python gave: squares by index, as many as the board has for a pass.
struct Places<'py>(PyReadonlyArray<'py, u16, Ix1>);

impl<'py> Places<'py> {
    fn new(given: &Bound<'py, PyAny>, planes: &Planes<'_>) -> PyResult<Places<'py>> {
        let array: PyReadonlyArray<'_, u16, Ix1> = whole("moves", "a uint16 array of shape (n,)", given)?;
        if array.len() != planes.len() {
            let (found, boards) = (array.len(), planes.len());
            return Err(PyValueError::new_err(format!("{found} moves do not fit {boards} boards")));
        }
        Ok(Places(array))
    }
}

/// A set of squares for each board.
fn masks<'py>(
    py: Python<'py>,
    planes: &Planes<'_>,
    find: impl Fn(usize, GridPosition) -> PyResult<Grid> + Send + Sync,
) -> PyResult<Array<'py, u8, Ix3>> {
    let side = usize::from(planes.size.get());
    let found = output(py, None, Ix3(planes.len(), side, side))?;
    let mut writing = writable(&found)?;
    let (size, cells, out) = (planes.size, planes.size.cells(), writing.as_slice_mut()?);
    planes.each(py, |at, position| {
        unpack(find(at, position)?, size, &mut out[cells * at..cells * (at + 1)]);
        Ok(())
    })?;
    drop(writing);
    Ok(found)
}

#[pyfunction]
pub(crate) fn planes_play<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    squares: &Bound<'py, PyAny>,
) -> PyResult<Array<'py, u8, Ix4>> {
    let planes = Planes::new(boards)?;
    let squares = Places::new(squares, &planes)?;
    let squares = squares.0.as_slice()?;
    let size = planes.size;
    positions(py, &planes, |at, position| {
        let square = usize::from(squares[at]);
        let mv = Point::from_index(square, size).map(Move::Place);
        let mv = mv.or((square == size.cells()).then_some(Move::Pass));
        let played = mv.and_then(|mv| position.play(mv).ok());
        played.ok_or_else(|| IllegalMoveError::new_err(format!("board {at}: move {square} is illegal")))
    })
}

#[pyfunction]
pub(crate) fn planes_transform<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    symmetry: usize,
) -> PyResult<Array<'py, u8, Ix4>> {
    let symmetry = symmetry_numbered(symmetry)?;
    positions(py, &Planes::new(boards)?, |_, position| Ok(position.transformed(symmetry)))
}

#[pyfunction]
pub(crate) fn planes_canonical<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
) -> PyResult<Array<'py, u8, Ix4>> {
    positions(py, &Planes::new(boards)?, |_, position| Ok(canonical(&position)))
}

/// A board made of each board.
fn positions<'py>(
    py: Python<'py>,
    planes: &Planes<'_>,
    make: impl Fn(usize, GridPosition) -> PyResult<GridPosition> + Send + Sync,
) -> PyResult<Array<'py, u8, Ix4>> {
    let side = usize::from(planes.size.get());
    let found = output(py, None, Ix4(planes.len(), 2, side, side))?;
    let mut writing = writable(&found)?;
    let (size, cells, out) = (planes.size, planes.size.cells(), writing.as_slice_mut()?);
    planes.each(py, |at, position| {
        let made = make(at, position)?;
        let (own, opponent) = out[2 * cells * at..2 * cells * (at + 1)].split_at_mut(cells);
        unpack(made.own(), size, own);
        unpack(made.opponent(), size, opponent);
        Ok(())
    })?;
    drop(writing);
    Ok(found)
}

#[pyfunction]
pub(crate) fn planes_over<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
) -> PyResult<Array<'py, bool, Ix1>> {
    let planes = Planes::new(boards)?;
    let found = output(py, None, Ix1(planes.len()))?;
    let mut writing = writable(&found)?;
    let out = writing.as_slice_mut()?;
    planes.each(py, |at, position| {
        out[at] = position.is_over();
        Ok(())
    })?;
    drop(writing);
    Ok(found)
}

#[pyfunction]
pub(crate) fn planes_scores<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
) -> PyResult<Array<'py, i16, Ix1>> {
    let planes = Planes::new(boards)?;
    let found = output(py, None, Ix1(planes.len()))?;
    let mut writing = writable(&found)?;
    let out = writing.as_slice_mut()?;
    planes.each(py, |at, position| {
        // The side to move is called Black here.
        out[at] = position.counts().margin() as i16;
        Ok(())
    })?;
    drop(writing);
    Ok(found)
}

/// The boards of at most 8×8 in two words each.
#[pyfunction]
pub(crate) fn words_of_planes<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
) -> PyResult<Array<'py, u64, Ix2>> {
    let planes = Planes::new(boards)?;
    compact(usize::from(planes.size.get()))?;
    let found = output(py, None, Ix2(planes.len(), 2))?;
    let mut writing = writable(&found)?;
    let out: &mut [Words] = writing.as_slice_mut()?.as_chunks_mut().0;
    planes.each(py, |at, position| {
        out[at] = [position.own().word(), position.opponent().word()];
        Ok(())
    })?;
    drop(writing);
    Ok(found)
}
