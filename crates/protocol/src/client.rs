use emilia_query::{Query, Report};

/// The other side of a conversation: an engine is asked for a move.
///
/// Whoever drives it sends what it says and brings the engine's lines, until there is an answer or something is wrong.
/// One question at a time; after something went wrong the client is of no more use.
pub trait Client: Send {
    /// Says hello; [`Step::Ready`] follows when the engine is ready to be asked. It may be left out.
    fn greet(&mut self) -> Vec<Step>;

    /// Asks for a move; what to send for a start.
    fn ask(&mut self, query: &Query) -> Vec<Step>;

    /// A line from the engine.
    fn line(&mut self, line: &str) -> Vec<Step>;

    /// What to send so that the engine answers soon; nothing if its protocol has no such thing.
    fn stop(&mut self) -> Option<String>;

    /// What the engine has to answer next, in words for a person.
    fn asked(&self) -> String;

    /// What to send before the engine is left.
    fn farewell(&self) -> &'static str {
        "quit"
    }
}

/// What comes of a line.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Send this line.
    Send(String),
    /// It is ready to be asked.
    Ready,
    /// It has said how it goes.
    Progress(Report),
    /// It has moved: the word it wrote, and what that means if it means anything on this board.
    Moved(String, Option<Box<Report>>),
    /// It would not do what it has to.
    Refused {
        /// What it was asked.
        asked: String,
        /// What it gave as its reason.
        reason: String,
    },
    /// It said something that is no answer.
    NotUnderstood(String),
}
