use crate::hash::quick_hash;

/// A transposition table of one thread for the many small subtrees near the leaves. It fits the near caches, so that looking
/// there costs less than searching, and the shared table is kept for what is worth more.
pub(crate) struct SmallTable {
    entries: Vec<SmallEntry>,
    /// Bits of a hash to leave out to make a slot of it.
    shift: u32,
}

/// What is known of a board: the whole board, so that no other is ever taken for it, and what was found.
#[derive(Clone, Copy, Default)]
pub(crate) struct SmallEntry {
    own: u64,
    opponent: u64,
    found: Found,
}

/// Bounds of a score, and a move, in one word: a processor that reads what it has just written waits if it was written in pieces.
#[derive(Clone, Copy, Default)]
pub(crate) struct Found(u32);

impl Found {
    #[inline(always)]
    const fn new(lower: i8, upper: i8, best: u8) -> Found {
        Found(lower as u8 as u32 | (upper as u8 as u32) << 8 | (best as u32) << 16)
    }

    /// The score is at least this.
    #[inline(always)]
    pub(crate) fn lower(self) -> i8 {
        self.0 as i8
    }

    /// The score is at most this.
    #[inline(always)]
    pub(crate) fn upper(self) -> i8 {
        (self.0 >> 8) as i8
    }

    /// The move that was best, or [`SmallEntry::NO_MOVE`].
    #[inline(always)]
    pub(crate) fn best(self) -> u8 {
        (self.0 >> 16) as u8
    }
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

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.entries.fill(SmallEntry::default());
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
    pub(crate) fn probe(&self, own: u64, opponent: u64) -> Option<Found> {
        let entry = &self.entries[self.slot(own, opponent)];
        (entry.own == own && entry.opponent == opponent).then_some(entry.found)
    }

    /// Stores the answer to a null window: the score is at most, or at least, `score`.
    #[inline(always)]
    pub(crate) fn store(&mut self, own: u64, opponent: u64, score: i32, alpha: i32, best: u8) {
        let slot = self.slot(own, opponent);
        let entry = &mut self.entries[slot];
        let same = entry.own == own && entry.opponent == opponent;
        let before = if same { entry.found } else { Found::new(i8::MIN, i8::MAX, best) };
        let score = score as i8;
        let found = if i32::from(score) > alpha {
            Found::new(before.lower().max(score), before.upper(), best)
        } else {
            Found::new(before.lower(), before.upper().min(score), before.best())
        };
        *entry = SmallEntry { own, opponent, found };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is known of a board: its bounds and its best move.
    fn known(table: &SmallTable, own: u64, opponent: u64) -> Option<(i8, i8, u8)> {
        table.probe(own, opponent).map(|found| (found.lower(), found.upper(), found.best()))
    }

    #[test]
    fn answers_to_null_windows_become_bounds() {
        let mut table = SmallTable::new(4);
        assert_eq!(known(&table, 3, 4), None);
        table.store(3, 4, 2, 5, 19);
        assert_eq!(known(&table, 3, 4), Some((i8::MIN, 2, 19)), "any move is better than none");
        table.store(3, 4, 3, 5, 20);
        assert_eq!(known(&table, 3, 4), Some((i8::MIN, 2, 19)), "nothing new");
        table.store(3, 4, -6, -7, 21);
        assert_eq!(known(&table, 3, 4), Some((-6, 2, 21)));
        table.store(3, 4, -8, -9, 22);
        assert_eq!(known(&table, 3, 4), Some((-6, 2, 22)));
        table.store(3, 4, -5, -5, 23);
        assert_eq!(known(&table, 3, 4), Some((-6, -5, 22)), "not above the window");
        assert_eq!((known(&table, 4, 3), known(&table, 3, 5), known(&table, 2, 4)), (None, None, None));
    }

    #[test]
    fn a_board_takes_the_place_of_another_and_all_places_are_used() {
        let mut table = SmallTable::new(6);
        let boards: Vec<(u64, u64)> = (1..1000).map(|board| (board, !board)).collect();
        for (own, opponent) in &boards {
            table.store(*own, *opponent, (*own % 60) as i32, -64, 0);
            assert_eq!(known(&table, *own, *opponent), Some(((*own % 60) as i8, i8::MAX, 0)));
            assert!(std::ptr::eq(table.entry(*own, *opponent), &table.entries[table.slot(*own, *opponent)]));
        }
        let kept = boards.iter().filter(|(own, opponent)| known(&table, *own, *opponent).is_some()).count();
        assert_eq!(kept, 64);
    }

    /// Also of boards that share a slot and the discs of one side.
    #[test]
    fn no_board_is_taken_for_another() {
        let mut table = SmallTable::new(4);
        let others: Vec<(u64, u64)> = (5..200)
            .flat_map(|other| [(3, other), (other, 4)])
            .filter(|(own, opponent)| table.slot(*own, *opponent) == table.slot(3, 4))
            .collect();
        assert!(others.iter().any(|(own, _)| *own == 3) && others.iter().any(|(_, opponent)| *opponent == 4));
        for (own, opponent) in others {
            table.store(3, 4, 2, 5, 19);
            assert_eq!(known(&table, own, opponent), None);
            table.store(own, opponent, 8, 7, 20);
            assert_eq!(known(&table, own, opponent), Some((8, i8::MAX, 20)));
            assert_eq!(known(&table, 3, 4), None);
        }
    }
}
