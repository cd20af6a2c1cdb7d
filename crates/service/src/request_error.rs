//! What can be wrong with what a request asks for.

use emilia_classic::WeightError;
use emilia_engine::PlayerError;
use emilia_learn::evolution::breeding::UnknownWay;
use emilia_learn::evolution::{ChangeError, CheckpointError, PlanError};
use emilia_record::{Fault, FormatError, ReadError, WriteError};
use emilia_rules::MoveTextError;
use serde_urlencoded::de::Error as FieldsError;
use thiserror::Error;

/// A value that is not taken.
#[derive(Debug, Error)]
pub enum RequestError {
    #[error("the form cannot be read: {0}")]
    Form(FieldsError),
    #[error("the query cannot be read: {0}")]
    Query(FieldsError),
    #[error("{what}: at most {most}")]
    TooMuch { what: &'static str, most: u64 },
    #[error("{what}: {least} to {most}")]
    OutOfRange { what: &'static str, least: u64, most: u64 },
    #[error("{what}: at most {most} here; emilia evolve does more")]
    EvolvesTooMuch { what: &'static str, most: u64 },
    #[error(transparent)]
    Change(#[from] ChangeError),
    #[error("{option}: {error}")]
    Way { option: &'static str, error: UnknownWay },
    #[error("{0:?}: weights are default, kukreja, or six numbers with / between")]
    Weights(String),
    #[error(transparent)]
    Genes(#[from] WeightError),
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error("there are at most {most} tags of {longest} characters on one line")]
    Tags { most: usize, longest: usize },
    #[error("the game has no move {0}")]
    NoMove(usize),
    /// Things that do not go together.
    #[error("{0}")]
    Contradiction(&'static str),
}

/// A player that cannot play here.
#[derive(Debug, Error)]
pub enum BadPlayer {
    #[error(transparent)]
    Unknown(#[from] PlayerError),
    #[error("a player's name is at most {0} characters long")]
    LongName(usize),
    #[error("other programs cannot be started from here")]
    Outside,
    #[error("{setting} is at most {most} here")]
    TooMuch { setting: &'static str, most: u64 },
    #[error("leave out {0}: it is what evolves")]
    Evolves(String),
    #[error("leave out seed: that of the evolution decides all chances")]
    Seed,
    #[error("{0} does not judge positions, so weights make no difference to it")]
    NoEvaluator(String),
    #[error("{0} searches no tree of this kind; minimax, alphabeta, negascout, iterative and beam do")]
    NoTree(String),
    #[error("{0} does not search step by step; minimax, alphabeta, negascout, iterative, beam and mcts do")]
    NoSteps(String),
}

/// A text that is no position.
#[derive(Debug, Error)]
pub enum BadPosition {
    #[error(transparent)]
    Board(#[from] Fault),
    #[error("the position is on a board of another size")]
    OtherSize,
}

/// A text that is no move, or no line of moves.
#[derive(Debug, Error)]
pub enum BadMove {
    #[error(transparent)]
    Text(#[from] MoveTextError),
    #[error(transparent)]
    Line(#[from] Fault),
    #[error("moves are squares such as f5, and pass")]
    NoSquares,
    #[error("idx is a number from 0 to 63")]
    Index,
}

/// A file that cannot be written as wanted.
#[derive(Debug, Error)]
pub enum BadFormat {
    #[error(transparent)]
    Name(#[from] FormatError),
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// A file in which there is not what was looked for.
#[derive(Debug, Error)]
pub enum Unreadable {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Game(#[from] Fault),
    #[error("there is no game number {0} in the text")]
    NoGame(usize),
    #[error("this is {0}, not a file of the WTHOR database")]
    NotWthor(&'static str),
}
