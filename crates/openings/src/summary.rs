//! What is played in positions, without the games: small enough to be part of a program.
//!
//! The file: mark (8) and format (1); the credit, the number of games, the first and last year; then for each number of
//! discs from 4 to 64 how many blocks there are; for each block its first key (5) and where it begins among the blocks;
//! then the blocks. A block has up to 32 positions in the order of their keys: what the key has more than the one before,
//! how many moves, and for each the move and its tally. Keys are cut to their highest 40 bits, and a checksum ends the file.

use std::borrow::Cow;
use std::collections::BTreeMap;

use emilia_rules::{Color, GridPosition, Move, Playable, Position, Size, Status};

use crate::bytes::{Reader, put_short, put_short_signed, put_text};
use crate::segment_writer::STRATA;
use crate::spot::{END, Spot};
use crate::{Database, Ended, Found, FoundMove, OpeningsError, Tally};

const MARK: &[u8; 8] = b"EmiliaSu";
const FORMAT: u8 = 1;
/// Positions of a block.
const BLOCK: usize = 32;
/// Bits of a key that are left out.
const CUT: u32 = 24;
/// Years are counted from here.
const EPOCH: u16 = 1900;
/// What errors call it.
const NAME: &str = "the summary of games";

/// What is played in positions, as far as so many games reached them.
#[derive(Clone, Debug)]
pub struct Summary {
    bytes: Cow<'static, [u8]>,
    /// Whom the games come from.
    pub credit: String,
    /// How many games it was made of.
    pub games: u64,
    /// The years of the first and last game.
    pub years: Option<(u16, u16)>,
    strata: Vec<Vec<Block>>,
}

/// A few positions: the first key, and where they are.
#[derive(Clone, Copy, Debug)]
struct Block {
    key: u64,
    begin: usize,
}

impl Summary {
    /// Sums up a database: positions that `at_least` so many games reached, counting games whose score is known.
    pub fn write(database: &Database, at_least: usize, credit: &str) -> Result<Vec<u8>, OpeningsError> {
        let mut blocks = Vec::new();
        let mut strata = Vec::new();
        let mut all = Tally::default();
        for discs in (4..).take(STRATA) {
            let mut positions = database.positions(discs)?;
            positions.retain(|(.., ended)| matches!(Ended::of_code(*ended), Ended::Counted(_)));
            let mut kept: BTreeMap<u64, Vec<(u8, Tally)>> = BTreeMap::new();
            for run in positions.chunk_by(|one, next| one.0 == next.0) {
                let moves = tallies(run);
                if discs == 4 {
                    moves.iter().for_each(|(_, tally)| all.merge(tally));
                }
                let games = |moves: &[(u8, Tally)]| moves.iter().map(|(_, tally)| tally.games).sum::<u64>();
                // Of two positions with the same short key the one that more games reached is kept.
                let other = kept.get(&(run[0].0 >> CUT)).map_or(0, |moves| games(moves));
                if run.len() >= at_least && games(&moves) > other {
                    kept.insert(run[0].0 >> CUT, moves);
                }
            }
            let kept: Vec<_> = kept.into_iter().collect();
            strata
                .push(kept.chunks(BLOCK).map(|block| put_block(&mut blocks, block)).collect::<Vec<Block>>());
        }
        let mut out = [MARK.as_slice(), &[FORMAT]].concat();
        put_text(&mut out, credit);
        put_short(&mut out, all.games);
        put_short(&mut out, all.first_year.unwrap_or(0).into());
        put_short(&mut out, all.last_year.unwrap_or(0).into());
        strata.iter().for_each(|stratum| put_short(&mut out, stratum.len() as u64));
        for block in strata.iter().flatten() {
            out.extend(&block.key.to_le_bytes()[..5]);
            put_short(&mut out, block.begin as u64);
        }
        out.extend(blocks);
        out.extend(crc32fast::hash(&out).to_le_bytes());
        Ok(out)
    }

    /// Reads what [`write`](Summary::write) made.
    pub fn parse(bytes: Cow<'static, [u8]>) -> Result<Summary, OpeningsError> {
        let damaged = |what| OpeningsError::damaged(NAME, what);
        let body = bytes.len().checked_sub(4).ok_or_else(|| damaged("it is too short"))?;
        let mut reader = Reader(&bytes[..body]);
        if reader.take(MARK.len()) != Some(MARK) {
            return Err(damaged("it does not begin like one"));
        }
        match reader.u8() {
            Some(FORMAT) => {}
            found => {
                let found = found.unwrap_or(0).into();
                return Err(OpeningsError::Version { file: NAME.to_owned(), found, known: FORMAT.into() });
            }
        }
        if crc32fast::hash(&bytes[..body]).to_le_bytes() != bytes[body..] {
            return Err(damaged("a checksum is wrong"));
        }
        let (credit, games, years, strata) =
            head(&mut reader, body).ok_or_else(|| damaged("its beginning cannot be read"))?;
        Ok(Summary { bytes, credit, games, years, strata })
    }

