use std::fs::File;
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use emilia_engine::{Candidate, FileBytes, KINDS, OUTSIDE, PRESETS, Player, Spec};
use emilia_mapping::Mapping;
use emilia_query::{Aim, Level, Limits, Query, Stop};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::analysis::Analysis;
use crate::board::Board;
use crate::error::EngineError;
use crate::moves::Move;
use crate::patience::done_elsewhere;
use crate::report::Report;

/// Someone who chooses moves and judges positions.
#[pyclass(module = "emilia", frozen)]
pub(crate) struct Engine {
    name: String,
    /// Whether its name or settings say how long it thinks.
    limited: bool,
    thinker: Arc<Thinker>,
}

/// A player that one question at a time is put to.
pub(crate) struct Thinker {
    player: Mutex<Box<dyn Player>>,
    /// Whether an analysis goes on, which may not end by itself.
    pub(crate) analysing: AtomicBool,
}

impl Thinker {
    /// The player, once nobody else asks it anything.
    pub(crate) fn player(&self) -> MutexGuard<'_, Box<dyn Player>> {
        self.player.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn checked(&self) -> PyResult<()> {
        if self.analysing.load(Ordering::Acquire) {
            return Err(EngineError::new_err("this engine is still analysing; stop that first"));
        }
        Ok(())
    }
}

/// The settings that say how long to think.
const LIMITS: [&str; 4] = ["level", "time", "depth", "nodes"];
/// Largest file of weights that is read.
const LARGEST_WEIGHTS: u64 = 64 << 20;

