//! The folder of a database of games.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use emilia_openings::{FileSource, ReadAt, Storage};

/// A folder on disk, as a database wants one.
#[derive(Clone, Debug)]
pub struct OpeningsFolder {
    path: PathBuf,
}

/// Held by whoever changes a database; the system lets go of it even after a crash.
#[derive(Debug)]
pub struct OpeningsLock {
    file: File,
}

/// Closing the file would not do: a program that is being started has it open, too, until it has begun.
impl Drop for OpeningsLock {
    fn drop(&mut self) {
        // What can go wrong here ends with the file.
        let _ = self.file.unlock();
    }
}

/// What a file is called until it is whole.
const UNFINISHED: &str = ".unfinished";
/// Who may write.
const LOCK: &str = "import.lock";

impl OpeningsFolder {
    /// This folder, whether it is there or not.
    #[must_use]
    pub fn new(path: PathBuf) -> OpeningsFolder {
        OpeningsFolder { path }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the folder and sees to it that nobody else changes the database: `None` if somebody does.
    pub fn lock(&self) -> io::Result<Option<OpeningsLock>> {
        crate::listen::make_folder(&self.path)?;
        let file = File::create(self.path.join(LOCK))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(OpeningsLock { file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Changes whenever the database does; `None` if there is none.
    pub(crate) fn stamp(&self) -> Option<(SystemTime, u64)> {
        let list = fs::metadata(self.path.join("database.json")).ok()?;
        Some((list.modified().ok()?, list.len()))
    }

    /// Bytes on disk.
    #[must_use]
    pub fn size(&self) -> u64 {
        let files = fs::read_dir(&self.path).into_iter().flatten().flatten();
        files.filter_map(|file| file.metadata().ok()).map(|file| file.len()).sum()
    }

    /// Removes the database and its folder.
    pub fn remove(&self) -> io::Result<()> {
        fs::remove_dir_all(&self.path)
    }
}

impl Storage for OpeningsFolder {
    fn open(&self, name: &str) -> io::Result<Option<Box<dyn ReadAt>>> {
        match File::open(self.path.join(name)) {
            Ok(file) => Ok(Some(Box::new(FileSource::new(file)?))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The bytes are on the disk before the name is, and the name is when this is done.
    fn write(&self, name: &str, fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let unfinished = self.path.join(format!("{name}{UNFINISHED}"));
        let mut write = || {
            let mut out = BufWriter::with_capacity(1 << 20, File::create(&unfinished)?);
            fill(&mut out)?;
            out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
            fs::rename(&unfinished, self.path.join(name))?;
            if cfg!(unix) { File::open(&self.path)?.sync_all() } else { Ok(()) }
        };
        write().inspect_err(|_| {
            // The error is what matters; a leftover is removed by the next import.
            let _ = fs::remove_file(&unfinished);
        })
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        match fs::remove_file(self.path.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// What a kill has left of unfinished files is removed here, since only who holds the lock asks for the names.
    fn names(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.path)? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if name.ends_with(UNFINISHED) {
                fs::remove_file(self.path.join(&name))?;
            } else {
                names.push(name);
            }
        }
        Ok(names)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time_may_write_and_who_is_done_keeps_nobody_waiting() {
        let path = std::env::temp_dir().join(format!("emilia-openings-lock-{}", std::process::id()));
        let folder = OpeningsFolder::new(path.clone());
        let lock = folder.lock().unwrap().unwrap();
        assert!(folder.lock().unwrap().is_none());
        // As a program has it that is just being started.
        let inherited = lock.file.try_clone().unwrap();
        drop(lock);
        assert!(folder.lock().unwrap().is_some());
        drop(inherited);
        fs::remove_dir_all(path).unwrap();
    }
}
