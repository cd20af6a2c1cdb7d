use std::fmt;
use std::time::Duration;

/// How to look ahead, or not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// Every move, every answer, to a fixed depth.
    Minimax {
        /// Plies to look ahead; a pass is one.
        depth: u32,
    },
    /// The same result as minimax, without the branches that cannot change it.
    AlphaBeta {
        /// Plies to look ahead; a pass is one.
        depth: u32,
    },
    /// Alpha-beta that trusts the order of moves: the first is searched, the others are only asked whether they are
    /// better, and searched again if they are.
    Negascout {
        /// Plies to look ahead; a pass is one.
        depth: u32,
    },
    /// Alpha-beta to depth 1, 2, 3 … until time is up. A depth that was not finished does not count.
    Iterative {
        /// Time for the move.
        time: Duration,
        /// Plies to look ahead at most.
        depth: u32,
        /// Instead of deepening, go down at once and give every branch an even share of the time that is left.
        split: bool,
    },
    /// Alpha-beta on a tree in which every position keeps only some of its moves, drawn at random: the better a move
    /// looks, the likelier it is kept.
    Beam {
        /// Plies to look ahead.
        depth: u32,
        /// Moves kept.
        width: u32,
    },
    /// Monte Carlo tree search: plays random games to the end and grows a tree towards the moves that win most.
    Mcts {
        /// Random games for the move, if time allows.
        playouts: u32,
        /// How much moves that were tried little are favoured.
        exploration: f64,
    },
    /// Any legal move.
    Random,
    /// The first legal move, row by row.
    First,
    /// The move that flips most discs; of several the upper one, then the left one.
    Greedy,
}

impl Method {
    /// Every name there is.
    pub const NAMES: [&'static str; 9] =
        ["minimax", "alphabeta", "negascout", "iterative", "beam", "mcts", "random", "first", "greedy"];

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Method::Minimax { .. } => "minimax",
            Method::AlphaBeta { .. } => "alphabeta",
            Method::Negascout { .. } => "negascout",
            Method::Iterative { .. } => "iterative",
            Method::Beam { .. } => "beam",
            Method::Mcts { .. } => "mcts",
            Method::Random => "random",
            Method::First => "first",
            Method::Greedy => "greedy",
        }
    }

    /// Whether it goes through a tree whose steps can be shown: not the players that do not look ahead.
    #[must_use]
    pub fn has_steps(&self) -> bool {
        self.evaluates() || matches!(self, Method::Mcts { .. })
    }

    /// Whether it judges positions with an evaluator.
    #[must_use]
    pub fn evaluates(&self) -> bool {
        !matches!(self, Method::Mcts { .. } | Method::Random | Method::First | Method::Greedy)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
