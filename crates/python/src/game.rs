use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};

use emilia_query::Query;
use emilia_record::draw::Svg;
use emilia_record::thor::Directory;
use emilia_record::{Format, GameResult, Hint, Item, Note, Problem, WriteOptions};
use emilia_rules::{Outcome, Playable, Setup};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::board::{Board, objective_word};
use crate::color::Color;
use crate::error::RecordError;
use crate::moves::Move;

/// A game as people keep it: where it began, its moves, its tags.
#[pyclass(module = "emilia", from_py_object)]
#[derive(Clone)]
pub(crate) struct Game(pub(crate) emilia_record::Game);

impl Game {
    /// Every position of the main line, the first one included.
    fn query(&self) -> Query {
        let start = *self.0.start();
        Query::of_game(start, self.0.main_line()).unwrap_or_else(|_| Query::new(start))
    }
}

#[pymethods]
impl Game {
    /// The game that was played on a board.
    #[new]
    #[pyo3(signature = (board, tags=None))]
    fn new(board: &Board, tags: Option<&Bound<'_, PyDict>>) -> PyResult<Game> {
        let mut game = board.record();
        for (name, value) in tags.into_iter().flatten() {
            game.tags.set(&name.extract::<String>()?, &value.extract::<String>()?);
        }
        if board.position().is_over() {
            game.result = Some(GameResult::counted(board.position().counts().margin()));
        }
        Ok(Game(game))
    }

    #[getter]
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tags = PyDict::new(py);
        self.0.tags.iter().try_for_each(|(name, value)| tags.set_item(name, value))?;
        Ok(tags)
    }

    #[getter]
    fn size(&self) -> u8 {
        self.0.size().get()
    }

    #[getter]
    fn objective(&self) -> &'static str {
        objective_word(self.0.objective)
    }

    #[getter]
    fn moves(&self) -> Vec<Move> {
        self.0.main_line().map(Move).collect()
    }

    /// What was written about each move of the main line.
    #[getter]
    fn comments(&self) -> Vec<String> {
        self.notes(|note| note.comment.clone())
    }

    /// What each move of the main line was judged to be worth, in discs for the side that made it.
    #[getter]
    fn evaluations(&self) -> Vec<Option<f64>> {
        self.notes(|note| note.evaluation.as_ref().map(|evaluation| evaluation.discs))
    }

    /// The position where the game began.
    fn start(&self) -> Board {
        Board::at(*self.0.start(), self.0.objective)
    }

    /// The position after the last move, from where the moves can be taken back.
    fn end(&self) -> Board {
        Board::of(self.query(), self.0.objective)
    }

    /// The position after each move, the first one before any.
    fn boards(&self) -> PyResult<Vec<Board>> {
        let mut query = Query::new(*self.0.start());
        let mut boards = vec![self.start()];
        for mv in self.0.main_line() {
            query.play(mv).map_err(|error| RecordError::new_err(error.to_string()))?;
            boards.push(Board::of(query.clone(), self.0.objective));
        }
        Ok(boards)
    }

    /// Who has won, as far as the game says.
    #[getter]
    fn winner(&self) -> Option<Color> {
        if let Some(result) = &self.0.result {
            return result.winner().map(Color::from);
        }
        let end = self.query();
        let outcome = end.position().counts().outcome(self.0.objective);
        match outcome {
            Outcome::Win(color) if end.position().is_over() => Some(color.into()),
            _ => None,
        }
    }

    /// Black's margin in discs, if the game says.
    #[getter]
    fn margin(&self) -> Option<f64> {
        self.0.result.as_ref().and_then(GameResult::margin)
    }

    /// The game as a file of this format would hold it.
    #[pyo3(signature = (format="pgn"))]
    fn to_text(&self, format: &str) -> PyResult<String> {
        let kind = format_named(format)?;
        let no_text = |_| PyValueError::new_err(format!("{format} is no text"));
        if kind == Format::Wthor {
            return Err(no_text(()));
        }
        let bytes = written(std::slice::from_ref(&self.0), kind)?;
        String::from_utf8(bytes).map_err(|_| no_text(()))
    }

    fn __len__(&self) -> usize {
        self.0.main_line().count()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Game>().is_ok_and(|other| self.0 == other.borrow().0)
    }

    fn __repr__(&self) -> String {
        let side = |name| self.0.tags.value(name).unwrap_or("?").to_owned();
        let (black, white) = (side(emilia_record::tag::BLACK), side(emilia_record::tag::WHITE));
        format!("<Game {black} - {white}, {}, {} moves>", self.0.size(), self.__len__())
    }

    /// A page with a slider through the game, in a frame of its own.
    fn _repr_html_(&self) -> String {
        let start = self.0.start();
        let mut query = Query::new(*start);
        let mut steps = vec![step(&query)];
        for mv in self.0.main_line() {
            if query.play(mv).is_err() {
                break;
            }
            steps.push(step(&query));
        }
        let picture = Svg { cell: 40, ..Svg::new(start) }.to_string();
        let pixels = 40 * (usize::from(start.size().get()) + 1) + 90;
        let page = include_str!("game.html")
            .replace("PICTURE", &picture)
            .replace("SIDE", &start.size().get().to_string())
            .replace("STEPS", &steps.join(","));
        let page = page.replace('&', "&amp;").replace('"', "&quot;");
        format!("<iframe style=\"border:0;width:100%;height:{pixels}px\" srcdoc=\"{page}\"></iframe>")
    }
}

impl Game {
    fn notes<T>(&self, what: impl Fn(&Note) -> T) -> Vec<T> {
        self.0.annotated_line().map(|(_, _, note)| what(note)).collect()
    }
}

