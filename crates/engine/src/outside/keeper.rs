//! A process of ours between us and another program. Linux makes it the parent of whatever the program leaves behind,
//! also of daemons that have turned away from everybody, so that all of it can be found and ended.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, Signal, getpid, kill_process, set_child_subreaper};
use rustix::stdio::{dup2_stderr, dup2_stdout};

use super::process::PATIENCE;

/// The first argument of a keeper; what follows is the command of the program it keeps.
const WORD: &str = "keep-program";
/// How a keeper begins to say that there is no such program.
pub(super) const NOT_STARTED: &str = "cannot be started: ";
/// How long it is tried to end what is left.
const ENDING: Duration = Duration::from_secs(5);

/// Whether the program that runs can be called as a keeper.
static CALLABLE: AtomicBool = AtomicBool::new(false);

/// To be called first by a program that lets other programs play. If it was called as the keeper of one, that is done
/// here, and this is its exit status. Otherwise the programs that it starts from now on get a keeper; those of a program
/// that does not call this are guarded by a shell, which daemons escape.
#[must_use]
pub fn keep_program(arguments: impl IntoIterator<Item = OsString>) -> Option<ExitCode> {
    let mut arguments = arguments.into_iter().skip(1);
    if arguments.next().is_some_and(|word| word == WORD) {
        return Some(keep(&arguments.collect::<Vec<_>>()));
    }
    CALLABLE.store(true, Ordering::Relaxed);
    None
}

/// How a keeper of this program is called, if there can be one.
pub(super) fn command(words: &[String]) -> Option<Command> {
    // This very program, even if its file was replaced in the meantime.
    let mut command = CALLABLE.load(Ordering::Relaxed).then(|| Command::new("/proc/self/exe"))?;
    command.arg(WORD).args(words);
    Some(command)
}

/// Starts the program, and ends it with everything it has started when it ends or when nobody is left to talk to it.
fn keep(words: &[OsString]) -> ExitCode {
    let started = set_child_subreaper(Some(getpid())).map_err(io::Error::from).and_then(|()| start(words));
    let mut program = match started {
        Ok(program) => program,
        Err(error) => {
            let _ = writeln!(io::stderr(), "{NOT_STARTED}{error}");
            return ExitCode::FAILURE;
        }
    };
    thread::spawn(|| {
        if wait_until_left().is_ok() {
            thread::sleep(PATIENCE);
        }
        end_below(std::process::id());
    });
    let ended = program.wait();
    end_below(std::process::id());
    ended.map_or(ExitCode::FAILURE, |_| ExitCode::SUCCESS)
}

/// The program with our own streams, of which we keep only the input, to see when nobody writes there any more.
fn start(words: &[OsString]) -> io::Result<std::process::Child> {
    let (program, arguments) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let mut command = Command::new(program);
    // A program that sends a signal to its whole group does not mean its keeper.
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let child = command.args(arguments).spawn()?;
    let nowhere = File::options().write(true).open("/dev/null")?;
    dup2_stdout(&nowhere)?;
    dup2_stderr(&nowhere)?;
    Ok(child)
}

/// Waits until whoever could write to our input has closed it or is no more.
fn wait_until_left() -> io::Result<()> {
    let input = io::stdin();
    loop {
        let mut watched = [PollFd::new(&input, PollFlags::empty())];
        match poll(&mut watched, None) {
            Ok(_) => return Ok(()),
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// Ends all processes below this one. Those whose parent ends come below it too, if it is a keeper.
pub(super) fn end_below(number: u32) {
    let begin = Instant::now();
    loop {
        let found = below(number);
        if found.is_empty() || begin.elapsed() > ENDING {
            return;
        }
        for process in found.into_iter().filter_map(|number| Pid::from_raw(number as i32)) {
            let _ = kill_process(process, Signal::KILL);
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// The processes below this one that are alive.
fn below(number: u32) -> Vec<u32> {
    let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(process) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let status = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        if let Some(parent) = living_parent(&status) {
            children.entry(parent).or_default().push(process);
        }
    }
    let mut found = children.remove(&number).unwrap_or_default();
    let mut next = 0;
    while let Some(parent) = found.get(next) {
        found.extend(children.remove(parent).unwrap_or_default());
        next += 1;
    }
    found
}

/// The parent of a process by its status line, "NUMBER (NAME) STATE PARENT …", if it has not ended yet.
fn living_parent(status: &str) -> Option<u32> {
    // The name may hold anything, blanks and brackets too.
    let (_, rest) = status.rsplit_once(") ")?;
    let mut words = rest.split(' ');
    let state = words.next()?;
    words.next()?.parse().ok().filter(|_| !matches!(state, "Z" | "X"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_line_names_the_parent_whatever_the_process_is_called() {
        assert_eq!(living_parent("7 (sleep) S 5 7 7 0 -1"), Some(5));
        assert_eq!(living_parent("7 (a) R 1 ) (b) S 5 7 7"), Some(5));
        assert_eq!(living_parent("7 (sleep) Z 5 7 7"), None);
        assert_eq!(living_parent(""), None);
    }

    #[test]
    fn what_is_below_is_found_and_ended() {
        let mut shell = Command::new("sh").args(["-c", "sleep 1000 & sleep 1000 & wait"]).spawn().unwrap();
        let begin = Instant::now();
        while below(shell.id()).len() < 2 {
            assert!(begin.elapsed() < Duration::from_secs(30));
            thread::sleep(Duration::from_millis(5));
        }
        assert!(below(std::process::id()).contains(&shell.id()));
        end_below(shell.id());
        assert!(shell.wait().is_ok());
    }
}
