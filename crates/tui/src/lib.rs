//! Othello on the whole terminal: play, watch, analyse and review with keyboard or mouse.
//!
//! Three parts, of which only the last knows a terminal:
//!
//! - [`State`] is all there is to know: the game, where the cursor is, what players have said so far.
//! - [`State::update`] takes an [`Event`] (a key, a click, an answer) and says by [`Effect`]s what is to be done elsewhere.
//! - [`view()`] draws a state; [`Speech`] says it in words for those who listen. [`run()`] and [`run_spoken`] drive it all.
//!
//! ```
//! use emilia_engine::{Candidate, no_files};
//! use emilia_rules::Size;
//! use emilia_tui::{Command, Event, Setup, State};
//!
//! let mut state = State::new(Setup::new(emilia_record::Game::new(Size::EIGHT), &no_files)?);
//! state.update(Event::Command(Command::Type('f')));
//! state.update(Event::Command(Command::Type('5')));
//! assert_eq!(state.game().last_move().unwrap().to_string(), "f5");
//! # Ok::<(), emilia_engine::PlayerError>(())
//! ```

#![forbid(unsafe_code)]

mod clock;
mod command;
mod event;
mod graph;
mod layout;
mod run;
mod setup;
mod speech;
mod spoken;
mod state;
mod terminal;
mod update;
mod view;
mod worker;

pub use clock::Clock;
pub use command::{Command, Key};
pub use event::{Effect, Event, Ticket};
pub use run::{FileWriter, TerminalError, run};
pub use setup::{Look, Seat, Setup, Timing};
pub use speech::Speech;
pub use spoken::run_spoken;
pub use state::State;
pub use view::view;
