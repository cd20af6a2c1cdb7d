use crate::hash::hash;

/// A table of one thread for the many small subtrees near the leaves. It fits the near caches, so that looking
/// there costs less than searching, and the shared table is kept for what is worth more.
pub(crate) struct SmallTable(Vec<SmallEntry>);

/// What is known of a board: the whole board, so that no other is ever taken for it, and bounds of its score.
#[derive(Clone, Copy, Default)]
pub(crate) struct SmallEntry {
    own: u64,
    opponent: u64,
    /// The score is at least this.
    pub(crate) lower: i8,
    /// The score is at most this.
    pub(crate) upper: i8,
    /// The move that was best, or [`SmallEntry::NO_MOVE`].
    pub(crate) best: u8,
}

impl SmallEntry {
    /// No move is known.
    pub(crate) const NO_MOVE: u8 = 64;
}

/// Boards are kept in 2¹⁴ places of 24 bytes: less than half of a second-level cache of 1 MB.
/// Birthplace: FFO #40–#44, docs/tuning.md.
const PLACES_LOG2: u32 = 14;

impl SmallTable {
    pub(crate) fn new() -> SmallTable {
        SmallTable(vec![SmallEntry::default(); 1 << PLACES_LOG2])
    }

    #[inline(always)]
    fn place(own: u64, opponent: u64) -> usize {
        (hash(own, opponent) >> (64 - PLACES_LOG2)) as usize
    }

    /// Where a board is kept, to be asked for ahead of time.
    #[inline(always)]
    pub(crate) fn entry(&self, own: u64, opponent: u64) -> &SmallEntry {
        &self.0[SmallTable::place(own, opponent)]
    }

    /// What is known of this board.
    #[inline(always)]
    pub(crate) fn recall(&self, own: u64, opponent: u64) -> Option<SmallEntry> {
        let entry = self.0[SmallTable::place(own, opponent)];
        (entry.own == own && entry.opponent == opponent).then_some(entry)
    }

    /// Keeps the answer to a null window: the score is at most, or at least, `score`.
    #[inline(always)]
    pub(crate) fn keep(&mut self, own: u64, opponent: u64, score: i32, alpha: i32, best: u8) {
        let entry = &mut self.0[SmallTable::place(own, opponent)];
        if entry.own != own || entry.opponent != opponent {
            *entry = SmallEntry { own, opponent, lower: i8::MIN, upper: i8::MAX, best };
        }
        if score > alpha {
            entry.lower = entry.lower.max(score as i8);
            entry.best = best;
        } else {
            entry.upper = entry.upper.min(score as i8);
        }
    }
}
