use std::time::Duration;

use emilia_eval::{Evaluator, Learned, Score};
use emilia_query::{Limits, Stop};
use emilia_rules::{Color, Move, Point, Portable, Position};
use emilia_search::{Search, Table, TableError};
use web_time::Instant;

use crate::Known;
use crate::workers::shared_out;

/// How near an evaluator, or a search with it, comes to the truth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Accuracy {
    /// How far each board was looked into; a depth of 0 is the evaluator alone.
    pub limits: Limits,
    /// Boards looked at.
    pub boards: usize,
    /// Mean absolute error, in discs.
    pub mean_absolute: f64,
    /// Root of the mean squared error, in discs.
    pub root_mean_square: f64,
    /// Mean error, in discs: above zero where the side to move is flattered.
    pub bias: f64,
    /// What all scores have to be multiplied by for the least squared error: above one where they are too cautious. Nothing
    /// where all of them are zero.
    pub slope: Option<f64>,
    /// The share of boards where a best move was found, and the mean loss of the moves found in discs; of the boards
    /// whose moves have known scores. Where only some have, a move without a score is no best move, and its loss is
    /// left out.
    pub moves: Option<(f64, f64)>,
    /// Nodes a board, on average.
    pub nodes: f64,
    /// Time of all threads together.
    pub time: Duration,
}

/// Measures accuracies.
#[derive(Clone, Copy, Debug)]
pub struct Examiner<'a> {
    /// Who is examined.
    pub evaluator: &'a Learned,
    /// Boards looked at in parallel; the result does not depend on it.
    pub threads: usize,
    /// A request ends it.
    pub stop: &'a Stop,
    /// Whether the evaluator alone judges where a search ends, shortly before the end of the game, too.
    pub evaluator_alone: bool,
}

/// Megabytes of each thread's table, cleared before each board so that the order does not matter.
const TABLE: usize = 16;

/// One board's answer.
#[derive(Clone, Copy, Default)]
struct Answer {
    found: f64,
    error: f64,
    /// Whether a best move was found, where moves have known scores.
    best: Option<bool>,
    /// What the move found loses, if its score is known.
    loss: Option<i32>,
    nodes: u64,
}

impl Examiner<'_> {
    /// How accurate searches within these limits are on these boards, full-width where a depth is all they say, or the
    /// evaluator alone with depth 0. `done` is told the boards done so far, from any thread. Nothing if it was stopped.
    pub fn examine(
        &self,
        known: &[Known],
        limits: Limits,
        done: &(dyn Fn(usize) + Sync),
    ) -> Result<Option<Accuracy>, TableError> {
        let begin = Instant::now();
        let answers = shared_out(known.len(), self.threads, TABLE, self.stop, |number, table| {
            let answer = self.answer(&known[number], limits, table);
            done(number + 1);
            answer
        })?;
        Ok(answers.map(|answers| sum_up(&answers, limits, begin.elapsed())))
    }

    fn answer(&self, known: &Known, limits: Limits, table: &Table) -> Answer {
        let board = known.board;
        let (found, best, nodes) = if limits.depth == Some(0) {
            let score = self.evaluator.score(Portable, &self.evaluator.features(board), board);
            (f64::from(score.0) / f64::from(Score::PER_DISC), None, 1)
        } else {
            table.clear();
            let mut search = Search::new(self.evaluator, table, self.stop);
            // With a limit of nodes, however high, a depth is kept to the letter, even where the position would be solved instead.
            search.limits = Limits { nodes: limits.nodes.or(Some(u64::MAX)), ..limits };
            search.evaluator_alone = self.evaluator_alone;
            let position = Position::new(board, Color::Black).unwrap_or_default();
            let report = search.run(&position, &mut ());
            let best = report.best_move().and_then(Move::square).and_then(Point::square);
            (report.discs().unwrap_or_default(), best, report.nodes)
        };
        let loss = best.and_then(|square| known.loss(square));
        let best = (best.is_some() && !known.moves.is_empty()).then_some(loss == Some(0));
        Answer { found, error: found - f64::from(known.score), best, loss, nodes }
    }
}

