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
    /// Plies looked ahead; 0 is the evaluator alone.
    pub depth: u32,
    /// Boards looked at.
    pub boards: usize,
    /// Mean absolute error, in discs.
    pub mean_absolute: f64,
    /// Root of the mean squared error, in discs.
    pub root_mean_square: f64,
    /// Mean error, in discs: above zero where the side to move is flattered.
    pub bias: f64,
    /// The share of boards where a best move was found, and the mean loss of the moves found in discs; of the
    /// boards whose moves have known scores.
    pub moves: Option<(f64, f64)>,
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
}

/// Megabytes of each thread's table, cleared before each board so that the order does not matter.
const TABLE: usize = 4;

/// One board's answer.
#[derive(Clone, Copy, Default)]
struct Answer {
    error: f64,
    loss: Option<i32>,
}

impl Examiner<'_> {
    /// How accurate full-width searches of this depth are on these boards, or the evaluator alone with depth 0.
    /// `done` is told the boards done so far, from any thread. Nothing if it was stopped.
    pub fn examine(
        &self,
        known: &[Known],
        depth: u32,
        done: &(dyn Fn(usize) + Sync),
    ) -> Result<Option<Accuracy>, TableError> {
        let begin = Instant::now();
        let answers = shared_out(known.len(), self.threads, TABLE, self.stop, |number, table| {
            let answer = self.answer(&known[number], depth, table);
            done(number + 1);
            answer
        })?;
        Ok(answers.map(|answers| sum_up(&answers, depth, begin.elapsed())))
    }

    fn answer(&self, known: &Known, depth: u32, table: &Table) -> Answer {
        let board = known.board;
        let (found, best) = if depth == 0 {
            let score = self.evaluator.score(Portable, &self.evaluator.features(board), board);
            (f64::from(score.0) / f64::from(Score::PER_DISC), None)
        } else {
            table.clear();
            let mut search = Search::new(self.evaluator, table, self.stop);
            search.limits = Limits::depth(depth);
            let position = Position::new(board, Color::Black).unwrap_or_default();
            let report = search.run(&position, &mut ());
            let best = report.best_move().and_then(Move::square).and_then(Point::square);
            (report.discs().unwrap_or_default(), best)
        };
        Answer { error: found - f64::from(known.score), loss: best.and_then(|square| known.loss(square)) }
    }
}

fn sum_up(answers: &[Answer], depth: u32, time: Duration) -> Accuracy {
    let mean =
        |of: &dyn Fn(&Answer) -> f64| answers.iter().map(of).sum::<f64>() / answers.len().max(1) as f64;
    let losses: Vec<i32> = answers.iter().filter_map(|answer| answer.loss).collect();
    let share = |count: f64| count / losses.len() as f64;
    let moves = (!losses.is_empty()).then(|| {
        let best = losses.iter().filter(|loss| **loss == 0).count();
        (share(best as f64), share(f64::from(losses.iter().sum::<i32>())))
    });
    Accuracy {
        depth,
        boards: answers.len(),
        mean_absolute: mean(&|answer| answer.error.abs()),
        root_mean_square: mean(&|answer| answer.error * answer.error).sqrt(),
        bias: mean(&|answer| answer.error),
        moves,
        time,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use emilia_eval::Learned;
    use emilia_record::Hint;

    /// A search to the end is never wrong, and the answer does not depend on the number of threads.
    #[test]
    fn deeper_is_better_and_the_end_is_exact() {
        let solved = include_bytes!("../../../data/endgame/exact/e10.obf");
        let known = Known::from_studies(&emilia_record::read(solved, &Hint::default()).unwrap());
        let known = &known[..known.len().min(40)];
        let stop = Stop::new();
        let accuracy = |threads, depth| {
            let examiner = Examiner { evaluator: Learned::embedded(), threads, stop: &stop };
            let accuracy = examiner.examine(known, depth, &|_| {}).unwrap().unwrap();
            Accuracy { time: Duration::ZERO, ..accuracy }
        };
        let (still, ahead, exact) = (accuracy(1, 0), accuracy(1, 4), accuracy(2, 10));
        assert_eq!((exact.mean_absolute, exact.moves), (0.0, Some((1.0, 0.0))));
        assert!(ahead.mean_absolute < still.mean_absolute && still.moves.is_none());
        assert_eq!(ahead, accuracy(2, 4));
    }

    #[test]
    fn means_are_means() {
        let answer = |error, loss| Answer { error, loss };
        let sum = sum_up(&[answer(3.0, Some(0)), answer(-4.0, Some(6))], 2, Duration::ZERO);
        assert_eq!((sum.mean_absolute, sum.bias, sum.moves), (3.5, -0.5, Some((0.5, 3.0))));
        assert!((sum.root_mean_square - 12.5f64.sqrt()).abs() < 1e-12);
    }
}
