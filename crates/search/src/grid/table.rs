use std::hash::{BuildHasher, BuildHasherDefault};

use emilia_rules::Playable;
use rustc_hash::FxHasher;

/// A transposition table of positions already searched. The whole position is kept, so that no two are ever taken for each other.
///
/// Memory is taken a block at a time, when something is first kept there: a short search pays for little of it.
pub(super) struct Table<P: Playable> {
    blocks: Vec<Option<Block<P>>>,
    /// Entries of other eras are forgotten.
    era: u32,
}

/// Places for entries next to each other.
type Block<P> = Box<[Option<Entry<P>>]>;

/// Entries in a block.
const BLOCK: usize = 64;

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

/// What a stored score says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

impl Bound {
    /// What a search with this window says by its result.
    pub(super) fn of(score: i32, alpha: i32, beta: i32) -> Bound {
        if score >= beta {
            Bound::AtLeast
        } else if score > alpha {
            Bound::Exact
        } else {
            Bound::AtMost
        }
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
            Bound::AtLeast => self.score >= beta,
            Bound::AtMost => self.score <= alpha,
        }
    }
}

impl<P: Playable> Table<P> {
    /// A table of at most about so many megabytes.
    pub(super) fn new(megabytes: usize) -> Table<P> {
        let count = (megabytes.max(1) << 20) / (BLOCK * size_of::<Option<Entry<P>>>());
        Table { blocks: (0..count.max(1)).map(|_| None).collect(), era: 0 }
    }

    /// Forgets everything, at once; the memory is kept for what comes.
    pub(super) fn forget(&mut self) {
        match self.era.checked_add(1) {
            Some(next) => self.era = next,
            None => {
                self.blocks.fill_with(|| None);
                self.era = 0;
            }
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
        let entry = Entry { era: self.era, ..entry };
        let (block, slot) = self.slot(&entry.position);
        let block = self.blocks[block].get_or_insert_with(|| (0..BLOCK).map(|_| None).collect());
        match &block[slot] {
            Some(old)
                if old.era == entry.era && old.position == entry.position && old.depth > entry.depth => {}
            _ => block[slot] = Some(entry),
        }
    }

    fn slot(&self, position: &P) -> (usize, usize) {
        let hash = BuildHasherDefault::<FxHasher>::default().hash_one(position);
        // The high half of the product spreads the hash evenly over any number of slots.
        let index = ((u128::from(hash) * (self.blocks.len() * BLOCK) as u128) >> 64) as usize;
        (index / BLOCK, index % BLOCK)
    }
}
