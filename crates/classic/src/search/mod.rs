//! Looking ahead: the searches that students learn, over any board and any evaluator.

mod beam;
mod iterative;
mod mcts;
mod method;
mod simple;
mod table;
mod walk;

use std::time::Duration;

use emilia_query::{Report, Value};
use emilia_rules::{
    GridPosition, Kernel, Move, Objective, Playable, Point, Portable, Position, Setup, Status, Task, Tier,
};

pub use method::Method;

use crate::control::{Control, Meter};
use crate::evaluator::WithEvaluator;
use crate::listener::Listening;
use crate::steps::StepRecorder;
use crate::trace::Recorder;
use crate::tree::minimax_nodes;
use crate::{Dice, Ending, Evaluate, Evaluator, Order, Steps, TraceLimits, Tree, View};
use walk::{Judgement, Walk};

/// A way to choose a move: how to look ahead, and how to judge what is found there.
///
/// ```
/// use emilia_classic::{Control, Dice, Evaluator, Search};
/// use emilia_query::Value;
/// use emilia_rules::{GridPosition, Size};
///
/// let search = Search { evaluator: Evaluator::Judge, ..Search::alphabeta(5) };
/// let start = GridPosition::start(Size::SIX);
/// let report = search.run(&start, &mut Dice::new(0), &mut Control::unlimited());
/// assert_eq!(report.best_move().unwrap().to_string(), "c2");
/// assert_eq!(report.value(), Some(Value::Points(7.0)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Search {
    /// How to look ahead.
    pub method: Method,
    /// How to judge positions where the search goes no further.
    pub evaluator: Evaluator,
    /// In which order to try moves.
    pub order: Order,
    /// What finished games are worth.
    pub ending: Ending,
    /// Whether most or fewest discs win.
    pub objective: Objective,
    /// Whether a position that several orders of moves lead to is searched only once, at the same depth.
    pub transpositions: bool,
}

/// Deepest search there is. No search gets there; the limit keeps the stack small where moves are few.
pub const MAX_DEPTH: u32 = 100;

/// Most positions whose moves are generated to tell how much work pruning saved: about a second on the largest board.
const COUNTING_STEPS: u64 = 1 << 19;

impl Search {
    /// This method, with the evaluator, order and ending that are usual.
    #[must_use]
    pub fn new(method: Method) -> Search {
        Search {
            method,
            evaluator: Evaluator::Kukreja,
            order: Order::default(),
            ending: Ending::default(),
            objective: Objective::default(),
            transpositions: false,
        }
    }

    /// Plain minimax.
    #[must_use]
    pub fn minimax(depth: u32) -> Search {
        Search::new(Method::Minimax { depth })
    }

    /// Minimax that leaves out what cannot matter.
    #[must_use]
    pub fn alphabeta(depth: u32) -> Search {
        Search::new(Method::AlphaBeta { depth })
    }

    /// Alpha-beta that scouts.
    #[must_use]
    pub fn negascout(depth: u32) -> Search {
        Search::new(Method::Negascout { depth })
    }

    /// Alpha-beta, deeper and deeper until time is up.
    #[must_use]
    pub fn iterative(time: Duration) -> Search {
        Search::new(Method::Iterative { time, depth: MAX_DEPTH, split: false })
    }

    /// A narrow random tree.
    #[must_use]
    pub fn beam(depth: u32, width: u32) -> Search {
        Search::new(Method::Beam { depth, width })
    }

    /// Monte Carlo tree search.
    #[must_use]
    pub fn mcts(playouts: u32) -> Search {
        Search::new(Method::Mcts { playouts, exploration: std::f64::consts::SQRT_2 })
    }

    /// Chooses a move.
    pub fn run<P: Playable>(&self, position: &P, dice: &mut Dice, control: &mut Control<'_>) -> Report {
        self.start(position, dice, control, None, Board::Fastest)
    }

    /// What a finished game is worth to the side whose turn it would be.
    #[must_use]
    pub fn finished<P: Playable>(&self, over: &P) -> Value {
        let won = |result: f64| if self.objective == Objective::Fewest { 0.0 - result } else { result };
        match self.method {
            Method::Mcts { .. } => Value::Games(won(Ending::WinLossDraw.worth(over) / Ending::WIN)),
            _ => Value::Points(won(self.ending.worth(over))),
        }
    }

    /// The search that values the position after a move as this one values the position before it, within this time:
    /// one ply less. Fixed depths deepen step by step, so that there is an answer whenever time is up. Nothing if it
    /// does not value positions.
    #[must_use]
    pub fn reply(&self, time: Duration) -> Option<Search> {
        let method = match self.method {
            Method::Minimax { depth: 0 | 1 }
            | Method::AlphaBeta { depth: 0 | 1 }
            | Method::Negascout { depth: 0 | 1 }
            | Method::Iterative { depth: 0 | 1, .. } => Method::AlphaBeta { depth: 0 },
            Method::Minimax { depth }
            | Method::AlphaBeta { depth }
            | Method::Negascout { depth }
            | Method::Iterative { depth, .. } => Method::Iterative { time, depth: depth - 1, split: false },
            Method::Beam { depth, width } => Method::Beam { depth: depth.saturating_sub(1).max(1), width },
            Method::Mcts { .. } => self.method,
            Method::Random | Method::First | Method::Greedy => return None,
        };
        Some(Search { method, ..*self })
    }

