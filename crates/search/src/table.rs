use emilia_query::Selectivity;
use thiserror::Error;

use crate::hash::hash;
use crate::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use crate::worker::Horizon;

/// The transposition table that all threads of a search share.
///
/// It has no locks. A position is three words: the data, and both sides' discs mixed with the data, so that words
/// of two writers that meet in one place fit no board. The whole board is kept, therefore a hit is never false.
///
/// ```
/// use emilia_search::Table;
/// let table = Table::new(1)?;
/// assert_eq!(table.bytes(), 1 << 20);
/// # Ok::<(), emilia_search::TableError>(())
/// ```
#[derive(Debug)]
#[doc(alias = "transposition table")]
#[doc(alias = "TT")]
pub struct Table {
    buckets: Vec<Bucket>,
    /// Which search a position was last used in: those of old searches make room first.
    generation: AtomicU8,
    /// Which positions are remembered at all, from 0 to [`ERAS`] - 1: what was kept in another era is forgotten.
    era: AtomicU8,
}

/// Five positions in two cache lines.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(crate) struct Bucket([Slot; WAYS]);

impl Bucket {
    /// One slot in each of the two cache lines.
    #[inline(always)]
    pub(crate) fn ends(&self) -> [&Slot; 2] {
        [&self.0[0], &self.0[WAYS - 1]]
    }
}

/// A position, and what is known of it.
#[derive(Debug, Default)]
pub(crate) struct Slot {
    own: AtomicU64,
    opponent: AtomicU64,
    data: AtomicU64,
}

const WAYS: usize = 5;
const BUCKET_BYTES: usize = size_of::<Bucket>();
/// How many eras there are before the first comes again. They share a byte with the selectivity.
const ERAS: u8 = 1 << (8 - SELECTIVITY_BITS);
const SELECTIVITY_BITS: u32 = 3;
/// No move is known.
pub(crate) const NO_SQUARE: u8 = 64;

/// Why there is no table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("there is no room for a table of {0} MB")]
pub struct TableError(pub usize);

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The score is at least this…
    pub(crate) lower: i8,
    /// … and at most this …
    pub(crate) upper: i8,
    /// … for a search so deep …
    pub(crate) depth: u8,
    /// … and so sure.
    pub(crate) selectivity: Selectivity,
    /// The best moves of the last two searches that found one.
    pub(crate) best: u8,
    pub(crate) second: u8,
    /// Binary logarithm of the nodes it took.
    nodes_log2: u8,
    generation: u8,
    era: u8,
}

/// A finished search of a position, to be kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Finding {
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
    pub(crate) score: i32,
    pub(crate) depth: u32,
    pub(crate) selectivity: Selectivity,
    pub(crate) best: u8,
    pub(crate) nodes: u64,
}

impl Entry {
    fn pack(self) -> u64 {
        u64::from_le_bytes([
            self.lower as u8,
            self.upper as u8,
            self.depth,
            self.selectivity as u8 | self.era << SELECTIVITY_BITS,
            self.best,
            self.second,
            self.nodes_log2,
            self.generation,
        ])
    }

    fn unpack(word: u64) -> Entry {
        let [lower, upper, depth, selectivity, best, second, nodes_log2, generation] = word.to_le_bytes();
        Entry {
            lower: lower as i8,
            upper: upper as i8,
            depth,
            selectivity: Selectivity::ALL
                [usize::from(selectivity & ((1 << SELECTIVITY_BITS) - 1)) % Selectivity::ALL.len()],
            best,
            second,
            nodes_log2,
            generation,
            era: selectivity >> SELECTIVITY_BITS,
        }
    }

    /// Whether its bounds hold for a search of this depth and selectivity.
    #[inline(always)]
    pub(crate) fn serves(&self, depth: u32, selectivity: Selectivity) -> bool {
        u32::from(self.depth) >= depth && self.selectivity >= selectivity
    }

    /// The score of a search to this horizon with this window, if the bounds say that it is outside.
    #[inline(always)]
    pub(crate) fn cutoff(&self, horizon: Horizon, alpha: i32, beta: i32) -> Option<i32> {
        if !self.serves(horizon.depth, horizon.selectivity) {
            return None;
        }
        let (lower, upper) = (i32::from(self.lower), i32::from(self.upper));
        if lower >= beta {
            Some(lower)
        } else if upper <= alpha {
            Some(upper)
        } else {
            None
        }
    }

