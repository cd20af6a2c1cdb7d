use std::collections::BTreeMap;

use emilia_engine::{Candidate, FileReader, Judgement, Review, ReviewedMove, Verdicts};
use emilia_query::{Fault, Query, Stop};
use emilia_record::{Game, tag};
use emilia_rules::Color;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Cut, Found, Job, Summary, candidate, joined, records};
use crate::{Done, WorkError};

/// Games whose moves are to be judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewTask {
    /// Files with games.
    pub files: Vec<String>,
    /// Who judges.
    pub player: String,
    /// Games in a unit.
    pub unit: u64,
}

pub(crate) struct ReviewJob {
    games: Vec<Game>,
    judge: Candidate,
    cut: Cut,
}

/// A game and what there is to say about it.
#[derive(Serialize)]
struct Line<'a> {
    game: u64,
    black: Option<&'a str>,
    white: Option<&'a str>,
    accuracy: BTreeMap<&'static str, f64>,
    counts: BTreeMap<&'static str, BTreeMap<&'static str, usize>>,
    moves: Vec<MoveLine>,
}

/// A move and what there is to say about it.
#[derive(Serialize)]
struct MoveLine {
    #[serde(rename = "move")]
    mv: String,
    best: Option<String>,
    loss: f64,
    judgement: &'static str,
    exact: bool,
    /// Black's prospects after it.
    discs: Option<f64>,
}

impl ReviewTask {
    pub(super) fn job(&self, read: FileReader<'_>) -> Result<ReviewJob, WorkError> {
        let judge = candidate(&self.player, read)?;
        let games = records::games(&self.files, read)?;
        let cut = Cut::new(games.len(), self.unit, "games")?;
        Ok(ReviewJob { games, judge, cut })
    }
}

impl ReviewJob {
    /// Judges every move of a game. Nothing if it was stopped.
    fn reviewed(&self, number: u64, stop: &Stop) -> Result<Option<Line<'_>>, Fault> {
        let game = &self.games[number as usize];
        // What was found in one position helps in the next, and is forgotten before the next game.
        let mut player = self.judge.player(0);
        let mut query = Query::new(*game.start());
        query.objective = Some(game.objective);
        let (mut review, mut moves) = (Review::default(), Vec::new());
        for (ply, mv) in (1..).zip(game.main_line()) {
            let judged = self.judge.judge(player.as_mut(), &query, stop)?;
            if stop.is_requested() {
                return Ok(None);
            }
            moves.push(MoveLine::new(review.add(ply, query.position(), mv, &judged)));
            if query.play(mv).is_err() {
                break;
            }
        }
        let Verdicts { accuracy, counts, .. } = review.verdicts();
        let sides = [(Color::Black, "black"), (Color::White, "white")];
        let named = |counts: &BTreeMap<Judgement, usize>| {
            counts.iter().map(|(judgement, count)| (judgement.word(), *count)).collect()
        };
        Ok(Some(Line {
            game: number,
            black: game.tags.value(tag::BLACK),
            white: game.tags.value(tag::WHITE),
            accuracy: sides.map(|(side, name)| (name, accuracy[side as usize])).into(),
            counts: sides.map(|(side, name)| (name, named(&counts[side as usize]))).into(),
            moves,
        }))
    }
}

impl MoveLine {
    fn new(reviewed: ReviewedMove) -> MoveLine {
        let ReviewedMove { mv, best, loss, judgement, exact, discs, .. } = reviewed;
        let best = best.map(|found| found.mv.to_string());
        MoveLine { mv: mv.to_string(), best, loss, judgement: judgement.word(), exact, discs }
    }
}

impl Job for ReviewJob {
    fn units(&self) -> u64 {
        self.cut.units()
    }

    fn title(&self, unit: u64) -> String {
        self.cut.title(unit, "games")
    }

    fn run(&self, unit: u64, stop: &Stop) -> Result<Option<Done>, WorkError> {
        let mut text = Vec::new();
        for number in self.cut.numbers(unit) {
            let Some(line) = self.reviewed(number, stop)? else { return Ok(None) };
            super::put_line(&mut text, &line);
        }
        Ok(Some(Done { files: vec![(format!("units/{unit:06}.jsonl"), text)], note: json!(null) }))
    }

    fn merge(&self, found: &dyn Found) -> Result<Summary, WorkError> {
        let files = vec![("reviews.jsonl".to_owned(), joined(self, found)?)];
        Ok(Summary { files, about: json!({ "games": self.games.len() }) })
    }
}
