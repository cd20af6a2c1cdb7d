//! Opinions on several moves of a position, from any player.

use std::ops::ControlFlow;

use emilia_protocol::{Judged, Limits, Source, Task, Thought};
use emilia_rules::{GridPosition, Move, Playable, Point};

use crate::{Bounds, Decision, Fault, GameSoFar, Player, Progress, Stop};

/// What a player is asked about a position: how far to look, how many moves to judge, and among which.
pub struct Question<'a> {
    /// Ends it early.
    pub stop: &'a Stop,
    /// When to end; nothing set leaves it to the player's own settings. Players other than Emilia herself keep to
    /// their own depth and obey the time and the clocks only.
    pub limits: Limits,
    /// How many of the best moves are to be judged.
    pub lines: usize,
    /// The only moves to consider; all if there is no list.
    pub among: Option<&'a [Move<Point>]>,
    /// How the position came about, if that is known.
    pub game: Option<GameSoFar<'a>>,
    /// Told now and then how it goes; the answer can end it.
    pub watch: &'a mut dyn FnMut(&Thought) -> ControlFlow<()>,
}

impl<'a> Question<'a> {
    /// The best move, by the player's own settings.
    pub fn new(stop: &'a Stop, watch: &'a mut dyn FnMut(&Thought) -> ControlFlow<()>) -> Question<'a> {
        Question { stop, limits: Limits::default(), lines: 1, among: None, game: None, watch }
    }

    /// What a session of a protocol wants to know.
    pub fn of(
        task: &'a Task,
        stop: &'a Stop,
        watch: &'a mut dyn FnMut(&Thought) -> ControlFlow<()>,
    ) -> Question<'a> {
        Question {
            stop,
            limits: task.limits,
            lines: task.lines,
            among: task.among.as_deref(),
            game: Some(GameSoFar { start: task.start, moves: &task.moves }),
            watch,
        }
    }

    /// The legal moves that are to be considered; all of them if the list names none.
    pub(crate) fn candidates(&self, position: &GridPosition) -> Vec<Move<Point>> {
        let legal = || position.moves();
        let chosen: Vec<_> = legal().filter(|mv| self.among.is_none_or(|among| among.contains(mv))).collect();
        if chosen.is_empty() { legal().collect() } else { chosen }
    }

    /// Whether one best move of all is wanted, which every player can tell.
    pub(crate) fn is_plain(&self, position: &GridPosition) -> bool {
        let all = position.moves().count();
        self.candidates(position).len() == all && (self.lines <= 1 || all <= 1)
    }
}

/// What a decision says about its move.
impl From<Decision> for Thought {
    fn from(decision: Decision) -> Thought {
        let source = if decision.exact { Source::Solved } else { Source::Search };
        let judged = Judged {
            value: decision.score,
            depth: decision.depth,
            exact: decision.exact,
            source,
            line: if decision.line.is_empty() { vec![decision.mv] } else { decision.line },
            ..Judged::new(decision.mv)
        };
        Thought { moves: vec![judged], depth: decision.depth, nodes: decision.nodes, time: decision.time }
    }
}

impl From<&Progress> for Thought {
    fn from(progress: &Progress) -> Thought {
        let judged = progress.line.first().map(|mv| Judged {
            value: progress.score,
            depth: progress.depth,
            line: progress.line.clone(),
            ..Judged::new(*mv)
        });
        Thought {
            moves: judged.into_iter().collect(),
            depth: progress.depth,
            nodes: progress.nodes,
            time: progress.time,
        }
    }
}

/// How any player answers a question: with its choice if that is all that is wanted, else by looking at the position
/// after each move in turn.
pub(crate) fn analyse<P: Player + ?Sized>(
    player: &mut P,
    position: &GridPosition,
    question: Question<'_>,
) -> Result<Thought, Fault> {
    if question.is_plain(position) {
        let Question { stop, limits, game, watch, .. } = question;
        let mut tell = |progress: &Progress| watch(&Thought::from(progress));
        let bounds = Bounds { time: limits.time, clock: limits.clocks, game, ..Bounds::new(stop, &mut tell) };
        return Ok(player.think(position, bounds)?.map(Thought::from).unwrap_or_default());
    }
    let shares = question.candidates(position).len().max(1) as u32;
    let time = question.limits.time;
    let stop = question.stop;
    one_by_one(position, question, |next| {
        let mut quiet = |_: &Progress| ControlFlow::Continue(());
        let bounds = Bounds { time: time.map(|time| time / shares), ..Bounds::new(stop, &mut quiet) };
        player.think(next, bounds)
    })
}

