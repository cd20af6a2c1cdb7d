use emilia_query::Query;
use emilia_record::draw::{Style, Svg, Text};
use emilia_record::{Game, Hint, Item, PositionError, fen, read, transcript};
use emilia_rules::{
    Grid, GridPosition, Objective, Outcome, Playable, Position, Size, Start, Status, Symmetry,
};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::color::Color;
use crate::error::{bad_position, bad_size, illegal};
use crate::legal_moves::LegalMoves;
use crate::moves::{Move, move_like};
use crate::square::Square;

/// A position and the moves that led to it, which can be taken back.
#[pyclass(module = "emilia", from_py_object)]
#[derive(Clone)]
pub(crate) struct Board {
    game: Query,
    objective: Objective,
}

/// The version of what is written into a pickle.
const PICKLED: u32 = 1;
/// What is written: that version, where the board began, the moves since, and which side wins.
type Pickled = (u32, String, Vec<String>, &'static str);

impl Board {
    pub(crate) fn at(position: GridPosition, objective: Objective) -> Board {
        Board { game: Query::new(position), objective }
    }

    pub(crate) fn of(game: Query, objective: Objective) -> Board {
        Board { game, objective }
    }

    /// The question what to play here.
    pub(crate) fn query(&self) -> Query {
        let mut query = self.game.clone();
        query.objective = Some(self.objective);
        query
    }

    /// The position after the moves so far.
    pub(crate) fn position(&self) -> &GridPosition {
        self.game.position()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.position().is_over().then(|| self.position().counts().outcome(self.objective))
    }

    /// A game on this board, from where it began to where it stands.
    pub(crate) fn record(&self) -> Game {
        let mut game = Game::from_position(*self.game.start());
        game.objective = self.objective;
        // They were legal when they were played here.
        self.game.moves().iter().take_while(|mv| game.play(**mv).is_ok()).for_each(drop);
        game
    }
}

/// Whether most or fewest discs win, by its word.
pub(crate) fn objective_named(word: &str) -> PyResult<Objective> {
    match word {
        "most" => Ok(Objective::Most),
        "fewest" => Ok(Objective::Fewest),
        _ => Err(PyValueError::new_err(format!("objective {word:?} is neither 'most' nor 'fewest'"))),
    }
}

pub(crate) const fn objective_word(objective: Objective) -> &'static str {
    match objective {
        Objective::Most => "most",
        Objective::Fewest => "fewest",
    }
}

/// One of the eight positions that differ only by symmetry: the one that the rules choose among boards of its size.
pub(crate) fn canonical(position: &GridPosition) -> GridPosition {
    match Position::try_from(position) {
        Ok(small) => small.canonical().into(),
        Err(_) => position.canonical(),
    }
}

/// One of the two ways to put the first four discs, by its word.
pub(crate) fn start_named(word: &str) -> PyResult<Start> {
    match word {
        "standard" => Ok(Start::Standard),
        "mirrored" => Ok(Start::Mirrored),
        _ => Err(PyValueError::new_err(format!("start {word:?} is neither 'standard' nor 'mirrored'"))),
    }
}

