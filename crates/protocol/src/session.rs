use std::io;

use emilia_query::{Fault, Query, Report};

/// The engine's side of a conversation: lines come in, orders go out.
///
/// Whoever drives it reads lines, does what is ordered, and comes back with what was found. Searches run elsewhere
/// while lines keep coming in; each has a number, and news of one that is no longer wanted are ignored. Nothing a
/// session is told makes it panic or grow without bound.
pub trait Session {
    /// A line from the other side, without its end.
    fn line(&mut self, line: &str) -> Vec<Order>;

    /// A line came that was longer than anybody needs; this many bytes were thrown away.
    fn too_long(&mut self, bytes: usize) -> Vec<Order>;

    /// How a search goes.
    fn progress(&mut self, search: u64, report: &Report) -> Vec<Order>;

    /// What a search has found; the reason if the player failed.
    fn finished(&mut self, search: u64, found: Result<Report, Fault>) -> Vec<Order>;

    /// No more lines will come. A search that ends by itself may still be answered; then the session is over.
    fn ended(&mut self) -> Vec<Order>;

    /// Whether it wants to hear any more lines.
    fn listens(&self) -> bool {
        true
    }

    /// The text of the file it wanted to read, or why there is none.
    fn file(&mut self, _text: io::Result<String>) -> Vec<Order> {
        Vec::new()
    }
}

/// Who we say we are.
#[derive(Clone, Copy, Debug)]
pub struct Identity<'a> {
    /// One word or several.
    pub name: &'a str,
    /// The version of the program.
    pub version: &'a str,
}

/// What a session wants done.
#[derive(Clone, Debug, PartialEq)]
pub enum Order {
    /// Send this to the other side: a line, or several with line ends between them.
    Say(String),
    /// Begin a search of this number, as soon as there is someone to do it.
    Think(u64, Box<Query>),
    /// Think about this position as long as nothing else is to be done, and begin at once: it is expected to come, with
    /// these limits for the answer. The search of this number comes back like any other.
    Ponder(u64, Box<Query>),
    /// End the search of this number soon, and come back with the best it has.
    Stop(u64),
    /// Read this file and bring its text, before anything else.
    Read(String),
    /// Forget what earlier searches have found: another game begins.
    Forget,
    /// The conversation is over.
    Quit,
}