/// Reads a file of weights.
pub(crate) fn read_weights(path: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(LARGEST_WEIGHTS).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A file that a player's name mentions, weights or a book: mapped, because a book may be larger than memory.
fn open_named(path: &str) -> io::Result<FileBytes> {
    Ok(FileBytes::new(Mapping::of(&File::open(path)?)?))
}

/// What Python says about how long to think.
struct Effort {
    level: Option<u32>,
    time: Option<f64>,
    depth: Option<u32>,
    nodes: Option<u64>,
}

impl Effort {
    fn limits(&self) -> PyResult<Limits> {
        let wrong = |sentence: String| PyValueError::new_err(sentence);
        let level = self.level.map(Level::new).transpose().map_err(|error| wrong(error.to_string()))?;
        let time = self.time.map(seconds).transpose()?;
        if self.depth == Some(0) || self.nodes == Some(0) {
            return Err(wrong("depth and nodes are at least 1".to_owned()));
        }
        Ok(Limits { level, time, depth: self.depth, nodes: self.nodes, ..Limits::default() })
    }
}

/// A time to think, at most a day.
fn seconds(seconds: f64) -> PyResult<Duration> {
    const DAY: f64 = 86_400.0;
    if (0.0..=DAY).contains(&seconds) && seconds > 0.0 {
        return Ok(Duration::from_secs_f64(seconds));
    }
    Err(PyValueError::new_err(format!("time={seconds}: expected seconds, more than 0 and at most a day")))
}

fn candidate(name: &str, settings: Vec<(&'static str, String)>) -> PyResult<Candidate> {
    let wrong = |error: emilia_engine::PlayerError| PyValueError::new_err(error.to_string());
    if settings.is_empty() {
        return Candidate::parse(name, &open_named).map_err(wrong);
    }
    let mut spec: Spec = name.parse().map_err(wrong)?;
    for (setting, value) in settings {
        if spec.settings.iter().any(|(known, _)| known == setting) {
            return Err(PyValueError::new_err(format!(
                "{setting} is set twice: in {name:?} and as an argument"
            )));
        }
        spec.settings.push((setting.to_owned(), value));
    }
    Candidate::new(spec, &open_named).map_err(wrong)
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (name="emilia", *, level=None, time=None, depth=None, nodes=None, threads=None, hash=None, weights=None))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn new(
        name: &str,
        level: Option<u32>,
        time: Option<f64>,
        depth: Option<u32>,
        nodes: Option<u64>,
        threads: Option<u32>,
        hash: Option<u32>,
        weights: Option<std::path::PathBuf>,
    ) -> PyResult<Engine> {
        let mut settings = Vec::new();
        let mut set = |name, value: Option<String>| settings.extend(value.map(|value| (name, value)));
        let text = |number: Option<u32>| number.map(|number| number.to_string());
        set("level", text(level));
        set("time", time.map(seconds).transpose()?.map(|time| format!("{}s", time.as_secs_f64())));
        set("depth", text(depth));
        set("nodes", nodes.map(|nodes| nodes.to_string()));
        set("threads", text(threads));
        set("hash", text(hash));
        set("weights", weights.map(|path| path.to_string_lossy().into_owned()));
        let limited = name != "emilia" || settings.iter().any(|(name, _)| LIMITS.contains(name));
        let candidate = candidate(name, settings)?;
        let thinker = Thinker { player: Mutex::new(candidate.player(0)), analysing: AtomicBool::new(false) };
        Ok(Engine { name: candidate.name().to_owned(), limited, thinker: Arc::new(thinker) })
    }

    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The move it chooses.
    #[pyo3(signature = (board, *, level=None, time=None, depth=None, nodes=None))]
    fn play(
        &self,
        py: Python<'_>,
        board: &Board,
        level: Option<u32>,
        time: Option<f64>,
        depth: Option<u32>,
        nodes: Option<u64>,
    ) -> PyResult<Move> {
        let query = board.query().within(Effort { level, time, depth, nodes }.limits()?);
        let report = self.answer(py, query)?;
        report.best_move().map(Move).ok_or_else(|| EngineError::new_err("the game is over"))
    }

    /// What it thinks of the best moves, step by step.
    #[pyo3(signature = (board, multipv=1, *, level=None, time=None, depth=None, nodes=None))]
    fn analyse(
        &self,
        board: &Board,
        multipv: usize,
        level: Option<u32>,
        time: Option<f64>,
        depth: Option<u32>,
        nodes: Option<u64>,
    ) -> PyResult<Analysis> {
        let limits = Effort { level, time, depth, nodes }.limits()?;
        let mut query = board.query().within(limits).with_lines(lines(multipv)?);
        query.limits.endless = !self.limited && limits.is_open();
        self.thinker.checked()?;
        Ok(Analysis::begin(Arc::clone(&self.thinker), query))
    }

    /// Forgets what it remembers of earlier games.
    fn forget(&self, py: Python<'_>) -> PyResult<()> {
        self.thinker.checked()?;
        py.detach(|| self.thinker.player().forget());
        Ok(())
    }

    fn __repr__(&self) -> String {
        format!("Engine('{}')", self.name)
    }
}

impl Engine {
    fn answer(&self, py: Python<'_>, query: Query) -> PyResult<emilia_query::Report> {
        self.thinker.checked()?;
        let (thinker, stop) = (Arc::clone(&self.thinker), Arc::new(Stop::new()));
        let asked = Arc::clone(&stop);
        let answer = done_elsewhere(py, &stop, move || thinker.player().answer(&query, &asked, &mut ()))?;
        answer.map_err(|fault| EngineError::new_err(format!("{}: {fault}", self.name)))
    }
}

fn lines(multipv: usize) -> PyResult<usize> {
    if multipv > 0 { Ok(multipv) } else { Err(PyValueError::new_err("multipv is at least 1")) }
}

/// Solves a position to the end of the game.
#[pyfunction]
#[pyo3(signature = (board, *, threads=1, hash=64, aim="score", multipv=1))]
pub(crate) fn solve(
    py: Python<'_>,
    board: &Board,
    threads: u32,
    hash: u32,
    aim: &str,
    multipv: usize,
) -> PyResult<Report> {
    let settings = vec![("threads", threads.to_string()), ("hash", hash.to_string())];
    let mut player = candidate("emilia", settings)?.player(0);
    let mut query = board.query().within(Limits::endless()).with_lines(lines(multipv)?);
    query.aim = Some(match aim {
        "score" => Aim::Score,
        "outcome" => Aim::Outcome,
        _ => return Err(PyValueError::new_err(format!("aim {aim:?} is neither 'score' nor 'outcome'"))),
    });
    let stop = Arc::new(Stop::new());
    let asked = Arc::clone(&stop);
    let answer = done_elsewhere(py, &stop, move || player.answer(&query, &asked, &mut ()))?;
    answer.map(Report).map_err(|fault| EngineError::new_err(fault.to_string()))
}

/// The names of players and what they are, in a line each.
#[pyfunction]
pub(crate) fn players() -> Vec<(&'static str, &'static str)> {
    let kinds = KINDS.iter().map(|kind| (kind.name, kind.summary));
    let presets = PRESETS.iter().map(|preset| (preset.name, preset.summary));
    let outside = OUTSIDE.iter().map(|outside| (outside.name, outside.summary));
    kinds.chain(presets).chain(outside).collect()
}
