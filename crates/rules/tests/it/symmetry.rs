//! The eight symmetries commute with the rules and form a group.

use std::collections::HashMap;

use crate::common::{Dice, random_game};
use emilia_rules::{Bitboard, GridPosition, Playable, Point, Position, Size, SquareSet, Status, Symmetry};

#[test]
fn symmetries_commute_with_moves_on_every_size() {
    for size in Size::all() {
        let mut dice = Dice(u64::from(size.get()) * 31);
        for position in random_game(size, &mut dice).into_iter().step_by(5) {
            for symmetry in Symmetry::ALL {
                let turned = position.transformed(symmetry);
                assert_eq!(turned.placements(), symmetry.grid(position.placements(), size));
                assert_eq!(turned.counts(), position.counts());
                for point in position.placements() {
                    let there = symmetry.point(point, size);
                    assert_eq!(turned.placed(there), position.placed(point).transformed(symmetry));
                }
                assert_eq!(turned.canonical(), position.canonical());
                assert_eq!(turned.transformed(symmetry.inverse()), position);
            }
        }
    }
}

#[test]
fn the_64_bit_symmetries_move_every_square_as_points_move() {
    for size in Size::all().filter(|size| size.is_compact()) {
        for symmetry in Symmetry::ALL {
            for point in size.points() {
                let square = Bitboard::only(point.square().unwrap());
                let there = symmetry.point(point, size).square().unwrap();
                assert_eq!(symmetry.bitboard(square, size), Bitboard::only(there), "{symmetry:?} {size}");
            }
        }
    }
}

#[test]
fn symmetries_do_what_they_are_called() {
    for size in Size::all() {
        let last = size.get() - 1;
        for point in size.points() {
            let (column, row) = (point.column(), point.row());
            for (symmetry, there) in [
                (Symmetry::Identity, (column, row)),
                (Symmetry::Transpose, (row, column)),
                (Symmetry::MirrorColumns, (last - column, row)),
                (Symmetry::MirrorRows, (column, last - row)),
                (Symmetry::Rotate90, (last - row, column)),
                (Symmetry::Rotate180, (last - column, last - row)),
                (Symmetry::Rotate270, (row, last - column)),
                (Symmetry::AntiTranspose, (last - row, last - column)),
            ] {
                let moved = symmetry.point(point, size);
                assert_eq!((moved.column(), moved.row()), there, "{symmetry:?} of {point} on {size}");
            }
        }
    }
}

#[test]
fn one_symmetry_after_another_is_a_symmetry() {
    let size = Size::SIX;
    let probe = [Point::new(1, 0).unwrap(), Point::new(4, 2).unwrap()];
    for first in Symmetry::ALL {
        for second in Symmetry::ALL {
            for point in probe {
                let step_by_step = second.point(first.point(point, size), size);
                assert_eq!(first.then(second).point(point, size), step_by_step, "{first:?} then {second:?}");
            }
        }
        assert_eq!(first.then(first.inverse()), Symmetry::Identity);
    }
}

#[test]
fn canonical_positions_of_both_kinds_agree() {
    let mut dice = Dice(99);
    for grid in random_game(Size::SIX, &mut dice) {
        let position = Position::try_from(&grid).unwrap();
        let canonical = position.canonical();
        for symmetry in Symmetry::ALL {
            assert_eq!(position.transformed(symmetry).canonical(), canonical);
        }
        assert!(Symmetry::ALL.iter().any(|symmetry| position.transformed(*symmetry) == canonical));
    }
}

/// Distinct positions per ply, up to symmetry: published for 8×8, recomputed by others for 6×6 and 4×4.
#[test]
fn distinct_positions_match_the_published_counts() {
    for (size, expected) in [
        (Size::EIGHT, &[1, 1, 3, 14, 60, 322, 1773, 10649][..]),
        (Size::SIX, &[1, 1, 3, 14, 60, 314, 1632, 9069][..]),
        (Size::MIN, &[1, 1, 3, 11, 31, 96, 269, 650, 1495, 2507, 3136, 2224, 684][..]),
    ] {
        // The same discs seen by the side to move are the same position, whatever that side is called.
        let key = |position: GridPosition| ((position.own(), position.opponent()), position);
        let mut layer = HashMap::from([key(GridPosition::start(size))]);
        for (ply, count) in expected.iter().enumerate() {
            assert_eq!(layer.len(), *count, "{size} ply {ply}");
            layer = layer
                .values()
                // A forced pass belongs to the move after it.
                .map(
                    |position| {
                        if position.status() == Status::MustPass { position.passed() } else { *position }
                    },
                )
                .flat_map(|mover| mover.placements().into_iter().map(move |point| mover.placed(point)))
                .map(|next| key(next.canonical()))
                .collect();
        }
    }
}
