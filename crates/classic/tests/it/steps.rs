//! The steps of a search, replayed, are the search: its value, its nodes, its cut-offs.

use std::collections::{HashMap, HashSet};

use crate::common::random_position;
use emilia_classic::{
    Control, CutReason, Dice, Entry, Evaluator, Leaf, Method, Order, Search, Step, Steps, TraceLimits,
    tree::WindowEnd,
};
use emilia_query::{Bound, Report};
use emilia_rules::{GridPosition, Move, Playable, Point, Setup, Size};

const EVERYTHING: usize = usize::MAX;

fn steps(search: Search, position: &GridPosition) -> (Report, Steps) {
    let (report, steps) = search.steps(position, EVERYTHING, &mut Dice::new(9), &mut Control::unlimited());
    let plain = search.run(position, &mut Dice::new(9), &mut Control::unlimited());
    assert_eq!((&report.moves, report.nodes), (&plain.moves, plain.nodes), "watching changes nothing");
    (report, steps)
}

/// A node as the steps tell it.
#[derive(Debug)]
struct Node {
    parent: Option<usize>,
    mv: Option<Move<Point>>,
    position: GridPosition,
    window: (f64, f64),
    value: Option<(f64, Bound)>,
    entry: Entry,
    /// How far below the root it was when it was entered last, and what was found in it each time it was left.
    plies: usize,
    found: Vec<Found>,
    children: Vec<usize>,
    best: Option<f64>,
    left_out: Vec<Move<Point>>,
    visits: u32,
    points: f64,
}

/// What was found when a node was left, and how far below the root it was then.
#[derive(Clone, Copy, Debug)]
struct Found {
    plies: usize,
    value: f64,
    bound: Bound,
}

impl Found {
    /// Whether this is all that a search within the window wants to know.
    fn answers(self, (alpha, beta): (f64, f64)) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value >= beta,
            Bound::Upper => self.value <= alpha,
        }
    }
}

/// The steps gone through again: nothing but what they say.
#[derive(Default)]
struct Replay {
    nodes: Vec<Node>,
    /// Nodes of trees that were given up for a deeper one.
    before: usize,
    path: Vec<usize>,
    cuts: usize,
    known: usize,
    joins: usize,
    /// Nodes that were searched again, and those of them that were searched to another depth before.
    again: usize,
    other_depth: usize,
    /// Whether a node was just joined, so that the next step tells what comes of it.
    joined: bool,
    scouts: usize,
    researches: usize,
    game: Option<f64>,
}

impl Replay {
    fn of(steps: &Steps, root: GridPosition) -> Replay {
        let mut replay = Replay::default();
        for step in steps.iter() {
            replay.step(&step, root);
        }
        replay
    }

    fn current(&mut self) -> &mut Node {
        let at = *self.path.last().expect("a node is open") - self.before;
        &mut self.nodes[at]
    }

    fn add(&mut self, node: Node) -> usize {
        let index = self.nodes.len() + self.before;
        if let Some(parent) = node.parent {
            self.nodes[parent - self.before].children.push(index);
        }
        self.nodes.push(node);
        index
    }

    fn leave(&mut self, value: f64, bound: Bound) {
        let plies = self.path.len() - 1;
        let node = self.current();
        node.value = Some((value, bound));
        node.found.push(Found { plies, value, bound });
        self.path.pop();
    }

    /// A move leads to a node that is there already.
    fn join(&mut self, node: usize, mv: Move<Point>, entry: Entry, window: (f64, f64)) {
        self.joins += 1;
        let reached = self.current().position.play(mv).expect("only legal moves are tried");
        let plies = self.path.len();
        assert!(!self.path.contains(&node), "no position comes back");
        self.path.push(node);
        let node = self.current();
        assert_eq!(node.position, reached, "the same position by another way");
        (node.entry, node.window, node.best, node.plies) = (entry, window, None, plies);
        node.left_out.clear();
    }

