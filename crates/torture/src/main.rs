//! Attacks on everything else, for a minute or a night: `cargo xtask torture MINUTES`.
//!
//! Each part of the table in `part.rs` attacks in rounds, in a process of its own with a limit of memory, and somebody
//! who notices when it hangs. Everything in a round follows from the seed and its number.
#![allow(
    clippy::unwrap_used,
    reason = "what was not expected is what is looked for: a round fails by panicking"
)]
#![allow(clippy::print_stdout, reason = "a program talks to a person")]

#[path = "../../server/tests/api/common/mod.rs"]
#[allow(dead_code, unused_imports, reason = "the tests of the server use more of it")]
mod common;
mod disk;
mod laws;
mod part;
mod parts;
mod people;
#[path = "../../emilia/tests/it/process.rs"]
#[allow(dead_code, reason = "the tests of the program use more of it")]
mod process;
mod programs;
mod random;
mod report;
mod state;
mod supervisor;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
pub(crate) use common::client;
use part::{PARTS, Part, Round};
use programs::peak_megabytes;
use state::Line;
use supervisor::{Attack, supervise};

/// Attack the program in every way there is, and report what was lost
///
/// The work is divided into parts, which take turns. Called again with the same seed, everything goes on where it was,
/// and the report at the end is about all of it. Ctrl-C ends the work and prints the report so far. What was found is
/// told with the seed and the round that find it again.
#[derive(Parser)]
#[command(
    name = "cargo xtask torture",
    after_help = "\
Examples:
  cargo xtask torture 1                            a minute of everything
  cargo xtask torture 480 --seed 7                 a night, with other random numbers
  cargo xtask torture 60 --part power --tries 1000
  cargo xtask torture --parts                      which parts there are"
)]
struct Arguments {
    /// For how long
    #[arg(value_name = "MINUTES", required_unless_present_any = ["parts", "work"])]
    minutes: Option<f64>,

    /// Where the random numbers begin
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,

    /// Only this part; can be given several times
    #[arg(long = "part", value_name = "NAME", value_parser = known_part)]
    chosen: Vec<&'static Part>,

    /// End a part after so many tries altogether
    #[arg(long, value_name = "N")]
    tries: Option<u64>,

    /// Begin again instead of going on
    #[arg(long)]
    fresh: bool,

    /// List the parts
    #[arg(long)]
    parts: bool,

    /// Only one small round of every part, to see that they work
    #[arg(long)]
    brief: bool,

    /// Do the rounds of one part, and say so line by line; how the parts are started
    #[arg(long, hide = true, value_name = "PART", value_parser = known_part)]
    work: Option<&'static Part>,

    /// Look again at what was found: begin with this round, apart from everything done so far
    #[arg(long, value_name = "ROUND")]
    from: Option<u64>,

    /// How many rounds
    #[arg(long, hide = true, value_name = "N", default_value_t = u64::MAX)]
    rounds: u64,
}

/// There is no such part.
#[derive(Debug, thiserror::Error)]
#[error("there is no part {0:?}; --parts lists them")]
struct UnknownPart(String);

fn known_part(name: &str) -> Result<&'static Part, UnknownPart> {
    part::find(name).ok_or_else(|| UnknownPart(name.to_owned()))
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if arguments.parts {
        for part in PARTS {
            let when = if part.share == 0 { " (only when named)" } else { "" };
            println!("{:<12} {}{when}", part.name, part.what);
        }
        return ExitCode::SUCCESS;
    }
    let time = Duration::from_secs_f64(arguments.minutes.unwrap_or(0.0).clamp(0.0, 1e6) * 60.0);
    if let Some(part) = arguments.work {
        work(part, &arguments, time);
        return ExitCode::SUCCESS;
    }
    let attack = Attack {
        seed: arguments.seed,
        parts: arguments.chosen,
        time,
        tries: arguments.tries,
        fresh: arguments.fresh,
        brief: arguments.brief,
        from: arguments.from,
    };
    match supervise(&attack) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            println!("torture: {error}");
            ExitCode::from(2)
        }
    }
}

/// Does rounds until the time is over, at least one.
fn work(part: &Part, arguments: &Arguments, time: Duration) {
    let begin = Instant::now();
    let folder = work_folder(part);
    for number in
        (arguments.from.unwrap_or(0)..).take(usize::try_from(arguments.rounds).unwrap_or(usize::MAX))
    {
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let mut round = Round::new(part, arguments.seed, number, &folder, arguments.brief);
        let tally = (part.round)(&mut round).peak("MB of the attacker", peak_megabytes(std::process::id()));
        println!("{}", serde_json::to_string(&Line { round: number, tally }).unwrap());
        if begin.elapsed() >= time {
            break;
        }
    }
    let _ = std::fs::remove_dir_all(folder);
}

/// Shows whoever watches for hangs that a long round goes on.
pub(crate) fn alive(progress: &str) {
    println!("{progress}");
}

/// Where the harness keeps its files.
fn home() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/torture"))
}

/// Where a part may do as it likes; two runs do not meet.
fn work_folder(part: &Part) -> PathBuf {
    home().join("work").join(format!("{}-{}", part.name, std::process::id()))
}
