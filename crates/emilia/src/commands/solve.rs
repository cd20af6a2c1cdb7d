use std::num::NonZeroUsize;
use std::time::Duration;

use clap::Args;
use emilia_query::{Aim, Report};
use emilia_record::{Exercise, Item};
use emilia_rules::{Move, Playable, Point, Position, Tier};
use emilia_search::{Difference, Problem, Solver, Table};
use serde::Serialize;

use super::convert::read_file_or_text;
use crate::interrupt::stop_on_interrupt;
use crate::weights::WeightsArg;
use crate::{Failure, Streams};

/// Solve positions exactly, to the end of the game
///
/// Scores are final disc differences for the side to move, empty squares to the winner. Scores that the file gives are
/// compared: any difference is an error. Boards of 4×4, 6×6 and 8×8.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emilia solve fforum-40-59.obf --threads 2 --hash 1024
  emilia solve O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X--------X --all-moves
  emilia solve positions.obf --wld --json")]
pub(crate) struct Solve {
    /// Files with positions, or positions themselves: the squares row by row as X, O and -, then the side to move
    #[arg(required = true, value_name = "FILE|POSITION")]
    what: Vec<String>,

    /// Threads that share the work
    #[arg(long, value_name = "N", default_value = "1")]
    threads: NonZeroUsize,

    /// Megabytes for positions already searched
    #[arg(long, value_name = "MB", default_value = "256")]
    hash: NonZeroUsize,

    /// Find out only who wins
    #[arg(long)]
    wld: bool,

    /// Score every move, not only the best
    #[arg(long)]
    all_moves: bool,

    /// Use the code for this kind of processor: portable, sse4, avx2 or avx512; on ARM portable or neon
    #[arg(long, value_name = "TIER")]
    cpu: Option<Tier>,

    #[command(flatten)]
    weights: WeightsArg,

    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

/// A solved position for a program to read.
#[derive(Serialize)]
struct Line {
    index: usize,
    empties: u32,
    score: i32,
    #[serde(rename = "move")]
    mv: Option<String>,
    exact: bool,
    nodes: u64,
    seconds: f64,
    pv: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moves: Vec<MoveScore>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    differences: Vec<DifferentScore>,
}

#[derive(Serialize)]
struct MoveScore {
    #[serde(rename = "move")]
    mv: String,
    score: i32,
}

#[derive(Serialize)]
struct DifferentScore {
    #[serde(rename = "move")]
    mv: String,
    stated: i32,
    found: i32,
}

/// Why not everything was solved, or solved otherwise than stated.
#[derive(Debug, thiserror::Error)]
enum SolveError {
    #[error("position {0}: {1}")]
    Position(usize, emilia_rules::TooLarge),
    #[error("{0} of {1} positions have another score than the file says")]
    Differences(usize, usize),
    #[error("stopped after {0} of {1} positions")]
    Stopped(usize, usize),
    #[error("there is no position in what was given")]
    Nothing,
}

impl Solve {
    pub(crate) fn run(self, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let problems = self.problems(streams)?;
        let judge = self.weights.judge()?;
        let table = Table::new(self.hash.get()).map_err(Failure::failed)?;
        let stop = stop_on_interrupt();
        let mut solver = Solver::new(&judge, &table, &stop);
        solver.threads = self.threads.get();
        solver.tier = self.cpu.unwrap_or_else(Tier::best);
        solver.aim = if self.wld { Aim::Outcome } else { Aim::Score };
        solver.all_moves = self.all_moves;
        if !self.json {
            writeln!(streams.out, "  # empties score move       time          nodes    nodes/s  line")?;
        }
        let (mut nodes, mut time, mut done, mut different) = (0, Duration::ZERO, 0, 0);
        for (index, problem) in problems.iter().enumerate() {
            let report = solver.solve(&problem.position, &mut ());
            if report.stopped {
                break;
            }
            done += 1;
            nodes += report.nodes;
            time += report.time;
            let solved = Solved::new(index + 1, problem, report, solver.aim);
            different += usize::from(!solved.differences.is_empty());
            if self.json {
                streams.write_json(&self.line(&solved))?;
            } else {
                self.print(&solved, streams)?;
            }
            streams.out.flush()?;
        }
        if !self.json {
            let seconds = time.as_secs_f64();
            let rate = nodes as f64 / seconds.max(1e-9);
            writeln!(streams.out, "{done} solved: {nodes} nodes in {seconds:.3} s, {rate:.0} nodes/s")?;
        }
        if done < problems.len() {
            return Err(Failure::failed(SolveError::Stopped(done, problems.len())));
        }
        if different > 0 {
            return Err(Failure::failed(SolveError::Differences(different, done)));
        }
        Ok(())
    }

