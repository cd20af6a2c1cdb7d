use crate::hash::quick_hash;

/// A transposition table of one thread for the many small subtrees near the leaves. It fits the near caches, so that looking
/// there costs less than searching, and the shared table is kept for what is worth more.
pub(crate) struct SmallTable {
    entries: Vec<SmallEntry>,
    /// Bits of a hash to leave out to make a slot of it.
    shift: u32,
}

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

impl SmallTable {
    /// A table with two to this power slots, of 24 bytes each.
    pub(crate) fn new(slots_log2: u32) -> SmallTable {
        SmallTable { entries: vec![SmallEntry::default(); 1 << slots_log2], shift: 64 - slots_log2 }
    }

    #[inline(always)]
    fn slot(&self, own: u64, opponent: u64) -> usize {
        (quick_hash(own, opponent) >> self.shift) as usize
    }

    /// Where a board is kept, to be asked for ahead of time.
    #[inline(always)]
    pub(crate) fn entry(&self, own: u64, opponent: u64) -> &SmallEntry {
        &self.entries[self.slot(own, opponent)]
    }

    /// What is known of this board.
    #[inline(always)]
    pub(crate) fn probe(&self, own: u64, opponent: u64) -> Option<SmallEntry> {
        let entry = self.entries[self.slot(own, opponent)];
        (entry.own == own && entry.opponent == opponent).then_some(entry)
    }

    /// Stores the answer to a null window: the score is at most, or at least, `score`.
    #[inline(always)]
    pub(crate) fn store(&mut self, own: u64, opponent: u64, score: i32, alpha: i32, best: u8) {
        let slot = self.slot(own, opponent);
        let entry = &mut self.entries[slot];
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
