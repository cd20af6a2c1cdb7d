use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a command ended without doing what it was asked.
#[derive(Debug, Error)]
pub enum Failure {
    /// The arguments are wrong: exit status 2.
    #[error("{0}")]
    Usage(Box<dyn Error + Send + Sync>),
    /// The work failed: exit status 1.
    #[error("{0}")]
    Failed(Box<dyn Error + Send + Sync>),
    /// A file cannot be read or written: exit status 1.
    #[error("{path}: {error}", path = .path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// Printing failed: exit status 1, or 0 if the reader just closed the pipe.
    #[error("cannot print: {0}")]
    Print(#[from] io::Error),
}

impl Failure {
    /// The arguments are wrong for this reason.
    pub fn usage(error: impl Into<Box<dyn Error + Send + Sync>>) -> Failure {
        Failure::Usage(error.into())
    }

    /// The work failed for this reason.
    pub fn failed(error: impl Into<Box<dyn Error + Send + Sync>>) -> Failure {
        Failure::Failed(error.into())
    }

    /// The file cannot be read or written for this reason.
    pub fn file(path: &Path, error: io::Error) -> Failure {
        Failure::File { path: path.to_owned(), error }
    }

    /// What is in the file is wrong for this reason.
    pub fn in_file(path: &Path, error: &dyn Error) -> Failure {
        Failure::failed(format!("{}: {error}", path.display()))
    }

    /// What to tell the user; nothing when the reader of our output has simply gone.
    pub(crate) fn sentence(&self) -> Option<String> {
        (!self.is_closed_pipe()).then(|| self.to_string())
    }

    /// The exit status of the program.
    pub(crate) fn exit_status(&self) -> u8 {
        match self {
            Failure::Usage(_) => 2,
            _ if self.is_closed_pipe() => 0,
            _ => 1,
        }
    }

    fn is_closed_pipe(&self) -> bool {
        matches!(self, Failure::Print(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}
