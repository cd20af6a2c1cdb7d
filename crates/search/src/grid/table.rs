use std::hash::{BuildHasher, BuildHasherDefault};

use emilia_query::Bound;
use emilia_rules::Playable;
use rustc_hash::FxHasher;

/// A transposition table of positions already searched. The whole position is kept, so that no two are ever taken for each other.
///
/// It begins small and doubles while it fills up, until it has the memory it may take: what a short search keeps then
/// stays in the processor's caches, and it pays for no more memory than it uses.
pub(super) struct Table<P: Playable> {
    /// All that it may have; memory is taken when something is first kept there.
    blocks: Vec<Option<Block<P>>>,
    /// Blocks in use at the beginning of an era, and now: the first of all.
    first: usize,
    used: usize,
    /// Entries of this era.
    filled: usize,
    /// Entries of other eras are forgotten.
    era: u32,
    /// Whether what is kept was judged by learned tables; unknown before the first search.
    by_tables: Option<bool>,
}

/// Places for entries next to each other.
type Block<P> = Box<[Option<Entry<P>>]>;

/// Entries in a block.
const BLOCK: usize = 64;
/// Blocks at the beginning, at most.
const FIRST_BLOCKS: usize = 32;

/// What is known of a position.
#[derive(Clone)]
pub(super) struct Entry<P: Playable> {
    position: P,
    /// Plies it was searched; [`Entry::TO_THE_END`] if to the end of the game.
    pub(super) depth: u32,
    /// The value, or a bound of it.
    pub(super) score: i32,
    pub(super) bound: Bound,
    /// The best move found.
    pub(super) best: Option<P::Square>,
    /// When it was kept.
    era: u32,
}

/// What the result of a search with this window says about the value.
pub(super) fn bound(score: i32, alpha: i32, beta: i32) -> Bound {
    if score >= beta {
        Bound::Lower
    } else if score > alpha {
        Bound::Exact
    } else {
        Bound::Upper
    }
}

impl<P: Playable> Entry<P> {
    /// The depth of a result that no deeper search can change.
    pub(super) const TO_THE_END: u32 = u32::MAX;

    pub(super) fn new(
        position: &P,
        depth: u32,
        score: i32,
        bound: Bound,
        best: Option<P::Square>,
    ) -> Entry<P> {
        Entry { position: position.clone(), depth, score, bound, best, era: 0 }
    }

    /// Whether its score says all that this window asks.
    pub(super) fn settles(&self, alpha: i32, beta: i32) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= beta,
            Bound::Upper => self.score <= alpha,
        }
    }
}

impl<P: Playable> Table<P> {
    /// A table of at most about so many megabytes.
    pub(super) fn new(megabytes: usize) -> Table<P> {
        let most = ((megabytes.max(1) << 20) / (BLOCK * size_of::<Option<Entry<P>>>())).max(1);
        // So many that doubling them again and again leads to all that it may have, or nearly so.
        let first = most >> (most / FIRST_BLOCKS).checked_ilog2().unwrap_or(0);
        let blocks = (0..most).map(|_| None).collect();
        Table { blocks, first, used: first, filled: 0, era: 0, by_tables: None }
    }

    /// Forgets everything, at once, and is like new; the memory is kept for what comes.
    pub(super) fn forget(&mut self) {
        (self.used, self.filled) = (self.first, 0);
        match self.era.checked_add(1) {
            Some(next) => self.era = next,
            None => {
                self.blocks.fill_with(|| None);
                self.era = 0;
            }
        }
    }

    /// A search begins that judges by learned tables, or does not: what was found in the other way is forgotten.
    pub(super) fn judged(&mut self, by_tables: bool) {
        if self.by_tables.replace(by_tables) == Some(!by_tables) {
            self.forget();
        }
    }

    /// What is known of the position.
    pub(super) fn probe(&self, position: &P) -> Option<&Entry<P>> {
        let (block, slot) = self.slot(position);
        let entry = self.blocks[block].as_ref()?[slot].as_ref();
        entry.filter(|entry| entry.era == self.era && entry.position == *position)
    }

    /// Stores an entry in place of what is there, unless that is about the same position and deeper.
    pub(super) fn store(&mut self, entry: Entry<P>) {
        if 2 * self.filled >= self.used * BLOCK && 2 * self.used <= self.blocks.len() {
            self.double();
        }
        let entry = Entry { era: self.era, ..entry };
        let (block, slot) = self.slot(&entry.position);
        let slot = &mut self.blocks[block].get_or_insert_with(empty)[slot];
        match slot {
            Some(old) if old.era == entry.era => {
                if old.position != entry.position || old.depth <= entry.depth {
                    *slot = Some(entry);
                }
            }
            _ => {
                *slot = Some(entry);
                self.filled += 1;
            }
        }
    }

