//! What was tried so far, in a file, so that the next call goes on from there.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::part::Tally;

/// What a part says after each round.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Line {
    pub(crate) round: u64,
    pub(crate) tally: Tally,
}

/// Everything about one seed.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct State {
    pub(crate) seed: u64,
    pub(crate) parts: BTreeMap<String, Progress>,
}

/// What became of a part so far.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Progress {
    /// The round that comes next.
    pub(crate) next: u64,
    pub(crate) tally: Tally,
    pub(crate) seconds: f64,
    pub(crate) finds: Vec<Find>,
}

/// Something that ought not to be.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Find {
    pub(crate) round: u64,
    /// What was seen, in short.
    pub(crate) what: String,
}

/// Why the state is not known or not kept.
#[derive(Debug, Error)]
pub(crate) enum StateError {
    #[error("{}: {error}", file.display())]
    File { file: PathBuf, error: io::Error },
    #[error("{}: {error}; begin again with --fresh", file.display())]
    Unreadable { file: PathBuf, error: serde_json::Error },
}

impl State {
    /// What is known of this seed.
    pub(crate) fn read(folder: &Path, seed: u64) -> Result<State, StateError> {
        let file = State::file(folder, seed);
        match std::fs::read(&file) {
            Ok(bytes) => {
                serde_json::from_slice(&bytes).map_err(|error| StateError::Unreadable { file, error })
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Ok(State { seed, parts: BTreeMap::new() })
            }
            Err(error) => Err(StateError::File { file, error }),
        }
    }

    /// Keeps it, whole or not at all.
    pub(crate) fn write(&self, folder: &Path) -> Result<(), StateError> {
        let file = State::file(folder, self.seed);
        let beside = file.with_extension("new");
        let bytes = serde_json::to_vec_pretty(self)
            .map_err(|error| StateError::Unreadable { file: file.clone(), error })?;
        std::fs::create_dir_all(folder)
            .and_then(|()| std::fs::write(&beside, bytes))
            .and_then(|()| std::fs::rename(&beside, &file))
            .map_err(|error| StateError::File { file, error })
    }

    fn file(folder: &Path, seed: u64) -> PathBuf {
        folder.join(format!("seed-{seed}.json"))
    }

    pub(crate) fn part(&mut self, name: &str) -> &mut Progress {
        self.parts.entry(name.to_owned()).or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_kept_is_read_and_what_is_broken_is_named() {
        let folder = std::env::temp_dir().join(format!("emilia-torture-state-{}", std::process::id()));
        let mut state = State::read(&folder, 7).unwrap();
        assert_eq!((state.seed, state.parts.len()), (7, 0));
        state.part("power").tally = Tally::of(25).count("moves", 3).peak("MB", 9);
        state.part("power").next = 2;
        state.write(&folder).unwrap();
        let again = State::read(&folder, 7).unwrap();
        assert_eq!(
            (again.parts["power"].next, &again.parts["power"].tally),
            (2, &state.parts["power"].tally)
        );
        assert_eq!(State::read(&folder, 8).unwrap().parts.len(), 0);
        std::fs::write(folder.join("seed-7.json"), "{").unwrap();
        assert!(State::read(&folder, 7).unwrap_err().to_string().contains("seed-7.json"));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
