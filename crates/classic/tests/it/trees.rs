//! A tree that is written down is the tree that was searched.

use crate::common::random_position;
use emilia_classic::tree::{Kind, WindowEnd, minimax_nodes};
use emilia_classic::{Control, Dice, Evaluator, Method, Search, TraceLimits, Tree};
use emilia_query::Bound;
use emilia_rules::{GridPosition, Move, Playable, Point, Size};

const EVERYTHING: TraceLimits = TraceLimits { nodes: usize::MAX, depth: u32::MAX };

fn trace(search: Search, position: &GridPosition, limits: TraceLimits) -> Tree {
    let (report, tree) = search.trace(position, limits, &mut Dice::new(9), &mut Control::unlimited());
    let plain = search.run(position, &mut Dice::new(9), &mut Control::unlimited());
    assert_eq!((&report.moves, report.nodes), (&plain.moves, plain.nodes));
    assert_eq!(tree.line, report.line());
    tree
}

fn position_of(tree: &Tree, root: &GridPosition, index: usize) -> GridPosition {
    let node = &tree.nodes[index];
    match (node.parent, node.mv) {
        (Some(parent), Some(mv)) => {
            position_of(tree, root, parent).play(mv).expect("only legal moves are tried")
        }
        _ => *root,
    }
}

#[test]
fn every_move_is_tried_pruned_or_not_drawn() {
    let mut dice = Dice::new(41);
    for round in 0..30 {
        let root = random_position(Size::new([4, 6, 8, 10][round % 4]).unwrap(), &mut dice);
        for search in [Search::minimax(2), Search::alphabeta(3), Search::beam(4, 2)] {
            let tree = trace(search, &root, EVERYTHING);
            assert_eq!(tree.visited, tree.nodes.len() as u64);
            assert_eq!(tree.unrecorded, 0);
            for (index, node) in tree.nodes.iter().enumerate() {
                assert_eq!(node.visit, index as u64 + 1);
                let position = position_of(&tree, &root, index);
                assert_eq!(node.side, position.turn());
                assert_eq!(node.kind == Kind::Max, position.turn() == root.turn());
                if node.children.is_empty() {
                    assert_eq!(node.is_over, position.is_over());
                    continue;
                }
                let tried = node.children.iter().filter_map(|child| tree.nodes[*child].mv);
                let mut moves: Vec<Move<Point>> =
                    tried.chain(node.pruned.clone()).chain(node.undrawn.clone()).collect();
                moves.sort();
                assert_eq!(moves, position.moves().collect::<Vec<_>>());
            }
        }
    }
}

#[test]
fn a_cut_says_why() {
    let mut dice = Dice::new(42);
    let mut cuts = 0;
    for _ in 0..20 {
        let root = random_position(Size::EIGHT, &mut dice);
        let tree = trace(Search { evaluator: Evaluator::Judge, ..Search::alphabeta(3) }, &root, EVERYTHING);
        for node in &tree.nodes {
            let Some(cut) = node.cut else {
                assert!(node.pruned.is_empty());
                continue;
            };
            cuts += 1;
            let value = node.value.unwrap();
            let by = &tree.nodes[cut.by.unwrap()];
            assert_eq!((by.value, by.mv), (Some(value), cut.by_move));
            assert_eq!(node.children.last().copied(), cut.by);
            let holder = &tree.nodes[cut.held_by.unwrap()];
            assert_ne!(holder.kind, node.kind);
            match cut.end {
                WindowEnd::Beta => {
                    assert_eq!((node.kind, cut.limit, node.bound), (Kind::Max, node.beta, Bound::Lower));
                    assert!(value >= cut.limit);
                }
                WindowEnd::Alpha => {
                    assert_eq!((node.kind, cut.limit, node.bound), (Kind::Min, node.alpha, Bound::Upper));
                    assert!(value <= cut.limit);
                }
            }
        }
    }
    assert!(cuts > 100);
}

