//! Emilia for Python: the native half of the package `emilia`.
//!
//! This crate only binds. What is played, searched and counted is in the crates below; what is Python's own (environments,
//! the benchmark) is in `python/emilia/`. The types that Python sees are described in `python/emilia/_emilia.pyi`.

#![forbid(unsafe_code)]

mod analysis;
mod board;
mod color;
mod engine;
mod error;
mod evaluate;
mod game;
mod legal_moves;
mod moves;
mod patience;
mod report;
mod square;

/// The native half of the package; `emilia/__init__.py` says what of it is public.
#[pyo3::pymodule]
mod _emilia {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::analysis::Analysis;
    #[pymodule_export]
    use crate::board::Board;
    #[pymodule_export]
    use crate::color::Color;
    #[pymodule_export]
    use crate::engine::{Engine, players, solve};
    #[pymodule_export]
    use crate::evaluate::{Weights, evaluate};
    #[pymodule_export]
    use crate::game::{Game, Games, parse_games, read_games, write_games};
    #[pymodule_export]
    use crate::legal_moves::LegalMoves;
    #[pymodule_export]
    use crate::moves::Move;
    #[pymodule_export]
    use crate::report::{MoveReport, Report};
    #[pymodule_export]
    use crate::square::Square;

    use crate::error::{EngineError, IllegalMoveError, InvalidMoveError, RecordError};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("EngineError", py.get_type::<EngineError>())?;
        module.add("IllegalMoveError", py.get_type::<IllegalMoveError>())?;
        module.add("InvalidMoveError", py.get_type::<InvalidMoveError>())?;
        module.add("RecordError", py.get_type::<RecordError>())?;
        // Which names are public is said in one place, `__init__.py`.
        module.as_any().delattr("__all__")
    }
}
