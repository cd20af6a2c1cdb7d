//! The list of the files that make up a database. Replacing it is what makes a change true.

use serde::{Deserialize, Serialize};

use crate::segment_writer::FORMAT;
use crate::{OpeningsError, Storage};

/// The name of the list.
pub(crate) const NAME: &str = "database.json";
/// Largest list that is read.
const LARGEST: u64 = 256 << 20;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Manifest {
    pub(crate) format: u32,
    /// The number of the next file.
    pub(crate) next: u64,
    pub(crate) segments: Vec<Listed>,
    /// What was imported to its end.
    pub(crate) sources: Vec<String>,
}

/// A file of games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Listed {
    pub(crate) file: String,
    pub(crate) games: u32,
}

impl Manifest {
    /// The list, or an empty one where there is none.
    pub(crate) fn read(storage: &dyn Storage) -> Result<Manifest, OpeningsError> {
        let failed = |error| OpeningsError::file(NAME, error);
        let empty = Manifest { format: FORMAT, next: 1, segments: Vec::new(), sources: Vec::new() };
        let Some(source) = storage.open(NAME).map_err(failed)? else { return Ok(empty) };
        if source.length() > LARGEST {
            return Err(OpeningsError::damaged(NAME, "it is too long"));
        }
        let mut bytes = vec![0; source.length() as usize];
        source.read_at(0, &mut bytes).map_err(failed)?;
        /// What every version has.
        #[derive(Deserialize)]
        struct Any {
            format: u32,
        }
        let unreadable = |_| OpeningsError::damaged(NAME, "it is not the list of a database");
        let Any { format } = serde_json::from_slice(&bytes).map_err(unreadable)?;
        if format != FORMAT {
            return Err(OpeningsError::Version { file: NAME.to_owned(), found: format, known: FORMAT });
        }
        serde_json::from_slice(&bytes).map_err(unreadable)
    }

    pub(crate) fn write(&self, storage: &dyn Storage) -> Result<(), OpeningsError> {
        let fill = &mut |out: &mut dyn std::io::Write| {
            serde_json::to_writer_pretty(&mut *out, self).map_err(std::io::Error::from)
        };
        storage.write(NAME, fill).map_err(|error| OpeningsError::file(NAME, error))
    }
}