/// Judges each move by what follows it.
pub(crate) fn one_by_one(
    position: &GridPosition,
    question: Question<'_>,
    mut reply: impl FnMut(&GridPosition) -> Result<Option<Decision>, Fault>,
) -> Result<Thought, Fault> {
    let began = std::time::Instant::now();
    let mut thought = Thought::default();
    for mv in question.candidates(position) {
        let Ok(next) = position.play(mv) else { continue };
        let judged = if next.is_over() {
            let margin = f64::from(next.counts().margin());
            let value = if position.turn() == emilia_rules::Color::Black { margin } else { -margin };
            thought.nodes += 1;
            Judged { value: Some(value), depth: 1, exact: true, source: Source::Solved, ..Judged::new(mv) }
        } else {
            let Some(decision) = reply(&next)? else { continue };
            thought.nodes += decision.nodes;
            let answer = Thought::from(decision).moves.swap_remove(0);
            Judged {
                mv,
                value: answer.value.map(|value| 0.0 - value),
                bound: answer.bound.reversed(),
                depth: answer.depth + 1,
                line: std::iter::once(mv).chain(answer.line).collect(),
                ..answer
            }
        };
        thought.moves.push(judged);
        thought.time = began.elapsed();
        let worth = |judged: &Judged| judged.value.unwrap_or(f64::NEG_INFINITY);
        thought.moves.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
        thought.depth = thought.moves.iter().map(|judged| judged.depth).min().unwrap_or(0);
        if (question.watch)(&thought).is_break() || question.stop.is_requested() {
            break;
        }
    }
    thought.moves.truncate(question.lines.max(1));
    Ok(thought)
}

#[cfg(test)]
mod tests {
    use emilia_rules::{Size, Status};

    use super::*;
    use crate::no_files;

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

    fn thought(
        player: &mut dyn Player,
        position: &GridPosition,
        lines: usize,
        among: Option<&[Move<Point>]>,
    ) -> Thought {
        let (stop, mut quiet) = (Stop::default(), |_: &Thought| ControlFlow::Continue(()));
        let question = Question { lines, among, ..Question::new(&stop, &mut quiet) };
        player.analyse(position, question).unwrap()
    }

    /// Every move's proven value is the same whether it is asked for alone, first of all or as one of many; and moves
    /// that were left out once are not forgotten later.
    #[test]
    fn moves_are_worth_the_same_alone_and_among_others() {
        for (side, name) in
            [(8, "emilia:depth=60"), (6, "emilia:depth=60"), (6, "alphabeta:depth=20,end=margin")]
        {
            let size = Size::new(side).unwrap();
            let position = late(size, 9);
            let mut player = crate::player(name, &no_files).unwrap();
            let count = position.moves().count();
            assert!(count > 2, "{count}");
            let mut alone: Vec<Judged> = Vec::new();
            for mv in position.moves() {
                let thought = thought(player.as_mut(), &position, 3, Some(&[mv]));
                assert_eq!(thought.moves.len(), 1, "{name}: {mv}");
                assert_eq!(thought.moves[0].mv, mv);
                alone.extend(thought.moves);
            }
            let all = thought(player.as_mut(), &position, count, None);
            assert_eq!(all.moves.len(), count, "{name} on {side}");
            for judged in &all.moves {
                let other = alone.iter().find(|other| other.mv == judged.mv).unwrap();
                assert_eq!(
                    (judged.value, judged.exact),
                    (other.value, true),
                    "{name} on {side}: {}",
                    judged.mv
                );
            }
            let best = thought(player.as_mut(), &position, 1, None);
            assert_eq!(best.moves[0].value, all.moves[0].value, "{name} on {side}");
            assert!(all.moves.is_sorted_by(|a, b| a.value >= b.value));
        }
    }

    #[test]
    fn several_lines_come_on_large_boards_too() {
        let start = GridPosition::start(Size::new(10).unwrap());
        let mut player = crate::player("emilia:nodes=4000", &no_files).unwrap();
        let found = thought(player.as_mut(), &start, 2, None);
        assert_eq!(found.moves.len(), 2);
        assert!(
            found.moves.iter().all(|judged| start.play(judged.mv).is_ok() && judged.line[0] == judged.mv)
        );
    }
}
