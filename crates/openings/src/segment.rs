//! A file of games, read where it is needed. How it is laid out: [`crate::segment_writer`].

use std::ops::Range;

use arrayvec::ArrayVec;
use emilia_rules::Square;

use crate::batch::{Batch, MOST_GAMES, Row, When, Who};
use crate::bytes::Reader;
use crate::played::walk;
use crate::segment_writer::{BLOCK, ENTRY, Entry, FORMAT, MARK, MOVES, PARTS, STRATA, TABLE, game_checksum};
use crate::{OpeningsError, ReadAt, Tally};

/// From so many games on all names are read at once.
const SEVERAL: usize = 2000;

pub(crate) struct Segment {
    name: String,
    source: Box<dyn ReadAt>,
    parts: [Part; PARTS],
    games: u32,
    whens: Vec<When>,
    pub(crate) players: Vec<String>,
    pub(crate) events: Vec<String>,
    strata: Vec<Stratum>,
    /// In the order of disc count and key.
    tallies: Vec<Kept>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Part {
    begin: u64,
    length: u64,
    checksum: u32,
}

/// The positions with one number of discs.
struct Stratum {
    /// Where the first entry is, in the file.
    begin: u64,
    entries: u32,
    first_keys: Vec<u64>,
    checksums: Vec<u32>,
}

/// Tallies that need not be counted, as Black sees them.
struct Kept {
    discs: u8,
    key: u64,
    moves: Vec<(u8, Tally)>,
}

/// The parts by number.
const WHEN: usize = 0;
const WHO: usize = 1;
const GAMES: usize = 2;
const IDENTITIES: usize = 3;
const NAMES: usize = 4;
const ENTRIES: usize = 5;
const BLOCKS: usize = 6;
const TALLIES: usize = 7;

impl Segment {
    pub(crate) fn open(name: &str, source: Box<dyn ReadAt>) -> Result<Segment, OpeningsError> {
        let damaged = |what| OpeningsError::damaged(name, what);
        let begin = source.length().checked_sub(TABLE as u64).ok_or_else(|| damaged("it is too short"))?;
        let mut table = [0; TABLE];
        source.read_at(begin, &mut table).map_err(|error| OpeningsError::file(name, error))?;
        let (games, parts) = parts(name, &table)?;
        let mut segment = Segment {
            name: name.to_owned(),
            source,
            parts,
            games,
            whens: Vec::new(),
            players: Vec::new(),
            events: Vec::new(),
            strata: Vec::new(),
            tallies: Vec::new(),
        };
        segment.check_layout(begin)?;
        let whens = segment.part(WHEN)?;
        segment.whens = whens
            .chunks_exact(3)
            .map(|bytes| When { year: u16::from_le_bytes([bytes[0], bytes[1]]), ended: bytes[2] as i8 })
            .collect();
        let names = segment.part(NAMES)?;
        [segment.players, segment.events] =
            name_lists(&names).ok_or_else(|| damaged("its names cannot be read"))?;
        let blocks = segment.part(BLOCKS)?;
        segment.strata =
            strata(&blocks, segment.parts[ENTRIES]).ok_or_else(|| damaged("its blocks cannot be read"))?;
        let tallies = segment.part(TALLIES)?;
        segment.tallies = kept(&tallies).ok_or_else(|| damaged("its tallies cannot be read"))?;
        Ok(segment)
    }

    /// Whether the parts lie one after the other and have the lengths they must have.
    fn check_layout(&self, end: u64) -> Result<(), OpeningsError> {
        let mut at = 0;
        for part in &self.parts {
            if part.begin != at {
                return Err(self.damaged("its parts do not follow each other"));
            }
            at = at.checked_add(part.length).ok_or_else(|| self.damaged("its parts are too long"))?;
        }
        let games = u64::from(self.games);
        let lengths = [(WHEN, 3), (WHO, 12), (GAMES, MOVES as u64), (IDENTITIES, 8)];
        let fits = lengths.iter().all(|(part, width)| self.parts[*part].length == games * width);
        if at == end && fits && self.games as usize <= MOST_GAMES {
            Ok(())
        } else {
            Err(self.damaged("its parts have other lengths than they must have"))
        }
    }