    /// Chooses a move and keeps the tree that was searched.
    ///
    /// Of an iterative search that is the tree of the last complete depth. Methods that search no tree of this kind
    /// (`mcts` and the players that do not look ahead) give a tree of the root alone.
    pub fn trace<P: Playable>(
        &self,
        position: &P,
        limits: TraceLimits,
        dice: &mut Dice,
        control: &mut Control<'_>,
    ) -> (Report, Tree) {
        let mut recorder = Recorder::new(position.turn(), limits);
        let report = match self.method {
            Method::Iterative { split: false, .. } => {
                let report = self.run(position, dice, control);
                let last = Search { method: Method::AlphaBeta { depth: report.depth }, ..*self };
                last.start(position, dice, &mut Control::unlimited(), Some(&mut recorder), Board::Fastest);
                report
            }
            _ => self.start(position, dice, control, Some(&mut recorder), Board::Fastest),
        };
        let mut tree = recorder.finish(&report);
        if matches!(
            self.method,
            Method::AlphaBeta { .. } | Method::Negascout { .. } | Method::Iterative { split: false, .. }
        ) {
            tree.unpruned = minimax_nodes(position, report.depth, COUNTING_STEPS);
        }
        (report, tree)
    }

    /// Chooses a move and keeps every step of the way, at most so many; a search that takes more is stopped there.
    ///
    /// ```
    /// use emilia_classic::{Control, Dice, Evaluator, Search, Step};
    /// use emilia_rules::{GridPosition, Size};
    ///
    /// let search = Search { evaluator: Evaluator::Disc, ..Search::alphabeta(3) };
    /// let start = GridPosition::start(Size::MIN);
    /// let (report, steps) = search.steps(&start, 1000, &mut Dice::new(0), &mut Control::unlimited());
    /// let entered = steps.iter().filter(|step| matches!(step, Step::Enter { .. })).count();
    /// assert_eq!(entered as u64, report.nodes);
    /// ```
    pub fn steps(
        &self,
        position: &GridPosition,
        most: usize,
        dice: &mut Dice,
        control: &mut Control<'_>,
    ) -> (Report, Steps) {
        let mut recorder = StepRecorder::new(*position, most, self.transpositions);
        let report = self.start_on_grid(*position, dice, control, Some(&mut recorder), Board::Fastest);
        (report, recorder.finish())
    }

    fn start<P: Playable>(
        &self,
        position: &P,
        dice: &mut Dice,
        control: &mut Control<'_>,
        listener: Listening<'_>,
        board: Board,
    ) -> Report {
        let Some(position) = on_grid(position) else {
            // No disc at all: there is nothing to look for.
            return Meter::start(control, true).report(None, false);
        };
        self.start_on_grid(position, dice, control, listener, board)
    }

    /// Not generic, so that the searches, one for each board, evaluator and processor, are compiled in this crate and
    /// not again in every program that calls them.
    fn start_on_grid(
        &self,
        position: GridPosition,
        dice: &mut Dice,
        control: &mut Control<'_>,
        listener: Listening<'_>,
        board: Board,
    ) -> Report {
        Tier::best().run(Job { search: self, position, dice, control, listener, board })
    }
}

/// The position as the searches take it. Only a board without discs is none.
fn on_grid<P: Playable>(position: &P) -> Option<GridPosition> {
    let mut setup = Setup::empty(position.size());
    setup.turn = position.turn();
    for (color, discs) in
        [position.turn(), !position.turn()].into_iter().zip([position.own(), position.opponent()])
    {
        for square in discs {
            setup.put(square.into(), Some(color)).ok()?;
        }
    }
    setup.position().ok()
}

/// Which representation of the board a search uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Board {
    /// Words of 64 bits where the board is small enough.
    Fastest,
    /// The representation that fits every size. The slow twin, for tests.
    #[cfg(test)]
    Grid,
}

/// A search about to be done with the best kernel.
struct Job<'j, 'a> {
    search: &'j Search,
    position: GridPosition,
    dice: &'j mut Dice,
    control: &'j mut Control<'a>,
    listener: Listening<'j>,
    board: Board,
}

impl Task for Job<'_, '_> {
    type Output = Report;

    fn run<K: Kernel>(self, kernel: K) -> Report {
        match Position::try_from(&self.position) {
            Ok(position) if self.board == Board::Fastest => self.on(&position, kernel),
            _ => {
                // The rows of a large board are not made of what the kernels speed up.
                let position = self.position;
                self.on(&position, Portable)
            }
        }
    }
}