    /// What people played in a position; games are not among it.
    #[must_use]
    pub fn explore(&self, position: &GridPosition) -> Found {
        let Some(position) =
            Position::try_from(position).ok().filter(|position| position.size() == Size::EIGHT)
        else {
            return Found::default();
        };
        let mut found = self.look(position);
        if position.status() == Status::MustPass {
            let tally = self.look(position.passed()).complete().total.reversed();
            if tally.games > 0 {
                found.moves.push(FoundMove { mv: Move::Pass, same: Vec::new(), tally });
            }
        }
        found.complete()
    }

    fn look(&self, position: Position) -> Found {
        let spot = Spot::new(position.board(), position.turn());
        let mut found = Found::default();
        for (code, tally) in self.moves(spot).unwrap_or_default() {
            let tally = if position.turn() == Color::Black { tally } else { tally.reversed() };
            if code == END {
                found.ended = tally;
            } else {
                found.moves.extend(FoundMove::new(spot.squares(code), tally));
            }
        }
        found
    }

    fn moves(&self, spot: Spot) -> Option<Vec<(u8, Tally)>> {
        let stratum = self.strata.get(usize::from(spot.discs.checked_sub(4)?))?;
        let wanted = spot.key >> CUT;
        let block = stratum[stratum.partition_point(|block| block.key <= wanted).checked_sub(1)?];
        let mut reader = Reader(self.bytes.get(block.begin..)?);
        let mut key = block.key;
        for _ in 0..reader.u8()? {
            key += reader.short()?;
            let moves = (0..reader.u8()?).map(|_| read_tally(&mut reader)).collect::<Option<Vec<_>>>()?;
            if key == wanted {
                return Some(moves);
            }
        }
        None
    }
}

/// The moves of one position and what came of them, as Black sees it.
fn tallies(run: &[(u64, u8, u16, i8)]) -> Vec<(u8, Tally)> {
    let moves = run.chunk_by(|one, next| one.1 == next.1);
    moves
        .map(|games| {
            let mut tally = Tally::default();
            for (_, _, year, ended) in games {
                tally.add(Ended::of_code(*ended), (*year > 0).then_some(*year), Color::Black);
            }
            (games[0].1, tally)
        })
        .collect()
}

/// Writes some positions; the first stands in the list of blocks too.
fn put_block(out: &mut Vec<u8>, positions: &[(u64, Vec<(u8, Tally)>)]) -> Block {
    let block = Block { key: positions[0].0, begin: out.len() };
    out.push(positions.len() as u8);
    let mut before = block.key;
    for (key, moves) in positions {
        put_short(out, key - before);
        before = *key;
        out.push(moves.len() as u8);
        for (code, tally) in moves {
            out.push(*code);
            for number in [tally.games, tally.wins, tally.draws] {
                put_short(out, number);
            }
            put_short_signed(out, tally.discs);
            let [first, last] =
                [tally.first_year, tally.last_year].map(|year| year.unwrap_or(EPOCH).max(EPOCH));
            put_short(out, (first - EPOCH).into());
            put_short(out, (last - first).into());
        }
    }
    block
}

fn read_tally(reader: &mut Reader<'_>) -> Option<(u8, Tally)> {
    let code = reader.u8()?;
    let [games, wins, draws] = [reader.short()?, reader.short()?, reader.short()?];
    let discs = reader.short_signed()?;
    let losses = games.checked_sub(wins)?.checked_sub(draws)?;
    let (first, span) = (reader.short()?, reader.short()?);
    let year = |number: u64| u16::try_from(number).ok()?.checked_add(EPOCH).filter(|year| *year > EPOCH);
    let (first_year, last_year) = (year(first), year(first.checked_add(span)?));
    Some((code, Tally { games, wins, draws, losses, scored: games, discs, first_year, last_year }))
}

type Head = (String, u64, Option<(u16, u16)>, Vec<Vec<Block>>);

fn head(reader: &mut Reader<'_>, body: usize) -> Option<Head> {
    let credit = reader.text()?.to_owned();
    let games = reader.short()?;
    let (first, last) = (u16::try_from(reader.short()?).ok()?, u16::try_from(reader.short()?).ok()?);
    let counts: Vec<u64> = (0..STRATA).map(|_| reader.short()).collect::<Option<_>>()?;
    let mut strata = Vec::new();
    for count in counts {
        let block = |_| {
            let mut key = [0; 8];
            key[..5].copy_from_slice(reader.take(5)?);
            let begin = usize::try_from(reader.short()?).ok()?;
            Some(Block { key: u64::from_le_bytes(key), begin })
        };
        strata.push((0..count).map(block).collect::<Option<Vec<_>>>()?);
    }
    // From here on it is blocks, and that is where they are counted from.
    let begin = body - reader.0.len();
    for block in strata.iter_mut().flatten() {
        block.begin = block.begin.checked_add(begin).filter(|begin| *begin < body)?;
    }
    Some((credit, games, (first > 0).then_some((first, last)), strata))
}
