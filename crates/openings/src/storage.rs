//! Where the files of a database are kept.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use crate::ReadAt;

/// A folder of files, as far as a database needs one.
///
/// Law: after [`write`](Storage::write) the file is there whole, whatever happens to the machine; if it is interrupted,
/// the folder is as it was. Everything that is said about crashes rests on this alone.
pub trait Storage {
    /// Opens a file for reading; `None` if there is none. Who has opened a file can read it after it was replaced.
    fn open(&self, name: &str) -> io::Result<Option<Box<dyn ReadAt>>>;

    /// Makes or replaces a file with what `fill` writes.
    fn write(&self, name: &str, fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()>;

    /// Removes a file. One that is not there is no error.
    fn remove(&self, name: &str) -> io::Result<()>;

    /// The names of all files.
    fn names(&self) -> io::Result<Vec<String>>;
}

/// A folder that is forgotten with the program.
#[derive(Clone, Debug, Default)]
pub struct Memory(Arc<Mutex<BTreeMap<String, Arc<[u8]>>>>);

impl Memory {
    fn files<T>(&self, act: impl FnOnce(&mut BTreeMap<String, Arc<[u8]>>) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Storage for Memory {
    fn open(&self, name: &str) -> io::Result<Option<Box<dyn ReadAt>>> {
        Ok(self.files(|files| files.get(name).map(|bytes| Box::new(Arc::clone(bytes)) as Box<dyn ReadAt>)))
    }

    fn write(&self, name: &str, fill: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let mut bytes = Vec::new();
        fill(&mut bytes)?;
        self.files(|files| files.insert(name.to_owned(), bytes.into()));
        Ok(())
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.files(|files| files.remove(name));
        Ok(())
    }

    fn names(&self) -> io::Result<Vec<String>> {
        Ok(self.files(|files| files.keys().cloned().collect()))
    }
}