    /// What comes of a node that was joined: it is left at once where what is known is enough, and only there.
    fn after_join(&mut self, step: &Step) {
        let (plies, node) = (self.path.len() - 1, self.current());
        let window = node.window;
        let before = node.found.iter().rfind(|found| found.plies == plies).copied();
        match step {
            Step::Known { value, bound } => {
                let before = before.expect("it was searched to this depth before");
                assert_eq!((before.value, before.bound), (*value, *bound));
                assert!(before.answers(window), "{before:?} {window:?}");
            }
            Step::Leaf { .. } => (),
            _ => {
                assert!(before.is_none_or(|before| !before.answers(window)), "{before:?} {window:?}");
                self.again += 1;
                self.other_depth += usize::from(before.is_none());
            }
        }
    }

    fn step(&mut self, step: &Step, root: GridPosition) {
        let joined = std::mem::replace(&mut self.joined, matches!(step, Step::Join { .. }));
        if joined {
            self.after_join(step);
        }
        self.follow(step, root);
    }

    fn follow(&mut self, step: &Step, root: GridPosition) {
        match step {
            Step::Deeper(_) => {
                self.before += self.nodes.len();
                self.nodes.clear();
                self.path.clear();
            }
            Step::Enter { entry, mv, alpha, beta, flips } => {
                let parent = self.path.last().copied();
                let position = match mv {
                    Some(mv) => played(&self.current().position, *mv, flips),
                    None => root,
                };
                self.scouts += usize::from(*entry == Entry::Scout);
                self.researches += usize::from(*entry == Entry::Again);
                let plies = self.path.len();
                let node =
                    Node { window: (*alpha, *beta), entry: *entry, plies, ..fresh(parent, *mv, position) };
                let index = self.add(node);
                self.path.push(index);
            }
            Step::Join { entry, node, mv, alpha, beta } => {
                self.scouts += usize::from(*entry == Entry::Scout);
                self.researches += usize::from(*entry == Entry::Again);
                self.join(*node, *mv, *entry, (*alpha, *beta));
            }
            Step::Ranked(moves) => {
                let looks: Vec<f64> = moves.iter().map(|(_, looks)| *looks).collect();
                let max = self.path.len() % 2 == 1;
                assert!(looks.is_sorted_by(|one, next| if max { one >= next } else { one <= next }));
            }
            Step::Drawn(lots) => {
                let count = lots.len() as u32;
                assert!(lots.iter().zip((1..=count).rev()).all(|(lot, lots)| lot.lots == lots));
                let left_out = lots.iter().filter(|lot| !lot.drawn).map(|lot| lot.mv);
                self.current().left_out.extend(left_out);
            }
            Step::Best { value, alpha, beta } => {
                let node = self.current();
                assert!(*alpha >= node.window.0 && *beta <= node.window.1, "a window only narrows");
                (node.best, node.window) = (Some(*value), (*alpha, *beta));
            }
            Step::Cut { end, limit, reason, held_by, untried } => {
                self.cut(*end, *limit, *reason, *held_by, untried)
            }
            Step::Known { value, bound } => {
                self.known += 1;
                self.leave(*value, *bound);
            }
            Step::Leaf { leaf, value } => {
                assert_eq!(self.current().position.is_over(), *leaf == Leaf::Over);
                self.leave(*value, Bound::Exact);
            }
            Step::Leave { value, bound } => self.leave(*value, *bound),
            Step::Grow(moves) => {
                let parent = *self.path.last().expect("a node is open");
                let position = self.current().position;
                for (mv, flips) in moves {
                    self.add(fresh(Some(parent), Some(*mv), played(&position, *mv, flips)));
                }
            }
            Step::Select(node) => {
                assert!(self.current().children.contains(node));
                self.path.push(*node);
            }
            Step::Playout(game) => self.game = Some(game.points),
            Step::BackUp => {
                let points = self.game.take().expect("a game was played");
                for at in std::mem::replace(&mut self.path, vec![0]) {
                    self.nodes[at].visits += 1;
                    self.nodes[at].points += points;
                }
            }
        }
    }

    fn cut(
        &mut self,
        end: WindowEnd,
        limit: f64,
        reason: CutReason,
        held_by: usize,
        untried: &[Move<Point>],
    ) {
        self.cuts += 1;
        assert!(self.path.contains(&held_by), "who holds the bound is above");
        let node = self.current();
        node.left_out.extend(untried);
        let best = node.best.expect("a move was tried");
        match end {
            WindowEnd::Beta => assert!(best >= limit && node.window.1 == limit),
            WindowEnd::Alpha => assert!(best <= limit && node.window.0 == limit),
        }
        if reason == CutReason::Scout {
            let scouts = self.path.iter().filter(|at| self.nodes[**at - self.before].entry == Entry::Scout);
            assert!(scouts.count() > 0);
        }
    }

