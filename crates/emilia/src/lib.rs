//! The command line of Emilia: every subcommand, from arguments to printed lines.
//!
//! [`run`] is the whole program with its streams handed in, so that a test can play a game or read an error without
//! starting a process.
//!
//! ```
//! use emilia::{run, Streams};
//!
//! let (mut input, mut out, mut err) = (std::io::empty(), Vec::new(), Vec::new());
//! let mut streams = Streams::plain(&mut input, &mut out, &mut err);
//! assert_eq!(run(["emilia", "perft", "--passes", "sideways", "3"], &mut streams), 2);
//! assert!(String::from_utf8(err).unwrap().starts_with("emilia: invalid value 'sideways'"));
//! ```

#![forbid(unsafe_code)]

mod commands;
mod conversation;
mod failure;
mod files;
mod interrupt;
mod number;
mod position;
mod seed;
mod streams;
mod weights;
mod wthor;

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use emilia_record::board;
use emilia_rules::Size;

use commands::Command;
pub use failure::Failure;
pub use streams::Streams;

/// Othello on every board from 4×4 to 26×26: play, analyse, teach.
///
/// Without a command the web page is served and opened in a browser.
#[derive(Parser)]
#[command(name = "emilia", version, disable_help_subcommand = false, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,

    /// When to use colours; NO_COLOR in the environment counts as "never"
    #[arg(long, global = true, value_enum, default_value_t = ColorChoice::Auto, value_name = "WHEN")]
    color: ColorChoice,
}

const EXAMPLES: &str = "\
Examples:
  emilia                           play in the browser
  emilia play                      play in the terminal
  emilia show f5d6c3               draw the position after three moves
  emilia perft 9                   count the game tree
  emilia help perft                everything about one command

Exit status: 0 done, 1 failed, 2 called wrongly.";

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ColorChoice {
    Auto,
    Always,
    Never,
}

/// The program: reads the arguments, does what they say, returns the exit status.
pub fn run<I, T>(arguments: I, streams: &mut Streams<'_>) -> u8
where
    I: IntoIterator<Item = T>,
    T: Into<OsString> + Clone,
{
    let arguments = arguments.into_iter().map(|argument| board_is_no_option(argument.into()));
    let result = match Cli::try_parse_from(arguments) {
        Ok(cli) => {
            match cli.color {
                ColorChoice::Auto => {}
                ColorChoice::Always => streams.color = true,
                ColorChoice::Never => streams.color = false,
            }
            match cli.command.or_else(default_command) {
                Some(command) => command.run(streams),
                None => Err(Failure::usage("say what to do; emilia help lists the commands")),
            }
        }
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            let text = error.render();
            let written = if streams.color {
                write!(streams.out, "{}", text.ansi())
            } else {
                write!(streams.out, "{text}")
            };
            written.map_err(Failure::from)
        }
        Err(error) => Err(Failure::Usage(one_sentence(&error).into())),
    };
    let result = result.and_then(|()| streams.out.flush().map_err(Failure::from));
    match result {
        Ok(()) => 0,
        Err(failure) => {
            if let Some(sentence) = failure.sentence() {
                // With nowhere left to complain to, the exit status has to do.
                let _ = writeln!(streams.err, "emilia: {sentence}");
            }
            failure.exit_status()
        }
    }
}

/// What is done when no command is given: the web page, with its usual options.
fn default_command() -> Option<Command> {
    Cli::try_parse_from(["emilia", "serve"]).ok()?.command
}

/// Puts a blank before an argument that is a board with empty squares in front, so that its dashes do not look like
/// those of an option. Whoever reads boards ignores blanks.
fn board_is_no_option(argument: OsString) -> OsString {
    // Moves or scores may follow the board; the smallest one is longer than any of our options.
    let is_board = |text: &str| {
        let start: String = text.chars().filter(|c| !c.is_whitespace()).take(Size::MIN.cells()).collect();
        text.starts_with('-') && (board::looks_like(&start) || board::looks_like(text))
    };
    if !argument.to_str().is_some_and(is_board) {
        return argument;
    }
    let mut spaced = OsString::from(" ");
    spaced.push(argument);
    spaced
}

/// The whole command tree, for completions and manual pages.
#[must_use]
pub fn command() -> clap::Command {
    Cli::command()
}

/// What is wrong with the arguments, without the usage text that clap appends.
fn one_sentence(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let mut parts = text
        .trim_start_matches("error: ")
        .split("\n\n")
        .map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|part| !part.is_empty() && !part.starts_with("Usage:") && !part.starts_with("For more"))
        .collect::<Vec<_>>();
    if parts.is_empty() {
        parts.push("these arguments make no sense; try --help".to_owned());
    }
    parts.join("; ")
}

/// The examples in the README are compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
