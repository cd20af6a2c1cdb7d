//! A position taken apart: what is legal, what each move is worth, what the board looks like to a player.

use std::time::Duration;

use emilia_engine::Candidate;
use emilia_query::{Limits, MoveReport, Query, Report, Stop};
use emilia_record::Opening;
use emilia_rules::{Color, Move, Playable};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::answers::{self, Breakdown, OpeningAnswer, PositionAnswer, Score};
use crate::catalogue;
use crate::computer::Computer;
use crate::error::ServiceError;
use crate::names::ColorName;
use crate::overlays::Overlays;
use crate::position::{AboutPosition, GamePosition};
use crate::slot::Slot;

/// What is wanted of a position.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnalyseRequest {
    player: Option<String>,
    time_ms: Option<u64>,
    #[serde(default)]
    overlays: bool,
}

/// Longest and usual time for all moves together.
const LONGEST: u64 = 30_000;
const USUAL: u64 = 1000;

/// A request that is checked.
pub struct Analyse {
    line: GamePosition,
    request: AnalyseRequest,
    candidate: Option<Candidate>,
}

impl Analyse {
    /// Reads and checks a request.
    pub fn read(fields: Map<String, Value>) -> Result<Analyse, ServiceError> {
        let AboutPosition { position, request } = AboutPosition::<AnalyseRequest>::read(fields)?;
        let line = position.resolve()?;
        let candidate = request.player.as_deref().map(catalogue::candidate).transpose()?;
        Ok(Analyse { line, request, candidate })
    }

    /// Who is to judge the moves, if anybody is.
    #[must_use]
    pub fn candidate(&self) -> Option<&Candidate> {
        self.candidate.as_ref()
    }

    /// The position without anybody's judgement.
    #[must_use]
    pub fn plain(&self) -> Analysis {
        let (line, position) = (&self.line, self.line.position());
        let evaluator = self.candidate.as_ref().and_then(Candidate::evaluator);
        Analysis {
            position: PositionAnswer::new(position, line.moves.len(), line.last(), line.game.objective),
            moves: moves(line),
            opening: Opening::of(&line.game).map(OpeningAnswer::from),
            player: self.request.player.clone(),
            evaluations: Vec::new(),
            breakdown: evaluator.map(|evaluator| Breakdown::new(evaluator, position)),
            overlays: self.request.overlays.then(|| Overlays::new(position)),
        }
    }

    /// The position with the judgement of the player that was asked for.
    pub fn judged(&self, computer: &mut Computer, stop: &Stop, slot: &dyn Slot) -> Analysis {
        let mut analysis = self.plain();
        let time = Duration::from_millis(self.request.time_ms.unwrap_or(USUAL).clamp(1, LONGEST));
        let mut query = Query::new(*self.line.position()).within(Limits::time(time));
        query.objective = Some(self.line.game.objective);
        let report = computer.judge(query, stop, slot);
        let ranked = (1..).zip(&report.moves);
        let turn = self.line.position().turn();
        let answer = |(rank, found)| EvaluationAnswer::new(rank, found, &report, turn);
        analysis.evaluations = ranked.map(answer).collect();
        analysis
    }
}

/// A position taken apart.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Analysis {
    position: PositionAnswer,
    moves: Vec<LineMove>,
    opening: Option<OpeningAnswer>,
    player: Option<String>,
    evaluations: Vec<EvaluationAnswer>,
    breakdown: Option<Breakdown>,
    overlays: Option<Overlays>,
}

/// A move of the line that led to the position.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct LineMove {
    ply: usize,
    color: ColorName,
    #[serde(rename = "move")]
    mv: String,
}

/// What a move is worth.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Evaluation"))]
struct EvaluationAnswer {
    #[serde(rename = "move")]
    mv: String,
    rank: u32,
    score: Option<Score>,
    depth: u32,
    nodes: u64,
    time_ms: u64,
    line: Vec<String>,
    solved: bool,
    stopped: bool,
}

impl EvaluationAnswer {
    /// Nodes and time are those of all moves together.
    fn new(rank: u32, found: &MoveReport, report: &Report, side: Color) -> EvaluationAnswer {
        EvaluationAnswer {
            mv: found.mv.to_string(),
            rank,
            score: found.value.map(|value| Score::new(value.number(), side)),
            depth: found.depth,
            nodes: report.nodes,
            time_ms: report.time.as_millis() as u64,
            line: answers::moves(&found.line),
            solved: found.exact,
            stopped: report.stopped && !found.exact,
        }
    }
}

fn moves(line: &GamePosition) -> Vec<LineMove> {
    let first = line.start.turn();
    let answer = |(index, mv): (usize, &Move<_>)| {
        let side = if index.is_multiple_of(2) { first } else { !first };
        LineMove { ply: index + 1, color: side.into(), mv: mv.to_string() }
    };
    line.moves.iter().enumerate().map(answer).collect()
}
