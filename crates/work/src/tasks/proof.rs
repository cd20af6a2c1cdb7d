use std::collections::HashMap;

use emilia_eval::Learned;
use emilia_query::{Report, Stop};
use emilia_record::{board, read_position};
use emilia_rules::{Board, GridPosition, Playable, Position, SquareSet, Status};
use emilia_search::{Problem, Solver, Table};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Found, Job, Needed, Summary, require};
use crate::error::TaskError;
use crate::{Done, WorkError};

/// A position to be solved by solving what it leads to after some plies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProofTask {
    /// The position, as any format has it, or moves.
    pub position: String,
    /// Plies after which subproblems begin.
    pub plies: u32,
    /// Megabytes of memory for each.
    pub hash: u32,
}

/// What the position leads to. Positions that are the same but for symmetry are one.
pub(crate) struct ProofJob {
    root: Position,
    plies: u32,
    hash: u32,
    /// Every position after its continuations; the last is the root.
    nodes: Vec<Node>,
    /// The subproblems.
    leaves: Vec<Position>,
}

/// Which node a board is.
type Known = HashMap<Board, usize>;

/// A position of the tree.
enum Node {
    /// The game is over: the score for the side to move.
    Over(i32),
    /// A subproblem: its number.
    Leaf(usize),
    /// What it leads to.
    Inner(Vec<Edge>),
}

/// A continuation, and whether the same side is to move there because the other had to pass.
struct Edge {
    node: usize,
    again: bool,
}

/// What is known of a score.
#[derive(Clone, Copy, PartialEq)]
struct Interval {
    low: i32,
    high: i32,
}

/// Most positions of a proof, subproblems included.
const MOST: usize = 200_000;
/// Most plies before subproblems.
const MAX_PLIES: u64 = 20;
/// Most memory of a subproblem, in megabytes.
const MAX_HASH: u64 = 1 << 20;

impl ProofTask {
    pub(super) fn job(&self) -> Result<ProofJob, WorkError> {
        let grid = read_position(&self.position).map_err(TaskError::from)?;
        let root = Position::try_from(&grid).map_err(TaskError::from)?;
        for (what, least, most, given) in [
            ("the memory of a subproblem in megabytes", 1, MAX_HASH, self.hash),
            ("the number of plies before subproblems", 0, MAX_PLIES, self.plies),
        ] {
            if !(least..=most).contains(&u64::from(given)) {
                return Err(TaskError::Range { what, least, most, given: given.into() }.into());
            }
        }
        let mut job =
            ProofJob { root, plies: self.plies, hash: self.hash, nodes: Vec::new(), leaves: Vec::new() };
        let (start, _) = to_place(root);
        job.node(start, self.plies, &mut HashMap::new())?;
        if job.leaves.is_empty() { Err(TaskError::Nothing("subproblems").into()) } else { Ok(job) }
    }
}

/// The position where somebody can place a disc, or the game is over, and whether the side to move had to pass.
fn to_place(position: Position) -> (Position, bool) {
    if position.status() == Status::MustPass { (position.passed(), true) } else { (position, false) }
}

impl ProofJob {
    /// Adds a position and what it leads to; says which node it is.
    fn node(&mut self, position: Position, plies: u32, known: &mut Known) -> Result<usize, TaskError> {
        // Each placement takes an empty square, so that equal boards are equally many plies from the root.
        let canonical = position.board().canonical(position.size()).0;
        if let Some(node) = known.get(&canonical) {
            return Ok(*node);
        }
        if self.nodes.len() == MOST {
            return Err(TaskError::TooMany(self.plies, MOST));
        }
        let node = if position.is_over() {
            Node::Over(Problem::new(position).score(&Report::default()))
        } else if plies == 0 {
            self.leaves.push(position);
            Node::Leaf(self.leaves.len() - 1)
        } else {
            self.inner(&position, plies, known)?
        };
        self.nodes.push(node);
        known.insert(canonical, self.nodes.len() - 1);
        Ok(self.nodes.len() - 1)
    }

    fn inner(&mut self, position: &Position, plies: u32, known: &mut Known) -> Result<Node, TaskError> {
        let placed = position.placements().into_iter().map(|square| position.placed(square));
        let mut next: Vec<Position> = placed.collect();
        // Where the other side has few moves the best ones often are; what comes first may make the rest superfluous.
        next.sort_by_key(|next| next.placements().count());
        let mut edges = Vec::with_capacity(next.len());
        for next in next {
            let (next, again) = to_place(next);
            edges.push(Edge { node: self.node(next, plies - 1, known)?, again });
        }
        Ok(Node::Inner(edges))
    }

