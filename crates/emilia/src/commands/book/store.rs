//! A book on the disk that is being changed: the file, its journal, and nobody else at it.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use emilia_book::{Book, Graph, Journal, Note, Task};
use emilia_mapping::Mapping;

use crate::Failure;
use crate::files::write_file;

/// What the book is called that comes with the program.
const OWN: &str = "own";

/// The book of a file, without reading more of it than its beginning; or the one that comes with the program.
pub(super) fn open(path: &Path) -> Result<Arc<Book>, Failure> {
    if path == Path::new(OWN) {
        return Ok(Book::embedded());
    }
    open_file(path).map(Arc::new)
}

fn open_file(path: &Path) -> Result<Book, Failure> {
    let file = File::open(path).map_err(|error| Failure::file(path, error))?;
    let bytes = Mapping::of(&file).map_err(|error| Failure::file(path, error))?;
    Book::new(bytes).map_err(|error| Failure::in_file(path, &error))
}

/// A book that this process alone changes.
pub(super) struct Store {
    path: PathBuf,
    /// What the book holds now, what the journal says included.
    pub(super) graph: Graph,
    journal_path: PathBuf,
    journal: File,
    notes: Journal,
}

impl Store {
    /// Takes hold of a book and of what an earlier run left in its journal. One that is not there is begun, if that is
    /// wanted.
    pub(super) fn open(path: &Path, begin: bool) -> Result<Store, Failure> {
        let mut journal_path = path.as_os_str().to_owned();
        journal_path.push(".journal");
        let journal_path = PathBuf::from(journal_path);
        if !begin && !path.exists() && !journal_path.exists() {
            return Err(Failure::file(path, io::ErrorKind::NotFound.into()));
        }
        let mut journal = claim(&journal_path, path)?;
        let failed = |error| Failure::file(&journal_path, error);
        let mut bytes = Vec::new();
        journal.read_to_end(&mut bytes).map_err(failed)?;
        let notes = Journal::read(&bytes).ok_or_else(|| {
            Failure::failed(format!("{}: this is no journal of a book", journal_path.display()))
        })?;
        let mut graph = if path.exists() {
            open_file(path)?.graph().map_err(|error| Failure::in_file(path, &error))?
        } else {
            Graph::default()
        };
        for note in &notes.notes {
            if let Note::Judged { board, found } = note {
                graph.judge(*board, found.iter().copied());
            }
        }
        graph.settle();
        // What was cut off in the middle goes, and the next note follows the last whole one.
        let mut restore = || {
            journal.set_len(notes.whole as u64)?;
            journal.seek(SeekFrom::End(0))?;
            if notes.whole == 0 { journal.write_all(Journal::BEGINNING) } else { Ok(()) }
        };
        restore().map_err(failed)?;
        Ok(Store { path: path.to_owned(), graph, journal_path, journal, notes })
    }

    /// What an earlier run had planned for this level and not done.
    pub(super) fn open_tasks(&self, level: u8) -> Vec<Task> {
        self.notes.open_tasks(level)
    }

    /// Writes a note, so that it is on the disk when this returns, and takes it into the graph.
    pub(super) fn note(&mut self, note: Note) -> Result<(), Failure> {
        self.remember(note)?;
        self.sync()
    }

    /// Puts everything that was noted on the disk.
    pub(super) fn sync(&mut self) -> Result<(), Failure> {
        self.journal.sync_data().map_err(|error| Failure::file(&self.journal_path, error))
    }

    /// Writes a note and takes it into the graph; it is on the disk after the next [`Self::sync`].
    pub(super) fn remember(&mut self, note: Note) -> Result<(), Failure> {
        let bytes = note.bytes();
        self.journal.write_all(&bytes).map_err(|error| Failure::file(&self.journal_path, error))?;
        if let Note::Judged { board, found } = &note {
            self.graph.judge(*board, found.iter().copied());
        }
        self.notes.notes.push(note);
        Ok(())
    }

    /// Writes the book after a change that is done at once; nothing stays planned.
    pub(super) fn finish(mut self) -> Result<Graph, Failure> {
        self.notes = Journal::default();
        self.save(0)
    }

    /// Writes the book, whole or not at all; only then is the journal emptied, but for what is still planned.
    pub(super) fn save(mut self, level: u8) -> Result<Graph, Failure> {
        self.graph.settle();
        write_file(&self.path, &self.graph.bytes()).map_err(|error| Failure::file(&self.path, error))?;
        let tasks = self.notes.open_tasks(level);
        if tasks.is_empty() {
            fs::remove_file(&self.journal_path).map_err(|error| Failure::file(&self.journal_path, error))?;
            return Ok(self.graph);
        }
        let mut bytes = Journal::BEGINNING.to_vec();
        bytes.extend(Note::Planned { level, tasks }.bytes());
        write_file(&self.journal_path, &bytes).map_err(|error| Failure::file(&self.journal_path, error))?;
        Ok(self.graph)
    }
}

/// Opens the journal for this process alone.
fn claim(journal_path: &Path, book: &Path) -> Result<File, Failure> {
    loop {
        let options =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(journal_path);
        let file = options.map_err(|error| Failure::file(journal_path, error))?;
        match file.try_lock() {
            Ok(()) if is_at(&file, journal_path) => return Ok(file),
            // Whoever held it has just finished and put another in its place, or none.
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let sentence = format!("{}: another run is changing this book", book.display());
                return Err(Failure::failed(sentence));
            }
            Err(TryLockError::Error(error)) => return Err(Failure::file(journal_path, error)),
        }
    }
}

/// Whether an open file is still the one of this name.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let same = |a: fs::Metadata, b: fs::Metadata| (a.dev(), a.ino()) == (b.dev(), b.ino());
    file.metadata().ok().zip(fs::metadata(path).ok()).is_some_and(|(a, b)| same(a, b))
}

/// Elsewhere an open file cannot be replaced.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}
