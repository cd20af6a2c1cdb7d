//! Measuring strength: players meet again and again, from the same openings with both colours.
//!
//! ```
//! use std::ops::ControlFlow;
//! use emilia_arena::{Openings, Schedule, Series, Standing, Terms};
//! use emilia_engine::{no_files, Candidate};
//! use emilia_query::Stop;
//! use emilia_rules::Size;
//!
//! let players = [Candidate::parse("greedy", &no_files)?, Candidate::parse("random:seed=7", &no_files)?];
//! let terms = Terms { size: Size::SIX, openings: Openings::Random { plies: 4, seed: 1 }, ..Terms::default() };
//! let series = Series { terms, schedule: Schedule::duel(40), threads: 1 };
//! let mut standing = Standing::default();
//! series.run_all(&players, &Stop::default(), |played| {
//!     standing.add(&played);
//!     ControlFlow::Continue(())
//! });
//! assert_eq!(standing.games(), 40);
//! assert!(standing.score() > 0.5);
//! # Ok::<(), emilia_engine::PlayerError>(())
//! ```

#![forbid(unsafe_code)]

mod clock;
mod cross_table;
mod distinct;
mod elo;
mod ladder;
mod likeness;
mod log;
mod openings;
mod page;
mod pentanomial;
mod plot;
mod pool;
mod rating;
mod referee;
mod schedule;
mod series;
mod sprt;
mod standing;

pub use clock::{Overstep, RefereeClock, TimeControl};
pub use cross_table::{CrossTable, Entry, Summary};
pub use distinct::{canonical, distinct_lines};
pub use elo::Elo;
pub use ladder::{Climb, GivesAway, Ladder, LadderError, Measurement, Rung};
pub use likeness::{Frequencies, Witnessed, draw_moves, values};
pub use log::{Heading, LineError, LogError, log_line, read_log};
pub use openings::{Openings, longest_opening, shuffle};
pub use page::{Page, page};
pub use pentanomial::{Average, Pentanomial};
pub use pool::in_order;
pub use rating::{Anchor, IMAGINED_DRAWS, Points, Rating, Ratings, rate};
pub use referee::{Effort, Forfeit, ForfeitReason, Played, Rules, Turn, referee};
pub use schedule::{Fixture, Schedule};
pub use series::{Series, Terms};
pub use sprt::{Sprt, SprtError, Verdict};
pub use standing::Standing;