    /// What is known of every node, by the scores that subproblems have.
    fn intervals(&self, found: &dyn Found) -> Result<Vec<Interval>, WorkError> {
        let most = self.root.size().cells() as i32;
        let mut intervals = vec![Interval { low: -most, high: most }; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            let exact = |score: i32| Interval { low: score, high: score };
            match node {
                Node::Over(score) => intervals[at] = exact(*score),
                Node::Leaf(leaf) => {
                    if let Some(score) = found.note(*leaf as u64)?.and_then(|note| note["score"].as_i64()) {
                        intervals[at] = exact(score as i32);
                    }
                }
                Node::Inner(edges) => intervals[at] = best(edges, &intervals),
            }
        }
        Ok(intervals)
    }

    /// Marks the subproblems on which the score of this node still depends if only scores within the window matter.
    fn mark(&self, node: usize, window: Interval, intervals: &[Interval], needed: &mut [bool]) {
        let known = intervals[node];
        if known.low == known.high || known.low >= window.high || known.high <= window.low {
            return;
        }
        match &self.nodes[node] {
            Node::Over(_) => {}
            Node::Leaf(leaf) => needed[*leaf] = true,
            Node::Inner(edges) => {
                // What one continuation is sure to give, the others have to beat.
                let low = window.low.max(known.low);
                for edge in edges {
                    let inner = Interval { low, high: window.high }.seen(edge);
                    self.mark(edge.node, inner, intervals, needed);
                }
            }
        }
    }

    /// Which subproblems the score of the root still depends on.
    fn open(&self, found: &dyn Found) -> Result<Vec<bool>, WorkError> {
        let intervals = self.intervals(found)?;
        let mut needed = vec![false; self.leaves.len()];
        let most = self.root.size().cells() as i32;
        // One beyond the largest scores, so that these are inside.
        self.mark(self.nodes.len() - 1, Interval { low: -most - 1, high: most + 1 }, &intervals, &mut needed);
        Ok(needed)
    }
}

impl Interval {
    /// The same for the side to move at the end of this edge; and back.
    fn seen(self, edge: &Edge) -> Interval {
        if edge.again { self } else { Interval { low: -self.high, high: -self.low } }
    }
}

/// The best of what a position leads to.
fn best(edges: &[Edge], intervals: &[Interval]) -> Interval {
    let seen = || edges.iter().map(|edge| intervals[edge.node].seen(edge));
    let low = seen().map(|interval| interval.low).max().unwrap_or_default();
    Interval { low, high: seen().map(|interval| interval.high).max().unwrap_or_default() }
}

impl Job for ProofJob {
    fn units(&self) -> u64 {
        self.leaves.len() as u64
    }

    fn title(&self, unit: u64) -> String {
        self.leaves.get(unit as usize).map_or_else(String::new, Position::to_string)
    }

    fn run(&self, unit: u64, stop: &Stop) -> Result<Option<Done>, WorkError> {
        let position = &self.leaves[unit as usize];
        let table = Table::new(self.hash as usize)?;
        let report = Solver::new(Learned::embedded(), &table, stop).solve(position, &mut ());
        if report.stopped {
            return Ok(None);
        }
        let score = Problem::new(*position).score(&report);
        let mut text = Vec::new();
        let line = json!({
            "position": position.to_string(),
            "score": score,
            "move": report.best_move().map(|mv| mv.to_string()),
            "nodes": report.nodes,
        });
        super::put_line(&mut text, &line);
        Ok(Some(Done {
            files: vec![(format!("units/{unit:06}.jsonl"), text)],
            note: json!({ "score": score }),
        }))
    }

    /// Those whose score cannot change the root's any more are not.
    fn needed(&self, found: &dyn Found) -> Result<Needed, WorkError> {
        Ok(Needed::Those(self.open(found)?))
    }

    /// The score alone: which of the subproblems were solved depends on who was quicker, and it does not matter.
    fn merge(&self, found: &dyn Found) -> Result<Summary, WorkError> {
        require(self, found)?;
        let root = self.intervals(found)?.last().map_or(0, |root| root.low);
        let passed = self.root.status() == Status::MustPass;
        let about = json!({
            "position": board::write(&GridPosition::from(self.root)),
            "plies": self.plies,
            "subproblems": self.leaves.len(),
            "score": if passed { -root } else { root },
        });
        let mut text = Vec::new();
        super::put_line(&mut text, &about);
        Ok(Summary { files: vec![("proof.json".to_owned(), text)], about })
    }
}
