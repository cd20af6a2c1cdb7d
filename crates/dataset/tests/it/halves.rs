//! The two halves never share a position, however it is turned, whoever made them.

use std::collections::HashSet;

use emilia_dataset::Recipe;

use crate::rows::shard;

/// Every board of a table, as the smallest of the eight texts that it has turned and mirrored: written with plain
/// letters and loops, on its own.
fn boards(recipe: &Recipe, test: bool) -> HashSet<Vec<u8>> {
    let shard = shard(recipe);
    let rows = if test { &shard.test } else { &shard.train };
    let side = usize::from(recipe.size);
    let column = rows.layout().columns.iter().position(|column| column.name == "board").unwrap();
    rows.iter()
        .map(|row| {
            let cells = row[column];
            let ways = (0..8).map(|way| -> Vec<u8> {
                let squares = (0..side * side).map(|at| {
                    let (mut row, mut column) = (at / side, at % side);
                    if way & 1 != 0 {
                        row = side - 1 - row;
                    }
                    if way & 2 != 0 {
                        column = side - 1 - column;
                    }
                    if way & 4 != 0 {
                        (row, column) = (column, row);
                    }
                    cells[row * side + column]
                });
                squares.collect()
            });
            ways.min().unwrap()
        })
        .collect()
}

#[test]
fn no_position_is_in_both_halves() {
    for (size, games, share) in [(4, 2000, 0.5), (6, 500, 0.2), (8, 500, 0.1), (10, 50, 0.5)] {
        let recipe = Recipe { size, games, test_share: share, cells: true, ..Recipe::default() };
        let other = Recipe { seed: 77, players: vec!["greedy".to_owned()], noise: 0.5, ..recipe.clone() };
        let other = Recipe { games: games.min(60), ..other };
        let (train, test) = (boards(&recipe, false), boards(&recipe, true));
        assert!(train.is_disjoint(&test) && !test.is_empty());
        // Not even with a set that somebody else made of other games.
        assert!(train.is_disjoint(&boards(&other, true)) && test.is_disjoint(&boards(&other, false)));
        let met = |a: &HashSet<Vec<u8>>, b: HashSet<Vec<u8>>| a.intersection(&b).count();
        assert!(met(&train, boards(&other, false)) + met(&test, boards(&other, true)) > 2, "they never met");
    }
}
