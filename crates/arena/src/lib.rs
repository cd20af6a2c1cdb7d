//! Measuring strength: players meet again and again, from the same openings with both colours.
//!
//! ```
//! use emilia_arena::{Match, Openings, Standing};
//! use emilia_engine::{no_files, Candidate, Stop};
//! use emilia_rules::Size;
//!
//! let players = [Candidate::parse("greedy", &no_files)?, Candidate::parse("random:seed=7", &no_files)?];
//! let contest = Match { size: Size::SIX, games: 40, openings: Openings::Random { plies: 4, seed: 1 }, ..Match::default() };
//! let mut standing = Standing::default();
//! contest.run(&players, &Stop::default(), |played| standing.add(&played));
//! assert_eq!(standing.games(), 40);
//! assert!(standing.score() > 0.5);
//! # Ok::<(), emilia_engine::PlayerError>(())
//! ```

#![forbid(unsafe_code)]

mod contest;
mod elo;
mod openings;
mod pentanomial;
mod rating;
mod referee;
mod sprt;
mod standing;

pub use contest::Match;
pub use elo::Elo;
pub use openings::{Openings, longest_opening};
pub use pentanomial::{Average, Pentanomial};
pub use rating::{Anchor, IMAGINED_DRAWS, Points, Rating, Ratings, rate};
pub use referee::{Effort, Played, Turn, referee};
pub use sprt::{Sprt, SprtError, Verdict};
pub use standing::Standing;
