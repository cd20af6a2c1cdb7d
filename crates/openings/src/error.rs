use std::io;

use thiserror::Error;

/// Why a database cannot be read or written.
#[derive(Debug, Error)]
pub enum OpeningsError {
    /// The system does not give or take the bytes of a file.
    #[error("{file}: {error}")]
    File {
        /// Which file of the database.
        file: String,
        /// What the system said.
        error: io::Error,
    },
    /// A file does not hold what was once written there.
    #[error("{file}: damaged: {what}")]
    Damaged {
        /// Which file of the database.
        file: String,
        /// What is wrong with it.
        what: &'static str,
    },
    /// A file that another version of the program has written.
    #[error("{file}: written by another version of this program (format {found}, this one reads {known})")]
    Version {
        /// Which file of the database.
        file: String,
        /// The format of the file.
        found: u32,
        /// The format that is read here.
        known: u32,
    },
}

impl OpeningsError {
    pub(crate) fn file(file: &str, error: io::Error) -> OpeningsError {
        // What ends too early was cut off; the system has nothing to say about it.
        if error.kind() == io::ErrorKind::UnexpectedEof {
            return OpeningsError::damaged(file, "it ends too early");
        }
        OpeningsError::File { file: file.to_owned(), error }
    }

    pub(crate) fn damaged(file: &str, what: &'static str) -> OpeningsError {
        OpeningsError::Damaged { file: file.to_owned(), what }
    }

    /// Whether the disk has no room.
    #[must_use]
    pub fn is_full_disk(&self) -> bool {
        let full = [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded];
        matches!(self, OpeningsError::File { error, .. } if full.contains(&error.kind()))
    }
}
