//! Judging the moves of a game, as it is told: one JSON object a line.

use std::collections::BTreeMap;
use std::time::Duration;

use emilia_engine::{Candidate, Judged, Judgement, Review, ReviewedMove, Verdicts};
use emilia_insight::Explanation;
use emilia_query::{Aim, Limits, MoveReport, Query, Selectivity, Stop};
use emilia_rules::{Color, GridPosition, Objective, Playable, SquareSet};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::answers::{self, Score, Sides};
use crate::catalogue;
use crate::clock::Instant;
use crate::computer::Computer;
use crate::error::ServiceError;
use crate::lines::Lines;
use crate::names::ColorName;
use crate::position::{AboutPosition, GamePosition};
use crate::slot::Slot;
use crate::why::Why;

/// Who is to judge a game, and how long.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReviewRequest {
    player: Option<String>,
    time_ms: Option<u64>,
}

/// Time for each move on average, usually and at most: a long game is reviewed within 20 s.
const USUAL: u64 = 300;
const LONGEST: u64 = 10_000;
/// How many times as long a move that looks bad may be searched again, and how many plies deeper. In 91 positions of
/// tournament games (docs/insights.md) one search of level 12 marked 28 moves, of which 5 lost a disc at most by level 18;
/// of the 22 that a deeper one marked too, none.
const AGAIN: u32 = 8;
const DEEPER: u32 = 2;
/// Empty squares with which every move is proven within the time of a second search; with more it must do to be surer.
const PROVEN: u32 = 20;
/// Who judges unless somebody else is named.
const JUDGE: &str = "emilia:level=12";

/// A request that is checked.
pub struct GameReview {
    line: GamePosition,
    name: String,
    candidate: Candidate,
    time: Duration,
}

impl GameReview {
    /// Reads and checks a request.
    pub fn read(fields: Map<String, Value>) -> Result<GameReview, ServiceError> {
        let AboutPosition { position, request } = AboutPosition::<ReviewRequest>::read(fields)?;
        let line = position.resolve()?;
        let name = request.player.unwrap_or_else(|| JUDGE.to_owned());
        let candidate = catalogue::candidate(&name)?;
        let time = Duration::from_millis(request.time_ms.unwrap_or(USUAL).clamp(1, LONGEST));
        Ok(GameReview { line, name, candidate, time })
    }

    /// Who judges.
    #[must_use]
    pub fn candidate(&self) -> &Candidate {
        &self.candidate
    }

    /// Judges every move of the game, as long as nobody stops it.
    pub fn run(self, mut judge: Judge, lines: &dyn Lines, stop: &Stop, slot: &dyn Slot) {
        let moves = &self.line.moves;
        lines.write(&ReviewEvent::start(moves.len(), self.name));
        let mut review = Review::default();
        let mut query = Query::new(self.line.start);
        query.objective = Some(self.line.game.objective);
        let mut deadline = Instant::now() + self.time * moves.len() as u32;
        for (ply, mv) in (1..).zip(moves) {
            // What easy moves leave over is for the hard ones: twice the average if there is so much.
            let left = deadline.saturating_duration_since(Instant::now());
            let share = left / (moves.len() + 1 - ply) as u32 * 2;
            let judged = judge.judge(query.clone().within(Limits::time(share.min(left))), stop, slot);
            slot.yield_now();
            let again = Review::is_doubtful(*mv, &judged).then(|| {
                let began = Instant::now();
                let found = judge.judge_again(&query, &judged, self.time * AGAIN, stop, slot);
                // It has time of its own.
                deadline += began.elapsed();
                found
            });
            slot.yield_now();
            if stop.is_requested() {
                return;
            }
            let reviewed = match again {
                None => review.add(ply, query.position(), *mv, &judged),
                Some(Some(deeper)) => review.add(ply, query.position(), *mv, &deeper),
                Some(None) => review.add_unconfirmed(ply, query.position(), *mv, &judged),
            };
            lines.write(&ReviewEvent::of_move(query.position(), self.line.game.objective, reviewed));
            if query.play(*mv).is_err() {
                return;
            }
        }
        lines.write(&ReviewEvent::summary(&review));
    }
}

/// A player of the catalogue as a reviewer.
pub struct Judge {
    candidate: Candidate,
    /// What it remembers from one position of the game to the next.
    computer: Computer,
}

impl Judge {
    /// This candidate, who thinks as this computer.
    #[must_use]
    pub fn new(candidate: Candidate, computer: Computer) -> Judge {
        Judge { candidate, computer }
    }