    /// Everything to be solved, in the order in which it was given.
    fn problems(&self, streams: &mut Streams<'_>) -> Result<Vec<Problem>, Failure> {
        let mut problems = Vec::new();
        for what in &self.what {
            let reading = read_file_or_text(what, streams)?;
            if let Some(problem) = reading.problems.first() {
                return Err(Failure::failed(format!("{what}: {problem}")));
            }
            for item in reading.items {
                match item {
                    Item::Exercise(exercise) => problems.push(to_problem(&exercise, problems.len() + 1)?),
                    Item::Game(mut game) => {
                        game.to_end();
                        problems.push(to_problem(&Exercise::new(*game.position()), problems.len() + 1)?);
                    }
                    // Tournament games are played out: there is nothing left to solve.
                    Item::Archive(_) | Item::Names(_) => {}
                }
            }
        }
        if problems.is_empty() { Err(Failure::failed(SolveError::Nothing)) } else { Ok(problems) }
    }

    fn print(&self, solved: &Solved, streams: &mut Streams<'_>) -> Result<(), Failure> {
        let Solved { index, empties, score, report, differences } = solved;
        let score = match (self.wld, score.signum()) {
            (false, _) => format!("{score:+}"),
            (true, 1) => "win".to_owned(),
            (true, 0) => "draw".to_owned(),
            (true, _) => "loss".to_owned(),
        };
        let moves = spelled(report.line());
        writeln!(
            streams.out,
            "{index:>3} {empties:>7} {score:>5} {:>4} {:>10.3} {:>14} {:>10.0}  {}",
            moves.first().map_or("-", String::as_str),
            report.time.as_secs_f64(),
            report.nodes,
            report.speed(),
            moves.join(" ")
        )?;
        if self.all_moves {
            let scored: Vec<String> =
                move_scores(report).map(|scored| format!("{} {:+}", scored.mv, scored.score)).collect();
            writeln!(streams.out, "    {}", scored.join(", "))?;
        }
        for Difference { mv, stated, found } in differences {
            writeln!(streams.out, "    DIFFERENT: {mv} is stated as {stated:+} and is {found:+}")?;
        }
        Ok(())
    }

    fn line(&self, solved: &Solved) -> Line {
        let Solved { index, empties, score, report, differences } = solved;
        let different = |other: &Difference| DifferentScore {
            mv: other.mv.to_string(),
            stated: other.stated,
            found: other.found,
        };
        Line {
            index: *index,
            empties: *empties,
            score: *score,
            mv: report.best_move().map(|mv| mv.to_string()),
            exact: !report.stopped,
            nodes: report.nodes,
            seconds: report.time.as_secs_f64(),
            pv: spelled(report.line()),
            moves: move_scores(report).filter(|_| self.all_moves).collect(),
            differences: differences.iter().map(different).collect(),
        }
    }
}

/// A position that was solved.
struct Solved {
    index: usize,
    empties: u32,
    score: i32,
    report: Report,
    differences: Vec<Difference>,
}

impl Solved {
    fn new(index: usize, problem: &Problem, report: Report, aim: Aim) -> Solved {
        let (empties, score) = (problem.position.counts().empty, problem.score(&report));
        let differences = problem.differences(&report, aim);
        Solved { index, empties, score, report, differences }
    }
}

fn to_problem(exercise: &Exercise, index: usize) -> Result<Problem, Failure> {
    let position = Position::try_from(&exercise.position)
        .map_err(|error| Failure::failed(SolveError::Position(index, error)))?;
    Ok(Problem { position, known: exercise.scores.clone() })
}

fn spelled(moves: &[Move<Point>]) -> Vec<String> {
    moves.iter().map(Move::to_string).collect()
}

fn move_scores(report: &Report) -> impl Iterator<Item = MoveScore> {
    let scored = |found: &emilia_query::MoveReport| {
        Some(MoveScore { mv: found.mv.to_string(), score: found.discs()? as i32 })
    };
    report.moves.iter().filter_map(scored)
}