    /// Makes two blocks of each: what lay in one slot goes to one of two. The last come first, because their places are
    /// behind all that are still to be moved.
    fn double(&mut self) {
        self.used *= 2;
        for block in (0..self.used / 2).rev() {
            let entries = self.blocks[block].take().into_iter().flatten().flatten();
            for entry in entries.filter(|entry| entry.era == self.era) {
                let (block, slot) = self.slot(&entry.position);
                self.blocks[block].get_or_insert_with(empty)[slot] = Some(entry);
            }
        }
    }

    fn slot(&self, position: &P) -> (usize, usize) {
        let hash = BuildHasherDefault::<FxHasher>::default().hash_one(position);
        // The high half of the product spreads the hash evenly over any number of slots.
        let index = ((u128::from(hash) * (self.used * BLOCK) as u128) >> 64) as usize;
        (index / BLOCK, index % BLOCK)
    }
}

fn empty<P: Playable>() -> Block<P> {
    (0..BLOCK).map(|_| None).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::grid::evaluator::tests::game;
    use emilia_rules::{GridPosition, Position};

    #[test]
    fn a_table_grows_within_its_memory_and_keeps_most_of_what_it_had() {
        let mut table = Table::<GridPosition>::new(8);
        let positions: Vec<GridPosition> = (0..40).flat_map(|seed| game(10, seed)).collect();
        for (number, position) in positions.iter().enumerate() {
            table.store(Entry::new(position, 1, number as i32, Bound::Exact, None));
        }
        assert!(table.first < table.used && table.used <= table.blocks.len());
        let memory = table.blocks.len() * BLOCK * size_of::<Option<Entry<GridPosition>>>();
        assert!(memory <= 8 << 20, "{memory}");
        // Positions that went to the same slot took each other's place; nothing else is lost.
        let known = positions.iter().filter(|position| table.probe(position).is_some()).count();
        assert!(known * 3 > positions.len() * 2, "{known} of {}", positions.len());
        let same = |position: &GridPosition, entry: &Entry<_>| positions[entry.score as usize] == *position;
        assert!(positions.iter().all(|one| table.probe(one).is_none_or(|entry| same(one, entry))));
        table.forget();
        assert!(positions.iter().all(|position| table.probe(position).is_none()));
    }

    /// What was judged in one way says nothing to a search that judges in the other.
    #[test]
    fn a_table_forgets_when_positions_are_judged_in_another_way() {
        let (mut table, position) = (Table::<GridPosition>::new(1), game(10, 1)[9]);
        let mut known = |by_tables: bool| {
            table.judged(by_tables);
            let known = table.probe(&position).is_some();
            table.store(Entry::new(&position, 1, 0, Bound::Exact, None));
            known
        };
        assert_eq!([true, true, false, false, true].map(&mut known), [false, true, false, true, false]);
    }

    /// However much is kept, no more memory is taken than there may be.
    #[test]
    fn a_full_table_grows_no_more() {
        let mut table = Table::<Position>::new(1);
        let games = (0..600).flat_map(|seed| game(8, seed));
        for position in games.map(|position| Position::try_from(&position).unwrap()) {
            table.store(Entry::new(&position, 1, 0, Bound::Exact, None));
        }
        let blocks = table.blocks.len();
        assert!(2 * table.filled > table.used * BLOCK, "{} of {}", table.filled, table.used * BLOCK);
        assert!(table.used <= blocks && 2 * table.used > blocks, "{} of {blocks}", table.used);
    }

    /// It doubles as often as there is room for it, whether that leads to all of its memory or leaves some over.
    #[test]
    fn a_table_grows_as_far_as_there_is_room() {
        let mut left_over = 0;
        for megabytes in 1..=12 {
            let mut table = Table::<GridPosition>::new(megabytes);
            for position in game(6, 1) {
                // As if all places were taken.
                table.filled = table.used * BLOCK;
                table.store(Entry::new(&position, 1, 0, Bound::Exact, None));
                assert!(table.used <= table.blocks.len(), "{megabytes}");
            }
            assert!(2 * table.used > table.blocks.len(), "{megabytes}");
            left_over = left_over.max(table.blocks.len() - table.used);
        }
        assert!(left_over > 2, "{left_over}");
    }
}
