//! Other programs in a match of the real program: whatever they start ends with them, and none is waited for for ever.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const EMILIA: &str = env!("CARGO_BIN_EXE_emilia");

/// A match of one game between another program and a player of ours.
fn match_against(program: &str, more: &[&str]) -> Command {
    let mut command = Command::new(EMILIA);
    command.args(["match", program, "first", "--games", "1"]).args(more).stdin(Stdio::null());
    command
}

fn output(mut command: Command) -> (Output, String) {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (output, said)
}

/// A file of its own for the process numbers that an engine writes down.
struct Numbers(PathBuf);

impl Numbers {
    fn new(name: &str) -> Numbers {
        Numbers(std::env::temp_dir().join(format!("emilia-engines-{name}-{}", std::process::id())))
    }

    /// The numbers, once there are so many.
    fn read(&self, count: usize) -> Vec<u32> {
        let begin = Instant::now();
        loop {
            let text = fs::read_to_string(&self.0).unwrap_or_default();
            let numbers: Vec<u32> = text.lines().filter_map(|line| line.parse().ok()).collect();
            if numbers.len() >= count {
                return numbers;
            }
            assert!(begin.elapsed() < Duration::from_secs(60), "the engine did not start: {text:?}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Numbers {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn is_alive(number: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
    // One that has ended and that nobody has asked about yet is dead enough.
    !status.is_empty() && !status.contains(") Z ")
}

/// Waits until none of these is there any more.
fn all_end(numbers: &[u32]) {
    let begin = Instant::now();
    while let Some(number) = numbers.iter().find(|number| is_alive(**number)) {
        if begin.elapsed() > Duration::from_secs(30) {
            let _ = Command::new("kill").args(["-KILL", &number.to_string()]).status();
            panic!("process {number} is still there");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// An engine that leaves two daemons behind, in sessions of their own, one of them also without our environment, and
/// then does this.
fn engine_with_daemons(protocol: &str, numbers: &Numbers, then: &str) -> String {
    let file = numbers.0.display();
    let script = format!(
        "setsid sleep 1000 >/dev/null 2>&1 & echo $! >>{file}; \
         (env -i setsid sh -c \"echo \\$\\$ >>{file}; exec sleep 1000\" >/dev/null 2>&1 &); \
         while [ $(wc -l <{file}) -lt 2 ]; do sleep 0.01; done; {then}"
    );
    format!("{protocol}:sh -c '{script}'")
}

#[test]
fn daemons_of_an_engine_end_with_the_game() {
    for protocol in ["gtp", "nboard", "ugi"] {
        let numbers = Numbers::new(protocol);
        let program = engine_with_daemons(protocol, &numbers, &format!("exec {EMILIA} {protocol}"));
        let (output, said) = output(match_against(&program, &["--size", "4", "--move-time", "10s"]));
        assert!(output.status.success() && said.is_empty(), "{protocol}: {said}");
        all_end(&numbers.read(2));
    }
}

#[test]
fn daemons_of_an_engine_that_crashes_or_hangs_end_too() {
    for (then, reason) in
        [("echo out of luck >&2; exit 3", "out of luck"), ("exec sleep 1000", "no answer to ")]
    {
        let numbers = Numbers::new(if then.starts_with("exec") { "hung" } else { "crashed" });
        let program = engine_with_daemons("gtp", &numbers, then);
        let (output, said) = output(match_against(&program, &["--move-time", "50ms"]));
        assert!(output.status.success() && said.contains(reason), "{said}");
        all_end(&numbers.read(2));
    }
}

/// The clock of the match bounds the wait: five seconds where a game takes less.
#[test]
fn an_engine_that_hangs_at_its_start_is_not_waited_for_longer_than_for_a_short_game() {
    let (output, said) =
        output(match_against("ugi:sleep 1000", &["--game-time", "100ms", "--increment", "1ms"]));
    assert!(output.status.success(), "{said}");
    let seconds = said.trim().rsplit_once(" in ").and_then(|(_, time)| time.strip_suffix(" s"));
    let seconds: f64 = seconds.and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{said}"));
    assert!((5.0..20.0).contains(&seconds), "{said}");
}

#[test]
fn an_engine_that_is_not_there_is_named_with_the_reason() {
    let (_, said) = output(match_against("gtp:/no/such/engine -x", &[]));
    assert!(said.contains("\"/no/such/engine -x\" cannot be started: No such file"), "{said}");
}

fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn nothing_of_an_engine_survives_a_match_that_is_killed() {
    let numbers = Numbers::new("killed");
    let program =
        engine_with_daemons("gtp", &numbers, &format!("echo $$ >>{}; exec sleep 1000", numbers.0.display()));
    let child = match_against(&program, &[]).stderr(Stdio::null()).spawn().unwrap();
    let numbers = numbers.read(3);
    kill(child);
    all_end(&numbers);
}

/// There is no moment at which a kill leaves the engine alone, also not just after it was started.
#[test]
fn a_kill_at_any_moment_leaves_no_engine_behind() {
    // No other process is called like this.
    let length = format!("1{:09}", std::process::id());
    for moment in 0..12 {
        let program = format!("gtp:sleep {length}");
        let child = match_against(&program, &[]).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(3 * moment));
        kill(child);
    }
    let begin = Instant::now();
    while !sleepers(&length).is_empty() {
        assert!(begin.elapsed() < Duration::from_secs(30), "still there: {:?}", sleepers(&length));
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Processes that were called with this word.
fn sleepers(word: &str) -> Vec<u32> {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let called_so = |number: &u32| {
        let called = fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
        called.split(|byte| *byte == 0).any(|known| known == word.as_bytes())
    };
    numbers.filter(|number| called_so(number) && is_alive(*number)).collect()
}
