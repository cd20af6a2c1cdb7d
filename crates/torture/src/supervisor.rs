//! Shares out the time among the parts, starts each in a process of its own, notices when one dies or hangs, and keeps
//! the books.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::home;
use crate::part::{Build, PARTS, Part};
use crate::report::report;
use crate::state::{Find, Line, State, StateError};

/// What is to be done.
pub(crate) struct Attack {
    pub(crate) seed: u64,
    /// Which parts; none means all that have a share of the time.
    pub(crate) parts: Vec<&'static Part>,
    pub(crate) time: Duration,
    /// After how many tries a part is done.
    pub(crate) tries: Option<u64>,
    pub(crate) fresh: bool,
    pub(crate) brief: bool,
    /// With which round to begin, apart from everything done so far.
    pub(crate) from: Option<u64>,
}

/// Why there is no attack.
#[derive(Debug, Error)]
pub(crate) enum AttackError {
    #[error(transparent)]
    State(#[from] StateError),
    #[error("{}: {error}", program.display())]
    Start { program: PathBuf, error: io::Error },
    #[error("cannot listen for Ctrl-C: {0}")]
    Interrupt(#[from] ctrlc::Error),
}

/// A part that says nothing for so long hangs. The longest rounds take a minute on a busy machine.
const HANG: Duration = Duration::from_secs(600);
/// Longest time until every part has had its turn: a night that is cut short has tried everything.
const LAP: Duration = Duration::from_secs(15 * 60);
/// How often somebody looks whether Ctrl-C was pressed.
const LOOK: Duration = Duration::from_millis(200);

/// Attacks, and prints the report. Returns whether nothing was found.
pub(crate) fn supervise(attack: &Attack) -> Result<bool, AttackError> {
    let interrupted: Arc<AtomicBool> = Arc::default();
    let stop = Arc::clone(&interrupted);
    ctrlc::set_handler(move || stop.store(true, Ordering::Relaxed))?;
    let apart = attack.brief || attack.from.is_some();
    let folder = if apart { home().join(format!("apart-{}", std::process::id())) } else { home() };
    let mut state = if attack.fresh || apart {
        State { seed: attack.seed, ..State::default() }
    } else {
        State::read(&folder, attack.seed)?
    };
    let chosen = |part: &&Part| match attack.parts.is_empty() {
        true => part.share > 0 || attack.brief,
        false => attack.parts.iter().any(|one| one.name == part.name),
    };
    let parts: Vec<&Part> = PARTS.iter().filter(chosen).collect();
    for part in &parts {
        let progress = state.part(part.name);
        progress.next = attack.from.unwrap_or(progress.next);
    }
    let begin = Instant::now();
    loop {
        let left = attack.time.saturating_sub(begin.elapsed());
        let lap = left.min(LAP);
        let all: u32 = parts.iter().map(|part| part.share.max(1)).sum();
        let mut under_way = false;
        for part in &parts {
            let tried = state.part(part.name).tally.tried;
            if interrupted.load(Ordering::Relaxed) || attack.tries.is_some_and(|tries| tried >= tries) {
                continue;
            }
            under_way = true;
            let slice = lap * part.share.max(1) / all.max(1);
            run_part(part, attack, slice, &mut state, &folder, &interrupted)?;
        }
        if !under_way || begin.elapsed() >= attack.time {
            break;
        }
    }
    let text = report(&state);
    println!("\n{text}");
    if apart {
        let _ = std::fs::remove_dir_all(&folder);
    } else {
        let file = folder.join(format!("report-{}.md", attack.seed));
        std::fs::write(&file, &text).map_err(|error| StateError::File { file, error })?;
    }
    Ok(state.parts.values().all(|progress| progress.finds.is_empty()))
}

/// Lets a part attack for so long, or until it has tried often enough.
fn run_part(
    part: &'static Part,
    attack: &Attack,
    slice: Duration,
    state: &mut State,
    folder: &Path,
    interrupted: &AtomicBool,
) -> Result<(), AttackError> {
    let begin = Instant::now();
    let errors = folder.join(format!("{}.log", part.name));
    let next = state.part(part.name).next;
    println!("{} from round {next} on …", part.name);
    let (mut child, lines) = start(part, attack, slice, next, &errors)?;
    let mut heard = Instant::now();
    let mut counted = begin;
    let find = loop {
        match lines.recv_timeout(LOOK) {
            Ok(text) => {
                heard = Instant::now();
                let Ok(line) = serde_json::from_str::<Line>(&text) else {
                    println!("  {text}");
                    continue;
                };
                let progress = state.part(part.name);
                progress.next = line.round + 1;
                progress.seconds += counted.elapsed().as_secs_f64();
                counted = Instant::now();
                progress.tally = std::mem::take(&mut progress.tally).and(line.tally);
                let enough = attack.tries.is_some_and(|tries| progress.tally.tried >= tries);
                state.write(folder)?;
                if enough {
                    end(&mut child);
                    break None;
                }
            }
            Err(RecvTimeoutError::Timeout) if interrupted.load(Ordering::Relaxed) => {
                end(&mut child);
                break None;
            }
            Err(RecvTimeoutError::Timeout) if heard.elapsed() > HANG => {
                end(&mut child);
                break Some("it hangs".to_owned());
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break said(child.wait(), &errors),
        }
    };
    end(&mut child);
    let progress = state.part(part.name);
    if let Some(what) = find {
        println!("  FOUND in round {}: {what}", progress.next);
        progress.finds.push(Find { round: progress.next, what });
        progress.next += 1;
    }
    println!("  {} {} so far", progress.tally.tried, part.unit);
    Ok(state.write(folder)?)
}

/// Starts a part, with a limit of memory where the system has one, as the head of a group of processes.
fn start(
    part: &Part,
    attack: &Attack,
    slice: Duration,
    from: u64,
    errors: &Path,
) -> Result<(Child, Receiver<String>), AttackError> {
    let program = program(part.build);
    let failed = |error| AttackError::Start { program: program.clone(), error };
    let mut command = if cfg!(unix) {
        let mut shell = Command::new("sh");
        let limit = format!("ulimit -v {}; exec \"$0\" \"$@\"", part.memory << 10);
        shell.args(["-c", &limit]).arg(&program);
        shell
    } else {
        Command::new(&program)
    };
    let minutes = slice.as_secs_f64() / 60.0;
    command.arg(format!("{minutes}"));
    command.args(["--work", part.name, "--seed", &attack.seed.to_string(), "--from", &from.to_string()]);
    if attack.brief {
        command.args(["--brief", "--rounds", "1"]);
    }
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    std::fs::create_dir_all(errors.parent().unwrap_or(errors)).map_err(failed)?;
    let log = File::create(errors).map_err(failed)?;
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log).spawn().map_err(failed)?;
    let (send, receive) = channel();
    if let Some(out) = child.stdout.take() {
        std::thread::spawn(move || {
            BufReader::new(out).lines().map_while(Result::ok).try_for_each(|line| send.send(line))
        });
    }
    Ok((child, receive))
}

/// This program, or the other build of it beside: both lie in folders of the same parent.
fn program(build: Build) -> PathBuf {
    let own = std::env::current_exe().unwrap_or_default();
    let name = own.file_name().unwrap_or_default();
    let folder = own.parent().unwrap_or(&own);
    if build == Build::Checked && folder.ends_with("release") {
        let checked = folder.with_file_name("debug").join(name);
        if checked.exists() {
            return checked;
        }
    }
    own
}

/// Ends a part and everything it has started.
fn end(child: &mut Child) {
    if cfg!(unix) {
        let group = format!("-{}", child.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// What a part that has ended has to say for itself, unless all is well.
fn said(status: io::Result<ExitStatus>, errors: &Path) -> Option<String> {
    let status = match status {
        Ok(status) if status.success() => return None,
        Ok(status) => status.to_string(),
        Err(error) => error.to_string(),
    };
    let text = std::fs::read_to_string(errors).unwrap_or_default();
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let first = lines.iter().position(|line| line.contains("panicked")).unwrap_or(0);
    let told: String = lines[first..].iter().take(3).flat_map(|line| [line, " "]).collect();
    Some(format!("{status}: {}", told.chars().take(600).collect::<String>()))
}
