use std::time::Duration;

use thiserror::Error;

/// Why a player cannot answer. It ends that player's game. All but the first is what programs from outside do wrong.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// There is no room for what the player remembers.
    #[error("there is no memory for a table of {megabytes} MB")]
    NoMemory {
        /// How much was wanted.
        megabytes: usize,
    },
    /// The program cannot be run.
    #[error("{command:?} cannot be started: {reason}")]
    NotStarted {
        /// How it was called.
        command: String,
        /// What the system said.
        reason: String,
    },
    /// The program ended, or closed its output, while an answer was due.
    #[error("it ended without an answer to {asked:?}{}", last_words(.said))]
    Crashed {
        /// What it was asked.
        asked: String,
        /// The last it wrote to standard error.
        said: String,
    },
    /// No answer came.
    #[error("no answer to {asked:?} in {:.1} s", .after.as_secs_f64())]
    Silent {
        /// What it was asked.
        asked: String,
        /// How long it was waited for.
        after: Duration,
    },
    /// It played a move that is none.
    #[error("it played {text:?}, which is illegal")]
    Illegal {
        /// What it wrote.
        text: String,
    },
    /// It gave up.
    #[error("it resigned")]
    Resigned,
    /// It said something that cannot be an answer.
    #[error("it answered {line:?} to {asked:?}")]
    NotUnderstood {
        /// What it was asked.
        asked: String,
        /// What it wrote.
        line: String,
    },
    /// It would not do what every engine of its kind must.
    #[error("it refused {asked:?}: {reason}")]
    Refused {
        /// What it was asked.
        asked: String,
        /// What it gave as its reason.
        reason: String,
    },
    /// It wrote and wrote and never came to an answer.
    #[error("it wrote more than {bytes} bytes without an answer to {asked:?}")]
    Flooded {
        /// What it was asked.
        asked: String,
        /// How much was read before it was given up.
        bytes: usize,
    },
}

fn last_words(said: &str) -> String {
    if said.is_empty() { String::new() } else { format!("; its last words: {said:?}") }
}
