//! The weights by which Emilia judges positions, as an option that several commands share.

use std::ops::Deref;
use std::path::PathBuf;

use clap::Args;
use emilia_eval::Learned;

use crate::Failure;
use crate::files::read_weights;

/// Which weights to judge by.
#[derive(Args)]
pub(crate) struct WeightsArg {
    /// Judge positions by the weights in this file instead of those that come with the program
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

/// An evaluator with its weights.
pub(crate) enum Judge {
    Embedded(&'static Learned),
    Read(Box<Learned>),
}

impl Deref for Judge {
    type Target = Learned;

    fn deref(&self) -> &Learned {
        match self {
            Judge::Embedded(learned) => learned,
            Judge::Read(learned) => learned,
        }
    }
}

impl WeightsArg {
    /// The evaluator, made ready.
    pub(crate) fn judge(&self) -> Result<Judge, Failure> {
        let Some(path) = &self.weights else { return Ok(Judge::Embedded(Learned::embedded())) };
        let bytes = read_weights(&path.to_string_lossy()).map_err(|error| Failure::file(path, error))?;
        let learned =
            Learned::read(&bytes).map_err(|error| Failure::failed(format!("{}: {error}", path.display())))?;
        Ok(Judge::Read(Box::new(learned)))
    }

    /// What was asked for, in a word: the file's name, or nothing for the weights that come with the program.
    pub(crate) fn name(&self) -> Option<String> {
        self.weights.as_ref().map(|path| path.display().to_string())
    }
}
