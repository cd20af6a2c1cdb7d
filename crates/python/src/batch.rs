//! Many boards at once, as arrays of numpy; `emilia/batch.py` is what people call.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use emilia_engine::Dice;
use emilia_eval::{Learned, Score, layout::LANES, shape::PLACES};
use emilia_query::{Aim, Stop};
use emilia_rules::batch::{self, Words};
use emilia_rules::{Board, Color, Grid, GridPosition, Kernel, Position, Size, Symmetry, Task, Tier};
use emilia_search::{Problem, Solver, Table};
use numpy::{Ix1, Ix2, Ix3, Ix4, PyArray};
use pyo3::exceptions::{PyIndexError, PyMemoryError, PyValueError};
use pyo3::prelude::*;

use crate::arrays::{Boards, Squares, compact, in_pieces, output, spread, writable};
use crate::error::IllegalMoveError;
use crate::evaluate::{Weights, judge};
use crate::patience::done_beside;

type Array<'py, T, D> = Bound<'py, PyArray<T, D>>;

#[pyfunction]
#[pyo3(signature = (boards, size=8, out=None))]
pub(crate) fn words_moves<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    size: usize,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Array<'py, u64, Ix1>> {
    let size = compact(size)?;
    let boards = Boards::new(boards, size)?;
    let boards = boards.words()?;
    let found = output(py, out, Ix1(boards.len()))?;
    let mut writing = writable(&found)?;
    let moves = writing.as_slice_mut()?;
    in_pieces(py, boards.len(), |from, to| {
        batch::moves(Tier::best(), &boards[from..to], size, &mut moves[from..to]);
        Ok(())
    })?;
    Ok(found)
}

#[pyfunction]
#[pyo3(signature = (boards, squares, size=8))]
pub(crate) fn words_flips<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    squares: &Bound<'py, PyAny>,
    size: usize,
) -> PyResult<Array<'py, u64, Ix1>> {
    let boards = Boards::new(boards, compact(size)?)?;
    let boards = boards.words()?;
    let squares = Squares::new(squares, boards.len())?;
    let squares = squares.squares()?;
    let found = output(py, None, Ix1(boards.len()))?;
    let mut writing = writable(&found)?;
    let flips = writing.as_slice_mut()?;
    in_pieces(py, boards.len(), |from, to| {
        batch::flips(Tier::best(), &boards[from..to], &squares[from..to], &mut flips[from..to]);
        // On an occupied square nothing is flipped, whatever lies around it.
        for ((flips, [own, opponent]), square) in
            flips[from..to].iter_mut().zip(&boards[from..to]).zip(&squares[from..to])
        {
            if *square < batch::PASS && (own | opponent) >> square & 1 == 1 {
                *flips = 0;
            }
        }
        Ok(())
    })?;
    Ok(found)
}

#[pyfunction]
#[pyo3(signature = (boards, squares, size=8, out=None))]
pub(crate) fn words_play<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    squares: &Bound<'py, PyAny>,
    size: usize,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Array<'py, u64, Ix2>> {
    let size = compact(size)?;
    let boards = Boards::new(boards, size)?;
    let boards = boards.words()?;
    let squares = Squares::new(squares, boards.len())?;
    let squares = squares.squares()?;
    let illegal = |from: usize, error: batch::IllegalAt| {
        let named = batch::IllegalAt { at: from + error.at, ..error };
        IllegalMoveError::new_err(named.to_string())
    };
    if out.is_some() {
        // Nothing of what was given is changed unless everything is right.
        in_pieces(py, boards.len(), |from, to| {
            let checked = batch::check(Tier::best(), &boards[from..to], &squares[from..to], size);
            checked.map_err(|error| illegal(from, error))
        })?;
    }
    let found = output(py, out, Ix2(boards.len(), 2))?;
    let mut writing = writable(&found)?;
    let next = writing.as_slice_mut()?.as_chunks_mut().0;
    in_pieces(py, boards.len(), |from, to| {
        let played =
            batch::play(Tier::best(), &boards[from..to], &squares[from..to], size, &mut next[from..to]);
        played.map_err(|error| illegal(from, error))
    })?;
    Ok(found)
}

