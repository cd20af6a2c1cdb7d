use std::io;
use std::path::{Path, PathBuf};

use emilia_dataset::DealError;
use emilia_engine::PlayerError;
use emilia_query::Fault;
use thiserror::Error;

/// Why work cannot be planned, done or merged.
#[derive(Debug, Error)]
pub enum WorkError {
    /// A file cannot be read or written.
    #[error("{path}: {error}", path = .path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// A file that the plan needs cannot be read.
    #[error("{name}: {error}")]
    Input {
        /// Its name in the plan.
        name: String,
        /// What the system said.
        error: io::Error,
    },
    /// A file that the plan needs cannot be understood.
    #[error("{name}: {reason}")]
    Content {
        /// Its name in the plan.
        name: String,
        /// What is wrong with it.
        reason: Box<dyn std::error::Error + Send + Sync>,
    },
    /// There is no plan in a folder.
    #[error("{path}: there is no plan here; emilia work plan makes one", path = .0.display())]
    NoPlan(PathBuf),
    /// A file of the folder is not JSON, or another object.
    #[error("{path}: {error}", path = .path.display())]
    Json {
        /// Which file.
        path: PathBuf,
        /// What is wrong.
        error: serde_json::Error,
    },
    /// Another version of the program may find something else.
    #[error(
        "this work was planned by emilia {planned}, and this is emilia {now}: go on with the version that began it"
    )]
    Version {
        /// Who made the plan.
        planned: String,
        /// Who reads it.
        now: String,
    },
    /// The folder is in use for something else.
    #[error("{path} holds other work, see plan.json there; take another folder", path = .0.display())]
    OtherWork(PathBuf),
    /// A file is not as it was written.
    #[error("{path} is damaged, its checksum is wrong; remove it and the receipt of its unit, and run the unit again", path = .0.display())]
    Damaged(PathBuf),
    /// There is no such unit.
    #[error("there is no unit {unit}: they are numbered 0 to {last}")]
    NoUnit {
        /// Its number.
        unit: u64,
        /// The last one.
        last: u64,
    },
    /// Not everything is there that the result needs.
    #[error("{missing} of {units} units are still to be done, unit {first} the first of them")]
    Unfinished {
        /// How many are missing.
        missing: u64,
        /// The first of them.
        first: u64,
        /// How many there are.
        units: u64,
    },
    /// The plan asks for something that cannot be.
    #[error(transparent)]
    Task(#[from] TaskError),
    /// A data set that cannot be.
    #[error(transparent)]
    Deal(#[from] DealError),
    /// A player that cannot be.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// A player that failed.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// There is not enough memory.
    #[error(transparent)]
    Table(#[from] emilia_search::TableError),
}

/// What a plan cannot ask for.
#[derive(Debug, Error)]
pub enum TaskError {
    /// Nothing to do.
    #[error("there is nothing to do: no {0}")]
    Nothing(&'static str),
    /// A number that is out of its range.
    #[error("{what} is a number from {least} to {most}, not {given}")]
    Range {
        /// Which number.
        what: &'static str,
        /// The least it can be.
        least: u64,
        /// The most it can be.
        most: u64,
        /// What it was.
        given: u64,
    },
    /// Another program, or a clock, gives another result each time.
    #[error("{0} is another program; work that machines share is done by our own players")]
    Outside(String),
    /// No such way to begin games.
    #[error("games begin with start, balanced or random:K, not {0:?}")]
    Openings(String),
    /// No balanced openings there.
    #[error("balanced openings are for 8×8; on {0} say random:K")]
    NotBalanced(emilia_rules::Size),
    /// Not a board.
    #[error(transparent)]
    Size(#[from] emilia_rules::SizeError),
    /// Not a sequential test.
    #[error(transparent)]
    Sprt(#[from] emilia_arena::SprtError),
    /// Starts that cannot be.
    #[error(transparent)]
    Starts(#[from] emilia_learn::selfplay::StartsError),
    /// Not a position.
    #[error(transparent)]
    Position(#[from] emilia_record::PositionError),
    /// A board that the solver does not know.
    #[error(transparent)]
    TooLarge(#[from] emilia_rules::TooLarge),
    /// More positions than a proof can keep in mind.
    #[error("{0} plies lead to more than {1} positions; take fewer")]
    TooMany(u32, usize),
}

impl WorkError {
    pub(crate) fn file(path: &Path, error: io::Error) -> WorkError {
        WorkError::File { path: path.to_owned(), error }
    }

    pub(crate) fn content(
        name: &str,
        reason: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> WorkError {
        WorkError::Content { name: name.to_owned(), reason: reason.into() }
    }
}
