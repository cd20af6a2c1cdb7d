//! Judging the moves of a game: how many discs each gave away.

use std::collections::BTreeMap;

use emilia_engine::Candidate;
use emilia_query::{Aim, MoveReport, Query, Stop};
use emilia_rules::{Color, GridPosition, Move, Playable, Point};
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
    pub(crate) fn judge(
        &mut self,
        mut query: Query,
        stop: &Stop,
        slot: &Slot<'_>,
    ) -> Vec<(MoveReport, Option<f64>)> {
        let size = query.position().size();
        query.aim = Some(Aim::Score);
        let found = self.computer.judge(query, stop, slot).moves.into_iter();
        found
            .map(|found| {
                let discs = found.value.map(|value| self.candidate.in_discs(value, size));
                (found, discs)
            })
            .collect()
    }
}

/// How bad a move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) enum Judgement {
    Best,
    Good,
    Inaccuracy,
    Mistake,
    Blunder,
    /// The only move, or a pass.
    Forced,
}

/// Most discs that a good move, an inaccuracy, a mistake may lose.
const GOOD: f64 = 2.0;
const INACCURACY: f64 = 4.0;
const MISTAKE: f64 = 8.0;
/// Mean loss at which accuracy has fallen to 37 %.
const ACCURACY_SCALE: f64 = 10.0;
/// How many turning points are named.
const TURNING_POINTS: usize = 5;

impl Judgement {
    const ALL: [Judgement; 6] = [
        Judgement::Best,
        Judgement::Good,
        Judgement::Inaccuracy,
        Judgement::Mistake,
        Judgement::Blunder,
        Judgement::Forced,
    ];

    pub(crate) fn of_loss(loss: f64) -> Judgement {
        match loss {
            loss if loss <= 0.0 => Judgement::Best,
            loss if loss <= GOOD => Judgement::Good,
            loss if loss <= INACCURACY => Judgement::Inaccuracy,
            loss if loss <= MISTAKE => Judgement::Mistake,
            _ => Judgement::Blunder,
        }
    }

    fn mark(self) -> &'static str {
        match self {
            Judgement::Inaccuracy => "?!",
            Judgement::Mistake => "?",
            Judgement::Blunder => "??",
            _ => "",
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

impl Thresholds {
    const USUAL: Thresholds = Thresholds { best: 0.0, good: GOOD, inaccuracy: INACCURACY, mistake: MISTAKE };
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
        ReviewEvent::Start { plies, player, thresholds: Thresholds::USUAL }
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
    judgement: Judgement,
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
    counts: Sides<BTreeMap<Judgement, usize>>,
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

/// A game being reviewed, move by move.
#[derive(Default)]
pub(crate) struct Review {
    judged: Vec<(usize, Color, Move<Point>, Judgement, f64)>,
    /// Black's prospects after the last move, in discs.
    discs: Option<f64>,
}

impl Review {
    /// Judges the move that was made in this position, and tells about it.
    pub(crate) fn add(
        &mut self,
        ply: usize,
        position: &GridPosition,
        mv: Move<Point>,
        judged: &[(MoveReport, Option<f64>)],
    ) -> ReviewEvent {
        let side = position.turn();
        let played = judged.iter().find(|(found, _)| found.mv == mv);
        let best = judged.first();
        let forced = judged.len() <= 1;
        let worth = |move_: Option<&(MoveReport, Option<f64>)>| move_.and_then(|(_, discs)| *discs);
        let loss = match (worth(best), worth(played)) {
            (Some(best), Some(played)) => (best - played).max(0.0),
            _ => 0.0,
        };
        let judgement = if forced { Judgement::Forced } else { Judgement::of_loss(loss) };
        if let Some(discs) = worth(played) {
            self.discs = Some(if side == Color::Black { discs } else { 0.0 - discs });
        }
        self.judged.push((ply, side, mv, judgement, loss));
        let score = |move_: Option<&(MoveReport, Option<f64>)>| {
            move_.and_then(|(found, _)| found.value).map(|value| Score::new(value.number(), side))
        };
        let after = position.played(mv);
        ReviewEvent::Move(Box::new(JudgedMove {
            ply,
            color: side.into(),
            mv: mv.to_string(),
            cells: answers::cells(&after),
            score: score(played),
            best: best.map(|(found, _)| found.mv.to_string()),
            best_score: score(best),
            line: best.map_or_else(Vec::new, |(found, _)| answers::moves(&found.line)),
            loss,
            judgement,
            mark: judgement.mark(),
            exact: played.is_some_and(|(found, _)| found.exact) && best.is_some_and(|(found, _)| found.exact),
            forced,
            discs: self.discs,
        }))
    }

    /// What there is to say about the whole game.
    pub(crate) fn summary(&self) -> ReviewEvent {
        let count =
            |side: Color, judgement: Judgement| self.of(side).filter(|judged| judged.3 == judgement).count();
        let counts = |side: Color| {
            Judgement::ALL.into_iter().map(|judgement| (judgement, count(side, judgement))).collect()
        };
        let mut turning: Vec<_> = self.judged.iter().filter(|judged| judged.4 > INACCURACY).collect();
        turning.sort_by(|a, b| b.4.total_cmp(&a.4));
        turning.truncate(TURNING_POINTS);
        turning.sort_by_key(|judged| judged.0);
        let turning_point = |(ply, side, mv, _, loss): &(usize, Color, Move<Point>, Judgement, f64)| {
            TurningPoint { ply: *ply, color: (*side).into(), mv: mv.to_string(), loss: *loss }
        };
        ReviewEvent::Summary(Summary {
            accuracy: Sides::of(|side| self.accuracy(side)),
            counts: Sides::of(counts),
            turning_points: turning.into_iter().map(turning_point).collect(),
        })
    }

    fn of(&self, side: Color) -> impl Iterator<Item = &(usize, Color, Move<Point>, Judgement, f64)> {
        self.judged.iter().filter(move |(_, color, ..)| *color == side)
    }

    fn accuracy(&self, side: Color) -> f64 {
        let judged = self.of(side).filter(|judged| judged.3 != Judgement::Forced);
        let losses: Vec<f64> = judged.map(|judged| judged.4).collect();
        if losses.is_empty() {
            return 100.0;
        }
        let mean = losses.iter().sum::<f64>() / losses.len() as f64;
        (1000.0 * (-mean / ACCURACY_SCALE).exp()).round() / 10.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_judged_by_the_documented_limits() {
        use Judgement::*;
        let judged = [0.0, 2.0, 2.1, 4.0, 8.0, 8.1].map(Judgement::of_loss);
        assert_eq!(judged, [Best, Good, Inaccuracy, Inaccuracy, Mistake, Blunder]);
    }
}
