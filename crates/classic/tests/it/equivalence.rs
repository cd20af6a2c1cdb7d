//! Alpha-beta leaves out work, never a result.

use crate::common::random_position;
use emilia_classic::{Control, Dice, Ending, Evaluator, Order, Search, tree::minimax_nodes};
use emilia_query::{Report, Value};
use emilia_rules::{GridPosition, Playable, Size};

fn run(search: Search, position: &GridPosition) -> Report {
    search.run(position, &mut Dice::new(0), &mut Control::unlimited())
}

/// Minimax in its plainest form, without anything of ours but the evaluator: value to the side to move, and the first
/// best move in row-major order.
fn plain(position: &GridPosition, depth: u32, evaluator: Evaluator) -> (f64, Option<String>) {
    if position.is_over() {
        let counts = position.counts();
        let difference = counts.of(position.turn()) as f64 - counts.of(!position.turn()) as f64;
        return (if difference == 0.0 { 0.0 } else { difference.signum() * Ending::WIN }, None);
    }
    if depth == 0 {
        return (evaluator.score(position), None);
    }
    let mut best = (f64::NEG_INFINITY, None);
    for mv in position.moves() {
        let value = -plain(&position.play(mv).unwrap(), depth - 1, evaluator).0;
        if value > best.0 {
            best = (value, Some(mv.to_string()));
        }
    }
    best
}

#[test]
fn minimax_is_what_the_textbook_says() {
    let mut dice = Dice::new(11);
    for size in [4, 6, 8, 10] {
        for evaluator in Evaluator::all() {
            for depth in 1..=3 {
                let position = random_position(Size::new(size).unwrap(), &mut dice);
                let report = run(Search { evaluator, ..Search::minimax(depth) }, &position);
                let (value, best) = plain(&position, depth, evaluator);
                let value = best.as_ref().map(|_| Value::Points(value));
                assert_eq!(report.value(), value, "{evaluator} {depth} {position}");
                assert_eq!(report.best_move().map(|mv| mv.to_string()), best);
            }
        }
    }
}

#[test]
fn alphabeta_gives_value_and_move_of_minimax() {
    let mut dice = Dice::new(5);
    let mut compared = 0;
    let mut saved = (0, 0);
    for (size, trials, deepest) in [(4, 90, 4), (6, 90, 4), (8, 60, 4), (10, 30, 3)] {
        for evaluator in Evaluator::all() {
            for trial in 0..trials {
                let position = random_position(Size::new(size).unwrap(), &mut dice);
                for depth in 1..=deepest {
                    // Not every trial can afford the widest trees.
                    let affordable = minimax_nodes(&position, depth, 1500).is_some();
                    if !affordable && trial > 1 {
                        break;
                    }
                    let order = if trial % 2 == 0 { Order::RowMajor } else { Order::Rings };
                    let ending = if trial % 3 == 0 { Ending::Margin } else { Ending::WinLossDraw };
                    let with = |search| run(Search { evaluator, order, ending, ..search }, &position);
                    let (full, pruned) = (with(Search::minimax(depth)), with(Search::alphabeta(depth)));
                    let found = |report: &Report| (report.value(), report.best_move());
                    assert_eq!(found(&full), found(&pruned), "{evaluator} {depth} {position}");
                    assert!(pruned.nodes <= full.nodes);
                    saved = (saved.0 + pruned.nodes, saved.1 + full.nodes);
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 5000, "only {compared} searches were compared");
    assert!(saved.0 * 2 < saved.1, "alpha-beta visits {} of {} nodes", saved.0, saved.1);
}

#[test]
fn the_best_line_leads_to_the_score() {
    let mut dice = Dice::new(17);
    for _ in 0..60 {
        let position = random_position(Size::EIGHT, &mut dice);
        let report = run(Search::alphabeta(4), &position);
        let mut end = position;
        for mv in report.line() {
            end = end.play(*mv).expect("the line is made of legal moves");
        }
        let sign = if end.turn() == position.turn() { 1.0 } else { -1.0 };
        if report.line().len() == 4 && !end.is_over() {
            assert_eq!(report.value(), Some(Value::Points(sign * Evaluator::Kukreja.score(&end))));
        } else {
            assert!(end.is_over());
        }
    }
}

#[test]
fn the_whole_game_on_4x4_is_lost_by_eight() {
    let start = GridPosition::start(Size::MIN);
    let search = Search { ending: Ending::Margin, order: Order::Rings, ..Search::alphabeta(20) };
    let report = run(search, &start);
    assert_eq!(report.value(), Some(Value::Points(-Ending::WIN - 8.0)));
    assert!(report.is_exact());
}

#[test]
fn a_won_game_outranks_every_evaluation() {
    for size in Size::all() {
        let mut dice = Dice::new(u64::from(size.get()));
        for _ in 0..5 {
            let position = random_position(size, &mut dice);
            for evaluator in Evaluator::all() {
                let score = evaluator.score(&position);
                assert!(!Ending::is_decided(score), "{evaluator}: {score}");
            }
        }
    }
    let heavy = emilia_classic::Genes::new([1e5; 6]).unwrap();
    for size in Size::all() {
        // One colour everywhere but on one square is as lopsided as a board can be.
        let mut cells = "X".repeat(size.cells() - 1);
        cells.push_str("- X");
        let position = cells.parse::<emilia_rules::Setup>().unwrap().position().unwrap();
        assert!(!Ending::is_decided(Evaluator::Genes(heavy).score(&position)), "{size}");
    }
}
