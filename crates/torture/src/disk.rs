//! A disk in memory for SQLite that remembers every write and every sync in their order, so that afterwards the power
//! can be cut at any moment, as often as one likes.
//!
//! What a cut leaves is what a file system may leave: a file as it was last synced, and of everything written since
//! any sectors, in any order. A new or deleted file is certain only when its folder was synced, which SQLite does when
//! it first syncs a journal.

use std::collections::BTreeMap;
use std::io::{Error, ErrorKind};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rand::Rng;
use rand::rngs::ChaCha8Rng;
use sqlite_vfs::wip::{WalIndex, WalIndexLock};
use sqlite_vfs::{DatabaseHandle, LockKind, OpenAccess, OpenKind, OpenOptions, RegisterError, Vfs, register};

/// What is written or lost in one piece.
const SECTOR: usize = 512;

/// The disk.
#[derive(Clone, Default)]
pub(crate) struct Disk(Arc<Mutex<Contents>>);

#[derive(Default)]
struct Contents {
    /// What programs see.
    files: BTreeMap<String, Vec<u8>>,
    /// What has happened.
    log: Vec<Event>,
    /// How many of a thousand writes and syncs fail.
    failing: u64,
    dice: u64,
}

enum Event {
    Create { name: String },
    Write { name: String, at: usize, bytes: Vec<u8> },
    Resize { name: String, length: usize },
    Sync { name: String },
    SyncFolder,
    Delete { name: String },
}

/// What became of a file since it was last certain.
#[derive(Default)]
struct Uncertain<'a> {
    /// As it was last synced.
    synced: Vec<u8>,
    /// Whether it is in the folder as last synced.
    listed: bool,
    /// Whether it is in the folder as programs see it.
    exists: bool,
    since: Vec<&'a Event>,
}

impl Disk {
    /// Makes this the disk of every database that is opened from now on.
    pub(crate) fn install(&self) -> Result<(), RegisterError> {
        register("emilia-torture", self.clone(), true)
    }

    fn lock(&self) -> MutexGuard<'_, Contents> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An empty disk without a past.
    pub(crate) fn format(&self) {
        *self.lock() = Contents::default();
    }

    /// Lets so many of a thousand writes and syncs fail from now on.
    pub(crate) fn fail(&self, of_a_thousand: u64, seed: u64) {
        let mut contents = self.lock();
        (contents.failing, contents.dice) = (of_a_thousand, seed);
    }

    /// What programs see, by file.
    pub(crate) fn contents(&self) -> BTreeMap<String, Vec<u8>> {
        self.lock().files.iter().map(|(name, bytes)| (base(name), bytes.clone())).collect()
    }

    /// How much has happened so far.
    pub(crate) fn moment(&self) -> usize {
        self.lock().log.len()
    }

    /// What is left, by file, when the power is cut after so much has happened.
    pub(crate) fn after_cut(&self, moment: usize, random: &mut ChaCha8Rng) -> BTreeMap<String, Vec<u8>> {
        let contents = self.lock();
        let mut files: BTreeMap<&str, Uncertain<'_>> = BTreeMap::new();
        for event in &contents.log[..moment] {
            match event {
                Event::SyncFolder => files.values_mut().for_each(|file| file.listed = file.exists),
                Event::Create { name } => files.entry(name).or_default().exists = true,
                Event::Delete { name } => files.entry(name).or_default().exists = false,
                Event::Write { name, .. } | Event::Resize { name, .. } => {
                    files.entry(name).or_default().since.push(event);
                }
                Event::Sync { name } => {
                    let file = files.entry(name).or_default();
                    file.since.drain(..).for_each(|event| apply(event, &mut file.synced, |_| true));
                }
            }
        }
        // Some disks lose all, some nothing, most a part.
        let kept = [0, 1, 8, 15, 16][(random.next_u64() % 5) as usize];
        let mut survives = |_: Range<usize>| random.next_u64() % 16 < kept;
        let mut left = BTreeMap::new();
        for (name, mut file) in files {
            let listed = if survives(0..0) { file.exists } else { file.listed };
            file.since.drain(..).for_each(|event| apply(event, &mut file.synced, &mut survives));
            if listed {
                left.insert(base(name), file.synced);
            }
        }
        left
    }
}