    pub(crate) fn games(&self) -> u32 {
        self.games
    }

    fn damaged(&self, what: &'static str) -> OpeningsError {
        OpeningsError::damaged(&self.name, what)
    }

    fn bytes(&self, offset: u64, length: usize) -> Result<Vec<u8>, OpeningsError> {
        let mut bytes = vec![0; length];
        self.source.read_at(offset, &mut bytes).map_err(|error| OpeningsError::file(&self.name, error))?;
        Ok(bytes)
    }

    /// A whole part, if it is as it was written.
    fn part(&self, number: usize) -> Result<Vec<u8>, OpeningsError> {
        let Part { begin, length, checksum } = self.parts[number];
        let bytes = self.bytes(begin, length as usize)?;
        if crc32fast::hash(&bytes) == checksum { Ok(bytes) } else { Err(self.damaged("a checksum is wrong")) }
    }

    pub(crate) fn when(&self, game: u32) -> Result<When, OpeningsError> {
        self.whens.get(game as usize).copied().ok_or_else(|| self.damaged("there is no such game"))
    }

    /// The tallies of a position, as Black sees them, if they are kept.
    pub(crate) fn tallies(&self, discs: u8, key: u64) -> Option<&[(u8, Tally)]> {
        let found = self.tallies.binary_search_by_key(&(discs, key), |kept| (kept.discs, kept.key));
        found.ok().map(|at| &*self.tallies[at].moves)
    }

    /// Which entries of the positions with so many discs have this key.
    pub(crate) fn range(&self, discs: u8, key: u64) -> Result<Range<usize>, OpeningsError> {
        let Some(stratum) = self.stratum(discs) else { return Ok(0..0) };
        let find = |before: &dyn Fn(u64) -> bool| -> Result<usize, OpeningsError> {
            // The first block that begins behind what is looked for; that is in the one before.
            let Some(block) = stratum.first_keys.partition_point(|first| before(*first)).checked_sub(1)
            else {
                return Ok(0);
            };
            let entries = self.entries(discs, block * BLOCK..stratum.end_of(block))?;
            Ok(block * BLOCK + entries.partition_point(|entry| before(entry.0)))
        };
        Ok(find(&|other| other < key)?..find(&|other| other <= key)?)
    }

    fn stratum(&self, discs: u8) -> Option<&Stratum> {
        self.strata.get(usize::from(discs.checked_sub(4)?))
    }

    pub(crate) fn entry_count(&self, discs: u8) -> usize {
        self.stratum(discs).map_or(0, |stratum| stratum.entries as usize)
    }

    /// These entries of the positions with so many discs; the blocks they are in are checked.
    pub(crate) fn entries(&self, discs: u8, range: Range<usize>) -> Result<Vec<Entry>, OpeningsError> {
        let Some(stratum) = self.stratum(discs).filter(|_| !range.is_empty()) else { return Ok(Vec::new()) };
        let blocks = range.start / BLOCK..range.end.div_ceil(BLOCK);
        let (first, end) = (blocks.start * BLOCK, (blocks.end * BLOCK).min(stratum.entries as usize));
        let bytes = self.bytes(stratum.begin + (first * ENTRY) as u64, (end - first) * ENTRY)?;
        for (block, bytes) in blocks.zip(bytes.chunks(BLOCK * ENTRY)) {
            if stratum.checksums.get(block) != Some(&crc32fast::hash(bytes)) {
                return Err(self.damaged("a checksum is wrong"));
            }
        }
        Ok(bytes.chunks_exact(ENTRY).skip(range.start - first).take(range.len()).map(entry).collect())
    }