    fn entered(&self) -> usize {
        self.before + self.nodes.len()
    }
}

fn fresh(parent: Option<usize>, mv: Option<Move<Point>>, position: GridPosition) -> Node {
    Node {
        parent,
        mv,
        position,
        window: (f64::NEG_INFINITY, f64::INFINITY),
        value: None,
        entry: Entry::Full,
        plies: 0,
        found: Vec::new(),
        children: Vec::new(),
        best: None,
        left_out: Vec::new(),
        visits: 0,
        points: 0.0,
    }
}

/// The position after a move, which turns what the step says it turns.
fn played(position: &GridPosition, mv: Move<Point>, flips: &[Point]) -> GridPosition {
    if let Move::Place(point) = mv {
        assert_eq!(position.flips(point).into_iter().collect::<Vec<_>>(), flips);
    }
    position.play(mv).expect("only legal moves are tried")
}

/// Minimax in its plainest form, as Max sees it.
fn plain(position: &GridPosition, depth: u32, search: &Search) -> f64 {
    if position.is_over() {
        return search.finished(position).number();
    }
    if depth == 0 {
        return search.evaluator.score(position);
    }
    let after = |mv| -plain(&position.play(mv).unwrap(), depth - 1, search);
    position.moves().map(after).fold(f64::NEG_INFINITY, f64::max)
}

/// Alpha-beta as textbooks print it, row by row: its value, and how many nodes and cut-offs it has.
fn textbook(
    position: &GridPosition,
    depth: u32,
    (mut alpha, beta): (f64, f64),
    search: &Search,
    counts: &mut (u64, usize),
) -> f64 {
    counts.0 += 1;
    if position.is_over() || depth == 0 {
        return plain(position, 0, search);
    }
    let mut best = f64::NEG_INFINITY;
    let moves: Vec<Move<Point>> = position.moves().collect();
    for (at, mv) in moves.iter().enumerate() {
        let next = position.play(*mv).unwrap();
        best = best.max(-textbook(&next, depth - 1, (-beta, -alpha), search, counts));
        alpha = alpha.max(best);
        if alpha >= beta {
            counts.1 += usize::from(at + 1 < moves.len());
            break;
        }
    }
    best
}

fn root_value(report: &Report, replay: &Replay) -> f64 {
    let (value, bound) = replay.nodes[0].value.expect("the search came to its end");
    assert_eq!(bound, Bound::Exact);
    if let Some(found) = report.value() {
        assert_eq!(found.number(), value);
    }
    value
}

/// Every search that gives the value of minimax.
fn exact_searches(depth: u32, evaluator: Evaluator) -> Vec<Search> {
    let iterative =
        Search::new(Method::Iterative { time: std::time::Duration::from_secs(3600), depth, split: false });
    let methods = [Search::minimax(depth), Search::alphabeta(depth), Search::negascout(depth), iterative];
    let orders = [Order::RowMajor, Order::Rings, Order::Looks];
    let with = |search: Search| {
        orders.into_iter().flat_map(move |order| {
            [false, true].map(|transpositions| Search { evaluator, order, transpositions, ..search })
        })
    };
    methods.into_iter().flat_map(with).collect()
}

