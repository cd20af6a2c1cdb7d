use std::time::Duration;

use emilia_engine::{ReviewedMove, Verdicts};
use emilia_query::{Fault, Query, Report};
use emilia_record::Game;
use emilia_rules::{Color, GridPosition, Move, Point};

use crate::{Command, Key, Seat};

/// A number for each piece of work that is given away, so that answers to old ones are known as such.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ticket(pub u64);

/// Something that has happened.
#[derive(Clone, Debug)]
pub enum Event {
    /// A key was pressed.
    Key(Key),
    /// The mouse was pressed in this column and row of the terminal.
    Click(u16, u16),
    /// The wheel was turned, up or down by so many.
    Wheel(i8),
    /// Somebody wants something.
    Command(Command),
    /// The terminal has this many columns and rows.
    Resize(u16, u16),
    /// So much time has passed.
    Time(Duration),
    /// A player thinks, or the judge analyses: what it has found so far.
    Progress(Ticket, Report),
    /// It has an answer.
    Answer(Ticket, Result<Report, Fault>),
    /// A search tree of this depth, line by line.
    Tree(Ticket, u32, Vec<String>),
    /// A move was reviewed.
    Judged(Ticket, Box<ReviewedMove>),
    /// All of them were.
    Reviewed(Ticket, Verdicts),
    /// The game was saved in this file, or why not.
    Saved(Result<String, String>),
}

/// Something to be done elsewhere.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Fresh players for a new game.
    Seat {
        /// Who plays, Black first.
        seats: [Seat; 2],
        /// Where their dice begin.
        seed: u64,
    },
    /// Let the player of this side answer.
    Think {
        /// To be sent back with the answer.
        ticket: Ticket,
        /// Whose turn it is.
        side: Color,
        /// The game so far.
        query: Query,
    },
    /// Let the judge answer, telling what it finds on the way.
    Judge {
        /// To be sent back with the answer.
        ticket: Ticket,
        /// What to find out.
        query: Query,
    },
    /// Make trees of a textbook search, deeper and deeper.
    Grow {
        /// To be sent back with each.
        ticket: Ticket,
        /// The position.
        query: Query,
    },
    /// Review these moves.
    Review {
        /// To be sent back with what is found.
        ticket: Ticket,
        /// Where the game begins.
        start: GridPosition,
        /// What was played.
        moves: Vec<Move<Point>>,
    },
    /// End what a player is doing.
    StopThinking,
    /// End what the judge is doing.
    StopJudging,
    /// Save the game.
    Save {
        /// Where.
        file: String,
        /// What.
        game: Box<Game>,
    },
    /// Leave.
    Quit,
}
