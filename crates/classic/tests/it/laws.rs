//! What holds for every evaluator on every board.

use crate::common::{random_position, random_step};
use emilia_classic::{Dice, Evaluator, IdealForm, Stability, View};
use emilia_rules::{Color, Grid, GridPosition, Playable, Position, Size, SquareSet, Symmetry};

fn evaluators() -> impl Iterator<Item = Evaluator> {
    Evaluator::all().into_iter().chain([Evaluator::Ideal(IdealForm::Original)])
}

#[test]
fn what_is_good_for_one_is_as_bad_for_the_other() {
    let mut dice = Dice::new(3);
    for size in Size::all() {
        for _ in 0..12 {
            let position = random_position(size, &mut dice);
            for evaluator in evaluators() {
                assert_eq!(evaluator.score(&position), -evaluator.score(&position.passed()), "{evaluator}");
                let black = evaluator.breakdown(&position, Color::Black);
                let white = evaluator.breakdown(&position, Color::White);
                assert_eq!(black.total(), -white.total());
                for (black, white) in black.components.iter().zip(&white.components) {
                    assert_eq!((black.own, black.opponent), (white.opponent, white.own));
                    assert_eq!(black.value, -white.value);
                }
                assert_eq!((black.black, black.white), (white.black, white.white));
            }
        }
    }
}

#[test]
fn turning_the_board_changes_nothing() {
    let mut dice = Dice::new(4);
    for size in Size::all() {
        for _ in 0..4 {
            let position = random_position(size, &mut dice);
            for evaluator in evaluators() {
                for symmetry in Symmetry::ALL {
                    let turned = evaluator.score(&position.transformed(symmetry));
                    assert_eq!(turned, evaluator.score(&position), "{evaluator} {symmetry:?} {position}");
                }
            }
        }
    }
}

#[test]
fn both_representations_of_a_small_board_agree() {
    let mut dice = Dice::new(6);
    for size in [4, 6, 8] {
        for _ in 0..50 {
            let grid = random_position(Size::new(size).unwrap(), &mut dice);
            let position = Position::try_from(&grid).unwrap();
            for evaluator in evaluators() {
                assert_eq!(evaluator.score(&grid), evaluator.score(&position));
            }
        }
    }
}

fn both_classes(position: &GridPosition) -> [(Grid, Stability<Grid>); 2] {
    let (own, opponent) = Stability::both(&View::new(position));
    [(position.own(), own), (position.opponent(), opponent)]
}

#[test]
fn every_disc_is_in_one_class() {
    let mut dice = Dice::new(8);
    for size in Size::all() {
        for _ in 0..20 {
            let position = random_position(size, &mut dice);
            for (discs, classes) in both_classes(&position) {
                let Stability { stable, semi_stable, unstable } = classes;
                assert_eq!(stable | semi_stable | unstable, discs);
                assert_eq!(stable.count() + semi_stable.count() + unstable.count(), discs.count());
            }
            let corners: Grid = size.points().filter(|point| is_corner(size, point)).collect();
            let all_stable = both_classes(&position)
                .into_iter()
                .fold(Grid::EMPTY, |all, (_, classes)| all | classes.stable);
            assert_eq!(corners - position.empties(), corners & all_stable);
        }
    }
}

fn is_corner(size: Size, point: &emilia_rules::Point) -> bool {
    let end = |at: u8| at == 0 || at == size.get() - 1;
    end(point.row()) && end(point.column())
}

#[test]
fn a_stable_disc_is_never_flipped() {
    let mut dice = Dice::new(9);
    let mut stable_discs = 0;
    for (size, games) in [(4, 400), (6, 120), (8, 60), (10, 20), (14, 5), (26, 1)] {
        for _ in 0..games {
            let mut position = GridPosition::start(Size::new(size).unwrap());
            let mut stable = [Grid::EMPTY; 2];
            loop {
                for (color, stable) in Color::BOTH.into_iter().zip(&mut stable) {
                    assert!(
                        (*stable - position.discs(color)).is_empty(),
                        "{color} lost a stable disc: {position}"
                    );
                    let turn = position.turn();
                    let [own, opponent] = both_classes(&position);
                    let found = if color == turn { own.1.stable } else { opponent.1.stable };
                    assert!((*stable - found).is_empty(), "a disc was stable before: {position}");
                    *stable = found;
                    stable_discs += found.count();
                }
                match random_step(&position, &mut dice) {
                    Some(next) => position = next,
                    None => break,
                }
            }
        }
    }
    assert!(stable_discs > 10_000);
}

#[test]
fn every_disc_of_a_full_board_is_stable() {
    for size in Size::all() {
        let cells: String = size.points().map(|point| if point.row() % 3 == 0 { 'X' } else { 'O' }).collect();
        let full = cells.parse::<emilia_rules::Setup>().unwrap().position().unwrap();
        let stable: u32 = both_classes(&full).iter().map(|(_, classes)| classes.stable.count()).sum();
        assert_eq!(stable as usize, size.cells());
    }
}
