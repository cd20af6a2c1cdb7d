//! Somebody who stays behind to end a program when we cannot.

use std::io;
use std::process::{Child, Command, Stdio};

#[cfg(target_os = "linux")]
use super::keeper;

/// Ends a program and what it has started when our process ends in whatever way. It is there before the program is, so
/// that there is no moment in which nobody would end it.
pub(super) enum Guard {
    /// The program runs below a process of ours that nothing it starts can leave, whatever it does; this is the number
    /// of that process.
    #[cfg(target_os = "linux")]
    Keeper(u32),
    /// A small shell waits for the end of its input, which the system closes with our last breath, and then ends its
    /// own group of processes. The program is in that group.
    Shell(Child),
    /// Where there is no shell, nobody stays behind.
    Nobody,
}

impl Guard {
    /// Starts a program that is guarded. `streams` says where its streams lead.
    pub(super) fn start(words: &[String], streams: impl Fn(&mut Command)) -> io::Result<(Child, Guard)> {
        #[cfg(target_os = "linux")]
        if let Some(mut command) = keeper::command(words) {
            streams(&mut command);
            group(&mut command, 0);
            let child = command.spawn()?;
            let guard = Guard::Keeper(child.id());
            return Ok((child, guard));
        }
        let (program, arguments) = words.split_first().map_or(("", [].as_slice()), |(p, a)| (p.as_str(), a));
        let mut command = Command::new(program);
        command.args(arguments);
        streams(&mut command);
        let mut guard = shell().map_or(Guard::Nobody, Guard::Shell);
        match &guard {
            Guard::Shell(shell) => group(&mut command, shell.id()),
            _ => group(&mut command, 0),
        }
        let child = command.spawn().inspect_err(|_| guard.end(true))?;
        Ok((child, guard))
    }

    /// Ends the program, unless it is gone already, and what it has started.
    pub(super) fn end(&mut self, gone: bool) {
        #[cfg(not(target_os = "linux"))]
        let _ = gone;
        match self {
            // A keeper that is gone has left nothing behind, and its number may be somebody else's by now.
            #[cfg(target_os = "linux")]
            Guard::Keeper(_) if gone => {}
            #[cfg(target_os = "linux")]
            Guard::Keeper(number) => keeper::end_below(*number),
            Guard::Shell(shell) => {
                drop(shell.stdin.take());
                let _ = shell.wait();
            }
            Guard::Nobody => {}
        }
    }

    /// Why the program was not started, if these are the last words of somebody who could not start it.
    pub(super) fn not_started<'w>(&self, last_words: &'w str) -> Option<&'w str> {
        #[cfg(target_os = "linux")]
        if matches!(self, Guard::Keeper(_)) {
            return last_words.strip_prefix(keeper::NOT_STARTED);
        }
        // Whoever is started directly is known not to be there at once.
        let _ = last_words;
        None
    }
}

fn shell() -> io::Result<Child> {
    if !cfg!(unix) {
        return Err(io::ErrorKind::Unsupported.into());
    }
    let mut command = Command::new("sh");
    // What ends the program politely, such as a signal to its whole group, is not for the guard.
    command.args(["-c", "trap '' INT TERM HUP; read -r _; kill -s KILL 0"]);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    group(&mut command, 0);
    command.spawn()
}

/// Puts a program into the group of processes with this leader, or for 0 into one of its own: Ctrl-C is for us alone.
fn group(command: &mut Command, leader: u32) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, leader as i32);
    #[cfg(not(unix))]
    let _ = (command, leader);
}
