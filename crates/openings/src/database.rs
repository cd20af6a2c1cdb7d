//! A database to ask.

use std::collections::BTreeMap;

use emilia_rules::{Color, GridPosition, Move, Playable, Position, Size, Square, Status, Symmetry};

use crate::filter::Prepared;
use crate::manifest::Manifest;
use crate::played::walk;
use crate::segment::Segment;
use crate::segment_writer::{MANY, MOVE_SHIFT, STRATA, game_of};
use crate::spot::{END, Spot, turned};
use crate::{Ended, Filter, Found, FoundGame, FoundMove, OpeningsError, Page, Storage, Tally};

/// Games and what is played in their positions.
pub struct Database {
    segments: Vec<Segment>,
}

/// How often opening is tried again while somebody changes the database.
const TRIES: usize = 5;

impl Database {
    /// Opens the database as it is now; one that nothing was imported to is empty. What is imported later is seen by who
    /// opens it later.
    pub fn open(storage: &dyn Storage) -> Result<Database, OpeningsError> {
        let mut tries = 0;
        loop {
            tries += 1;
            let manifest = Manifest::read(storage)?;
            match open_all(storage, &manifest) {
                Ok(segments) => return Ok(Database { segments }),
                // A file may have been replaced between reading the list and opening it.
                Err(error) if tries == TRIES => return Err(error),
                Err(error) if Manifest::read(storage)?.segments == manifest.segments => return Err(error),
                Err(_) => {}
            }
        }
    }

    /// How many games there are.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.segments.iter().map(|segment| u64::from(segment.games())).sum()
    }

    /// How many files they are in.
    #[must_use]
    pub fn files(&self) -> usize {
        self.segments.len()
    }

    /// What people played in a position, in the games that are wanted. Boards of other sizes were never seen.
    pub fn explore(
        &self,
        position: &GridPosition,
        filter: &Filter,
        page: Page,
    ) -> Result<Found, OpeningsError> {
        let Some(position) =
            Position::try_from(position).ok().filter(|position| position.size() == Size::EIGHT)
        else {
            return Ok(Found::default());
        };
        let mut found = self.look(position, filter, page)?;
        if position.status() == Status::MustPass {
            let after = self.look(position.passed(), filter, page)?;
            let tally = after.complete_total().reversed();
            if tally.games > 0 {
                found.moves.push(FoundMove { mv: Move::Pass, same: Vec::new(), tally });
            }
            found.games.extend(after.games);
            found.games.truncate(page.most);
        }
        Ok(found.complete())
    }

    fn look(&self, position: Position, filter: &Filter, page: Page) -> Result<Found, OpeningsError> {
        let spot = Spot::new(position.board(), position.turn());
        let mut seen = Seen { side: position.turn(), page, moves: BTreeMap::new(), hits: Vec::new() };
        for (number, segment) in self.segments.iter().enumerate() {
            let prepared = filter.prepared(&segment.players, &segment.events);
            if filter.is_open() {
                seen.all(number, segment, spot)?;
            } else if !prepared.is_hopeless() {
                seen.wanted(number, segment, spot, &prepared)?;
            }
        }
        let mut found = Found::default();
        for (code, tally) in seen.moves {
            if code == END {
                found.ended = tally;
            } else {
                found.moves.extend(FoundMove::new(spot.squares(code), tally));
            }
        }
        seen.hits.sort_unstable_by(|one, other| other.cmp(one));
        for (_, segment, game) in seen.hits.into_iter().skip(page.skip).take(page.most) {
            found.games.extend(self.game(segment, game, spot)?);
        }
        Ok(found)
    }

    /// A game turned so that the position lies as it is looked at; `None` if the game never reached it after all, which
    /// can happen if two positions share a key.
    fn game(&self, segment: usize, game: u32, spot: Spot) -> Result<Option<FoundGame>, OpeningsError> {
        let segment = &self.segments[segment];
        let (who, squares) = segment.game(game)?;
        let when = segment.when(game)?;
        let mut turn: Option<(usize, Symmetry)> = None;
        let mut before = 0;
        walk(&squares, |board, color, _| {
            turn = turn.or_else(|| Some((before, spot.turn_from(Spot::new(board, color))?)));
            before += 1;
        });
        Ok(turn.map(|(before, symmetry)| FoundGame {
            black: segment.player(who.black).to_owned(),
            white: segment.player(who.white).to_owned(),
            event: segment.event(who.event).to_owned(),
            year: (when.year > 0).then_some(when.year),
            ended: Ended::of_code(when.ended),
            squares: squares
                .iter()
                .filter_map(|square| Square::from_index(turned(*square, symmetry)))
                .collect(),
            before,
        }))
    }

    /// Reads every byte and compares it with what was written.
    pub fn check(&self) -> Result<(), OpeningsError> {
        self.segments.iter().try_for_each(Segment::check)
    }

    /// The moves of all positions with so many discs, one position after the other: key, code of the move, and the game's
    /// year and result.
    pub(crate) fn positions(&self, discs: u8) -> Result<Vec<(u64, u8, u16, i8)>, OpeningsError> {
        let mut all = Vec::new();
        for segment in &self.segments {
            for (key, posting) in segment.entries(discs, 0..segment.entry_count(discs))? {
                let when = segment.when(game_of(posting))?;
                all.push((key, (posting >> MOVE_SHIFT) as u8, when.year, when.ended));
            }
        }
        all.sort_unstable();
        Ok(all)
    }

    /// Different positions, and positions of games altogether.
    pub fn position_counts(&self) -> Result<(u64, u64), OpeningsError> {
        let mut counts = (0, 0);
        for discs in (4..).take(STRATA) {
            let positions = self.positions(discs)?;
            counts.0 += positions.chunk_by(|one, next| one.0 == next.0).count() as u64;
            counts.1 += positions.len() as u64;
        }
        Ok(counts)
    }
}

