//! Making a file of games: the games themselves, and every position of them in order, so that it is found by halving.
//!
//! The parts of a file, in this order; numbers have their lowest byte first:
//!
//! | part | what it is |
//! |---|---|
//! | when | for each game its year (2 bytes) and the code of its result (1) |
//! | who | for each game the numbers of Black, White and the event (4 each) |
//! | moves | for each game the number of its squares (1), the squares (60), and a checksum of these and of who (4) |
//! | identities | for each game the number that tells it from others (8) |
//! | names | how many players, their names, how many events, their names |
//! | entries | for each disc count from 4 to 64 the positions: key (8), and move and game together (3), in this order |
//! | blocks | for each disc count how many entries (4); then for each 256 of them the first key (8) and a checksum (4) |
//! | tallies | for positions of 256 games and more what came of each move, so that they need not be counted |
//! | table | for each part where it begins (8), its length (8) and checksum (4); games (4), format (4), checksum (4), mark (8) |

use std::io::{self, Write};

use crate::batch::{Batch, MOST_GAMES, Row};
use crate::bytes::{put_short, put_short_signed, put_text};
use crate::played::walk;
use crate::spot::{END, Spot};
use crate::{Ended, Tally};
use emilia_rules::Color;

/// The last bytes of every file of games.
pub(crate) const MARK: [u8; 8] = *b"EmiliaOp";
/// The format of files and of the list of them; another one is refused.
pub(crate) const FORMAT: u32 = 1;
/// Number of parts, and of bytes of the table of them.
pub(crate) const PARTS: usize = 8;
pub(crate) const TABLE: usize = PARTS * 20 + 20;
/// Numbers of discs a position can have, from 4 on.
pub(crate) const STRATA: usize = 61;
/// Entries of a block, and bytes of an entry.
pub(crate) const BLOCK: usize = 256;
pub(crate) const ENTRY: usize = 11;
/// Bytes of a game among the moves.
pub(crate) const MOVES: usize = 65;
/// From so many games on a position has its tallies kept.
pub(crate) const MANY: usize = 256;
/// Where the move stands beside the number of the game.
pub(crate) const MOVE_SHIFT: u32 = MOST_GAMES.trailing_zeros();

/// A position of a game: its key, and move and game in one number.
pub(crate) type Entry = (u64, u32);

/// Every position of the games, by number of discs, each in order.
pub(crate) struct Index {
    strata: Vec<Vec<Entry>>,
    /// Whose turn it is, for the tallies: the key has it mixed in, so that all games of a key agree.
    tallies: Vec<u8>,
}

impl Index {
    /// Goes through all games. The threads share the work, and it does not show.
    pub(crate) fn new(batch: &Batch, threads: usize) -> Index {
        let threads = threads.clamp(1, 64);
        let share = batch.rows.len().div_ceil(threads).max(1);
        let parts: Vec<Vec<Vec<Entry>>> = std::thread::scope(|scope| {
            let chunks = (0..).step_by(share).zip(batch.rows.chunks(share));
            let running: Vec<_> =
                chunks.map(|(first, rows)| scope.spawn(move || entries(first, rows))).collect();
            running.into_iter().map(|thread| thread.join().unwrap_or_default()).collect()
        });
        let mut strata: Vec<Vec<Entry>> = vec![Vec::new(); STRATA];
        for part in parts {
            for (stratum, entries) in strata.iter_mut().zip(part) {
                if stratum.is_empty() {
                    *stratum = entries;
                } else {
                    stratum.extend(entries);
                }
            }
        }
        std::thread::scope(|scope| {
            for share in strata.chunks_mut(STRATA.div_ceil(threads)) {
                scope.spawn(|| share.iter_mut().for_each(|stratum| stratum.sort_unstable()));
            }
        });
        let mut tallies = Vec::new();
        for (discs, stratum) in (4..).zip(&strata) {
            for run in stratum.chunk_by(|one, next| one.0 == next.0).filter(|run| run.len() >= MANY) {
                put_tallies(&mut tallies, discs, run, batch);
            }
        }
        Index { strata, tallies }
    }
}

/// The positions of some games, numbered from `first`, in the order of the games.
fn entries(first: u32, rows: &[Row]) -> Vec<Vec<Entry>> {
    let mut strata: Vec<Vec<Entry>> = (0..STRATA).map(|_| Vec::with_capacity(rows.len())).collect();
    for (game, row) in (first..).zip(rows) {
        walk(&row.squares, |board, turn, square| {
            let spot = Spot::new(board, turn);
            let code = square.map_or(END, |square| spot.code(square));
            if let Some(stratum) = strata.get_mut(usize::from(spot.discs) - 4) {
                stratum.push((spot.key, u32::from(code) << MOVE_SHIFT | game));
            }
        });
    }
    strata
}

