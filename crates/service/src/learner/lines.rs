//! How much of an opening must be known.

use emilia_book::Book;
use emilia_record::Opening;
use emilia_rules::{GridPosition, Objective};
use emilia_trainer::{BookLines, Survey, SurveyedMove};
use serde::{Deserialize, Serialize};

use crate::answers::{OpeningAnswer, PositionAnswer};
use crate::error::ServiceError;
use crate::names::ColorName;
use crate::position::{GamePosition, Moves, PositionRequest};

/// From where on lines are counted, and where one looks.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LinesRequest {
    #[serde(default)]
    from: String,
    #[serde(default)]
    moves: String,
    color: ColorName,
    tolerance: u8,
    plies: Option<u32>,
}

/// How much must be known from a position on.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LinesAnswer {
    lines: u64,
    /// Of them, lines that end below the floor because the book knows nothing better.
    open: u64,
    /// Different positions in which the learner has to know a move.
    positions: usize,
    longest: usize,
    floor: i32,
    /// Whether it is the learner's turn.
    learner: bool,
    position: PositionAnswer,
    opening: Option<OpeningAnswer>,
    moves: Vec<LinesMove>,
}

/// A move that the book knows: what it is worth to the learner, and how much must be known after it; no lines where the
/// learner may not choose it.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct LinesMove {
    #[serde(rename = "move")]
    mv: String,
    discs: i32,
    lines: Option<u64>,
    goes_on: bool,
    advised: bool,
}

/// A request that is checked.
pub struct LinesQuestion {
    start: GridPosition,
    here: GamePosition,
    request: LinesRequest,
}

impl LinesRequest {
    /// Checks what can be checked without counting.
    pub fn read(self) -> Result<LinesQuestion, ServiceError> {
        let resolve =
            |moves: String| PositionRequest::of_start(None, None, None, Some(Moves::Text(moves))).resolve();
        let start = *resolve(self.from.clone())?.position();
        let here = resolve(format!("{} {}", self.from, self.moves))?;
        Ok(LinesQuestion { start, here, request: self })
    }
}

impl LinesQuestion {
    /// Counts.
    pub fn answer(&self) -> Result<LinesAnswer, ServiceError> {
        let LinesRequest { color, tolerance, plies, .. } = self.request;
        let book = Book::embedded();
        let lines = BookLines::new(&book, &self.start, color.into(), tolerance, plies)?;
        Ok(LinesAnswer::new(&lines.survey(self.here.position())?, &self.here))
    }
}

impl LinesAnswer {
    fn new(survey: &Survey, here: &GamePosition) -> LinesAnswer {
        let answer = |known: &SurveyedMove| LinesMove {
            mv: known.square.to_string(),
            discs: known.discs,
            lines: known.effort.map(|effort| effort.lines),
            goes_on: known.goes_on,
            advised: known.advised,
        };
        LinesAnswer {
            lines: survey.repertoire.effort.lines,
            open: survey.repertoire.effort.open,
            positions: survey.repertoire.decisions,
            longest: survey.repertoire.longest,
            floor: survey.floor,
            learner: survey.learners,
            position: PositionAnswer::new(here.position(), here.moves.len(), here.last(), Objective::Most),
            opening: Opening::of(&here.game).map(OpeningAnswer::from),
            moves: survey.moves.iter().map(answer).collect(),
        }
    }
}
