//! Judging the moves of a game, as it is told: one JSON object a line.

use std::collections::BTreeMap;

use emilia_engine::{Candidate, Judged, Judgement, Review, ReviewedMove, Verdicts};
use emilia_query::{Aim, MoveReport, Query, Stop};
use emilia_rules::{Color, GridPosition, Playable};
use serde::Serialize;

use crate::answers::{self, Score, Sides};
use crate::computer::Computer;
use crate::error::ApiError;
use crate::names::ColorName;
use crate::player_cache::PlayerCache;
use crate::pool::Slot;

/// A player of the catalogue as a reviewer.
pub(crate) struct Judge {
    candidate: Candidate,
    /// What it remembers from one position of the game to the next.
    computer: Computer,
}

impl Judge {
    pub(crate) fn new(candidate: Candidate, players: &PlayerCache) -> Result<Judge, ApiError> {
        let computer = players.fresh(&candidate, 0)?;
        Ok(Judge { candidate, computer })
    }

    /// Every legal move, the best first, each with its worth in discs for the side that makes it. Finished games count
    /// by their discs, whatever the player cares for.
    pub(crate) fn judge(&mut self, mut query: Query, stop: &Stop, slot: &Slot<'_>) -> Vec<Judged> {
        let size = query.position().size();
        query.aim = Some(Aim::Score);
        self.candidate.in_worth(self.computer.judge(query, stop, slot), size)
    }
}

/// How bad a move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "Judgement"))]
pub(crate) enum JudgementName {
    Best,
    Good,
    Inaccuracy,
    Mistake,
    Blunder,
    /// The only move, or a pass.
    Forced,
}

impl From<Judgement> for JudgementName {
    fn from(judgement: Judgement) -> JudgementName {
        match judgement {
            Judgement::Best => JudgementName::Best,
            Judgement::Good => JudgementName::Good,
            Judgement::Inaccuracy => JudgementName::Inaccuracy,
            Judgement::Mistake => JudgementName::Mistake,
            Judgement::Blunder => JudgementName::Blunder,
            Judgement::Forced => JudgementName::Forced,
        }
    }
}

/// The limits between judgements, for those who read them.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Thresholds {
    best: f64,
    good: f64,
    inaccuracy: f64,
    mistake: f64,
}

/// What is told, one object a line.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) enum ReviewEvent {
    Start { plies: usize, player: String, thresholds: Thresholds },
    Move(Box<JudgedMove>),
    Summary(Summary),
}

impl ReviewEvent {
    pub(crate) fn start(plies: usize, player: String) -> ReviewEvent {
        let [best, good, inaccuracy, mistake] = Judgement::LIMITS;
        ReviewEvent::Start { plies, player, thresholds: Thresholds { best, good, inaccuracy, mistake } }
    }

    /// A move that was made in this position.
    pub(crate) fn of_move(position: &GridPosition, reviewed: ReviewedMove) -> ReviewEvent {
        let ReviewedMove { ply, side, mv, played, best, loss, judgement, exact, discs } = reviewed;
        let score = |found: &Option<MoveReport>| {
            let value = found.as_ref().and_then(|found| found.value);
            value.map(|value| Score::new(value.number(), side))
        };
        ReviewEvent::Move(Box::new(JudgedMove {
            ply,
            color: side.into(),
            mv: mv.to_string(),
            cells: answers::cells(&position.played(mv)),
            score: score(&played),
            best: best.as_ref().map(|found| found.mv.to_string()),
            best_score: score(&best),
            line: best.as_ref().map_or_else(Vec::new, |found| answers::moves(&found.line)),
            loss,
            judgement: judgement.into(),
            mark: judgement.mark(),
            exact,
            forced: judgement == Judgement::Forced,
            discs,
        }))
    }

    /// What there is to say about the whole game.
    pub(crate) fn summary(review: &Review) -> ReviewEvent {
        let Verdicts { accuracy, counts, turning_points } = review.verdicts();
        let named = |side: Color| {
            let counts = &counts[side as usize];
            counts.iter().map(|(judgement, count)| ((*judgement).into(), *count)).collect()
        };
        let turning_point = |point: emilia_engine::TurningPoint| TurningPoint {
            ply: point.ply,
            color: point.side.into(),
            mv: point.mv.to_string(),
            loss: point.loss,
        };
        ReviewEvent::Summary(Summary {
            accuracy: Sides::of(|side| accuracy[side as usize]),
            counts: Sides::of(named),
            turning_points: turning_points.into_iter().map(turning_point).collect(),
        })
    }
}

/// A move that was made, and what there is to say about it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct JudgedMove {
    ply: usize,
    color: ColorName,
    #[serde(rename = "move")]
    mv: String,
    cells: String,
    score: Option<Score>,
    best: Option<String>,
    best_score: Option<Score>,
    line: Vec<String>,
    loss: f64,
    judgement: JudgementName,
    mark: &'static str,
    exact: bool,
    forced: bool,
    discs: Option<f64>,
}

/// What there is to say about the whole game.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Summary {
    accuracy: Sides<f64>,
    counts: Sides<BTreeMap<JudgementName, usize>>,
    turning_points: Vec<TurningPoint>,
}

/// A move that cost much.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct TurningPoint {
    ply: usize,
    color: ColorName,
    #[serde(rename = "move")]
    mv: String,
    loss: f64,
}
