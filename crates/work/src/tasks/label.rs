use emilia_engine::{Candidate, FileReader};
use emilia_query::{MoveReport, Query, Report, Stop, Value};
use emilia_record::board;
use emilia_rules::{GridPosition, Move, Playable};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Cut, Found, Job, Summary, candidate, joined, records};
use crate::{Done, WorkError};

/// Positions to be judged, each on its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LabelTask {
    /// Files with positions or games.
    pub files: Vec<String>,
    /// Whether every position of a game is meant, not only its last.
    pub every: bool,
    /// Who judges.
    pub player: String,
    /// Positions in a unit.
    pub unit: u64,
}

pub(crate) struct LabelJob {
    positions: Vec<GridPosition>,
    judge: Candidate,
    cut: Cut,
}

/// A position and what the judge says about it.
#[derive(Serialize)]
struct Line {
    position: String,
    empties: u32,
    #[serde(rename = "move")]
    mv: Option<String>,
    value: Option<f64>,
    of: Option<&'static str>,
    exact: bool,
    depth: u32,
    nodes: u64,
    line: Vec<String>,
}

impl LabelTask {
    pub(super) fn job(&self, read: FileReader<'_>) -> Result<LabelJob, WorkError> {
        let judge = candidate(&self.player, read)?;
        let positions = records::positions(&self.files, self.every, read)?;
        let cut = Cut::new(positions.len(), self.unit, "positions")?;
        Ok(LabelJob { positions, judge, cut })
    }
}

impl Line {
    fn new(position: &GridPosition, report: &Report) -> Line {
        let value = report.value();
        Line {
            position: board::write(position),
            empties: position.counts().empty,
            mv: report.best_move().map(|mv| mv.to_string()),
            value: value.map(Value::number),
            of: value.map(Value::unit),
            exact: report.best().is_some_and(|best: &MoveReport| best.exact),
            depth: report.depth,
            nodes: report.nodes,
            line: report.line().iter().map(Move::to_string).collect(),
        }
    }
}

impl Job for LabelJob {
    fn units(&self) -> u64 {
        self.cut.units()
    }

    fn title(&self, unit: u64) -> String {
        self.cut.title(unit, "positions")
    }

    fn run(&self, unit: u64, stop: &Stop) -> Result<Option<Done>, WorkError> {
        let mut player = self.judge.player(0);
        let mut text = Vec::new();
        for number in self.cut.numbers(unit) {
            let position = &self.positions[number as usize];
            // Nothing is known from the position before, so that it does not matter which that was.
            player.forget();
            let report = player.answer(&Query::new(*position), stop, &mut ())?;
            if stop.is_requested() {
                return Ok(None);
            }
            super::put_line(&mut text, &Line::new(position, &report));
        }
        Ok(Some(Done { files: vec![(format!("units/{unit:06}.jsonl"), text)], note: json!(null) }))
    }

    fn merge(&self, found: &dyn Found) -> Result<Summary, WorkError> {
        let files = vec![("labels.jsonl".to_owned(), joined(self, found)?)];
        Ok(Summary { files, about: json!({ "positions": self.positions.len() }) })
    }
}