#[pyfunction]
#[pyo3(signature = (boards, size=8))]
pub(crate) fn words_over<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    size: usize,
) -> PyResult<Array<'py, bool, Ix1>> {
    let size = compact(size)?;
    let boards = Boards::new(boards, size)?;
    let boards = boards.words()?;
    let found = output(py, None, Ix1(boards.len()))?;
    let mut writing = writable(&found)?;
    let over = writing.as_slice_mut()?;
    in_pieces(py, boards.len(), |from, to| {
        batch::over(Tier::best(), &boards[from..to], size, &mut over[from..to]);
        Ok(())
    })?;
    Ok(found)
}

#[pyfunction]
#[pyo3(signature = (boards, size=8))]
pub(crate) fn words_scores<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    size: usize,
) -> PyResult<Array<'py, i8, Ix1>> {
    let size = compact(size)?;
    let boards = Boards::new(boards, size)?;
    let boards = boards.words()?;
    let found = output(py, None, Ix1(boards.len()))?;
    let mut writing = writable(&found)?;
    let scores = writing.as_slice_mut()?;
    in_pieces(py, boards.len(), |from, to| {
        batch::scores(Tier::best(), &boards[from..to], size, &mut scores[from..to]);
        Ok(())
    })?;
    Ok(found)
}

pub(crate) fn symmetry_numbered(number: usize) -> PyResult<Symmetry> {
    let named = || PyIndexError::new_err(format!("symmetries are numbered from 0 to 7, not {number}"));
    Symmetry::ALL.get(number).copied().ok_or_else(named)
}

#[pyfunction]
#[pyo3(signature = (boards, symmetry, size=8))]
pub(crate) fn words_transform<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    symmetry: usize,
    size: usize,
) -> PyResult<Array<'py, u64, Ix2>> {
    let (size, symmetry) = (compact(size)?, symmetry_numbered(symmetry)?);
    turned(py, boards, size, |boards, out| batch::transformed(Tier::best(), boards, symmetry, size, out))
}

#[pyfunction]
#[pyo3(signature = (boards, size=8))]
pub(crate) fn words_canonical<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    size: usize,
) -> PyResult<Array<'py, u64, Ix2>> {
    let size = compact(size)?;
    turned(py, boards, size, |boards, out| batch::canonical(Tier::best(), boards, size, out))
}

/// Boards made of boards, one of each.
fn turned<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    size: Size,
    turn: impl Fn(&[Words], &mut [Words]) + Send + Sync,
) -> PyResult<Array<'py, u64, Ix2>> {
    let boards = Boards::new(boards, size)?;
    let boards = boards.words()?;
    let found = output(py, None, Ix2(boards.len(), 2))?;
    let mut writing = writable(&found)?;
    let out = writing.as_slice_mut()?.as_chunks_mut().0;
    in_pieces(py, boards.len(), |from, to| {
        turn(&boards[from..to], &mut out[from..to]);
        Ok(())
    })?;
    Ok(found)
}

#[pyfunction]
#[pyo3(signature = (boards, weights=None))]
pub(crate) fn words_evaluate<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    weights: Option<&Weights>,
) -> PyResult<Array<'py, f32, Ix1>> {
    let boards = Boards::new(boards, Size::EIGHT)?;
    let boards = boards.words()?;
    let learned = judge(weights);
    let found = output(py, None, Ix1(boards.len()))?;
    let mut writing = writable(&found)?;
    let values = writing.as_slice_mut()?;
    in_pieces(py, boards.len(), |from, to| {
        const BLOCK: usize = 4096;
        let mut scores = [Score(0); BLOCK];
        for (boards, values) in boards[from..to].chunks(BLOCK).zip(values[from..to].chunks_mut(BLOCK)) {
            let scores = &mut scores[..boards.len()];
            learned.scores(Tier::best(), boards, scores);
            for (value, score) in values.iter_mut().zip(scores) {
                *value = score.0 as f32 / Score::PER_DISC as f32;
            }
        }
        Ok(())
    })?;
    Ok(found)
}

