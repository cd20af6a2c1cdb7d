use std::fs;
use std::io;
use std::num::{NonZeroU32, NonZeroU64};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use emilia_arena::Sprt;
use emilia_learn::selfplay::is_test_year;
use emilia_record::thor::Archive;
use emilia_rules::Size;
use emilia_work::{Folder, LabelTask, MatchTask, Plan, ProofTask, ReviewTask, SelfPlayTask, Task};

use super::super::dataset::RecipeArgs;
use super::super::selfplay::SparringArgs;
use super::failure;
use crate::files::read_named;
use crate::position::parse_size;
use crate::{Failure, Streams};

/// Plan work: cut it into units, and put the plan with all it needs into a folder
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia work plan games selfplay --games 1000000 --depth 8
  emilia work plan labels label openings.txt --every --player emilia:level=20,hash=16
  emilia work plan reviews review WTH_2013.wtb --player emilia:level=10,hash=16
  emilia work plan strength match emilia:nodes=20000 emilia:nodes=10000 --sprt 0,20
  emilia work plan six proof '--------------OX----XO-------------- X' --plies 6
  emilia work plan random dataset --games 20000000

Players should think by level, depth or nodes: by the clock they play otherwise on every machine.")]
pub(crate) struct PlanCommand {
    /// Folder for the plan; it is made if it is not there
    #[arg(value_name = "DIR")]
    dir: PathBuf,

    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    #[command(name = "selfplay")]
    SelfPlay(SelfPlay),
    Label(Label),
    Review(Review),
    Match(Match),
    Proof(Proof),
    /// Make a data set for sequence models, the same as "emilia dataset" makes
    #[command(after_help = "\
Examples:
  emilia work plan random dataset --games 20000000")]
    Dataset(Box<RecipeArgs>),
}

/// Games of Emilia against herself to learn from, the same as "emilia selfplay" plays
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia work plan games selfplay --games 1000000 --depth 8
  emilia work plan games selfplay --games 1000 --shard 10     small units, for a first try")]
struct SelfPlay {
    /// Games to play
    #[arg(long, value_name = "N")]
    games: NonZeroU64,

    #[command(flatten)]
    sparring: SparringArgs,
}

/// Judge positions, each on its own
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia work plan labels label openings.txt --player emilia:level=20,hash=16
  emilia work plan labels label WTH_2013.wtb --every          every position of every game")]
struct Label {
    /// Files with positions or games in any format; of a game its last position is meant
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,

    /// Judge every position of a game, not only the last
    #[arg(long)]
    every: bool,

    /// Who judges; "emilia players" lists the choice
    #[arg(long, value_name = "NAME", default_value = "emilia:level=10,hash=16")]
    player: String,

    /// Positions in a unit
    #[arg(long, value_name = "N", default_value = "100")]
    unit: NonZeroU64,
}

/// Judge every move of every game
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia work plan reviews review WTH_2013.wtb --player emilia:level=10,hash=16")]
struct Review {
    /// Files with games in any format
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,

    /// Who judges; "emilia players" lists the choice
    #[arg(long, value_name = "NAME", default_value = "emilia:level=8,hash=16")]
    player: String,

    /// Games in a unit
    #[arg(long, value_name = "N", default_value = "10")]
    unit: NonZeroU64,
}

/// Let two players meet, with colours changed, perhaps until a test has an answer
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia work plan strength match emilia:nodes=20000 emilia:nodes=10000 --sprt 0,20
  emilia work plan ten match emilia:depth=6 greedy --size 10 --games 200")]
struct Match {
    /// The first player; "emilia players" lists the choice
    #[arg(value_name = "A")]
    first: String,

    /// The second player
    #[arg(value_name = "B")]
    second: String,

    /// Games at most
    #[arg(long, value_name = "N", default_value = "20000")]
    games: NonZeroU32,

    /// Stop as soon as it is clear whether A is stronger by ELO1 rather than by ELO0
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<Sprt>,

