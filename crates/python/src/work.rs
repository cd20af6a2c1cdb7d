//! Work that machines share: a folder with a plan, and its units done here or sent elsewhere.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use emilia_query::Stop;
use emilia_work::{Done, Folder, Plan, Ran, State, Work, WorkError};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::WorkFailedError;
use crate::patience::done_elsewhere;

/// What a unit has given: its files, and a note in JSON.
type Given<'py> = (Vec<(String, Bound<'py, PyBytes>)>, String);

/// What went wrong, as a Python exception: files, mistakes in a plan, everything else.
fn raised(error: WorkError) -> PyErr {
    let sentence = error.to_string();
    match error {
        WorkError::File { .. } | WorkError::Input { .. } => PyOSError::new_err(sentence),
        WorkError::Task(_)
        | WorkError::Deal(_)
        | WorkError::Player(_)
        | WorkError::NoUnit { .. }
        | WorkError::Content { .. } => PyValueError::new_err(sentence),
        _ => WorkFailedError::new_err(sentence),
    }
}

fn unreadable(error: serde_json::Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A folder with planned work.
#[pyclass(module = "emilia", frozen)]
pub(crate) struct WorkFolder(Arc<Folder>);

/// Planned work apart from any folder, as it is sent to other machines.
#[pyclass(module = "emilia", frozen)]
pub(crate) struct WorkUnits(Arc<Work>);

#[pymethods]
impl WorkFolder {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<WorkFolder> {
        py.detach(|| Folder::open(&path)).map(|folder| WorkFolder(Arc::new(folder))).map_err(raised)
    }

    /// Plans a task, which is given in JSON, in a folder.
    #[staticmethod]
    fn plan(py: Python<'_>, path: PathBuf, task: &str) -> PyResult<WorkFolder> {
        let task = serde_json::from_str(task).map_err(unreadable)?;
        let folder = py.detach(|| {
            let (plan, inputs) = Plan::new(task, &|name| std::fs::read(name).map(Into::into))?;
            Folder::create(&path, plan, inputs)
        });
        folder.map(|folder| WorkFolder(Arc::new(folder))).map_err(raised)
    }

    #[getter]
    fn path(&self) -> PathBuf {
        self.0.path().to_owned()
    }

    fn __len__(&self) -> usize {
        self.0.work().units() as usize
    }

    fn title(&self, unit: u64) -> String {
        self.0.work().title(unit)
    }

    fn states(&self, py: Python<'_>) -> PyResult<Vec<&'static str>> {
        let states = py.detach(|| self.0.states()).map_err(raised)?;
        let word = |state| match state {
            State::Done => "done",
            State::Open => "open",
            State::NotNeeded => "not needed",
        };
        Ok(states.into_iter().map(word).collect())
    }

    fn open_units(&self, py: Python<'_>) -> PyResult<Vec<u64>> {
        py.detach(|| self.0.open_units()).map_err(raised)
    }

    fn run(&self, py: Python<'_>, unit: u64) -> PyResult<&'static str> {
        let (folder, stop) = (Arc::clone(&self.0), Arc::new(Stop::default()));
        let asked = Arc::clone(&stop);
        let ran = done_elsewhere(py, &stop, move || folder.run(unit, &asked))?.map_err(raised)?;
        Ok(match ran {
            Ran::Now => "done",
            Ran::Before => "done before",
            Ran::NotNeeded => "not needed",
            Ran::Stopped => "stopped",
        })
    }

    /// The plan and the files it needs, for another machine.
    fn package<'py>(&self, py: Python<'py>) -> PyResult<(String, BTreeMap<String, Bound<'py, PyBytes>>)> {
        let inputs = py.detach(|| self.0.inputs()).map_err(raised)?;
        let inputs = inputs.into_iter().map(|(name, content)| (name, PyBytes::new(py, &content))).collect();
        Ok((self.0.work().plan().text(), inputs))
    }

    /// Keeps what a unit has given elsewhere.
    fn keep(&self, py: Python<'_>, unit: u64, files: Vec<(String, Vec<u8>)>, note: &str) -> PyResult<()> {
        let done = Done { files, note: serde_json::from_str(note).map_err(unreadable)? };
        py.detach(|| self.0.keep(unit, &done)).map(drop).map_err(raised)
    }

    /// Makes the result, and says in JSON what it is.
    fn merge(&self, py: Python<'_>) -> PyResult<String> {
        let merged = py.detach(|| self.0.merge()).map_err(raised)?;
        serde_json::to_string(&merged).map_err(unreadable)
    }

    fn __repr__(&self) -> String {
        format!("WorkFolder({:?})", self.0.path().display().to_string())
    }
}

#[pymethods]
impl WorkUnits {
    #[new]
    fn new(py: Python<'_>, plan: &str, inputs: BTreeMap<String, Vec<u8>>) -> PyResult<WorkUnits> {
        let plan: Plan = serde_json::from_str(plan).map_err(unreadable)?;
        py.detach(|| Work::new(plan, inputs)).map(|work| WorkUnits(Arc::new(work))).map_err(raised)
    }

    fn __len__(&self) -> usize {
        self.0.units() as usize
    }

    /// Does a unit: its files, and a note in JSON.
    fn run<'py>(&self, py: Python<'py>, unit: u64) -> PyResult<Given<'py>> {
        let (work, stop) = (Arc::clone(&self.0), Arc::new(Stop::default()));
        let asked = Arc::clone(&stop);
        let done = done_elsewhere(py, &stop, move || work.run(unit, &asked))?.map_err(raised)?;
        let Some(Done { files, note }) = done else {
            return Err(WorkFailedError::new_err(format!("unit {unit} was stopped")));
        };
        let files = files.into_iter().map(|(name, content)| (name, PyBytes::new(py, &content))).collect();
        Ok((files, note.to_string()))
    }
}
