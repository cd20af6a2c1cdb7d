use std::time::Duration;

use crate::Marking;

/// What someone wrote beside a move, or beside the start of the game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Note {
    /// Words about the move.
    pub comment: String,
    /// What the side that moved thought of its position.
    pub evaluation: Option<Evaluation>,
    /// How long the side that moved thought. Records keep milliseconds.
    pub time: Option<Duration>,
    /// What is drawn on the board.
    pub markings: Vec<Marking>,
}

/// An expected final disc difference, for the side that made the move.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// Own discs less the opponent's; finite.
    pub discs: f64,
    /// How deep the search was, as the program wrote it: `24@98%`.
    pub depth: Option<String>,
}

impl Note {
    /// Nothing written.
    pub const EMPTY: Note =
        Note { comment: String::new(), evaluation: None, time: None, markings: Vec::new() };

    /// Whether nothing is written.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.comment.is_empty()
            && self.evaluation.is_none()
            && self.time.is_none()
            && self.markings.is_empty()
    }

    /// Adds words below those that are there.
    pub fn add_comment(&mut self, words: &str) {
        if words.is_empty() {
            return;
        }
        if !self.comment.is_empty() {
            self.comment.push('\n');
        }
        self.comment.push_str(words);
    }
}

impl Evaluation {
    /// An evaluation that says nothing about its depth.
    #[must_use]
    pub fn new(discs: f64) -> Evaluation {
        Evaluation { discs, depth: None }
    }
}