impl Found {
    /// All games of a position whose moves are not yet added up.
    fn complete_total(&self) -> Tally {
        let mut total = self.ended;
        self.moves.iter().for_each(|found| total.merge(&found.tally));
        total
    }
}

fn open_all(storage: &dyn Storage, manifest: &Manifest) -> Result<Vec<Segment>, OpeningsError> {
    let open = |name: &str| {
        let source = storage.open(name).map_err(|error| OpeningsError::file(name, error))?;
        Segment::open(name, source.ok_or_else(|| OpeningsError::damaged(name, "it is missing"))?)
    };
    manifest.segments.iter().map(|listed| open(&listed.file)).collect()
}

/// What was found so far: by code of the move, and the games by year, file and number.
struct Seen {
    side: Color,
    page: Page,
    moves: BTreeMap<u8, Tally>,
    hits: Vec<(u16, usize, u32)>,
}

impl Seen {
    /// All games of a file that reached the position.
    fn all(&mut self, number: usize, segment: &Segment, spot: Spot) -> Result<(), OpeningsError> {
        let range = segment.range(spot.discs, spot.key)?;
        let kept = segment.tallies(spot.discs, spot.key).filter(|_| range.len() >= MANY);
        let Some(kept) = kept else {
            let postings: Vec<u32> =
                segment.entries(spot.discs, range)?.into_iter().map(|(_, posting)| posting).collect();
            return self.count(number, segment, &postings);
        };
        let mut first = range.start;
        for (code, tally) in kept {
            let tally = if self.side == Color::Black { *tally } else { tally.reversed() };
            self.moves.entry(*code).or_default().merge(&tally);
            let end = first.saturating_add(tally.games as usize).min(range.end);
            // The latest games of each move; the latest of all are among them.
            let latest = end.saturating_sub(self.page.end()).max(first)..end;
            for (_, posting) in segment.entries(spot.discs, latest)? {
                self.hit(number, segment, game_of(posting))?;
            }
            first = end;
        }
        Ok(())
    }

    /// Those of them that are wanted.
    fn wanted(
        &mut self,
        number: usize,
        segment: &Segment,
        spot: Spot,
        filter: &Prepared<'_>,
    ) -> Result<(), OpeningsError> {
        let range = segment.range(spot.discs, spot.key)?;
        let mut postings = Vec::new();
        for (_, posting) in segment.entries(spot.discs, range)? {
            if filter.takes_when(segment.when(game_of(posting))?) {
                postings.push(posting);
            }
        }
        if filter.asks_who() {
            let games: Vec<u32> = postings.iter().map(|posting| game_of(*posting)).collect();
            let whos = segment.whos(&games)?;
            let mut wanted = Vec::new();
            for (posting, who) in postings.into_iter().zip(whos) {
                if filter.takes_who(who, segment.when(game_of(posting))?) {
                    wanted.push(posting);
                }
            }
            postings = wanted;
        }
        self.count(number, segment, &postings)
    }

    /// Counts these games, which are in the order of their moves.
    fn count(&mut self, number: usize, segment: &Segment, postings: &[u32]) -> Result<(), OpeningsError> {
        for of_move in postings.chunk_by(|one, next| one >> MOVE_SHIFT == next >> MOVE_SHIFT) {
            let mut tally = Tally::default();
            for posting in of_move {
                let when = segment.when(game_of(*posting))?;
                tally.add(Ended::of_code(when.ended), (when.year > 0).then_some(when.year), self.side);
            }
            self.moves.entry((of_move[0] >> MOVE_SHIFT) as u8).or_default().merge(&tally);
            // The latest games of each move; the latest of all are among them.
            for posting in of_move.iter().rev().take(self.page.end()) {
                self.hit(number, segment, game_of(*posting))?;
            }
        }
        Ok(())
    }

    fn hit(&mut self, number: usize, segment: &Segment, game: u32) -> Result<(), OpeningsError> {
        if self.page.most > 0 {
            self.hits.push((segment.when(game)?.year, number, game));
        }
        Ok(())
    }
}
