//! The databases of games, side by side.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;
use std::{fs, io};

use emilia_openings::{Database, Filter, Found, OpeningsError, Page, Summary};
use emilia_record::Game;
use emilia_rules::GridPosition;
use emilia_service::explored::{DatabaseAnswer, Explored};
use emilia_service::openings::{TOURNAMENTS, shipped_summary};
use thiserror::Error;

use crate::openings_folder::{OpeningsFolder, OpeningsLock};

/// Where games go that come from elsewhere, unless another database is named.
pub const MY_GAMES: &str = "my-games";
/// Games of programs against themselves.
pub const SELF_PLAY: &str = "self-play";

/// Longest name of a database.
const LONGEST_NAME: usize = 40;

/// Why a database cannot be used.
#[derive(Debug, Error)]
pub enum LibraryError {
    /// No name for a folder.
    #[error("{0:?}: the name of a database is small letters, digits and hyphens, at most 40 of them")]
    BadName(String),
    /// There is none.
    #[error("there is no database {name:?}; there are {known}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// The databases there are, separated by commas.
        known: String,
    },
    /// Two at once.
    #[error("another import writes to {0:?}; try again when it is done")]
    InUse(String),
    /// A server without a folder keeps nothing.
    #[error("games are kept in memory only, so none can be imported")]
    NoFolder,
    /// Filters need the games themselves.
    #[error(
        "{0:?} is the summary that came with the program; to choose among games, import them: emilia games import DIR"
    )]
    OnlySummary(String),
    /// The folder cannot be used.
    #[error("{}: {error}", path.display())]
    Folder {
        /// Which folder.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The database cannot be read.
    #[error("the database {name:?}: {error}")]
    Database {
        /// Which one.
        name: String,
        /// Why.
        error: OpeningsError,
    },
}

/// All databases in one folder, and the summary that is part of the program.
#[derive(Default)]
pub struct Library {
    folder: Option<PathBuf>,
    open: Mutex<HashMap<String, Known>>,
}

/// A database that was opened, and what its list was like then.
struct Known {
    stamp: (SystemTime, u64),
    database: Arc<Database>,
}

/// A database that can be asked.
#[derive(Clone)]
pub enum Opened {
    /// With all games.
    Games(Arc<Database>),
    /// Without them.
    Summary(&'static Summary),
}

impl Library {
    /// The databases in the folder `openings` of this data folder.
    #[must_use]
    pub fn new(data: Option<&Path>) -> Library {
        Library { folder: data.map(|data| data.join("openings")), open: Mutex::default() }
    }

    /// Whether games can be added.
    #[must_use]
    pub fn can_grow(&self) -> bool {
        self.folder.is_some()
    }

    /// The names of the databases there are, the usual ones first.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let folders = self.folder.as_deref().map(fs::read_dir).into_iter().flatten().flatten().flatten();
        let mut names: Vec<String> = folders
            .filter_map(|folder| folder.file_name().into_string().ok())
            .filter(|name| is_name(name))
            .collect();
        names.retain(|name| self.folder(name).is_ok_and(|folder| folder.stamp().is_some()));
        if !names.iter().any(|name| name == TOURNAMENTS) {
            names.push(TOURNAMENTS.to_owned());
        }
        let rank = |name: &str| {
            [TOURNAMENTS, MY_GAMES, SELF_PLAY].iter().position(|usual| *usual == name).unwrap_or(3)
        };
        names.sort_by(|one, other| rank(one).cmp(&rank(other)).then_with(|| one.cmp(other)));
        names
    }

    /// The folder of a database, whether it is there or not.
    pub fn folder(&self, name: &str) -> Result<OpeningsFolder, LibraryError> {
        if !is_name(name) {
            return Err(LibraryError::BadName(name.to_owned()));
        }
        let folder = self.folder.as_ref().ok_or(LibraryError::NoFolder)?;
        Ok(OpeningsFolder::new(folder.join(name)))
    }

    /// The folder of a database to write to, and the lock that keeps others from doing so.
    pub fn to_write(&self, name: &str) -> Result<(OpeningsFolder, OpeningsLock), LibraryError> {
        let folder = self.folder(name)?;
        let failed = |error| LibraryError::Folder { path: folder.path().to_owned(), error };
        match folder.lock().map_err(failed)? {
            Some(lock) => Ok((folder, lock)),
            None => Err(LibraryError::InUse(name.to_owned())),
        }
    }

    /// The database as it is now.
    pub fn open(&self, name: &str) -> Result<Opened, LibraryError> {
        let folder = match self.folder(name) {
            Err(LibraryError::NoFolder) => None,
            other => Some(other?),
        };
        let Some((folder, stamp)) = folder.and_then(|folder| folder.stamp().map(|stamp| (folder, stamp)))
        else {
            return match shipped_summary() {
                Some(summary) if name == TOURNAMENTS => Ok(Opened::Summary(summary)),
                _ => Err(LibraryError::Unknown { name: name.to_owned(), known: self.names().join(", ") }),
            };
        };
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = open.get(name).filter(|known| known.stamp == stamp) {
            return Ok(Opened::Games(Arc::clone(&known.database)));
        }
        let failed = |error| LibraryError::Database { name: name.to_owned(), error };
        let database = Arc::new(Database::open(&folder).map_err(failed)?);
        open.insert(name.to_owned(), Known { stamp, database: Arc::clone(&database) });
        Ok(Opened::Games(database))
    }

    /// What is played in a position.
    pub fn explore(
        &self,
        name: &str,
        position: &GridPosition,
        filter: &Filter,
        page: Page,
    ) -> Result<Found, LibraryError> {
        match self.open(name)? {
            Opened::Games(database) => database
                .explore(position, filter, page)
                .map_err(|error| LibraryError::Database { name: name.to_owned(), error }),
            Opened::Summary(_) if !filter.is_open() => Err(LibraryError::OnlySummary(name.to_owned())),
            Opened::Summary(summary) => Ok(summary.explore(position)),
        }
    }
}

impl Library {
    /// What people played in the position a game has come to, and what Emilia's book says.
    pub fn explored(
        &self,
        name: &str,
        game: &Game,
        filter: &Filter,
        page: Page,
    ) -> Result<Explored, LibraryError> {
        let opened = self.open(name)?;
        let found = self.explore(name, game.position(), filter, page)?;
        Ok(Explored::new(opened.described(name), game, &found))
    }
}

impl Opened {
    /// What there is to say about the database of this name.
    pub(crate) fn described(&self, name: &str) -> DatabaseAnswer {
        DatabaseAnswer {
            name: name.to_owned(),
            games: self.games(),
            summary: matches!(self, Opened::Summary(_)),
            credit: self.credit().map(str::to_owned),
        }
    }

    /// How many games there are.
    #[must_use]
    pub fn games(&self) -> u64 {
        match self {
            Opened::Games(database) => database.games(),
            Opened::Summary(summary) => summary.games,
        }
    }

    /// Whom the games come from, where that is known.
    #[must_use]
    pub fn credit(&self) -> Option<&str> {
        match self {
            Opened::Games(_) => None,
            Opened::Summary(summary) => Some(&summary.credit),
        }
    }
}

fn is_name(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !name.is_empty() && name.len() <= LONGEST_NAME && name.bytes().all(plain) && !name.starts_with('-')
}
