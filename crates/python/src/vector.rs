use emilia_engine::Dice;
use emilia_rules::batch::{Words, random_answer};
use emilia_rules::{Bitboard, Board, GridPosition, Kernel, Objective, Position, Size, SquareSet, Task, Tier};
use numpy::{Ix1, Ix2, Ix4, PyArray, PyReadonlyArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{compact, output, spread, whole, writable};
use crate::board::{objective_named, start_named};

type Array<'py, T, D> = Bound<'py, PyArray<T, D>>;
/// What a step comes to: planes, legal moves, rewards, and whether games are over.
type Stepped<'py> = (Array<'py, i8, Ix4>, Array<'py, i8, Ix2>, Array<'py, f64, Ix1>, Array<'py, bool, Ix1>);

/// Games against random opponents, many in step. `emilia.envs` makes an environment of them.
#[pyclass(module = "emilia")]
pub(crate) struct VectorGames {
    size: Size,
    start: Board,
    objective: Objective,
    /// Whether the reward is the margin in discs, not only who has won.
    discs: bool,
    /// Which side the learner has: the first to move, the second, or each in turn.
    side: Side,
    games: Vec<Table>,
}

/// One game of many: the board as the learner sees it.
struct Table {
    board: Board,
    moves: Bitboard,
    over: bool,
    /// Games played at this table.
    played: u64,
    dice: Dice,
}

#[derive(Clone, Copy)]
enum Side {
    First,
    Second,
    InTurn,
}

/// The dice of a table; an odd multiplier, so that no two tables share a seed.
fn dice(seed: u64, table: usize) -> Dice {
    Dice::new(seed.wrapping_add((table as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)))
}

#[pymethods]
impl VectorGames {
    #[new]
    #[pyo3(signature = (count, size=8, start="standard", objective="most", reward="wdl", side="black"))]
    fn new(
        count: usize,
        size: usize,
        start: &str,
        objective: &str,
        reward: &str,
        side: &str,
    ) -> PyResult<VectorGames> {
        /// More than any machine has memory for is a slip of the pen.
        const MOST: usize = 1 << 24;
        if !(1..=MOST).contains(&count) {
            return Err(PyValueError::new_err(format!("games are from 1 to {MOST}, not {count}")));
        }
        let size = compact(size)?;
        let first = GridPosition::start_as(size, start_named(start)?);
        let first = Position::try_from(&first).map_err(|error| PyValueError::new_err(error.to_string()))?;
        let discs = match reward {
            "wdl" => false,
            "discs" => true,
            _ => {
                return Err(PyValueError::new_err(format!("reward {reward:?} is neither 'wdl' nor 'discs'")));
            }
        };
        let side = match side {
            "black" => Side::First,
            "white" => Side::Second,
            "alternate" => Side::InTurn,
            _ => {
                let what = format!("color {side:?} is neither 'black' nor 'white' nor 'alternate'");
                return Err(PyValueError::new_err(what));
            }
        };
        let start = first.board();
        let game = |table| Table {
            board: start,
            moves: Bitboard::EMPTY,
            over: true,
            played: 0,
            dice: dice(0, table),
        };
        let games = (0..count).map(game).collect();
        Ok(VectorGames { size, start, objective: objective_named(objective)?, discs, side, games })
    }

    /// Begins all games anew, with dice that begin at this seed.
    fn reset<'py>(
        &mut self,
        py: Python<'py>,
        seed: u64,
    ) -> PyResult<(Array<'py, i8, Ix4>, Array<'py, i8, Ix2>)> {
        for (number, game) in self.games.iter_mut().enumerate() {
            (game.dice, game.played, game.over) = (dice(seed, number), 0, true);
        }
        let (planes, masks, _, _) = self.advance(py, None)?;
        Ok((planes, masks))
    }

    /// Plays a move in every game and lets the opponents answer. A game that was over before begins anew instead; an illegal
    /// move loses.
    fn step<'py>(&mut self, py: Python<'py>, actions: &Bound<'py, PyAny>) -> PyResult<Stepped<'py>> {
        let actions: PyReadonlyArray<'_, i64, Ix1> =
            whole("actions", "an int64 array of shape (n,)", actions)?;
        if actions.len() != self.games.len() {
            let (found, games) = (actions.len(), self.games.len());
            return Err(PyValueError::new_err(format!("{found} actions do not fit {games} games")));
        }
        self.advance(py, Some(actions.as_slice()?))
    }

    /// The boards in words, as the learner sees them.
    fn words<'py>(&self, py: Python<'py>) -> PyResult<Array<'py, u64, Ix2>> {
        let found = output(py, None, Ix2(self.games.len(), 2))?;
        let mut writing = writable(&found)?;
        let words: &mut [Words] = writing.as_slice_mut()?.as_chunks_mut().0;
        for (words, game) in words.iter_mut().zip(&self.games) {
            *words = [game.board.own.0, game.board.opponent.0];
        }
        drop(writing);
        Ok(found)
    }
}

