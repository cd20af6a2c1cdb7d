//! Games that the engine plays against itself, to learn from them.
//!
//! A [`Plan`] says how to play, [`Starts`] where games begin, and a [`Sparring`] plays them: game number `n` depends
//! on the plan, the starts and `n` alone, so that any number of threads and machines may share the work.
//!
//! ```
//! use emilia_eval::Learned;
//! use emilia_learn::selfplay::{Plan, Sparring, Starts};
//!
//! let plan = Plan { depth: 2, exact_from: 8, ..Plan::default() };
//! let starts = Starts::new(plan.kind, Vec::new())?;
//! let mut sparring = Sparring::new(&plan, &starts, Learned::embedded())?;
//! let game = sparring.play(17);
//! assert!(game.boards().last().is_some_and(|board| board.moves().into_iter().next().is_none()));
//! assert_eq!(sparring.play(17), game);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod plan;
mod sparring;
mod starts;

pub use plan::Plan;
pub use sparring::Sparring;
pub use starts::{Kind, Starts, StartsError, is_test_year};
