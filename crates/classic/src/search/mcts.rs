//! Monte Carlo tree search (UCT): no evaluator, only the results of random games.

use emilia_query::{Report, Value};
use emilia_rules::{Kernel, Move, Objective, Playable, Point, SquareSet};

use super::first_move;
use super::simple::any_placement;
use crate::Dice;
use crate::control::{Found, Meter, Stopped};
use crate::listener::{Listening, RandomGame};

/// Most nodes kept. A tree that is full grows no more, but goes on learning.
const MAX_NODES: usize = 1 << 21;

/// A position in the tree, known by the move that leads to it.
struct Node<S> {
    mv: Option<S>,
    /// Where its children begin, and how many there are; 0 as long as it has not grown any.
    first_child: u32,
    children: u32,
    visits: u32,
    /// Results of the games through this node for the side that moved to it: 1 a win, ½ a draw, 0 a loss.
    points: f64,
}

impl<S> Node<S> {
    fn new(mv: Option<S>) -> Node<S> {
        Node { mv, first_child: 0, children: 0, visits: 0, points: 0.0 }
    }
}

struct Tree<'j, 'c, 'a, P: Playable, K> {
    kernel: K,
    nodes: Vec<Node<P::Square>>,
    /// The nodes from the root to the one where the random game begins.
    path: Vec<u32>,
    games: RandomGames,
    dice: &'j mut Dice,
    meter: Meter<'c, 'a>,
    listener: Listening<'j>,
}

/// How many random games, how they are spread, and who wins them.
#[derive(Clone, Copy)]
pub(super) struct RandomGames {
    pub(super) count: u32,
    pub(super) exploration: f64,
    pub(super) objective: Objective,
}

/// Plays random games until there are enough or time is up; the move tried most is the best.
///
/// The score is the mean result, from −1 (every game lost) to 1 (every game won).
pub(super) fn run<P: Playable, K: Kernel>(
    position: &P,
    kernel: K,
    games: RandomGames,
    dice: &mut Dice,
    meter: Meter<'_, '_>,
    listener: Listening<'_>,
) -> Report {
    let nodes = vec![Node::new(None)];
    let mut tree = Tree { kernel, nodes, path: Vec::new(), games, dice, meter, listener };
    let over = position.is_over();
    let stopped = tree.begin(position).is_err()
        || (0..if over { 0 } else { games.count.max(1) }).any(|_| tree.playout(position).is_err());
    let value = tree.best_child(0).map(|child| Value::Games(tree.nodes[child].mean() * 2.0 - 1.0));
    tree.meter.report(Found::new(tree.line(), first_move(position), value, false), stopped)
}

impl<S> Node<S> {
    fn mean(&self) -> f64 {
        if self.visits == 0 { 0.5 } else { self.points / f64::from(self.visits) }
    }
}

