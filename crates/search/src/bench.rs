//! A fixed amount of work whose node count is the fingerprint of the search.

use std::sync::atomic::AtomicBool;

use emilia_eval::Evaluator;
use emilia_rules::{Position, Setup, Tier};

use crate::{Confidence, Limits, Search, Table, TableError};

/// Megabytes of the table, made anew for each position.
const TABLE: usize = 16;

/// The positions: the start, tournament games at 52, 44, 36, 28 and 24 empty squares, and FFO endgames #1 and #7
/// and #40.
const POSITIONS: [&str; 9] = [
    "---------------------------OX------XO--------------------------- X",
    "------------------O-X-----OOX-----OOX-----X--------------------- X",
    "------------X-----XXXO----OOXXO---OOOX----OXX------------------- O",
    "--XO------XOO---OOOXX-O--OOXXOX--OOOXXX--OOO-X---OX-O----------- X",
    "--OOOO----OOOX--XXOOXOXXXOXOXXXXXXXOXXXX--XOXO-------X---------- O",
    "--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX-- O",
    "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X",
    "-XXXXXX-X-XXXOO-XOXXXOOXXXOXOOOX-OXOOXXX--OOOXXX--OOXX----XOXXO- X",
    "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X",
];

/// Searches the positions to this depth on one thread and counts the nodes. The count is the same on every
/// processor, and from run to run; it changes when the search or the evaluator does.
///
/// ```
/// use emilia_eval::Learned;
/// use emilia_rules::Tier;
/// let counts: Vec<u64> = Tier::available()
///     .map(|tier| emilia_search::bench(Learned::embedded(), 4, tier).unwrap())
///     .collect();
/// assert!(counts.iter().all(|count| *count == counts[0]));
/// ```
pub fn bench<E: Evaluator>(evaluator: &E, depth: u32, tier: Tier) -> Result<u64, TableError> {
    let stop = AtomicBool::new(false);
    let mut nodes = 0;
    for position in positions() {
        let table = Table::new(TABLE)?;
        let mut search = Search::new(evaluator, &table, &stop);
        search.tier = tier;
        search.limits =
            Limits { depth: Some(depth), confidence: Some(Confidence::Likely), ..Limits::default() };
        nodes += search.run(&position, &mut ()).nodes;
    }
    Ok(nodes)
}

/// The depth at which `Bench:` lines are counted.
pub const BENCH_DEPTH: u32 = 16;

fn positions() -> impl Iterator<Item = Position> {
    POSITIONS.iter().filter_map(|text| {
        let setup: Setup = text.parse().ok()?;
        Position::try_from(&setup.position().ok()?).ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_positions_are_read() {
        assert_eq!(positions().count(), POSITIONS.len());
    }
}
