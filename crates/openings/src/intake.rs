//! Games of a file of any format on their way into a database.

use std::ops::ControlFlow;

use emilia_record::thor::{Archive, Directory};
use emilia_record::{Hint, Item, Problem, ReadError, read_each};
use emilia_rules::Size;
use thiserror::Error;

use crate::{Added, Import, LeftOut, OpeningsError, Played};

/// What became of the games of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Intake {
    /// Games that are new.
    pub new: u64,
    /// Games that were there already.
    pub duplicates: u64,
    /// Games that are not for the database, or cannot be read.
    pub left_out: u64,
}

/// What is told about each game.
#[derive(Debug)]
pub enum Step {
    /// It was taken in.
    Added(Added),
    /// It was left out.
    LeftOut {
        /// Which game of the file, from 1.
        game: usize,
        /// Why.
        reason: Reason,
    },
}

/// Why a game is left out.
#[derive(Debug, Error)]
pub enum Reason {
    /// It cannot be read.
    #[error("{}", .0.fault)]
    Unreadable(Problem),
    /// It is another kind of game.
    #[error(transparent)]
    Other(#[from] LeftOut),
    /// It is a position.
    #[error("a position without a game")]
    NoGame,
}

/// Why a file is not taken in.
#[derive(Debug, Error)]
pub enum IntakeError {
    /// It is nothing that holds games.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The database cannot be written.
    #[error(transparent)]
    Database(#[from] OpeningsError),
}

impl Intake {
    /// All of both.
    pub fn add(&mut self, other: Intake) {
        self.new += other.new;
        self.duplicates += other.duplicates;
        self.left_out += other.left_out;
    }
}

impl Import<'_> {
    /// Takes in all games of a file. Each is told to `watch`, which can end the work; what was taken in until then stays.
    pub fn add_file(
        &mut self,
        bytes: &[u8],
        hint: &Hint<'_>,
        directory: &Directory,
        watch: &mut dyn FnMut(Step) -> ControlFlow<()>,
    ) -> Result<Intake, IntakeError> {
        let mut taking = Taking { import: self, intake: Intake::default(), number: 0, failed: None, watch };
        read_each(bytes, hint, &mut |item| taking.take(item, directory))?;
        match taking.failed {
            Some(error) => Err(error.into()),
            None => Ok(taking.intake),
        }
    }
}

/// The work under way.
struct Taking<'t, 's> {
    import: &'t mut Import<'s>,
    intake: Intake,
    /// The game that is looked at, from 1.
    number: usize,
    failed: Option<OpeningsError>,
    watch: &'t mut dyn FnMut(Step) -> ControlFlow<()>,
}

impl Taking<'_, '_> {
    fn take(&mut self, item: Result<Item, Problem>, directory: &Directory) -> ControlFlow<()> {
        self.number += 1;
        match item {
            Ok(Item::Game(game)) => self.played(Played::of_game(&game).map_err(Reason::from)),
            Ok(Item::Exercise(_)) => self.played(Err(Reason::NoGame)),
            Ok(Item::Archive(archive)) => self.archive(&archive, directory),
            Ok(Item::Names(_)) => ControlFlow::Continue(()),
            Err(problem) => {
                self.number = problem.game;
                self.played(Err(Reason::Unreadable(problem)))
            }
        }
    }

    /// Broken games of an archive were told before it, by their numbers.
    fn archive(&mut self, archive: &Archive, directory: &Directory) -> ControlFlow<()> {
        let year = archive.header().played;
        for (number, record) in (1..).zip(archive.records()) {
            self.number = number;
            let played = if archive.size() == Size::EIGHT {
                Played::of_record(&record, year, directory)
                    .map_err(|fault| Reason::Unreadable(Problem { game: number, fault }))
            } else {
                Err(LeftOut::Size(archive.size()).into())
            };
            self.played(played)?;
        }
        ControlFlow::Continue(())
    }

    fn played(&mut self, played: Result<Played, Reason>) -> ControlFlow<()> {
        let step = match played {
            Ok(game) => match self.import.add(&game) {
                Ok(added) => Step::Added(added),
                Err(error) => {
                    self.failed = Some(error);
                    return ControlFlow::Break(());
                }
            },
            Err(reason) => Step::LeftOut { game: self.number, reason },
        };
        match &step {
            Step::Added(Added::New) => self.intake.new += 1,
            Step::Added(Added::Duplicate) => self.intake.duplicates += 1,
            Step::LeftOut { .. } => self.intake.left_out += 1,
        }
        (self.watch)(step)
    }
}