fn sum_up(answers: &[Answer], limits: Limits, time: Duration) -> Accuracy {
    let mean =
        |of: &dyn Fn(&Answer) -> f64| answers.iter().map(of).sum::<f64>() / answers.len().max(1) as f64;
    let share = |of: &dyn Fn(&Answer) -> Option<f64>| {
        let known: Vec<f64> = answers.iter().filter_map(of).collect();
        known.iter().sum::<f64>() / known.len().max(1) as f64
    };
    let moves = answers.iter().any(|answer| answer.best.is_some()).then(|| {
        let best = share(&|answer| answer.best.map(|best| f64::from(u8::from(best))));
        (best, share(&|answer| answer.loss.map(f64::from)))
    });
    let times_truth = mean(&|answer| answer.found * (answer.found - answer.error));
    Accuracy {
        limits,
        boards: answers.len(),
        mean_absolute: mean(&|answer| answer.error.abs()),
        root_mean_square: mean(&|answer| answer.error * answer.error).sqrt(),
        bias: mean(&|answer| answer.error),
        slope: Some(times_truth / mean(&|answer| answer.found * answer.found))
            .filter(|slope| slope.is_finite()),
        moves,
        nodes: mean(&|answer| answer.nodes as f64),
        time,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use emilia_eval::Learned;
    use emilia_record::Hint;

    fn examiner(threads: usize, stop: &Stop) -> Examiner<'_> {
        Examiner { evaluator: Learned::embedded(), threads, stop, evaluator_alone: false }
    }

    /// A search to the end is never wrong, and the answer does not depend on the number of threads.
    #[test]
    fn deeper_is_better_and_the_end_is_exact() {
        let solved = include_bytes!("../../../data/endgame/exact/e10.obf");
        let known = Known::from_exercises(&emilia_record::read(solved, &Hint::default()).unwrap());
        let known = &known[..known.len().min(40)];
        let stop = Stop::new();
        let accuracy = |threads, depth| {
            let examiner = examiner(threads, &stop);
            let limits = Limits::depth(depth);
            let accuracy = examiner.examine(known, limits, &|_| {}).unwrap().unwrap();
            Accuracy { time: Duration::ZERO, ..accuracy }
        };
        let (still, ahead, exact) = (accuracy(1, 0), accuracy(1, 4), accuracy(2, 10));
        assert_eq!((exact.mean_absolute, exact.moves), (0.0, Some((1.0, 0.0))));
        assert!(ahead.mean_absolute < still.mean_absolute && still.moves.is_none());
        assert_eq!(ahead, accuracy(2, 4));
        assert!(still.nodes == 1.0 && ahead.nodes > 100.0 && exact.nodes > ahead.nodes);
    }

    #[test]
    fn a_search_may_be_limited_by_nodes() {
        let solved = include_bytes!("../../../data/endgame/hard-20.obf");
        let known = Known::from_exercises(&emilia_record::read(solved, &Hint::default()).unwrap());
        let stop = Stop::new();
        let examiner = examiner(1, &stop);
        let of_nodes = |nodes| {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            examiner.examine(&known[..60], limits, &|_| {}).unwrap().unwrap()
        };
        let (few, many) = (of_nodes(500), of_nodes(20_000));
        assert!((400.0..1000.0).contains(&few.nodes) && many.nodes > 10_000.0, "{few:?} {many:?}");
        assert!(many.mean_absolute < few.mean_absolute, "{few:?} {many:?}");
    }

    /// Ten plies before the end what the evaluator leaves open is solved, so that a search to half the depth is seldom wrong; the evaluator alone
    /// is.
    #[test]
    fn shortly_before_the_end_the_evaluator_is_not_alone() {
        let solved = include_bytes!("../../../data/endgame/hard-20.obf");
        let known = Known::from_exercises(&emilia_record::read(solved, &Hint::default()).unwrap());
        let stop = Stop::new();
        let accuracy = |evaluator_alone, depth| {
            let examiner = Examiner { evaluator_alone, ..examiner(1, &stop) };
            let accuracy = examiner.examine(&known[..60], Limits::depth(depth), &|_| {}).unwrap().unwrap();
            (accuracy.mean_absolute, accuracy.moves.unwrap().0)
        };
        let ((error, best), (error_alone, best_alone)) = (accuracy(false, 10), accuracy(true, 10));
        assert!(
            error < 0.5 * error_alone && best > best_alone + 0.1,
            "{error} {best} {error_alone} {best_alone}"
        );
        // Nine plies before eleven empty squares judge as the evaluator alone does.
        assert_eq!(accuracy(false, 9), accuracy(true, 9));
    }

    #[test]
    fn means_are_means() {
        let answer = |found, error, loss: Option<i32>, nodes| {
            let best = loss.map(|loss| loss == 0);
            Answer { found, error, best, loss, nodes }
        };
        // The truth is 5 and −2.
        let mut answers = vec![answer(8.0, 3.0, Some(0), 10), answer(-6.0, -4.0, Some(6), 20)];
        let sum = sum_up(&answers, Limits::depth(2), Duration::ZERO);
        assert_eq!((sum.mean_absolute, sum.bias, sum.moves), (3.5, -0.5, Some((0.5, 3.0))));
        assert_eq!(sum.slope, Some((8.0 * 5.0 + 6.0 * 2.0) / (64.0 + 36.0)));
        assert_eq!(sum_up(&[Answer::default()], Limits::depth(2), Duration::ZERO).slope, None);
        assert_eq!((sum.nodes, sum.limits.depth), (15.0, Some(2)));
        // A move whose score is not known is no best one; boards without known scores of moves do not count.
        answers.extend([Answer { best: Some(false), ..Answer::default() }, Answer::default()]);
        assert_eq!(sum_up(&answers, Limits::depth(2), Duration::ZERO).moves, Some((1.0 / 3.0, 3.0)));
        assert!((sum.root_mean_square - 12.5f64.sqrt()).abs() < 1e-12);
    }
}