#[test]
fn every_exact_search_replayed_gives_the_value_of_minimax_and_its_own_nodes() {
    let mut dice = Dice::new(51);
    let (mut known, mut researches, mut cuts) = (0, 0, 0);
    for round in 0..12 {
        let root = random_position(Size::new([4, 6, 8, 10][round % 4]).unwrap(), &mut dice);
        let evaluator = Evaluator::all()[round % Evaluator::all().len()];
        let depth = if root.size() == Size::MIN { 4 } else { 3 };
        for search in exact_searches(depth, evaluator) {
            let (report, steps) = steps(search, &root);
            let replay = Replay::of(&steps, root);
            assert_eq!((replay.entered() + replay.joins) as u64, report.nodes, "{search:?}");
            assert!(search.transpositions || replay.joins == 0);
            let searched =
                if matches!(search.method, Method::Iterative { .. }) { report.depth } else { depth };
            assert_eq!(root_value(&report, &replay), plain(&root, searched, &search), "{search:?} {root}");
            assert!(replay.path.is_empty());
            let tree = search
                .trace(
                    &root,
                    TraceLimits { nodes: EVERYTHING, depth: u32::MAX },
                    &mut dice,
                    &mut Control::unlimited(),
                )
                .1;
            if !matches!(search.method, Method::Iterative { .. }) {
                assert_eq!(replay.cuts, tree.nodes.iter().filter(|node| node.cut.is_some()).count());
            }
            if search.method == (Method::Minimax { depth }) {
                assert_eq!(replay.cuts, 0);
            }
            known += replay.known;
            researches += replay.researches;
            cuts += replay.cuts;
            assert!(replay.researches <= replay.scouts);
        }
    }
    assert!(known > 100 && researches > 20 && cuts > 1000, "{known} {researches} {cuts}");
}

#[test]
fn what_is_said_about_each_value_is_true() {
    let mut dice = Dice::new(52);
    for round in 0..8 {
        let root = random_position(Size::new([4, 6][round % 2]).unwrap(), &mut dice);
        // An iterative search may have ended before the greatest depth.
        let deepens = |search: &Search| matches!(search.method, Method::Iterative { .. });
        for search in exact_searches(3, Evaluator::Judge).into_iter().filter(|search| !deepens(search)) {
            let replay = Replay::of(&steps(search, &root).1, root);
            for node in replay.nodes.iter().step_by(3) {
                let sign = if node.position.turn() == root.turn() { 1.0 } else { -1.0 };
                let truth = sign * plain(&node.position, 3 - node.plies as u32, &search);
                let (value, bound) = node.value.unwrap();
                match bound {
                    Bound::Exact => assert_eq!(value, truth, "{search:?}"),
                    Bound::Lower => assert!(truth >= value, "{search:?}"),
                    Bound::Upper => assert!(truth <= value, "{search:?}"),
                }
            }
        }
    }
}

#[test]
fn positions_that_are_the_same_are_one_node() {
    let mut dice = Dice::new(57);
    let random = |round: usize| (random_position(Size::new([4, 6, 8, 10][round % 4]).unwrap(), &mut dice), 4);
    // Two passes more lead to some positions of this one further down.
    let (passes, to_the_end) = ("OX---OX--XX---X- O".parse::<Setup>().unwrap().position().unwrap(), 14);
    let (mut joins, mut known, mut again, mut other_depth) = (0, 0, 0, 0);
    for (root, depth) in (0..8).map(random).chain([(passes, to_the_end)]) {
        let searches = exact_searches(depth, Evaluator::Judge);
        for search in searches.into_iter().filter(|search| search.transpositions) {
            let replay = Replay::of(&steps(search, &root).1, root);
            let positions: HashSet<GridPosition> = replay.nodes.iter().map(|node| node.position).collect();
            assert_eq!(positions.len(), replay.nodes.len(), "{search:?} {root}");
            for node in replay.nodes.iter().step_by(7) {
                assert_eq!(by_first_way(&replay, node, root), node.position);
            }
            joins += replay.joins;
            known += replay.known;
            again += replay.again;
            other_depth += replay.other_depth;
        }
    }
    assert!(joins > 10_000 && known > 1000 && again > 300, "{joins} {known} {again}");
    assert!(other_depth > 10, "{other_depth}");
}

/// The position after the moves of the first way to a node, by the rules alone.
fn by_first_way(replay: &Replay, node: &Node, root: GridPosition) -> GridPosition {
    let parent = |node: &&Node| node.parent.map(|parent| &replay.nodes[parent - replay.before]);
    let mut way: Vec<Move<Point>> =
        std::iter::successors(Some(node), parent).filter_map(|node| node.mv).collect();
    way.reverse();
    way.into_iter().fold(root, |position, mv| position.play(mv).expect("only legal moves are tried"))
}