/// The position or game that a text holds.
fn board_in(text: &str) -> Result<Board, PositionError> {
    let reading = read(text.as_bytes(), &Hint::default()).map_err(|_| PositionError::Neither)?;
    if let Some(problem) = reading.problems.into_iter().next() {
        return Err(problem.fault.into());
    }
    let count = reading.items.len();
    match reading.items.into_iter().next() {
        _ if count > 1 => Err(PositionError::Several(count)),
        Some(Item::Exercise(exercise)) => Ok(Board::at(exercise.position, Objective::Most)),
        Some(Item::Game(game)) => {
            let query = Query::of_game(*game.start(), game.main_line());
            let query = query.unwrap_or_else(|_| Query::new(*game.start()));
            Ok(Board { game: query, objective: game.objective })
        }
        _ => Err(PositionError::Neither),
    }
}

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (size=8, *, start="standard", objective="most"))]
    fn new(size: usize, start: &str, objective: &str) -> PyResult<Board> {
        let size = Size::new(size).map_err(bad_size)?;
        Ok(Board::at(GridPosition::start_as(size, start_named(start)?), objective_named(objective)?))
    }

    /// The position in a text: a board row by row, its short form, or the moves of a game.
    #[staticmethod]
    #[pyo3(signature = (text, *, objective=None))]
    fn from_text(text: &str, objective: Option<&str>) -> PyResult<Board> {
        let board = board_in(text).map_err(|error| bad_position(&error))?;
        let objective = objective.map_or(Ok(board.objective), objective_named)?;
        Ok(Board { objective, ..board })
    }

    #[getter]
    fn size(&self) -> u8 {
        self.position().size().get()
    }

    #[getter]
    fn turn(&self) -> Color {
        self.position().turn().into()
    }

    #[getter(objective)]
    fn objective_name(&self) -> &'static str {
        objective_word(self.objective)
    }

    #[getter]
    fn legal_moves(&self) -> LegalMoves {
        LegalMoves::of(*self.position())
    }

    fn is_legal(&self, mv: &Bound<'_, PyAny>) -> PyResult<bool> {
        let mv = move_like(mv, self.position().size())?;
        Ok(self.position().play(mv).is_ok())
    }

    /// Plays a move. An illegal one raises `IllegalMoveError` and changes nothing.
    fn push(&mut self, mv: &Bound<'_, PyAny>) -> PyResult<Move> {
        let mv = move_like(mv, self.position().size())?;
        let played = self.game.play(mv);
        played.map_err(|error| illegal(error, self.position())).map(|()| Move(mv))
    }

    /// Takes the last move back and returns it.
    fn pop(&mut self) -> PyResult<Move> {
        let last = self.peek()?;
        self.game.undo();
        Ok(last)
    }

    /// The last move.
    fn peek(&self) -> PyResult<Move> {
        let last = self.game.moves().last().copied().map(Move);
        last.ok_or_else(|| PyIndexError::new_err("no move was played on this board"))
    }

    #[getter]
    fn move_stack(&self) -> Vec<Move> {
        self.game.moves().iter().copied().map(Move).collect()
    }

    /// Moves played on this board, passes included.
    fn ply(&self) -> usize {
        self.game.moves().len()
    }

    /// The position where this board began.
    fn root(&self) -> Board {
        Board::at(*self.game.start(), self.objective)
    }

    /// The discs that a move would flip.
    fn flips(&self, mv: &Bound<'_, PyAny>) -> PyResult<Vec<Square>> {
        let mv = move_like(mv, self.position().size())?;
        self.position().play(mv).map_err(|error| illegal(error, self.position()))?;
        let flips = mv.square().map(|point| self.position().flips(point));
        Ok(flips.into_iter().flatten().map(Square).collect())
    }

    /// The disc on a square.
    fn disc_at(&self, square: &Bound<'_, PyAny>) -> PyResult<Option<Color>> {
        let mv = move_like(square, self.position().size())?;
        let point = mv.square().ok_or_else(|| PyValueError::new_err("a pass has no square"))?;
        if !self.position().size().contains(point) {
            let size = self.position().size();
            return Err(PyIndexError::new_err(format!("{point} is not on a board of {size}")));
        }
        Ok(self.position().disc(point).map(Color::from))
    }

    /// How many discs a side has.
    fn count(&self, color: Color) -> u32 {
        self.position().counts().of(color.into())
    }

    /// How many squares are empty.
    #[getter]
    fn empties(&self) -> u32 {
        self.position().counts().empty
    }

    /// Whether the side to move has no other move than to pass.
    fn must_pass(&self) -> bool {
        self.position().status() == Status::MustPass
    }

    fn is_game_over(&self) -> bool {
        self.position().is_over()
    }

    /// "1-0" if Black has won, "0-1" if White has, "1/2-1/2" for a draw, "*" while the game goes on.
    fn result(&self) -> &'static str {
        match self.outcome() {
            None => "*",
            Some(Outcome::Draw) => "1/2-1/2",
            Some(Outcome::Win(emilia_rules::Color::Black)) => "1-0",
            Some(Outcome::Win(emilia_rules::Color::White)) => "0-1",
        }
    }

    /// Who has won; nobody while the game goes on, or after a draw.
    #[getter]
    fn winner(&self) -> Option<Color> {
        match self.outcome() {
            Some(Outcome::Win(color)) => Some(color.into()),
            _ => None,
        }
    }

    /// Black's discs less White's; once the game is over, empty squares go to the side with more.
    fn score(&self) -> i32 {
        let counts = self.position().counts();
        if self.position().is_over() { counts.margin() } else { counts.difference() }
    }

    /// The board turned or mirrored, without the moves that led there: 0 to 7, where 0 leaves it.
    fn transform(&self, symmetry: usize) -> PyResult<Board> {
        let symmetry = Symmetry::ALL.get(symmetry).ok_or_else(|| {
            PyIndexError::new_err(format!("symmetries are numbered from 0 to 7, not {symmetry}"))
        })?;
        Ok(Board::at(self.position().transformed(*symmetry), self.objective))
    }

    /// One of the eight boards that differ only by symmetry, always the same.
    fn canonical(&self) -> Board {
        Board::at(canonical(self.position()), self.objective)
    }

    /// The same position and moves, apart from this board.
    #[pyo3(signature = (*, stack=true))]
    fn copy(&self, stack: bool) -> Board {
        if stack { self.clone() } else { Board::at(*self.position(), self.objective) }
    }

    fn __copy__(&self) -> Board {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Board {
        self.clone()
    }

    /// The squares row by row as X (black), O (white) and -, and the side to move.
    fn to_text(&self) -> String {
        self.position().to_string()
    }

    /// Own discs and the opponent's as two words, for `emilia.batch`.
    fn words(&self) -> PyResult<(u64, u64)> {
        if self.position().size().is_compact() {
            return Ok((self.position().own().word(), self.position().opponent().word()));
        }
        let size = self.position().size();
        Err(PyValueError::new_err(format!("two words hold boards of at most 8×8, not {size}")))
    }

    /// The position of two words, as `words` gives them.
    #[staticmethod]
    #[pyo3(signature = (own, opponent, *, turn=Color::Black, size=8, objective="most"))]
    fn from_words(own: u64, opponent: u64, turn: Color, size: usize, objective: &str) -> PyResult<Board> {
        let size = crate::arrays::compact(size)?;
        let (own, opponent) = (Grid::from_word(own), Grid::from_word(opponent));
        let position = GridPosition::new(own, opponent, turn.into(), size).ok_or_else(|| {
            PyValueError::new_err(format!(
                "these words are no board of {size}: squares with two discs, off the board, or no disc at all"
            ))
        })?;
        Ok(Board::at(position, objective_named(objective)?))
    }

    /// The short form of the board, as chess programs write theirs.
    fn fen(&self) -> String {
        fen::write(self.position())
    }

    /// The moves in one word, such as f5d6c3.
    fn transcript(&self) -> String {
        transcript::write(&self.record())
    }

    /// The board as a picture.
    #[pyo3(signature = (*, cell=40, legal=false))]
    fn svg(&self, cell: u32, legal: bool) -> PyResult<String> {
        if !(4..=400).contains(&cell) {
            return Err(PyValueError::new_err(format!("a square is 4 to 400 pixels wide, not {cell}")));
        }
        let last = self.game.moves().last().and_then(|mv| mv.square());
        Ok(Svg { cell, legal, last, ..Svg::new(self.position()) }.to_string())
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg(40, false)
    }

    fn __str__(&self) -> String {
        Text::new(self.position(), Style::Letters).to_string().trim_end().to_owned()
    }

    fn __repr__(&self) -> String {
        format!("Board.from_text('{}')", self.position())
    }

    /// Boards are equal where the same discs lie, the same side is to move and the same side would win.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Board>().is_ok_and(|other| {
            let other = other.borrow();
            self.position() == other.position() && self.objective == other.objective
        })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Pickled)> {
        let moves = self.game.moves().iter().map(ToString::to_string).collect();
        let state = (PICKLED, self.game.start().to_string(), moves, objective_word(self.objective));
        Ok((py.get_type::<Board>().getattr("_unpickled")?, state))
    }

    #[staticmethod]
    #[pyo3(signature = (version, *state))]
    fn _unpickled(version: u32, state: &Bound<'_, PyAny>) -> PyResult<Board> {
        if version != PICKLED {
            return Err(PyValueError::new_err(format!(
                "this board was pickled by another version of emilia: format {version}, this one reads {PICKLED}"
            )));
        }
        let broken = |_| PyTypeError::new_err("this pickle is no board");
        let (start, moves, objective): (String, Vec<String>, String) = state.extract().map_err(broken)?;
        let objective = objective_named(&objective)?;
        let start = board_in(&start).map_err(|error| bad_position(&error))?;
        let mut board = Board::at(*start.position(), objective);
        for text in &moves {
            board.push(pyo3::types::PyString::new(state.py(), text).as_any())?;
        }
        Ok(board)
    }
}
