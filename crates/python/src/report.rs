use emilia_query::Value;
use pyo3::prelude::*;

use crate::moves::Move;

/// What a player has found, while it thinks or at the end.
#[pyclass(module = "emilia", frozen)]
pub(crate) struct Report(pub(crate) emilia_query::Report);

/// A move and what is thought of it.
#[pyclass(module = "emilia", frozen)]
pub(crate) struct MoveReport(emilia_query::MoveReport);

#[pymethods]
impl Report {
    #[getter]
    fn moves(&self) -> Vec<MoveReport> {
        self.0.moves.iter().cloned().map(MoveReport).collect()
    }

    #[getter]
    fn best(&self) -> Option<Move> {
        self.0.best_move().map(Move)
    }

    #[getter]
    fn value(&self) -> Option<f64> {
        self.0.value().map(Value::number)
    }

    #[getter]
    fn line(&self) -> Vec<Move> {
        self.0.line().iter().copied().map(Move).collect()
    }

    #[getter]
    fn exact(&self) -> bool {
        self.0.is_exact()
    }

    #[getter]
    fn depth(&self) -> u32 {
        self.0.depth
    }

    #[getter]
    fn greatest_depth(&self) -> u32 {
        self.0.greatest_depth
    }

    #[getter]
    fn nodes(&self) -> u64 {
        self.0.nodes
    }

    #[getter]
    fn time(&self) -> f64 {
        self.0.time.as_secs_f64()
    }

    #[getter]
    fn source(&self) -> &'static str {
        self.0.source.word()
    }

    #[getter]
    fn stopped(&self) -> bool {
        self.0.stopped
    }

    fn __repr__(&self) -> String {
        let Some(best) = self.0.best() else { return "<Report of a game that is over>".to_owned() };
        format!("<Report depth {}: {}>", self.0.depth, said(best))
    }
}

#[pymethods]
impl MoveReport {
    #[getter]
    fn r#move(&self) -> Move {
        Move(self.0.mv)
    }

    #[getter]
    fn value(&self) -> Option<f64> {
        self.0.value.map(Value::number)
    }

    #[getter]
    fn unit(&self) -> Option<&'static str> {
        self.0.value.map(Value::unit)
    }

    #[getter]
    fn bound(&self) -> &'static str {
        self.0.bound.word()
    }

    #[getter]
    fn depth(&self) -> u32 {
        self.0.depth
    }

    #[getter]
    fn selectivity(&self) -> Option<u32> {
        self.0.selectivity.map(emilia_query::Selectivity::percent)
    }

    #[getter]
    fn exact(&self) -> bool {
        self.0.exact
    }

    #[getter]
    fn line(&self) -> Vec<Move> {
        self.0.line.iter().copied().map(Move).collect()
    }

    fn __repr__(&self) -> String {
        format!("<MoveReport {}>", said(&self.0))
    }
}

fn said(found: &emilia_query::MoveReport) -> String {
    let exact = if found.exact { ", exact" } else { "" };
    match found.value {
        Some(value) => format!("{} {:+.2} {}{exact}", found.mv, value.number(), value.unit()),
        None => found.mv.to_string(),
    }
}
