//! How much of a book must be known.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use emilia_rules::{Color, GridPosition};
use emilia_trainer::{BookLines, Survey, SurveyedMove};
use serde::Serialize;

use super::store::open;
use crate::position::PositionArg;
use crate::{Failure, Streams};

/// Count the lines of a book that one must know by heart to stay within a tolerance of the best
///
/// Every reply that the book knows has to be answered; of one's own moves one is enough, and of those that keep what
/// the position promises, less the tolerance, the one is taken that needs the fewest lines. A line ends where the book does.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia book lines own --side black
  emilia book lines own f5d6 --side white --tolerance 2
  emilia book lines mine.ebk f5d6c3 --side black --plies 12 --json

docs/openings.md has the exact definition, with an example worked out.")]
pub(super) struct LinesCommand {
    /// The book; "own" is the one that comes with the program
    #[arg(value_name = "BOOK")]
    book: PathBuf,

    /// Moves or a board [default: the start of the game]
    #[arg(value_name = "POSITION")]
    position: Option<PositionArg>,

    /// Who wants to know the lines
    #[arg(long, value_name = "SIDE")]
    side: Side,

    /// Discs that may be given away in all
    #[arg(long, default_value_t = 0, value_name = "DISCS")]
    tolerance: u8,

    /// Moves on the board beyond which the book does not count
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=60))]
    plies: Option<u32>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Side {
    Black,
    White,
}

impl From<Side> for Color {
    fn from(side: Side) -> Color {
        match side {
            Side::Black => Color::Black,
            Side::White => Color::White,
        }
    }
}

/// All of it for a program to read.
#[derive(Serialize)]
struct SurveyLine {
    lines: u64,
    open: u64,
    positions: usize,
    longest: usize,
    floor: i32,
    to_move: bool,
    moves: Vec<MoveLine>,
}

/// What must be known after a move; no lines where it gives away too much.
#[derive(Serialize)]
struct MoveLine {
    #[serde(rename = "move")]
    mv: String,
    discs: i32,
    lines: Option<u64>,
    advised: bool,
}

impl LinesCommand {
    pub(super) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let position = self.position.map_or_else(GridPosition::default, |PositionArg(position)| position);
        let book = open(&self.book)?;
        let failed = |error: emilia_trainer::BookLinesError| Failure::failed(error.to_string());
        let lines =
            BookLines::new(&book, &position, self.side.into(), self.tolerance, self.plies).map_err(failed)?;
        let survey = lines.survey(&position).map_err(failed)?;
        if self.json {
            return Ok(streams.write_json(&SurveyLine::new(&survey))?);
        }
        print(&survey, streams)
    }
}

impl SurveyLine {
    fn new(survey: &Survey) -> SurveyLine {
        let line = |known: &SurveyedMove| MoveLine {
            mv: known.square.to_string(),
            discs: known.discs,
            lines: known.effort.map(|effort| effort.lines),
            advised: known.advised,
        };
        SurveyLine {
            lines: survey.repertoire.effort.lines,
            open: survey.repertoire.effort.open,
            positions: survey.repertoire.decisions,
            longest: survey.repertoire.longest,
            floor: survey.floor,
            to_move: survey.learners,
            moves: survey.moves.iter().map(line).collect(),
        }
    }
}

fn print(survey: &Survey, streams: &mut Streams<'_>) -> Result<(), Failure> {
    let Survey { repertoire, floor, learners, moves } = survey;
    writeln!(streams.out, "{} to end with {floor:+} or better", count(repertoire.effort.lines, "line"))?;
    writeln!(
        streams.out,
        "{} in which a move must be known; the longest line has {}",
        count(repertoire.decisions as u64, "position"),
        count(repertoire.longest as u64, "move")
    )?;
    if repertoire.effort.open > 0 {
        writeln!(
            streams.out,
            "{} of them end lower: the book knows nothing better there",
            repertoire.effort.open
        )?;
    }
    writeln!(streams.out, "{}  discs  lines", if *learners { "move " } else { "reply" })?;
    for SurveyedMove { square, discs, effort, advised, .. } in moves {
        let lines =
            effort.map_or_else(|| "too much given away".to_owned(), |effort| format!("{:>5}", effort.lines));
        let mark = if *advised { "  fewest" } else { "" };
        writeln!(streams.out, "{:<5}  {discs:>+5}  {lines}{mark}", square.to_string())?;
    }
    Ok(())
}

/// So many of something.
fn count(number: u64, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}
