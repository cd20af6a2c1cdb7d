//! What answers of several routes have in common: positions, scores, moves and sets of squares as JSON has them.

use emilia_classic::{Ending, Evaluator};
use emilia_query::Report;
use emilia_record::Opening;
use emilia_rules::{Color, Counts, Grid, GridPosition, Move, Objective, Playable, Point, Status};
use serde::Serialize;

use crate::names::{ColorName, ObjectiveName};

/// An answer as it is sent.
pub fn to_json<T: Serialize>(answer: &T) -> String {
    serde_json::to_string(answer).expect("answers are plain structures with texts for keys")
}

/// The squares of a set, row by row.
pub fn squares(set: Grid) -> Vec<String> {
    set.into_iter().map(|point| point.to_string()).collect()
}

/// A line of moves.
pub fn moves(moves: &[Move<Point>]) -> Vec<String> {
    moves.iter().map(ToString::to_string).collect()
}

/// The placements one after the other, as `moves` of a request takes them; passes are left out.
pub fn transcript(moves: impl Iterator<Item = Move<Point>>) -> String {
    moves.filter_map(Move::square).map(|point| point.to_string()).collect()
}

/// The board as one string of `X`, `O` and `-`.
pub fn cells(position: &GridPosition) -> String {
    let mut text = position.to_string();
    // The side to move follows after a blank.
    text.truncate(position.size().cells());
    text
}

/// One thing for each side.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct Sides<T> {
    black: T,
    white: T,
}

impl<T> Sides<T> {
    pub fn of(mut each: impl FnMut(Color) -> T) -> Sides<T> {
        Sides { black: each(Color::Black), white: each(Color::White) }
    }
}

/// How many discs there are.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Counts"))]
pub struct CountsAnswer {
    black: u32,
    white: u32,
    empty: u32,
}

impl From<Counts> for CountsAnswer {
    fn from(Counts { black, white, empty }: Counts) -> CountsAnswer {
        CountsAnswer { black, white, empty }
    }
}

/// What somebody thinks of a position.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Score {
    value: f64,
    text: String,
    decided: bool,
    #[serde(rename = "for")]
    side: ColorName,
}

impl Score {
    /// A score as this side sees it.
    pub fn new(value: f64, side: Color) -> Score {
        let text = Ending::spell(value);
        Score { value, text, decided: Ending::is_decided(value), side: side.into() }
    }
}

/// A square where a disc can be placed, and what it would flip.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Legal {
    square: String,
    flips: Vec<String>,
}

impl Legal {
    /// Every legal placement with its flips.
    pub fn all(position: &GridPosition) -> Vec<Legal> {
        let placements = position.placements().into_iter();
        placements
            .map(|point| Legal { square: point.to_string(), flips: squares(position.flips(point)) })
            .collect()
    }
}

/// What an opening is called, by language.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Opening"))]
pub struct OpeningAnswer {
    en: &'static str,
    ja: &'static str,
    zh: &'static str,
}

impl From<Opening> for OpeningAnswer {
    fn from(Opening { english, japanese, chinese }: Opening) -> OpeningAnswer {
        OpeningAnswer { en: english, ja: japanese, zh: chinese }
    }
}

/// The last placement, and what it flipped.
#[derive(Clone, Copy, Debug)]
pub struct Last {
    pub ply: usize,
    pub color: Color,
    pub point: Point,
    pub flips: Grid,
}

impl Last {
    /// That of these moves from this start.
    pub fn of(start: GridPosition, moves: &[Move<Point>]) -> Option<Last> {
        let mut position = start;
        let mut last = None;
        for (ply, mv) in (1..).zip(moves) {
            if let Move::Place(point) = *mv {
                let (color, flips) = (position.turn(), position.flips(point));
                last = Some(Last { ply, color, point, flips });
            }
            position = position.played(*mv);
        }
        last
    }
}

/// The same as JSON has it.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Last"))]
pub struct LastAnswer {
    ply: usize,
    color: ColorName,
    square: String,
    flips: Vec<String>,
}

impl From<Last> for LastAnswer {
    fn from(last: Last) -> LastAnswer {
        let Last { ply, color, point, flips } = last;
        LastAnswer { ply, color: color.into(), square: point.to_string(), flips: squares(flips) }
    }
}

/// Whether there is anything to do for the side to move.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
enum PositionStatus {
    ToPlace,
    MustPass,
    Over,
}

/// A position by itself.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Position"))]
pub struct PositionAnswer {
    size: u8,
    cells: String,
    turn: ColorName,
    ply: usize,
    status: PositionStatus,
    counts: CountsAnswer,
    legal: Vec<Legal>,
    last: Option<LastAnswer>,
    board: String,
    objective: ObjectiveName,
}

impl PositionAnswer {
    pub fn new(
        position: &GridPosition,
        ply: usize,
        last: Option<Last>,
        objective: Objective,
    ) -> PositionAnswer {
        PositionAnswer {
            size: position.size().get(),
            cells: cells(position),
            turn: position.turn().into(),
            ply,
            status: match position.status() {
                Status::ToPlace => PositionStatus::ToPlace,
                Status::MustPass => PositionStatus::MustPass,
                Status::Over(_) => PositionStatus::Over,
            },
            counts: position.counts().into(),
            legal: Legal::all(position),
            last: last.map(LastAnswer::from),
            board: position.to_string(),
            objective: objective.into(),
        }
    }
}

/// The parts of an evaluation, as the side to move sees them.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Breakdown {
    evaluator: &'static str,
    #[serde(rename = "for")]
    side: ColorName,
    total: f64,
    components: Vec<Component>,
}

/// One of them.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Component {
    name: &'static str,
    own: f64,
    opponent: f64,
    value: f64,
    weight: f64,
    contribution: f64,
}

impl Breakdown {
    pub fn new(evaluator: &Evaluator, position: &GridPosition) -> Breakdown {
        let parts: emilia_classic::Breakdown<Grid> = evaluator.breakdown(position, position.turn());
        let component = |part: &emilia_classic::Component| Component {
            name: part.name,
            own: part.own,
            opponent: part.opponent,
            value: part.value,
            weight: part.weight,
            contribution: part.contribution(),
        };
        Breakdown {
            evaluator: parts.evaluator,
            side: parts.side.into(),
            total: parts.total(),
            components: parts.components.iter().map(component).collect(),
        }
    }
}

/// What a search found.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Report"))]
pub struct ReportAnswer {
    best: Option<String>,
    score: Option<Score>,
    line: Vec<String>,
    nodes: u64,
    depth: u32,
    time_ms: u64,
    stopped: bool,
    solved: bool,
}

impl ReportAnswer {
    pub fn new(report: &Report, side: Color) -> ReportAnswer {
        ReportAnswer {
            best: report.best_move().map(|mv| mv.to_string()),
            score: report.value().map(|value| Score::new(value.number(), side)),
            line: moves(report.line()),
            nodes: report.nodes,
            depth: report.value_depth(),
            time_ms: report.time.as_millis() as u64,
            stopped: report.stopped,
            solved: report.is_exact(),
        }
    }
}