    /// The score of a search to this horizon, if it is known.
    #[inline(always)]
    pub(crate) fn exact(&self, horizon: Horizon) -> Option<i32> {
        let known = self.serves(horizon.depth, horizon.selectivity) && self.lower == self.upper;
        known.then_some(i32::from(self.lower))
    }

    /// What is now known, after one more search.
    fn with(self, finding: &Finding, generation: u8) -> Entry {
        let mut entry = Entry { generation, ..self };
        if u32::from(self.depth) != finding.depth || self.selectivity != finding.selectivity {
            entry = Entry {
                lower: i8::MIN,
                upper: i8::MAX,
                depth: finding.depth as u8,
                selectivity: finding.selectivity,
                ..entry
            };
        }
        if finding.score < finding.beta {
            entry.upper = entry.upper.min(finding.score as i8);
        }
        if finding.score > finding.alpha {
            entry.lower = entry.lower.max(finding.score as i8);
        }
        if (finding.score > finding.alpha || entry.best == NO_SQUARE) && entry.best != finding.best {
            entry.second = entry.best;
            entry.best = finding.best;
        }
        entry.nodes_log2 = entry.nodes_log2.max(nodes_log2(finding.nodes));
        entry
    }
}

fn nodes_log2(nodes: u64) -> u8 {
    (64 - nodes.leading_zeros()) as u8
}

/// Mixed into the second word so that the two sides of different boards never make up a third.
const MIX: u64 = 0xd6e8_feb8_6659_fd93;

impl Slot {
    /// What is here of this board, if it is of this era.
    #[inline(always)]
    fn read(&self, own: u64, opponent: u64, era: u8) -> Option<Entry> {
        let data = self.data.load(Relaxed);
        let found = self.own.load(Relaxed) ^ data == own
            && self.opponent.load(Relaxed) ^ data ^ own.wrapping_mul(MIX) == opponent;
        (found && data != 0).then(|| Entry::unpack(data)).filter(|entry| entry.era == era)
    }

    fn write(&self, own: u64, opponent: u64, entry: Entry) {
        let data = entry.pack();
        self.data.store(data, Relaxed);
        self.own.store(own ^ data, Relaxed);
        self.opponent.store(opponent ^ data ^ own.wrapping_mul(MIX), Relaxed);
    }
}

