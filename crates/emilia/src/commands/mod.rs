//! The subcommands, one file each: its arguments, its examples, what it does.

mod completions;
mod perft;

use clap::Subcommand;

use crate::{Failure, Streams};

#[derive(Subcommand)]
#[expect(clippy::large_enum_variant, reason = "there is one, made at the start")]
pub(crate) enum Command {
    Perft(perft::Perft),
    Completions(completions::Completions),
}

impl Command {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        match self {
            Command::Perft(command) => command.run(streams),
            Command::Completions(command) => command.run(streams),
        }
    }
}

impl Default for Command {
    fn default() -> Command {
        Command::Completions(completions::Completions { shell: clap_complete::Shell::Bash })
    }
}
