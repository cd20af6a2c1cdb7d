//! Databases of games for the explorer: filling them, looking after them.

mod import;
mod progress;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use emilia_openings::Summary;
use emilia_server::{Library, Opened};
use serde::Serialize;

use super::serve::data_folder;
use crate::files::write_file;
use crate::{Failure, Streams};

/// Keep databases of games, for emilia explore and the page
///
/// There are several side by side: "tournaments", "my-games", "self-play", and any other name. A summary of tournament
/// play is part of the program; import the WTHOR database to see the games themselves.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia games import WTHOR/      the folder with WTH_*.wtb, WTH.JOU and WTH.TRN, into \"tournaments\"
  emilia games list               which databases there are")]
pub(crate) struct Games {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Import(import::ImportGames),
    List(List),
    Check(Check),
    Remove(Remove),
    Summary(SummaryCommand),
}

impl Games {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        match self.action {
            Action::Import(command) => command.run(streams),
            Action::List(command) => command.run(streams),
            Action::Check(command) => command.run(streams),
            Action::Remove(command) => command.run(streams),
            Action::Summary(command) => command.run(streams),
        }
    }
}

/// Where the databases are.
#[derive(Args)]
pub(super) struct DataArg {
    /// Folder with the databases, the one that emilia serve has its games in [default: the user's data folder]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

impl DataArg {
    pub(super) fn library(&self) -> Library {
        Library::new(self.data.clone().or_else(data_folder).as_deref())
    }
}

/// Say which databases there are
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia games list
  emilia games list --json      for a program")]
struct List {
    #[command(flatten)]
    data: DataArg,

    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

/// A database, for a program to read.
#[derive(Serialize)]
struct Listed {
    database: String,
    games: u64,
    files: usize,
    bytes: u64,
    summary: bool,
    credit: Option<String>,
}

impl List {
    fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let library = self.data.library();
        for name in library.names() {
            let opened = library.open(&name).map_err(Failure::failed)?;
            let (files, bytes) = match &opened {
                Opened::Games(database) => {
                    (database.files(), library.folder(&name).map_or(0, |folder| folder.size()))
                }
                Opened::Summary(_) => (0, 0),
            };
            let listed = Listed {
                games: opened.games(),
                files,
                bytes,
                summary: matches!(opened, Opened::Summary(_)),
                credit: opened.credit().map(str::to_owned),
                database: name,
            };
            if self.json {
                streams.write_json(&listed)?;
                continue;
            }
            let kept = if listed.summary {
                "a summary, part of the program".to_owned()
            } else {
                format!("{:.1} MB on disk", listed.bytes as f64 / 1e6)
            };
            writeln!(streams.out, "{:<12} {:>10} games, {kept}", listed.database, listed.games)?;
        }
        Ok(())
    }
}

/// Read every byte of a database and say whether it is as it was written
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia games check tournaments")]
struct Check {
    /// Which database
    #[arg(value_name = "NAME")]
    name: String,

    #[command(flatten)]
    data: DataArg,
}

impl Check {
    fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        match self.data.library().open(&self.name).map_err(Failure::failed)? {
            Opened::Games(database) => {
                database.check().map_err(Failure::failed)?;
                let (different, all) = database.position_counts().map_err(Failure::failed)?;
                writeln!(
                    streams.out,
                    "{}: {} games, {all} positions, {different} of them different: all well",
                    self.name,
                    database.games()
                )?;
            }
            Opened::Summary(summary) => {
                writeln!(streams.out, "{}: a summary of {} games: all well", self.name, summary.games)?;
            }
        }
        Ok(())
    }
}

/// Remove a database with all its games
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia games remove my-games --yes")]
struct Remove {
    /// Which database
    #[arg(value_name = "NAME")]
    name: String,

    /// Really remove it: there is no way back
    #[arg(long)]
    yes: bool,

    #[command(flatten)]
    data: DataArg,
}

impl Remove {
    fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let library = self.data.library();
        let games = match library.open(&self.name).map_err(Failure::failed)? {
            Opened::Games(database) => database.games(),
            Opened::Summary(_) => return Err(Failure::failed("the summary is part of the program")),
        };
        if !self.yes {
            return Err(Failure::usage(format!("{} has {games} games; add --yes to remove them", self.name)));
        }
        let (folder, lock) = library.to_write(&self.name).map_err(Failure::failed)?;
        folder.remove().map_err(|error| Failure::file(folder.path(), error))?;
        drop(lock);
        writeln!(streams.out, "{}: {games} games removed", self.name)?;
        Ok(())
    }
}

/// Sum a database up in a small file without the games, such as the one that is part of the program
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia games summary tournaments --at-least 3 -o tournaments.summary")]
struct SummaryCommand {
    /// Which database
    #[arg(value_name = "NAME")]
    name: String,

    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Leave out positions that fewer games reached
    #[arg(long, value_name = "GAMES", default_value = "5")]
    at_least: usize,

    /// Whom the games come from
    #[arg(long, value_name = "TEXT", default_value = "")]
    credit: String,

    #[command(flatten)]
    data: DataArg,
}

impl SummaryCommand {
    fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let Opened::Games(database) = self.data.library().open(&self.name).map_err(Failure::failed)? else {
            return Err(Failure::failed("this is a summary already; import the games first"));
        };
        let bytes = Summary::write(&database, self.at_least, &self.credit).map_err(Failure::failed)?;
        write_file(&self.output, &bytes).map_err(|error| Failure::file(&self.output, error))?;
        writeln!(
            streams.out,
            "{}: {} games in {} bytes",
            self.output.display(),
            database.games(),
            bytes.len()
        )?;
        Ok(())
    }
}
