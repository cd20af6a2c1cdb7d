//! Adding games to a database.

use std::collections::HashSet;

use sha2::{Digest, Sha256};

use crate::batch::{Batch, MOST_GAMES};
use crate::manifest::{Listed, Manifest};
use crate::segment::Segment;
use crate::segment_writer::{Index, write};
use crate::{OpeningsError, Played, Storage};

/// Games on their way into a database.
///
/// They are gathered, and written a quarter of a million at a time, or when [`commit`](Import::commit) is called: first a
/// new file beside the old ones, then the list that names it. A crash at any moment leaves the database as it was after
/// the last of these. Only one import may work on a database at a time; whoever owns the folder sees to that.
pub struct Import<'s> {
    storage: &'s dyn Storage,
    manifest: Manifest,
    known: HashSet<u64>,
    done: HashSet<String>,
    batch: Batch,
    threads: usize,
    /// Whether a source was finished since the last commit.
    changed: bool,
}

/// What became of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// It is new.
    New,
    /// It was there already.
    Duplicate,
}

/// What tells one file from another: its bytes, and the names its games go by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fingerprint(String);

impl Fingerprint {
    /// Of all these bytes together.
    #[must_use]
    pub fn of(parts: &[&[u8]]) -> Fingerprint {
        let mut digest = Sha256::new();
        for part in parts {
            digest.update((part.len() as u64).to_le_bytes());
            digest.update(part);
        }
        Fingerprint(digest.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect())
    }
}

impl<'s> Import<'s> {
    /// Goes on with a database, or begins one. What a crash has left over is removed.
    pub fn begin(storage: &'s dyn Storage) -> Result<Import<'s>, OpeningsError> {
        let manifest = Manifest::read(storage)?;
        let failed = |error| OpeningsError::file("the folder of the database", error);
        for name in storage.names().map_err(failed)? {
            if is_segment(&name) && manifest.segments.iter().all(|listed| listed.file != name) {
                storage.remove(&name).map_err(|error| OpeningsError::file(&name, error))?;
            }
        }
        let mut known = HashSet::new();
        for listed in &manifest.segments {
            known.extend(open(storage, &listed.file)?.identities()?);
        }
        let done = manifest.sources.iter().cloned().collect();
        let batch = Batch::default();
        Ok(Import { storage, manifest, known, done, batch, threads: 1, changed: false })
    }

    /// Lets so many threads work. It makes no difference to what is written.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Import<'s> {
        Import { threads, ..self }
    }

    /// Whether all games of this source are in the database already.
    #[must_use]
    pub fn has(&self, source: &Fingerprint) -> bool {
        self.done.contains(&source.0)
    }

    /// Games that are in the database, those that are still to be written included.
    #[must_use]
    pub fn games(&self) -> usize {
        self.known.len()
    }

    /// Adds a game, unless it is there already.
    pub fn add(&mut self, game: &Played) -> Result<Added, OpeningsError> {
        let identity = game.identity();
        if !self.known.insert(identity) {
            return Ok(Added::Duplicate);
        }
        self.batch.push(game, identity);
        if self.batch.rows.len() >= MOST_GAMES {
            self.commit()?;
        }
        Ok(Added::New)
    }

    /// All games of this source were added, and it need not be read again; true from the next commit on.
    pub fn finish(&mut self, source: Fingerprint) {
        if self.done.insert(source.0.clone()) {
            self.manifest.sources.push(source.0);
            self.changed = true;
        }
    }

    /// Writes what was added. After an error the database is as it was.
    pub fn commit(&mut self) -> Result<(), OpeningsError> {
        if self.batch.rows.is_empty() {
            if std::mem::take(&mut self.changed) {
                self.manifest.write(self.storage)?;
            }
            return Ok(());
        }
        let merged = self.take_small_segments()?;
        self.batch.sort();
        let index = Index::new(&self.batch, self.threads);
        let file = format!("{PREFIX}{:06}{SUFFIX}", self.manifest.next);
        let written = self.storage.write(&file, &mut |out| write(&self.batch, &index, out));
        written.map_err(|error| OpeningsError::file(&file, error))?;
        drop(index);
        let mut manifest = self.manifest.clone();
        manifest.next += 1;
        manifest.segments.truncate(manifest.segments.len() - merged);
        manifest.segments.push(Listed { file, games: self.batch.rows.len() as u32 });
        manifest.write(self.storage)?;
        let old = std::mem::replace(&mut self.manifest, manifest);
        self.batch = Batch::default();
        self.changed = false;
        for listed in &old.segments[old.segments.len() - merged..] {
            // What stays behind is removed by the next import.
            let _ = self.storage.remove(&listed.file);
        }
        Ok(())
    }

    /// Takes in the last files while they are not much larger than what is new, so that there are few files, and every
    /// game is written again only a few times. How many they were.
    fn take_small_segments(&mut self) -> Result<usize, OpeningsError> {
        let mut merged = 0;
        let new = self.batch.rows.len();
        let mut total = new;
        for listed in self.manifest.segments.iter().rev() {
            let games = listed.games as usize;
            if games > 2 * total || total + games > MOST_GAMES {
                break;
            }
            let taken = open(self.storage, &listed.file)?.add_to(&mut self.batch);
            if let Err(error) = taken {
                self.batch.rows.truncate(new);
                return Err(error);
            }
            total += games;
            merged += 1;
        }
        Ok(merged)
    }
}

const PREFIX: &str = "games-";
const SUFFIX: &str = ".seg";

fn is_segment(name: &str) -> bool {
    name.strip_prefix(PREFIX).is_some_and(|rest| rest.ends_with(SUFFIX))
}

fn open(storage: &dyn Storage, name: &str) -> Result<Segment, OpeningsError> {
    let source = storage.open(name).map_err(|error| OpeningsError::file(name, error))?;
    Segment::open(name, source.ok_or_else(|| OpeningsError::damaged(name, "it is missing"))?)
}