    /// The names of these games.
    pub(crate) fn whos(&self, games: &[u32]) -> Result<Vec<Who>, OpeningsError> {
        if games.len() >= SEVERAL {
            let bytes = self.part(WHO)?;
            let at = |game: &u32| bytes.get(*game as usize * 12..*game as usize * 12 + 12).map(who);
            return games
                .iter()
                .map(|game| at(game).ok_or_else(|| self.damaged("there is no such game")))
                .collect();
        }
        games.iter().map(|game| self.who_bytes(*game).map(|bytes| who(&bytes))).collect()
    }

    fn who_bytes(&self, game: u32) -> Result<Vec<u8>, OpeningsError> {
        if game >= self.games {
            return Err(self.damaged("there is no such game"));
        }
        self.bytes(self.parts[WHO].begin + u64::from(game) * 12, 12)
    }

    /// A game with its names and squares.
    pub(crate) fn game(&self, game: u32) -> Result<(Who, ArrayVec<Square, 60>), OpeningsError> {
        let names = self.who_bytes(game)?;
        let moves = self.bytes(self.parts[GAMES].begin + u64::from(game) * MOVES as u64, MOVES)?;
        Ok((who(&names), self.squares(&moves, &names)?))
    }

    fn squares(&self, moves: &[u8], names: &[u8]) -> Result<ArrayVec<Square, 60>, OpeningsError> {
        let (squares, checksum) = moves.split_at(MOVES - 4);
        if game_checksum(squares, names).to_le_bytes() != checksum {
            return Err(self.damaged("the checksum of a game is wrong"));
        }
        let length = usize::from(squares[0]);
        let known = squares[1..].iter().take(length).map_while(|byte| Square::from_index(*byte));
        Ok(known.collect())
    }

    pub(crate) fn player(&self, number: u32) -> &str {
        self.players.get(number as usize).map_or("", String::as_str)
    }

    pub(crate) fn event(&self, number: u32) -> &str {
        self.events.get(number as usize).map_or("", String::as_str)
    }

    /// What tells the games from others.
    pub(crate) fn identities(&self) -> Result<impl Iterator<Item = u64> + use<>, OpeningsError> {
        let bytes = self.part(IDENTITIES)?;
        let numbers: Vec<u64> = bytes.chunks_exact(8).filter_map(|bytes| Reader(bytes).u64()).collect();
        Ok(numbers.into_iter())
    }

    /// Adds all games to those that become a new file.
    pub(crate) fn add_to(&self, batch: &mut Batch) -> Result<(), OpeningsError> {
        let (whos, games) = (self.part(WHO)?, self.part(GAMES)?);
        let each = whos.chunks_exact(12).zip(games.chunks_exact(MOVES));
        for (((names, moves), identity), when) in each.zip(self.identities()?).zip(&self.whens) {
            let Who { black, white, event } = who(names);
            batch.rows.push(Row {
                who: Who {
                    black: batch.players.number(self.player(black)),
                    white: batch.players.number(self.player(white)),
                    event: batch.events.number(self.event(event)),
                },
                when: *when,
                identity,
                squares: self.squares(moves, names)?,
            });
        }
        Ok(())
    }