    /// How often the test may wrongly find gain, and wrongly find none
    #[arg(long, value_name = "RATE", default_value = "0.05", requires = "sprt")]
    error_rate: f64,

    /// Side of the board: an even number from 4 to 26
    #[arg(long, value_name = "N", value_parser = parse_size, default_value = "8")]
    size: Size,

    /// How games begin: "start", "balanced" (8×8: our own set) or "random:K" for K random moves [default: balanced, or
    /// random:6 on other boards]
    #[arg(long, value_name = "HOW")]
    openings: Option<String>,

    /// Where random openings begin; for balanced ones, another order than they stand in
    #[arg(long, value_name = "N", default_value = "0")]
    seed: u64,

    /// Pairs of games in a unit
    #[arg(long, value_name = "N", default_value = "10")]
    unit: NonZeroU32,
}

/// Solve a position of 4×4, 6×6 or 8×8 by solving what it leads to
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia work plan six proof '--------------OX----XO-------------- X' --plies 6")]
struct Proof {
    /// The position: the squares row by row as X, O and -, then the side to move; or moves
    #[arg(value_name = "POSITION")]
    position: String,

    /// Plies after which subproblems begin
    #[arg(long, value_name = "N", default_value = "4")]
    plies: u32,

    /// Megabytes of memory for each
    #[arg(long, value_name = "MB", default_value = "64")]
    hash: NonZeroU32,
}

impl PlanCommand {
    pub(super) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let task = self.what.task()?;
        let (plan, inputs) = Plan::new(task, &read_named).map_err(failure)?;
        let folder = Folder::create(&self.dir, plan, inputs).map_err(failure)?;
        let units = folder.work().units();
        writeln!(
            streams.out,
            "{units} units planned in {}, numbered 0 to {}",
            self.dir.display(),
            units - 1
        )?;
        Ok(())
    }
}

impl What {
    fn task(self) -> Result<Task, Failure> {
        Ok(match self {
            What::SelfPlay(SelfPlay { games, sparring }) => Task::SelfPlay(SelfPlayTask {
                plan: sparring.plan(),
                games: games.get(),
                shard: sparring.shard.get(),
                weights: sparring.weights.name(),
                wthor: sparring.wthor.as_deref().map(learnable).transpose()?.unwrap_or_default(),
            }),
            What::Label(Label { files, every, player, unit }) => {
                Task::Label(LabelTask { files, every, player, unit: unit.get() })
            }
            What::Review(Review { files, player, unit }) => {
                Task::Review(ReviewTask { files, player, unit: unit.get() })
            }
            What::Match(command) => {
                let usual = if command.size == Size::EIGHT { "balanced" } else { "random:6" };
                Task::Match(MatchTask {
                    players: [command.first, command.second],
                    games: command.games.get(),
                    sprt: command.sprt.map(|test| (test.differences().into(), command.error_rate)),
                    size: command.size.get(),
                    openings: command.openings.unwrap_or_else(|| usual.to_owned()),
                    seed: command.seed,
                    unit: command.unit.get(),
                })
            }
            What::Proof(Proof { position, plies, hash }) => {
                Task::Proof(ProofTask { position, plies, hash: hash.get() })
            }
            What::Dataset(recipe) => Task::Dataset(recipe.recipe()),
        })
    }
}

/// The files of the WTHOR database in a folder that may be learnt from, in the order of their names.
fn learnable(folder: &Path) -> Result<Vec<String>, Failure> {
    let failed = |error: io::Error| Failure::file(folder, error);
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("wtb")) {
            let bytes = fs::read(&path).map_err(|error| Failure::file(&path, error))?;
            let archive = Archive::parse(&bytes).map_err(|error| Failure::in_file(&path, &error))?;
            if !is_test_year(archive.header().played) {
                names.push(path.display().to_string());
            }
        }
    }
    names.sort();
    Ok(names)
}