#[test]
fn what_is_said_about_a_value_is_true() {
    let mut dice = Dice::new(43);
    for _ in 0..15 {
        let root = random_position(Size::SIX, &mut dice);
        let tree = trace(Search::alphabeta(4), &root, EVERYTHING);
        for (index, node) in tree.nodes.iter().enumerate().step_by(7) {
            let position = position_of(&tree, &root, index);
            let search = Search::minimax(4 - node.ply);
            let true_value = search.run(&position, &mut dice, &mut Control::unlimited()).value();
            let sign = if node.kind == Kind::Max { 1.0 } else { -1.0 };
            let true_value = sign * true_value.unwrap_or_else(|| search.finished(&position)).number();
            let value = node.value.unwrap();
            match node.bound {
                Bound::Exact => assert_eq!(value, true_value),
                Bound::Lower => assert!(true_value >= value),
                Bound::Upper => assert!(true_value <= value),
            }
        }
    }
}

#[test]
fn a_limited_tree_counts_the_rest() {
    let root = GridPosition::default();
    let all = trace(Search::alphabeta(5), &root, EVERYTHING);
    for limits in [TraceLimits { nodes: 50, depth: u32::MAX }, TraceLimits { nodes: 1000, depth: 2 }] {
        let some = trace(Search::alphabeta(5), &root, limits);
        assert!(some.nodes.len() <= limits.nodes);
        assert!(some.nodes.iter().all(|node| node.ply <= limits.depth));
        assert_eq!(some.visited, all.visited);
        assert_eq!(some.nodes.len() as u64 + some.unrecorded, all.visited);
        assert_eq!(some.nodes[0].unrecorded, some.unrecorded);
        for node in &some.nodes {
            let same = &all.nodes[node.visit as usize - 1];
            assert_eq!((node.mv, node.value, node.bound), (same.mv, same.value, same.bound));
        }
    }
}

#[test]
fn an_iterative_search_shows_its_last_depth() {
    let time = std::time::Duration::from_secs(3600);
    let search = Search::new(Method::Iterative { time, depth: 4, split: false });
    let root = GridPosition::default();
    let (report, tree) = search.trace(&root, EVERYTHING, &mut Dice::new(1), &mut Control::unlimited());
    let direct = trace(Search::alphabeta(4), &root, EVERYTHING);
    assert_eq!(report.depth, 4);
    assert_eq!(tree, direct);
    assert_eq!(tree.unpruned, Some(1 + 4 + 12 + 56 + 244));
    assert_eq!(tree.unpruned, minimax_nodes(&root, 4, u64::MAX));
    assert!(tree.visited < 317);
}

#[test]
fn pictures_are_well_formed() {
    let mut dice = Dice::new(44);
    for round in 0..12 {
        let root = random_position(Size::new([4, 8, 12][round % 3]).unwrap(), &mut dice);
        for search in [Search::alphabeta(2), Search::beam(3, 2), Search::new(Method::Random)] {
            let limits = TraceLimits { nodes: 60, depth: 3 };
            let (_, tree) = search.trace(&root, limits, &mut dice, &mut Control::unlimited());
            let json: serde_json::Value = serde_json::from_str(&tree.to_json()).unwrap();
            assert_eq!(json["nodes"].as_array().unwrap().len(), tree.nodes.len());
            assert_eq!(json["visited"].as_u64(), Some(tree.visited));

            let svg = tree.to_svg("a < b & \"c\"");
            assert!(svg.contains("a &lt; b &amp; &quot;c&quot;"));
            for tag in ["svg", "text", "g", "title", "style"] {
                let opened =
                    svg.matches(&format!("<{tag} ")).count() + svg.matches(&format!("<{tag}>")).count();
                assert_eq!(opened, svg.matches(&format!("</{tag}>")).count(), "{tag}");
            }
            let shapes = svg.matches("<polygon").count() + svg.matches("rx=\"8\"").count();
            assert_eq!(shapes, tree.nodes.len() + 2);
            assert!(!svg.contains("NaN") && !svg.contains("inf"));

            let dot = tree.to_dot("a \"b\"");
            assert_eq!(dot.matches('{').count(), dot.matches('}').count());
            for index in 0..tree.nodes.len() {
                assert!(dot.contains(&format!("  n{index} [shape=")));
            }
            let visits = tree.to_text().lines().filter(|line| line.contains("  #")).count();
            assert_eq!(visits, tree.nodes.len());
        }
    }
}
