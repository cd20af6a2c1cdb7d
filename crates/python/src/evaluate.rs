use std::path::PathBuf;
use std::sync::Arc;

use emilia_classic::Evaluator as Textbook;
use emilia_eval::{Evaluator, Learned, Score};
use emilia_rules::{GridPosition, Playable, Portable, Position, Size};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;

use crate::board::Board;
use crate::engine::read_weights;

/// The weights of a file, by which 8×8 boards are judged.
#[pyclass(module = "emilia", frozen)]
pub(crate) struct Weights {
    path: PathBuf,
    learned: Arc<Learned>,
}

#[pymethods]
impl Weights {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Weights> {
        let named = |reason: String| format!("{}: {reason}", path.display());
        py.detach(|| {
            let bytes = read_weights(&path.to_string_lossy())
                .map_err(|error| PyOSError::new_err(named(error.to_string())))?;
            let learned =
                Learned::read(&bytes).map_err(|error| PyValueError::new_err(named(error.to_string())))?;
            Ok(Weights { learned: Arc::new(learned), path: path.clone() })
        })
    }

    fn __repr__(&self) -> String {
        format!("Weights({:?})", self.path.display().to_string())
    }
}

/// The evaluator with these weights, or with those that come with the package.
pub(crate) fn judge(weights: Option<&Weights>) -> &Learned {
    match weights {
        Some(weights) => &weights.learned,
        None => Learned::embedded(),
    }
}

/// What a position is worth to the side to move, without looking ahead.
#[pyfunction]
#[pyo3(signature = (board, evaluator="network", *, weights=None))]
pub(crate) fn evaluate(board: &Board, evaluator: &str, weights: Option<&Weights>) -> PyResult<f64> {
    if evaluator == "network" {
        return learned_value(judge(weights), board.position());
    }
    if weights.is_some() {
        return Err(PyValueError::new_err(format!("weights are those of the network, {evaluator} has none")));
    }
    let textbook: Textbook =
        evaluator.parse().map_err(|error| PyValueError::new_err(format!("{error}, and network")))?;
    Ok(textbook.score(board.position()))
}

fn learned_value(learned: &Learned, position: &GridPosition) -> PyResult<f64> {
    let small = Position::try_from(position).ok().filter(|small| small.size() == Size::EIGHT);
    let board = small.map(|small| small.board()).ok_or_else(|| {
        PyValueError::new_err(format!("the network judges boards of 8×8, not {}", position.size()))
    })?;
    let score = learned.score(Portable, &learned.features(board), board);
    Ok(f64::from(score.0) / f64::from(Score::PER_DISC))
}
