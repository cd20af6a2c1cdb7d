//! The programs that are attacked, which lie beside this one.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::process::Process;

/// Longest that a program may take to end when nothing keeps it: what takes longer hangs.
const ENDLESS: Duration = Duration::from_secs(300);

/// The folder with the programs.
fn folder() -> PathBuf {
    let own = std::env::current_exe().expect("a program knows its own name");
    own.parent().map(Path::to_owned).unwrap_or_default()
}

/// The program under attack.
pub(crate) fn emilia() -> Command {
    let program = folder().join(format!("emilia{}", std::env::consts::EXE_SUFFIX));
    assert!(program.exists(), "{}: build the program first: cargo build -p emilia", program.display());
    Command::new(program)
}

/// The engine that misbehaves.
pub(crate) fn bad_engine() -> PathBuf {
    let program = folder().join(format!("examples/bad_engine{}", std::env::consts::EXE_SUFFIX));
    let build = "cargo build -p emilia-engine --example bad_engine";
    assert!(program.exists(), "{}: build the engine first: {build}", program.display());
    program
}

/// A server with its games in this folder.
pub(crate) fn server(folder: &Path) -> Process {
    Process::spawn(emilia(), folder, "off", Stdio::null())
}

/// What a program printed, and how it ended.
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Lets a program come to its end; one that does not is a find.
pub(crate) fn ended(command: &mut Command) -> Ended {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let read = |stream: Box<dyn std::io::Read + Send>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let mut stream = stream;
            let _ = stream.read_to_end(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        })
    };
    let out = read(Box::new(child.stdout.take().unwrap()));
    let err = read(Box::new(child.stderr.take().unwrap()));
    let status = wait(&mut child, &format!("{command:?}"));
    Ended { status, out: out.join().unwrap(), err: err.join().unwrap() }
}

/// Waits for the end of a child that has every reason to end.
pub(crate) fn wait(child: &mut Child, what: &str) -> ExitStatus {
    let begin = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if begin.elapsed() > ENDLESS {
            let _ = child.kill();
            panic!("does not end: {what}");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The most memory a process ever had, in megabytes; 0 where the system does not say.
pub(crate) fn peak_megabytes(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kibibytes.map_or(0, |kibibytes| kibibytes >> 10)
}

/// The memory a process has now, in megabytes.
pub(crate) fn megabytes(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kibibytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kibibytes.map_or(0, |kibibytes| kibibytes >> 10)
}
