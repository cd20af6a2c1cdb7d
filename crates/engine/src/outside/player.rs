use std::time::{Duration, Instant};

use emilia_protocol::{Client, Limits, Step, Task, Thought};
use emilia_rules::{GridPosition, Move, Playable, Status};

use super::Program;
use super::process::{Heard, Process};
use crate::{Bounds, Decision, Fault, Player, Progress};

/// Another program at the board. It is started when it is first asked, and again if it had to be stopped.
pub(crate) struct OutsidePlayer {
    name: String,
    program: Program,
    running: Option<Running>,
}

/// The program and how far the conversation has come.
struct Running {
    process: Process,
    client: Box<dyn Client>,
    /// Whether it has answered yet.
    warm: bool,
}

/// How long it may take if nobody has said anything about time.
const UNLIMITED: Duration = Duration::from_secs(600);
/// How many times the usual grace the first answer gets: programs load their tables.
const WARMING_UP: u32 = 5;
/// How long it may take to answer after it was told to stop.
const STOPPING: Duration = Duration::from_secs(1);
/// How often a stop request is looked for.
const TICK: Duration = Duration::from_millis(5);
/// Bytes that a program may write before it answers.
const FLOOD: usize = 1 << 24;

impl OutsidePlayer {
    pub(crate) fn new(name: &str, program: Program) -> OutsidePlayer {
        OutsidePlayer { name: name.to_owned(), program, running: None }
    }

    /// Asks the program; nothing if it was stopped before it answered.
    fn ask(&mut self, task: &Task, bounds: &mut Bounds<'_>) -> Result<Option<Thought>, Fault> {
        let running = match &mut self.running {
            Some(running) => running,
            None => {
                let client = self.program.client();
                let process = Process::start(&self.program.command, client.farewell())?;
                self.running.insert(Running { process, client, warm: false })
            }
        };
        let limit = task.limits.clocks.map(|clocks| clocks.own).into_iter().chain(task.limits.time).min();
        let grace = self.program.grace * if running.warm { 1 } else { WARMING_UP };
        let mut patience = limit.map_or(UNLIMITED, |limit| limit + grace);
        let (begin, mut bytes) = (Instant::now(), 0_usize);
        // Whether somebody wants it to stop, and whether it was told.
        let (mut stopped, mut told) = (false, false);
        let mut steps = running.client.ask(task);
        loop {
            for step in std::mem::take(&mut steps) {
                match step {
                    Step::Send(line) => running.process.say(&line),
                    Step::Progress(thought) => {
                        stopped |= (bounds.watch)(&progress(&thought, begin)).is_break();
                    }
                    Step::Moved(text, thought) => {
                        running.warm = true;
                        let legal = thought.filter(|thought| {
                            thought.best().is_some_and(|best| task.position.play(best.mv).is_ok())
                        });
                        return match legal {
                            Some(thought) => Ok(Some(*thought)),
                            None if text.eq_ignore_ascii_case("resign") => Err(Fault::Resigned),
                            None => Err(Fault::Illegal { text }),
                        };
                    }
                    Step::Refused { asked, reason } => return Err(Fault::Refused { asked, reason }),
                    Step::NotUnderstood(line) => {
                        return Err(Fault::NotUnderstood { asked: running.client.asked(), line });
                    }
                }
            }
            stopped |= bounds.stop.is_requested();
            if stopped && !told {
                let Some(line) = running.client.stop() else { return Ok(None) };
                running.process.say(&line);
                patience = begin.elapsed() + STOPPING;
                told = true;
            }
            match running.process.hear(TICK) {
                Heard::Line(line, length) => {
                    bytes += length;
                    steps = running.client.line(&line);
                }
                Heard::Nothing => {}
                Heard::End => {
                    let said = running.process.last_words();
                    return Err(Fault::Crashed { asked: running.client.asked(), said });
                }
            }
            if bytes > FLOOD {
                return Err(Fault::Flooded { asked: running.client.asked(), bytes });
            }
            if begin.elapsed() > patience {
                let (asked, after) = (running.client.asked(), begin.elapsed());
                return if bounds.stop.is_requested() {
                    Ok(None)
                } else {
                    Err(Fault::Silent { asked, after })
                };
            }
        }
    }
}

fn progress(thought: &Thought, begin: Instant) -> Progress {
    Progress {
        depth: thought.depth,
        greatest_depth: thought.depth,
        nodes: thought.nodes,
        time: begin.elapsed(),
        score: thought.best().and_then(|best| best.value),
        line: thought.best().map_or_else(Vec::new, |best| best.line.clone()),
    }
}

/// The game as the program is to be told: as it was played if that leads to the position, else from the position on.
fn task(position: &GridPosition, bounds: &Bounds<'_>) -> Task {
    let mut task = Task::new(bounds.game.map_or(*position, |game| game.start));
    let moves = bounds.game.map_or([].as_slice(), |game| game.moves);
    let told = moves.iter().all(|mv| task.play(*mv).is_ok());
    if !told || task.position != *position {
        task = Task::new(*position);
    }
    task.limits = Limits { time: bounds.time, clocks: bounds.clock, ..Limits::default() };
    task
}

impl Player for OutsidePlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn think(&mut self, position: &GridPosition, mut bounds: Bounds<'_>) -> Result<Option<Decision>, Fault> {
        let begin = Instant::now();
        let thought = match position.status() {
            Status::Over(_) => return Ok(None),
            // There is nothing to ask; it will be told with the next position.
            Status::MustPass => {
                let pass = emilia_protocol::Judged::new(Move::Pass);
                Thought { moves: vec![pass], ..Thought::default() }
            }
            Status::ToPlace => {
                let task = task(position, &bounds);
                match self.ask(&task, &mut bounds) {
                    Ok(Some(thought)) => thought,
                    Ok(None) => {
                        self.running = None;
                        return Ok(None);
                    }
                    Err(fault) => {
                        self.running = None;
                        return Err(fault);
                    }
                }
            }
        };
        let (depth, nodes) = (thought.depth, thought.nodes);
        Ok(thought.moves.into_iter().next().map(|best| Decision {
            mv: best.mv,
            score: best.value,
            nodes,
            depth,
            greatest_depth: depth,
            exact: best.exact,
            time: begin.elapsed(),
            line: best.line,
        }))
    }

    fn forget(&mut self) {
        self.running = None;
    }
}