    /// Every legal move, the best first, each with its worth in discs for the side that makes it. Finished games count
    /// by their discs, whatever the player cares for.
    pub fn judge(&mut self, mut query: Query, stop: &Stop, slot: &dyn Slot) -> Vec<Judged> {
        let size = query.position().size();
        query.aim = Some(Aim::Score);
        self.candidate.in_worth(self.computer.judge(query, stop, slot), size)
    }

    /// The same, deeper than before, or surer where that has looked to the end already; nothing if there was no time for that.
    /// Textbook players look as far as their names say, and what they found stands.
    fn judge_again(
        &mut self,
        query: &Query,
        before: &[Judged],
        time: Duration,
        stop: &Stop,
        slot: &dyn Slot,
    ) -> Option<Vec<Judged>> {
        if self.candidate.is_textbook() {
            return Some(before.to_vec());
        }
        let (first, _) = before.first()?;
        let empties = query.position().empties().count();
        let selectivity = match first.selectivity {
            Some(_) if first.depth >= empties && empties <= PROVEN => Some(Selectivity::Certain),
            Some(sure) if first.depth >= empties => {
                Selectivity::ALL.into_iter().find(|step| *step > sure.max(Selectivity::Fair))
            }
            unchanged => unchanged,
        };
        let limits = Limits { depth: Some(first.depth + DEEPER), selectivity, ..Limits::time(time) };
        let deeper = self.judge(query.clone().within(limits), stop, slot);
        let is_deeper = |(found, _): &Judged| {
            let surer = found.depth >= first.depth && found.selectivity > first.selectivity;
            found.exact || found.depth > first.depth || surer
        };
        deeper.first().is_some_and(is_deeper).then_some(deeper)
    }
}

/// How bad a move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Judgement"))]
pub enum JudgementName {
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Thresholds {
    best: f64,
    good: f64,
    inaccuracy: f64,
    mistake: f64,
}

/// What is told, one object a line.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum ReviewEvent {
    Start { plies: usize, player: String, thresholds: Thresholds },
    Move(Box<JudgedMove>),
    Summary(Summary),
}

impl ReviewEvent {
    pub fn start(plies: usize, player: String) -> ReviewEvent {
        let [best, good, inaccuracy, mistake] = Judgement::LIMITS;
        ReviewEvent::Start { plies, player, thresholds: Thresholds { best, good, inaccuracy, mistake } }
    }

    /// A move that was made in this position.
    pub fn of_move(position: &GridPosition, objective: Objective, reviewed: ReviewedMove) -> ReviewEvent {
        let why = Explanation::of_review(position, objective, &reviewed);
        let depth = reviewed.depth();
        let ReviewedMove { ply, side, mv, played, best, loss, judgement, exact, lesson, discs } = reviewed;
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
            depth,
            forced: judgement == Judgement::Forced,
            lesson,
            discs,
            why: why.map(|explained| Why::new(position, &explained)),
        }))
    }

    /// What there is to say about the whole game.
    pub fn summary(review: &Review) -> ReviewEvent {
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JudgedMove {
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
    /// Plies that the search looked ahead.
    depth: u32,
    forced: bool,
    /// Whether it is a mistake with one clear answer, to be learned from.
    lesson: bool,
    discs: Option<f64>,
    /// Why it is bad, if it is.
    why: Option<Why>,
}

/// What there is to say about the whole game.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Summary {
    accuracy: Sides<f64>,
    counts: Sides<BTreeMap<JudgementName, usize>>,
    turning_points: Vec<TurningPoint>,
}

/// A move that cost much.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct TurningPoint {
    ply: usize,
    color: ColorName,
    #[serde(rename = "move")]
    mv: String,
    loss: f64,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::lines::Heard;
    use crate::slot::Alone;

    /// World Championship 1988, Maccheroni – Aas, before move 47: with fourteen empty squares level 12 looks to the end, but
    /// leaves things out.
    const BEFORE_47: &str = "O-XXXXXXOOXXXXX-OOOXOXO-XOOOXOO-XXXOOOO-OXXOOOOO--XXXX---OXX---- X";

    #[test]
    fn who_has_looked_to_the_end_with_doubt_looks_again_without() {
        let fields = json!({"position": BEFORE_47, "moves": "h2", "player": "emilia:level=12"});
        let Value::Object(fields) = fields else { unreachable!() };
        let review = GameReview::read(fields).unwrap();
        let candidate = review.candidate().clone();
        let judge = Judge::new(candidate.clone(), Computer::new(&candidate, 0));
        let heard = Heard::default();
        review.run(judge, &heard, &Stop::default(), &Alone);
        let told = &heard.lines()[1];
        assert_eq!((told["loss"].as_f64(), told["mark"].as_str()), (Some(12.0), Some("??")), "{told}");
        assert_eq!(told["exact"], true);
    }
}
