use emilia_rules::{GridPosition, Playable};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use crate::moves::{Move, move_like};

/// The legal moves of a position, in row-major order; a forced pass is one, and when the game is over there is none.
#[pyclass(module = "emilia", frozen, sequence)]
pub(crate) struct LegalMoves {
    position: GridPosition,
    moves: Vec<Move>,
}

impl LegalMoves {
    pub(crate) fn of(position: GridPosition) -> LegalMoves {
        LegalMoves { position, moves: position.moves().map(Move).collect() }
    }
}

#[pymethods]
impl LegalMoves {
    fn __len__(&self) -> usize {
        self.moves.len()
    }

    fn __getitem__(&self, index: isize) -> PyResult<Move> {
        let found =
            if index < 0 { self.moves.len().checked_add_signed(index) } else { usize::try_from(index).ok() };
        let found = found.and_then(|index| self.moves.get(index));
        found
            .copied()
            .ok_or_else(|| PyIndexError::new_err(format!("there are {} legal moves", self.moves.len())))
    }

    /// Whether a move is legal; what cannot be a move is not.
    fn __contains__(&self, mv: &Bound<'_, PyAny>) -> bool {
        move_like(mv, self.position.size()).is_ok_and(|mv| self.moves.contains(&Move(mv)))
    }

    fn __iter__(&self) -> Moves {
        Moves { moves: self.moves.clone().into_iter() }
    }

    /// How many there are.
    fn count(&self) -> usize {
        self.moves.len()
    }

    fn __repr__(&self) -> String {
        let names: Vec<String> = self.moves.iter().map(|mv| mv.0.to_string()).collect();
        format!("<LegalMoves ({})>", names.join(", "))
    }
}

/// Goes through moves one by one.
#[pyclass(module = "emilia")]
pub(crate) struct Moves {
    moves: std::vec::IntoIter<Move>,
}

#[pymethods]
impl Moves {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self) -> Option<Move> {
        self.moves.next()
    }
}
