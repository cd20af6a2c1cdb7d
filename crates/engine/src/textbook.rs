//! The textbook players: a search, an evaluator, a seed.

use std::time::Duration;

use emilia_classic::{Control, Dice, Ending, Evaluator, Genes, Method, Search, Steps, TraceLimits, Tree};
use emilia_query::{Aim, Fault, MoveReport, Query, Report, Source, Stop, Value, Watcher};
use emilia_rules::{GridPosition, Playable, Point, Setup, Size};

use crate::one_by_one::OneByOne;
use crate::spec::Settings;
use crate::{FileFault, FileReader, Player, PlayerError, clock};

/// A textbook search that plays.
pub(crate) struct TextbookPlayer {
    name: String,
    search: Search,
    dice: Dice,
}

/// Longer than anybody waits.
const FOR_EVER: Duration = Duration::from_secs(86_400);

impl TextbookPlayer {
    pub(crate) fn new(name: &str, search: Search, seed: u64) -> TextbookPlayer {
        TextbookPlayer { name: name.to_owned(), search, dice: Dice::new(seed) }
    }

    /// Every move that is asked for, valued by a search one ply less deep.
    fn judge(
        &mut self,
        search: &Search,
        query: &Query,
        stop: &Stop,
        watcher: &mut dyn Watcher,
    ) -> Result<Report, Fault> {
        let own = match search.method {
            Method::Iterative { time, .. } => Some(time),
            _ => None,
        };
        let time = own.into_iter().chain(longest(query)).min();
        let one_by_one = OneByOne { query, time, stop, watcher, source: Source::Textbook };
        one_by_one.judge(
            |over| search.finished(over),
            |next, share, watcher| {
                let Some(reply) = search.reply(share.unwrap_or(FOR_EVER)) else {
                    let moves = next.position().moves().take(1).map(MoveReport::new).collect();
                    return Ok(Report { nodes: 1, ..Report::of(moves) });
                };
                let control = Control::unlimited().stopped_by(stop).watched_by(watcher);
                let mut control = control.within(share.unwrap_or(FOR_EVER));
                Ok(reply.run(next.position(), &mut self.dice, &mut control))
            },
        )
    }
}

impl Player for TextbookPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn answer(&mut self, query: &Query, stop: &Stop, watcher: &mut dyn Watcher) -> Result<Report, Fault> {
        let search = asked(&self.search, query);
        if !query.is_plain() {
            return self.judge(&search, query, stop, watcher);
        }
        let mut control = Control::unlimited().stopped_by(stop).watched_by(watcher);
        if let Some(time) = longest(query) {
            control = control.within(time);
        }
        Ok(search.run(query.position(), &mut self.dice, &mut control))
    }
}

/// The longest that a question may be thought about.
fn longest(query: &Query) -> Option<Duration> {
    clock::longest(&query.limits, query.position().counts().empty)
}

/// The search with what the question says instead of its settings.
fn asked(search: &Search, query: &Query) -> Search {
    let ending = match query.aim {
        Some(Aim::Score) => Ending::Margin,
        Some(Aim::Outcome) => Ending::WinLossDraw,
        None => search.ending,
    };
    Search { ending, objective: query.objective.unwrap_or(search.objective), ..*search }
}

/// Answers the question and keeps the tree that was searched.
pub(crate) fn trace(
    search: &Search,
    seed: u64,
    query: &Query,
    limits: TraceLimits,
    stop: &Stop,
    watcher: &mut dyn Watcher,
) -> (Report, Tree) {
    let mut search = asked(search, query);
    let mut control = Control::unlimited().stopped_by(stop).watched_by(watcher);
    if let Some(longest) = longest(query) {
        control = control.within(longest);
        if let Method::Iterative { time, .. } = &mut search.method {
            // The tree is searched once more to be written down, so that half the time is for each.
            *time = (*time).min(longest / 2);
        }
    }
    search.trace(query.position(), limits, &mut Dice::new(seed), &mut control)
}

/// Answers the question and keeps the steps of the search, at most so many.
pub(crate) fn steps(
    search: &Search,
    seed: u64,
    query: &Query,
    most: usize,
    stop: &Stop,
    watcher: &mut dyn Watcher,
) -> (Report, Steps) {
    let mut control = Control::unlimited().stopped_by(stop).watched_by(watcher);
    if let Some(longest) = longest(query) {
        control = control.within(longest);
    }
    asked(search, query).steps(query.position(), most, &mut Dice::new(seed), &mut control)
}

