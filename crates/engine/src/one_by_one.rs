//! Several moves judged by any player: each by what it finds in the position after it.

use std::time::Duration;

use emilia_query::{Fault, MoveReport, Query, Report, Source, Stop, Value, Watcher};
use emilia_rules::{Color, GridPosition, Objective, Playable};
use web_time::Instant;

/// The moves of a question, to be judged one after the other.
pub(crate) struct OneByOne<'a> {
    pub(crate) query: &'a Query,
    /// For all moves together; what earlier ones leave over is shared by the later ones.
    pub(crate) time: Option<Duration>,
    pub(crate) stop: &'a Stop,
    pub(crate) watcher: &'a mut dyn Watcher,
    pub(crate) source: Source,
}

impl OneByOne<'_> {
    /// Judges each move: by what the finished game is worth to the side whose turn it would be, or by what is found
    /// in the position after it within some time. Whoever finds it tells a watcher, as if it were asked by itself.
    pub(crate) fn judge(
        self,
        finished: impl Fn(&GridPosition) -> Value,
        mut reply: impl FnMut(&Query, Option<Duration>, &mut dyn Watcher) -> Result<Report, Fault>,
    ) -> Result<Report, Fault> {
        let OneByOne { query, time, stop, watcher, source } = self;
        let began = Instant::now();
        let candidates = query.candidates();
        let mut report = Report { source, ..Report::default() };
        for (number, mv) in candidates.iter().enumerate() {
            let mut next = query.clone().with_lines(1);
            next.among = None;
            if next.play(*mv).is_err() {
                continue;
            }
            let found = if next.position().is_over() {
                report.nodes += 1;
                let value = Some(finished(next.position()).negated());
                MoveReport { value, depth: 1, exact: true, ..MoveReport::new(*mv) }
            } else {
                let left = time.map(|time| time.saturating_sub(began.elapsed()));
                let share = left.map(|left| left / (candidates.len() - number) as u32);
                let mut on_the_way = |answer: &Report| {
                    let (nodes, time) = (report.nodes + answer.nodes, began.elapsed());
                    watcher.report(&Report { nodes, time, ..report.clone() })
                };
                let answer = reply(&next, share, &mut on_the_way)?;
                report.nodes += answer.nodes;
                report.stopped |= answer.stopped;
                report.greatest_depth = report.greatest_depth.max(answer.greatest_depth + 1);
                let Some(best) = answer.best() else { break };
                MoveReport::answered_by(*mv, best)
            };
            report.depth = if report.moves.is_empty() { found.depth } else { report.depth.min(found.depth) };
            report.greatest_depth = report.greatest_depth.max(found.depth);
            report.moves.push(found);
            report.sort();
            report.time = began.elapsed();
            if watcher.report(&report).is_break() || stop.is_requested() {
                report.stopped |= number + 1 < candidates.len();
                break;
            }
        }
        report.moves.truncate(query.lines.max(1));
        Ok(report)
    }
}

/// What a finished game is worth in discs to the side whose turn it would be, empty squares to the winner.
pub(crate) fn finished_in_discs(over: &GridPosition, objective: Objective) -> Value {
    let margin = Value::Discs(f64::from(over.counts().margin()));
    let black_gains = objective == Objective::Most;
    if (over.turn() == Color::Black) == black_gains { margin } else { margin.negated() }
}

#[cfg(test)]
mod tests {
    use emilia_rules::{Move, Point, Size, Status};

    use super::*;
    use crate::{Player, no_files};

    /// A position with so many empty squares, after random moves.
    fn late(size: Size, empties: u32) -> GridPosition {
        let mut dice = crate::Dice::new(7);
        let mut position = GridPosition::start(size);
        while position.counts().empty > empties || position.status() != Status::ToPlace {
            let moves: Vec<_> = position.moves().collect();
            position = position.play(moves[dice.below(moves.len() as u32) as usize]).unwrap();
        }
        position
    }

    fn report(
        player: &mut dyn Player,
        position: &GridPosition,
        lines: usize,
        among: Option<Vec<Move<Point>>>,
    ) -> Report {
        let mut query = Query::new(*position).with_lines(lines);
        query.among = among;
        player.answer(&query, &Stop::default(), &mut ()).unwrap()
    }

    /// Every move's proven value is the same whether it is asked for alone, first of all or as one of many; and moves
    /// that were left out once are not forgotten later.
    #[test]
    fn moves_are_worth_the_same_alone_and_among_others() {
        for (side, name) in
            [(8, "emilia:depth=60"), (6, "emilia:depth=60"), (6, "alphabeta:depth=20,end=margin")]
        {
            let position = late(Size::new(side).unwrap(), 9);
            let mut player = crate::player(name, &no_files).unwrap();
            let count = position.moves().count();
            assert!(count > 2, "{count}");
            let mut alone: Vec<MoveReport> = Vec::new();
            for mv in position.moves() {
                let report = report(player.as_mut(), &position, 3, Some(vec![mv]));
                assert_eq!(report.moves.len(), 1, "{name}: {mv}");
                assert_eq!(report.best_move(), Some(mv));
                alone.extend(report.moves);
            }
            let all = report(player.as_mut(), &position, count, None);
            assert_eq!(all.moves.len(), count, "{name} on {side}");
            for found in &all.moves {
                let other = alone.iter().find(|other| other.mv == found.mv).unwrap();
                assert_eq!((found.value, found.exact), (other.value, true), "{name} on {side}: {}", found.mv);
            }
            let best = report(player.as_mut(), &position, 1, None);
            assert_eq!(best.value(), all.value(), "{name} on {side}");
            assert!(all.moves.is_sorted_by(|a, b| a.value.map(Value::number) >= b.value.map(Value::number)));
        }
    }

    #[test]
    fn several_lines_come_on_large_boards_too() {
        let start = GridPosition::start(Size::new(10).unwrap());
        let mut player = crate::player("emilia:nodes=4000", &no_files).unwrap();
        let found = report(player.as_mut(), &start, 2, None);
        assert_eq!(found.moves.len(), 2);
        assert!(found.moves.iter().all(|found| start.play(found.mv).is_ok() && found.line[0] == found.mv));
    }

    /// Players count in units of their own, and say which; all moves of a report in the same.
    #[test]
    fn values_say_what_they_count() {
        for (name, unit) in
            [("emilia:depth=3", "discs"), ("alphabeta:depth=3", "points"), ("mcts:playouts=50", "games")]
        {
            let mut player = crate::player(name, &no_files).unwrap();
            for lines in [1, 3] {
                let report = report(player.as_mut(), &GridPosition::default(), lines, None);
                assert_eq!(report.moves.len(), lines, "{name}");
                assert!(report.moves.iter().all(|found| found.value.unwrap().unit() == unit), "{name}");
            }
        }
    }
}