impl VectorGames {
    fn advance<'py>(&mut self, py: Python<'py>, actions: Option<&[i64]>) -> PyResult<Stepped<'py>> {
        let (count, side, cells) = (self.games.len(), usize::from(self.size.get()), self.size.cells());
        let planes = output(py, None, Ix4(count, 2, side, side))?;
        let masks = output(py, None, Ix2(count, cells))?;
        let (rewards, over) = (output(py, None, Ix1(count))?, output(py, None, Ix1(count))?);
        let (mut a, mut b, mut c, mut d) =
            (writable(&planes)?, writable(&masks)?, writable(&rewards)?, writable(&over)?);
        let round = Round {
            games: self,
            actions,
            planes: a.as_slice_mut()?,
            masks: b.as_slice_mut()?,
            rewards: c.as_slice_mut()?,
            over: d.as_slice_mut()?,
        };
        py.detach(|| Tier::best().run(round));
        drop((a, b, c, d));
        Ok((planes, masks, rewards, over))
    }

    /// What the learner has won on a board where the game is over.
    fn reward(&self, board: Board) -> f64 {
        let difference = board.difference();
        let empty = self.size.cells() as i32 - board.occupied().count() as i32;
        let margin = difference + difference.signum() * empty;
        let margin = if self.objective == Objective::Most { margin } else { -margin };
        f64::from(if self.discs { margin } else { margin.signum() })
    }

    fn loss(&self) -> f64 {
        if self.discs { -(self.size.cells() as f64) } else { -1.0 }
    }
}

/// One move in every game.
struct Round<'a> {
    games: &'a mut VectorGames,
    actions: Option<&'a [i64]>,
    planes: &'a mut [i8],
    masks: &'a mut [i8],
    rewards: &'a mut [f64],
    over: &'a mut [bool],
}

impl Task for Round<'_> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let Round { games, actions, planes, masks, rewards, over } = self;
        let (size, side, cells) = (games.size, usize::from(games.size.get()), games.size.cells());
        for at in 0..rewards.len() {
            let action = actions.map_or(-1, |actions| actions[at]);
            rewards[at] = games.turn(kernel, at, action);
            let game = &games.games[at];
            over[at] = game.over;
            let (own, opponent) = planes[2 * cells * at..2 * cells * (at + 1)].split_at_mut(cells);
            spread(game.board.own.0, side, own);
            spread(game.board.opponent.0, side, opponent);
            spread(game.moves.0, side, &mut masks[cells * at..cells * (at + 1)]);
            debug_assert!((game.moves.0 & !Bitboard::region(size).0) == 0, "moves lie on the board");
        }
    }
}

impl VectorGames {
    /// One move in this game, and its reward.
    #[inline(always)]
    fn turn<K: Kernel>(&mut self, kernel: K, at: usize, action: i64) -> f64 {
        let (size, start, side) = (self.size, self.start, self.side);
        let game = &mut self.games[at];
        if game.over {
            let second = match side {
                Side::First => false,
                Side::Second => true,
                Side::InTurn => (game.played + at as u64) % 2 == 1,
            };
            game.played += 1;
            game.over = false;
            (game.board, game.moves) = (start, Bitboard(kernel.moves(start.own.0, start.opponent.0)));
            if second {
                let answered = random_answer(kernel, start, size, |bound| game.dice.below(bound));
                (game.board, game.moves) = (answered.board, answered.moves);
            }
            return 0.0;
        }
        let width = i64::from(size.get());
        let square = if (0..size.cells() as i64).contains(&action) {
            8 * (action / width) + action % width
        } else {
            -1
        };
        if square < 0 || game.moves.0 >> square & 1 == 0 {
            (game.over, game.moves) = (true, Bitboard::EMPTY);
            return self.loss();
        }
        let Board { own, opponent } = game.board;
        let flips = kernel.flips(own.0, opponent.0, square as u32);
        let next =
            Board { own: Bitboard(opponent.0 ^ flips), opponent: Bitboard(own.0 ^ flips ^ (1 << square)) };
        let answered = random_answer(kernel, next, size, |bound| game.dice.below(bound));
        (game.board, game.moves) = (answered.board, answered.moves);
        if game.moves.is_empty() {
            game.over = true;
            let board = game.board;
            return self.reward(board);
        }
        0.0
    }
}
