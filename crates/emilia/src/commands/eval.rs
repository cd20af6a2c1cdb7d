use clap::{Args, ValueEnum};
use emilia_classic::{Breakdown, Component, Evaluator, Stability};
use emilia_engine::Candidate;
use emilia_record::draw::{Style, Text};
use emilia_rules::{Color, Grid, GridPosition, Playable, Size, SquareSet};
use serde::Serialize;

use crate::files::open_named;
use crate::position::{PositionArg, parse_size};
use crate::{Failure, Streams};

/// Take the evaluation of a position apart: every component, its weight and what it contributes
///
/// Numbers are seen by the side to move, or by the side asked for. Stable discs can never be flipped again, unstable
/// ones by the very next move, semi-stable ones are neither.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia eval f5d6c3d3 --with paper              one evaluator, after four moves
  emilia eval                                    all of them, at the start
  emilia eval --with genes:weights=best.txt f5   with weights from a file
  emilia eval '-----OX--XO----- O' --json        a 4×4 board, for a program to read")]
pub(crate) struct Eval {
    /// The position: the squares row by row as X, O and -, then the side to move; or the moves of an 8×8 game, such
    /// as f5d6c3 [default: the start]
    #[arg(value_name = "POSITION")]
    position: Option<PositionArg>,

    /// Side of the board whose start is meant: an even number from 4 to 26
    #[arg(long, value_name = "N", value_parser = parse_size, default_value = "8", conflicts_with = "position")]
    size: Size,

    /// Which evaluator: a name, with weights if it has any, such as paper:weights=25/5/30/25; or all
    #[arg(long = "with", value_name = "NAME", default_value = ALL)]
    evaluator: String,

    /// Whose eyes to look through [default: the side to move]
    #[arg(long, value_enum, value_name = "SIDE")]
    side: Option<Side>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Side {
    Black,
    White,
}

/// The word for every evaluator.
const ALL: &str = "all";

impl Eval {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let position =
            self.position.as_ref().map_or_else(|| GridPosition::start(self.size), |position| position.0);
        let side = match self.side {
            Some(Side::Black) => Color::Black,
            Some(Side::White) => Color::White,
            None => position.turn(),
        };
        let breakdowns: Vec<Breakdown<Grid>> = evaluators(&self.evaluator)?
            .into_iter()
            .map(|evaluator| evaluator.breakdown(&position, side))
            .collect();
        if self.json {
            return Ok(streams.write_json(&listing(&position, side, &breakdowns))?);
        }
        let (bold, plain) = streams.bold();
        let mut lines = vec![format!("{} to move, seen by {side}", position.turn()), String::new()];
        if let Some(first) = breakdowns.first() {
            lines.extend(stability_table(first));
        }
        for breakdown in &breakdowns {
            lines.push(String::new());
            lines.extend(table(breakdown, bold, plain));
        }
        beside_board(&position, &lines, streams)
    }
}

/// The evaluators meant by a name; their weights are written as those of players are.
fn evaluators(name: &str) -> Result<Vec<Evaluator>, Failure> {
    if name == ALL {
        return Ok(Evaluator::all().to_vec());
    }
    let (kind, weights) = name.split_once(':').unwrap_or((name, ""));
    // The name first, because its error lists evaluators and not settings of a player.
    let evaluator: Evaluator = kind.parse().map_err(Failure::usage)?;
    if weights.is_empty() {
        return Ok(vec![evaluator]);
    }
    let player = format!("minimax:eval={kind},{weights}");
    let candidate = Candidate::parse(&player, &open_named).map_err(Failure::usage)?;
    Ok(candidate.evaluator().copied().into_iter().collect())
}

fn stability_table(breakdown: &Breakdown<Grid>) -> Vec<String> {
    let mut lines = vec![format!("{:<10} {:>8} {:>11} {:>9}", "discs", "stable", "semi-stable", "unstable")];
    for color in Color::BOTH {
        let Stability { stable, semi_stable, unstable } = breakdown.stability(color);
        let (stable, semi, unstable) = (stable.count(), semi_stable.count(), unstable.count());
        lines.push(format!("{color:<10} {stable:>8} {semi:>11} {unstable:>9}"));
    }
    lines
}

