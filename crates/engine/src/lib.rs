//! The one door to everything that chooses Othello moves: players by name.
//!
//! A name is a kind of player and its settings, the same wherever a player is asked for: on the command line, in a
//! match, over a protocol. Which search plays on which board, what a level means and how a clock is shared out is
//! decided here and nowhere else.
//!
//! ```
//! use emilia_engine::{no_files, player};
//! use emilia_query::{Query, Stop, Value};
//! use emilia_rules::GridPosition;
//!
//! let mut player = player("alphabeta:depth=3,eval=disc", &no_files)?;
//! let report = player.answer(&Query::new(GridPosition::default()), &Stop::default(), &mut ()).unwrap();
//! let best = report.best().unwrap();
//! assert_eq!((best.mv.to_string().as_str(), best.value), ("d3", Some(Value::Points(3.0))));
//!
//! let error = emilia_engine::player("alphabeta:detph=3", &no_files).err().unwrap();
//! assert_eq!(error.to_string(), "alphabeta has no setting \"detph\", did you mean depth?; \
//!     it has depth, eval, weights, order, transpositions, end, goal");
//! # Ok::<(), emilia_engine::PlayerError>(())
//! ```

#![forbid(unsafe_code)]

mod allowance;
mod candidate;
mod catalogue;
mod champion;
mod chances;
mod clock;
mod file_bytes;
mod human;
mod level;
mod one_by_one;
mod opening;
mod outside;
mod player;
mod review;
mod spec;
mod textbook;

use std::io;

pub use candidate::Candidate;
pub use catalogue::{KINDS, Kind, OUTSIDE, Outside, PRESETS, Preset, Setting};
pub use chances::Chances;
pub use emilia_classic::Dice;
pub use file_bytes::FileBytes;
pub use level::{limits as limits_of_level, rating as rating_of_level};
#[cfg(target_os = "linux")]
pub use outside::keep_program;
pub use player::Player;
pub use review::{Judged, Judgement, Review, ReviewedMove, TurningPoint, Verdicts};
pub use spec::{FileFault, PlayerError, Spec, ValueFault, parse_time};

/// How a player gets at a file that its name mentions. Only front ends touch files, so they say how.
pub type FileReader<'a> = &'a dyn Fn(&str) -> io::Result<FileBytes>;

/// For places where a player may not name files.
pub fn no_files(_: &str) -> io::Result<FileBytes> {
    Err(io::Error::new(io::ErrorKind::PermissionDenied, "files cannot be named here"))
}

/// Makes the player of this name.
pub fn player(text: &str, read: FileReader<'_>) -> Result<Box<dyn Player>, PlayerError> {
    Ok(Candidate::parse(text, read)?.player(0))
}
