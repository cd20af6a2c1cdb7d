//! How the players behave.

use crate::common::random_position;
use emilia_classic::{Control, Dice, Duel, Evaluator, Genes, Method, Search};
use emilia_query::{Report, Value};
use emilia_rules::{Color, GridPosition, Outcome, Playable, Setup, Size, SquareSet, Status};

fn run(method: Method, position: &GridPosition, seed: u64) -> Report {
    Search::new(method).run(position, &mut Dice::new(seed), &mut Control::unlimited())
}

fn best(method: Method, cells: &str) -> String {
    let position = cells.parse::<Setup>().unwrap().position().unwrap();
    run(method, &position, 1).best_move().map(|mv| mv.to_string()).unwrap_or_default()
}

#[test]
fn greedy_takes_most_then_the_upper_then_the_left() {
    // c1 flips 1, f3 flips 3.
    assert_eq!(best(Method::Greedy, "XO---- ------ -XOOO- ------ ------ ------ X"), "f3");
    // b2 and b5 both flip 1.
    assert_eq!(best(Method::Greedy, "------ --OX-- ------ ------ --OX-- ------ X"), "b2");
    // b2 and e2 are in the same row: the left one.
    assert_eq!(best(Method::Greedy, "------ --OX-- -----O -----X -----X ------ X"), "b2");
    assert_eq!(best(Method::Greedy, "------ -XO--- ------ ---OX- ------ ------ X"), "d2");
    assert_eq!(best(Method::First, "------ -XO--- ------ -XOO-- ------ ------ X"), "d2");
    assert_eq!(best(Method::Greedy, "XXXX XXXX XXXX XXXX O"), "");
}

#[test]
fn every_player_always_moves_legally() {
    let mut dice = Dice::new(33);
    let methods = [
        Method::Minimax { depth: 1 },
        Method::AlphaBeta { depth: 2 },
        Method::Beam { depth: 3, width: 2 },
        Method::Mcts { playouts: 20, exploration: 1.4 },
        Method::Random,
        Method::First,
        Method::Greedy,
    ];
    for size in [4, 6, 8, 10, 16] {
        for method in methods {
            for _ in 0..8 {
                let position = random_position(Size::new(size).unwrap(), &mut dice);
                let report = run(method, &position, dice.seed());
                match (position.status(), report.best_move()) {
                    (Status::Over(_), None) => {}
                    (_, Some(mv)) => assert!(position.play(mv).is_ok(), "{method} plays {mv} in {position}"),
                    (status, None) => panic!("{method} has no move although {status:?}"),
                }
            }
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let game = |seed| {
        let duel = Duel {
            black: Search { evaluator: Evaluator::Genes(Genes::default()), ..Search::beam(4, 2) },
            white: Search::mcts(60),
        };
        let mut moves = Vec::new();
        duel.play(GridPosition::start(Size::SIX), &mut Dice::new(seed), |_, report| {
            moves.push(report.best_move().map(|mv| mv.to_string()));
        });
        moves
    };
    assert_eq!(game(1), game(1));
    assert_ne!(game(1), game(2));
}

#[test]
fn random_chooses_every_move_equally_often() {
    let start = GridPosition::default();
    let mut dice = Dice::new(12);
    let mut chosen = std::collections::HashMap::new();
    for _ in 0..4000 {
        let report = Search::new(Method::Random).run(&start, &mut dice, &mut Control::unlimited());
        *chosen.entry(report.best_move().unwrap().to_string()).or_insert(0) += 1;
    }
    assert_eq!(chosen.len(), 4);
    // 1000 each, give or take five standard deviations.
    assert!(chosen.values().all(|times| (863..=1137).contains(times)), "{chosen:?}");
}

#[test]
fn the_beam_keeps_within_its_width() {
    let search = Search { evaluator: Evaluator::Genes(Genes::default()), ..Search::beam(10, 3) };
    let mut dice = Dice::new(2);
    for seed in 0..4 {
        let position = random_position(Size::EIGHT, &mut dice);
        let report = search.run(&position, &mut Dice::new(seed), &mut Control::unlimited());
        assert!(report.nodes <= 88_573, "{} nodes", report.nodes);
        assert!(report.greatest_depth <= 10);
    }
    // A beam wider than any position is alpha-beta.
    for _ in 0..20 {
        let position = random_position(Size::SIX, &mut dice);
        let wide = Search::beam(3, 36).run(&position, &mut dice, &mut Control::unlimited());
        let full = Search::alphabeta(3).run(&position, &mut dice, &mut Control::unlimited());
        assert_eq!((wide.moves, wide.nodes), (full.moves, full.nodes));
    }
    // A beam of width 1 is a single line.
    let line = Search::beam(10, 1).run(&GridPosition::default(), &mut dice, &mut Control::unlimited());
    assert_eq!((line.nodes, line.line().len()), (11, 10));
}

/// Points of the first player in games with alternating colours: 1 for a win, ½ for a draw.
fn points(player: Search, other: Search, size: Size, games: u64) -> f64 {
    let mut points = 0.0;
    for game in 0..games {
        let color = if game % 2 == 0 { Color::Black } else { Color::White };
        let (black, white) = if color == Color::Black { (player, other) } else { (other, player) };
        let end = Duel { black, white }.play(GridPosition::start(size), &mut Dice::new(game), |_, _| ());
        match end.status() {
            Status::Over(Outcome::Win(winner)) if winner == color => points += 1.0,
            Status::Over(Outcome::Draw) => points += 0.5,
            _ => {}
        }
    }
    points
}

#[test]
fn random_games_teach_more_than_none() {
    let random = Search::new(Method::Random);
    let won = points(Search::mcts(200), random, Size::SIX, 20);
    assert!(won >= 15.0, "mcts makes only {won} of 20 points against random play");
    let won = points(Search::alphabeta(3), random, Size::EIGHT, 20);
    assert!(won >= 17.0, "alpha-beta makes only {won} of 20 points against random play");
}

#[test]
fn more_random_games_find_the_only_winning_move() {
    // Black can take the last white disc and win at once.
    let position = "XO-- ---- ---- ---- X".parse::<Setup>().unwrap().position().unwrap();
    let report = run(Method::Mcts { playouts: 50, exploration: 1.4 }, &position, 1);
    assert_eq!(report.best_move().unwrap().to_string(), "c1");
    assert_eq!(report.value(), Some(Value::Games(1.0)));
    assert_eq!(position.placements().count(), 1);
}
