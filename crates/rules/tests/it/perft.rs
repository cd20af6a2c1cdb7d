//! Leaf counts against published tables, in both ways of counting passes.

use emilia_rules::perft::{Passes, Perft};
use emilia_rules::{GridPosition, Size, Tier};

/// Largest count that is worth the time in a test; `emilia perft` goes further.
const LARGEST: u64 = 4_000_000;

#[test]
fn leaves_match_the_golden_values() {
    for (side, leaves) in [
        (4, &[4, 12, 44, 128, 424, 1256, 3624, 9116, 20044, 36540][..]),
        (6, &[4, 12, 56, 244, 1364, 7604, 47740][..]),
        (8, &[4, 12, 56, 244, 1396, 8200, 55092][..]),
        (10, &[4, 12, 56, 244][..]),
    ] {
        let start = GridPosition::start(Size::new(side).unwrap());
        for (depth, expected) in (1..).zip(leaves) {
            assert_eq!(Perft::new(depth).count(&start), *expected, "{side}×{side} depth {depth}");
        }
    }
}

/// The whole table, as far as it is quick, on every tier and on several threads.
#[test]
fn leaves_match_the_published_table() {
    let mut rows = 0;
    for line in include_str!("../../../../data/perft/perft.tsv").lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let side = cells[0].split('x').next().unwrap().parse().unwrap();
        let start = GridPosition::start(Size::new(side).unwrap());
        let (depth, expected): (u32, u64) = (cells[2].parse().unwrap(), cells[3].parse().unwrap());
        let rules = match cells[1] {
            "pass-is-a-ply" => vec![Passes::Ply],
            "pass-not-counted" => vec![Passes::Free],
            _ => vec![Passes::Ply, Passes::Free],
        };
        if expected > LARGEST {
            continue;
        }
        for passes in rules {
            for tier in Tier::available() {
                let threads = 1 + rows % 3;
                let leaves = Perft { depth, passes, threads, tier }.count(&start);
                assert_eq!(leaves, expected, "{line} on {tier} with {threads} threads");
            }
            rows += 1;
        }
    }
    assert!(rows > 50, "only {rows} rows were compared");
}

#[test]
fn a_finished_game_is_one_leaf_at_any_depth() {
    let full: GridPosition =
        "XXXX XXXX OOOO OOOO X".parse::<emilia_rules::Setup>().unwrap().position().unwrap();
    for threads in [1, 3] {
        for depth in [0, 1, 5] {
            assert_eq!(Perft { threads, ..Perft::new(depth) }.count(&full), 1);
        }
    }
    assert_eq!(
        "sometimes".parse::<Passes>().unwrap_err().to_string(),
        "passes are counted as \"ply\" or \"free\", not \"sometimes\""
    );
}
