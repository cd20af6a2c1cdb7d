//! The textbook players: a search, an evaluator, a seed.

use std::fmt::Display;

use emilia_classic::{Control, Dice, Evaluator, Genes, Method, PaperWeights, Search};
use emilia_rules::{GridPosition, Playable};

use crate::spec::Settings;
use crate::{Bounds, Decision, Fault, FileReader, Player, PlayerError, Progress};

/// A textbook search that plays.
pub(crate) struct ClassicPlayer {
    name: String,
    search: Search,
    dice: Dice,
}

impl ClassicPlayer {
    pub(crate) fn new(name: &str, search: Search, seed: u64) -> ClassicPlayer {
        ClassicPlayer { name: name.to_owned(), search, dice: Dice::new(seed) }
    }
}

impl Player for ClassicPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn think(&mut self, position: &GridPosition, bounds: Bounds<'_>) -> Result<Option<Decision>, Fault> {
        let time = bounds.longest(position.counts().empty);
        let Bounds { stop, watch, .. } = bounds;
        let mut tell = |progress: &emilia_classic::Progress| {
            watch(&Progress {
                depth: progress.completed_depth,
                greatest_depth: progress.greatest_depth,
                nodes: progress.nodes,
                time: progress.time,
                score: progress.score,
                line: progress.best.into_iter().collect(),
            })
        };
        let mut control = Control::unlimited().stopped_by(stop.flag()).watched_by(&mut tell);
        if let Some(time) = time {
            control = control.within(time);
        }
        let report = self.search.run(position, &mut self.dice, &mut control);
        Ok(report.best.map(|mv| Decision {
            mv,
            score: report.score,
            nodes: report.nodes,
            depth: report.completed_depth,
            greatest_depth: report.greatest_depth,
            exact: report.solved,
            time: report.time,
            line: report.line,
        }))
    }
}

/// The search that these settings describe, and its seed.
pub(crate) fn search(settings: &Settings<'_>, read: FileReader<'_>) -> Result<(Search, u64), PlayerError> {
    let kind = settings.kind();
    let has = |name: &str| kind.setting(name).is_some();
    let depth = if has("depth") { settings.number("depth", 1, 60)? as u32 } else { 0 };
    let method = match kind.name {
        "minimax" => Method::Minimax { depth },
        "alphabeta" => Method::AlphaBeta { depth },
        "iterative" => {
            let split = settings.parsed("split", |text| match text {
                "yes" => Some(true),
                "no" => Some(false),
                _ => None,
            })?;
            Method::Iterative { time: settings.time("time")?, depth, split }
        }
        "beam" => Method::Beam { depth, width: settings.number("width", 1, 60)? as u32 },
        "mcts" => {
            let playouts = settings.number("playouts", 1, 100_000_000)? as u32;
            let exploration = settings.decimal("exploration", 0.0, 100.0)?;
            Method::Mcts { playouts, exploration }
        }
        "random" => Method::Random,
        "first" => Method::First,
        _ => Method::Greedy,
    };
    let mut search = Search::new(method);
    if has("eval") {
        search.evaluator = evaluator(settings, read)?;
        search.order = settings.parsed("order", |text| text.parse().ok())?;
        search.ending = settings.parsed("end", |text| text.parse().ok())?;
    }
    if has("goal") {
        search.objective = settings.objective("goal")?;
    }
    let seed = if has("seed") { settings.number("seed", 0, u64::MAX)? } else { 0 };
    Ok((search, seed))
}

fn evaluator(settings: &Settings<'_>, read: FileReader<'_>) -> Result<Evaluator, PlayerError> {
    let evaluator: Evaluator = settings.parsed("eval", |text| text.parse().ok())?;
    let weights = settings.text("weights");
    if weights.is_empty() {
        return Ok(evaluator);
    }
    let wrong = |error: &dyn Display| settings.bad_value("weights", error.to_string());
    match evaluator {
        Evaluator::Genes(_) => Ok(Evaluator::Genes(match numbers(weights) {
            Some(list) => {
                let list = list.try_into().map_err(|_| wrong(&"six numbers are needed (d/p/f/c/l/m)"))?;
                Genes::new(list).map_err(|error| wrong(&error))?
            }
            None => genes_file(weights, read)?,
        })),
        Evaluator::Paper(_) => {
            let list = numbers(weights).unwrap_or_default();
            let [parity, mobility, corners, stability] = list[..] else {
                return Err(wrong(&"four numbers are needed (parity/mobility/corners/stability)"));
            };
            let weights = PaperWeights::new(parity, mobility, corners, stability);
            Ok(Evaluator::Paper(weights.map_err(|error| wrong(&error))?))
        }
        _ => Err(wrong(&format!("{evaluator} has no weights to set, only genes and paper have"))),
    }
}

fn genes_file(file: &str, read: FileReader<'_>) -> Result<Genes, PlayerError> {
    let failed = |reason: String| PlayerError::File { file: file.to_owned(), reason };
    let bytes = read(file).map_err(|error| failed(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| failed("this is no text".to_owned()))?;
    text.parse::<Genes>().map_err(|error| failed(error.to_string()))
}

/// Numbers separated by slashes; anything else is the name of a file.
fn numbers(text: &str) -> Option<Vec<f64>> {
    text.split('/').map(|number| number.trim().parse().ok()).collect()
}