/// What came of each move of a position, as Black sees it: who reads it knows whose turn it is.
fn put_tallies(out: &mut Vec<u8>, discs: u8, run: &[Entry], batch: &Batch) {
    out.push(discs);
    out.extend(run[0].0.to_le_bytes());
    let moves = run.chunk_by(|one, next| one.1 >> MOVE_SHIFT == next.1 >> MOVE_SHIFT);
    put_short(out, moves.clone().count() as u64);
    for entries in moves {
        let mut tally = Tally::default();
        for (_, posting) in entries {
            let when = batch.rows[game_of(*posting) as usize].when;
            tally.add(Ended::of_code(when.ended), (when.year > 0).then_some(when.year), Color::Black);
        }
        out.push((entries[0].1 >> MOVE_SHIFT) as u8);
        for number in [tally.games, tally.wins, tally.draws, tally.losses, tally.scored] {
            put_short(out, number);
        }
        put_short_signed(out, tally.discs);
        for year in [tally.first_year, tally.last_year] {
            put_short(out, year.unwrap_or(0).into());
        }
    }
}

/// The number of the game in a posting.
pub(crate) fn game_of(posting: u32) -> u32 {
    posting & (MOST_GAMES as u32 - 1)
}

/// Writes the file.
pub(crate) fn write(batch: &Batch, index: &Index, out: &mut dyn Write) -> io::Result<()> {
    let mut out = Parts { out, written: 0, table: Vec::new() };
    let rows = &batch.rows;
    out.part(|out| rows.iter().try_for_each(|row| out.put(&when_bytes(row))))?;
    out.part(|out| rows.iter().try_for_each(|row| out.put(&who_bytes(row))))?;
    out.part(|out| rows.iter().try_for_each(|row| out.put(&move_bytes(row))))?;
    out.part(|out| rows.iter().try_for_each(|row| out.put(&row.identity.to_le_bytes())))?;
    out.part(|out| out.put(&name_bytes(batch)))?;
    let mut blocks = Vec::new();
    index.strata.iter().for_each(|stratum| blocks.extend((stratum.len() as u32).to_le_bytes()));
    out.part(|out| {
        for block in index.strata.iter().flat_map(|stratum| stratum.chunks(BLOCK)) {
            let bytes: Vec<u8> = block.iter().flat_map(entry_bytes).collect();
            blocks.extend(block[0].0.to_le_bytes());
            blocks.extend(crc32fast::hash(&bytes).to_le_bytes());
            out.put(&bytes)?;
        }
        Ok(())
    })?;
    out.part(|out| out.put(&blocks))?;
    out.part(|out| out.put(&index.tallies))?;
    let mut table = std::mem::take(&mut out.table);
    table.extend((rows.len() as u32).to_le_bytes());
    table.extend(FORMAT.to_le_bytes());
    table.extend(crc32fast::hash(&table).to_le_bytes());
    table.extend(MARK);
    out.put(&table)
}

fn entry_bytes((key, posting): &Entry) -> [u8; ENTRY] {
    let [a, b, c, d, e, f, g, h] = key.to_le_bytes();
    let [low, middle, high, _] = posting.to_le_bytes();
    [a, b, c, d, e, f, g, h, low, middle, high]
}

fn when_bytes(row: &Row) -> [u8; 3] {
    let [low, high] = row.when.year.to_le_bytes();
    [low, high, row.when.ended as u8]
}

pub(crate) fn who_bytes(row: &Row) -> [u8; 12] {
    let mut bytes = [0; 12];
    for (place, number) in bytes.chunks_exact_mut(4).zip([row.who.black, row.who.white, row.who.event]) {
        place.copy_from_slice(&number.to_le_bytes());
    }
    bytes
}

fn move_bytes(row: &Row) -> [u8; MOVES] {
    let mut bytes = [0; MOVES];
    bytes[0] = row.squares.len() as u8;
    for (byte, square) in bytes[1..].iter_mut().zip(&row.squares) {
        *byte = square.index();
    }
    let checksum = game_checksum(&bytes[..MOVES - 4], &who_bytes(row));
    bytes[MOVES - 4..].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

/// What the moves of a game and its names add up to.
pub(crate) fn game_checksum(moves: &[u8], who: &[u8]) -> u32 {
    let mut checksum = crc32fast::Hasher::new();
    checksum.update(moves);
    checksum.update(who);
    checksum.finalize()
}

fn name_bytes(batch: &Batch) -> Vec<u8> {
    let mut bytes = Vec::new();
    for names in [&batch.players.list, &batch.events.list] {
        put_short(&mut bytes, names.len() as u64);
        names.iter().for_each(|name| put_text(&mut bytes, name));
    }
    bytes
}

/// Counts what is written, and its checksums.
struct Parts<'o> {
    out: &'o mut dyn Write,
    written: u64,
    table: Vec<u8>,
}

/// One of the parts.
struct Part<'p, 'o> {
    parts: &'p mut Parts<'o>,
    checksum: crc32fast::Hasher,
}

impl Parts<'_> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.written += bytes.len() as u64;
        self.out.write_all(bytes)
    }

    fn part(&mut self, fill: impl FnOnce(&mut Part<'_, '_>) -> io::Result<()>) -> io::Result<()> {
        let begin = self.written;
        let mut part = Part { parts: self, checksum: crc32fast::Hasher::new() };
        fill(&mut part)?;
        let checksum = part.checksum.finalize();
        let length = self.written - begin;
        self.table.extend(begin.to_le_bytes());
        self.table.extend(length.to_le_bytes());
        self.table.extend(checksum.to_le_bytes());
        Ok(())
    }
}

impl Part<'_, '_> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.checksum.update(bytes);
        self.parts.put(bytes)
    }
}