    /// Reads everything and compares it with its checksums; plays every game through.
    pub(crate) fn check(&self) -> Result<(), OpeningsError> {
        for part in 0..PARTS {
            self.part(part)?;
        }
        let (whos, games) = (self.part(WHO)?, self.part(GAMES)?);
        for (names, moves) in whos.chunks_exact(12).zip(games.chunks_exact(MOVES)) {
            if !walk(&self.squares(moves, names)?, |_, _, _| {}) {
                return Err(self.damaged("a game has an illegal move"));
            }
        }
        for discs in (4..).take(STRATA) {
            let entries = self.entries(discs, 0..self.entry_count(discs))?;
            if !entries.is_sorted() {
                return Err(self.damaged("its positions are not in order"));
            }
        }
        Ok(())
    }
}

impl Stratum {
    fn end_of(&self, block: usize) -> usize {
        ((block + 1) * BLOCK).min(self.entries as usize)
    }
}

fn entry(bytes: &[u8]) -> Entry {
    let key = Reader(bytes).u64().unwrap_or(0);
    (key, u32::from_le_bytes([bytes[8], bytes[9], bytes[10], 0]))
}

fn who(bytes: &[u8]) -> Who {
    let mut reader = Reader(bytes);
    let mut number = || reader.u32().unwrap_or(0);
    Who { black: number(), white: number(), event: number() }
}

/// The number of games and where the parts are.
fn parts(name: &str, table: &[u8; TABLE]) -> Result<(u32, [Part; PARTS]), OpeningsError> {
    let damaged = |what| OpeningsError::damaged(name, what);
    let (table, mark) = table.split_at(TABLE - MARK.len());
    if mark != MARK {
        return Err(damaged("its end is missing, or it is no file of games"));
    }
    let (table, checksum) = table.split_at(table.len() - 4);
    let mut reader = Reader(table);
    let mut parts = [Part::default(); PARTS];
    let mut numbers = || {
        for part in &mut parts {
            *part = Part { begin: reader.u64()?, length: reader.u64()?, checksum: reader.u32()? };
        }
        Some((reader.u32()?, reader.u32()?))
    };
    let (games, format) = numbers().ok_or_else(|| damaged("it is too short"))?;
    if format != FORMAT {
        return Err(OpeningsError::Version { file: name.to_owned(), found: format, known: FORMAT });
    }
    if crc32fast::hash(table).to_le_bytes() != checksum {
        return Err(damaged("a checksum is wrong"));
    }
    Ok((games, parts))
}

fn name_lists(bytes: &[u8]) -> Option<[Vec<String>; 2]> {
    let mut reader = Reader(bytes);
    let mut list = || {
        let count = reader.short()?;
        (0..count).map(|_| reader.text().map(str::to_owned)).collect::<Option<Vec<String>>>()
    };
    Some([list()?, list()?])
}

fn strata(bytes: &[u8], entries: Part) -> Option<Vec<Stratum>> {
    let mut reader = Reader(bytes);
    let counts: Vec<u32> = (0..STRATA).map(|_| reader.u32()).collect::<Option<_>>()?;
    let total: u64 = counts.iter().map(|count| u64::from(*count)).sum();
    if total * ENTRY as u64 != entries.length {
        return None;
    }
    let mut begin = entries.begin;
    let stratum = |entries: u32| {
        let blocks = (entries as usize).div_ceil(BLOCK);
        let mut stratum = Stratum { begin, entries, first_keys: Vec::new(), checksums: Vec::new() };
        for _ in 0..blocks {
            stratum.first_keys.push(reader.u64()?);
            stratum.checksums.push(reader.u32()?);
        }
        begin += u64::from(entries) * ENTRY as u64;
        Some(stratum)
    };
    counts.into_iter().map(stratum).collect()
}

fn kept(bytes: &[u8]) -> Option<Vec<Kept>> {
    let mut reader = Reader(bytes);
    let mut all = Vec::new();
    while !reader.0.is_empty() {
        let (discs, key) = (reader.u8()?, reader.u64()?);
        let moves = (0..reader.short()?).map(|_| tally(&mut reader)).collect::<Option<_>>()?;
        all.push(Kept { discs, key, moves });
    }
    Some(all)
}

fn tally(reader: &mut Reader<'_>) -> Option<(u8, Tally)> {
    let code = reader.u8()?;
    let [games, wins, draws, losses, scored] =
        [reader.short()?, reader.short()?, reader.short()?, reader.short()?, reader.short()?];
    let discs = reader.short_signed()?;
    let mut year = || reader.short().map(|year| u16::try_from(year).ok().filter(|year| *year > 0));
    let (first_year, last_year) = (year()?, year()?);
    Some((code, Tally { games, wins, draws, losses, scored, discs, first_year, last_year }))
}