/// What a corner is worth in discs, roughly, in the opinion of most players. Evaluators that count points are scaled
/// so that their corner is worth as much.
const CORNER_IN_DISCS: f64 = 10.0;

/// About how many discs a value stands for that was found with this evaluator on a board of this size.
pub(crate) fn in_discs(value: Value, evaluator: &Evaluator, size: Size) -> f64 {
    match value {
        Value::Discs(discs) => discs,
        // A sure win is worth a quarter of the board.
        Value::Games(games) => games * size.cells() as f64 / 4.0,
        Value::Points(points) if Ending::is_decided(points) => points - Ending::WIN.copysign(points),
        Value::Points(points) => points / points_per_disc(evaluator, size),
    }
}

/// How many points of this evaluator make a disc.
fn points_per_disc(evaluator: &Evaluator, size: Size) -> f64 {
    if matches!(evaluator, Evaluator::Disc) {
        return 1.0;
    }
    let start = GridPosition::start(size);
    let mut setup = Setup::from(start);
    let with_corner = Point::new(0, 0)
        .and_then(|corner| setup.put(corner, Some(start.turn())).ok())
        .and_then(|()| setup.position().ok());
    let corner = with_corner.map_or(0.0, |position| evaluator.score(&position) - evaluator.score(&start));
    if corner > 0.0 { corner / CORNER_IN_DISCS } else { 1.0 }
}

/// The search that these settings describe, and its seed.
pub(crate) fn search(settings: &Settings<'_>, read: FileReader<'_>) -> Result<(Search, u64), PlayerError> {
    let kind = settings.kind();
    let has = |name: &str| kind.setting(name).is_some();
    let depth = if has("depth") { settings.number("depth", 1, 60)? as u32 } else { 0 };
    let method = match kind.name {
        "minimax" => Method::Minimax { depth },
        "alphabeta" => Method::AlphaBeta { depth },
        "negascout" => Method::Negascout { depth },
        "iterative" => {
            let split = settings.parsed("split", yes_or_no)?;
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
    if has("transpositions") {
        search.transpositions = settings.parsed("transpositions", yes_or_no)?;
    }
    if has("goal") {
        search.objective = settings.objective("goal")?;
    }
    let seed = if has("seed") { settings.number("seed", 0, u64::MAX)? } else { 0 };
    Ok((search, seed))
}

fn yes_or_no(text: &str) -> Option<bool> {
    match text {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    }
}

fn evaluator(settings: &Settings<'_>, read: FileReader<'_>) -> Result<Evaluator, PlayerError> {
    let evaluator: Evaluator = settings.parsed("eval", |text| text.parse().ok())?;
    let weights = settings.text("weights");
    if weights.is_empty() {
        return Ok(evaluator);
    }
    match (evaluator, numbers(weights)) {
        (Evaluator::Genes(_), None) => genes_file(weights, read)
            .map(Evaluator::Genes)
            .map_err(|fault| PlayerError::File { file: weights.to_owned(), fault }),
        (_, list) => evaluator
            .with_weights(&list.unwrap_or_default())
            .map_err(|error| settings.bad_value("weights", error.into())),
    }
}

fn genes_file(file: &str, read: FileReader<'_>) -> Result<Genes, FileFault> {
    Ok(String::from_utf8(read(file)?.to_vec())?.parse::<Genes>()?)
}

/// Numbers separated by slashes; anything else is the name of a file.
fn numbers(text: &str) -> Option<Vec<f64>> {
    text.split('/').map(|number| number.trim().parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_evaluator_has_a_scale() {
        for evaluator in Evaluator::all() {
            let points = points_per_disc(&evaluator, Size::EIGHT);
            assert!(points > 0.0 && points.is_finite(), "{evaluator}");
        }
        let discs = |value| in_discs(value, &Evaluator::Disc, Size::EIGHT);
        assert_eq!(discs(Value::Points(3.0)), 3.0);
        assert_eq!(discs(Value::Points(Ending::WIN + 12.0)), 12.0);
        assert_eq!(discs(Value::Games(-1.0)), -16.0);
    }
}
