//! Boards of every size: nodes and values that are written down, so that nobody changes this search without knowing it.

use emilia_query::{Limits, Stop};
use emilia_rules::{GridPosition, Objective, Playable, Setup, Size, Symmetry};
use emilia_search::{GridFeatures, GridMemory, GridSearch, GridTables};

use crate::prompt::game;

/// Sides, plies, and how many positions of a game are left out between two that are searched.
const SEARCHES: [(usize, u32, usize); 10] = [
    (4, 12, 1),
    (6, 7, 5),
    (8, 6, 9),
    (10, 5, 11),
    (12, 5, 25),
    (14, 4, 29),
    (16, 4, 43),
    (18, 3, 47),
    (20, 3, 61),
    (26, 3, 131),
];

/// For each of them nodes and hundredths of a disc, all together: for most discs, and for fewest.
const WRITTEN: [[(u64, i64); 2]; SEARCHES.len()] = [
    [(3549, -400), (14_433, 1400)],
    [(12_933, 5643), (14_628, 608)],
    [(12_359, 7256), (7336, 3070)],
    [(7420, 8896), (16_515, 199)],
    [(4591, -1011), (11_310, 2190)],
    [(3135, 11_245), (8436, -710)],
    [(6110, -2015), (9872, -2243)],
    [(1861, 6055), (3239, 2591)],
    [(2723, 14_633), (4474, 2387)],
    [(2258, 8598), (3637, 6799)],
];

#[test]
fn searches_count_the_nodes_that_are_written_down() {
    let found = SEARCHES.map(|(side, depth, step)| {
        [Objective::Most, Objective::Fewest].map(|objective| {
            let search = GridSearch { objective, ..GridSearch::new(Limits::depth(depth)) };
            let mut memory = GridMemory::new(1);
            let game = game(Size::new(side).unwrap());
            let searched = game.iter().step_by(step).filter(|position| !position.is_over());
            let reports =
                searched.map(|position| search.run(position, &mut memory, &Stop::default(), &mut ()));
            reports.fold((0, 0), |(nodes, sum), report| {
                (nodes + report.nodes, sum + (report.discs().unwrap() * 100.0).round() as i64)
            })
        })
    });
    assert_eq!(found, WRITTEN, "if the search was meant to change, write down what it counts now");
}

/// What stands near corners and along borders has numbers; turning the board only exchanges those that are worth the same.
#[test]
fn a_turned_board_has_the_same_numbers_up_to_symmetry() {
    for side in [8, 10, 12] {
        let tables = GridTables::new(Size::new(side).unwrap(), Objective::Most).unwrap();
        let firsts = tables.firsts();
        assert_eq!(firsts.len(), tables.fillings.len());
        let numbers = |position: &GridPosition| {
            let mut numbers: Vec<usize> =
                tables.numbers(position).into_iter().map(|number| firsts[number]).collect();
            numbers.sort_unstable();
            numbers
        };
        let game = game(Size::new(side).unwrap());
        let all: Vec<_> = game.iter().step_by(5).map(numbers).collect();
        assert!(all.windows(2).all(|pair| pair[0].len() == pair[1].len()));
        assert!(all.windows(2).filter(|pair| pair[0] != pair[1]).count() > all.len() / 2);
        for (position, numbers_here) in game.iter().step_by(5).zip(&all) {
            for symmetry in Symmetry::ALL {
                assert_eq!(numbers(&position.transformed(symmetry)), *numbers_here, "{position}");
            }
        }
    }
}

/// The end of games is solved, its nodes are written down, and whoever plays the move that was found gets what it is worth.
#[test]
fn ends_of_games_are_solved() {
    let mut found = Vec::new();
    for side in [6, 8, 10] {
        for objective in [Objective::Most, Objective::Fewest] {
            let search = GridSearch { objective, ..GridSearch::new(Limits::default()) };
            let solve = |position: &GridPosition| {
                let report = search.run(position, &mut GridMemory::new(1), &Stop::default(), &mut ());
                assert!(report.is_exact() || position.is_over(), "{position}");
                report
            };
            let game = game(Size::new(side).unwrap());
            let late = game.iter().filter(|position| (6..=10).contains(&position.counts().empty));
            let mut nodes = 0;
            for position in late.filter(|position| !position.is_over()) {
                let report = solve(position);
                nodes += report.nodes;
                let next = position.play(report.best_move().unwrap()).unwrap();
                if !next.is_over() {
                    assert_eq!(solve(&next).discs().map(|discs| -discs), report.discs(), "{position}");
                }
            }
            found.push(nodes);
        }
    }
    let written = [12_788, 15_966, 24_462, 51_482, 7739, 26_078];
    assert_eq!(found, written, "if the search was meant to change, write down what it counts now");
}

/// Who has hardly any discs left is behind in that, too; the other is as much ahead.
#[test]
fn who_is_nearly_wiped_out_is_behind() {
    let thin = GridFeatures::NAMES.iter().position(|name| *name == "thin").unwrap();
    for (few, many) in [('X', 'O'), ('O', 'X')] {
        let text: String = (0..36)
            .map(|at| {
                if at == 14 {
                    few
                } else if at % 6 > 2 {
                    '-'
                } else {
                    many
                }
            })
            .collect();
        let position: GridPosition = format!("{text} X").parse::<Setup>().unwrap().position().unwrap();
        // 17 discs against one: eleven too many for six times as many.
        let expected = if few == 'X' { 11.0 / 18.0 } else { -11.0 / 18.0 };
        let [here, there] = [position, position.passed()].map(|position| GridFeatures::of(&position).0[thin]);
        assert_eq!((here, there), (expected, -expected));
    }
}
