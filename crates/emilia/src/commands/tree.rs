use clap::Args;
use emilia_classic::TraceLimits;
use emilia_engine::Candidate;
use emilia_query::Query;
use emilia_rules::{GridPosition, Playable, Size};

use crate::files::open_named;
use crate::interrupt::stop_on_interrupt;
use crate::position::{PositionArg, parse_size};
use crate::{Failure, Streams};

/// Show the tree that a search goes through: windows, values, and what alpha-beta leaves out
///
/// Max is the side to move in the position, Min its opponent. Every node shows its window on entry, its value, the
/// order of visits, and what cut it off. The head of the drawing says how many nodes were visited and how many minimax
/// would have. Of an iterative search the tree of the last complete depth is shown. Ctrl-C shows the tree so far.
#[derive(Args)]
#[command(
    name = "tree",
    after_help = "\
Examples:
  emilia tree                                         alpha-beta at the start, as text
  emilia tree f5d6c3 --search alphabeta:depth=4,eval=judge,order=rings
  emilia tree --size 6 --search beam:depth=6,width=2,seed=3
  emilia tree --svg > tree.svg                        a picture for the projector
  emilia tree --dot | dot -Tpdf > tree.pdf            drawn by Graphviz"
)]
pub(crate) struct TreeCommand {
    /// The position: the squares row by row as X, O and -, then the side to move; or the moves of an 8×8 game, such
    /// as f5d6c3 [default: the start]
    #[arg(value_name = "POSITION")]
    position: Option<PositionArg>,

    /// Side of the board whose start is meant: an even number from 4 to 26
    #[arg(long, value_name = "N", value_parser = parse_size, default_value = "8", conflicts_with = "position")]
    size: Size,

    /// The search: minimax, alphabeta, negascout, iterative or beam, with settings as "emilia players" lists them
    #[arg(long, value_name = "PLAYER", default_value = "alphabeta:depth=3")]
    search: String,

    /// Nodes to show at most; the rest is only counted
    #[arg(long, value_name = "N", default_value = "1000")]
    nodes: usize,

    /// Plies to show at most; what is below is only counted
    #[arg(long, value_name = "N")]
    plies: Option<u32>,

    /// Print one JSON object
    #[arg(long, conflicts_with_all = ["svg", "dot"])]
    json: bool,

    /// Print an SVG picture
    #[arg(long, conflicts_with = "dot")]
    svg: bool,

    /// Print a graph for Graphviz
    #[arg(long)]
    dot: bool,
}

/// Most nodes that are kept, so that a slip of the finger does not fill the memory.
const MOST_NODES: usize = 1_000_000;

impl TreeCommand {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let position =
            self.position.as_ref().map_or_else(|| GridPosition::start(self.size), |position| position.0);
        let candidate = Candidate::parse(&self.search, &open_named).map_err(Failure::usage)?;
        let limits =
            TraceLimits { nodes: self.nodes.clamp(1, MOST_NODES), depth: self.plies.unwrap_or(u32::MAX) };
        let stop = stop_on_interrupt();
        let traced = candidate.trace(&Query::new(position), limits, &stop, &mut ());
        let Some((_, tree)) = traced else { return Err(Failure::usage(NoTree(self.search))) };
        let title = format!("{}, {} to move", candidate.name(), position.turn());
        let drawing = match (self.json, self.svg, self.dot) {
            (true, ..) => tree.to_json(),
            (_, true, _) => tree.to_svg(&title),
            (.., true) => tree.to_dot(&title),
            _ => format!("{title}\n{}", tree.to_text()),
        };
        Ok(write!(streams.out, "{drawing}")?)
    }
}

/// A player whose thinking is no tree of values.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0} has no tree to show; minimax, alphabeta, negascout, iterative and beam have")]
struct NoTree(String);