fn table(breakdown: &Breakdown<Grid>, bold: &str, plain: &str) -> Vec<String> {
    let name = breakdown.evaluator;
    let mut lines = vec![format!(
        "{bold}{name:<10}{plain} {:>8} {:>8} {:>10} {:>9} {:>13}",
        "own", "opponent", "value", "weight", "contribution"
    )];
    for component in &breakdown.components {
        let Component { name, own, opponent, value, weight } = component;
        let contribution = component.contribution() + 0.0;
        let value = value + 0.0;
        lines.push(format!(
            "{name:<10} {own:>8} {opponent:>8} {value:>10.3} {weight:>9} {contribution:>13.3}"
        ));
    }
    let total = breakdown.total() + 0.0;
    lines
        .push(format!("{:<10} {:>8} {:>8} {:>10} {:>9} {bold}{total:>13.3}{plain}", "total", "", "", "", ""));
    lines
}

/// Prints the lines with the board at their left, or below it where both would be too wide.
fn beside_board(position: &GridPosition, lines: &[String], streams: &mut Streams<'_>) -> Result<(), Failure> {
    /// Largest board that has room beside it for a table.
    const BESIDE: u8 = 12;
    let style = if streams.color { Style::Discs } else { Style::Letters };
    let board = Text { legal: true, ansi: streams.color, ..Text::new(position, style) }.to_string();
    if position.size().get() > BESIDE {
        write!(streams.out, "{board}")?;
        lines.iter().try_for_each(|line| writeln!(streams.out, "{}", line.trim_end()))?;
        return Ok(());
    }
    // Colours take no room, so the widths are those of a board without them.
    let plain = Text { legal: true, ..Text::new(position, style) }.to_string();
    let width = plain.lines().map(|line| line.chars().count()).max().unwrap_or(0) + 1;
    let mut rows = board.lines().zip(plain.lines());
    let mut lines = lines.iter();
    loop {
        let (row, line) = (rows.next(), lines.next());
        if row.is_none() && line.is_none() {
            return Ok(());
        }
        let (drawn, plain) = row.unwrap_or_default();
        // A coloured row ends with a coloured blank.
        let drawn_width = plain.chars().count() + usize::from(drawn != plain);
        let gap = " ".repeat(width + 2 - drawn_width);
        let line = line.map_or("", String::as_str);
        writeln!(streams.out, "{}", format!("{drawn}{gap}{line}").trim_end())?;
    }
}

#[derive(Serialize)]
struct Listing {
    position: String,
    side: String,
    evaluators: Vec<EvaluatorLine>,
    stability: StabilityOfBoth,
}

#[derive(Serialize)]
struct EvaluatorLine {
    name: &'static str,
    components: Vec<ComponentLine>,
    total: f64,
}

#[derive(Serialize)]
struct ComponentLine {
    name: &'static str,
    own: f64,
    opponent: f64,
    value: f64,
    weight: f64,
    contribution: f64,
}

#[derive(Serialize)]
struct StabilityOfBoth {
    black: StabilityLine,
    white: StabilityLine,
}

#[derive(Serialize)]
struct StabilityLine {
    stable: Vec<String>,
    semi_stable: Vec<String>,
    unstable: Vec<String>,
}

fn listing(position: &GridPosition, side: Color, breakdowns: &[Breakdown<Grid>]) -> Listing {
    let evaluators = breakdowns.iter().map(|breakdown| EvaluatorLine {
        name: breakdown.evaluator,
        components: breakdown.components.iter().map(component_line).collect(),
        total: breakdown.total() + 0.0,
    });
    let squares = |set: Grid| set.into_iter().map(|point| point.to_string()).collect();
    let classes = |color| {
        let any = breakdowns.first().map(|breakdown| *breakdown.stability(color));
        let empty = Stability { stable: Grid::EMPTY, semi_stable: Grid::EMPTY, unstable: Grid::EMPTY };
        let Stability { stable, semi_stable, unstable } = any.unwrap_or(empty);
        let (stable, semi_stable) = (squares(stable), squares(semi_stable));
        StabilityLine { stable, semi_stable, unstable: squares(unstable) }
    };
    Listing {
        position: position.to_string(),
        side: side.to_string(),
        evaluators: evaluators.collect(),
        stability: StabilityOfBoth { black: classes(Color::Black), white: classes(Color::White) },
    }
}

/// Adding 0 turns -0 into 0.
fn component_line(component: &Component) -> ComponentLine {
    ComponentLine {
        name: component.name,
        own: component.own,
        opponent: component.opponent,
        value: component.value + 0.0,
        weight: component.weight,
        contribution: component.contribution() + 0.0,
    }
}