impl Table {
    /// A table of so many megabytes, at least one.
    pub fn new(megabytes: usize) -> Result<Table, TableError> {
        let megabytes = megabytes.max(1);
        let count = megabytes.checked_mul(1 << 20).ok_or(TableError(megabytes))? / BUCKET_BYTES;
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count).map_err(|_| TableError(megabytes))?;
        buckets.resize_with(count, Bucket::default);
        Ok(Table { buckets, generation: AtomicU8::new(1), era: AtomicU8::new(0) })
    }

    /// Its size in memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.buckets.len() * BUCKET_BYTES
    }

    /// Forgets everything. That takes a few milliseconds even if the table is large: what is there belongs to an
    /// era that is over, and only a small part is wiped, another one each time, so that nothing is left of an era
    /// when its number comes again. The table then works as a new one does, whatever was kept in it.
    pub fn clear(&self) {
        let era = (self.era.load(Relaxed) + 1) % ERAS;
        let part = self.buckets.len().div_ceil(usize::from(ERAS));
        let wiped = self.buckets.chunks(part).nth(usize::from(era));
        for slot in wiped.unwrap_or_default().iter().flat_map(|bucket| &bucket.0) {
            slot.data.store(0, Relaxed);
            slot.own.store(0, Relaxed);
            slot.opponent.store(0, Relaxed);
        }
        self.era.store(era, Relaxed);
        self.generation.store(1, Relaxed);
    }

    /// A new search begins: what earlier ones left is still of use, but is the first to go.
    pub fn age(&self) {
        self.generation.fetch_add(1, Relaxed);
    }

    /// Where a position is kept.
    #[inline(always)]
    pub(crate) fn bucket(&self, own: u64, opponent: u64) -> &Bucket {
        let spread = u128::from(hash(own, opponent)) * self.buckets.len() as u128;
        &self.buckets[(spread >> 64) as usize]
    }

    /// What is known of a position.
    #[inline(always)]
    pub(crate) fn probe(&self, own: u64, opponent: u64) -> Option<Entry> {
        let era = self.era.load(Relaxed);
        self.bucket(own, opponent).0.iter().find_map(|slot| slot.read(own, opponent, era))
    }

    /// Stores a finding, in place of what is worth least.
    pub(crate) fn store(&self, own: u64, opponent: u64, finding: &Finding) {
        let (generation, era) = (self.generation.load(Relaxed), self.era.load(Relaxed));
        let bucket = self.bucket(own, opponent);
        let mut least = (u32::MAX, 0);
        for (at, slot) in bucket.0.iter().enumerate() {
            if let Some(entry) = slot.read(own, opponent, era) {
                let deeper =
                    (u32::from(entry.depth), entry.selectivity) > (finding.depth, finding.selectivity);
                if !deeper || entry.generation != generation {
                    slot.write(own, opponent, entry.with(finding, generation));
                }
                return;
            }
            let data = slot.data.load(Relaxed);
            let entry = Entry::unpack(data);
            let worth = match data {
                0 => 0,
                _ if entry.era != era => 0,
                _ => 1 + u32::from(entry.nodes_log2) + 256 * u32::from(entry.generation == generation),
            };
            least = least.min((worth, at));
        }
        let blank = Entry {
            lower: i8::MIN,
            upper: i8::MAX,
            depth: finding.depth as u8,
            selectivity: finding.selectivity,
            best: NO_SQUARE,
            second: NO_SQUARE,
            nodes_log2: 0,
            generation,
            era,
        };
        bucket.0[least.1].write(own, opponent, blank.with(finding, generation));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(score: i32, alpha: i32, depth: u32) -> Finding {
        let selectivity = Selectivity::Certain;
        Finding { alpha, beta: alpha + 1, score, depth, selectivity, best: 19, nodes: 100 }
    }

    #[test]
    fn what_was_stored_is_found() {
        let table = Table::new(1).unwrap();
        assert_eq!(table.probe(3, 4), None);
        table.store(3, 4, &finding(8, 5, 10));
        table.store(3, 4, &finding(12, 13, 10));
        let entry = table.probe(3, 4).unwrap();
        assert_eq!((entry.lower, entry.upper, entry.best, entry.depth), (8, 12, 19, 10));
        assert!(entry.serves(9, Selectivity::ALL[0]) && !entry.serves(11, Selectivity::ALL[0]));
        assert_eq!(table.probe(4, 3), None);
        table.clear();
        assert_eq!(table.probe(3, 4), None);
    }

    #[test]
    fn a_full_table_never_mistakes_a_board_for_another() {
        let table = Table::new(1).unwrap();
        for board in 1..200_000u64 {
            table.store(board, !board & 0xffff_ffff, &finding((board % 60) as i32, -64, 10));
        }
        let mut found = 0;
        for board in 1..200_000u64 {
            if let Some(entry) = table.probe(board, !board & 0xffff_ffff) {
                assert_eq!(i32::from(entry.lower), (board % 60) as i32);
                found += 1;
            }
        }
        assert!(found > 30_000, "{found}");
    }

    /// Also when the numbers of eras have come round, and whatever was there before.
    #[test]
    fn a_cleared_table_is_as_good_as_new() {
        let boards = |from: u64| (from..from + 40_000).map(|board| (board, !board & 0xffff_ffff));
        let fill = |table: &Table, from: u64| {
            for (number, (own, opponent)) in boards(from).enumerate() {
                let nodes = (number as u64).wrapping_mul(MIX) >> (number % 50);
                table.store(own, opponent, &Finding { nodes, ..finding(number as i32 % 60, -64, 10) });
            }
        };
        let new = Table::new(1).unwrap();
        fill(&new, 1);
        let used = Table::new(1).unwrap();
        for times in 0..3 * u64::from(ERAS) {
            // Some eras leave many positions, some few, most none.
            if times % 7 < 2 {
                fill(&used, 1 + 20_000 * (times % 3));
            }
            (0..times % 5).for_each(|_| used.age());
            used.clear();
            assert!(boards(1).all(|(own, opponent)| used.probe(own, opponent).is_none()), "{times}");
            if times % 11 == 10 {
                fill(&used, 1);
                let entry = |table: &Table, (own, opponent)| {
                    table.probe(own, opponent).map(|entry| Entry { era: 0, ..entry })
                };
                assert!(boards(1).all(|board| entry(&used, board) == entry(&new, board)), "{times}");
            }
        }
    }

    #[test]
    fn torn_writes_match_no_board() {
        let (one, two) = (Slot::default(), Slot::default());
        let entry = Table::new(1).map(|table| {
            table.store(1, 2, &finding(8, 5, 10));
            table.probe(1, 2)
        });
        let entry = entry.unwrap().unwrap();
        one.write(0b0011, 0b1100, entry);
        two.write(0b0101, 0b1000, entry);
        one.opponent.store(two.opponent.load(Relaxed), Relaxed);
        for own in 0..16 {
            for opponent in 0..16 {
                assert_eq!(one.read(own, opponent, entry.era), None);
            }
        }
    }

    /// Boards that share a bucket.
    fn neighbours(table: &Table, count: usize) -> Vec<(u64, u64)> {
        let home = table.bucket(1, 0);
        let boards =
            (1u64..).map(|own| (own, 0)).filter(|(own, _)| std::ptr::eq(table.bucket(*own, 0), home));
        boards.take(count).collect()
    }

    #[test]
    fn what_took_the_fewest_nodes_makes_room_but_what_earlier_searches_left_goes_first() {
        let table = Table::new(1).unwrap();
        let boards = neighbours(&table, WAYS + 3);
        let store = |board: usize, nodes: u64| {
            table.store(boards[board].0, boards[board].1, &Finding { nodes, ..finding(8, 5, 10) });
        };
        let known = || -> Vec<usize> {
            (0..boards.len())
                .filter(|board| table.probe(boards[*board].0, boards[*board].1).is_some())
                .collect()
        };
        for (board, nodes) in [900, 70, 5000, 30, 60_000].into_iter().enumerate() {
            store(board, nodes);
        }
        assert_eq!(known(), [0, 1, 2, 3, 4]);
        store(5, 40);
        assert_eq!(known(), [0, 1, 2, 4, 5], "30 nodes were the fewest");
        table.age();
        store(6, 3);
        assert_eq!(known(), [0, 1, 2, 4, 6], "40 nodes were the fewest of the earlier search");
        store(7, 1);
        assert_eq!(
            known(),
            [0, 2, 4, 6, 7],
            "70 nodes of the earlier search are worth less than 1 of this one"
        );
        table.age();
        store(7, 1);
        store(5, 1);
        assert_eq!(known(), [0, 2, 4, 5, 7], "a board that was met again belongs to this search");
    }

    /// However little it took and however many searches ago: even when the numbers of searches have come round.
    #[test]
    fn nothing_makes_room_while_there_is_some() {
        for ages in [0, 1, 254, 255, 256] {
            let table = Table::new(1).unwrap();
            let boards = neighbours(&table, WAYS);
            for (number, (own, opponent)) in boards.iter().enumerate() {
                table.store(*own, *opponent, &Finding { nodes: number as u64, ..finding(8, 5, 10) });
                (0..ages).for_each(|_| table.age());
            }
            let known = boards.iter().filter(|(own, opponent)| table.probe(*own, *opponent).is_some());
            assert_eq!(known.count(), WAYS, "{ages}");
        }
    }

    #[test]
    fn a_deeper_finding_of_this_search_stays_and_one_of_an_earlier_search_does_not() {
        let table = Table::new(1).unwrap();
        let stored = |finding: &Finding| {
            table.store(3, 4, finding);
            let entry = table.probe(3, 4).unwrap();
            (entry.depth, entry.selectivity, entry.lower, entry.upper)
        };
        let (certain, likely) = (Selectivity::Certain, Selectivity::Likely);
        let deep = (10, certain, 8, i8::MAX);
        assert_eq!(stored(&finding(8, 5, 10)), deep);
        assert_eq!(stored(&finding(20, 5, 9)), deep, "shallower");
        assert_eq!(stored(&Finding { selectivity: likely, ..finding(20, 5, 10) }), deep, "less sure");
        assert_eq!(stored(&finding(9, 12, 10)), (10, certain, 8, 9), "as deep: both bounds hold");
        assert_eq!(stored(&finding(7, 5, 10)), (10, certain, 8, 9), "nothing new");
        assert_eq!(stored(&finding(2, 3, 12)), (12, certain, i8::MIN, 2), "deeper: other bounds");
        table.age();
        assert_eq!(stored(&finding(20, 5, 9)), (9, certain, 20, i8::MAX), "of an earlier search");
    }

    #[test]
    fn the_best_moves_of_the_last_two_searches_that_found_one_are_kept() {
        let table = Table::new(1).unwrap();
        let stored = |best: u8, score: i32| {
            table.store(3, 4, &Finding { best, ..finding(score, 5, 10) });
            let entry = table.probe(3, 4).unwrap();
            (entry.best, entry.second)
        };
        assert_eq!(stored(19, 2), (19, NO_SQUARE), "any move is better than none");
        assert_eq!(stored(26, 2), (19, NO_SQUARE), "a search that failed found none");
        assert_eq!(stored(26, 8), (26, 19));
        assert_eq!(stored(26, 8), (26, 19), "the same again");
        assert_eq!(stored(44, 8), (44, 26));
    }

    #[test]
    fn bounds_answer_a_window_that_is_wholly_on_one_side_of_them() {
        let table = Table::new(1).unwrap();
        table.store(3, 4, &finding(4, 3, 10));
        table.store(3, 4, &finding(9, 12, 10));
        let entry = table.probe(3, 4).unwrap();
        let horizon = |depth| Horizon { depth, selectivity: Selectivity::Certain };
        assert_eq!((entry.lower, entry.upper), (4, 9));
        for (alpha, beta, answer) in [
            (3, 4, Some(4)),
            (-9, 3, Some(4)),
            (4, 5, None),
            (8, 9, None),
            (9, 10, Some(9)),
            (20, 30, Some(9)),
        ] {
            assert_eq!(entry.cutoff(horizon(10), alpha, beta), answer, "{alpha} {beta}");
            assert_eq!(entry.cutoff(horizon(11), alpha, beta), None, "not deep enough");
        }
        assert_eq!(entry.exact(horizon(10)), None);
        table.store(3, 4, &finding(9, 8, 10));
        let entry = table.probe(3, 4).unwrap();
        assert_eq!((entry.exact(horizon(10)), entry.exact(horizon(11))), (Some(9), None));
    }

    #[test]
    fn a_table_has_the_size_that_was_asked_for_or_says_that_there_is_no_room() {
        assert_eq!(Table::new(0).unwrap().bytes(), 1 << 20);
        assert_eq!(Table::new(3).unwrap().bytes(), 3 << 20);
        for megabytes in [usize::MAX, usize::MAX >> 20] {
            assert_eq!(Table::new(megabytes).unwrap_err(), TableError(megabytes));
        }
    }
}

