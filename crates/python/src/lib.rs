//! Emilia for Python: the native half of the package `emilia`.
//!
//! This crate only binds. What is played, searched and counted is in the crates below; what is Python's own (environments,
//! the benchmark) is in `python/emilia/`. The types that Python sees are described in `python/emilia/_emilia.pyi`.

#![forbid(unsafe_code)]

mod analysis;
mod arrays;
mod batch;
mod board;
mod color;
mod engine;
mod error;
mod evaluate;
mod game;
mod legal_moves;
mod moves;
mod patience;
mod planes;
mod report;
mod square;
mod vector;
mod work;

/// The native half of the package; `emilia/__init__.py` says what of it is public.
#[pyo3::pymodule]
mod _emilia {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::analysis::Analysis;
    #[pymodule_export]
    use crate::batch::{
        masks_of_words, planes_of_words, words_canonical, words_evaluate, words_features, words_flips,
        words_moves, words_over, words_play, words_random_games, words_scores, words_solve, words_transform,
    };
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
    use crate::planes::{
        planes_canonical, planes_flips, planes_moves, planes_over, planes_play, planes_scores,
        planes_transform, words_of_planes,
    };
    #[pymodule_export]
    use crate::report::{MoveReport, Report};
    #[pymodule_export]
    use crate::square::Square;
    #[pymodule_export]
    use crate::vector::VectorGames;
    #[pymodule_export]
    use crate::work::{WorkFolder, WorkUnits};

    use crate::error::{EngineError, IllegalMoveError, InvalidMoveError, RecordError, WorkFailedError};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("EngineError", py.get_type::<EngineError>())?;
        module.add("IllegalMoveError", py.get_type::<IllegalMoveError>())?;
        module.add("InvalidMoveError", py.get_type::<InvalidMoveError>())?;
        module.add("RecordError", py.get_type::<RecordError>())?;
        module.add("WorkFailedError", py.get_type::<WorkFailedError>())?;
        // Which names are public is said in one place, `__init__.py`.
        module.as_any().delattr("__all__")
    }
}