impl Job<'_, '_> {
    fn on<P: Playable, K: Kernel>(self, position: &P, kernel: K) -> Report {
        let meter = Meter::start(self.control, position.size().is_compact());
        match self.search.method {
            Method::Random => simple::random(position, self.dice, meter),
            Method::First => simple::first(position, meter),
            Method::Greedy => simple::greedy(position, self.search.objective, meter),
            Method::Mcts { playouts, exploration } => {
                let objective = self.search.objective;
                let games = mcts::RandomGames { count: playouts, exploration, objective };
                mcts::run(position, kernel, games, self.dice, meter, self.listener)
            }
            _ => {
                let Job { search, dice, listener, .. } = self;
                let ahead = LookAhead { search, position, kernel, dice, meter, listener };
                search.evaluator.ready(position.size(), ahead)
            }
        }
    }
}

/// A search of a tree with leaves to evaluate, on a board of a known type.
struct LookAhead<'j, 'c, 'a, P, K> {
    search: &'j Search,
    position: &'j P,
    kernel: K,
    dice: &'j mut Dice,
    meter: Meter<'c, 'a>,
    listener: Listening<'j>,
}

impl<P: Playable, K: Kernel> WithEvaluator<P> for LookAhead<'_, '_, '_, P, K> {
    type Output = Report;

    fn run<E: Evaluate<P>>(self, evaluator: E) -> Report {
        let kernel = self.kernel;
        self.with(&|position, placements| {
            kernel.enter(
                #[inline(always)]
                || evaluator.score(&View::with_placements(position, placements)),
            )
        })
    }
}

impl<P: Playable, K: Kernel> LookAhead<'_, '_, '_, P, K> {
    fn with(self, evaluator: Judgement<'_, P>) -> Report {
        let LookAhead { search, position, kernel, dice, meter, listener } = self;
        let groups = search.order.groups::<P>(position.size());
        let mut walk = Walk::new(kernel, evaluator, groups, search, meter, listener, dice);
        match search.method {
            Method::Minimax { depth } => walk.fixed_depth(position, depth, walk::Pruning::Off),
            Method::AlphaBeta { depth } | Method::Negascout { depth } => {
                walk.fixed_depth(position, depth, walk::Pruning::On)
            }
            Method::Beam { depth, width } => walk.beam(position, depth, width),
            Method::Iterative { time, depth, split: false } => walk.deepen(position, time, depth),
            Method::Iterative { time, depth, split: true } => walk.split_time(position, time, depth),
            Method::Mcts { .. } | Method::Random | Method::First | Method::Greedy => {
                walk.report(position, false, false)
            }
        }
    }
}

/// The first legal move in row-major order: what is played when nothing better is known.
pub(crate) fn first_move<P: Playable>(position: &P) -> Option<Move<Point>> {
    match position.status() {
        Status::ToPlace => position.placements().into_iter().next().map(|square| Move::Place(square.into())),
        Status::MustPass => Some(Move::Pass),
        Status::Over(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use emilia_rules::{Size, SquareSet};

    /// Both representations of a small board must give the same search, node for node.
    #[test]
    fn the_slow_board_agrees_with_the_fast_one() {
        let mut dice = Dice::new(77);
        for size in [4, 6, 8] {
            for evaluator in Evaluator::all() {
                let mut position = GridPosition::start(Size::new(size).unwrap());
                for _ in 0..dice.below(30) {
                    let placements = position.placements();
                    if let Some(square) = placements.into_iter().nth(dice.below(placements.count()) as usize)
                    {
                        position = position.placed(square);
                    }
                }
                let methods = [
                    Method::Minimax { depth: 2 },
                    Method::AlphaBeta { depth: 4 },
                    Method::Negascout { depth: 4 },
                    Method::Beam { depth: 5, width: 2 },
                    Method::Mcts { playouts: 30, exploration: 1.0 },
                    Method::Random,
                    Method::Greedy,
                ];
                for method in methods {
                    let search = Search { evaluator, order: Order::Rings, ..Search::new(method) };
                    let run = |board| {
                        let control = &mut Control::unlimited();
                        let report = search.start(&position, &mut Dice::new(5), control, None, board);
                        Report { time: Duration::ZERO, ..report }
                    };
                    assert_eq!(run(Board::Fastest), run(Board::Grid), "{method} {evaluator} {position}");
                }
            }
        }
    }

    #[test]
    fn a_board_without_discs_has_no_move() {
        let nothing = emilia_rules::Board {
            own: emilia_rules::Bitboard::EMPTY,
            opponent: emilia_rules::Bitboard::EMPTY,
        };
        let position = Position::new(nothing, emilia_rules::Color::Black).unwrap();
        for method in
            [Method::AlphaBeta { depth: 3 }, Method::Random, Method::Mcts { playouts: 3, exploration: 1.0 }]
        {
            let report = Search::new(method).run(&position, &mut Dice::new(1), &mut Control::unlimited());
            assert_eq!(report.best(), None);
        }
    }
}