/// Every order in which threads can act on one slot: `cargo xtask sanitize`.
#[cfg(all(test, feature = "loom"))]
mod models {
    use std::sync::Arc;

    use super::*;

    fn entry(lower: i8, best: u8) -> Entry {
        Entry {
            lower,
            upper: 64,
            depth: 10,
            selectivity: Selectivity::Certain,
            best,
            second: NO_SQUARE,
            nodes_log2: 7,
            generation: 1,
            era: 0,
        }
    }

    /// Two threads write, each its own board or both the same one; whatever one of them then finds of a board was written
    /// of it.
    fn nothing_is_mixed(boards: [(u64, u64); 2]) {
        loom::model(move || {
            let slot = Arc::new(Slot::default());
            let entries = [entry(8, 19), entry(-4, 44)];
            let write = move |slot: &Slot, number: usize| {
                let (own, opponent) = boards[number];
                slot.write(own, opponent, entries[number]);
            };
            let other = loom::thread::spawn({
                let slot = Arc::clone(&slot);
                move || write(&slot, 0)
            });
            write(&slot, 1);
            for (own, opponent) in boards {
                if let Some(found) = slot.read(own, opponent, 0) {
                    let written = boards.iter().zip(entries).filter(|(board, _)| **board == (own, opponent));
                    assert!(written.map(|(_, entry)| entry).any(|entry| entry == found), "{found:?}");
                }
            }
            other.join().unwrap();
        });
    }

    #[test]
    fn two_writers_of_different_boards() {
        nothing_is_mixed([(0b0011, 0b1100), (0b0101, 0b1010)]);
    }

    #[test]
    fn two_writers_of_boards_with_the_same_discs_on_one_side() {
        nothing_is_mixed([(0b0011, 0b1100), (0b0011, 0b0100)]);
    }

    #[test]
    fn two_writers_of_one_board() {
        nothing_is_mixed([(0b0011, 0b1100), (0b0011, 0b1100)]);
    }
}
