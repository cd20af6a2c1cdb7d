//! Values computed independently, with the original programs, for the evaluators and the searches.

use emilia_classic::{Control, Dice, Evaluator, Genes, IdealForm, Order, PaperWeights, Search};
use emilia_rules::{Color, GridPosition, Playable, Position, Setup, Size, SquareSet};

const TOLERANCE: f64 = 1e-3;

fn close(measured: f64, expected: f64, what: &str) {
    assert!((measured - expected).abs() <= TOLERANCE, "{what}: {measured} instead of {expected}");
}

/// The position after so many first legal moves in row-major order; passes are not counted.
fn after_first_moves(size: Size, plies: usize) -> GridPosition {
    let mut position = GridPosition::start(size);
    for _ in 0..plies {
        if position.placements().is_empty() {
            position = position.passed();
        }
        let square = position.placements().into_iter().next().expect("the golden games are longer than this");
        position = position.placed(square);
    }
    position
}

/// The evaluation from Black's view.
fn for_black(evaluator: Evaluator, position: &GridPosition) -> f64 {
    let breakdown = evaluator.breakdown(position, Color::Black);
    let seen_by_mover = evaluator.score(position);
    let expected = if position.turn() == Color::Black { seen_by_mover } else { -seen_by_mover };
    assert_eq!(breakdown.total(), expected, "{evaluator} is not the sum of its components");
    breakdown.total()
}

/// One component from Black's view; 0 if it is not listed.
fn component(evaluator: Evaluator, position: &GridPosition, name: &str) -> f64 {
    let breakdown = evaluator.breakdown(position, Color::Black);
    breakdown.components.iter().find(|component| component.name == name).map_or(0.0, |found| found.value)
}

struct Eight {
    plies: usize,
    cells: &'static str,
    /// p, c, l, m, f, d.
    terms: [f64; 6],
    kukreja: f64,
    genes: f64,
    /// Stable and unstable discs, Black's and White's.
    stability: [u32; 4],
    /// Parity, mobility, corners, stability, and the weighted sum.
    paper: [f64; 5],
    ideal: [f64; 2],
}

const EIGHT: [Eight; 4] = [
    Eight {
        plies: 1,
        cells: "...................B.......BB......BW...........................",
        terms: [80.0, 0.0, 0.0, 0.0, -80.0, -4.0],
        kukreja: -5191.680,
        genes: -6200.0,
        stability: [0, 3, 0, 1],
        paper: [60.0, 0.0, 0.0, -50.0, 250.0],
        ideal: [120.0, 160.0],
    },
    Eight {
        plies: 10,
        cells: "WWW......WWW.....BBB......BBB......BW...........................",
        terms: [0.0, -25.0, 0.0, -54.5455, 0.0, -22.0],
        kukreja: -24567.936,
        genes: -26092.727,
        stability: [0, 7, 3, 3],
        paper: [0.0, -9.091, -100.0, -100.0, -5545.455],
        ideal: [-70.0, -30.0],
    },
    Eight {
        plies: 30,
        cells: "WWWWWWW.WWWWWWB.WWWWWBW.BWWWBB..BWWBBB..B.......................",
        terms: [-70.5882, -25.0, 0.0, -69.2308, -66.6667, -31.0],
        kukreja: -31482.546,
        genes: -35426.893,
        stability: [0, 10, 18, 2],
        paper: [-41.176, -38.462, -100.0, -100.0, -6721.719],
        ideal: [-491.0, -451.0],
    },
    Eight {
        plies: 50,
        cells: "WWWWWWWBWWWWWWBBWWWWWBWBWWWWBWWBWWWWWWWBWWWWWBBBWWWW...BB.......",
        terms: [-75.9259, 25.0, -12.5, 0.0, 54.5455, -2.0],
        kukreja: 18546.479,
        genes: 20939.891,
        stability: [8, 2, 31, 9],
        paper: [-51.852, 0.0, 33.333, -57.143, -1724.868],
        ideal: [-711.0, -751.0],
    },
];