#[pyfunction]
pub(crate) fn words_features<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
) -> PyResult<Array<'py, u16, Ix2>> {
    let boards = Boards::new(boards, Size::EIGHT)?;
    let boards = boards.words()?;
    let found = output(py, None, Ix2(boards.len(), PLACES))?;
    let mut writing = writable(&found)?;
    let features = writing.as_slice_mut()?.as_chunks_mut::<PLACES>().0;
    in_pieces(py, boards.len(), |from, to| {
        let mut all = [[0; LANES]];
        for (board, features) in boards[from..to].iter().zip(&mut features[from..to]) {
            Learned::fillings(std::slice::from_ref(board), &mut all);
            features.copy_from_slice(&all[0][..PLACES]);
        }
        Ok(())
    })?;
    Ok(found)
}

/// The position with these discs, Black to move.
fn position([own, opponent]: Words, size: Size) -> Option<Position> {
    let grid = GridPosition::new(Grid::from_word(own), Grid::from_word(opponent), Color::Black, size)?;
    Position::try_from(&grid).ok()
}

/// Memory for what a thread remembers while it solves a position, in megabytes.
const SOLVER_TABLE: usize = 4;

#[pyfunction]
#[pyo3(signature = (boards, size=8, threads=1, outcome=false))]
pub(crate) fn words_solve<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    size: usize,
    threads: usize,
    outcome: bool,
) -> PyResult<Array<'py, i8, Ix1>> {
    let size = compact(size)?;
    if !(1..=1024).contains(&threads) {
        return Err(PyValueError::new_err(format!("threads are from 1 to 1024, not {threads}")));
    }
    let boards = Boards::new(boards, size)?;
    let boards = boards.words()?;
    let aim = if outcome { Aim::Outcome } else { Aim::Score };
    let found = output(py, None, Ix1(boards.len()))?;
    let mut writing = writable(&found)?;
    let scores = writing.as_slice_mut()?;
    let no_memory = |_| PyMemoryError::new_err("there is no memory for the tables of the solver");
    let threads = threads.min(boards.len().max(1));
    let tables: Vec<Table> =
        (0..threads).map(|_| Table::new(SOLVER_TABLE).map_err(no_memory)).collect::<PyResult<_>>()?;
    let stop = Stop::new();
    let next = AtomicUsize::new(0);
    // Each thread takes the next board; what it finds does not depend on which thread it is.
    let solve = |table: &Table| {
        let solver = Solver { aim, ..Solver::new(Learned::embedded(), table, &stop) };
        let mut solved = Vec::new();
        while let at = next.fetch_add(1, Ordering::Relaxed)
            && at < boards.len()
            && !stop.is_requested()
        {
            let score = position(boards[at], size)
                .map_or(0, |position| Problem::new(position).score(&solver.solve(&position, &mut ())));
            // Of a game that is over the solver knows the score all the same.
            let score = if outcome { 2 * score.signum() } else { score };
            solved.push((at, score as i8));
        }
        solved
    };
    let solved = done_beside(py, &stop, || {
        thread::scope(|scope| {
            let workers: Vec<_> = tables.iter().map(|table| scope.spawn(|| solve(table))).collect();
            workers.into_iter().flat_map(|worker| worker.join().unwrap_or_default()).collect::<Vec<_>>()
        })
    })?;
    for (at, score) in solved {
        scores[at] = score;
    }
    Ok(found)
}

