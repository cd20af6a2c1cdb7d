mod change;
mod exchange;
mod grow;
mod lines;
mod look;
mod store;

use clap::{Args, Subcommand};

use crate::{Failure, Streams};

/// Make, look up and change opening books: positions with the values of their moves, and what each value rests on
///
/// A book is a file. Positions that are the same but for symmetry or the order of moves are one; values are carried back
/// from every position to those before it; and no value replaces one that rests on more. What takes long can be stopped
/// at any moment, by Ctrl-C or worse, and goes on where it was when the same command is given again.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia book show own f5d6c3                      what the book says that comes with the program
  emilia book build mine.ebk --plies 8 --level 20  a book of every good line of eight moves
  emilia book stats mine.ebk

docs/openings.md explains values and how the book that comes with the program was made.")]
pub(crate) struct BookCommand {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Build(grow::Build),
    Extend(grow::Extend),
    Learn(change::Learn),
    Deviate(grow::Deviate),
    Fix(change::Fix),
    Merge(change::Merge),
    Prune(change::Prune),
    Show(look::Show),
    Stats(look::Stats),
    Lines(lines::LinesCommand),
    Check(look::Check),
    Import(exchange::Import),
    Export(exchange::Export),
}

impl BookCommand {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        match self.what {
            What::Build(command) => command.run(streams),
            What::Extend(command) => command.run(streams),
            What::Learn(command) => command.run(streams),
            What::Deviate(command) => command.run(streams),
            What::Fix(command) => command.run(streams),
            What::Merge(command) => command.run(streams),
            What::Prune(command) => command.run(streams),
            What::Show(command) => command.run(streams),
            What::Stats(command) => command.run(streams),
            What::Lines(command) => command.run(streams),
            What::Check(command) => command.run(streams),
            What::Import(command) => command.run(streams),
            What::Export(command) => command.run(streams),
        }
    }
}
