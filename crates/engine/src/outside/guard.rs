//! Somebody who stays behind to end a program when we cannot.

use std::io;
use std::process::{Child, Command, Stdio};

/// Ends a program and everything it has started when it is dropped, and also when our process ends in whatever way: a
/// small shell waits for the end of its input, which the system closes with our last breath.
pub(super) struct Guard(Option<Child>);

impl Guard {
    /// Sets the program up so that it can be guarded: it and its children become a group of their own.
    pub(super) fn prepare(command: &mut Command) {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        #[cfg(not(unix))]
        let _ = command;
    }

    /// Guards the group of this program. Where there is no shell, nobody stays behind.
    pub(super) fn new(program: &Child) -> Guard {
        let shell = if cfg!(unix) { shell(program.id()) } else { Err(io::ErrorKind::Unsupported.into()) };
        Guard(shell.ok())
    }
}

fn shell(group: u32) -> io::Result<Child> {
    let mut command = Command::new("sh");
    command.args(["-c", r#"read -r _; kill -s KILL -- "-$0" 2>/dev/null"#, &group.to_string()]);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    // Ctrl-C is for us, not for the guard.
    Guard::prepare(&mut command);
    command.spawn()
}

impl Drop for Guard {
    fn drop(&mut self) {
        if let Some(shell) = &mut self.0 {
            drop(shell.stdin.take());
            let _ = shell.wait();
        }
    }
}