/// Random games of these numbers.
struct RandomGames<'a> {
    start: Board,
    size: Size,
    seed: u64,
    first: usize,
    moves: &'a mut [u8],
    scores: &'a mut [i8],
}

impl Task for RandomGames<'_> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let plies = self.size.cells() - 4;
        for (number, (moves, score)) in self.moves.chunks_mut(plies).zip(self.scores).enumerate() {
            // An odd multiplier: no two games share a seed.
            let game = (self.first + number) as u64;
            let mut dice = Dice::new(self.seed.wrapping_add(game.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
            let mut at = 0;
            moves.fill(u8::MAX);
            let end = batch::random_game(
                kernel,
                self.start,
                self.size,
                |bound| dice.below(bound),
                |square| {
                    if let Some(ply) = moves.get_mut(at) {
                        *ply = square;
                    }
                    at += 1;
                },
            );
            batch::scores(
                kernel.tier(),
                &[[end.own.0, end.opponent.0]],
                self.size,
                std::slice::from_mut(score),
            );
        }
    }
}

#[pyfunction]
#[pyo3(signature = (count, seed=0, size=8))]
pub(crate) fn words_random_games<'py>(
    py: Python<'py>,
    count: usize,
    seed: u64,
    size: usize,
) -> PyResult<(Array<'py, u8, Ix2>, Array<'py, i8, Ix1>)> {
    let size = compact(size)?;
    let plies = size.cells() - 4;
    let start = Position::try_from(&GridPosition::start(size)).map(|position| position.board());
    let start = start.map_err(|error| PyValueError::new_err(error.to_string()))?;
    let (moves, scores) = (output(py, None, Ix2(count, plies))?, output(py, None, Ix1(count))?);
    let (mut moves_written, mut scores_written) = (writable(&moves)?, writable(&scores)?);
    let (all, results) = (moves_written.as_slice_mut()?, scores_written.as_slice_mut()?);
    /// Games between two looks at the keyboard.
    const GAMES: usize = 1 << 14;
    for first in (0..count).step_by(GAMES) {
        let last = count.min(first + GAMES);
        let (moves, scores) = (&mut all[first * plies..last * plies], &mut results[first..last]);
        py.detach(|| Tier::best().run(RandomGames { start, size, seed, first, moves, scores }));
        py.check_signals()?;
    }
    Ok((moves, scores))
}

#[pyfunction]
#[pyo3(signature = (boards, size=8))]
pub(crate) fn planes_of_words<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    size: usize,
) -> PyResult<Array<'py, i8, Ix4>> {
    let size = compact(size)?;
    let side = usize::from(size.get());
    let boards = Boards::new(boards, size)?;
    let boards = boards.words()?;
    let found = output(py, None, Ix4(boards.len(), 2, side, side))?;
    let mut writing = writable(&found)?;
    let planes = writing.as_slice_mut()?;
    let cells = size.cells();
    in_pieces(py, boards.len(), |from, to| {
        let pieces = planes[2 * cells * from..2 * cells * to].chunks_exact_mut(cells);
        for (word, plane) in boards[from..to].as_flattened().iter().zip(pieces) {
            spread(*word, side, plane);
        }
        Ok(())
    })?;
    Ok(found)
}

#[pyfunction]
#[pyo3(signature = (sets, size=8))]
pub(crate) fn masks_of_words<'py>(
    py: Python<'py>,
    sets: numpy::PyReadonlyArray1<'py, u64>,
    size: usize,
) -> PyResult<Array<'py, i8, Ix3>> {
    let size = compact(size)?;
    let side = usize::from(size.get());
    let found = output(py, None, Ix3(sets.as_array().len(), side, side))?;
    let mut writing = writable(&found)?;
    let planes = writing.as_slice_mut()?.chunks_exact_mut(size.cells());
    for (set, plane) in sets.as_array().iter().zip(planes) {
        spread(*set, side, plane);
    }
    Ok(found)
}