#[test]
fn evaluators_on_8x8() {
    for golden in EIGHT {
        let position = after_first_moves(Size::EIGHT, golden.plies);
        let cells: Setup = golden.cells.parse().unwrap();
        assert_eq!(position.discs(Color::Black), cells.position().unwrap().discs(Color::Black));
        assert_eq!(position.discs(Color::White), cells.position().unwrap().discs(Color::White));

        let names = ["parity", "corners", "closeness", "mobility", "frontier", "squares"];
        for (name, expected) in names.into_iter().zip(golden.terms) {
            close(component(Evaluator::Kukreja, &position, name), expected, name);
        }
        close(for_black(Evaluator::Kukreja, &position), golden.kukreja, "kukreja");
        close(for_black(Evaluator::Genes(Genes::default()), &position), golden.genes, "genes");

        let breakdown = Evaluator::Disc.breakdown(&position, Color::White);
        let classes = [
            breakdown.black.stable,
            breakdown.black.unstable,
            breakdown.white.stable,
            breakdown.white.unstable,
        ];
        assert_eq!(classes.map(SquareSet::count), golden.stability);

        let paper = Evaluator::Paper(PaperWeights::new(25.0, 5.0, 30.0, 25.0).unwrap());
        let names = ["parity", "mobility", "corners", "stability"];
        for (name, expected) in names.into_iter().zip(golden.paper) {
            close(component(paper, &position, name), expected, name);
        }
        close(for_black(paper, &position), golden.paper[4], "paper");

        let forms = [IdealForm::Original, IdealForm::Corrected];
        for (form, expected) in forms.into_iter().zip(golden.ideal) {
            close(for_black(Evaluator::Ideal(form), &position), expected, "ideal");
        }
    }
}

#[test]
fn evaluators_on_6x6() {
    let golden = [
        (1, "........B.....BB....BW..............", 3.0, -5151.680, [120.0, 160.0]),
        (8, "WWW...BBWW...BBW....BW..............", -108.0, -16661.597, [-86.0, -86.0]),
        (24, "WWWWWBWWWWBBWWWBWBBWBWWWBBW...B.....", -3.0, 25257.529, [-198.0, -198.0]),
    ];
    for (plies, cells, judge, myjudge, ideal) in golden {
        let position = after_first_moves(Size::SIX, plies);
        let cells = cells.parse::<Setup>().unwrap().position().unwrap();
        assert_eq!(position.discs(Color::Black), cells.discs(Color::Black));
        assert_eq!(position.discs(Color::White), cells.discs(Color::White));
        close(for_black(Evaluator::Judge, &position), judge, "judge");
        close(for_black(Evaluator::MyJudge, &position), myjudge, "myjudge");
        close(for_black(Evaluator::Ideal(IdealForm::Original), &position), ideal[0], "ideal, original");
        close(for_black(Evaluator::Ideal(IdealForm::Corrected), &position), ideal[1], "ideal, corrected");
    }
}

#[test]
fn searches_from_the_start() {
    let (rows, rings) = (Order::RowMajor, Order::Rings);
    let eight = (Size::EIGHT, "d3");
    let six = (Size::SIX, "c2");
    type Golden<'a> = (Evaluator, Order, (Size, &'a str), &'a [f64]);
    let golden: [Golden<'_>; 7] = [
        (Evaluator::Kukreja, rows, eight, &[-5191.680, -4384.556, 621.752, -519.033]),
        (Evaluator::Genes(Genes::default()), rows, eight, &[-6200.0, -5166.667, 660.0]),
        (Evaluator::Disc, rows, eight, &[3.0, 0.0, 3.0, -2.0, 3.0]),
        (Evaluator::Paper(PaperWeights::default()), rows, eight, &[250.0, -55.556, 404.762]),
        (Evaluator::MyJudge, rings, six, &[-5151.680, -4354.556, 631.752, -619.033, 250.717]),
        (Evaluator::Judge, rings, six, &[3.0, 0.0, 8.0, -4.0, 7.0]),
        (Evaluator::Ideal(IdealForm::Original), rows, six, &[120.0, -10.0, 132.0, -55.0, 93.0]),
    ];
    for (evaluator, order, (size, best), values) in golden {
        let start = Position::try_from(&GridPosition::start(size)).unwrap();
        for (depth, value) in (1..).zip(values) {
            for search in [Search::minimax(depth), Search::alphabeta(depth)] {
                let search = Search { evaluator, order, ..search };
                let report = search.run(&start, &mut Dice::new(0), &mut Control::unlimited());
                close(report.value().unwrap().number(), *value, &format!("{evaluator} to depth {depth}"));
                assert_eq!(report.best_move().unwrap().to_string(), best);
                assert_eq!(report.depth, depth);
                assert_eq!(report.line().len(), depth as usize);
            }
        }
    }
}

#[test]
fn minimax_visits_every_node() {
    for (depth, nodes) in [(1, 5), (2, 17), (3, 73)] {
        let report =
            Search::minimax(depth).run(&Position::default(), &mut Dice::new(0), &mut Control::unlimited());
        assert_eq!(report.nodes, nodes);
        assert_eq!(report.greatest_depth, depth);
    }
}

#[test]
fn a_start_is_even_for_everyone() {
    for size in Size::all() {
        let start = GridPosition::start(size);
        for evaluator in Evaluator::all() {
            assert_eq!(evaluator.score(&start), 0.0, "{evaluator} on {size}");
        }
    }
}
