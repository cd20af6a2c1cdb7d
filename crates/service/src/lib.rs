//! What can be asked of Emilia, and the answers: positions, games with their seats, learners, analyses, reviews, trees, duels,
//! evolutions. No sockets, no disk, no threads, no clock of its own: whoever calls says what time it is, draws what is
//! left to chance and keeps the games. The server puts this behind HTTP; in a browser it stands alone.
//!
//! ```
//! use emilia_service::analyse::Analyse;
//! use emilia_service::answers::to_json;
//!
//! let fields = serde_json::from_str(r#"{"moves": "f5d6c3"}"#)?;
//! let answer = to_json(&Analyse::read(fields)?.plain());
//! assert!(answer.contains(r#""opening":{"en":"#));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]
#![allow(
    missing_docs,
    reason = "fields and variants are the words of the interface, which docs/api.md explains"
)]

pub mod alone;
mod alone_learner;
mod alone_studies;
pub mod analyse;
pub mod answers;
pub mod catalogue;
mod clock;
pub mod computer;
pub mod deepen;
pub mod duels;
pub mod error;
pub mod evaluate;
pub mod evolution_request;
pub mod evolutions;
pub mod explored;
pub mod export;
pub mod game;
pub mod hint;
pub mod import;
pub mod insights;
pub mod learner;
pub mod lines;
pub mod move_job;
pub mod names;
pub mod openings;
pub mod overlays;
pub mod position;
pub mod request_error;
pub mod review;
pub mod slot;
pub mod steps;
pub mod study;
pub mod token;
pub mod tree;
pub mod why;
pub mod wthor;