impl Disk {
    fn open_as(&self, name: &str, kind: OpenKind, access: OpenAccess) -> Result<Handle, Error> {
        let mut contents = self.lock();
        let known = contents.files.contains_key(name);
        match access {
            OpenAccess::Read | OpenAccess::Write if !known => return Err(ErrorKind::NotFound.into()),
            OpenAccess::CreateNew if known => return Err(ErrorKind::AlreadyExists.into()),
            _ => {}
        }
        if !known {
            contents.files.insert(name.to_owned(), Vec::new());
            contents.log.push(Event::Create { name: name.to_owned() });
            // Whatever was there under this name before its deletion is gone.
            contents.log.push(Event::Resize { name: name.to_owned(), length: 0 });
        }
        let journal = matches!(kind, OpenKind::MainJournal | OpenKind::SuperJournal | OpenKind::Wal);
        let syncs_folder = journal && !known;
        drop(contents);
        Ok(Handle { disk: self.clone(), name: name.to_owned(), lock: LockKind::None, syncs_folder })
    }
}

/// The name of a file without its folder.
fn base(name: &str) -> String {
    Path::new(name).file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Does to these bytes what an event does, as far as it survives.
fn apply(event: &Event, bytes: &mut Vec<u8>, mut survives: impl FnMut(Range<usize>) -> bool) {
    match event {
        Event::Write { at, bytes: new, .. } => {
            let mut from = *at;
            while from < at + new.len() {
                let to = (from / SECTOR * SECTOR + SECTOR).min(at + new.len());
                if survives(from..to) {
                    bytes.resize(bytes.len().max(to), 0);
                    bytes[from..to].copy_from_slice(&new[from - at..to - at]);
                }
                from = to;
            }
        }
        Event::Resize { length, .. } if survives(0..*length) => bytes.resize(*length, 0),
        _ => {}
    }
}

/// An open file.
pub(crate) struct Handle {
    disk: Disk,
    name: String,
    lock: LockKind,
    /// A new journal: with its first sync its folder is synced too.
    syncs_folder: bool,
}

impl Contents {
    /// An error now and then, if the disk is failing.
    fn may_fail(&mut self) -> Result<(), Error> {
        self.dice = self.dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        if (self.dice >> 33) % 1000 < self.failing {
            return Err(Error::other("the disk fails"));
        }
        Ok(())
    }

    fn file(&mut self, name: &str) -> Result<&mut Vec<u8>, Error> {
        self.files.get_mut(name).ok_or_else(|| ErrorKind::NotFound.into())
    }
}

impl DatabaseHandle for Handle {
    type WalIndex = Index;

    fn size(&self) -> Result<u64, Error> {
        Ok(self.disk.lock().file(&self.name)?.len() as u64)
    }

    fn read_exact_at(&mut self, buffer: &mut [u8], offset: u64) -> Result<(), Error> {
        let mut contents = self.disk.lock();
        let at = offset as usize;
        let found = contents.file(&self.name)?.get(at..at + buffer.len());
        buffer.copy_from_slice(found.ok_or(ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn write_all_at(&mut self, bytes: &[u8], offset: u64) -> Result<(), Error> {
        let mut contents = self.disk.lock();
        contents.may_fail()?;
        let event = Event::Write { name: self.name.clone(), at: offset as usize, bytes: bytes.to_vec() };
        apply(&event, contents.file(&self.name)?, |_| true);
        contents.log.push(event);
        Ok(())
    }

    fn sync(&mut self, _data_only: bool) -> Result<(), Error> {
        let mut contents = self.disk.lock();
        contents.may_fail()?;
        contents.log.push(Event::Sync { name: self.name.clone() });
        if std::mem::take(&mut self.syncs_folder) {
            contents.log.push(Event::SyncFolder);
        }
        Ok(())
    }

    fn set_len(&mut self, size: u64) -> Result<(), Error> {
        let mut contents = self.disk.lock();
        let event = Event::Resize { name: self.name.clone(), length: size as usize };
        apply(&event, contents.file(&self.name)?, |_| true);
        contents.log.push(event);
        Ok(())
    }

    fn lock(&mut self, lock: LockKind) -> Result<bool, Error> {
        // The server has one connection, and nobody else is on this disk.
        self.lock = lock;
        Ok(true)
    }

    fn reserved(&mut self) -> Result<bool, Error> {
        Ok(false)
    }

    fn current_lock(&self) -> Result<LockKind, Error> {
        Ok(self.lock)
    }

    fn wal_index(&self, _readonly: bool) -> Result<Index, Error> {
        Ok(Index)
    }
}

/// The index of the write-ahead log, which no power cut survives. It is the connection's own.
pub(crate) struct Index;

impl WalIndex for Index {
    fn map(&mut self, _region: u32) -> Result<[u8; 32768], Error> {
        Ok([0; 32768])
    }

    fn lock(&mut self, _locks: Range<u8>, _lock: WalIndexLock) -> Result<bool, Error> {
        Ok(true)
    }

    fn delete(self) -> Result<(), Error> {
        Ok(())
    }
}

impl Vfs for Disk {
    type Handle = Handle;

    fn open(&self, name: &str, options: OpenOptions) -> Result<Handle, Error> {
        self.open_as(name, options.kind, options.access)
    }

    fn delete(&self, name: &str) -> Result<(), Error> {
        let mut contents = self.lock();
        contents.files.remove(name).ok_or(ErrorKind::NotFound)?;
        contents.log.push(Event::Delete { name: name.to_owned() });
        Ok(())
    }

    fn exists(&self, name: &str) -> Result<bool, Error> {
        Ok(self.lock().files.contains_key(name))
    }

    fn temporary_name(&self) -> String {
        let contents = self.lock();
        format!("temporary-{}", contents.log.len())
    }

    fn random(&self, buffer: &mut [i8]) {
        let mut contents = self.lock();
        for byte in buffer {
            contents.dice = contents.dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
            *byte = (contents.dice >> 40) as i8;
        }
    }

    fn sleep(&self, duration: Duration) -> Duration {
        std::thread::sleep(duration);
        duration
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    /// A file of 2,048 bytes `a` that is synced, then 1,024 bytes `b` in its middle that are not.
    fn written() -> Disk {
        let disk = Disk::default();
        let mut file = disk.open_as("x", OpenKind::Wal, OpenAccess::Create).unwrap();
        file.write_all_at(&[b'a'; 2048], 0).unwrap();
        file.sync(false).unwrap();
        file.write_all_at(&[b'b'; 1024], 256).unwrap();
        disk
    }

    #[test]
    fn what_was_synced_stays_and_the_rest_survives_by_sectors() {
        let disk = written();
        let (mut whole, mut none, mut torn) = (0, 0, 0);
        let mut random = ChaCha8Rng::seed_from_u64(5);
        for _ in 0..500 {
            let left = &disk.after_cut(disk.moment(), &mut random)["x"];
            assert_eq!(left.len(), 2048);
            assert!(left[..256].iter().chain(&left[1280..]).all(|byte| *byte == b'a'));
            // Written from 256 to 1,280: a half sector, one, and another half.
            let pieces = [256..512, 512..1024, 1024..1280].map(|piece| {
                assert!(left[piece.clone()].iter().all(|byte| *byte == left[piece.start]));
                left[piece.start]
            });
            match pieces {
                [b'b', b'b', b'b'] => whole += 1,
                [b'a', b'a', b'a'] => none += 1,
                _ => torn += 1,
            }
        }
        assert!(whole > 50 && none > 50 && torn > 50, "{whole} {none} {torn}");
        // Before the sync nothing is certain, not even that there is a file.
        let before: Vec<_> = (0..200).map(|_| disk.after_cut(3, &mut random)).collect();
        assert!(before.iter().any(|left| left.is_empty()));
        assert!(before.iter().any(|left| left.get("x").is_some_and(|bytes| bytes.len() == 2048)));
    }
}