#[test]
fn alphabeta_has_the_nodes_and_cuts_of_the_one_in_textbooks() {
    let mut dice = Dice::new(53);
    for round in 0..30 {
        let root = random_position(Size::new([4, 6, 8][round % 3]).unwrap(), &mut dice);
        let search = Search { evaluator: Evaluator::all()[round % 9], ..Search::alphabeta(4) };
        let (report, steps) = steps(search, &root);
        let replay = Replay::of(&steps, root);
        let mut counts = (0, 0);
        let value = textbook(&root, 4, (f64::NEG_INFINITY, f64::INFINITY), &search, &mut counts);
        assert_eq!((report.nodes, replay.cuts), counts);
        assert_eq!(root_value(&report, &replay), value);
    }
}

#[test]
fn a_beam_tries_what_it_draws_and_tells_what_it_does_not() {
    let mut dice = Dice::new(54);
    for round in 0..20 {
        let root = random_position(Size::new([6, 8, 10][round % 3]).unwrap(), &mut dice);
        let (report, steps) = steps(Search::beam(4, 2), &root);
        let replay = Replay::of(&steps, root);
        assert_eq!(replay.entered() as u64, report.nodes);
        root_value(&report, &replay);
        for node in replay.nodes.iter().filter(|node| !node.children.is_empty()) {
            let tried = node.children.iter().filter_map(|child| replay.nodes[*child].mv);
            let mut moves: Vec<Move<Point>> = tried.chain(node.left_out.iter().copied()).collect();
            moves.sort();
            assert_eq!(moves, node.position.moves().collect::<Vec<_>>());
        }
    }
}

#[test]
fn monte_carlo_games_add_up() {
    let mut dice = Dice::new(55);
    for round in 0..9 {
        let root = random_position(Size::new([4, 6, 8][round % 3]).unwrap(), &mut dice);
        let (report, steps) = steps(Search::mcts(60), &root);
        let replay = Replay::of(&steps, root);
        assert_eq!(replay.entered() as u64, report.nodes);
        assert_eq!(replay.nodes[0].visits, if root.is_over() { 0 } else { 60 });
        let most = replay.nodes[0].children.iter().rev().max_by_key(|child| replay.nodes[**child].visits);
        let Some(best) = most.map(|child| &replay.nodes[*child]) else { continue };
        assert_eq!(report.best_move(), best.mv);
        let mean = best.points / f64::from(best.visits);
        assert_eq!(report.value().unwrap().number(), mean * 2.0 - 1.0);
        for node in replay.nodes.iter().filter(|node| !node.children.is_empty()) {
            let below: u32 = node.children.iter().map(|child| replay.nodes[*child].visits).sum();
            let here = u32::from(node.parent.is_some());
            assert_eq!(node.visits, below + here, "a game ends in the node when it is reached first");
        }
    }
}

#[test]
fn a_search_with_too_many_steps_is_stopped_there() {
    let root = GridPosition::default();
    for search in [Search::alphabeta(6), Search::negascout(6), Search::mcts(100_000), Search::beam(10, 3)] {
        let (report, steps) = search.steps(&root, 500, &mut Dice::new(1), &mut Control::unlimited());
        assert!(report.stopped, "{search:?}");
        assert!(report.best_move().is_some());
        assert!((500..700).contains(&steps.len()), "{}", steps.len());
        let json: serde_json::Value = serde_json::from_str(&steps.to_json()).unwrap();
        assert_eq!(json["letters"].as_str().unwrap().len(), steps.len());
        assert_eq!(json["cells"].as_str().unwrap().len(), 64);
        assert_eq!(json["side"], "black");
    }
}

#[test]
fn what_a_component_counts_on_the_board_adds_up_to_what_it_says() {
    let mut dice = Dice::new(56);
    let mut names: HashMap<&str, u32> = HashMap::new();
    for size in Size::all() {
        for _ in 0..6 {
            let position = random_position(size, &mut dice);
            for evaluator in Evaluator::all() {
                for component in evaluator.breakdown(&position, position.turn()).components {
                    let squares = evaluator.on_board(&position, component.name);
                    let sum = |own| -> f64 {
                        squares.iter().filter(|it| it.own == own).map(|it| f64::from(it.points)).sum()
                    };
                    assert_eq!((sum(true), sum(false)), (component.own, component.opponent), "{evaluator}");
                    *names.entry(component.name).or_default() += u32::from(!squares.is_empty());
                }
            }
        }
    }
    assert_eq!(names.len(), 11);
    assert!(names.values().all(|times| *times > 0), "{names:?}");
}
