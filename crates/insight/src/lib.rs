//! What a player's moves tell: why a move is bad, and where a player loses discs.
//!
//! A reason is never guessed. [`Comparison`] follows two lines, that of the move played and that of the best move, and counts
//! what a player can count on a board: corners, moves, regions of empty squares, discs that are safe. [`Explanation`] says in what
//! the two differ most tellingly, or that nothing counted here explains it.
//!
//! ```
//! use emilia_insight::{Explanation, Reason};
//! use emilia_rules::{Setup, Size, parse_move};
//!
//! // Black goes to b2, diagonally beside the corner a1, and loses it.
//! let before = "-OOOOOO---OXOO---XOOOOXX-XXOOXO--XOOOOOO--OOXXO-----OX------O--- X".parse::<Setup>()?.position()?;
//! let line = |text: &str| text.split(' ').map(|mv| parse_move(mv, Size::EIGHT)).collect::<Result<Vec<_>, _>>();
//! let (played, best) = (line("b2 d7 f8 d8 h4 h2 b6 a1")?, line("d8 c8 d7 h4 g2 c7 b6 a3")?);
//! let explained = Explanation::new(&before, &played, &best, 8.0).ok_or("no placements")?;
//! assert!(matches!(explained.reason, Reason::GaveCorner { at_ply: 8, .. }));
//! assert_eq!(
//!     explained.sentence(),
//!     "b2 gives White the corner a1: b2 d7 f8 d8 h4 h2 b6 a1. After d8 White does not get it."
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Gathering`] takes games of any number of files and finds those of a player, [`JudgedGame`] judges one of them, and [`Portrait`] sums
//! them up: where the player loses discs, and by which kinds of mistake.

#![forbid(unsafe_code)]

mod comparison;
mod explanation;
mod gathering;
mod judged;
mod line;
mod merit;
mod names;
mod page;
mod people;
mod portrait;
mod reason;
mod region;

pub use comparison::Comparison;
pub use explanation::Explanation;
pub use gathering::{Chosen, Gathering, LeftOut};
pub use judged::{GameJudge, JudgedGame, JudgedMove, Why};
pub use line::{HORIZON, Line};
pub use merit::Merit;
pub use names::{NameError, folded, meant, name_of};
pub use page::{About, page};
pub use people::{BANDS, Band, Likeness, STAGES};
pub use portrait::{Example, Mistakes, Portrait, Share};
pub use reason::{Both, Kind, Reason};
pub use region::{region_of, regions};
