use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::Args;
use emilia_dataset::{Format, Recipe, UnknownFormat};
use emilia_rules::Size;
use emilia_work::{Folder, Plan, Task};
use serde::Serialize;

use super::work::{Units, failure};
use crate::files::read_named;
use crate::interrupt::stop_on_interrupt;
use crate::position::parse_size;
use crate::{Failure, Streams};

/// Make a data set for sequence models: games, and everything there is to know at every step
///
/// A row a game, and a row for each disc placed: the board as mine and theirs, the legal moves, what the move flips,
/// and if asked for what the position is worth. Each step is learnt from or kept for tests as its position says,
/// however it is turned, so that the two halves never share a position. The same options give the same bytes on any
/// number of threads. A run that was interrupted or killed goes on when it is called again with the same options.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia dataset --out random --games 2000000
  emilia dataset --out mixed --games 100000 --player random --player greedy --player emilia:level=3 --noise 0.1
  emilia dataset --out small --size 6 --games 100000 --value-depth 4 --exact-from 12 --format jsonl

The folder holds games-*, train-* and test-*, manifest.json says what is in them, SHA256SUMS is for sha256sum -c.
docs/datasets.md describes every column, and how to read them in Python and as Parquet.")]
pub(crate) struct Dataset {
    /// Folder for the data set; it is made if it is not there
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    #[command(flatten)]
    recipe: RecipeArgs,

    /// Files made at the same time [default: as many as there are processors]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What decides every byte.
#[derive(Args)]
pub(crate) struct RecipeArgs {
    /// Games to play
    #[arg(long, value_name = "N")]
    games: NonZeroU64,

    /// Side of the board: an even number from 4 to 26
    #[arg(long, value_name = "N", value_parser = parse_size, default_value = "8")]
    size: Size,

    /// Where the random numbers begin
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,

    /// Who plays; given several times, each side of each game is one of them [default: random]
    #[arg(long, value_name = "NAME")]
    player: Vec<String>,

    /// Share of the moves that are random instead
    #[arg(long, value_name = "SHARE", default_value = "0")]
    noise: f64,

    /// Share of the positions that are kept for tests
    #[arg(long, value_name = "SHARE", default_value = "0.1")]
    test_share: f64,

    /// Add what Emilia thinks of each position, looking so many plies ahead
    #[arg(long, value_name = "PLIES")]
    value_depth: Option<u8>,

    /// Add the exact value from so many empty squares on
    #[arg(long, value_name = "N")]
    exact_from: Option<u8>,

    /// Keep boards as a byte a square (0 empty, 1 mine, 2 theirs) instead of a bit a square for mine and for theirs
    #[arg(long)]
    cells: bool,

    /// The kind of files: npy or jsonl
    #[arg(long, value_name = "FORMAT", value_parser = format, default_value = "npy")]
    format: Format,

    /// Games in a file [default: as many as make files of about 25 MB]
    #[arg(long, value_name = "N")]
    shard: Option<NonZeroU64>,
}

fn format(text: &str) -> Result<Format, UnknownFormat> {
    text.parse()
}

/// What was made.
#[derive(Serialize)]
struct Line<'a> {
    folder: String,
    files: usize,
    bytes: u64,
    seconds: f64,
    #[serde(flatten)]
    about: &'a serde_json::Value,
}

impl RecipeArgs {
    /// What these options mean.
    pub(crate) fn recipe(&self) -> Recipe {
        let players = if self.player.is_empty() { Recipe::default().players } else { self.player.clone() };
        Recipe {
            size: self.size.get(),
            games: self.games.get(),
            seed: self.seed,
            players,
            noise: self.noise,
            test_share: self.test_share,
            value_depth: self.value_depth,
            exact_from: self.exact_from,
            cells: self.cells,
            format: self.format,
            shard: self.shard.map(NonZeroU64::get),
        }
    }
}

impl Dataset {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let (plan, inputs) = Plan::new(Task::Dataset(self.recipe.recipe()), &read_named).map_err(failure)?;
        let folder = Folder::create(&self.out, plan, inputs).map_err(failure)?;
        let stop = stop_on_interrupt();
        let begin = std::time::Instant::now();
        let units = folder.open_units().map_err(failure)?;
        Units { folder: &folder, what: "files" }.run(&units, self.threads, &stop, streams)?;
        let merged = folder.merge().map_err(failure)?;
        let line = Line {
            folder: self.out.display().to_string(),
            files: merged.files.len(),
            bytes: merged.files.iter().map(|file| file.bytes).sum(),
            seconds: begin.elapsed().as_secs_f64(),
            about: &merged.about,
        };
        if self.json {
            return Ok(streams.write_json(&line)?);
        }
        let [games, train, test] = ["games", "train", "test"].map(|name| &merged.about["rows"][name]);
        let (files, megabytes) = (line.files, line.bytes as f64 / 1e6);
        writeln!(
            streams.out,
            "{games} games, {train} steps to learn from, {test} for tests: {files} files, {megabytes:.1} MB in {}",
            line.folder
        )?;
        Ok(())
    }
}