impl<P: Playable, K: Kernel> Tree<'_, '_, '_, P, K> {
    /// The root, which is there before the first game.
    fn begin(&mut self, root: &P) -> Result<(), Stopped> {
        self.meter.node(0)?;
        match &mut self.listener {
            Some(listener) => listener.enter(root.turn(), f64::NEG_INFINITY, f64::INFINITY),
            None => Ok(()),
        }
    }

    /// One random game: down the tree, then at random to the end, then the result back up.
    fn playout(&mut self, root: &P) -> Result<(), Stopped> {
        self.meter.check()?;
        let kernel = self.kernel;
        kernel.enter(
            #[inline(always)]
            || self.play(root),
        )
    }

    #[inline(always)]
    fn play(&mut self, root: &P) -> Result<(), Stopped> {
        // 1. Select: follow the children that promise most, down to one that has none yet.
        let mut position = root.clone();
        let mut at = 0;
        self.path.clear();
        self.path.push(0);
        loop {
            if self.nodes[at].children == 0 {
                // 2. Expand: a node that is reached the second time grows its children.
                if (self.nodes[at].visits == 0 && at != 0) || !self.grow(at, &position)? {
                    break;
                }
            }
            at = self.select(at);
            if let Some(listener) = &mut self.listener {
                listener.select(at)?;
            }
            position = match self.nodes[at].mv {
                Some(square) => position.placed(square),
                None => position.passed(),
            };
            self.path.push(at as u32);
        }
        // 3. Simulate: play at random to the end.
        let turn = position.turn();
        let (end, plies) = self.play_out(position)?;
        let difference = end.own().count() as i32 - end.opponent().count() as i32;
        let gain = match self.games.objective {
            Objective::Most => difference.signum(),
            Objective::Fewest => -difference.signum(),
        };
        let own_points = f64::from(gain) * 0.5 + 0.5;
        let points_of_turn = if end.turn() == turn { own_points } else { 1.0 - own_points };
        if let Some(listener) = &mut self.listener {
            let (own, opponent) = (end.own().count(), end.opponent().count());
            let discs = if end.turn() == root.turn() { (own, opponent) } else { (opponent, own) };
            let points = if end.turn() == root.turn() { own_points } else { 1.0 - own_points };
            listener.played_out(&RandomGame { points, discs, plies });
        }
        // 4. Tell everyone on the way back: the points belong to the side that moved to a node.
        let mut points = 1.0 - points_of_turn;
        for at in self.path.iter().rev() {
            let node = &mut self.nodes[*at as usize];
            node.visits += 1;
            node.points += points;
            points = 1.0 - points;
        }
        Ok(())
    }

    /// Gives a node its children; false if the game is over there or the tree is full.
    #[inline(always)]
    fn grow(&mut self, at: usize, position: &P) -> Result<bool, Stopped> {
        let first = self.nodes.len();
        if first >= MAX_NODES {
            return Ok(false);
        }
        let placements = position.placements();
        self.nodes.extend(placements.into_iter().map(|square| Node::new(Some(square))));
        if placements.is_empty() && !position.passed().placements().is_empty() {
            self.nodes.push(Node::new(None));
        }
        let grown = self.nodes.len() - first;
        if let Some(listener) = &mut self.listener {
            let moves = self.nodes[first..].iter().map(|node| node.mv.map_or(Move::Pass, place));
            listener.grow(&mut moves.collect::<Vec<_>>().into_iter());
        }
        self.nodes[at].first_child = first as u32;
        self.nodes[at].children = grown as u32;
        for _ in 0..grown {
            self.meter.node(self.path.len())?;
        }
        Ok(grown > 0)
    }

    /// The child with the highest upper confidence bound; those never tried come first.
    #[inline(always)]
    fn select(&self, at: usize) -> usize {
        let node = &self.nodes[at];
        let log = f64::from(node.visits.max(1)).ln();
        let (mut best, mut highest) = (node.first_child as usize, f64::NEG_INFINITY);
        for child in node.first_child as usize..(node.first_child + node.children) as usize {
            let visits = f64::from(self.nodes[child].visits);
            if visits == 0.0 {
                return child;
            }
            let bound = self.nodes[child].mean() + self.games.exploration * (log / visits).sqrt();
            if bound > highest {
                (best, highest) = (child, bound);
            }
        }
        best
    }

    /// The end of a random game from here, and how many discs were placed until then.
    #[inline(always)]
    fn play_out(&mut self, mut position: P) -> Result<(P, u32), Stopped> {
        let mut passed_before = false;
        let mut plies = 0;
        loop {
            self.meter.work()?;
            match any_placement(position.placements(), self.dice) {
                Some(square) => {
                    position = position.placed(square);
                    passed_before = false;
                    plies += 1;
                }
                None if passed_before => return Ok((position, plies)),
                None => {
                    position = position.passed();
                    passed_before = true;
                }
            }
        }
    }

    /// The child tried most; the first of several.
    fn best_child(&self, at: usize) -> Option<usize> {
        let node = &self.nodes[at];
        let children = node.first_child as usize..(node.first_child + node.children) as usize;
        let best = children.rev().max_by_key(|child| self.nodes[*child].visits)?;
        (self.nodes[best].visits > 0).then_some(best)
    }

    /// The moves tried most, one after the other.
    fn line(&self) -> Vec<Move<Point>> {
        let mut line = Vec::new();
        let mut at = 0;
        while let Some(child) = self.best_child(at) {
            line.push(self.nodes[child].mv.map_or(Move::Pass, place));
            at = child;
        }
        line
    }
}

/// The move that places a disc here.
fn place<S: Into<Point>>(square: S) -> Move<Point> {
    Move::Place(square.into())
}
