//! The subcommands, one file each: its arguments, its examples, what it does.

mod completions;
mod console;
mod perft;
mod players;

use clap::Subcommand;

use crate::{Failure, Streams};

#[derive(Subcommand)]
pub(crate) enum Command {
    Console(console::Console),
    Players(players::Players),
    Perft(perft::Perft),
    Completions(completions::Completions),
}

impl Command {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        match self {
            Command::Console(command) => command.run(streams),
            Command::Players(command) => command.run(streams),
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