/// A step of the slider: the squares, the move that led there, and where its disc is.
fn step(query: &Query) -> String {
    let position = query.position();
    let text = Setup::from(*position).to_string();
    let squares = text.split(' ').next().unwrap_or_default();
    let last = query.moves().last();
    let name = last.map_or_else(|| "start".to_owned(), ToString::to_string);
    let at = last.and_then(|mv| mv.square()).map_or(-1, |point| point.index(position.size()) as i64);
    format!("[\"{squares}\",\"{name}\",{at},\"{}\"]", position.counts())
}

pub(crate) fn format_named(name: &str) -> PyResult<Format> {
    name.parse().map_err(|error: emilia_record::FormatError| PyValueError::new_err(error.to_string()))
}

fn written(games: &[emilia_record::Game], format: Format) -> PyResult<Vec<u8>> {
    emilia_record::write(format, games, &WriteOptions::default())
        .map_err(|error| RecordError::new_err(error.to_string()))
}

/// The games of a file, one by one.
#[pyclass(module = "emilia")]
pub(crate) struct Games {
    format: Format,
    items: VecDeque<Item>,
    /// Games of the archive in front that were read already.
    taken: usize,
    directory: Directory,
    problems: Vec<String>,
}

#[pymethods]
impl Games {
    #[getter]
    fn format(&self) -> &'static str {
        self.format.name()
    }

    #[getter]
    fn problems(&self) -> Vec<String> {
        self.problems.clone()
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self) -> Option<Game> {
        loop {
            match self.items.front()? {
                Item::Archive(archive) if self.taken < archive.len() => {
                    self.taken += 1;
                    if let Some(Ok(game)) = archive.game(self.taken - 1, &self.directory) {
                        return Some(Game(game));
                    }
                }
                Item::Archive(_) | Item::Names(_) => {
                    self.items.pop_front();
                    self.taken = 0;
                }
                Item::Game(_) | Item::Exercise(_) => match self.items.pop_front()? {
                    Item::Game(game) => return Some(Game(*game)),
                    Item::Exercise(exercise) => return Some(Game(exercise.to_game())),
                    Item::Archive(_) | Item::Names(_) => {}
                },
            }
        }
    }
}

/// The names of players and tournaments that lie beside a file of the WTHOR database.
fn names_beside(path: &Path) -> Directory {
    let mut directory = Directory::default();
    let beside = path.parent().and_then(|folder| fs::read_dir(folder).ok());
    for file in beside.into_iter().flatten().flatten() {
        let path = file.path();
        let of_names = |extension: &std::ffi::OsStr| {
            extension.eq_ignore_ascii_case("jou") || extension.eq_ignore_ascii_case("trn")
        };
        if path.extension().is_some_and(of_names)
            && let Ok(bytes) = fs::read(&path)
            && let Ok(names) = emilia_record::thor::Names::parse(&bytes)
        {
            directory.add(names);
        }
    }
    directory
}

fn games_in(bytes: &[u8], name: Option<&str>, strict: bool) -> PyResult<Games> {
    let of = |reason: String| match name {
        Some(name) => RecordError::new_err(format!("{name}: {reason}")),
        None => RecordError::new_err(reason),
    };
    let reading =
        emilia_record::read(bytes, &Hint { file_name: name }).map_err(|error| of(error.to_string()))?;
    if let Some(problem) = reading.problems.first().filter(|_| strict) {
        return Err(of(problem.to_string()));
    }
    Ok(Games {
        format: reading.format,
        items: reading.items.into(),
        taken: 0,
        directory: Directory::default(),
        problems: reading.problems.iter().map(Problem::to_string).collect(),
    })
}

/// The games of a file in any format.
#[pyfunction]
#[pyo3(signature = (path, *, strict=true))]
pub(crate) fn read_games(py: Python<'_>, path: PathBuf, strict: bool) -> PyResult<Games> {
    py.detach(|| {
        let bytes = fs::read(&path).map_err(|error| file_error(&path, &error))?;
        let mut games = games_in(&bytes, Some(&path.to_string_lossy()), strict)?;
        if games.format == Format::Wthor {
            games.directory = names_beside(&path);
        }
        Ok(games)
    })
}

/// The games in a text of any format.
#[pyfunction]
#[pyo3(signature = (text, *, strict=true))]
pub(crate) fn parse_games(py: Python<'_>, text: &str, strict: bool) -> PyResult<Games> {
    py.detach(|| games_in(text.as_bytes(), None, strict))
}

/// Writes games into a file, in the format of its name unless another is said.
#[pyfunction]
#[pyo3(signature = (path, games, format=None))]
pub(crate) fn write_games(
    py: Python<'_>,
    path: PathBuf,
    games: &Bound<'_, PyAny>,
    format: Option<&str>,
) -> PyResult<()> {
    let name = path.to_string_lossy();
    let format = match format {
        Some(format) => format_named(format)?,
        None => Format::of_file_name(&name).ok_or_else(|| {
            PyValueError::new_err(format!("{name}: no format ends like that; say format=\"pgn\" or another"))
        })?,
    };
    let games: Vec<emilia_record::Game> =
        games.try_iter()?.map(|game| Ok(game?.extract::<Game>()?.0)).collect::<PyResult<_>>()?;
    py.detach(|| fs::write(&path, written(&games, format)?).map_err(|error| file_error(&path, &error)))
}

fn file_error(path: &Path, error: &std::io::Error) -> PyErr {
    let sentence = format!("{}: {error}", path.display());
    match error.kind() {
        std::io::ErrorKind::NotFound => pyo3::exceptions::PyFileNotFoundError::new_err(sentence),
        std::io::ErrorKind::PermissionDenied => pyo3::exceptions::PyPermissionError::new_err(sentence),
        _ => PyOSError::new_err(sentence),
    }
}
